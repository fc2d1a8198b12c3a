"""Polynomials as arrays of coefficients, highest power first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, overload

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import ShapeError, as_count
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import Buffer, operands
from supremum._core.dtype_objects import complex_of, finfo
from supremum._core.reduction_rows import accumulator
from supremum._core.settings import state
from supremum._functions._rounding import node_of, promoted_inexact, rounded_once
from supremum._functions.creation.filled import zeros
from supremum._functions.creation.from_objects import asarray
from supremum._functions.data_types import astype, result_type
from supremum._functions.elementwise.arithmetic import add, subtract
from supremum._functions.linear_algebra._matrices import inexact, robust, rounded
from supremum._functions.linear_algebra._solvers import epsilon, inverse, least_squares
from supremum._functions.manipulation.joining import concatenate
from supremum._functions.manipulation.shapes import atleast_1d, broadcast_shapes, broadcast_to
from supremum._functions.manipulation.splitting import unstack
from supremum._kernels.bounds import nonzero
from supremum._kernels.plain import numeric as plain

__all__ = ["poly", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub", "polyval", "roots"]


def _check_vector(function: str, *buffers: Buffer | Array) -> None:
    for data in buffers:
        if data.ndim != 1:
            raise ShapeError(f"{function} needs 1-d arrays of coefficients, got shape {data.shape}")


@public
def poly(seq_of_zeros: ArrayLike) -> Array:
    """Return the polynomial with given roots, or the characteristic polynomial of a matrix.

    Parameters
    ----------
    seq_of_zeros : array_like
        The roots, or a square matrix.

    Returns
    -------
    Array
        The coefficients, of which the first is 1.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.poly(xp.asarray([1.0, 2.0]))
    Array([ 1., -3.,  2.], dtype=float32)
    """
    node, (zeros,) = inexact("poly", seq_of_zeros)
    node = node.strong
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


@public(plain=Plain(plain.polyadd, arrays=2, kinds="f"), composed=True)
def polyadd(a1: ArrayLike, a2: ArrayLike) -> Array:
    """Add two polynomials.

    Parameters
    ----------
    a1, a2

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
    return _sum("polyadd", a1, a2, add)


@public(plain=Plain(plain.polysub, arrays=2, kinds="f"), composed=True)
def polysub(a1: ArrayLike, a2: ArrayLike) -> Array:
    """Subtract a polynomial from another.

    Parameters
    ----------
    a1, a2

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
    return _sum("polysub", a1, a2, subtract)


def _sum(function: str, a1: Any, a2: Any, combined: Callable[[Array, Array], Array]) -> Array:
    given = operands(function, a1, a2)
    _check_vector(function, *given)
    if {x.dtype.kind for x in given} == {"b"}:
        raise TypeError(f"{function} does not accept dtype bool; cast with .astype(int)")
    missing = [max([y.shape[0] for y in given]) - x.shape[0] for x in given]
    # Truth values promote to what a weak array is.
    longer = [(zeros(n, bool if x.weak_type else x.dtype), x) if n else (x,) for n, x in zip(missing, given, strict=True)]
    return combined(*[concatenate(parts) if parts[1:] else parts[0] for parts in longer])


@public(plain=Plain(plain.polyder, kinds="f"), composed=True)
def polyder(p: ArrayLike, m: int = 1) -> Array:
    """Differentiate a polynomial.

    Parameters
    ----------
    p
    m : int
        The number of times to differentiate.

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
    (x,) = promoted_inexact("polyder", p)
    times = as_count(m, "m", "polyder")
    _check_vector("polyder", x)
    if not times:
        return x
    factors = asarray(plain.falling(x.shape[0], times, node_of(x).wide.dtype))
    return astype(astype(x[: factors.shape[0]], factors.dtype, copy=False) * factors, x.dtype)


@public(plain=Plain(plain.polyint, kinds="f"), composed=True)
def polyint(p: ArrayLike, m: int = 1, k: ArrayLike | None = None) -> Array:
    """Integrate a polynomial.

    Parameters
    ----------
    p
    m : int
        The number of times to integrate.
    k : array_like, optional
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
    alone = k is None and isinstance(p, Array) and node_of(p).kind in "fc"  # some systems promote no Python scalar
    x, *given = promoted_inexact("polyint", p, *(() if alone else (0 if k is None else k,)))
    constants = atleast_1d(given[0]) if given else zeros(1, x.dtype)
    times = as_count(m, "m", "polyint")
    if constants.shape not in ((1,), (times,)):
        raise ValueError(f"polyint: k must be a number or a 1-d array of {times}, got shape {constants.shape}")
    _check_vector("polyint", x)
    if not times:
        return x
    wide = node_of(x).wide.dtype
    divisors = asarray(plain.rising(x.shape[0], times, wide))
    found = concatenate([x, broadcast_to(constants, (times,))])
    return astype(astype(found, wide, copy=False) / divisors, x.dtype)


def _polymul_parts(xp: Any, a1: Any, a2: Any, *, trim_leading_zeros: bool = False) -> Any:
    return NotImplemented if trim_leading_zeros else xp.convolve(a1, a2)


@public(parts=_polymul_parts)
def polymul(a1: ArrayLike, a2: ArrayLike, *, trim_leading_zeros: bool = False) -> Array:
    """Multiply two polynomials.

    Parameters
    ----------
    a1, a2
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


