"""The functions of ``jax.test_util``: derivatives are compared with differences."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from supremum.jax._gradients import jvp, linearize, vjp
from supremum.jax._values import as_leaf, float0
from supremum.jax.tree_util import tree_leaves, tree_map

_EPS: Final = 1e-4
#: The errors that are allowed for dtypes, of values and of differences.
_TOLERANCES: Final = {
    "bfloat16": (1e-2, 1e-1), "float16": (1e-3, 1e-2), "float32": (1e-6, 2e-3), "float64": (1e-15, 1e-5),
    "complex64": (1e-6, 1e-3), "complex128": (1e-15, 1e-5),
}  # fmt: skip


def _tolerance(given: Any, differences: bool, *dtypes: Any) -> float:
    """Return the error that is allowed for results of dtypes: the number that is given, or the largest of their rows."""
    if given is not None and not isinstance(given, dict):
        return float(given)
    table = {str(np.dtype(name)): (x, x) for name, x in (given or {}).items()}
    return max({**_TOLERANCES, **table}.get(str(dtype), (0.0, 0.0))[differences] for dtype in dtypes)


def check_close(xs: Any, ys: Any, atol: Any = None, rtol: Any = None, err_msg: str = "", *, differences: bool = False) -> None:
    """Raise AssertionError if the leaves of two trees are not close; the errors that are allowed grow with their sizes.

    Parameters
    ----------
    xs, ys : pytree
        The trees.
    atol, rtol : float or dict, optional
        The error that is allowed, or one for each dtype.
    err_msg : str
        What is compared, for messages.
    differences : bool
        Whether the errors of differences are allowed where none are given.
    """

    def check(x: Any, y: Any) -> None:
        x, y = np.asarray(x), np.asarray(y)
        if float0 in (x.dtype, y.dtype):
            assert x.shape == y.shape, f"{err_msg}: shapes {x.shape} and {y.shape}"  # noqa: S101 - it is a test
            return
        allowed = [_tolerance(given, differences, x.dtype, y.dtype) * (x.size or 1) for given in (atol, rtol)]
        x, y = (z if z.dtype.kind in "biu" else z.astype(np.result_type(z.dtype, np.float64)) for z in (x, y))
        np.testing.assert_allclose(x, y, atol=allowed[0], rtol=allowed[1], err_msg=err_msg)

    tree_map(check, xs, ys)


_compare: Final = functools.partial(check_close, differences=True)


def _random(rng: np.random.RandomState, x: Any) -> Any:
    """Return random numbers of the shape and the dtype of a leaf."""
    if getattr(x, "dtype", None) == float0:
        return x
    leaf = as_leaf(x)
    if leaf._node.kind not in "fc":
        return np.zeros(leaf.shape, float0)
    numbers: Any = rng.randn(*leaf.shape)
    if leaf._node.kind == "c":
        numbers = numbers + 1j * rng.randn(*leaf.shape)
    return np.asarray(numbers).astype(np.asarray(leaf).dtype)


def _moved(step: float, x: Any, t: Any) -> Any:
    if getattr(t, "dtype", None) == float0:
        return x
    found = np.asarray(x)
    return np.asarray(found + np.asarray(step * t, found.dtype), found.dtype)


def _difference(f: Callable[..., Any], primals: Any, tangents: Any, eps: float) -> Any:
    """Return the tangent of a function by a central difference."""
    above, below = (f(*tree_map(functools.partial(_moved, step), primals, tangents)) for step in (eps, -eps))

    def slope(x: Any, y: Any) -> Any:
        x, y = np.asarray(x), np.asarray(y)
        if x.dtype.kind in "biuV":
            return np.zeros(x.shape, float0)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.where(x == y, 0, x - y) * (0.5 / eps), x.dtype)

    return tree_map(slope, above, below)


def check_jvp(
    f: Callable[..., Any],
    f_jvp: Callable[..., Any],
    args: Any,
    atol: Any = None,
    rtol: Any = None,
    eps: float = _EPS,
    err_msg: str = "",
) -> None:
    """Raise AssertionError unless forward derivatives along a random tangent are near differences.

    Parameters
    ----------
    f : callable
        The function.
    f_jvp : callable
        Of the arguments and tangents, returns the value and its tangent, as ``functools.partial(jax.jvp, f)`` does.
    args : tuple
        Where to compare.
    atol, rtol : float or dict, optional
        The error that is allowed, or one for each dtype.
    eps : float
        The step.
    err_msg : str
        What is compared, for messages.
    """
    tangents = tree_map(functools.partial(_random, np.random.RandomState(0)), args)
    value, moved = f_jvp(args, tangents)
    message = f"{err_msg} " if err_msg else ""
    _compare(value, f(*args), atol, rtol, f"{message}primal")
    _compare(moved, _difference(f, args, tangents, eps), atol, rtol, f"{message}tangent")


def check_vjp(
    f: Callable[..., Any],
    f_vjp: Callable[..., Any],
    args: Any,
    atol: Any = None,
    rtol: Any = None,
    eps: float = _EPS,
    err_msg: str = "",
) -> None:
    """Raise AssertionError unless backward derivatives along a random cotangent are near differences.

    Parameters
    ----------
    f, args, atol, rtol, eps, err_msg
        As for `check_jvp`.
    f_vjp : callable
        Of the arguments, returns the value and the function of cotangents, as ``functools.partial(jax.vjp, f)`` does.
    """
    rng = np.random.RandomState(0)
    value, back = f_vjp(*args)
    message = f"{err_msg} " if err_msg else ""
    _compare(value, f(*args), atol, rtol, f"{message}primal")
    tangents = tree_map(functools.partial(_random, rng), args)
    moved = _difference(f, args, tangents, eps)
    cotangents = tree_map(functools.partial(_random, rng), value)
    found = tree_map(_conj, back(tree_map(_conj, cotangents)))
    _compare(_product(tangents, found), _product(moved, cotangents), atol, rtol, f"{message}cotangent projection")


def _conj(x: Any) -> Any:
    return x if x.dtype == float0 else np.conj(x)


def _product(xs: Any, ys: Any) -> Any:
    """Return the real part of the inner product of two trees."""
    pairs = zip(tree_leaves(xs), tree_leaves(ys), strict=True)
    products = [np.vdot(np.asarray(x), np.asarray(y)) for x, y in pairs if x.dtype != float0]
    return np.real(sum(products[1:], products[0])) if products else np.zeros(())


def check_grads(
    f: Callable[..., Any],
    args: Any,
    order: int,
    modes: Sequence[str] = ("fwd", "rev"),
    atol: Any = None,
    rtol: Any = None,
    eps: float | None = None,
) -> None:
    """Raise AssertionError unless derivatives up to an order are near differences.

    Parameters
    ----------
    f, args, atol, rtol, eps
        As for `check_jvp`.
    order : int
        The order of derivatives.
    modes : sequence of str
        Any of ``"fwd"``, ``"rev"`` and ``"lin"``.

    Examples
    --------
    >>> from supremum import jax
    >>> jax.test_util.check_grads(jax.numpy.sin, (0.5,), order=2)
    """
    checks: dict[str, tuple[str, Any, Callable[..., Any]]] = {
        "fwd": ("JVP", check_jvp, lambda f: functools.partial(jvp, f)),
        "rev": ("VJP", check_vjp, lambda f: functools.partial(vjp, f)),
        "lin": ("LIN", check_jvp, lambda f: functools.partial(_linearized, f)),
    }

    def back(f: Callable[..., Any], *args: Any) -> Any:
        value, pull = vjp(f, *args)
        return pull(value)

    def check(f: Callable[..., Any], args: Any, order: int, message: str) -> None:
        for mode, (word, one, derived) in checks.items():
            if mode not in modes:
                continue
            said = f"{word} of {message}" if message else word
            one(f, derived(f), args, atol=atol, rtol=rtol, eps=eps or _EPS, err_msg=said)
            if order > 1 and mode == "rev":
                check(functools.partial(back, f), args, order - 1, said)
            elif order > 1:
                check(derived(f), (args, args), order - 1, said)

    check(f, tuple(args), order, "")


def _linearized(f: Callable[..., Any], primals: Any, tangents: Any) -> Any:
    value, forward = linearize(f, *primals)
    return value, forward(*tangents)
