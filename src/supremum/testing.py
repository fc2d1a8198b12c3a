"""For people who test with us: assertions that know our dtypes, and profiles to run a test under.

With pytest, ``pytest_plugins = ["supremum.pytest_plugin"]`` in a ``conftest.py`` gives tests the fixture `supremum_profile`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from types import ModuleType
from typing import Any, Final

import numpy as np

import supremum
from supremum._base.silence import silent
from supremum._core.array import Array, wrap
from supremum._core.conversion import as_array
from supremum._core.dtypes import finfo
from supremum._core.settings import config
from supremum.promotion._errors import TypePromotionError
from supremum.promotion._nodes import as_node, concrete_weak
from supremum.tracing import forbid

__all__ = ["PROFILES", "assert_allclose", "assert_array_equal", "assert_no_promotion", "profile", "tolerance"]

#: The settings of each profile, and the dtypes that must not come to be in it.
PROFILES: Final[dict[str, tuple[dict[str, Any], tuple[str, ...]]]] = {
    # What the standard promises and nothing else: mixed kinds do not meet.
    "array_api": ({"promotion": "array_api", "x64": "on"}, ()),
    # JAX as it is after import: no 64-bit dtypes, and arrays cannot be written to.
    "jax": ({"promotion": "jax", "x64": "off", "mutable": False}, ()),
    "torch": ({"promotion": "torch", "x64": "explicit"}, ()),
    "numpy": ({"promotion": "numpy", "x64": "on"}, ()),
    # Nothing becomes float64 by accident.
    "float32": ({"promotion": "jax", "x64": "explicit"}, ("float64", "complex128")),
}


@contextmanager
def profile(name: str) -> Iterator[ModuleType]:
    """Run a ``with`` block as another library would: with its promotion, its defaults and what it forbids.

    Parameters
    ----------
    name : str
        A key of `PROFILES`: ``"array_api"``, ``"jax"``, ``"torch"``, ``"numpy"`` or ``"float32"``.

    Yields
    ------
    module
        The namespace.

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
    with config.use(**settings), forbid(*forbidden) if forbidden else nullcontext():
        yield supremum


@contextmanager
def assert_no_promotion(*dtypes: Any) -> Iterator[None]:
    """Fail where arrays of different dtypes meet within a ``with`` block.

    Parameters
    ----------
    *dtypes : dtype
        Fail only where one of these comes to be; none at all means every implicit promotion.

    Raises
    ------
    AssertionError
        At the line where the dtypes meet. What Python scalars do is no promotion.

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


def tolerance(*dtypes: Any) -> float:
    """Give the relative tolerance for results of some dtypes: a few units in the last place of the coarsest.

    Parameters
    ----------
    *dtypes : dtype
        Dtypes; those without rounding ask for equality.

    Returns
    -------
    float
        8 times its epsilon for dtypes from 32 bits; for narrower ones, which are rounded once from a wider one, twice its
        epsilon with 16 bits and once with 8 or less.

    Examples
    --------
    >>> from supremum.testing import tolerance
    >>> tolerance("float32"), tolerance("bfloat16", "float32"), tolerance("int8")
    (9.5367431640625e-07, 0.015625, 0.0)
    """
    limits = [finfo(dtype) for dtype in dtypes if as_node(dtype).kind in "fc"]
    return max((limit.eps * (8 if limit.bits >= 32 else 2 if limit.bits == 16 else 1) for limit in limits), default=0.0)


@silent
def assert_allclose(
    actual: Any,
    desired: Any,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = True,
    err_msg: str = "",
    *,
    strict: bool = False,
) -> None:
    """Fail where two arrays differ by more than their dtypes' rounding.

    Parameters
    ----------
    actual, desired : array_like
        What was computed and what it should be; of any dtypes.
    rtol : float, optional
        The relative tolerance; by default that of `tolerance`, for the dtypes of the arrays.
    atol : float, optional
        The absolute tolerance; by default half of `rtol` where that is a default too, and else 0, as in NumPy.
    equal_nan : bool
        Whether NaNs are equal to each other.
    err_msg : str
        What to say on failure.
    strict : bool
        Whether shapes and dtypes must be the same too; otherwise arrays are broadcast.

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
    np.testing.assert_allclose(_wide(a), _wide(b), rtol, atol or 0.0, equal_nan, err_msg)


@silent
def assert_array_equal(actual: Any, desired: Any, err_msg: str = "", *, strict: bool = False) -> None:
    """Fail where two arrays differ; NaNs are equal to each other.

    Parameters
    ----------
    actual, desired : array_like
        What was computed and what it should be; values of different dtypes are compared exactly.
    err_msg : str
        What to say on failure.
    strict : bool
        Whether shapes and dtypes must be the same too; otherwise arrays are broadcast.

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
    """Give both sides as Arrays; what Python scalars and lists hold defers to the other side's dtype."""
    a, b = _side(actual), _side(desired)
    if strict and a.dtype != b.dtype:
        raise AssertionError(f"the arrays have dtypes {a.dtype} and {b.dtype}")
    if strict and a.shape != b.shape:
        raise AssertionError(f"the arrays have shapes {a.shape} and {b.shape}")
    return a, b


def _side(x: Any) -> Array:
    if isinstance(x, bool | int | float | complex | list | tuple):
        with config.use(x64="on", promotion="jax"):
            found = as_array(x)
        return wrap(found._data, concrete_weak(found._node))
    return as_array(x)


def _wide(x: Array) -> np.ndarray[Any, Any]:
    """Give the values in a dtype that NumPy compares exactly."""
    data = x._data
    wide = {"f": np.float64, "c": np.complex128}.get(x._node.kind)
    return data.astype(wide) if wide is not None else data.astype(np.int8) if data.dtype.isbuiltin != 1 else data
