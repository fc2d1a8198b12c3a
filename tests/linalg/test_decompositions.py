"""Decompositions are checked by their definition: the product of the factors is the matrix."""

import numpy as np
import pytest
from common import for_each

import supremum as xp

FLOATS = ["float32", "float64", "complex64", "complex128", "bfloat16", "float16"]
TOLERANCE = {"bfloat16": 0.1, "float16": 1e-2, "float32": 1e-4, "complex64": 1e-4, "float64": 1e-12, "complex128": 1e-12}
REAL = {"complex64": "float32", "complex128": "float64"}
COMPLEX = {"float64": "complex128", "complex128": "complex128"}


def matrix(name, shape=(3, 3), seed=0):
    rng = np.random.default_rng(seed)
    data = rng.integers(-4, 5, shape) / 2
    if name.startswith("complex"):
        data = data + 1j * rng.integers(-4, 5, shape)
    return data, xp.asarray(data).astype(name)


def definite(name, size=3):
    data, _ = matrix(name, (size, size))
    data = data @ data.conj().T + np.eye(size)
    return data, xp.asarray(data).astype(name)


def near(actual, expected, name):
    actual = np.asarray(actual)
    actual = actual.astype(np.complex128 if np.iscomplexobj(actual) else np.float64)
    return np.allclose(actual, expected, rtol=TOLERANCE[name], atol=10 * TOLERANCE[name])


def wide(x):
    x = np.asarray(x)
    return x.astype(np.complex128 if np.iscomplexobj(x) else np.float64)


@pytest.mark.parametrize("name", FLOATS)
class TestFactors:
    def test_cholesky(self, name):
        data, x = definite(name)
        lower, upper = xp.linalg.cholesky(x), xp.linalg.cholesky(x, upper=True)
        assert lower.dtype == upper.dtype == name
        assert np.array_equal(wide(lower), np.tril(wide(lower)))
        assert near(wide(lower) @ wide(lower).conj().T, data, name)
        assert near(upper, wide(lower).conj().T, name)

    def test_eigh(self, name):
        data, x = definite(name)
        values, vectors = xp.linalg.eigh(x)
        assert values.dtype == REAL.get(name, name)
        assert vectors.dtype == name
        assert near(wide(vectors) * wide(values) @ wide(vectors).conj().T, data, name)
        assert near(xp.linalg.eigvalsh(x), wide(values), name)
        assert wide(values).tolist() == sorted(wide(values).tolist())

    def test_eig(self, name):
        data, x = matrix(name)
        values, vectors = xp.linalg.eig(x)
        assert values.dtype == vectors.dtype == COMPLEX.get(name, "complex64")
        assert near(data @ wide(vectors), wide(vectors) * wide(values), name)
        assert near(np.sort_complex(wide(xp.linalg.eigvals(x))), np.sort_complex(wide(values)), name)

    @pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (5, 4, 2)])
    def test_qr(self, name, shape):
        data, x = matrix(name, shape)
        for mode in ("reduced", "complete", "full"):
            q, r = xp.linalg.qr(x, mode=mode)
            assert q.dtype == r.dtype == name
            assert q.shape[-1] == (shape[-2] if mode == "complete" else min(shape[-2:]))
            assert near(wide(q) @ wide(r), data, name)
            assert near(wide(q).conj().mT @ wide(q), np.eye(q.shape[-1]), name)
            assert np.array_equal(wide(r), np.triu(wide(r)))
        assert near(xp.linalg.qr(x, "r"), wide(xp.linalg.qr(x).R), name)
        assert xp.linalg.qr(x, "raw").Q.shape == shape[:-2] + shape[:-3:-1]

    @pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (5, 4, 2)])
    def test_svd(self, name, shape):
        data, x = matrix(name, shape)
        count = min(shape[-2:])
        for full in (True, False):
            u, s, vh = xp.linalg.svd(x, full_matrices=full)
            assert u.dtype == vh.dtype == name
            assert s.dtype == REAL.get(name, name)
            assert near(wide(u)[..., :count] * wide(s)[..., None, :] @ wide(vh)[..., :count, :], data, name)
        assert near(xp.linalg.svdvals(x), wide(s), name)
        assert near(xp.linalg.svd(x, compute_uv=False), wide(s), name)

    def test_svd_of_hermitian_matrices(self, name):
        data, x = definite(name)
        data, x = data - 3 * np.eye(3), x - 3 * xp.eye(3).astype(name)
        u, s, vh = xp.linalg.svd(x, hermitian=True)
        assert near(wide(u) * wide(s) @ wide(vh), data, name)
        assert near(xp.linalg.svd(x, hermitian=True, compute_uv=False), wide(xp.linalg.svdvals(x)), name)


