"""Inspection: what the namespace can do, which devices and dtypes it has, and which dtypes are its defaults."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from supremum._config import state
from supremum.creation import check_device
from supremum.data_types import KINDS
from supremum.promotion._nodes import CATALOGUE

__all__ = ["__array_namespace_info__"]

#: The dtypes that the standard names; others are there, but do not belong in the answer.
_STANDARD: Final = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64",
    "complex128",
)  # fmt: skip


class ArrayNamespaceInfo:
    """What `__array_namespace_info__` gives; the answers follow the configuration in force when they are asked for."""

    __slots__ = ()

    def capabilities(self) -> dict[str, bool | int | None]:
        """Say what the namespace supports.

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
        """Give the default device.

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
        """Give the devices.

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

    def default_dtypes(self, *, device: Any = None) -> dict[str, np.dtype[Any]]:
        """Give the default dtypes.

        Parameters
        ----------
        device : optional
            ``"cpu"``.

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
        here = state()
        nodes = {"real floating": here.float_, "complex floating": here.complex_, "integral": here.int_, "indexing": here.int_}
        return {kind: node.dtype for kind, node in nodes.items() if node.dtype is not None}

    def dtypes(self, *, device: Any = None, kind: str | tuple[str, ...] | None = None) -> dict[str, np.dtype[Any]]:
        """Give the dtypes of the standard that exist here.

        Parameters
        ----------
        device : optional
            ``"cpu"``.
        kind : str or tuple of str, optional
            Kinds as `isdtype` takes them; all where it is None.

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
        here = state()
        nodes = [CATALOGUE[name] for name in _STANDARD]
        return {
            node.name: node.dtype
            for node in nodes
            if node.kind in letters and here.truncate(node) is node and node.dtype is not None
        }


def _letters(kind: str) -> str:
    if kind not in KINDS:
        raise ValueError(f"dtypes: {kind!r} is no kind; the kinds are {', '.join(map(repr, KINDS))} and tuples of them")
    return KINDS[kind]


_INFO: Final = ArrayNamespaceInfo()


def __array_namespace_info__() -> ArrayNamespaceInfo:  # noqa: N807 - the standard's name
    """Give the object that answers questions about the namespace.

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
