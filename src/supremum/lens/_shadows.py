"""Shadows: the reference values of live arrays, kept for each buffer and shared by all views of it.

A shadow belongs to the ndarray that owns the memory, its *root*, and dies with it. It has an element for every element of the
root, in the order of the memory. So the reference of a view is a view of the shadow, and what is written through one view is
seen through all others. An array without a shadow is its own reference.

A root may have another dtype than its views: bytes, records, the other byte order. Its memory is then seen as cells of one
element each, and each dtype and place within a cell has a shadow of its own.
"""

from __future__ import annotations

from typing import Any, Final
from weakref import ref

import numpy as np

from supremum._base.buffers import Buffer
from supremum._core.dtype_objects import complex_of
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node, node_of_dtype

#: Unsigned integers by size, as which elements are compared.
_BITS: Final = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}
#: From this number of bytes on, a sum is remembered in their place.
_LARGE: Final = 65536


def root_of(data: Buffer) -> Buffer:
    """Return the ndarray that has the memory of a view."""
    base = data.base
    while isinstance(base, np.ndarray):
        data, base = base, base.base
    return data


def _key(data: Buffer, root: Buffer) -> Any:
    """Return the key of the shadow that a view has: that of the root, or of its elements at a place of other cells."""
    if data is root or data.dtype == root.dtype or _is_part(data, root):
        return id(root)
    return id(root), data.dtype, (_address(data) - _address(root)) % max(data.dtype.itemsize, root.dtype.itemsize)


def _memory(data: Buffer, root: Buffer, key: Any) -> Buffer | None:
    """Return the root, or its memory as elements of the dtype of a view; None if it has no such elements."""
    if type(key) is int:
        return root
    size, place = data.dtype.itemsize, key[-1]
    cell = max(size, root.dtype.itemsize)
    dense = root.T if root.flags.f_contiguous else root
    if not dense.flags.c_contiguous or root.dtype.hasobject or root.nbytes < place + size:
        return None
    count = (root.nbytes - place - size) // cell + 1
    return np.ndarray((count,), data.dtype, dense.reshape(-1).view(np.uint8), place, (cell,))


def _address(data: Buffer) -> int:
    return int(data.__array_interface__["data"][0])


def _seen(memory: Buffer) -> Any:
    """Return what shows later whether elements were written: their bytes, or a sum if they are many.

    Return None if they are not in the order of the memory.
    """
    size = memory.dtype.itemsize
    if not (memory.flags.forc or (memory.ndim == 1 and size in _BITS)):
        return None
    if memory.nbytes < _LARGE:
        return memory.tobytes("A")
    flat = memory.reshape(-1, order="A")
    dense = flat.flags.c_contiguous and not flat.nbytes % 8
    return np.add.reduce(flat.view(_BITS[8 if dense else size]))  # fewer and larger numbers


