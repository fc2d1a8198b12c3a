"""Rules of what operands become: their text, and what functions do by them."""

import numpy as np
import pytest

import supremum as xp
from supremum.promotion import PromotionSystem, systems
from supremum.promotion._nodes import NODES
from supremum.promotion._roles import Rule


@pytest.mark.parametrize(
    ("text", "given", "expected"),
    [
        ("iu8: float16, iu: float64", "int8", "float16"),
        ("iu8: float16, iu: float64", "int4", "float16"),
        ("iu8: float16, iu: float64", "uint16", "float64"),
        ("iu8: float16, iu: float64", "bool", "bool"),
        ("biu bfloat16: float64", "bfloat16", "float64"),
        ("biu bfloat16: float64", "float16", "float16"),
        ("*: float64", "complex64", "float64"),
        ("each b: int8", "bool", "int8"),
        ("same b: int8", "bool", "int8"),
        ("same", "int16", "int16"),
    ],
)  # fmt: skip
def test_the_first_case_that_fits_counts(text, given, expected):
    assert Rule(text).follow(NODES[given]) is NODES[expected]


def test_weak_nodes_stay_weak():
    assert Rule("iu: float64").follow(NODES["int32"].weak_form) is NODES["float64"].weak_form


def system(**rules):
    return PromotionSystem.from_lattice("mine", {"int8": ["int32"], "int32": ["float32"], "float32": ["float64"]}, **rules)


def test_a_function_has_its_own_rule_before_that_of_its_role():
    mine = system(operands={"inexact": "iu: float64", "cos": "iu: float16"})
    x = xp.asarray([0, 1], dtype="int8")
    with xp.promotion.use(mine):
        assert xp.sin(x).dtype == np.float64
        assert xp.cos(x).dtype == np.float16
        assert xp.sum(x).dtype == xp.asarray(1).dtype  # no rule: its own


def test_values_are_computed_in_the_dtype_that_operands_become():
    x = xp.asarray([1, 2, 2**24 + 1], dtype="int32")
    with xp.promotion.use("numpy"):
        np.testing.assert_array_equal(xp.mean(x), np.mean(np.asarray(x)))
        np.testing.assert_array_equal(xp.sin(x), np.sin(np.asarray(x)))
        np.testing.assert_array_equal(xp.fft.fft(x), np.fft.fft(np.asarray(x)))
        np.testing.assert_array_equal(x.sum(), np.asarray(x).sum())
        np.testing.assert_array_equal(xp.std(x), np.std(np.asarray(x)))


def test_a_dtype_that_is_asked_for_is_given():
    x = xp.asarray([1, 2], dtype="int8")
    with xp.promotion.use("numpy"):
        assert xp.sum(x, dtype="int16").dtype == np.int16
        assert xp.mean(x, dtype="float32").dtype == np.float32


def test_results_may_have_a_dtype_of_their_own():
    x = xp.asarray([3, 1, 2])
    with xp.promotion.use("mlx"):
        assert xp.argsort(x).dtype == np.uint32
        assert x.argmax().dtype == np.uint32
    with xp.promotion.use("numpy"):
        values, counts = xp.unique_counts(xp.asarray([1, 1], dtype="int8"))
        assert (values.dtype, counts.dtype) == (np.int8, np.int64)


def test_the_first_call_under_a_system_follows_its_rules():
    """Not only after a state was made for it."""
    mine = system(operands={"mean": "iu: float64"})
    with xp.promotion.use(mine):
        assert xp.median(xp.asarray([1, 2], dtype="int8")).dtype == np.float64


def test_jax_has_no_rules():
    assert systems["jax"].roles is None
    assert systems["jax_x32"].roles is None
    assert systems["jax_strict"].roles is None
