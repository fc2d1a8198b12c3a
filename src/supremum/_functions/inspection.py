"""Inspection of the namespace (capabilities, devices, dtypes) and of arrays (shape, size)."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import warn
from supremum._core.array import Array, Axis, Device, NestedArrayLike
from supremum._core.conversion import as_array, check_device, jax_array, normalize_axes
from supremum._core.settings import state
from supremum._functions.data_types import KINDS
from supremum.promotion._nodes import NODES

__all__ = ["__array_namespace_info__", "isscalar", "iterable", "ndim", "shape", "size"]

#: The dtypes of the standard; `dtypes` returns no others.
_STANDARD: Final = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64",
    "complex128",
)  # fmt: skip


_SCALARS: Final = frozenset({bool, int, float, complex})


class ArrayNamespaceInfo:
    """The result of `__array_namespace_info__`; its methods follow the current configuration."""

    __slots__ = ()

    def capabilities(self) -> dict[str, bool | int | None]:
        """Return the capabilities of the namespace.

        Returns
        -------
        dict
            ``"boolean indexing"`` and ``"data-dependent shapes"``, which are True, and ``"max dimensions"``.

        Examples
        --------
        >>> import supremum as xp
        >>> xp.__array_namespace_info__().capabilities()
        {'boolean indexing': True, 'data-dependent shapes': True, 'max dimensions': 64}
        """
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        """Return the default device.

        Returns
        -------
        str
            ``"cpu"``.

        Examples
        --------
        >>> import supremum as xp
        >>> xp.__array_namespace_info__().default_device()
        'cpu'
        """
        return "cpu"

    def devices(self) -> tuple[str, ...]:
        """Return the devices.

        Returns
        -------
        tuple of str
            ``("cpu",)``.

        Examples
        --------
        >>> import supremum as xp
        >>> xp.__array_namespace_info__().devices()
        ('cpu',)
        """
        return ("cpu",)

    def default_dtypes(self, *, device: Device | None = None) -> dict[str, np.dtype[Any]]:
        """Return the default dtypes.

        Parameters
        ----------
        device : {"cpu"}, optional
            The only device.

        Returns
        -------
        dict
            The dtypes under ``"real floating"``, ``"complex floating"``, ``"integral"`` and ``"indexing"``.

        Examples
        --------
        >>> import supremum as xp
        >>> xp.__array_namespace_info__().default_dtypes()["real floating"]
        dtype('float32')
        """
        check_device(device, "default_dtypes")
        settings = state()
        floating, integral = settings.float_.dtype, settings.int_.dtype
        found = {"real floating": floating, "complex floating": settings.complex_.dtype}
        return {**found, "integral": integral, "indexing": integral}

    def dtypes(self, *, device: Device | None = None, kind: str | tuple[str, ...] | None = None) -> dict[str, np.dtype[Any]]:
        """Return the dtypes of the standard that are available.

        Parameters
        ----------
        device : {"cpu"}, optional
            The only device.
        kind : str or tuple of str, optional
            Kinds, as for `isdtype`; all by default.

        Returns
        -------
        dict
            The dtypes by name.

        Examples
        --------
        >>> import supremum as xp
        >>> list(xp.__array_namespace_info__().dtypes(kind="complex floating"))
        ['complex64', 'complex128']
        """
        check_device(device, "dtypes")
        kinds = tuple(KINDS) if kind is None else kind if isinstance(kind, tuple) else (kind,)
        letters = "".join(map(_letters, kinds))
        settings = state()
        nodes = [NODES[name] for name in _STANDARD]
        return {node.name: node.dtype for node in nodes if node.kind in letters and settings.truncate(node) is node}


def _letters(kind: str) -> str:
    """Return the kinds of nodes that belong to a kind of the standard."""
    if kind not in KINDS:
        raise ValueError(f"dtypes: {kind!r} is not a kind; use {', '.join(map(repr, KINDS))} or a tuple of those")
    return KINDS[kind]


_INFO: Final = ArrayNamespaceInfo()


@public
def __array_namespace_info__() -> ArrayNamespaceInfo:
    """Return an object with methods that inspect the namespace.

    Returns
    -------
    ArrayNamespaceInfo
        With the methods `capabilities`, `default_device`, `default_dtypes`, `devices` and `dtypes`.

    Examples
    --------
    >>> import supremum as xp
    >>> info = xp.__array_namespace_info__()
    >>> info.default_dtypes()["integral"]
    dtype('int32')
    >>> with xp.config.use(x64="on"):
    ...     print(info.default_dtypes()["integral"])
    int64
    """
    return _INFO


def _shape(a: NestedArrayLike, function: str) -> tuple[int, ...]:
    """Return the shape of an object; for a sequence, with a warning as in JAX."""
    if type(a) is Array:
        return a._data.shape
    found = getattr(a, "shape", None)
    if isinstance(found, tuple):
        return found
    if isinstance(a, bool | int | float | complex | str | bytes):
        return ()
    given = jax_array(a)
    if given is not None:
        return as_array(given).shape
    warn(
        f"{function}: a {type(a).__name__} is not an array and will be refused in future; use asarray(...) on it first",
        DeprecationWarning,
    )
    return as_array(a).shape if isinstance(a, list | tuple) else ()


@public(silent=False, constant="shapes")
def shape(a: NestedArrayLike) -> tuple[int, ...]:
    """Return the shape of an array.

    Parameters
    ----------
    a

    Returns
    -------
    tuple of int
        The lengths of its axes.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.shape(xp.ones((2, 3))), xp.shape(1.5)
    ((2, 3), ())
    """
    return _shape(a, "shape")


@public(silent=False, constant="shapes")
def ndim(a: NestedArrayLike) -> int:
    """Return the number of axes of an array.

    Parameters
    ----------
    a

    Returns
    -------
    int
        The number of its axes.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.ndim(xp.ones((2, 3)))
    2
    """
    return a._data.ndim if type(a) is Array else len(_shape(a, "ndim"))


@public(silent=False, constant="shapes")
def size(a: NestedArrayLike, axis: Axis = None) -> int:
    """Return the number of elements of an array.

    Parameters
    ----------
    a
    axis : int or tuple of int, optional
        Axes along which to count; all by default.

    Returns
    -------
    int
        The number of elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.size(xp.ones((2, 3))), xp.size(xp.ones((2, 3)), 1)
    (6, 3)
    """
    if axis is None and type(a) is Array:
        return a._data.size
    lengths = _shape(a, "size")
    return math.prod([lengths[i] for i in normalize_axes(axis, len(lengths), "size")])


@public(silent=False, constant="shapes")
def isscalar(element: object) -> bool:
    """Test whether an object is a scalar; 0-d arrays are.

    Parameters
    ----------
    element : object
        Object to test.

    Returns
    -------
    bool
        The result of the test.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.isscalar(xp.asarray(1)), xp.isscalar([1])
    (True, False)
    """
    if type(element) in _SCALARS:
        return True
    given = jax_array(element)
    if given is not None:
        element = as_array(given)
    return element.ndim == 0 if isinstance(element, Array | np.ndarray) else bool(np.isscalar(element))


@public(silent=False)
def iterable(y: object) -> bool:
    """Test whether an object can be iterated over; 0-d arrays cannot.

    Parameters
    ----------
    y : object
        Object to test.

    Returns
    -------
    bool
        The result of the test.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.iterable(xp.ones(2)), xp.iterable(xp.asarray(1.0))
    (True, False)
    """
    return y._data.ndim > 0 if type(y) is Array else bool(np.iterable(y))
