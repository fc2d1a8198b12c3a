"""Promotion systems: compilation of data to a table, results of lookups, and errors."""

import copy
import pickle
import re
from itertools import product

import numpy as np
import pytest
from common import for_each

from supremum.promotion import Lattice, LatticeError, PromotionSystem, TypePromotionError, as_node, systems
from supremum.promotion._nodes import NODES

MATRIX = """
        b1  i4  f4
    b1  b1  i4  f4
    i4  i4  i4  -
    f4  f4  -   f4
"""


def test_a_matrix_is_read_cell_by_cell():
    system = PromotionSystem.from_matrix("small", MATRIX)
    assert [str(node) for node in system.nodes] == ["bool", "int32", "float32"]
    assert system.lattice is None
    assert str(system.promote("bool", np.float32)) == "float32"
    assert system.lookup(as_node("int32"), as_node("float32")) is None
    assert system.lookup(as_node("int32"), as_node("int64")) is None


@pytest.mark.parametrize(
    "matrix, complaint",
    [
        ("b1 i4\n b1 b1 i4\n i4 i4", "row i4 of the matrix has 1 cells, not 2"),
        ("b1 i4\n b1 b1 i4", "other types in its rows than in its columns"),
        ("b1 i4\n i4 i4 i4\n b1 b1 i4", "other types in its rows than in its columns"),
    ],
)
def test_a_matrix_that_is_not_aligned_is_refused(matrix, complaint):
    with pytest.raises(ValueError, match=complaint):
        PromotionSystem.from_matrix("bad", matrix)


def test_a_matrix_may_be_asymmetric():
    system = PromotionSystem.from_matrix("asym", "b1 i4\n b1 b1 i4\n i4 - i4")
    assert str(system.promote("bool", "int32")) == "int32"
    with pytest.raises(TypePromotionError, match="its table has no entry for int32 with bool"):
        system.promote("int32", "bool")


def test_a_system_needs_either_form_of_rules():
    with pytest.raises(ValueError, match="either edges or a matrix"):
        PromotionSystem.from_matrix("both", MATRIX, edges={})


def test_edges_may_be_given_by_name_code_or_as_a_lattice():
    by_name = PromotionSystem.from_lattice("a", {"bool": ["int8"], "int8": ["float16"]})
    by_code = PromotionSystem.from_lattice("b", {"b1": ["i1"], "i1": ["f2"]})
    by_lattice = PromotionSystem.from_lattice("c", Lattice({"bool": ["int8"], "int8": ["float16"]}))
    for a, b in product(by_name.nodes, repeat=2):
        assert by_name.lookup(a, b) is by_code.lookup(a, b) is by_lattice.lookup(a, b) is not None


def test_edges_that_break_a_law_are_refused_by_name():
    with pytest.raises(LatticeError, match="'bad': int8 and uint8 have no upper bound"):
        PromotionSystem.from_lattice("bad", {"bool": ["int8", "uint8"]})


def test_lookup_knows_weak_nodes_of_any_width_and_never_raises():
    system = systems["jax"]
    every = [*system.nodes, *(node.weak_form for node in NODES.values())]
    for a, b in product(every, repeat=2):
        assert system.lookup(a, b) is system.lookup(a.family, b.family)
    stranger = PromotionSystem.from_matrix("small", MATRIX)
    for a, b in product(every, repeat=2):
        known = {a, b} <= set(stranger.nodes)
        assert (stranger.lookup(a, b) is not None) == (known and {a.name, b.name} != {"int32", "float32"})


@for_each(
    "operands, result",
    [
        (("int8", "uint8"), "int16"),
        ((np.dtype("int32"), np.float32), "float32"),
        ((int, bool), "int*"),
        ((as_node("uint64"), "i1"), "float*"),
        (("bf", "f2"), "float32"),
        (("int8", "uint8", "float16"), "float16"),
        (("int16",), "int16"),
        (("int16*", "float32*"), "float*"),
        ((np.zeros(3, "uint8"), complex), "complex*"),
    ],
)
def test_promote_takes_names_dtypes_nodes_and_python_scalar_types(operands, result):
    assert str(systems["jax"].promote(*operands)) == result


def test_promote_refuses_what_is_no_dtype():
    with pytest.raises(TypeError, match="'int23' names no dtype"):
        systems["jax"].promote("int23", "int8")
    with pytest.raises(TypeError, match="at least one operand"):
        systems["jax"].promote()


def live_message(a, b, mode):
    """JAX's own message."""
    jax = pytest.importorskip("jax", reason="JAX, whose message is compared, is not installed")
    with jax.numpy_dtype_promotion(mode), pytest.raises(ValueError) as caught:
        jax.numpy.promote_types(a, b)
    return str(caught.value)


