"""Lattices: joins against a brute-force search, and the errors for graphs that are not lattices."""

from itertools import pairwise, product

import pytest
from hypothesis import given, strategies as st

from supremum.promotion import Lattice, LatticeError

# Document 002: NumPy's rules as a graph.
NUMPY = {
    "int*": ["float*", "uint8", "int8"],
    "float*": ["complex*", "float16"],
    "complex*": ["complex64"],
    "uint8": ["uint16", "int16", "float16"],
    "uint16": ["uint32", "int32", "float32"],
    "uint32": ["uint64", "int64", "float64"],
    "int8": ["int16", "float16"],
    "int16": ["int32", "float32"],
    "int32": ["int64", "float64"],
    "float16": ["float32"],
    "float32": ["float64", "complex64"],
    "float64": ["complex128"],
    "complex64": ["complex128"],
}
DIAMOND = {"A": ["B", "C"], "B": ["D"], "C": ["D"]}


@st.composite
def graphs(draw):
    """Draw a random acyclic graph: edges go from smaller to larger numbers, in random order."""
    size = draw(st.integers(1, 7))
    pairs = [(a, b) for a in range(size) for b in range(a + 1, size)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True) if pairs else st.just([]))
    order = draw(st.permutations(range(size)))
    return {node: [b for a, b in chosen if a == node] for node in order}


def above(graph, node):
    """Return all nodes that can be reached from one, including itself."""
    found = {node}
    while True:
        more = found.union(*(graph[n] for n in found))
        if more == found:
            return found
        found = more


def least(graph, *nodes):
    """Return the least upper bound by its definition, or None; and the minimal upper bounds."""
    common = set.intersection(*(above(graph, node) for node in nodes))
    lowest = {c for c in common if common <= above(graph, c)}
    minimal = {c for c in common if not any(c in above(graph, d) for d in common - {c})}
    return (lowest.pop() if lowest else None), minimal


@given(graphs())
def test_joins_are_what_the_definition_says(graph):
    lattice = Lattice(graph, partial=True, unlawful=True)
    table = lattice.table()
    for (i, a), (j, b) in product(enumerate(lattice.nodes), repeat=2):
        expected, minimal = least(graph, a, b)
        assert table[i][j] == expected
        assert set(lattice.minimal_upper_bounds(a, b)) == minimal
        if expected is None:
            with pytest.raises(LatticeError):
                lattice.join(a, b)
        else:
            assert lattice.join(a, b) == lattice.join(b, a) == expected
    for node in graph:
        assert set(lattice.upper_bounds(node)) == above(graph, node)
        assert lattice.join(node) == node


@given(graphs())
def test_what_is_accepted_keeps_the_laws_and_what_is_refused_breaks_one(graph):
    joins = {(a, b): least(graph, a, b) for a, b in product(graph, repeat=2)}
    unbounded = [pair for pair, (_, minimal) in joins.items() if not minimal]
    ambiguous = [pair for pair, (_, minimal) in joins.items() if len(minimal) > 1]
    for partial, unlawful in product([False, True], repeat=2):
        if (unbounded and not partial) or (ambiguous and not unlawful):
            with pytest.raises(LatticeError):
                Lattice(graph, partial=partial, unlawful=unlawful)
        else:
            lattice = Lattice(graph, partial=partial, unlawful=unlawful)
            assert lattice.is_lattice == (not unbounded and not ambiguous)
            assert lattice.associative == (not ambiguous)
            assert lattice.commutative


@given(graphs())
def test_unique_joins_are_associative_and_ambiguous_ones_are_not(graph):
    lattice = Lattice(graph, partial=True, unlawful=True)

    def join(a, b):
        return None if a is None or b is None else least(graph, a, b)[0]

    triples = product(graph, repeat=3)
    assert lattice.associative == all(join(join(a, b), c) == join(a, join(b, c)) for a, b, c in triples)


@given(graphs())
def test_joins_of_many_do_not_depend_on_how_they_are_folded(graph):
    lattice = Lattice(graph, partial=True, unlawful=True)
    for nodes in product(graph, repeat=3):
        expected, _ = least(graph, *nodes)
        if expected is None:
            with pytest.raises(LatticeError):
                lattice.join(*nodes)
        else:
            assert lattice.join(*nodes) == expected


@given(graphs())
def test_covers_reach_the_same_nodes_and_none_can_be_left_out(graph):
    lattice = Lattice(graph, partial=True, unlawful=True)
    covers = lattice.covers
    for node in graph:
        assert above(covers, node) == above(graph, node)
        for one in covers[node]:
            fewer = {**covers, node: [other for other in covers[node] if other != one]}
            assert above(fewer, node) != above(graph, node)


