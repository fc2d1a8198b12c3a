"""Laws: every system's report against an independent check, and the counterexamples of documents."""

from itertools import product

import pytest
from common import for_each

from supremum.promotion import PromotionSystem, as_node, systems

LAWFUL = ["tensorflow_all", "max_graph", "python", "jep9407"]


def meet(system, a, b):
    return None if a is None or b is None else system.lookup(a, b)


def becomes(system, a, b):
    return system.lookup(a, b) is b


@for_each("name", systems)
def test_all_pairs_and_triples(name):
    system = systems[name]
    nodes = system.nodes
    report = system.laws()
    broken = {law.name: set(law.cases) for law in report}
    pairs = list(product(nodes, repeat=2))
    assert broken["existence"] == {(a.name, b.name) for a, b in pairs if system.lookup(a, b) is None}
    assert broken["idempotence"] == {(a.name,) for a in nodes if system.lookup(a, a) is not a}
    assert broken["commutativity"] == {(a.name, b.name) for a, b in pairs if system.lookup(a, b) is not system.lookup(b, a)}
    associativity, grouping, monotonicity = set(), set(), set()
    for a, b in pairs:
        met = system.lookup(a, b)
        for c in nodes:
            left, right = meet(system, met, c), meet(system, a, system.lookup(b, c))
            case = (a.name, b.name, c.name)
            if left is not right:
                (grouping if left is None or right is None else associativity).add(case)
            low, high = system.lookup(a, c), system.lookup(b, c)
            if met is b and low is not None and high is not None and not becomes(system, low, high):
                monotonicity.add(case)
    assert broken["associativity"] == associativity
    assert broken["grouping"] == grouping
    assert broken["monotonicity"] == monotonicity
    for law in report:
        assert law.holds == (law.broken == 0) == (law.counterexample == "")
        assert law.broken == len(law.cases)


@for_each("name", [name for name in systems if systems[name].lattice is not None])
def test_lattices_are_commutative_associative_and_monotone(name):
    report = systems[name].laws()
    assert report.idempotence.holds or name == "jax_lax"
    assert report.commutativity.holds
    assert report.associativity.holds
    assert report.grouping.holds
    assert report.monotonicity.holds
    assert report.existence.holds == systems[name].lattice.is_lattice


@pytest.mark.parametrize("name", LAWFUL)
def test_systems_that_keep_every_law(name):
    assert all(law.holds for law in systems[name].laws())
    assert repr(systems[name].laws()) == f"<laws of {name!r}: all hold>"


def test_numpys_counterexample_of_document_002_is_found_first():
    law = systems["numpy"].laws().associativity
    assert law.counterexample == "(int8 + uint8) + float16 is float32, but int8 + (uint8 + float16) is float16"
    assert ("int8", "uint8", "float16") in law.cases


def test_tinygrads_tie_break_costs_associativity():
    law = systems["tinygrad"].laws().associativity
    assert ("float8_e4m3fn", "float8_e5m2", "bfloat16") in law.cases
    assert law.broken == 24


@pytest.mark.parametrize("name, count", [("keras", 240), ("keras_tf", 240), ("ndonnx", None), ("mlx", None)])
def test_systems_that_are_not_associative(name, count):
    law = systems[name].laws().associativity
    assert not law.holds
    if count is not None:
        assert law.broken == count


def test_forbidding_a_pair_leaves_results_alone_and_costs_grouping():
    report = systems["jep9407"].forbid("uint64", "int64").laws()
    assert report.associativity.holds
    assert report.existence.cases == (("uint64", "int64"), ("int64", "uint64"))
    assert "is an error" in report.grouping.counterexample


def test_an_asymmetric_table_breaks_commutativity():
    law = systems["tensorflow"].variant("add").laws().commutativity
    assert not law.holds
    assert ("int8", "int*") in law.cases
    system = PromotionSystem.from_matrix("asym", "b1 i4\n b1 b1 i4\n i4 - i4")
    assert system.laws().commutativity.counterexample == "bool + int32 is int32, but int32 + bool is an error"


def test_report_prints_each_law_with_its_counterexample():
    text = str(systems["mlx"].laws())
    assert text.startswith("laws of mlx\n  holds   existence      every two types have a result\n")
    assert "BROKEN  associativity" in text
    assert "cases)" in text
    assert repr(systems["jax"].laws()) == "<laws of 'jax': broken: existence>"


def test_unlawful_systems_are_named_as_such():
    edges = {"float8_e4m3fn": ["bfloat16", "float16"], "float8_e5m2": ["bfloat16", "float16"]}
    accepted = systems["jax"].with_edges(edges, unlawful=True)
    assert any("two minimal upper bounds: bfloat16, float16" in one for one in accepted.lattice.violations)
    assert not accepted.laws().grouping.holds
    # All three together have a least upper bound, which folding does not find.
    nodes = tuple(map(as_node, ("float8_e4m3fn", "float8_e5m2", "bfloat16")))
    assert str(accepted.lookup_all(nodes)) == "bfloat16"
