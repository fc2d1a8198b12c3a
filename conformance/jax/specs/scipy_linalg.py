"""Calls of jax.scipy.linalg. Decompositions that are not unique are tested by their properties instead."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import Coded, arr, call, dt, weak

from ._common import Call, sample

DTYPES = ("int32", "float64", "complex64")
_SQUARE = [4.0, 1.0, -0.5, 2.0, 5.0, 1.0, 0.0, -1.0, 3.0]
_POSITIVE = [4.0, 1.0, -0.5, 1.0, 5.0, 1.0, -0.5, 1.0, 3.0]


def matrix(dtype: str, values: list[float]) -> Coded:
    """Return a matrix of three rows."""
    turn = 1 + 0.25j if dtype.startswith("complex") and values is _SQUARE else 1
    return arr(dtype, np.array(values) * turn, (3, 3))


def solutions() -> Iterator[Call]:
    """Yield calls: linear systems and their factors."""
    for dtype in DTYPES:
        a, p = matrix(dtype, _SQUARE), matrix(dtype, _POSITIVE)
        vector, columns = sample(dtype, 3), sample(dtype, (3, 2))
        for lower in (False, True):
            yield call("jax.scipy.linalg.cholesky", p, lower=lower)
            yield call("jax.scipy.linalg.cho_factor", p, lower)
            for b in (vector, columns):
                yield call("jax.scipy.linalg.cho_solve", (p, lower), b)
                yield call("jax.scipy.linalg.solve", p, b, lower=lower, assume_a="pos")
                for trans in (0, 2, "T"):
                    yield call("jax.scipy.linalg.solve_triangular", a, b, trans, lower)
                yield call("jax.scipy.linalg.solve_triangular", a, b, 0, lower, True)
        for b in (vector, columns):
            yield call("jax.scipy.linalg.solve", a, b)
            for trans in (0, 1, 2):
                yield call("jax.scipy.linalg.lu_solve", (a, arr("int32", [1, 2, 2])), b, trans)
        yield call("jax.scipy.linalg.lu_factor", a)
        for shape in ((3, 3), (2, 3), (3, 2)):
            yield call("jax.scipy.linalg.lu", sample(dtype, shape))
            yield call("jax.scipy.linalg.lu", sample(dtype, shape), True)
        yield call("jax.scipy.linalg.det", a)
        yield call("jax.scipy.linalg.inv", a)
    a = arr("float32", [4.0, 1.0, 1.0, 2.0, 1.0, 2.0, 2.0, 7.0], (2, 2, 2))
    one, b = arr("float32", [4.0, 1.0, 1.0, 2.0], (2, 2)), sample("float32", (2, 2))
    for function, first in (
        ("solve_triangular", a),
        ("cho_solve", (a, True)),
        ("lu_solve", (a, arr("int32", [[0, 1], [1, 1]], (2, 2)))),
    ):
        yield call(f"jax.scipy.linalg.{function}", first, sample("float32", 2))
        yield call(f"jax.scipy.linalg.{function}", first, sample("float32", (2, 2, 3)))
        yield call(f"jax.scipy.linalg.{function}", first, sample("float32", (2, 3)))
        yield call(f"jax.scipy.linalg.{function}", first, sample("float32", 3))
    yield call("jax.scipy.linalg.solve_triangular", one, sample("float32", (3, 2, 2)))
    yield call("jax.scipy.linalg.solve_triangular", one, b, 3)
    yield call("jax.scipy.linalg.solve_triangular", arr("float32", [0.0, 1.0, 1.0, 2.0], (2, 2)), sample("float32", 2))
    yield call("jax.scipy.linalg.solve", one, b, assume_a="nonsense")
    yield call("jax.scipy.linalg.cholesky", arr("float32", [1.0, 2.0, 2.0, 1.0], (2, 2)))
    yield call("jax.scipy.linalg.cholesky", a)
    yield call("jax.scipy.linalg.lu_factor", a)
    yield call("jax.scipy.linalg.lu", a)
    for function in ("cholesky", "lu_factor", "lu", "det", "inv"):
        for bad in (sample("float32", 3), sample("float32", (2, 3)), arr("float32", np.zeros((0, 0))), 2.0):
            yield call(f"jax.scipy.linalg.{function}", bad)


def decompositions() -> Iterator[Call]:
    """Yield calls of the decompositions that are unique, or unique up to signs."""
    for dtype in ("float32", "complex64"):
        a, p = matrix(dtype, _SQUARE), matrix(dtype, _POSITIVE)
        yield call("jax.scipy.linalg.eigh", p, eigvals_only=True)
        yield call("jax.scipy.linalg.svd", a, compute_uv=False)
        yield call("jax.scipy.linalg.hessenberg", a)
        yield call("jax.scipy.linalg.hessenberg", a, calc_q=True)
        for shape in ((3, 3), (3, 2), (2, 3)):
            given = sample(dtype, shape)
            for mode in ("full", "r", "economic", "nonsense"):
                yield call("jax.scipy.linalg.qr", given, mode=mode)
                yield call("jax.scipy.linalg.qr", given, mode=mode, pivoting=True)
            for side in ("right", "left", "up"):
                yield call("jax.scipy.linalg.polar", given, side)
                yield call("jax.scipy.linalg.polar", given, side, method="svd")
            for mode, c in (("left", sample(dtype, (min(shape), 2))), ("right", sample(dtype, (2, shape[0])))):
                yield call("jax.scipy.linalg.qr_multiply", given, c, mode)
                yield call("jax.scipy.linalg.qr_multiply", given, c, mode, conjugate=True, pivoting=True)
    for dtype in ("int32", "float32", "complex64"):
        d, e = sample(dtype, 5), sample(dtype, 4, 3)
        yield call("jax.scipy.linalg.eigh_tridiagonal", d, e, eigvals_only=True)
        yield call("jax.scipy.linalg.eigh_tridiagonal", d, e, eigvals_only=True, select="i", select_range=(1, 3))
    for select in ("a", "i", "v", "x"):
        yield call(
            "jax.scipy.linalg.eigh_tridiagonal", sample("float32", 5), sample("float32", 4), eigvals_only=True, select=select
        )
    yield call("jax.scipy.linalg.schur", sample("float32", (3, 3)), "nonsense")
    yield call("jax.scipy.linalg.schur", arr("float32", [1.0, 2.0, 0.0, 3.0], (2, 2)))
    yield call("jax.scipy.linalg.rsf2csf", sample("float32", (2, 3)), sample("float32", (3, 3)))


def functions() -> Iterator[Call]:
    """Yield calls of functions of matrices."""
    for dtype in ("int32", "float32", "complex64"):
        a, p = matrix(dtype, _SQUARE), matrix(dtype, _POSITIVE)
        yield call("jax.scipy.linalg.expm", a)
        yield call("jax.scipy.linalg.expm", sample(dtype, (2, 2, 2)))
        yield call("jax.scipy.linalg.expm_frechet", a, p)
        yield call("jax.scipy.linalg.expm_frechet", a, p, compute_expm=False)
        yield call("jax.scipy.linalg.sqrtm", p)
        yield call("jax.scipy.linalg.funm", a, Coded({"f": "square"}))
        yield call("jax.scipy.linalg.solve_sylvester", p, matrix(dtype, _SQUARE), sample(dtype, (3, 3)))
        yield call("jax.scipy.linalg.solve_sylvester", a, arr(dtype, [2.0], (1, 1)), sample(dtype, (3, 1)), method="eigen")
    yield call("jax.scipy.linalg.expm", arr("float32", [1e6, 0.0, 0.0, 1.0], (2, 2)))
    yield call("jax.scipy.linalg.expm", arr("float32", [9.0, 0.0, 0.0, 1.0], (2, 2)), max_squarings=0)
    yield call("jax.scipy.linalg.expm", sample("float32", (2, 3)))
    yield call("jax.scipy.linalg.expm", sample("float32", 3))
    yield call("jax.scipy.linalg.expm", arr("float32", [float("nan"), 0.0, 0.0, 1.0], (2, 2)))
    yield call("jax.scipy.linalg.sqrtm", sample("float32", (2, 3)))
    yield call("jax.scipy.linalg.sqrtm", sample("float32", (2, 2)), 2)
    yield call(
        "jax.scipy.linalg.solve_sylvester", sample("float32", (2, 2)), sample("float32", (2, 2)), sample("float32", (3, 2))
    )
    zeros = arr("float32", np.zeros((2, 2)))
    yield call("jax.scipy.linalg.solve_sylvester", zeros, zeros, sample("float32", (2, 2)))


def special_matrices() -> Iterator[Call]:
    """Yield calls of the functions that make special matrices."""
    for dtype in ("bool", "int32", "bfloat16", "complex64"):
        c, r = sample(dtype, 4), sample(dtype, 3, 2)
        for function in ("circulant", "companion", "fiedler", "fiedler_companion", "toeplitz", "hankel"):
            yield call(f"jax.scipy.linalg.{function}", c)
            yield call(f"jax.scipy.linalg.{function}", sample(dtype, (2, 3)))
        for function in ("toeplitz", "hankel", "leslie"):
            yield call(f"jax.scipy.linalg.{function}", c, r)
        yield call("jax.scipy.linalg.block_diag", c, sample(dtype, (2, 2)), 1)
        for mode in ("full", "valid", "same", "x"):
            yield call("jax.scipy.linalg.convolution_matrix", c, 3, mode)
            yield call("jax.scipy.linalg.convolution_matrix", c, 6, mode)
    for function in ("circulant", "companion", "fiedler", "fiedler_companion", "toeplitz", "hankel"):
        for odd in (2.0, 3, weak([1, 2]), arr("float32", []), [1.0, 2.0], arr("float32", [1.0])):
            yield call(f"jax.scipy.linalg.{function}", odd)
    yield call("jax.scipy.linalg.toeplitz", sample("float32", 3), sample("int32", 2))
    yield call("jax.scipy.linalg.leslie", sample("float32", 3), sample("float32", 3))
    yield call("jax.scipy.linalg.block_diag")
    yield call("jax.scipy.linalg.block_diag", 1.0, weak(2))
    yield call("jax.scipy.linalg.block_diag", arr("float32", np.zeros((1, 1, 1))))
    for n in (1, 4, 0):
        for function in ("hilbert", "invhilbert", "pascal", "invpascal", "dft", "helmert", "hadamard"):
            yield call(f"jax.scipy.linalg.{function}", n)
        for kind in ("lower", "upper", "x"):
            yield call("jax.scipy.linalg.pascal", n, kind)
            yield call("jax.scipy.linalg.invpascal", n, kind)
        for scale in ("n", "sqrtn", "x"):
            yield call("jax.scipy.linalg.dft", n, scale)
        yield call("jax.scipy.linalg.helmert", n, True)
        yield call("jax.scipy.linalg.hadamard", n, dtype=dt("float32"))
    yield call("jax.scipy.linalg.hadamard", 3)
    yield call("jax.scipy.linalg.dft", 3, dtype=dt("complex64"))
    yield call("jax.scipy.linalg.dft", 3, dtype=dt("float32"))


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    yield from solutions()
    yield from decompositions()
    yield from functions()
    yield from special_matrices()
