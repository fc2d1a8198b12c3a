"""Shadows: the reference values of live arrays, kept for each buffer and shared by all views of it.

A shadow belongs to the ndarray that owns the memory, its *root*, and dies with it. It has an element for every element of the
root, in the order of the memory. So the reference of a view is a view of the shadow, and what is written through one view is
seen through all others. An array without a shadow is its own reference.

A root may have another dtype than its views: bytes, records, the other byte order. Its memory is then seen as cells of one
element each, and each dtype and place within a cell has a shadow of its own.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final
from weakref import ref

import numpy as np

from supremum._base.buffers import Buffer
from supremum._core.dtype_objects import complex_of
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node, node_of_dtype

#: Unsigned integers by size, as which elements are compared.
_BITS: Final = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}
#: From this number of elements on, a sum is remembered in their place.
_LARGE: Final = 4096


def root_of(data: Buffer) -> Buffer:
    """Return the ndarray that has the memory of a view."""
    base = data.base
    while isinstance(base, np.ndarray):
        data, base = base, base.base
    return data


def _key(data: Buffer, root: Buffer) -> tuple[Any, ...]:
    """Return the key of the shadow that a view has: that of the root, or of its elements at a place of other cells."""
    if data.dtype == root.dtype or _is_part(data, root):
        return (id(root),)
    return id(root), data.dtype, (_address(data) - _address(root)) % max(data.dtype.itemsize, root.dtype.itemsize)


def _memory(data: Buffer, root: Buffer, key: tuple[Any, ...]) -> Buffer | None:
    """Return the root, or its memory as elements of the dtype of a view; None if it has no such elements."""
    if len(key) == 1:
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


def _bits(data: Buffer) -> Buffer | None:
    """Return the elements as integers in the order of the memory, without a copy; None if that is none of one axis."""
    dense = data.T if data.flags.f_contiguous else data
    if not (dense.flags.c_contiguous or (data.ndim == 1 and data.dtype.itemsize in _BITS)):
        return None
    flat = dense.reshape(-1)
    return flat.view(_BITS.get(flat.dtype.itemsize, _BITS[8]))


def _seen(bits: Buffer | None) -> Any:
    """Return what shows later whether elements were written: a copy of them, or their sum if they are many."""
    if bits is None:
        return None
    if bits.size <= _LARGE:
        return bits.copy()
    many = bits if bits.nbytes % 8 or not bits.flags.c_contiguous else bits.view(_BITS[8])  # fewer and larger numbers
    return np.add.reduce(many, dtype=many.dtype)


class _Shadow:
    """The reference values of the elements in the memory of one root."""

    __slots__ = ("_node", "_seen", "_whole", "error", "flat", "known", "root")

    def __init__(self, root: Any, memory: Buffer, node: Node, values: Buffer | None) -> None:
        assert node.dtype is not None  # noqa: S101 - it is that of a buffer
        self.root: Final = root
        #: The largest relative error of what was written, and whether it is `known` to be that of all elements as they are.
        self.error = 0.0
        self.known = False
        self._node = node
        if values is None:
            values = np.empty_like(memory, node.dtype, subok=False)  # with the order of the axes of the root
            values[...] = cast(memory, node)
        self._whole = values
        dense = values.T if values.flags.f_contiguous else values
        bits = _bits(memory)
        #: All elements in the order of the memory; None where views cannot be followed.
        self.flat = dense.reshape(-1) if dense.flags.c_contiguous and bits is not None else None
        self._seen = _seen(bits)

    def note(self, memory: Buffer) -> None:
        """Remember the elements as they are now."""
        self._seen = _seen(_bits(memory))

    def refresh(self, memory: Buffer) -> None:
        """Give elements that somebody else wrote since, as NumPy can, their own value as reference."""
        bits = _bits(memory)
        now = _seen(bits)
        if bits is None or self.flat is None or (now == self._seen if bits.size > _LARGE else np.array_equal(now, self._seen)):
            return
        self.known = False
        dense = memory.T if memory.flags.f_contiguous else memory
        if bits.size > _LARGE:  # it is not known which
            self.flat[...] = cast(dense.reshape(-1), self._node)
        else:
            changed = (now != self._seen).reshape(self.flat.size, -1).any(axis=1)
            self.flat[changed] = cast(dense.reshape(-1)[changed], self._node)
        self._seen = now

    def view(self, data: Buffer, memory: Buffer) -> Buffer | None:
        """Return the reference values of a view of the memory; None if they cannot be found."""
        if data is memory:
            return self._whole
        flat = self.flat
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
        self._of: dict[tuple[Any, ...], _Shadow] = {}

    def __len__(self) -> int:
        return len(self._of)

    def _get(self, root: Buffer, key: tuple[Any, ...]) -> _Shadow | None:
        found = self._of.get(key)
        return None if found is None or found.root() is not root else found

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

    def write(self, data: Buffer, values: Buffer, node: Node, error: float, *, exact: bool = False, own: bool = False) -> None:
        """Set the reference values of a buffer.

        If they are `exact`, the buffer's own, they need no shadow. They may be kept as they are if no one else has them
        (`own`).
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
            fits = own and data is root and values.flags.owndata and values.dtype == node.dtype
            kept = values if fits and root.flags.c_contiguous and values.flags.c_contiguous else None
            found = self._of[key] = _Shadow(ref(root, partial(self._forget, key)), memory, node, kept)
            if kept is not None:
                found.error, found.known = error, True
                return
        else:
            found.refresh(memory)
        view = found.view(data, memory)
        if view is not None:
            view[...] = values
            found.known = data.size == memory.size
            found.error = error if found.known else max(found.error, error)
            found.note(memory)

    def raise_error(self, data: Buffer, error: float) -> None:
        """Count an error of elements that were written."""
        root = root_of(data)
        found = self._get(root, _key(data, root))
        if found is not None:
            found.error, found.known = max(found.error, error), False

    def _forget(self, key: tuple[Any, ...], died: Any) -> None:
        found = self._of.get(key)
        if found is not None and found.root is died:
            del self._of[key]


def _is_part(data: Buffer, root: Buffer) -> bool:
    """Whether a view of complex numbers has the dtype of their real and imaginary parts."""
    node = node_of_dtype(root.dtype)
    return node is not None and node.kind == "c" and node.real.dtype is not None and data.dtype == node.real.dtype
