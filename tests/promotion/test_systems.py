"""Every system's whole table, cell by cell, against tables of documents and measured packages."""

import sys
from itertools import product

import pytest
from common import code, for_each

from supremum.promotion import PromotionSystem, as_node, compare, systems
from supremum.promotion._nodes import ABSENT

# Codes of documents that differ from ours.
OF_2020 = {"c4": "c8", "c8": "c16"}
SYMBOLS = {"idx": "index", "adr": "address", "tf4": "tensor_float32", "f16": "float128", "c32": "complex256"}
PYTHON = {"int": "i*", "float": "f*", "complex": "c*"}
MEASURED = [
    "jax",
    "jax_x32",
    "jax_strict",
    "numpy",
    "torch",
    "tensorflow_all",
    "tensorflow_safe",
    "keras",
    "keras_tf",
    "tinygrad",
    "mlx",
    "ndonnx",
    "array_api",
    "max",
    "max_graph",
]


def differences(system, table):
    """Return the cells in which a system differs from a golden table."""
    table = {pair: cell for pair, cell in table.items() if not {*pair, cell} & ABSENT}  # ml_dtypes may lack some
    answers = {pair: code(system.lookup(*(as_node(SYMBOLS.get(one, one)) for one in pair))) for pair in table}
    return {pair: (answers[pair], cell) for pair, cell in table.items() if answers[pair] != cell}


def codes(system):
    return {node.code for node in system.nodes}


@for_each("name", MEASURED)
def test_table_is_the_measured_one(name, golden):
    table = golden(name)
    assert differences(systems[name], table) == {}
    beyond = codes(systems[name]) - {row for row, _ in table}
    assert beyond <= {"i*", "f*", "c*", "c4", "bc4"}


@pytest.mark.parametrize("name", ["numpy", "torch", "mlx", "array_api", "tensorflow_legacy"])
def test_python_scalars_are_the_measured_ones(name, golden):
    table = {(row, PYTHON[kind]): cell for (row, kind), cell in golden(f"{name}_scalars").items() if kind in PYTHON}
    both_ways = {**table, **{(b, a): cell for (a, b), cell in table.items()}}
    assert differences(systems[name], both_ways) == {}


def test_max_gives_a_python_scalar_that_fits_the_other_operands_dtype(golden):
    table = {(row, PYTHON[kind]): cell for (row, kind), cell in golden("max_scalars").items() if kind in PYTHON}
    assert differences(systems["max"], table) == {}
    assert systems["max"].scalars == "exact"


@pytest.mark.parametrize("name", ["tensorflow_legacy", "jax_lax"])
def test_table_is_the_measured_one_but_for_bool_with_bool_which_has_no_kernel_to_add(name, golden):
    found = differences(systems[name], golden(name))
    # jax.lax's weak types have the width of the default dtype; the recording omits it.
    weak = {(one, one): (wide, one) for one, wide in {"i*": "i8*", "f*": "f8*", "c*": "c16*"}.items()}
    assert found == {("b1", "b1"): ("b1", "-"), **(weak if name == "jax_lax" else {})}


def test_variants_are_the_measured_ones(golden):
    assert differences(systems["torch"].variant("zero_dim"), golden("torch_zero_dim")) == {}
    assert differences(systems["numpy"].variant("ufunc"), golden("numpy_ufunc")) == {}
    with pytest.raises(ValueError, match="'torch' has no variant 'zero'; it has zero_dim"):
        systems["torch"].variant("zero")
    with pytest.raises(ValueError, match="it has none"):
        systems["jax"].variant("zero_dim")


def test_a_lower_tier_of_torch_counts_only_if_its_kind_is_higher():
    torch = systems["torch"].variant("zero_dim")
    rank = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
    for high, low in product(torch.nodes, repeat=2):
        result = torch.lookup(high, low)
        if rank[high.kind] >= rank[low.kind] and not high.weak and not low.weak:
            assert result is high


def test_tensorflow_operators_take_the_tensors_dtype_and_tf_add_is_asymmetric(golden):
    tensorflow = systems["tensorflow"]
    for a, b in product(tensorflow.nodes, repeat=2):
        assert tensorflow.lookup(a, b) is tensorflow.lookup(b, a)
        if a is not b and not a.weak and not b.weak:
            assert tensorflow.lookup(a, b) is None
    assert differences(tensorflow.variant("add"), golden("document_002_tensorflow")) == {("b1", "b1"): ("b1", "-")}
    assert "nothing but Python scalars" in str(tensorflow.error(as_node("int8"), as_node("int16")))


def test_the_graph_that_max_documents_and_the_four_cells_where_its_table_contradicts_it(golden):
    found = differences(systems["max_graph"], golden("document_004"))
    assert found == {
        ("b1", "idx"): ("u8", "i8"),
        ("b1", "adr"): ("u8", "i8"),
        ("i1", "idx"): ("f2", "idx"),
        ("i1", "adr"): ("f2", "adr"),
    }
    assert systems["max_graph"].lattice.associative
    for node in systems["max_graph"].nodes:
        assert (node.dtype is None) == (node.name in {"index", "address", "tensor_float32"})


