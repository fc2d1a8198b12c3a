"""Every system's whole table, cell by cell, against what documents print and packages were measured to answer."""

from itertools import product

import pytest

from supremum.promotion import PromotionSystem, as_node, systems

# Codes of documents that are not ours.
OF_2020 = {"c4": "c8", "c8": "c16"}


def code(node):
    return "-" if node is None else node.code


def differences(system, table):
    """Give the cells where a system does not answer what a golden table has."""
    by_code = {node.code: node for node in system.nodes}
    answers = {(a, b): code(system.lookup(by_code[a], by_code[b])) for a, b in table}
    return {pair: (answers[pair], cell) for pair, cell in table.items() if answers[pair] != cell}


@pytest.mark.parametrize("name", ["jax", "jax_x32", "jax_strict"])
def test_table_is_the_measured_one(name, golden):
    assert differences(systems[name], golden(name)) == {}


def test_document_001_cell_by_cell(golden):
    table = golden("document_001")
    assert len(table) == 18 * 18
    assert differences(systems["jax"], table) == {}
    assert differences(systems["jax"], golden("document_002_jax")) == {}


def test_document_000_cell_by_cell(golden):
    table = golden("document_000")
    assert len(table) == 15 * 15
    ours = {tuple(OF_2020.get(one, one) for one in pair): OF_2020.get(cell, cell) for pair, cell in table.items()}
    found = differences(systems["jax"], ours)
    # It shows the dtype that the weak float of uint64 with a signed integer stood for.
    assert found == {pair: ("f*", "f8") for pair in ours if "u8" in pair and set(pair) & {"i1", "i2", "i4", "i8"}}
    assert len(found) == 8


@pytest.mark.parametrize("name", ["jax", "jax_x32", "jax_strict"])
def test_32_bit_complex_types_behave_as_the_other_narrow_types_do(name):
    system = systems[name]
    narrow = [node for node in system.nodes if node.kind == "c" and node.bits == 32]
    example = as_node("float8_e5m2")
    for node, other in product(narrow, system.nodes):
        result = system.lookup(node, other)
        assert result is system.lookup(other, node)
        if other in narrow:
            assert result is (node if node is other else None)
        elif other.kind == "f" and not other.weak:
            assert result is None
        else:
            with_float = system.lookup(example, other)
            expected = node if other.kind == "c" and other.weak else (with_float and node)
            assert result is (None if other.kind == "c" and not other.weak else expected)


def test_jax_x32_differs_from_jax_in_the_join_of_one_edge():
    pairs = product(systems["jax"].nodes, repeat=2)
    different = {(a.code, b.code) for a, b in pairs if systems["jax"].lookup(a, b) is not systems["jax_x32"].lookup(a, b)}
    assert different == {pair for signed in ("i1", "i2", "i4") for pair in (("u4", signed), (signed, "u4"))}


def test_the_mapping_builds_each_system_once_and_knows_them_all_beforehand():
    assert "jax" in systems
    assert systems["jax"] is systems["jax"]
    assert len(systems) == len(list(systems))
    assert all(isinstance(systems[name], PromotionSystem) for name in systems)
    with pytest.raises(TypeError):
        systems["mine"] = systems["jax"]


@pytest.mark.parametrize(
    "name, near", [("Jax", "did you mean jax"), ("jax_strickt", "did you mean jax_strict"), (3, "there are")]
)
def test_a_system_that_is_not_there_is_answered_with_the_nearest(name, near):
    for kind in (KeyError, ValueError):
        with pytest.raises(kind, match=f"no promotion system {name!r}.*{near}"):
            systems[name]
