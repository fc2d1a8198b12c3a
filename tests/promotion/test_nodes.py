"""Nodes are interned, and all names of a dtype find the same one."""

import copy
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from common import for_each

import supremum as xp
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


@for_each(
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


@for_each("spec", ["weak", None, 3, 2.0, "U5", np.dtype("M8[s]"), [("a", "i4")], object(), {"a": 1}, str])
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


@for_each("node", [*NODES.values(), *WEAK.values(), KEY], identity=str)
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


#: Dtypes that are taken out of the table of a copy of the package, and added to it again, at its end.
ADDED = ("float8_e3m4", "uint2")
WITHOUT = """
for name in ADDED:
    assert not hasattr(xp, name) and name not in xp.__all__ and name not in typing.get_args(xp.typing.DTypeName)
    try:
        xp.zeros(2, dtype=name)
    except TypeError as error:
        assert "is not a dtype of this namespace" in str(error)
    else:
        raise AssertionError(name)
assert xp.asarray([1.0], dtype="float8_e4m3").dtype == "float8_e4m3"
"""
WITH = """
for name in ADDED:
    assert name in xp.__all__ and name in dir(xp) and name in typing.get_args(xp.typing.DTypeName)
    x, scalar = xp.asarray([1, 0, 1], dtype=name), getattr(xp, name)
    assert x.dtype == scalar == getattr(ml_dtypes, name) and scalar([1.0]).dtype == name and f"dtype={name}" in repr(x)
    assert (x + x * x).dtype == (x + 1).dtype == xp.sort(x).dtype == name and xp.maximum(x, x).tolist() == [1, 0, 1]
    assert xp.promote_types(name, "bool") == name and xp.asarray(2, dtype=name).astype("int32") == 2
    for system in ("jax", "jax_x32", "jax_strict", "jax_lax"):
        assert systems[system].promote(name, name).name == name
    assert systems["jax"].promote(name, "float*" if name[0] == "f" else "int*").name == name
    assert pickle.loads(pickle.dumps(x)).dtype == name
    file = io.BytesIO()
    xp.save(file, x)
    file.seek(0)
    assert xp.load(file).dtype == name
assert xp.from_dlpack(xp.asarray([0.5], dtype="float8_e3m4")).dtype == "float8_e3m4"
"""


@pytest.mark.parametrize("pure", ["", "1"])
def test_a_dtype_is_added_by_one_row(tmp_path, pure):
    package = tmp_path / "supremum"
    shutil.copytree(Path(xp.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    table = package / "promotion/dtypes.txt"
    rows = table.read_text("utf-8").splitlines(keepends=True)
    added = [row for row in rows if row.split(" ")[0] in ADDED]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "SUPREMUM_PURE": pure}
    imports = "import io, pickle, typing, ml_dtypes, supremum as xp\nfrom supremum.promotion import systems\n"
    others = [row for row in rows if row not in added]
    for left, program in ((others, WITHOUT), ([*others, *added], WITH)):
        table.write_text("".join(left), "utf-8")
        done = subprocess.run(
            [sys.executable, "-c", f"ADDED = {ADDED}\n{imports}{program}"],
            env=environment, cwd=tmp_path, check=False, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