@pytest.mark.live
@pytest.mark.parametrize(
    "pair", [("float32", "int32"), ("bool", "int8"), ("float8_e5m2", "float16"), ("complex64", "float64")]
)
def test_strict_errors_begin_as_jax_says_it(pair):
    theirs = live_message(*pair, "strict")
    # JAX's order of the operands is that of a set.
    theirs = re.sub(r"\(.*?\)", str(pair), theirs, count=1)
    with pytest.raises(TypePromotionError) as caught:
        systems["jax_strict"].promote(*pair)
    assert str(caught.value).startswith(theirs)


def test_strict_error_in_full():
    with pytest.raises(TypePromotionError) as caught:
        systems["jax_strict"].promote("float32", "int32")
    assert str(caught.value) == (
        "Input dtypes ('float32', 'int32') have no available implicit dtype promotion path when "
        "jax_numpy_dtype_promotion=strict. Try explicitly casting inputs to the desired output type, or set "
        "jax_numpy_dtype_promotion=standard. Promotion system 'jax_strict': float32 and int32 have no upper bound. "
        "Cast explicitly, e.g. with x.astype('float32')."
    )


@for_each(
    "pair, why, cast",
    [
        (("float8_e4m3fn", "float16"), "types as narrow as float8_e4m3fn do not promote implicitly", "float32"),
        (("float8_e4m3fn", "float8_e5m2"), "float8_e4m3fn and float8_e5m2 have no upper bound", "float32"),
        (("int4", "int8"), "types as narrow as int4 do not promote implicitly", "int32"),
        (("uint2", "uint8"), "types as narrow as uint2 do not promote implicitly", "uint8"),
        (("float4_e2m1fn", "complex128"), "no upper bound", "complex128"),
        (("float8_e5m2", "float64"), "no upper bound", "float64"),
        (("float6_e2m3fn", "complex64"), "no upper bound", "complex64"),
        (("uint4", "int64"), "no upper bound", "int64"),
    ],
)
def test_errors_name_operands_system_reason_and_remedy(pair, why, cast):
    with pytest.raises(TypePromotionError) as caught:
        systems["jax"].promote(*pair)
    message = str(caught.value)
    assert message.startswith(f"Input dtypes {pair} have no available implicit dtype promotion path.")
    assert "Promotion system 'jax'" in message
    assert why in message
    assert message.endswith(f"e.g. with x.astype('{cast}').")


def test_the_cast_that_an_error_proposes_mends_it():
    for system in systems.values():
        for a, b in product(system.nodes, repeat=2):
            if system.lookup(a, b) is None and system.lookup(a, a) and system.lookup(b, b):
                cast = re.search(r"x\.astype\('(\w+)'\)\.$", str(system.error(a, b)))
                if cast:
                    target = as_node(cast[1])
                    assert system.lookup(target, target) is target, (system, a, b)
                else:
                    assert a.weak, (system, a, b)
                    assert b.weak, (system, a, b)


def test_errors_name_types_that_a_system_does_not_have():
    system = PromotionSystem.from_matrix("small", MATRIX)
    with pytest.raises(TypePromotionError, match=r"'small': it has no int8 and no float16"):
        system.promote("int8", "float16")
    with pytest.raises(TypePromotionError, match=r"no complex64\. Cast to one of bool, int32, float32\."):
        system.promote("complex64", "complex64")
    with pytest.raises(TypePromotionError, match=r"it has no int8\. Cast explicitly, e.g. with x.astype\('int32'\)"):
        system.promote("int8", "int32")


def test_errors_of_many_operands_find_the_pair_that_fails():
    with pytest.raises(TypePromotionError, match=r"\('int8', 'uint8', 'int4'\).*: int16 and int4 have no upper bound"):
        systems["jax"].promote("int8", "uint8", "int4")


def test_with_edges_adds_paths_and_leaves_the_system_alone():
    jax_ = systems["jax"]
    wider = jax_.with_edges({"float8_e4m3fn": ["bfloat16", "float16"]})
    assert str(wider.promote("float8_e4m3fn", "float16")) == "float16"
    assert str(wider.promote("float8_e4m3fn", "float32")) == "float32"
    assert str(wider.promote("float8_e4m3fn", "int8")) == "float8_e4m3fn"
    assert wider.name != jax_.name
    assert jax_.lookup(as_node("float8_e4m3fn"), as_node("float16")) is None
    for a, b in product(jax_.nodes, repeat=2):
        before = jax_.lookup(a, b)
        assert before is None or wider.lookup(a, b) is before
    assert jax_.with_edges({"int4": ["int8"]}, name="mine").name == "mine"


