"""Tools for tests of libraries that use supremum: assertions for all dtypes, and profiles to run a test under.

With pytest, ``pytest_plugins = ["supremum.pytest_plugin"]`` in a ``conftest.py`` provides the fixture `supremum_profile`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from types import ModuleType
from typing import Any, Final

import numpy as np

import supremum
from supremum._base.boundary import traceless
from supremum._base.exceptions import TypePromotionError, as_bool, with_function_name
from supremum._base.functions import without_float_warnings
from supremum._core.array import Array, DTypeLike, NestedArrayLike, wrap
from supremum._core.config import config
from supremum._core.conversion import as_array
from supremum._core.dtype_objects import finfo
from supremum.promotion._nodes import as_node
from supremum.tracing import forbid

__all__ = ["PROFILES", "assert_allclose", "assert_array_equal", "assert_no_promotion", "profile", "tolerance"]

#: The settings of each profile, and the dtypes that promotion must not result in.
PROFILES: Final[dict[str, tuple[dict[str, Any], tuple[str, ...]]]] = {
    # The promotions, dtypes, names and arguments that the standard specifies and no others: see `_standard`.
    "array_api": ({"promotion": "array_api", "x64": "on"}, ()),
    # JAX's defaults: no 64-bit dtypes, and immutable arrays.
    "jax": ({"promotion": "jax", "x64": "off", "mutable": False, "out_of_range": "clip"}, ()),
    "torch": ({"promotion": "torch", "x64": "explicit"}, ()),
    "numpy": ({"promotion": "numpy", "x64": "on"}, ()),
    # Implicit promotion to float64 is an error.
    "float32": ({"promotion": "jax", "x64": "explicit"}, ("float64", "complex128")),
}


@contextmanager
def profile(name: str) -> Iterator[ModuleType]:
    """Run a ``with`` block with the promotion rules, defaults and restrictions of another library.

    Parameters
    ----------
    name : str
        A key of `PROFILES`: ``"array_api"``, ``"jax"``, ``"torch"``, ``"numpy"`` or ``"float32"``.

    Yields
    ------
    module
        The namespace; under ``"array_api"`` the names of the standard alone.

    Examples
    --------
    >>> from supremum.testing import profile
    >>> for name in ("jax", "torch", "numpy"):
    ...     with profile(name) as xp:
    ...         print((xp.ones(2, dtype="int32") * xp.ones(2, dtype="float16")).dtype)
    float16
    float16
    float64
    """
    if name not in PROFILES:
        raise ValueError(f"profile: there is no {name!r}; the profiles are {', '.join(PROFILES)}")
    settings, forbidden = PROFILES[name]
    with config.use(**settings), forbid(*map(np.dtype, forbidden)) if forbidden else nullcontext():
        if name == "array_api":
            from supremum._standard import Watcher, namespace

            with config.use(watcher=Watcher()):
                yield namespace()
        else:
            yield supremum


@contextmanager
def assert_no_promotion(*dtypes: DTypeLike) -> Iterator[None]:
    """Fail on implicit promotions of arrays within a ``with`` block.

    Parameters
    ----------
    *dtypes : dtype
        Fail only on promotions to one of these; without arguments, on every implicit promotion.

    Raises
    ------
    AssertionError
        At the line of the promotion. An array that keeps its dtype next to a Python scalar is not promoted.

    Examples
    --------
    >>> import supremum as xp
    >>> from supremum.testing import assert_no_promotion
    >>> x = xp.ones(2, dtype="bfloat16")
    >>> with assert_no_promotion():
    ...     y = 2 * x + 1.5
    >>> with assert_no_promotion():
    ...     y = x + xp.ones(2)
    Traceback (most recent call last):
    AssertionError: ...
    """
    try:
        with forbid(*dtypes):
            yield
    except TypePromotionError as error:
        raise AssertionError(str(error)) from error


def tolerance(*dtypes: DTypeLike) -> float:
    """Return the relative tolerance for results of some dtypes: a few units in the last place of the least precise one.

    Parameters
    ----------
    *dtypes : dtype
        Dtypes; those of integers and bools contribute a tolerance of 0.

    Returns
    -------
    float
        8 times the epsilon for dtypes of 32 bits or more; for narrower ones, whose results are computed in a wider dtype and
        rounded once, twice the epsilon for 16 bits and once for 8 bits or less.

    Examples
    --------
    >>> from supremum.testing import tolerance
    >>> tolerance("float32"), tolerance("bfloat16", "float32"), tolerance("int8")
    (9.5367431640625e-07, 0.015625, 0.0)
    """
    try:
        infos = [finfo(dtype) for dtype in dtypes if as_node(dtype).kind in "fc"]
    except TypeError as error:
        raise with_function_name(error, "tolerance") from None
    return max((info.eps * (8 if info.bits >= 32 else 2 if info.bits == 16 else 1) for info in infos), default=0.0)


@traceless
@without_float_warnings
def assert_allclose(
    actual: NestedArrayLike,
    desired: NestedArrayLike,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = True,
    err_msg: str = "",
    *,
    strict: bool = False,
) -> None:
    """Fail if two arrays differ by more than the rounding of their dtypes.

    Parameters
    ----------
    actual, desired : array_like
        The computed and the expected values, of any dtypes.
    rtol : float, optional
        The relative tolerance; if omitted, the `tolerance` of the arrays' dtypes.
    atol : float, optional
        The absolute tolerance; if omitted, half of `rtol` if that is omitted too, else 0, as in NumPy.
    equal_nan : bool
        Whether NaNs compare equal.
    err_msg : str
        The message on failure.
    strict : bool
        Whether shapes and dtypes must be equal too; otherwise the arrays are broadcast.

    Examples
    --------
    >>> import supremum as xp
    >>> from supremum.testing import assert_allclose
    >>> assert_allclose(xp.asarray(0.1, dtype="bfloat16"), 0.1)
    >>> assert_allclose(xp.asarray(0.1, dtype="float32"), 0.101)
    Traceback (most recent call last):
    AssertionError: ...
    """
    a, b = _pair(actual, desired, strict=strict)
    if rtol is None:
        rtol = tolerance(*(x.dtype for x in (a, b) if not x.weak_type))
        atol = rtol / 2 if atol is None else atol
    if not rtol and not atol and a._node.kind in "biu" and b._node.kind in "biu":
        assert_array_equal(a, b, err_msg)
        return
    np.testing.assert_allclose(
        _wide(a), _wide(b), rtol, atol or 0.0, as_bool(equal_nan, "equal_nan", "assert_allclose"), err_msg
    )


@traceless
@without_float_warnings
def assert_array_equal(actual: NestedArrayLike, desired: NestedArrayLike, err_msg: str = "", *, strict: bool = False) -> None:
    """Fail if two arrays differ; NaNs compare equal.

    Parameters
    ----------
    actual, desired : array_like
        The computed and the expected values; values of different dtypes are compared exactly.
    err_msg : str
        The message on failure.
    strict : bool
        Whether shapes and dtypes must be equal too; otherwise the arrays are broadcast.

    Examples
    --------
    >>> import supremum as xp
    >>> from supremum.testing import assert_array_equal
    >>> x = xp.asarray([1.0, float("nan")], dtype="bfloat16")
    >>> assert_array_equal(x, x.astype("float64"))
    >>> assert_array_equal(x, x.astype("float64"), strict=True)
    Traceback (most recent call last):
    AssertionError: the arrays have dtypes bfloat16 and float64
    """
    a, b = _pair(actual, desired, strict=strict)
    x, y = _wide(a), _wide(b)
    kinds = {x.dtype.kind, y.dtype.kind}
    if kinds & {"i", "u"} and kinds & {"f", "c"}:
        x, y = x.astype(object), y.astype(object)  # Python compares large integers with floats exactly, NumPy does not
    np.testing.assert_array_equal(x, y, err_msg)


def _pair(actual: Any, desired: Any, *, strict: bool) -> tuple[Array, Array]:
    """Convert both sides to Arrays; Python scalars and lists become weak ones."""
    a, b = _side(actual), _side(desired)
    if strict and a.dtype != b.dtype:
        raise AssertionError(f"the arrays have dtypes {a.dtype} and {b.dtype}")
    if strict and a.shape != b.shape:
        raise AssertionError(f"the arrays have shapes {a.shape} and {b.shape}")
    return a, b


def _side(x: Any) -> Array:
    if isinstance(x, bool | int | float | complex | list | tuple):
        with config.use(x64="on", promotion="jax"):
            array = as_array(x)
        return wrap(array._data, array._node.weak_form)
    return as_array(x)


def _wide(x: Array) -> np.ndarray[Any, Any]:
    """Return the values in a dtype that NumPy compares exactly."""
    data = x._data
    wide = {"f": np.float64, "c": np.complex128}.get(x._node.kind)
    return data.astype(wide) if wide is not None else data.astype(np.int8) if data.dtype.isbuiltin != 1 else data


__dir__ = __all__.copy  # which `dir` sorts
