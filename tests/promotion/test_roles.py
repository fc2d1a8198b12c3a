"""Rules of what operands become: their text, and what functions do by them."""

import numpy as np
from common import for_each

import supremum as xp
from supremum.promotion import PromotionSystem, systems
from supremum.promotion._nodes import NODES
from supremum.promotion._roles import Rule


@for_each(
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
        ("join b i16: int32", "int16", "int32"),
        ("elementwise iu: float32", "int8", "float32"),
        ("of biu: own", "int8", "int8"),
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


def test_operands_become_what_is_made_of_the_dtype_at_which_they_meet():
    small, byte = xp.asarray([100, 100], dtype="int8"), xp.asarray([200, 200], dtype="uint8")
    with xp.promotion.use("mlx"):
        assert xp.vecdot(small, small).tolist() == 20_000  # not in int8
        assert xp.vecdot(small, byte).dtype == np.int32  # they meet at int16
        assert xp.vecdot(byte, byte).dtype == np.uint32
    with xp.promotion.use("keras"):
        assert xp.matmul(small, small).dtype == np.int32
        assert xp.matmul(small, byte).dtype == np.int16  # only of two of one dtype


def test_functions_may_meet_by_a_table_of_their_own():
    x, y = xp.asarray([1], dtype="int32"), xp.asarray([1.5], dtype="float16")
    with xp.promotion.use("tensorflow_all"):
        assert (x + y).dtype == np.float16
        assert xp.maximum(x, y).dtype == xp.tensordot(x, y, axes=1).dtype == np.float64
        assert xp.logical_and(xp.asarray([1], dtype="uint16"), xp.ones(1, dtype="bfloat16")).tolist() == [True]
    with xp.promotion.use("numpy"):
        assert xp.linalg.outer(y, xp.ones(1, dtype="bfloat16")).dtype == np.float32


def test_results_may_have_the_dtype_of_operands():
    with xp.promotion.use("torch"):
        assert [f(xp.asarray([1, 2], dtype="uint8")).dtype.name for f in (xp.all, xp.any)] == ["uint8", "uint8"]
        assert xp.asarray([1, 2], dtype="int8").all().dtype == np.bool_
    with xp.promotion.use("tinygrad"):
        assert xp.copysign(xp.asarray([-3, 4], dtype="int8"), xp.asarray([1, -1], dtype="int8")).tolist() == [3, -4]
        assert xp.ceil(xp.asarray([True, False])).dtype == np.int32
    with xp.promotion.use("numpy"):
        product = xp.convolve(xp.asarray([2**20, 3]), xp.asarray([2**20, 1]))
        np.testing.assert_array_equal(product, np.convolve([2**20, 3], [2**20, 1]), strict=True)


def test_each_of_several_results_may_have_a_rule():
    with xp.promotion.use("numpy"):
        names = [one.dtype.name for one in xp.linalg.lstsq(xp.ones((3, 2)), xp.ones(3))]
    assert names == ["float64", "float64", "int32", "float64"]


def test_counts_are_exact_where_a_system_counts_in_integers():
    x = xp.zeros(5001, dtype="float16")
    with xp.promotion.use("numpy"):
        counts, edges = xp.histogram(x, bins=2)
        np.testing.assert_array_equal(counts, np.histogram(np.zeros(5001, np.float16), bins=2)[0], strict=True)
        assert edges.dtype == np.float16
        assert xp.histogram(x, bins=2, density=True)[0].dtype == np.float16
        assert xp.histogram(x, bins=2, weights=xp.ones(5001, dtype="float32"))[0].dtype == np.float32


def test_a_dtype_that_is_asked_for_by_position_is_given():
    with xp.promotion.use("keras"):
        assert xp.full((2,), 1).dtype == np.float32
        assert xp.full((2,), 1, "int8").dtype == np.int8


def test_where_of_one_dtype_follows_a_table_in_which_it_does_not_meet_itself():
    x = xp.asarray([1, 2], dtype="uint64")
    with xp.promotion.use("keras_tf"):
        assert xp.where(x > 0, x, x).dtype == np.uint32


@for_each("name", ["sum", "prod", "mean", "std", "var", "max", "nanstd", "nanvar", "nanmean", "nansum"])
def test_masks_are_no_operands(name):
    initial = {"initial": 0} if name == "max" else {}
    for dtype in ("int8", "uint32", "float16", "float32"):
        x = np.array([1, 2, 4], dtype)
        with xp.promotion.use("numpy"):
            found = getattr(xp, name)(xp.asarray(x), where=xp.asarray(x) > 1, **initial)
        expected = getattr(np, name)(x, where=x > 1, **initial)
        np.testing.assert_allclose(found, expected, rtol=1e-3 if dtype == "float16" else 1e-6)
        assert found.dtype == expected.dtype