class _Shadow(ref):  # type: ignore[type-arg]  # of an ndarray
    """The reference values of the elements in the memory of one root, which it refers to."""

    __slots__ = ("_node", "_whole", "error", "key", "known", "seen")

    def begin(self, key: Any, memory: Buffer, node: Node, values: Buffer | None) -> None:
        """Keep these values for the elements of the memory, or without them the elements' own."""
        self.key = key
        #: The largest relative error of what was written, and whether it is `known` to be that of all elements as they are.
        self.error = 0.0
        self.known = False
        self._node = node
        if values is None:
            values = np.empty_like(memory, node.dtype, subok=False)  # with the order of the axes of the root
            values[...] = cast(memory, node)
        self._whole = values
        #: What shows whether elements were written since.
        self.seen = _seen(memory)

    @property
    def _flat(self) -> Buffer | None:
        """All elements in the order of the memory; None where views cannot be followed."""
        followed = self._whole.flags.forc and self.seen is not None
        return self._whole.reshape(-1, order="A") if followed else None

    def refresh(self, memory: Buffer) -> None:
        """Give elements that somebody else wrote since, as NumPy can, their own value as reference."""
        now, before, flat = _seen(memory), self.seen, None
        if now == before or (flat := self._flat) is None:
            return
        self.known = False
        dense = memory.reshape(-1, order="A")
        changed: Any = ...  # of many, it is not known which
        if type(now) is bytes:
            changed = np.frombuffer(now, np.uint8) != np.frombuffer(before, np.uint8)
            changed = changed.reshape(flat.size, -1).any(axis=1)
        flat[changed] = cast(dense[changed], self._node)
        self.seen = now

    def view(self, data: Buffer, memory: Buffer) -> Buffer | None:
        """Return the reference values of a view of the memory; None if they cannot be found."""
        if data is memory:
            return self._whole
        flat = self._flat
        if flat is None:
            return None
        if data.dtype != memory.dtype:
            flat = flat.view(flat.real.dtype)  # a view of the real or imaginary parts
        size = data.dtype.itemsize if memory.flags.forc else memory.strides[0]
        wide = flat.dtype.itemsize
        offset = _address(data) - _address(memory)
        if offset % size or any(step % size for step, count in zip(data.strides, data.shape, strict=True) if count > 1):
            return None
        steps = tuple(step // size * wide for step in data.strides)
        return np.ndarray(data.shape, flat.dtype, flat, offset // size * wide, steps)


class Shadows:
    """The shadows of all live arrays whose reference is not their value."""

    def __init__(self) -> None:
        self._of: dict[Any, _Shadow] = {}

    def __len__(self) -> int:
        return len(self._of)

    def _get(self, root: Buffer, key: Any) -> _Shadow | None:
        found = self._of.get(key)
        return None if found is None or found() is not root else found

    def find(self, data: Buffer) -> tuple[Buffer, float, bool] | None:
        """Return the reference values of a buffer, a bound of their relative errors, and whether it is the largest one.

        Return None if its values are their own reference.
        """
        if not self._of:
            return None
        root = root_of(data)
        key = _key(data, root)
        found = self._get(root, key)
        memory = None if found is None else _memory(data, root, key)
        if found is None or memory is None:
            return None
        found.refresh(memory)
        view = found.view(data, memory)
        return None if view is None else (view, found.error, found.known and view.size == memory.size)

    def write(
        self,
        data: Buffer,
        values: Buffer,
        node: Node,
        error: float,
        *,
        known: bool = True,
        exact: bool = False,
        own: bool = False,
    ) -> None:
        """Set the reference values of a buffer.

        Their largest error is `known`, or a bound of it alone. If they are `exact`, the buffer's own, they need no shadow.
        They may be kept as they are if no one else has them (`own`).
        """
        root = root_of(data)
        key = _key(data, root)
        found = self._get(root, key)
        if found is None and exact:
            return
        memory = _memory(data, root, key)
        if memory is None:
            return  # it cannot be followed
        if found is None:
            if data.dtype != memory.dtype:
                node = complex_of(node)
            flags = values.flags
            fits = own and data is root and flags.owndata and flags.c_contiguous and values.dtype == node.dtype
            kept = values if fits and root.flags.c_contiguous else None
            found = _Shadow(root, self._forget)  # faster than with an `__init__` of its own
            found.begin(key, memory, node, kept)
            self._of[key] = found
            if kept is not None:
                found.error, found.known = error, True
                return
        else:
            found.refresh(memory)
        view = found.view(data, memory)
        if view is not None:
            view[...] = values
            whole = data.size == memory.size
            found.known = whole and known
            found.error = error if whole else max(found.error, error)
            found.seen = _seen(memory)

    def _forget(self, died: Any) -> None:
        key = died.key
        if self._of.get(key) is died:
            del self._of[key]


def _is_part(data: Buffer, root: Buffer) -> bool:
    """Whether a view of complex numbers has the dtype of their real and imaginary parts."""
    node = node_of_dtype(root.dtype)
    return node is not None and node.kind == "c" and node.real.dtype is not None and data.dtype == node.real.dtype
