"""The seam to LAPACK: NumPy's generalized ufuncs, which `numpy.linalg` calls after checks that take longer.

They are private to NumPy. Where they are not as expected, the public functions of `numpy.linalg` take their place; a test
notices.
Functions here raise LinAlgError for a failure of LAPACK in the error state `RAISES` alone; see `robust`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context, copy_context
from functools import lru_cache, partial
from math import isfinite
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.silence import ERRORS
from supremum._kernels.casts import vdot


def _private() -> Any:
    """Return NumPy's module of generalized ufuncs if it has those of the table, with the expected loops."""
    try:
        from numpy.linalg import _umath_linalg as found
    except ImportError:
        return None
    for name, form in _FORMS.values():
        loop = form.replace("x", "d").replace("r", "d").replace("z", "D")
        if loop not in getattr(getattr(found, name, None), "types", ()):
            return None
    return found


def _refuse(_error: str, _flag: int) -> None:
    raise np.linalg.LinAlgError


def _raising() -> Any:
    """Return NumPy's error state in which a failure of LAPACK, which sets the flag of invalid values, raises LinAlgError."""
    with np.errstate(call=_refuse, invalid="call", over="ignore", divide="ignore", under="ignore"):
        return copy_context()[ERRORS]


RAISES: Final = Context().run(_raising)


def raising(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call a function in the error state in which failures of LAPACK raise LinAlgError."""
    token = ERRORS.set(RAISES)
    try:
        return function(*args, **kwargs)
    finally:
        ERRORS.reset(token)


#: The generalized ufunc of each function, and its operands and results: x as the matrix, r real, z complex.
_FORMS: Final = {
    "cholesky": ("cholesky_lo", "x->x"), "det": ("det", "x->x"), "inv": ("inv", "x->x"), "slogdet": ("slogdet", "x->xr"),
    "eig": ("eig", "x->zz"), "eigvals": ("eigvals", "x->z"), "eigh": ("eigh_lo", "x->rx"), "eigvalsh": ("eigvalsh_lo", "x->r"),
    "qr_raw": ("qr_r_raw", "x->x"), "qr_reduced": ("qr_reduced", "xx->x"),
    "solve": ("solve", "xx->x"), "solve_vector": ("solve1", "xx->x"),
    "svd": ("svd_f", "x->xrx"), "thin_svd": ("svd_s", "x->xrx"), "svdvals": ("svd", "x->r"),
}  # fmt: skip
PRIVATE: Final = _private()
#: The dtypes of results by the dtype of a matrix.
_RESULTS: Final = {
    np.dtype(x): {"x": np.dtype(x), "r": np.dtype(r), "z": np.dtype(z)} for x, r, z in ("ffF", "ddD", "FfF", "DdD")
}


def _function(name: str, public: Callable[..., Any], private: Any = PRIVATE) -> Callable[..., Any]:
    """Return a function of matrices, which computes in double precision as NumPy's public one does."""
    ufunc_name, form = _FORMS[name]
    calls: dict[np.dtype[Any], Callable[..., Any]] = {}
    for dtype, letters in _RESULTS.items():
        loop = form.replace("x", "D" if dtype.kind == "c" else "d").replace("r", "d").replace("z", "D")
        compute = public if private is None else getattr(private, ufunc_name)
        if private is None or dtype.char in "fF":
            compute = compute if private is None else partial(compute, signature=loop)
            compute = partial(_rounded, compute, [letters[letter] for letter in form.partition("->")[2]])
        calls[dtype] = compute
    return lambda *matrices: calls[matrices[0].dtype](*matrices)


def _rounded(compute: Callable[..., Any], dtypes: list[np.dtype[Any]], *matrices: Buffer) -> Any:
    """Call a function that computes in double precision, and round its results."""
    found = compute(*matrices)
    if len(dtypes) == 1:
        return found.astype(dtypes[0], copy=False)
    return tuple([part.astype(dtype, copy=False) for part, dtype in zip(found, dtypes, strict=True)])


cholesky: Final = _function("cholesky", np.linalg.cholesky)
#: In the dtype of the matrix, of which it reads the lower triangle.
plain_cholesky: Final[Callable[[Buffer], Buffer]] = np.linalg.cholesky if PRIVATE is None else PRIVATE.cholesky_lo
det: Final = _function("det", np.linalg.det)
eig: Final = _function("eig", np.linalg.eig)
eigh: Final = _function("eigh", np.linalg.eigh)
eigvals: Final = _function("eigvals", np.linalg.eigvals)
eigvalsh: Final = _function("eigvalsh", np.linalg.eigvalsh)
inv: Final = _function("inv", np.linalg.inv)
slogdet: Final = _function("slogdet", np.linalg.slogdet)
svd: Final = _function("svd", np.linalg.svd)
svdvals: Final = _function("svdvals", np.linalg.svdvals)
thin_svd: Final = _function("thin_svd", partial(np.linalg.svd, full_matrices=False))
_solve: Final = _function("solve", np.linalg.solve)
_solve_vector: Final = _function("solve_vector", np.linalg.solve)


def solve(matrices: Buffer, columns: Buffer) -> Buffer:
    """Solve linear systems; a buffer of one axis is one column."""
    return (_solve_vector if columns.ndim == 1 else _solve)(matrices, columns)


def qr(x: Buffer) -> tuple[Buffer, Buffer]:
    """Decompose matrices into the reduced form."""
    if PRIVATE is None:
        q, upper = np.linalg.qr(x)
        return q, upper
    wide = x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
    scales = PRIVATE.qr_r_raw(wide)  # which writes into its operand
    q = PRIVATE.qr_reduced(wide, scales)
    rows, columns = x.shape[-2:]
    wide = wide[..., : min(rows, columns), :]
    upper = np.where(below_diagonal(*wide.shape[-2:]), wide.dtype.type(0), wide)
    return q.astype(x.dtype, copy=False), upper.astype(x.dtype, copy=False)


@lru_cache(maxsize=64)
def below_diagonal(rows: int, columns: int, offset: int = 0) -> Buffer:
    """Return a mask of the elements below the diagonal, or below the one that is `offset` rows lower."""
    return np.tri(rows, columns, -1 - offset, np.bool_)


def is_finite(x: Buffer) -> bool:
    """Whether surely no element is infinite or NaN; a sum of squares that overflows leaves it open."""
    return isfinite(vdot(x, x).real)
