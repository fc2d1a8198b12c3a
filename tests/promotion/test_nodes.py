"""Nodes are interned, and all names of a dtype find the same one."""

import copy
import pickle

import ml_dtypes
import numpy as np
import pytest

from supremum.promotion import as_node
from supremum.promotion._nodes import ABSENT, KEY, NODES, WEAK, node_of_dtype


def test_every_name_code_and_dtype_finds_its_one_node():
    for name, node in NODES.items():
        assert as_node(name) is as_node(node.code) is as_node(node.dtype) is as_node(node.dtype.type) is node
        assert node_of_dtype(node.dtype) is node
        assert str(node) == name
        assert node.family is node


def test_codes_and_names_are_unique():
    every = [*NODES.values(), *WEAK.values(), *(node.weak_form for node in NODES.values() if node.kind != "b")]
    assert len({node.name for node in every}) == len({node.code for node in every}) == len(every)


@pytest.mark.parametrize("scalar, name", [(bool, "bool"), (int, "int*"), (float, "float*"), (complex, "complex*")])
def test_python_scalar_types_are_weak_but_for_bool(scalar, name):
    assert as_node(scalar).name == name


@pytest.mark.parametrize(
    "spec, name",
    [
        ("<f4", "float32"),
        ("float", "float64"),
        (np.dtype(">i2"), "int16"),
        (">c16", "complex128"),
        (np.float16, "float16"),
        (np.dtype("bool"), "bool"),
        (ml_dtypes.bfloat16, "bfloat16"),
        (np.zeros(2, np.uint8), "uint8"),
        (np.int16(3), "int16"),
    ],
)
def test_numpy_spellings(spec, name):
    assert as_node(spec) is NODES[name]


@pytest.mark.parametrize("spec, near", [("int7", "int8"), ("Float16", "float16"), ("bfloat", "bfloat16")])
def test_a_misspelt_dtype_is_answered_with_the_nearest(spec, near):
    with pytest.raises(TypeError, match=rf"{spec!r} names no dtype that promotion knows; did you mean .*{near}"):
        as_node(spec)


@pytest.mark.parametrize("spec", ["weak", None, 3, 2.0, "U5", np.dtype("M8[s]"), [("a", "i4")], object(), {"a": 1}, str])
def test_what_is_no_dtype_is_a_type_error_that_says_what_to_use(spec):
    with pytest.raises(TypeError, match="names no dtype that promotion knows; use a name such as"):
        as_node(spec)


def test_weak_nodes_of_a_width_belong_to_the_abstract_one():
    for node in NODES.values():
        weak = node.weak_form
        if node.kind == "b":
            assert weak is node
        else:
            assert weak.weak
            assert weak.family is as_node({"i": int, "u": int, "f": float, "c": complex}[node.kind])
            assert (weak.dtype, weak.bits, weak.kind) == (node.dtype, node.bits, node.kind)
            assert weak.weak_form is weak


def test_copies_and_pickles_are_the_same_object():
    for node in (NODES["bfloat16"], WEAK["int*"], NODES["int4"].weak_form):
        assert pickle.loads(pickle.dumps(node)) is copy.copy(node) is copy.deepcopy(node) is node


def test_absent_names_are_those_that_ml_dtypes_lacks():
    assert all(not hasattr(ml_dtypes, name) for name in ABSENT)
    assert not ABSENT & set(NODES)


@pytest.mark.parametrize("node", [*NODES.values(), *WEAK.values(), KEY], ids=str)
def test_the_facts_of_a_node(node):
    if node.dtype is not None and node.kind in "iu":
        info = ml_dtypes.iinfo(node.dtype)
        assert (node.low, node.high) == (info.min, info.max)
    else:
        assert (node.low, node.high) == ((0, 1) if node.kind == "b" else (0, -1))
    for form in {node, node.weak_form}:
        assert (form.low, form.high, form.rank, form.dtype) == (node.low, node.high, node.rank, node.dtype)
        assert form.strong is node
        assert form.weak_form is node.weak_form
        assert form.wide is (form if form.native else node.wide)
        assert form.real.weak == form.weak
        assert form.real.strong is node.real
    assert node.weak_form.weak == (node.kind not in "bk")
    assert node.wide.kind == node.kind
    assert node.wide.native or node.kind == "k"


def test_the_parts_of_complex_nodes():
    for node in NODES.values():
        parts = np.zeros(1, node.wide.dtype).real.dtype
        assert node.wide.real.dtype == parts
        assert (node.real is node) == (node.kind != "c")
        assert 2 * node.real.bits == node.bits or node.kind != "c"


def test_kinds_rank_by_what_they_can_hold():
    assert [NODES[name].rank for name in ("bool", "uint4", "int64", "float16", "complex64")] == [0, 1, 2, 3, 4]
    assert KEY.rank > NODES["complex64"].rank
