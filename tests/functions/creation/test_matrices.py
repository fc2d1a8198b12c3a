"""Matrices, against NumPy."""

import numpy as np
import pytest
from common import for_each, same_values
from hypothesis import given, strategies as st

import supremum as xp
from supremum import config

SIDE = st.integers(0, 5)
K = st.integers(-7, 7)


@given(SIDE, st.none() | SIDE, K)
def test_ones_on_and_below_a_diagonal(rows, columns, k):
    same_values(xp.eye(rows, columns, k), np.eye(rows, columns, k))
    same_values(xp.eye(rows, columns, k=k, dtype="bfloat16").astype("float32"), np.eye(rows, columns, k))
    same_values(xp.tri(rows, columns, k), np.tri(rows, columns, k))
    same_values(xp.identity(rows), np.identity(rows))


@given(SIDE, SIDE, K)
def test_triangles_and_diagonals(rows, columns, k):
    data = np.arange(2 * rows * columns).reshape(2, rows, columns) + 1
    x = xp.asarray(data)
    same_values(xp.tril(x, k), np.tril(data, k))
    same_values(xp.triu(x, k), np.triu(data, k))
    same_values(xp.diag(x[0], k), np.diag(data[0], k))
    same_values(xp.diagonal(x, k, -2, -1), np.diagonal(data, k, -2, -1))
    same_values(
        xp.diag(x[0, :, 0] if columns else x[0].reshape(-1), k), np.diag(data[0, :, 0] if columns else data[0].ravel(), k)
    )
    same_values(xp.diagflat(x, k), np.diagflat(data, k))


def test_dtypes():
    assert (xp.eye(2).dtype, xp.identity(2).dtype, xp.tri(2).dtype) == ("float32",) * 3
    with config.use(x64="on"):
        # The result of jnp.tri is float32 by any default dtype.
        assert (xp.eye(2).dtype, xp.identity(2).dtype, xp.tri(2).dtype) == ("float64", "float64", "float32")
    weak = xp.full((2, 2), 3)
    assert xp.tril(weak).weak_type
    assert xp.diag(weak[0]).weak_type
    assert not xp.diagflat(weak).weak_type
    for dtype in ("bool", "int4", "float8_e5m2", "complex64"):
        x = xp.ones((2, 2), dtype=dtype)
        assert {f(x).dtype for f in (xp.tril, xp.triu, xp.diag, xp.diagonal, xp.diagflat)} == {x.dtype}


@pytest.mark.parametrize("dtype", ["int8", "uint64", "float16", "float64", "complex64"])
def test_powers(dtype):
    x = np.array([0, 1, 2, 3]).astype(dtype)
    for options in ({}, {"N": 2}, {"N": 6, "increasing": True}, {"N": 0}):
        ours = xp.vander(xp.asarray(x), **options)
        same_values(ours, np.vander(x, **options).astype(dtype))
        assert ours.dtype == dtype


def test_integer_powers_wrap():
    assert xp.vander(xp.asarray([100], dtype="int8"), 3).tolist() == [[10000 - 39 * 256, 100, 1]]


@for_each(
    "call, error",
    [
        (lambda: xp.eye(-1), ValueError),
        (lambda: xp.eye(2.5), TypeError),
        (lambda: xp.eye(2, k=1.5), ValueError),
        (lambda: xp.tri(-1), ValueError),
        (lambda: xp.tril(xp.ones(2)), ValueError),
        (lambda: xp.triu(xp.ones((2, 2)), "a"), TypeError),
        (lambda: xp.diag(xp.asarray(1)), ValueError),
        (lambda: xp.diagonal(xp.ones(2)), ValueError),
        (lambda: xp.diagonal(xp.ones((2, 2)), axis1=0, axis2=0), ValueError),
        (lambda: xp.diagonal(xp.ones((2, 2)), axis2=2), ValueError),
        (lambda: xp.vander(xp.ones((2, 2))), ValueError),
        (lambda: xp.vander(xp.ones(2), -1), ValueError),
        (lambda: xp.vander(xp.ones(2, dtype="bool")), TypeError),
    ],
)
def test_what_is_refused(call, error):
    with pytest.raises(error):
        call()


def test_a_diagonal_is_a_copy():
    x = xp.zeros((2, 2))
    xp.diagonal(x)[0] = 5
    xp.diag(x)[0] = 5
    assert x.tolist() == [[0.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("x64, width", [("off", 32), ("explicit", 64), ("on", 64)])
def test_diagonals_that_no_integer_counts(x64, width):
    # JAX 0.10.2: OverflowError from tri, tril and triu; eye, diag and diagonal return the diagonal at that offset.
    far, matrix = 1 << (width - 1), xp.ones((2, 2))
    with config.use(x64=x64):
        for k in (far, -far - 1, 1 << 70):
            for name, function in (("tri", lambda k: xp.tri(4, k=k)), ("tril", lambda k: xp.tril(matrix, k)),
                                   ("triu", lambda k: xp.triu(matrix, k)), ("tril_indices", lambda k: xp.tril_indices(3, k)),
                                   ("triu_indices", lambda k: xp.triu_indices(3, k))):  # fmt: skip
                with pytest.raises(OverflowError, match=rf"^{name}: k="):
                    function(k)
        same_values(xp.tri(4, k=far - 1), np.ones((4, 4)))
        same_values(xp.tril(matrix, -far), np.zeros((2, 2)))
        for k in (far, -far, 1 << 70):
            same_values(xp.eye(3, k=k), np.zeros((3, 3)))
            for function in (xp.diag, xp.diagonal, lambda x, k: xp.linalg.diagonal(x, offset=k)):
                assert function(matrix, k).shape == (0,)
            assert float(xp.linalg.trace(matrix, offset=k)) == 0
        # NumPy's own diagonal() crashes for this offset.
        assert float(xp.trace(matrix, -(1 << 31))) == 0


def test_the_diagonal_of_a_weak_square_matrix_is_strong():
    weak = xp.broadcast_to(xp.asarray(1.5), (2, 2))
    for diagonal in (xp.diag(weak), xp.diagonal(weak), weak.diagonal(), xp.linalg.diagonal(weak)):
        assert not diagonal.weak_type
    # JAX gathers elements for several matrices, other diagonals or other shapes, and those results stay weak.
    assert xp.diag(weak, 1).weak_type
    assert xp.diagonal(weak[:1]).weak_type
    assert xp.diagonal(xp.broadcast_to(weak, (2, 2, 2))).weak_type
    assert xp.diag(weak[0]).weak_type
