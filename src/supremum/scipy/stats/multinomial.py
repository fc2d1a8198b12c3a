"""The multinomial distribution."""

from __future__ import annotations

from collections.abc import Callable

from supremum._base.boundary import publish
from supremum._base.buffers import Buffer
from supremum._core.arguments import promote_operands
from supremum._core.array import wrap
from supremum._kernels.casts import cast
from supremum.scipy.stats._evaluation import Array, ArrayLike, exp_of, k, np, promoted, times_log

__all__ = ["logpmf", "pmf"]


def _log_mass(x: Buffer, n: Buffer, p: Buffer) -> Buffer:
    value = k.log_gamma(n + 1) + (times_log(x, p) - k.log_gamma(x + 1)).sum(-1)
    return np.where(x.sum() == n, value, -np.inf)


def _evaluate(function: str, kernel: Callable[..., Buffer], x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Array:
    node, counts = promote_operands(function, x, n)
    if node.kind not in "iu":
        raise ValueError(f"{function}: x and n must be integers, got {node.dtype}")
    result, (probabilities,) = promoted(function, p)
    found = kernel(*[data.astype(np.float64) for data in counts], probabilities)
    return wrap(cast(np.asarray(found), result), result)


def logpmf(x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Array:
    """Compute the logarithm of the probabilities of the multinomial distribution.

    Parameters
    ----------
    x : array_like of int
        How often each outcome occurred, along the last axis.
    n : array_like of int
        The number of trials.
    p : array_like
        The probabilities of the outcomes.

    Returns
    -------
    Array
        The logarithms; minus infinity if the counts do not sum to the number of trials.

    Examples
    --------
    >>> import supremum as xp
    >>> from supremum.scipy.stats import multinomial
    >>> multinomial.logpmf(xp.asarray([1, 2]), 3, xp.asarray([0.25, 0.75]))
    Array(-0.8630462, dtype=float32)
    """
    return _evaluate("multinomial.logpmf", _log_mass, x, n, p)


def pmf(x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Array:
    """Compute the probabilities of the multinomial distribution.

    Parameters
    ----------
    x, n, p
        As for `logpmf`.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> import supremum as xp
    >>> from supremum.scipy.stats import multinomial
    >>> multinomial.pmf(xp.asarray([1, 2]), 3, xp.asarray([0.25, 0.75]))
    Array(0.421875, dtype=float32)
    """
    return _evaluate("multinomial.pmf", exp_of(_log_mass), x, n, p)


publish(__name__)