@given(graphs())
def test_paths_climb_cover_by_cover(graph):
    lattice = Lattice(graph, partial=True, unlawful=True)
    for a, b in product(graph, repeat=2):
        if b in above(graph, a):
            path = lattice.path(a, b)
            assert (path[0], path[-1]) == (a, b)
            assert all(high in lattice.covers[low] for low, high in pairwise(path))
        else:
            with pytest.raises(LatticeError, match=f"no path from {a} up to {b}"):
                lattice.path(a, b)


def test_numpys_rules_are_no_lattice():
    # The proof of document 002: {int8, uint8} has no unique least upper bound.
    with pytest.raises(LatticeError, match="uint8 and int8 have two minimal upper bounds: int16, float16"):
        Lattice(NUMPY, partial=True)
    accepted = Lattice(NUMPY, partial=True, unlawful=True)
    assert not accepted.associative
    assert not accepted.is_lattice
    assert accepted.minimal_upper_bounds("int8", "uint8") == ("int16", "float16")
    assert any("uint8 and int8 have two minimal upper bounds: int16, float16" in one for one in accepted.violations)


def test_the_two_graphs_of_document_002_that_are_no_lattices():
    with pytest.raises(LatticeError, match=r"^B and C have no upper bound$"):
        Lattice({"A": ["B", "C"]})
    with pytest.raises(LatticeError) as caught:
        Lattice({"A": ["C", "D"], "B": ["C", "D"]})
    assert caught.value.violations == ("C and D have no upper bound", "A and B have two minimal upper bounds: C, D")
    assert str(caught.value) == "; ".join(caught.value.violations)


def test_a_violation_that_repeats_is_counted():
    with pytest.raises(LatticeError, match=r"a and b have no upper bound \(and 2 more such pairs\)"):
        Lattice({"a": [], "b": [], "c": []})
    with pytest.raises(LatticeError, match=r"\(and 1 more such pair\)"):
        Lattice({"a": ["b", "c"], "d": ["c"]})


@pytest.mark.parametrize(
    "edges, cycle",
    [
        ({"a": ["b"], "b": ["c"], "c": ["a"]}, "a -> b -> c -> a"),
        ({"a": ["a"]}, "a -> a"),
        ({"x": ["a"], "a": ["b"], "b": ["a"]}, "a -> b -> a"),
        ({"top": [], "x": ["top", "y"], "y": ["top", "x"]}, "x -> y -> x"),
    ],
)
def test_cycles_are_named(edges, cycle):
    with pytest.raises(LatticeError, match=f"^the edges form a cycle: {cycle}$"):
        Lattice(edges, partial=True, unlawful=True)


def test_nodes_may_be_anything_hashable_and_need_no_entry_of_their_own():
    lattice = Lattice({1: [(2, "two")], frozenset(): iter([(2, "two")])})
    assert lattice.nodes == (1, frozenset(), (2, "two"))
    assert lattice.join(1, frozenset()) == (2, "two")
    assert lattice.is_lattice
    assert len(lattice) == 3
    assert 1 in lattice
    assert "other" not in lattice


def test_an_empty_graph_is_a_lattice_without_nodes():
    assert Lattice({}).is_lattice
    assert Lattice({}).table() == []


def test_questions_about_strangers_are_answered_with_the_nodes_there_are():
    lattice = Lattice(DIAMOND)
    for question in (lambda: lattice.join("A", "E"), lambda: lattice.path("E", "A"), lambda: lattice.upper_bounds("E")):
        with pytest.raises(LatticeError, match="'E' is not a node of this lattice, which has A, B, C, D"):
            question()
    with pytest.raises(LatticeError, match="is not a node"):
        lattice.join(["A"])
    with pytest.raises(LatticeError, match="at least one node"):
        lattice.join()


def test_the_edges_that_were_given_are_not_held_on_to():
    edges = {"a": ["b"]}
    lattice = Lattice(edges)
    edges["a"].append("c")
    edges["z"] = []
    assert lattice.edges == {"a": ("b",), "b": ()}


def test_repr_says_how_large_and_whether_partial():
    assert repr(Lattice(DIAMOND)) == "<Lattice of 4 nodes>"
    assert repr(Lattice({"A": ["B", "C"]}, partial=True)) == "<Lattice of 3 nodes, partial>"


def test_long_chains_need_no_recursion():
    lattice = Lattice({i: [i + 1] for i in range(1200, -1, -1)}, partial=True)
    assert lattice.join(0, 1100) == 1100