@public
def polydiv(u: ArrayLike, v: ArrayLike, *, trim_leading_zeros: bool = False) -> tuple[Array, Array]:
    """Compute the quotient and the remainder of two polynomials.

    Parameters
    ----------
    u, v : array_like
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
        raise IndexError("polydiv: the divisor has no coefficients")
    rest, degree = dividend.copy(), len(divisor) - 1
    quotient = np.zeros(max(len(rest) - degree, 1), rest.dtype)
    scale = 1 / divisor[0]
    for k in range(len(rest) - degree):
        quotient[k] = scale * rest[k]
        rest[k : k + degree + 1] -= quotient[k] * divisor
    if trim_leading_zeros:
        # NaN is not negligible, and a comparison with it is False.
        significant = np.nonzero(~(np.abs(rest) < np.sqrt(epsilon(rest))))[0]
        rest = rest[significant[0] if len(significant) else len(rest) :]
    return rounded(quotient, node.strong), rounded(rest, node)


@public(sums=True, plain=Plain(plain.polyval, arrays=2, kinds="f", positional=2), composed=True)
def polyval(p: ArrayLike, x: ArrayLike, *, unroll: int = 16) -> Array:  # noqa: ARG001 - a choice between XLA's loops
    """Evaluate a polynomial.

    Parameters
    ----------
    p : array_like
        The coefficients, along the first axis.
    x : array_like
        The numbers to evaluate the polynomial at.
    unroll : int
        Accepted for compatibility with JAX, and without effect.

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
    coefficients, points = operands("polyval", p, x)
    if not coefficients.ndim:
        raise ShapeError("polyval needs an array of coefficients, got a 0-d array")
    dtype = result_type(coefficients, points)
    return _evaluated(astype(points, dtype, copy=False), astype(coefficients, dtype, copy=False))


@rounded_once
def _evaluated(x: Array, coefficients: Array) -> Array:
    """Evaluate a polynomial by Horner's rule."""
    try:
        found = zeros(broadcast_shapes(coefficients.shape[1:], x.shape), x.dtype)
    except ValueError:
        raise ShapeError(f"polyval: the shapes {coefficients.shape} and {x.shape} do not match") from None
    for coefficient in unstack(coefficients) if found.size else ():  # there may be any number that are empty
        found = found * x + coefficient
    return found


