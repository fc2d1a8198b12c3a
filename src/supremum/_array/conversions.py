"""The members of `Array` that show it, convert it to what other libraries take, copy and pickle it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.exceptions import describe
from supremum._base.functions import call_without_float_warnings
from supremum._core import settings
from supremum._core.array import Array, _rebuild
from supremum._core.dlpack import exported
from supremum._core.text import array_html, array_repr, array_text
from supremum.promotion._nodes import KEY, Node


class Conversions:
    """Members that `supremum._array` attaches to `Array`."""

    __slots__ = ()

    # The slots of `Array`.
    _data: Buffer
    _node: Node

    # -- text --------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return array_repr(self._data, weak=self._node.weak)

    def __str__(self) -> str:
        return array_repr(self._data, weak=False) if self._node is KEY else array_text(self._data, write=str)

    def _repr_html_(self) -> str | None:
        return array_html(self._data, weak=self._node.weak)

    def __format__(self, spec: str) -> str:
        if self._node is KEY:
            return format(str(self), spec)
        if self._data.ndim and spec:
            raise TypeError(
                f"format: an array of shape {self._data.shape} takes no format specification, got {describe(spec)}; "
                "format its elements, or print it within supremum.printoptions(precision=...)"
            )
        return format(self._data.item() if spec else self._data[()], spec)

    # -- protocols ---------------------------------------------------------------------------------

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if self._node is KEY:
            raise TypeError(
                "__array__: an array of keys cannot become a NumPy array; use random.key_data(keys), the integers "
                "that it is made of"
            )
        try:
            data = call_without_float_warnings(np.array, self._data, dtype=dtype, copy=copy)
        except RecursionError:
            raise
        except (TypeError, ValueError, RuntimeError) as error:
            if type(copy) is bool or copy is None:
                raise type(error)(f"__array__: {error}") from None
            raise TypeError(f"__array__: copy must be True, False or None, got {describe(copy)}") from None
        if not settings.state().mutable and np.may_share_memory(data, self._data):
            return _read_only(data)
        return data

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[Any, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        data = self._data
        # Consumers that request no version do not know the read-only flag, and NumPy's export would raise.
        if max_version is not None and not copy and not settings.state().mutable:
            data = _read_only(data)
        return exported(data, self._node, stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._data.__dlpack_device__()

    def __reduce__(self: Any) -> tuple[Any, tuple[Any, ...]]:
        data = np.ascontiguousarray(self._data).reshape(self.shape)
        if data.dtype.isbuiltin != 2 and self._node is not KEY:
            return _rebuild, (data, self._node.weak)
        # A dtype of ml_dtypes is pickled by name: unpickling the dtype itself would set its flags for the process.
        return _rebuild, (data.view(f"u{data.itemsize}"), self._node.weak, self._node.public.name)

    def __copy__(self: Any) -> Array:
        return self.copy()

    def __deepcopy__(self: Any, memo: dict[int, Any]) -> Array:
        found: Array = self.copy()
        memo[id(self)] = found
        return found

    def __round__(self: Any, ndigits: int | None = None) -> Array:
        rounded: Array = self.round(0 if ndigits is None else ndigits)
        return rounded.astype(int) if ndigits is None else rounded

    def __reversed__(self: Any) -> Iterator[Array]:
        if not self._data.ndim:
            raise TypeError("reversed: iteration over a 0-d array")
        return map(self.__getitem__, range(len(self._data) - 1, -1, -1))


def _read_only(data: Any) -> Any:
    """Return a view that cannot be written to."""
    view = data.view()
    view.flags.writeable = False
    return view
