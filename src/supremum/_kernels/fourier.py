"""The seam to NumPy's Fourier transforms: its generalized ufuncs, which `numpy.fft` calls after checks that take longer.

They are private to NumPy. Where they are not as expected, there are no `TRANSFORMS`, and `numpy.fft` does all of the work; a
test notices. Functions here transform the whole of an axis, or of all axes, with the default norm, as `numpy.fft` does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer

_COMPLEX: Final = {np.dtype(x): np.dtype(z) for x, z in ("fF", "dD", "FF", "DD")}
_REAL: Final = {np.dtype(x): np.dtype(r) for x, r in ("ff", "dd", "Ff", "Dd")}
#: The generalized ufuncs, and a loop of each.
_EXPECTED: Final = {"fft": "Ff->F", "ifft": "Ff->F", "irfft": "Ff->f", "rfft_n_even": "ff->F", "rfft_n_odd": "ff->F"}


def _private() -> Any:
    """Return NumPy's module of generalized ufuncs if it has what is expected."""
    try:
        from numpy.fft import _pocketfft_umath as found  # type: ignore[attr-defined]  # which its stubs do not have
    except ImportError:
        return None
    expected = all(loop in getattr(getattr(found, name, None), "types", ()) for name, loop in _EXPECTED.items())
    return found if expected else None


PRIVATE: Final = _private()


@lru_cache(maxsize=256)
def _reciprocal(length: int, dtype: np.dtype[Any]) -> Any:
    return np.reciprocal(length, dtype=dtype)


def _applied(ufunc: np.ufunc, x: Buffer, factor: Any, axis: int, length: int, dtype: np.dtype[Any]) -> Buffer:
    """Transform along an axis, which becomes of a length, and multiply by a factor."""
    if axis in (-1, x.ndim - 1):
        out = np.empty((*x.shape[:-1], length), dtype)
        ufunc(x, factor, out=out)
        return out
    shape = list(x.shape)
    shape[axis] = length
    out = np.empty_like(x, shape=shape, dtype=dtype)
    ufunc(x, factor, axes=[(axis,), (), (axis,)], out=out)
    return out


def _fft(x: Buffer, axis: int) -> Buffer:
    return _applied(PRIVATE.fft, x, 1, axis, x.shape[axis], _COMPLEX[x.dtype])


def _ifft(x: Buffer, axis: int) -> Buffer:
    length = x.shape[axis]
    return _applied(PRIVATE.ifft, x, _reciprocal(length, _REAL[x.dtype]), axis, length, _COMPLEX[x.dtype])


def _rfft(x: Buffer, axis: int, factor: Any = 1) -> Buffer:
    length = x.shape[axis]
    ufunc = PRIVATE.rfft_n_odd if length % 2 else PRIVATE.rfft_n_even
    return _applied(ufunc, x, factor, axis, length // 2 + 1, _COMPLEX[x.dtype])


def _irfft(x: Buffer, axis: int, factor: Any = None) -> Buffer:
    length, dtype = 2 * (x.shape[axis] - 1), _REAL[x.dtype]
    return _applied(PRIVATE.irfft, x, _reciprocal(length, dtype) if factor is None else factor, axis, length, dtype)


def _ihfft(x: Buffer, axis: int) -> Buffer:
    out = _rfft(x, axis, _reciprocal(x.shape[axis], x.dtype))
    return np.conjugate(out, out=out)


def _of_complex(transform: Callable[..., Buffer]) -> Callable[..., Buffer]:
    """Return a transform that takes real numbers too."""

    def of_complex(x: Buffer, axis: int = -1) -> Buffer:
        return transform(x if x.dtype.kind == "c" else x.astype(_COMPLEX[x.dtype]), axis)

    return of_complex


def _of_real(transform: Callable[..., Buffer]) -> Callable[..., Any]:
    """Return a transform that leaves complex numbers to somebody else, who refuses them."""

    def of_real(x: Buffer, axis: int = -1) -> Any:
        return transform(x, axis) if x.dtype.kind == "f" else NotImplemented

    return of_real


def _over_all(along: Callable[[Buffer, int], Buffer], last: Callable[[Buffer, int], Buffer]) -> Callable[..., Buffer]:
    """Return the transform over all axes of which the last one comes first."""

    def over_all(x: Buffer, _axis: int) -> Buffer:
        x = last(x, x.ndim - 1)
        for axis in range(x.ndim - 2, -1, -1):
            x = along(x, axis)
        return x

    return over_all


def _irfftn(x: Buffer, _axis: int) -> Buffer:
    for axis in range(x.ndim - 1):
        x = _ifft(x, axis)
    return _irfft(x, x.ndim - 1)


#: By the names in `numpy.fft`; those along one axis take it, the others transform over all axes.
TRANSFORMS: Final[dict[str, Callable[..., Any]]] = (
    {}
    if PRIVATE is None
    else {
        "fft": _of_complex(_fft),
        "ifft": _of_complex(_ifft),
        "rfft": _of_real(_rfft),
        "irfft": _of_complex(_irfft),
        "hfft": _of_complex(lambda x, axis: _irfft(np.conjugate(x), axis, 1)),
        "ihfft": _of_real(_ihfft),
        "fftn": _of_complex(_over_all(_fft, _fft)),
        "ifftn": _of_complex(_over_all(_ifft, _ifft)),
        "rfftn": _of_real(_over_all(_fft, _rfft)),
        "irfftn": _of_complex(_irfftn),
    }
)
