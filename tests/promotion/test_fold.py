"""NumPy's promotion of more than two operands, against NumPy."""

import random
from itertools import product

import numpy as np
from common import for_each
from versions import beyond_numpy

from supremum.promotion import systems
from supremum.promotion._nodes import node_of_dtype

PYTHON = {"int*": 1, "float*": 1.0, "complex*": 1j}
BUILTIN = [node for node in systems["numpy"].nodes if node.weak or (node.dtype is not None and node.dtype.num < 256)]
STRONG = [node for node in systems["numpy"].nodes if node.dtype is not None]


def live(nodes):
    try:
        found = np.result_type(*(PYTHON[node.name] if node.weak else node.dtype for node in nodes))
    except TypeError:
        return None
    return node_of_dtype(found)


@for_each("first", BUILTIN, identity=str)
def test_all_triples_of_numpys_own_types_and_python_scalars(first):
    for rest in product(BUILTIN, repeat=2):
        assert systems["numpy"].lookup_all((first, *rest)) is live((first, *rest)), (first, *rest)


@for_each("first", STRONG, identity=str)
def test_all_triples_of_dtypes_with_those_of_ml_dtypes(first):
    for rest in product(STRONG, repeat=2):
        if not beyond_numpy((first, *rest)):
            assert systems["numpy"].lookup_all((first, *rest)) is live((first, *rest)), (first, *rest)


def test_longer_sequences():
    choice = random.Random(0)
    for _ in range(4000):
        nodes = tuple(choice.choices(BUILTIN, k=choice.randint(4, 8)))
        assert systems["numpy"].lookup_all(nodes) is live(nodes), nodes


def test_strangers_meet_nothing():
    from supremum.promotion import PromotionSystem, as_node

    small = PromotionSystem.from_matrix("small", "b1\nb1 b1", fold="numpy")
    assert small.lookup_all((as_node("bool"), as_node("bool"), as_node("int8"))) is None
    assert small.lookup_all((as_node("bool"),) * 3) is as_node("bool")