def test_document_002_numpy_of_2021(golden):
    found = differences(systems["numpy"], golden("document_002_numpy"))
    assert set(found) == {pair for pair in golden("document_002_numpy") if "bf" in pair and found.get(pair)}
    assert all(cell == "-" for _, cell in found.values())


def test_document_002_torch_of_2021(golden):
    table = golden("document_002_torch")
    found = differences(systems["torch"], table)
    new = {pair: cells for pair, cells in found.items() if not {"u2", "u4", "u8"} & set(pair)}
    narrow = "-" if "c4" in ABSENT else "c4"
    assert new == {
        ("f*", "f*"): ("f4", "f8"),
        ("c*", "c*"): ("c8", "c16"),
        ("f2", "c*"): (narrow, "c8"),
        ("c*", "f2"): (narrow, "c8"),
    }
    assert all(cell == "-" for pair, (_, cell) in found.items() if pair not in new)


def test_jep9407_is_jax_without_bool(golden):
    table = {pair: cell for pair, cell in golden("document_001").items() if "b1" not in pair}
    assert differences(systems["jep9407"], table) == {}
    assert systems["jep9407"].lattice.is_lattice


# The pairs that document 002 discusses for the options.
SAID = {
    "jep9407_option1": {
        ("uint16", "float16"): "float64",
        ("int8", "float16"): "float16",
        ("int16", "float32"): "float32",
        ("int64", "float64"): None,
        ("uint64", "float64"): None,
        ("int64", "uint64"): None,
    },
    "jep9407_option2": {
        ("uint32", "float32"): "float64",
        ("int16", "float16"): "float16",
        ("int64", "float32"): "float64",
        ("uint64", "float64"): None,
        ("uint64", "int8"): None,
    },
    "jep9407_option3": {
        ("int64", "float16"): "float16",
        ("int64", float): "float*",
        ("uint64", "float16"): None,
        ("uint64", "int8"): None,
        ("bfloat16", "float16"): "float32",
        ("int64", "bfloat16"): "bfloat16",
    },
    "python": {(int, float): "float*", (int, complex): "complex*", (float, complex): "complex*", (int, int): "int*"},
}


@pytest.mark.parametrize("name", SAID)
def test_options_do_what_document_002_says(name):
    for (a, b), expected in SAID[name].items():
        result = systems[name].lookup(as_node(a), as_node(b))
        assert (result and result.name) == expected


@pytest.mark.parametrize("name", ["jep9407_option1", "jep9407_option2", "jep9407_option3"])
def test_options_are_partial_lattices(name):
    lattice = systems[name].lattice
    assert lattice.associative
    assert not lattice.is_lattice


def test_tensorflow_legacy_is_numpys_table():
    legacy, numpy = systems["tensorflow_legacy"], systems["numpy"]
    pairs = product(legacy.nodes, repeat=2)
    different = {(a.code, b.code) for a, b in pairs if legacy.lookup(a, b) is not numpy.lookup(a, b)}
    assert different == set()


def test_ndonnx_differs_from_numpy_where_its_notes_say():
    ndonnx, numpy = systems["ndonnx"], systems["numpy"]
    pairs = product(ndonnx.nodes, repeat=2)
    different = {
        (a.code, b.code): code(ndonnx.lookup(a, b)) for a, b in pairs if ndonnx.lookup(a, b) is not numpy.lookup(a, b)
    }
    said = {("b1", "f2"): "-", ("i1", "f2"): "f4", ("u1", "f2"): "f4"}
    assert different == {**said, **{(b, a): cell for (a, b), cell in said.items()}}


def test_numpy_reduces_three_operands_where_folding_gives_another_result():
    assert str(systems["numpy"].promote("int8", "uint8", "float16")) == "float16"
    assert str(systems["numpy"].promote(systems["numpy"].promote("int8", "uint8"), "float16")) == "float32"


def test_every_system_says_what_it_is_and_where_it_is_from():
    for name, system in systems.items():
        assert system.title, name
        assert system.package, name
        assert system.date, name
        assert system.scalars in {"weak", "range", "exact", "none"}
        assert system.fold in {"left", "join", "numpy"}


def test_names_that_share_a_system():
    assert systems["cupy"] is systems["numpy"]
    assert not len(compare("dask", "numpy"))  # their functions differ, not their tables
    assert len({id(system) for system in systems.values()}) == len(systems) - 1


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
    # The document shows the dtype of the weak float of uint64 with a signed integer.
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
    "name, near", [("JAX", "did you mean jax"), ("jax_strickt", "did you mean jax_strict"), (3, "the systems are")]
)
def test_a_system_that_is_not_there_is_answered_with_the_nearest(name, near):
    for kind in (KeyError, ValueError):
        with pytest.raises(kind, match=f"no promotion system {name!r}.*{near}"):
            systems[name]


def test_a_field_that_does_not_exist_is_named_with_its_system(monkeypatch):
    monkeypatch.setitem(sys.modules["supremum.promotion.systems"]._ROWS, "mlx", [["titel", "MLX"]])
    with pytest.raises(ValueError, match="system 'mlx': there is no field 'titel'"):
        sys.modules["supremum.promotion.systems"]._data("mlx")
