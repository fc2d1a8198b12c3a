"""Polynomials as arrays of coefficients, highest power first."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from supremum._base.errors import ShapeError, shown, whole
from supremum._core.arguments import Buffer, strong
from supremum._core.array import Array, wrap
from supremum._core.boundary import publish
from supremum._core.conversion import operands
from supremum._core.dtypes import complex_of, finfo, real_of
from supremum._core.reductions import accumulator
from supremum._core.settings import state
from supremum._functions.linear_algebra._matrices import inexact, promoted, robust, rounded
from supremum._functions.linear_algebra._solvers import inverse, least_squares
from supremum.promotion._nodes import concrete_weak

__all__ = ["poly", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub", "polyval", "roots"]


def _check_vector(function: str, *buffers: Buffer) -> None:
    for data in buffers:
        if data.ndim != 1:
            raise ShapeError(f"{function} needs 1-d arrays of coefficients, got shape {data.shape}")


def _order(function: str, name: str, value: Any) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        msg = f"{function}: {name} must be an integer, got {shown(value)}"
        raise TypeError(msg) from None
    if number < 0:
        msg = f"{function}: {name} must not be negative, got {number}"
        raise ValueError(msg)
    return number


def poly(seq_of_zeros: Any) -> Array:
    """Polynomial with given roots, or the characteristic polynomial of a matrix.

    Parameters
    ----------
    seq_of_zeros : Array
        The roots, or a square matrix.

    Returns
    -------
    Array
        The coefficients, the first of them 1.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.poly(xp.asarray([1.0, 2.0]))
    Array([ 1., -3.,  2.], dtype=float32)
    """
    node, (zeros,) = inexact("poly", seq_of_zeros)
    node = strong(node)
    if zeros.ndim == 2 and zeros.shape[0] == zeros.shape[1] and zeros.size:
        node = complex_of(node)
        zeros = robust(np.linalg.eigvals, zeros).astype(accumulator(node).dtype)
    zeros = np.atleast_1d(zeros)
    if zeros.ndim != 1:
        raise ShapeError(f"poly needs a 1-d array of roots or a square matrix, got shape {zeros.shape}")
    coefficients = np.ones(1, zeros.dtype)
    for zero in zeros:
        coefficients = np.convolve(coefficients, np.array([1, -zero], zeros.dtype))
    return rounded(coefficients if len(zeros) else coefficients[0], node)


def polyadd(a1: Any, a2: Any) -> Array:
    """Sum of two polynomials.

    Parameters
    ----------
    a1, a2 : Array
        The coefficients.

    Returns
    -------
    Array
        The coefficients of the sum.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.polyadd(xp.asarray([1, 2, 3]), xp.asarray([4, 5]))
    Array([1, 6, 8], dtype=int32)
    """
    return _sum("polyadd", a1, a2, np.add)


def polysub(a1: Any, a2: Any) -> Array:
    """Difference of two polynomials.

    Parameters
    ----------
    a1, a2 : Array
        The coefficients.

    Returns
    -------
    Array
        The coefficients of the difference.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.polysub(xp.asarray([1, 2, 3]), xp.asarray([4, 5]))
    Array([ 1, -2, -2], dtype=int32)
    """
    return _sum("polysub", a1, a2, np.subtract)


def _sum(function: str, a1: Any, a2: Any, ufunc: np.ufunc) -> Array:
    node, (a, b) = promoted(function, a1, a2)
    _check_vector(function, a, b)
    if node.kind == "b":
        msg = f"{function} does not accept dtype bool; cast with .astype(int)"
        raise TypeError(msg)
    length = max(len(a), len(b))
    first, second = (np.concatenate([np.zeros(length - len(x), x.dtype), x]) for x in (a, b))
    return rounded(ufunc(first, second), node)


def polyder(p: Any, m: int = 1) -> Array:
    """Derivative of a polynomial.

    Parameters
    ----------
    p : Array
        The coefficients.
    m : int
        How often to differentiate.

    Returns
    -------
    Array
        The coefficients of the derivative.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.polyder(xp.asarray([1.0, 2.0, 3.0]))
    Array([2., 2.], dtype=float32)
    """
    node, (data,) = inexact("polyder", p)
    times = _order("polyder", "m", m)
    _check_vector("polyder", data)
    if not times:
        return rounded(data, node)
    factors = _falling(len(data), times, data.dtype)
    return rounded(data[: max(len(data) - times, 0)] * factors, strong(node))


def _falling(count: int, times: int, dtype: np.dtype[Any]) -> Buffer:
    """Give the factors that the coefficients gain when a polynomial of `count` coefficients is differentiated."""
    powers = np.arange(count - 1, times - 1, -1)
    return np.asarray((powers[:, None] - np.arange(times)).astype(dtype).prod(1), dtype)


def polyint(p: Any, m: int = 1, k: Any = None) -> Array:
    """Integral of a polynomial.

    Parameters
    ----------
    p : Array
        The coefficients.
    m : int
        How often to integrate.
    k : float or Array, optional
        The constants of integration: one, or one for each time; 0 by default.

    Returns
    -------
    Array
        The coefficients of the integral.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.polyint(xp.asarray([2.0, 2.0]), k=3)
    Array([1., 2., 3.], dtype=float32)
    """
    node, (data, constants) = inexact("polyint", p, 0 if k is None else k)
    times = _order("polyint", "m", m)
    constants = np.atleast_1d(constants)
    if constants.shape == (1,):
        constants = np.broadcast_to(constants, (times,))
    if constants.shape != (times,):
        msg = f"polyint: k must be a number or {times} of them, got shape {constants.shape}"
        raise ValueError(msg)
    _check_vector("polyint", data)
    if not times:
        return rounded(data, node)
    # The constants are differentiated away: of what multiplies them, only the part that is no constant's own counts.
    grid = np.arange(len(data) + times)[None] - np.arange(times)[:, None]
    factors = np.maximum(1, grid).astype(data.dtype).prod(0)[::-1]
    return rounded(np.concatenate([data, constants]) / factors, strong(node))


def polymul(a1: Any, a2: Any, *, trim_leading_zeros: bool = False) -> Array:
    """Product of two polynomials.

    Parameters
    ----------
    a1, a2 : Array
        The coefficients.
    trim_leading_zeros : bool
        Whether to drop leading zeros first.

    Returns
    -------
    Array
        The coefficients of the product.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.polymul(xp.asarray([1.0, 2.0]), xp.asarray([1.0, -2.0]))
    Array([ 1.,  0., -4.], dtype=float32)
    """
    node, (a, b) = inexact("polymul", a1, a2)
    _check_vector("polymul", a, b)
    if trim_leading_zeros and (len(a) > 1 or len(b) > 1):
        a, b = (np.trim_zeros(x, "f") for x in (a, b))
    a, b = (x if len(x) else np.zeros(1, x.dtype) for x in (a, b))
    return rounded(np.convolve(a, b), node)


def polydiv(u: Any, v: Any, *, trim_leading_zeros: bool = False) -> tuple[Array, Array]:
    """Quotient and remainder of two polynomials.

    Parameters
    ----------
    u, v : Array
        The coefficients of dividend and divisor.
    trim_leading_zeros : bool
        Whether to drop leading zeros of the remainder.

    Returns
    -------
    tuple of Array
        The coefficients of quotient and remainder.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.polydiv(xp.asarray([1.0, 3.0, 5.0]), xp.asarray([1.0, 1.0]))
    (Array([1., 2.], dtype=float32), Array([0., 0., 3.], dtype=float32))
    """
    node, (dividend, divisor) = inexact("polydiv", u, v)
    _check_vector("polydiv", dividend, divisor)
    if not len(divisor):
        msg = "polydiv: the divisor has no coefficients"
        raise IndexError(msg)
    rest, degree = dividend.copy(), len(divisor) - 1
    quotient = np.zeros(max(len(rest) - degree, 1), rest.dtype)
    scale = 1 / divisor[0]
    for k in range(len(rest) - degree):
        quotient[k] = scale * rest[k]
        rest[k : k + degree + 1] -= quotient[k] * divisor
    if trim_leading_zeros:
        # NaN is not negligible, and a comparison with it is False.
        significant = np.nonzero(~(np.abs(rest) < np.sqrt(np.finfo(rest.dtype).eps)))[0]
        rest = rest[significant[0] if len(significant) else len(rest) :]
    return rounded(quotient, strong(node)), rounded(rest, node)


def polyval(p: Any, x: Any, *, unroll: int = 16) -> Array:  # noqa: ARG001 - a choice between XLA's loops
    """Values of a polynomial.

    Parameters
    ----------
    p : Array
        The coefficients, along the first axis.
    x : Array
        Where to evaluate.
    unroll : int
        Accepted for JAX's sake.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.polyval(xp.asarray([1, 2, 3]), xp.asarray([1, 10]))
    Array([  6, 123], dtype=int32)
    """
    node, (coefficients, places) = promoted("polyval", p, x)
    if not coefficients.ndim:
        raise ShapeError("polyval needs an array of coefficients, got a 0-d array")
    try:
        shape = np.broadcast_shapes(coefficients.shape[1:], places.shape)
    except ValueError:
        raise ShapeError(f"polyval: the shapes {coefficients.shape} and {places.shape} do not match") from None
    value = np.zeros(shape, places.dtype)
    for coefficient in coefficients:
        value = value * places + coefficient
    return rounded(value, strong(node))


def roots(p: Any, *, strip_zeros: bool = True) -> Array:
    """Roots of a polynomial.

    Parameters
    ----------
    p : Array
        The coefficients.
    strip_zeros : bool
        Whether to drop leading zeros first; else there is a NaN for each of them.

    Returns
    -------
    Array
        The roots, complex.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.roots(xp.asarray([1.0, 1.0, -6.0]))
    Array([-3.+0.j,  2.+0.j], dtype=complex64)
    """
    node, (data,) = inexact("roots", p)
    result = complex_of(strong(node))
    data = np.atleast_1d(data)
    _check_vector("roots", data)
    significant = np.nonzero(data)[0]
    leading = int(significant[0]) if len(significant) else len(data)
    found = _companion_roots(data[leading:])
    if not strip_zeros:
        found = found[np.argsort(found == 0, kind="stable")]
        missing = max(len(data) - 1, 0) - len(found)
        found = np.concatenate([found, np.full(missing, complex(np.nan, np.nan))])
    return rounded(found.astype(accumulator(result).dtype), result)


def _companion_roots(p: Buffer) -> Buffer:
    """Give the eigenvalues of the companion matrix."""
    if len(p) < 2:
        return np.zeros(0, np.complex64)
    companion = np.eye(len(p) - 1, k=-1, dtype=p.dtype)
    companion[0] = -p[1:] / p[0]
    return np.asarray(robust(np.linalg.eigvals, companion))


def polyfit(x: Any, y: Any, deg: int, rcond: Any = None, full: bool = False, w: Any = None, cov: Any = False) -> Any:
    """Polynomial of least squares through points.

    Parameters
    ----------
    x : Array
        The places, floating-point.
    y : Array
        The values: 1-d, or a column for each polynomial.
    deg : int
        The degree.
    rcond : float, optional
        Singular values below this times the largest count as zero.
    full : bool
        Whether to give residuals, rank, singular values and `rcond` too.
    w : Array, optional
        Weights of the residuals before they are squared.
    cov : bool or "unscaled"
        Whether to give the covariances of the coefficients too.

    Returns
    -------
    Array or tuple of Array
        The coefficients, and what was asked for.

    Examples
    --------
    >>> import supremum as xp
    >>> fit = xp.polyfit(xp.asarray([0.0, 1.0, 2.0]), xp.asarray([1.0, 3.0, 5.0]), 1)
    >>> xp.allclose(fit, xp.asarray([2.0, 1.0]), atol=1e-5)
    Array(True, dtype=bool)
    """
    given = operands("polyfit", x, y) if w is None else operands("polyfit", x, y, w)
    count = whole(deg, "deg", "polyfit") + 1
    _check_points(given, count)
    tolerance = _tolerance(given[0], rcond)
    given[0] = wrap(given[0]._data, strong(given[0]._node))  # the matrix of powers is strong, also of a weak x
    node, buffers = inexact("polyfit", *given)
    places, values = buffers[0], buffers[1]
    # NumPy gives powers in float64: what float32 loses in the normal equations is not lost here.
    design = np.vander(places, count)
    if w is not None:
        design = design * buffers[2][:, None]
        values = values * (buffers[2][:, None] if values.ndim == 2 else buffers[2])
    scale = np.sqrt((design * design).sum(0))
    design = design / scale
    columns = values if values.ndim == 2 else values[:, None]
    solution, singular, rank = least_squares(design, columns, tolerance)
    residuals = np.square(np.abs(columns - design @ solution)).sum(0)
    solution = solution / scale[:, None]
    result, real = strong(node), strong(real_of(node))
    fit = rounded(solution if values.ndim == 2 else solution[:, 0], result)
    if full:
        here = state()
        default = concrete_weak(here.float_)
        return (
            fit, rounded(residuals, real), wrap(np.asarray(rank, here.int_.dtype), here.int_), rounded(singular, real),
            wrap(np.asarray(tolerance, default.dtype), default),
        )  # fmt: skip
    if not cov:
        return fit
    base = inverse(design.T @ design) / np.outer(scale, scale)
    return fit, rounded(_scaled(base, residuals, len(places) - count, cov, values.ndim), result)


def _scaled(base: Buffer, residuals: Buffer, free: int, cov: Any, rank: int) -> Buffer:
    """Scale covariances by the variance of the residuals."""
    if cov == "unscaled":
        factor = np.ones(1, residuals.dtype)
    elif free <= 0:
        msg = "polyfit: the covariance needs more points than coefficients; use cov='unscaled'"
        raise ValueError(msg)
    else:
        factor = residuals / residuals.dtype.type(free)
    return np.asarray(base * factor if rank == 1 else base[:, :, None] * factor)


def _check_points(given: list[Array], count: int) -> None:
    """Check what `polyfit` is given."""
    x, y = given[0], given[1]
    if count < 1:
        msg = f"polyfit: deg must not be negative, got {count - 1}"
        raise ValueError(msg)
    if x.ndim != 1 or not x.size or y.ndim not in (1, 2) or x.shape[0] != y.shape[0]:
        msg = f"polyfit needs a 1-d x with elements, and a y with as many rows, got shapes {x.shape} and {y.shape}"
        raise TypeError(msg)
    if len(given) == 3 and given[2].shape != x.shape:
        msg = f"polyfit: w needs a weight for each point, got shape {given[2].shape} for {x.shape[0]} points"
        raise TypeError(msg)


def _tolerance(x: Array, rcond: Any) -> float:
    if rcond is not None:
        return float(rcond)
    if x._node.kind not in "fc":
        msg = f"polyfit: x must be floating-point where rcond is not given, got dtype {x.dtype}; cast it with .astype(float)"
        raise ValueError(msg)
    limits: Any = finfo(x.dtype)
    return len(x) * float(limits.eps)


publish(__name__)
