"""Shadows: the reference values of live arrays, kept for each buffer and shared by all views of it.

A shadow belongs to the ndarray that owns the memory, its *root*, and dies with it. It has an element for every element of the
root, in the order of the memory. So the reference of a view is a view of the shadow, and what is written through one view is
seen through all others. An array without a shadow is its own reference.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final
from weakref import ref

import numpy as np

from supremum._base.buffers import Buffer
from supremum._core.dtypes import complex_of
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node, node_of_dtype

__all__ = ["Shadows", "root_of"]

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


def _bits(data: Buffer) -> Buffer | None:
    """Return the elements as integers in the order of the memory, without a copy; None if there are gaps."""
    dense = data.T if data.flags.f_contiguous else data
    if not dense.flags.c_contiguous:
        return None
    flat = dense.reshape(-1)
    return flat.view(_BITS.get(flat.dtype.itemsize, _BITS[8]))


def _seen(bits: Buffer | None) -> Any:
    """Return what shows later whether elements were written: a copy of them, or their sum if they are many."""
    if bits is None:
        return None
    if bits.size <= _LARGE:
        return bits.copy()
    many = bits if bits.nbytes % 8 else bits.view(_BITS[8])  # fewer and larger numbers
    return np.add.reduce(many, dtype=many.dtype)


class _Shadow:
    """The reference values of the elements of one root."""

    __slots__ = ("_node", "_seen", "_whole", "error", "flat", "root")

    def __init__(self, root: Buffer, node: Node, died: Any, values: Buffer | None) -> None:
        assert node.dtype is not None  # noqa: S101 - it is that of a buffer
        self.root: Final = ref(root, died)
        #: The largest relative error of what was written.
        self.error = 0.0
        self._node = node
        if values is None:
            values = np.empty_like(root, node.dtype, subok=False)  # with the order of the axes of the root
            values[...] = cast(root, node)
        self._whole = values
        dense = values.T if values.flags.f_contiguous else values
        bits = _bits(root)
        #: All elements in the order of the memory; None where views cannot be followed.
        self.flat = dense.reshape(-1) if dense.flags.c_contiguous and bits is not None else None
        self._seen = _seen(bits)

    def note(self, root: Buffer) -> None:
        """Remember the elements as they are now."""
        self._seen = _seen(_bits(root))

    def refresh(self, root: Buffer) -> None:
        """Give elements that somebody else wrote since, as NumPy can, their own value as reference."""
        bits = _bits(root)
        now = _seen(bits)
        if bits is None or self.flat is None or (now == self._seen if bits.size > _LARGE else np.array_equal(now, self._seen)):
            return
        dense = root.T if root.flags.f_contiguous else root
        if bits.size > _LARGE:  # it is not known which
            self.flat[...] = cast(dense.reshape(-1), self._node)
        else:
            changed = (now != self._seen).reshape(self.flat.size, -1).any(axis=1)
            self.flat[changed] = cast(dense.reshape(-1)[changed], self._node)
        self._seen = now

    def view(self, data: Buffer, root: Buffer) -> Buffer | None:
        """Return the reference values of a view of the root; None if they cannot be found."""
        if data is root:
            return self._whole
        flat, size = self.flat, data.dtype.itemsize
        if flat is None:
            return None
        if data.dtype != root.dtype:
            if not _is_part(data, root):
                return None
            flat = flat.view(flat.real.dtype)  # a view of the real or imaginary parts
        wide = flat.dtype.itemsize
        offset = data.__array_interface__["data"][0] - root.__array_interface__["data"][0]
        if offset % size or any(step % size for step in data.strides):
            return None
        steps = tuple(step // size * wide for step in data.strides)
        return np.ndarray(data.shape, flat.dtype, flat, offset // size * wide, steps)


class Shadows:
    """The shadows of all live arrays whose reference is not their value."""

    def __init__(self) -> None:
        self._of: dict[int, _Shadow] = {}

    def __len__(self) -> int:
        return len(self._of)

    def find(self, data: Buffer) -> tuple[Buffer, float] | None:
        """Return the reference values of a buffer and their largest relative error; None if its values are their own."""
        if not self._of:
            return None
        root = root_of(data)
        found = self._of.get(id(root))
        if found is None or found.root() is not root:
            return None
        found.refresh(root)
        view = found.view(data, root)
        return None if view is None else (view, found.error)

    def write(self, data: Buffer, values: Buffer, node: Node, error: float, *, exact: bool = False, own: bool = False) -> None:
        """Set the reference values of a buffer.

        If they are `exact`, the buffer's own, they need no shadow. They may be kept as they are if no one else has them
        (`own`).
        """
        root = root_of(data)
        found = self._of.get(id(root))
        if found is None or found.root() is not root:
            if exact:
                return
            if data.dtype != root.dtype:
                if not _is_part(data, root):
                    return  # the memory has another dtype
                node = complex_of(node)
            fits = own and data is root and values.flags.owndata and values.dtype == node.dtype
            kept = values if fits and root.flags.c_contiguous and values.flags.c_contiguous else None
            found = self._of[id(root)] = _Shadow(root, node, partial(self._forget, id(root)), kept)
            if kept is not None:
                found.error = error
                return
        else:
            found.refresh(root)
        view = found.view(data, root)
        if view is not None:
            view[...] = values
            found.error = error if data is root else max(found.error, error)
            found.note(root)

    def raise_error(self, data: Buffer, error: float) -> None:
        """Count an error of elements that were written."""
        found = self._of.get(id(root_of(data)))
        if found is not None:
            found.error = max(found.error, error)

    def _forget(self, key: int, died: Any) -> None:
        found = self._of.get(key)
        if found is not None and found.root is died:
            del self._of[key]


def _is_part(data: Buffer, root: Buffer) -> bool:
    """Whether a view of complex numbers has the dtype of their real and imaginary parts."""
    node = node_of_dtype(root.dtype)
    return node is not None and node.kind == "c" and node.real.dtype is not None and data.dtype == node.real.dtype
