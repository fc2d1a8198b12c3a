import math

import numpy as np
import pytest
from common import for_each

import supremum as xp

V = [3.0, -4.0, 0.0, 12.0]
M = [[1.0, -2.0, 2.0], [-4.0, 5.0, 6.0]]
INF = math.inf


@for_each(
    "order, expected",
    [
        (2, 13), (1, 19), (INF, 12), (-INF, 0), (0, 3), (3, (27 + 64 + 1728) ** (1 / 3)), (0.5, (3**0.5 + 2 + 12**0.5) ** 2),
        (-1, 0), (-2, 0), (None, 13),
    ],
)  # fmt: skip
@for_each("name", ["float32", "float64", "complex64", "bfloat16", "int8"])
def test_vector_norms(name, order, expected):
    x = xp.asarray(V).astype(name)
    result = xp.linalg.vector_norm(x, ord=order)
    real = {"complex64": "float32", "int8": "float32"}.get(name, name)
    assert result.dtype == real
    assert float(result) == pytest.approx(expected, rel=1e-2 if name == "bfloat16" else 1e-6)
    assert float(xp.linalg.norm(x, order)) == float(result)
    with xp.config.use(x64="on"):  # JAX returns integers, or float64 for the order 2 of integers
        assert xp.linalg.vector_norm(x, ord=order).dtype == real


@for_each(
    "order, expected",
    [
        ("fro", 86**0.5), (None, 86**0.5), (1, 8), (-1, 5), (INF, 15), (-INF, 5), (2, np.linalg.svdvals(M)[0]),
        (-2, np.linalg.svdvals(M)[1]), ("nuc", np.linalg.svdvals(M).sum()),
    ],
)  # fmt: skip
@for_each("name", ["float32", "float64", "complex64", "bfloat16", "int8"])
def test_matrix_norms(name, order, expected):
    x = xp.asarray(M).astype(name)
    result = xp.linalg.matrix_norm(x, **({} if order is None else {"ord": order}))
    assert result.dtype == {"complex64": "float32", "int8": "float32"}.get(name, name)
    assert float(result) == pytest.approx(expected, rel=1e-2 if name == "bfloat16" else 1e-6)
    assert float(xp.linalg.norm(x, order)) == float(result)
    assert float(xp.linalg.norm(x.T, order, axis=(1, 0))) == pytest.approx(float(result), rel=1e-6)
    stacked = xp.stack([x, x])
    assert xp.linalg.matrix_norm(stacked, ord=order, keepdims=True).shape == (2, 1, 1)


def test_axes():
    x = xp.reshape(xp.arange(24.0), (2, 3, 4))
    assert xp.linalg.vector_norm(x, axis=(0, 2), keepdims=True).shape == (1, 3, 1)
    assert xp.linalg.vector_norm(x, keepdims=True).shape == (1, 1, 1)
    assert xp.linalg.vector_norm(x, axis=1, ord=1).tolist() == np.arange(24).reshape(2, 3, 4).sum(1).tolist()
    assert xp.linalg.norm(x, axis=-1).shape == (2, 3)
    assert xp.linalg.norm(x, axis=(0, 2), ord=1, keepdims=True).shape == (1, 3, 1)
    assert float(xp.linalg.norm(x)) == pytest.approx(math.sqrt(sum(i * i for i in range(24))))
    assert xp.linalg.norm(x, keepdims=True).shape == (1, 1, 1)


def test_complex_magnitudes():
    assert float(xp.linalg.vector_norm(xp.asarray([3 + 4j]))) == 5
    assert float(xp.linalg.vector_norm(xp.asarray([[3 + 4j], [0j]]), axis=0)[0]) == 5


def test_nothing():
    assert float(xp.linalg.vector_norm(xp.zeros(0))) == 0
    assert float(xp.linalg.vector_norm(xp.zeros(0), ord=INF)) == 0
    with pytest.raises(ValueError, match="vector_norm"):
        xp.linalg.vector_norm(xp.zeros(0), ord=-INF)
    assert float(xp.linalg.matrix_norm(xp.zeros((0, 2)), ord=1)) == 0
    with pytest.raises(ValueError, match="norm"):
        xp.linalg.matrix_norm(xp.zeros((2, 0)), ord=-1)


def test_narrow_floats_accumulate_in_float32():
    assert float(xp.linalg.vector_norm(xp.ones(1024, dtype="bfloat16"))) == 32
    assert float(xp.linalg.vector_norm(xp.ones(1000, dtype="bfloat16"), ord=1)) == 1000


@for_each(
    "call",
    [
        lambda: xp.linalg.vector_norm(xp.ones(2), ord="inf"), lambda: xp.linalg.norm(xp.ones(2), "fro"),
        lambda: xp.linalg.norm(xp.ones((2, 2)), 3), lambda: xp.linalg.norm(xp.ones((2, 2, 2)), 2),
        lambda: xp.linalg.norm(xp.ones((2, 2)), axis=(0, 0)), lambda: xp.linalg.norm(xp.ones((2, 2)), axis=2),
        lambda: xp.linalg.matrix_norm(xp.ones(2)), lambda: xp.linalg.matrix_norm(xp.ones((2, 2)), ord="nonsense"),
    ],
)  # fmt: skip
def test_errors(call):
    with pytest.raises(ValueError, match="linalg"):
        call()


@for_each("p", [None, 2, -2, 1, -1, INF, -INF, "fro", "nuc"])
def test_condition_numbers(p):
    data = np.array([[4.0, 1.0], [1.0, 3.0]])
    assert float(xp.linalg.cond(xp.asarray(data), p)) == pytest.approx(np.linalg.cond(data, p))


def test_condition_numbers_of_special_matrices():
    assert float(xp.linalg.cond(xp.ones((2, 2)), 1)) == INF
    assert xp.linalg.cond(xp.eye(2, dtype="bfloat16")).dtype == "bfloat16"
    for wrong, p in ((xp.ones(2), None), (xp.ones((0, 2)), None), (xp.ones((2, 3)), 1), (xp.ones((2, 2)), 3)):
        with pytest.raises(ValueError, match="linalg"):
            xp.linalg.cond(wrong, p)
