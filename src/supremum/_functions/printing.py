"""Text of arrays, and the options of printing, which are NumPy's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import as_integer
from supremum._base.silence import call_user_code
from supremum._core.array import Array
from supremum._core.conversion import as_array, use_asarray

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

__all__ = ["array_repr", "array_str", "get_printoptions", "printoptions", "set_printoptions"]


@public(own="result")
def set_printoptions(*args: Any, **kwargs: Any) -> None:
    """Set printing options, for NumPy's arrays too.

    Parameters
    ----------
    *args, **kwargs
        Options of `numpy.set_printoptions`: ``precision``, ``threshold``, ``edgeitems``, ``linewidth``, ``suppress`` ...

    Examples
    --------
    >>> import supremum as xp
    >>> xp.set_printoptions(precision=8)
    """
    np.set_printoptions(*args, **kwargs)


@public
def get_printoptions() -> dict[str, Any]:
    """Return the current printing options.

    Returns
    -------
    dict
        The options by name.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.get_printoptions()["threshold"]
    1000
    """
    return dict(np.get_printoptions())


@public(own="result")
def printoptions(*args: Any, **kwargs: Any) -> AbstractContextManager[Any]:
    """Set printing options within a ``with`` block.

    Parameters
    ----------
    *args, **kwargs
        As for `set_printoptions`.

    Returns
    -------
    context manager
        A context manager that restores the options on exit.

    Examples
    --------
    >>> import supremum as xp
    >>> with xp.printoptions(precision=2):
    ...     print(xp.asarray([3.14159265]))
    [3.14]
    """
    return np.printoptions(*args, **kwargs)


@public(own="result")
def array_repr(
    arr: Array | np.ndarray[Any, Any] | np.generic,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Return the representation of an array.

    Parameters
    ----------
    arr : Array or numpy.ndarray
        Input array.
    max_line_width, precision : int, optional
        Columns per line and digits per number; by default as in the options.
    suppress_small : bool, optional
        Whether to print numbers near zero as zero.

    Returns
    -------
    str
        The result of ``repr``.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.array_repr(xp.asarray([1.23456789, 2]), precision=3)
    'Array([1.235, 2.   ], dtype=float32)'
    """
    with _options(max_line_width, precision, suppress_small):
        return call_user_code(repr, _checked_array(arr, "array_repr"))


@public(own="result")
def array_str(
    a: Array | np.ndarray[Any, Any] | np.generic,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Return the elements of an array as a string.

    Parameters
    ----------
    a : Array or numpy.ndarray
        Input array.
    max_line_width, precision, suppress_small
        As for `array_repr`.

    Returns
    -------
    str
        The result of ``str``.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.array_str(xp.asarray([1, 2]))
    '[1 2]'
    """
    with _options(max_line_width, precision, suppress_small):
        return call_user_code(str, _checked_array(a, "array_str"))


def _checked_array(x: object, function: str) -> Array:
    """Return the Array of an array; refuse other objects."""
    if not isinstance(x, Array | np.ndarray | np.generic):
        raise TypeError(f"{function}: an array is required, got {type(x).__name__}{use_asarray(x)}")
    return as_array(x)


def _options(width: int | None, precision: int | None, suppress: bool | None) -> AbstractContextManager[Any]:
    """Set the options that are not None within a ``with`` block."""
    given = {
        "linewidth": width if width is None else as_integer(width, "max_line_width", "array_repr"),
        "precision": precision if precision is None else as_integer(precision, "precision", "array_repr"),
        "suppress": suppress if suppress is None else bool(suppress),
    }
    return np.printoptions(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]  # by name
