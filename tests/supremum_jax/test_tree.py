"""Trees: registered classes, errors that say where, pickles."""

import collections
import pickle

import pytest

import supremum as xp
from supremum.jax import _tree, tree, tree_util

Point = collections.namedtuple("Point", "x y")


@tree_util.register_pytree_node_class
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def tree_flatten(self):
        return (self.a,), self.b

    @classmethod
    def tree_unflatten(cls, data, children):
        return cls(*children, data)


def test_containers_of_python():
    given = {
        "b": [1, None],
        "a": Point(2, (3,)),
        "c": collections.OrderedDict(z=4, y=5),
        "d": collections.defaultdict(int, k=6),
    }
    leaves, structure = tree.flatten(given)
    assert leaves == [2, 3, 1, 4, 5, 6]
    again = structure.unflatten(leaves)
    assert again == given
    assert (type(again["a"]), list(again["c"]), again["d"].default_factory) == (Point, ["z", "y"], int)
    assert pickle.loads(pickle.dumps(structure)) == structure
    assert hash(structure) == hash(tree.structure(given))


def test_registered_classes():
    out = tree.map(lambda x: x + 1, [Pair(1, "q")])
    assert (out[0].a, out[0].b) == (2, "q")
    assert str(tree.structure(Pair(1, "q"))) == "PyTreeDef(CustomNode(Pair[q], [*]))"
    assert tree.structure(Pair(1, "q")) != tree.structure(Pair(1, "r"))
    with pytest.raises(ValueError, match="Duplicate"):
        tree_util.register_pytree_node_class(Pair)
    assert tree_util.keystr(tree.flatten_with_path(Pair([1], 2))[0][0][0]) == "[<flat index 0>][0]"


def test_classes_with_keys_and_without_leaves():
    @tree_util.register_pytree_with_keys_class
    class Keyed:
        def __init__(self, v):
            self.v = v

        def tree_flatten_with_keys(self):
            return [(tree_util.GetAttrKey("v"), self.v)], None

        @classmethod
        def tree_unflatten(cls, _, children):
            return cls(*children)

    @tree_util.register_static
    class Word(str):
        __slots__ = ()

    [(path, leaf)] = tree.leaves_with_path([Keyed(3)])
    assert (tree_util.keystr(path), tree_util.keystr(path, simple=True, separator="/"), leaf) == ("[0].v", "0/v", 3)
    assert tree.leaves([Word("a")]) == []
    assert tree.map(str, [Word("a")]) == ["a"]


def test_named_tuples_of_the_package():
    found = xp.linalg.slogdet(xp.eye(2))
    assert [len(tree.leaves([found])) for _ in range(2)] == [2, 2]


def test_a_class_registered_after_it_was_a_leaf():
    late = type("Late", (), {"__module__": "supremum.late", "x": 2})
    assert tree.leaves([late()])[0].x == 2
    tree_util.register_pytree_node(late, lambda one: ((one.x, one.x), None), lambda _data, _xs: late())
    assert tree.leaves([late()]) == [2, 2]


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ([1, 2], (1, 2), "different types at key path\n    tree_map tree"),
        ([1, [2, 3]], [1, [2]], r"different lengths of list at key path\n    tree_map tree\[1\]"),
        ({"a": 1}, {"b": 1}, "different pytree metadata"),
        ({"a": 1}, {"a": 1, "b": 2}, "different numbers of pytree children"),
        ((1, None), (5, 6), r"different types at key path\n    tree_map tree\[1\]"),
    ],
)
def test_errors_say_where(first, second, words):
    with pytest.raises(ValueError, match=words):
        tree.map(lambda x, y: x, first, second)


def test_too_many_and_too_few_leaves():
    structure = tree.structure([0, (0,)])
    for leaves in ([1], [1, 2, 3]):
        with pytest.raises(ValueError, match="leaves"):
            structure.unflatten(leaves)


def test_transpose_needs_what_fits():
    with pytest.raises(TypeError, match="Mismatch"):
        tree.transpose(tree.structure([0, 0]), tree.structure((0, 0, 0)), [(1, 2), (3, 4)])


def test_every_place_where_a_tree_is_no_prefix():
    errors = [str(error) for error in _tree.prefix_errors("x", ([1], (2,), {"a": 3}, 4), ([1, 2], [3], {"b": 4}, [5]))]
    assert [error.splitlines()[:2] for error in errors] == [
        ["pytree structure error: different lengths of list at key path", "    x[0]"],
        ["pytree structure error: different types at key path", "    x[1]"],
        ["pytree structure error: different pytree metadata at key path", "    x[2]"],
    ]
    assert str(next(_tree.prefix_errors("x", [(1,), (2,)], [[1], [2]]))).splitlines()[1] == "    x[0]"
    assert list(_tree.prefix_errors("x", [1, 2], [[1], (2, 3)])) == []


def test_structures_with_data_that_cannot_be_hashed_are_hashed():
    class Box:
        def __init__(self, x, data):
            self.x, self.data = x, data

    tree_util.register_pytree_node(Box, lambda box: ((box.x,), box.data), lambda data, x: Box(x[0], data))
    one, other = tree.structure(Box(1, {"a": []})), tree.structure(Box(1, {}))
    assert hash(one) == hash(tree.structure(Box(2, {"a": []})))
    assert (one == other, one == tree.structure(Box(3, {"a": []}))) == (False, True)


def test_equal_structures_of_containers_of_python_are_one():
    one, two = ({"a": [1, (2, None)], "b": {"c": 3}} for _ in range(2))
    assert tree.structure(one) is tree.structure(two)
    keys = tree.map(lambda x: x, {True: 1}), tree.map(lambda x: x, {1: 1})
    assert [type(key) for one in keys for key in one] == [bool, int]


def test_keys_of_several_kinds_have_different_hashes():  # as in JAX
    keys = tree_util.SequenceKey(1), tree_util.FlattenedIndexKey(1)
    assert keys[0] != keys[1]
    assert hash(keys[0]) != hash(keys[1])


def test_static_fields_keep_their_metadata():  # as in JAX
    given = tree.static(default="abc", metadata={"some": "value"})
    assert (given.default, dict(given.metadata)) == ("abc", {"static": True, "some": "value"})
    assert dict(tree.static(metadata={"static": False}).metadata) == {"static": False}
