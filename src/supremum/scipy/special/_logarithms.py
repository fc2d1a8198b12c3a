"""Functions made of exponentials and logarithms: entropies, logits, sums of exponentials."""

# Decorated definitions have no body.
# mypy: disable-error-code="empty-body"
# pyright: reportReturnType=false
from __future__ import annotations

from typing import Any, Final, Literal, overload

import numpy as np

from supremum._base.boundary import public
from supremum._core.array import Array, ArrayLike, Axis, wrap
from supremum._core.conversion import normalize_axes, promote_operands
from supremum._core.dtype_objects import to_inexact
from supremum._core.reduction_rows import where_mask
from supremum._functions import _softmaxes, where as choosing
from supremum._functions.elementwise.exponential import exp
from supremum._functions.elementwise.floating import isfinite
from supremum._kernels import special_functions as k
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES
from supremum.scipy._evaluation import INEXACT, special_function

__all__ = [
    "boxcox", "boxcox1p", "entr", "expit", "kl_div", "log_softmax", "logit", "logsumexp", "rel_entr", "softmax", "xlog1py",
    "xlogy",
]  # fmt: skip

# Slopes of entropies; what lies behind the conditions has no infinite slope of its own.
_POSITIVE: Final = "(p > 0) & (q > 0)"
_QUOTIENT: Final = "where(p > 0, p, 1) / where(q > 0, q, 1)"
_LOGARITHM: Final = f"log({_QUOTIENT})"


def _boxcox_parts(xp: Any, x: Any, lmbda: Any) -> Any:
    zero = xp.equal(lmbda, 0)
    safe = xp.where(zero, 1, lmbda)
    return xp.where(zero, xp.log(x), xp.expm1(safe * xp.log(x)) / safe)


@special_function(INEXACT, k.boxcox, "biufc", parts=_boxcox_parts)
def boxcox(x: ArrayLike, lmbda: ArrayLike) -> Array:
    """Compute the Box-Cox transformation: ``(x**lmbda - 1) / lmbda``, or ``log(x)`` where ``lmbda`` is 0.

    Parameters
    ----------
    x, lmbda

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.boxcox(4.0, 0.5)
    Array(2., dtype=float32, weak_type=True)
    """


def _boxcox1p_parts(xp: Any, x: Any, lmbda: Any) -> Any:
    zero = xp.equal(lmbda, 0)
    safe = xp.where(zero, 1, lmbda)
    return xp.where(zero, xp.log1p(x), xp.expm1(safe * xp.log1p(x)) / safe)


@special_function(INEXACT, k.boxcox1p, "biufc", parts=_boxcox1p_parts)
def boxcox1p(x: ArrayLike, lmbda: ArrayLike) -> Array:
    """Compute the Box-Cox transformation of ``1 + x``.

    Parameters
    ----------
    x, lmbda

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.boxcox1p(3.0, 0.5)
    Array(2., dtype=float32, weak_type=True)
    """


@special_function(INEXACT, k.entr, error=ValueError, slope="-log(x) - 1")
def entr(x: ArrayLike) -> Array:
    """Compute the entropy function, ``-x * log(x)``; 0 where ``x`` is 0, negative infinity below.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.entr(xp.asarray([0.0, 0.5]))
    Array([-0.       ,  0.3465736], dtype=float32)
    """


@special_function(INEXACT, k.expit, "biufc", slope="out * (1 - out)")
def expit(x: ArrayLike) -> Array:
    """Compute the logistic function, ``1 / (1 + exp(-x))``.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.expit(xp.asarray([0.0, 1.0]))
    Array([0.5      , 0.7310586], dtype=float32)
    """


@special_function(
    INEXACT,
    k.kl_div,
    error=ValueError,
    slope=(f"where({_POSITIVE}, {_LOGARITHM}, -1)", f"where({_POSITIVE}, 1 - {_QUOTIENT}, 1)"),
)
def kl_div(p: ArrayLike, q: ArrayLike) -> Array:
    """Compute the Kullback-Leibler divergence, ``p * log(p / q) - p + q``.

    Parameters
    ----------
    p, q

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.kl_div(0.5, 0.5)
    Array(0., dtype=float32, weak_type=True)
    """


@public(composed=True)
def log_softmax(x: ArrayLike, /, *, axis: Axis = None) -> Array:
    """Compute the logarithm of `softmax`.

    Parameters
    ----------
    x, axis : array_like
        As for `softmax`.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.log_softmax(xp.zeros(2)).round(3)
    Array([-0.693, -0.693], dtype=float32)
    """
    return _softmaxes.log_softmax(x, axis)


@special_function(INEXACT, k.logit, "biufc", slope="1 / (x * (1 - x))")
def logit(x: ArrayLike) -> Array:
    """Compute the inverse logistic function, ``log(x / (1 - x))``.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.logit(xp.asarray([0.25, 0.5]))
    Array([-1.0986123,  0.       ], dtype=float32)
    """


def _logsumexp_parts(
    xp: Any, a: Any, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False, where: Any = None
) -> Any:
    a = a if b is None else xp.where(xp.equal(b, 0), -xp.inf, a)
    masked = {} if where is None and a.size else {"where": where, "initial": -xp.inf}
    top = xp.jax.lax.stop_gradient(xp.max(xp.real(a) if xp.iscomplexobj(a) else a, axis, keepdims=True, **masked))
    top = xp.where(xp.isfinite(top), top, 0)
    a = a if where is None else xp.where(where, a, top)  # what does not count is finite
    each = xp.exp(a - top) if b is None else b * xp.exp(a - top)
    total = xp.sum(each, axis, keepdims=True, where=where)
    found = xp.log(xp.abs(total) if return_sign else total) + top
    if b is not None and not return_sign and not xp.iscomplexobj(total):  # NaN, which has no slope
        found = xp.where(total < 0, xp.nan, found)
    sign = xp.sign(total) if return_sign else None
    if not keepdims:
        found = xp.squeeze(found, axis)
        sign = xp.squeeze(sign, axis) if return_sign else None
    return (found, sign) if return_sign else found