@for_each("function", ["cholesky", "eigh", "eigvalsh", "eig", "eigvals", "qr", "svd", "svdvals", "inv", "det"])
@for_each("name, expected", [("bool", "float32"), ("int8", "float32"), ("uint16", "float32"), ("int64", "float64")])
def test_integers_become_floating(function, name, expected):
    result = getattr(xp.linalg, function)(xp.eye(2).astype(name))
    first = result[0] if isinstance(result, tuple) else result
    assert first.dtype == (COMPLEX.get(expected, "complex64") if function in ("eig", "eigvals") else expected)


def test_only_one_triangle_counts_where_nothing_is_made_symmetric():
    x = xp.asarray([[2.0, 100.0], [0.0, 3.0]])
    assert xp.linalg.eigh(x, symmetrize_input=False).eigenvalues.tolist() == [2, 3]
    assert xp.linalg.eigvalsh(x.T, "U", symmetrize_input=False).tolist() == [2, 3]
    assert xp.linalg.cholesky(x, symmetrize_input=False).tolist() == [[pytest.approx(2**0.5), 0], [0, pytest.approx(3**0.5)]]
    assert xp.linalg.eigvalsh(xp.asarray([[0.0, 2.0], [0.0, 0.0]])).tolist() == [-1, 1]


def test_a_matrix_without_an_answer_gives_nan_and_leaves_the_others_alone():
    stack = xp.stack([xp.eye(2), -xp.eye(2)])
    good, bad = xp.linalg.cholesky(stack)
    assert good.tolist() == [[1, 0], [0, 1]]
    assert xp.isnan(bad).tolist() == [[True, False], [True, True]]
    broken = xp.stack([xp.eye(2), xp.full((2, 2), float("nan"))])
    assert xp.isnan(xp.linalg.eigvals(broken)).tolist() == [[False, False], [True, True]]
    assert bool(xp.all(xp.isnan(xp.linalg.svd(broken)[0][1])))
    assert xp.isnan(xp.linalg.svdvals(broken)).tolist() == [[False, False], [True, True]]


@for_each("function", ["cholesky", "eigh", "eigvalsh", "eig", "eigvals", "qr", "svd", "svdvals"])
def test_shapes(function):
    call = getattr(xp.linalg, function)
    for wrong in (xp.ones(3), xp.asarray(1.0), *([] if function in ("qr", "svd", "svdvals") else [xp.ones((2, 3))])):
        with pytest.raises(ValueError, match=function):
            call(wrong)
    with pytest.raises(TypeError, match=function):
        call([[1.0]])
    result = call(xp.ones((0, 2, 2)))
    assert (result[0] if isinstance(result, tuple) else result).shape[0] == 0
    result = call(xp.ones((0, 0)))
    assert 0 in (result[0] if isinstance(result, tuple) else result).shape


def test_wrong_options():
    x = xp.eye(2)
    for call in (lambda: xp.linalg.qr(x, "nonsense"), lambda: xp.linalg.eigh(x, "X"), lambda: xp.linalg.eigvalsh(x, "l")):
        with pytest.raises(ValueError, match="linalg"):
            call()
    with pytest.raises(ValueError, match="subset_by_index"):
        xp.linalg.svd(x, subset_by_index=(0, 1))
    with pytest.raises(NotImplementedError, match="subset_by_index"):
        xp.linalg.svd(x, full_matrices=False, subset_by_index=(0, 1))
    assert xp.linalg.svd(x, full_matrices=False, subset_by_index=(0, 2)).S.tolist() == [1, 1]


def test_named_results():
    x = xp.eye(2)
    assert xp.linalg.eigh(x)._fields == xp.linalg.eig(x)._fields == ("eigenvalues", "eigenvectors")
    assert xp.linalg.qr(x)._fields == ("Q", "R")
    assert xp.linalg.svd(x)._fields == ("U", "S", "Vh")
    assert xp.linalg.slogdet(x)._fields == ("sign", "logabsdet")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 3e38])
def test_nothing_is_said_about_what_has_no_answer(value, capfd):
    x = xp.full((3, 3), value)
    for function in ("cholesky", "eig", "eigvals", "eigh", "eigvalsh", "qr", "svd", "svdvals", "inv", "pinv", "det", "cond"):
        getattr(xp.linalg, function)(x)  # pytest turns warnings into errors
    assert capfd.readouterr() == ("", "")


@pytest.mark.combinations
@pytest.mark.parametrize("name", ["cholesky", "eig", "eigh", "eigvals", "eigvalsh"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "bfloat16"])
@pytest.mark.parametrize("shape", [(2, 1), (1, 2), (2, 3, 1), (1, 2, 1, 2, 1), (3, 2)])
def test_matrices_that_are_not_square(name, dtype, shape):
    with pytest.raises(xp.errors.ShapeError, match=rf"^linalg.{name} needs square matrices, got shape"):
        getattr(xp.linalg, name)(xp.ones(shape, dtype=dtype))
