"""Comparisons return exactly the pairs that differ, as document 001 highlights them."""

import re
from itertools import product

import pytest

from supremum.promotion import TypePromotionError, compare, implicit_cast_type, systems


@pytest.mark.parametrize(
    "first, second", [("jax", "numpy"), ("numpy", "torch"), ("max", "tinygrad"), ("tensorflow", "jax_strict")]
)
def test_differences_are_the_cells_that_differ(first, second):
    found = compare(first, second)
    one, two = systems[first], systems[second]
    shared = [node for node in one.nodes if node in two]
    listed = {(d.a, d.b): (d.first, d.second) for d in found}
    for a, b in product(shared, repeat=2):
        cells = one.lookup(a, b), two.lookup(a, b)
        if cells[0] is cells[1]:
            assert (a, b) not in listed
        else:
            assert listed.get((a, b), listed.get((b, a))) == cells
    assert len(found) == len(listed)
    assert found.shared == tuple(shared)
    assert set(found.only_first) == set(one.nodes) - set(shared)
    assert set(found.only_second) == {node for node in two.nodes if node not in one}


def test_jax_and_numpy_differ_where_document_001_highlights_it(golden):
    highlighted = {pair for pair, cell in golden("document_001_differs").items() if cell == "x"}
    differing = {(d.a.code, d.b.code) for d in compare("jax", "numpy")}
    differing |= {(b, a) for a, b in differing}
    codes = ["b1", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8", "c8", "c16"]
    strong = set(product(codes, repeat=2))
    # The document compares promote_types, where the weak float of uint64 with signed integers is float64.
    weak = {pair for pair in strong if "u8" in pair and set(pair) & {"i1", "i2", "i4", "i8"}}
    assert differing & strong - weak == highlighted & strong
    assert weak <= differing


def test_a_system_does_not_differ_from_itself():
    found = compare("torch", systems["torch"])
    assert len(found) == 0
    types = len(systems["torch"].nodes)  # 24, and fewer if ml_dtypes lacks complex32
    assert str(found) == f"torch and torch differ in 0 of the {types * (types + 1) // 2} pairs of the {types} types both have"
    assert repr(found) == "<comparison of 'torch' and 'torch': 0 differences>"


def test_asymmetric_differences_are_listed_both_ways():
    found = compare("tensorflow", systems["tensorflow"].variant("add"))
    pairs = {(d.a.name, d.b.name) for d in found}
    assert ("int*", "int8") in pairs
    assert ("int8", "int*") not in pairs


def test_prints_a_list_and_what_only_one_of_them_has():
    text = str(compare("numpy", "ndonnx"))
    assert "  bool + float16   float16  error\n" in text
    assert re.search("only numpy has .*uint2, ", text)
    assert "only ndonnx" not in text


def test_renders_as_a_highlighted_table():
    found = compare("jax", "jax_x32")
    assert found.table().to_text(color=False).count("i8!") == 6
    assert found._repr_html_().count("class='differs'") == 6


def test_unknown_systems():
    with pytest.raises(KeyError, match="no promotion system 'jaxx'; did you mean jax"):
        compare("jaxx", "numpy")


@pytest.mark.parametrize(
    "a, b, system, expected",
    [
        ("int16", "float32", "max_graph", "float32"),
        ("float16", "bfloat16", "max_graph", "bfloat16"),
        ("float16", "bfloat16", "jax", "float32"),
        ("index", "uint8", "max_graph", "uint64"),
        (int, "int8", "jax", "int8"),
    ],
)
def test_implicit_cast_type(a, b, system, expected):
    assert str(implicit_cast_type(a, b, system=systems[system])) == expected
    assert implicit_cast_type(a, b, system=system) is systems[system].promote(a, b)


def test_implicit_cast_type_of_what_takes_no_part_is_an_error():
    with pytest.raises(TypePromotionError, match="'max_graph': it has no complex64"):
        implicit_cast_type("complex64", "int8", system="max_graph")