@overload
def logsumexp(
    a: ArrayLike, axis: Axis = None, b: ArrayLike | None = None, keepdims: bool = False, return_sign: Literal[False] = False,
    where: ArrayLike | None = None,
) -> Array: ...  # fmt: skip
@overload
def logsumexp(
    a: ArrayLike, axis: Axis = None, b: ArrayLike | None = None, keepdims: bool = False, *, return_sign: Literal[True],
    where: ArrayLike | None = None,
) -> tuple[Array, Array]: ...  # fmt: skip
@public(role="inexact", axis="axis", none="all", aligned="b", parts=_logsumexp_parts, exact=True)
def logsumexp(
    a: ArrayLike, axis: Axis = None, b: ArrayLike | None = None, keepdims: bool = False, return_sign: bool = False,
    where: ArrayLike | None = None,
) -> Array | tuple[Array, Array]:  # fmt: skip
    """Compute the logarithm of a sum of exponentials without overflow.

    Parameters
    ----------
    a : array_like
        The exponents.
    axis : int or tuple of int, optional
        The axes to reduce; all axes if omitted.
    b : array_like, optional
        Factors of the exponentials.
    keepdims : bool
        Whether to keep the reduced axes with length 1.
    return_sign : bool
        Whether to return the sign of the sum too, which factors may make negative.
    where : array_like of bool, optional
        The elements to include.

    Returns
    -------
    Array or tuple of Array
        The logarithms; with their signs if `return_sign` is true.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.logsumexp(xp.asarray([1000.0, 1000.0])).round(3)
    Array(1000.693, dtype=float32)
    """
    node, buffers = promote_operands("logsumexp", *((a,) if b is None else (a, b)))
    node = to_inexact(node).strong
    exponents, *factors = [cast(data, node.wide) for data in buffers]
    if factors:
        exponents, *factors = np.broadcast_arrays(exponents, *factors)
    axes = normalize_axes(axis, exponents.ndim, "logsumexp")
    mask = where_mask(where, "logsumexp")
    for factor in factors:
        exponents = np.where(factor != 0, exponents, exponents.dtype.type(-np.inf))
    real = node.wide.real
    top = _softmaxes.largest("logsumexp", wrap(np.real(exponents), real), axes, mask)
    largest = choosing.where(isfinite(top), top, 0)._data
    # Complex numbers and the real shift do not promote implicitly under all settings.
    powers = np.exp(exponents - largest) if node.kind == "c" else exp(wrap(exponents, real) - wrap(largest, real))._data
    for factor in factors:
        powers = powers * factor
    total = _softmaxes.total(wrap(powers, NODES[powers.dtype.name]), axes, mask)._data
    out = np.log(np.abs(total) if return_sign else total) + largest
    if not keepdims:
        out = out.squeeze(axes)
    if not return_sign:
        return wrap(cast(np.asarray(out), node), node)
    sign = np.sign(total if keepdims else total.squeeze(axes))
    return wrap(cast(np.asarray(out), node.real), node.real), wrap(cast(np.asarray(sign), node), node)


@special_function(
    INEXACT,
    k.rel_entr,
    error=ValueError,
    slope=(f"where({_POSITIVE}, {_LOGARITHM} + 1, 0)", f"where({_POSITIVE}, -{_QUOTIENT}, 0)"),
)
def rel_entr(p: ArrayLike, q: ArrayLike) -> Array:
    """Compute the relative entropy, ``p * log(p / q)``.

    Parameters
    ----------
    p, q

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.rel_entr(0.5, 0.25)
    Array(0.3465736, dtype=float32, weak_type=True)
    """


@public(composed=True)
def softmax(x: ArrayLike, /, *, axis: Axis = None) -> Array:
    """Compute exponentials divided by their sum.

    Parameters
    ----------
    x : array_like
        The exponents.
    axis : int or tuple of int, optional
        The axes to sum over; all axes if omitted.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.softmax(xp.zeros(4))
    Array([0.25, 0.25, 0.25, 0.25], dtype=float32)
    """
    return _softmaxes.softmax(x, axis)


@special_function(INEXACT, k.xlog1py, "biufc", special={"c": k.times_log1p}, slope=("log1p(y)", "x / (1 + y)"))
def xlog1py(x: ArrayLike, y: ArrayLike) -> Array:
    """Compute ``x * log(1 + y)``; 0 where ``x`` is 0.

    Parameters
    ----------
    x, y

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.xlog1py(2.0, 0.0)
    Array(0., dtype=float32, weak_type=True)
    """


@special_function(INEXACT, k.xlogy, "biufc", special={"c": k.times_log}, slope=("log(y)", "x / y"))
def xlogy(x: ArrayLike, y: ArrayLike) -> Array:
    """Compute ``x * log(y)``; 0 where ``x`` is 0.

    Parameters
    ----------
    x, y

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.special.xlogy(0.0, 0.0)
    Array(0., dtype=float32, weak_type=True)
    """
