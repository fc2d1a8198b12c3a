"""Calls of products, jnp.linalg, einsum and convolution."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import arr, call, dt, nested, weak

from ._common import COMMON, FEW, MOST, NARROW, Call, sample

PRODUCTS = ["matmul", "dot", "vdot", "inner", "outer", "vecdot", "kron", "tensordot", "matvec", "vecmat"]
#: Matrices with well separated spectra, whose decompositions are unique up to signs.
SQUARE = [[4.0, 1, 0.5], [1, -3, 0.25], [0.5, 0.25, 1]]
GENERAL = [[1.0, 2, 0.5], [-1, 3, 2], [0, 1.5, -2]]
DEFINITE = [[4.0, 1, 0.5], [1, 3, 0.25], [0.5, 0.25, 2]]
TALL = [[1.0, 2], [-1, 3], [0, 1.5]]
SINGULAR = [[1.0, 2, 3], [2, 4, 6], [1, 0, 1]]
HERMITIAN = [[2, 1 - 1j], [1 + 1j, 3]]
#: A matrix of ones, whose eigenvectors are not unique.
DEGENERATE = (("eigh", "bool"), ("eig", "bool"))
DTYPES = ["bool", "int8", "uint8", "int32", "int64", "bfloat16", "float16", "float32", "float64", "complex64", "complex128"]


def products() -> Iterator[Call]:
    """Yield calls: products of every pair of dtypes, and shapes."""
    for function in PRODUCTS:
        target = f"jnp.{function}"
        matrix_first, matrix_second = function == "matvec", function == "vecmat"
        for a in (*MOST, *NARROW):
            for b in ("bool", "int8", "uint64", "bfloat16", "float32", a):
                x = sample(a, (2, 3) if matrix_first else 3)
                y = sample(b, (3, 2) if matrix_second else 3, start=2)
                yield call(target, x, y, *((1,) if function == "tensordot" else ()))
        pairs = [
            (3, 3),
            (3, 4),
            ((2, 3), 3),
            (3, (3, 2)),
            ((2, 3), (3, 2)),
            ((2, 3), (2, 3)),
            ((), 3),
            (3, ()),
            ((), ()),
            (0, 0),
            ((2, 0), (0, 3)),
            ((2, 2, 3), (3,)),
            ((2, 2, 3), (2, 3, 2)),
            ((2, 1, 2, 3), (2, 3, 1)),
            ((3,), (2, 3, 2)),
            ((1, 3), (2, 3)),
        ]
        for left, right in pairs:
            for a, b in (("float32", "float32"), ("int32", "bfloat16")):
                yield call(target, sample(a, left), sample(b, right))
        for other in (2, 2.5, weak(2), weak([1, 2, 3]), [1, 2, 3], np.arange(3), None, "a"):
            yield call(target, sample("int8", 3), other)
            yield call(target, other, sample("float32", 3))
        yield call(target, weak([1, 2, 3]), weak([0.5, 1, 2]))
        if function in ("matmul", "dot", "vdot", "inner", "vecdot", "tensordot"):
            more = {"axes": 1} if function == "tensordot" else {}
            for dtype in ("int8", "int32", "bfloat16", "float16", "float32"):
                for wanted in ("int32", "float32", "float64", "bfloat16", "int8", "complex64"):
                    yield call(target, sample(dtype, 3), sample(dtype, 3, start=1), preferred_element_type=dt(wanted), **more)
            for precision in ("highest", "default", "high", None, "nonsense"):
                yield call(target, sample("float32", 3), sample("float32", 3), precision=precision, **more)
    for axes in (0, 1, 2, 3, ((0,), (0,)), ([1], [0]), ((0, 1), (1, 0)), (1, 0), ((0, 1), (0,)), ((0,), (5,)), -1):
        yield call("jnp.tensordot", sample("float32", (2, 3)), sample("int32", (3, 2)), axes)
        yield call("jnp.tensordot", sample("float32", (2, 3)), sample("float32", (2, 3)), axes=axes)
        yield call("jnp.linalg.tensordot", sample("float32", (2, 3)), sample("float32", (3, 2)), axes=axes)
    for axis in (0, 1, -2, 2):
        yield call("jnp.vecdot", sample("complex64", (2, 3)), sample("complex64", (2, 3), start=1), axis=axis)
        yield call("jnp.linalg.vecdot", sample("float32", (2, 3)), sample("int32", (2, 3)), axis=axis)
    for a in MOST:
        yield call("jnp.cross", sample(a, 3), sample(a, 3, start=1))
        yield call("jnp.cross", sample(a, (2, 3)), sample("float16", 3, start=1))
        yield call("jnp.linalg.cross", sample(a, (2, 3)), sample(a, (2, 3), start=1))
        yield call("jnp.cross", sample(a, 2), sample(a, 2, start=1))
        yield call("jnp.linalg.outer", sample(a, 2), sample("int32", 3))
        yield call("jnp.linalg.matmul", sample(a, (2, 3)), sample("int8", (3, 2)))
        yield call("jnp.linalg.matrix_transpose", sample(a, (2, 3)))
        yield call("jnp.linalg.diagonal", sample(a, (2, 3)), offset=1)
        yield call("jnp.linalg.trace", sample(a, (2, 3)))
        yield call("jnp.linalg.trace", sample(a, (2, 2, 3)), offset=-1, dtype=dt("float32"))
    for options in ({"axis": 0}, {"axisa": 0, "axisb": 0}, {"axisa": 0, "axisb": 0, "axisc": 0}, {"axis": 2}):
        yield call("jnp.cross", sample("float32", (3, 3)), sample("int32", (3, 3)), **options)
    yield call("jnp.cross", sample("float32", 4), sample("float32", 4))
    yield call("jnp.cross", sample("float32", 2), sample("float32", 3))
    yield call("jnp.linalg.cross", sample("float32", 2), sample("float32", 2))


def sums_by_subscripts() -> Iterator[Call]:
    """Yield calls: `einsum`."""
    a, b, v = sample("float32", (2, 3)), sample("float32", (3, 2), start=1), sample("float32", 3)
    for subscripts, *operands in (
        ("ij,jk->ik", a, b), ("ij,jk", a, b), ("ij->ji", a), ("ij", a), ("ji", a), ("ij->", a), ("ij->i", a),
        ("ii", sample("float32", (3, 3))), ("ii->i", sample("float32", (3, 3))),
        ("i,i", v, v), ("i,j->ij", v, v), ("ij,j->i", a, v), ("...j,j->...", a, v),
        ("...ij->...ji", sample("int32", (2, 2, 3))), ("i...->...", a), ("ij,ji->", a, b),
        ("ij,kl->ijkl", a, b), ("ij,jk,kl->il", a, b, a),
        ("bij,bjk->bik", sample("float16", (2, 2, 3)), sample("float16", (2, 3, 2))), ("i,i,i->i", v, v, v), ("i->ii", v),
        ("ij,jk->ik", a, a), ("ij,jk", a), ("ij,jk->iz", a, b), ("ij", v), ("i1", a), ("", 3.0), (",", 2, v),
        (",i->i", 2.5, v), ("ij,ij->ij", a, a), ("ij,ij->j", a, a), ("i i", sample("float32", (2, 2))),
        ("ij, jk -> ik", a, b), (a, [0, 1], b, [1, 2]), (a, [0, 1], b, [1, 2], [0, 2]), (a, [0, 1], [1, 0]),
        ("kij,k->ij", sample("float32", (2, 2, 3)), sample("float32", 2)),
    ):  # fmt: skip
        yield call("jnp.einsum", subscripts, *operands)
    for x in (*COMMON, *NARROW):
        for y in (x, "int8", "float16", "float32"):
            yield call("jnp.einsum", "ij,j->i", sample(x, (2, 3)), sample(y, 3))
        yield call("jnp.einsum", "ij->i", sample(x, (2, 3)))
    yield call("jnp.einsum", "i,i", weak([1, 2]), weak([3, 4]))
    yield call("jnp.einsum", "i,i", weak([1, 2]), sample("int8", 2))
    yield call("jnp.einsum", "i,i", [1, 2], sample("int8", 2))
    for optimize in ("optimal", "greedy", "auto", True, False, "nonsense"):
        yield call("jnp.einsum", "ij,jk,kl->il", a, b, a, optimize=optimize)
    for wanted in ("int32", "float32", "bfloat16"):
        yield call("jnp.einsum", "i,i", sample("int8", 3), sample("int8", 3), preferred_element_type=dt(wanted))
        yield call("jnp.einsum", "i,i", sample("bfloat16", 3), sample("bfloat16", 3), preferred_element_type=dt(wanted))
    yield call("jnp.einsum_path", "ij,jk,kl->il", a, b, a)
    yield call("jnp.einsum_path", "ij,jk->ik", a, b, optimize="greedy")


def convolutions() -> Iterator[Call]:
    """Yield calls: convolutions and correlations."""
    for function in ("convolve", "correlate"):
        target = f"jnp.{function}"
        for a in (*MOST, *NARROW):
            for b in (a, "int8", "float32"):
                yield call(target, sample(a, 5), sample(b, 3))
        for mode in ("full", "same", "valid", "nonsense"):
            for left, right in ((5, 3), (3, 5), (1, 1), (4, 4), (0, 2), (5, ()), ((2, 2), 2)):
                yield call(target, sample("float32", left), sample("float32", right, start=1), mode=mode)
                yield call(target, sample("int32", left), sample("int32", right, start=1), mode)
            yield call(target, sample("complex64", 4), sample("complex64", 2, start=1), mode)
        yield call(target, [1, 2, 3], [0, 1])
        yield call(target, weak([1, 2, 3]), weak([0.5, 1]))
        yield call(target, sample("bfloat16", 4), sample("bfloat16", 3), preferred_element_type=dt("float32"))
        yield call(target, sample("int8", 4), sample("int8", 3), preferred_element_type=dt("int32"))


def norms() -> Iterator[Call]:
    """Yield calls: norm, vector_norm, matrix_norm, cond, matrix_rank."""
    for dtype in DTYPES:
        x, m = sample(dtype, 4), sample(dtype, (2, 3))
        for order in (None, 1, 2, 0, -1, 3, 0.5, float("inf"), float("-inf"), -2):
            yield call("jnp.linalg.norm", x, order)
            yield call("jnp.linalg.vector_norm", x, **({"ord": order} if order is not None else {}))
        for order in (None, "fro", "nuc", 1, -1, 2, -2, float("inf"), float("-inf")):
            yield call("jnp.linalg.norm", m, order)
            yield call("jnp.linalg.matrix_norm", m, **({"ord": order} if order is not None else {}))
        for axis in (0, 1, -1, (0, 1), (1, 0), None, 2, (0, 0)):
            yield call("jnp.linalg.norm", m, axis=axis)
            yield call("jnp.linalg.vector_norm", m, axis=axis, keepdims=True)
    x = sample("float32", (2, 2, 3))
    for options in (
        {},
        {"axis": (1, 2)},
        {"axis": (0, 2), "keepdims": True},
        {"ord": 2, "axis": (1, 2)},
        {"ord": 2},
        {"ord": "fro"},
        {"ord": "nonsense"},
        {"ord": 7, "axis": (0, 1)},
        {"axis": 1, "ord": 1, "keepdims": True},
    ):
        yield call("jnp.linalg.norm", x, **options)
    yield call("jnp.linalg.matrix_norm", x, keepdims=True)
    yield call("jnp.linalg.matrix_norm", x, ord="nuc")
    yield call("jnp.linalg.matrix_norm", sample("float32", 3))
    yield call("jnp.linalg.norm", sample("float32", ()))
    yield call("jnp.linalg.norm", sample("float32", 0))
    yield call("jnp.linalg.norm", [1.0, 2.0])
    yield call("jnp.linalg.norm", weak([3.0, 4.0]))
    for p in (None, 1, -1, 2, -2, "fro", float("inf"), "nuc", float("-inf"), 3):
        for dtype in ("float32", "float64", "int32"):
            yield call("jnp.linalg.cond", arr(dtype, GENERAL), p)
    yield call("jnp.linalg.cond", arr("float32", TALL))
    yield call("jnp.linalg.cond", arr("float32", SINGULAR), 1)
    yield call("jnp.linalg.cond", sample("float32", 3))
    for matrix in (GENERAL, SINGULAR, TALL, np.zeros((2, 2)), [[1e-9, 0], [0, 1.0]], np.ones(3)):
        for dtype in ("float32", "float64", "int32", "complex64"):
            yield call("jnp.linalg.matrix_rank", arr(dtype, matrix))
        yield call("jnp.linalg.matrix_rank", arr("float32", matrix), 0.5)
        yield call("jnp.linalg.matrix_rank", arr("float32", matrix), rtol=0.1)
        yield call("jnp.linalg.matrix_rank", arr("float32", matrix), tol=0.1)
    yield call("jnp.linalg.matrix_rank", arr("float32", SQUARE), hermitian=True)


def decompositions() -> Iterator[Call]:
    """Yield calls: decompositions and solutions in every dtype, batches, non-square and empty matrices."""
    single = [
        ("inv", GENERAL),
        ("det", GENERAL),
        ("slogdet", GENERAL),
        ("cholesky", DEFINITE),
        ("eigh", SQUARE),
        ("eigvalsh", SQUARE),
        ("eig", GENERAL),
        ("eigvals", GENERAL),
        ("svd", TALL),
        ("svdvals", TALL),
        ("qr", TALL),
        ("pinv", TALL),
    ]
    for function, matrix in single:
        target = f"jnp.linalg.{function}"
        for dtype in (*DTYPES, "uint16", "float8_e4m3fn", "int4"):
            if (function, dtype) not in DEGENERATE:
                yield call(target, arr(dtype, matrix))
        for dtype in ("float32", "complex64"):
            yield call(target, arr(dtype, [matrix, (2 * np.array(matrix)).tolist()]))
            yield call(target, arr(dtype, SINGULAR))
            yield call(target, arr(dtype, [[2.5]]))
            yield call(target, arr(dtype, np.zeros((0, 0))))
            yield call(target, arr(dtype, np.zeros((2, 0, 0))))
            yield call(target, arr(dtype, np.array(TALL).T))
        for bad in (
            sample("float32", 3),
            sample("float32", ()),
            [[1.0, 0], [0, 1]],
            None,
            "a",
            2.0,
            np.eye(2),
            np.eye(2, dtype=np.int8),
            weak(np.array(GENERAL if function != "cholesky" else DEFINITE)),
        ):
            yield call(target, bad)
        yield call(target, arr("float32", [[float("nan"), 1], [1, 2]]))
    yield call("jnp.linalg.cholesky", arr("complex64", HERMITIAN))
    for options in ({"upper": True}, {"symmetrize_input": False}, {"upper": True, "symmetrize_input": False}):
        yield call("jnp.linalg.cholesky", arr("float32", DEFINITE), **options)
        yield call("jnp.linalg.cholesky", arr("float64", GENERAL), **options)
    for function in ("eigh", "eigvalsh"):
        yield call(f"jnp.linalg.{function}", arr("complex64", HERMITIAN))
        for uplo in ("L", "U", "l", "X", None):
            yield call(f"jnp.linalg.{function}", arr("float32", SQUARE), uplo)
            yield call(f"jnp.linalg.{function}", arr("float32", GENERAL), UPLO=uplo, symmetrize_input=False)
    for options in (
        {"full_matrices": False},
        {"compute_uv": False},
        {"hermitian": True},
        {"hermitian": True, "compute_uv": False},
        {"full_matrices": False, "hermitian": True},
        {"subset_by_index": (0, 1)},
        {"subset_by_index": (0, 1), "full_matrices": False},
    ):
        for dtype in ("float32", "float64", "complex64"):
            yield call("jnp.linalg.svd", arr(dtype, SQUARE), **options)
            if "hermitian" not in options:
                yield call("jnp.linalg.svd", arr(dtype, TALL), **options)
                yield call("jnp.linalg.svd", arr(dtype, np.array(TALL).T), **options)
    for mode in ("reduced", "complete", "r", "raw", "full", "nonsense"):
        for dtype in ("float32", "float64", "complex64", "int32"):
            yield call("jnp.linalg.qr", arr(dtype, TALL), mode)
            yield call("jnp.linalg.qr", arr(dtype, np.array(TALL).T), mode=mode)
    for method in ("lu", "qr", None, "nonsense"):
        yield call("jnp.linalg.slogdet", arr("float32", GENERAL), method=method)
        yield call("jnp.linalg.slogdet", arr("complex64", np.array(GENERAL) * (1 + 0.5j)), method=method)
    for options in ({"rtol": 0.5}, {"hermitian": True}, {"rcond": 0.1}, {"rtol": arr("float32", 1e-3)}):
        yield call("jnp.linalg.pinv", arr("float32", SQUARE), **options)
        yield call("jnp.linalg.pinv", arr("float32", SINGULAR), **options)
    for n in (0, 1, 2, 3, 5, -1, -2, 2.5, "a", np.int64(3), arr("int32", 2)):
        for dtype in ("int32", "float32", "float16", "complex64", "uint8", "bool"):
            yield call("jnp.linalg.matrix_power", arr(dtype, [[1, 2], [3, 1]]), n)
    yield call("jnp.linalg.matrix_power", sample("float32", (2, 3)), 2)


def solutions() -> Iterator[Call]:
    """Yield calls: solve, lstsq, tensorsolve, tensorinv, multi_dot."""
    for a in DTYPES:
        for b in ("bool", "int32", "float16", "float32", "complex64", "float64"):
            yield call("jnp.linalg.solve", arr(a, GENERAL), sample(b, 3))
        yield call("jnp.linalg.lstsq", arr(a, TALL), sample(a, 3))
        yield call("jnp.linalg.multi_dot", [sample(a, (2, 3)), sample("float32", (3, 2)), sample(a, (2, 1))])
    for shape in ((3, 2), (2, 3, 1), (2, 3), (4,), (), (3, 0), (2, 3, 2)):
        yield call("jnp.linalg.solve", arr("float32", GENERAL), sample("float32", shape))
        yield call("jnp.linalg.solve", arr("float32", [GENERAL, DEFINITE]), sample("float32", shape))
    yield call("jnp.linalg.solve", arr("float32", TALL), sample("float32", 3))
    yield call("jnp.linalg.solve", arr("float32", SINGULAR), sample("float32", 3))
    yield call("jnp.linalg.solve", [[1.0, 0], [0, 1]], [1, 2])
    for options in ({}, {"rcond": None}, {"rcond": 0.5}, {"rcond": -1}, {"numpy_resid": True}):
        yield call("jnp.linalg.lstsq", arr("float32", TALL), sample("float32", 3), **options)
        yield call("jnp.linalg.lstsq", arr("float32", TALL), sample("float32", (3, 2)), **options)
        yield call("jnp.linalg.lstsq", arr("float64", np.array(TALL).T), sample("float64", 2), **options)
        yield call("jnp.linalg.lstsq", arr("float32", SINGULAR), sample("float32", 3), **options)
    yield call("jnp.linalg.lstsq", arr("float32", TALL), sample("float32", 2))
    yield call("jnp.linalg.tensorinv", nested("jnp.reshape", arr("float32", np.eye(6) + 0.1), (2, 3, 6)))
    yield call("jnp.linalg.tensorinv", nested("jnp.reshape", arr("float32", np.eye(4) * 2), (4, 2, 2)), ind=1)
    yield call("jnp.linalg.tensorinv", sample("float32", (2, 3)), ind=1)
    yield call("jnp.linalg.tensorinv", sample("float32", (2, 2)), ind=0)
    yield call(
        "jnp.linalg.tensorsolve", nested("jnp.reshape", arr("float32", np.eye(6) + 0.1), (2, 3, 6)), sample("float32", (2, 3))
    )
    yield call(
        "jnp.linalg.tensorsolve",
        nested("jnp.reshape", arr("float32", np.eye(6) + 0.1), (2, 6, 3)),
        sample("float32", (2, 3)),
        axes=(1,),
    )
    v = sample("float32", 3)
    for arrays in (
        [v, sample("float32", (3, 2))],
        [sample("float32", (2, 3)), v],
        [v, sample("float32", (3, 3)), v],
        [v],
        [],
        [v, v],
        [sample("int8", (2, 3)), sample("uint8", (3, 2))],
        (v, v, v),
        [sample("float32", (2, 3)), sample("float32", (2, 3))],
    ):
        yield call("jnp.linalg.multi_dot", arrays)


def polynomials() -> Iterator[Call]:
    """Yield calls: the poly functions."""
    for dtype in (*FEW, "int64", "float64", "float16"):
        for other in (dtype, "int32", "float32"):
            for function in ("polyadd", "polysub", "polymul", "polydiv"):
                yield call(f"jnp.{function}", sample(dtype, 4), sample(other, 3, start=1))
            yield call("jnp.polyval", sample(dtype, 3), sample(other, 2))
        yield call("jnp.polyder", sample(dtype, 4))
        yield call("jnp.polyder", sample(dtype, 4), 2)
        yield call("jnp.polyint", sample(dtype, 4))
        yield call("jnp.polyint", sample(dtype, 4), 2, k=1)
        yield call("jnp.polyfit", sample(dtype, 6, start=1), sample(dtype, 6), 2)
        yield call("jnp.poly", sample(dtype, 3))
        yield call("jnp.poly", sample(dtype, (3, 3)))
        yield call("jnp.roots", arr(dtype, [1, -6, 11, -6] if dtype not in ("bool", "uint8") else [1, 1, 1, 0]))
    for m in (0, 1, 3, 9, -1, 1.5):
        yield call("jnp.polyder", sample("float32", 4), m)
        yield call("jnp.polyint", sample("float32", 4), m)
    yield call("jnp.polyint", sample("float32", 3), 2, k=arr("float32", [1, 2]))
    yield call("jnp.polyint", sample("float32", 3), 2, k=[1])
    yield call("jnp.polyval", sample("int32", 3), 2)
    yield call("jnp.polyval", [1, 2], 2)
    yield call("jnp.polyval", sample("int32", 3), 2.5)
    yield call("jnp.polyval", weak([1, 2]), weak(2))
    yield call("jnp.polyval", sample("float32", 0), sample("float32", 2))
    yield call("jnp.polyval", sample("float32", (2, 3)), sample("float32", 3))
    for function in ("polyadd", "polysub", "polymul"):
        yield call(f"jnp.{function}", weak([1, 2]), sample("int8", 3))
        yield call(f"jnp.{function}", [1, 2], [3])
        yield call(f"jnp.{function}", 2, sample("int8", 3))
    yield call("jnp.polymul", arr("float32", [0, 0, 1]), arr("float32", [0, 2]), trim_leading_zeros=True)
    yield call("jnp.polydiv", arr("float32", [0, 1, 2, 3]), arr("float32", [1, 1]), trim_leading_zeros=True)
    for options in ({"full": True}, {"w": sample("float32", 6)}, {"cov": True}, {"cov": "unscaled"}, {"rcond": 0.1}):
        yield call("jnp.polyfit", arr("float32", [0, 1, 2, 3, 4, 5]), arr("float32", [1, 3, 2, 5, 4, 9]), 2, **options)
    yield call("jnp.polyfit", arr("float32", [0, 1, 2]), arr("float32", [[1, 3], [2, 5], [4, 9]]), 1)
    yield call("jnp.polyfit", arr("float32", [0, 1, 2]), arr("float32", [1, 2, 3]), -1)
    for coefficients in ([1.0, 0, -1], [0.0, 1, -2], [1.0, 2, 0], [2.0], [0.0, 0.0], []):
        yield call("jnp.roots", arr("float32", coefficients))
        yield call("jnp.roots", arr("float32", coefficients), strip_zeros=False)


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    for part in (products, sums_by_subscripts, convolutions, norms, decompositions, solutions, polynomials):
        yield from part()