@public
def roots(p: ArrayLike, *, strip_zeros: bool = True) -> Array:
    """Compute the roots of a polynomial.

    Parameters
    ----------
    p
    strip_zeros : bool
        Whether to drop leading zeros first; else the result has a NaN for each of them.

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
    result = complex_of(node.strong)
    data = np.atleast_1d(data)
    _check_vector("roots", data)
    significant = nonzero(data)[0]
    leading = int(significant[0]) if len(significant) else len(data)
    values = _companion_roots(data[leading:])
    if not strip_zeros:
        values = values[np.argsort(values == 0, kind="stable")]
        missing = max(len(data) - 1, 0) - len(values)
        values = np.concatenate([values, np.full(missing, complex(np.nan, np.nan))])
    return rounded(values.astype(accumulator(result).dtype), result)


def _companion_roots(p: Buffer) -> Buffer:
    """Return the eigenvalues of the companion matrix."""
    if len(p) < 2:
        return np.zeros(0, np.complex64)
    companion = np.eye(len(p) - 1, k=-1, dtype=p.dtype)
    companion[0] = -p[1:] / p[0]
    return np.asarray(robust(np.linalg.eigvals, companion))


@overload
def polyfit(
    x: ArrayLike, y: ArrayLike, deg: int, rcond: float | None = None,
    full: Literal[False] = False, w: ArrayLike | None = None, cov: Literal[False] = False,
) -> Array: ...  # fmt: skip
@overload
def polyfit(
    x: ArrayLike, y: ArrayLike, deg: int, rcond: float | None = None,
    full: bool = False, w: ArrayLike | None = None, cov: bool | Literal["unscaled"] = False,
) -> Array | tuple[Array, ...]: ...  # fmt: skip
@public
def polyfit(
    x: ArrayLike, y: ArrayLike, deg: int, rcond: float | None = None,
    full: bool = False, w: ArrayLike | None = None, cov: bool | Literal["unscaled"] = False,
) -> Array | tuple[Array, ...]:  # fmt: skip
    """Fit a polynomial to points by least squares.

    Parameters
    ----------
    x : array_like
        The coordinates of the points, floating-point.
    y : array_like
        The values at the points: 1-d, or a column for each polynomial.
    deg : int
        The degree.
    rcond : float, optional
        Singular values below `rcond` times the largest one are treated as zero.
    full : bool
        Whether to return residuals, rank, singular values and `rcond` too.
    w : array_like, optional
        The weights of the residuals, which are applied before they are squared.
    cov : bool or "unscaled"
        Whether to return the covariances of the coefficients too; ``"unscaled"`` for those of residuals of variance 1.

    Returns
    -------
    Array or tuple of Array
        The coefficients, and the further results that `full` or `cov` requests.

    Examples
    --------
    >>> import supremum as xp
    >>> fit = xp.polyfit(xp.asarray([0.0, 1.0, 2.0]), xp.asarray([1.0, 3.0, 5.0]), 1)
    >>> xp.allclose(fit, xp.asarray([2.0, 1.0]), atol=1e-5)
    Array(True, dtype=bool)
    """
    given = operands("polyfit", x, y) if w is None else operands("polyfit", x, y, w)
    count = as_count(deg, "deg", "polyfit") + 1
    _check_points(given)
    tolerance = _tolerance(given[0], rcond)
    given[0] = wrap(given[0]._data, given[0]._node.strong)  # the matrix of powers is strong, also of a weak x
    node, (points, values, *weights) = inexact("polyfit", *given)
    # NumPy returns powers in float64, so that float32 has no rounding errors in the normal equations.
    design = np.vander(points, count)
    for weight in weights:
        design = design * weight[:, None]
        values = values * (weight[:, None] if values.ndim == 2 else weight)
    scale = np.sqrt((design * design).sum(0))
    design = design / scale
    columns = values if values.ndim == 2 else values[:, None]
    solution, singular, rank = least_squares(design, columns, tolerance)
    residuals = np.square(np.abs(columns - design @ solution)).sum(0)
    solution = solution / scale[:, None]
    result, real = node.strong, node.real.strong
    fit = rounded(solution if values.ndim == 2 else solution[:, 0], result)
    if full:
        integers, floats = state().int_, state().float_.weak_form
        ranks = wrap(np.asarray(rank, integers.dtype), integers)
        return fit, rounded(residuals, real), ranks, rounded(singular, real), wrap(np.asarray(tolerance, floats.dtype), floats)
    if not cov:
        return fit
    base = inverse(design.T @ design) / np.outer(scale, scale)
    return fit, rounded(_scaled(base, residuals, len(points) - count, cov, values.ndim), result)


def _scaled(base: Buffer, residuals: Buffer, free: int, cov: Any, rank: int) -> Buffer:
    """Scale covariances by the variance of the residuals."""
    if cov == "unscaled":
        factor = np.ones(1, residuals.dtype)
    elif free <= 0:
        raise ValueError("polyfit: the covariance needs more points than coefficients; use cov='unscaled'")
    else:
        factor = residuals / residuals.dtype.type(free)
    return np.asarray(base * factor if rank == 1 else base[:, :, None] * factor)


def _check_points(given: list[Array]) -> None:
    """Check the arguments of `polyfit`."""
    x, y = given[0], given[1]
    if x.ndim != 1 or not x.size or y.ndim not in (1, 2) or x.shape[0] != y.shape[0]:
        raise TypeError(f"polyfit needs a 1-d x with elements, and a y with as many rows, got shapes {x.shape} and {y.shape}")
    if len(given) == 3 and given[2].shape != x.shape:
        raise TypeError(f"polyfit: w needs a weight for each point, got shape {given[2].shape} for {x.shape[0]} points")


def _tolerance(x: Array, rcond: Any) -> float:
    if rcond is not None:
        return float(rcond)
    if x._node.kind not in "fc":
        msg = f"polyfit: x must be floating-point if rcond is None, got dtype {x.dtype}; cast it with .astype(float)"
        raise ValueError(msg)
    limits: Any = finfo(x.dtype)
    return len(x) * float(limits.eps)