def test_with_edges_refuses_what_breaks_uniqueness_unless_asked():
    edges = {"float8_e4m3fn": ["bfloat16", "float16"], "float8_e5m2": ["bfloat16", "float16"]}
    complaint = "float8_e4m3fn and float8_e5m2 have two minimal upper bounds: bfloat16, float16"
    with pytest.raises(LatticeError, match=complaint):
        systems["jax"].with_edges(edges)
    accepted = systems["jax"].with_edges(edges, unlawful=True)
    assert not accepted.lattice.associative
    with pytest.raises(TypePromotionError, match=complaint):
        accepted.promote("float8_e4m3fn", "float8_e5m2")


def test_with_edges_refuses_cycles_and_matrices():
    with pytest.raises(LatticeError, match=r"cycle: .*float16 -> .*int8"):
        systems["jax"].with_edges({"float16": ["int8"]})
    with pytest.raises(LatticeError, match="'small' is a matrix, not a lattice"):
        PromotionSystem.from_matrix("small", MATRIX).with_edges({})


def test_forbid_takes_away_one_pair_only():
    jax_ = systems["jax"]
    without = jax_.forbid("uint64", "int64")
    pair = {as_node("uint64"), as_node("int64")}
    for a, b in product(jax_.nodes, repeat=2):
        assert without.lookup(a, b) is (None if {a, b} == pair else jax_.lookup(a, b))
    with pytest.raises(TypePromotionError, match="int64 with uint64 is forbidden"):
        without.promote("int64", "uint64")
    assert without.forbid("int8", "uint8").lookup(*pair) is None
    with pytest.raises(ValueError, match="'small' has no int8 to forbid"):
        PromotionSystem.from_matrix("small", MATRIX).forbid("int8", "int32")


def test_systems_are_copied_and_pickled_by_their_data():
    for system in (systems["jax"], systems["jax"].forbid("uint64", "int64"), PromotionSystem.from_matrix("small", MATRIX)):
        for again in (pickle.loads(pickle.dumps(system)), copy.deepcopy(system)):
            assert again.name == system.name
            assert all(again.lookup(a, b) is system.lookup(a, b) for a, b in product(system.nodes, repeat=2))


def test_facts_read_as_attributes():
    system = systems["jax"]
    assert (system.package, system.version, system.scalars, system.fold) == ("jax", "0.10.2", "weak", "join")
    with pytest.raises(AttributeError, match="has no attribute 'colour'"):
        system.colour


def test_contains_and_repr():
    assert "int8" in systems["jax"]
    assert float in systems["jax"]
    assert "nothing" not in systems["jax"]
    assert "int8" not in PromotionSystem.from_matrix("small", MATRIX)
    assert repr(PromotionSystem.from_matrix("small", MATRIX)) == "<promotion system 'small': 3 types>"


def test_a_system_draws_itself_and_has_paths():
    from supremum.promotion import LatticeError, systems

    jax = systems["jax"]
    assert jax.path("int8", "uint8") == ("int8", "int16")
    assert "float8_e5m2" not in jax.svg()
    assert "int8 + uint8 is int16" in jax.svg(join=["i1", "u1"])
    assert "float8_e5m2" in jax.svg(nodes=["float8_e5m2", "float32"])
    with pytest.raises(LatticeError, match="promotion system 'numpy' is a table, not a lattice"):
        systems["numpy"].svg()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda jax: jax.path("int8", 7), "path: 7 names no dtype"),
        (lambda jax: jax.svg(nodes=3), "svg: nodes must be a sequence of dtypes or their names, got 3"),
        (lambda jax: jax.svg(join="int8"), "svg: join must be a sequence of dtypes or their names, got 'int8'"),
        (lambda jax: jax.draw(nodes=3), "draw: nodes must be a sequence of dtypes or their names, got 3"),
        (lambda jax: jax.draw("here"), "draw: ax must be the axes of a figure of matplotlib, got 'here'"),
    ],
)
def test_drawings_and_paths_refuse_what_is_no_dtype(call, message):
    from supremum.promotion import systems

    with pytest.raises(TypeError, match=f"^{message}"):
        call(systems["jax"])


def test_rules_for_operands_are_checked():
    from supremum.promotion import PromotionSystem

    with pytest.raises(ValueError, match="'flaot32' is no dtype"):
        PromotionSystem.from_lattice("x", {"int8": ["float32"]}, operands={"sin": "iu: flaot32"})
    with pytest.raises(ValueError, match="'xyz' is neither a dtype nor letters of kinds"):
        PromotionSystem.from_lattice("x", {"int8": ["float32"]}, operands={"sin": "xyz: float32"})
