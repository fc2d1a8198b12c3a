"""Shadows: the reference values of live arrays, kept for each buffer and shared by all views of it.

A shadow belongs to the ndarray that owns the memory, its *root*, and dies with it. It has an element for every element of the
root, in the order of the memory. So the reference of a view is a view of the shadow, and what is written through one view is
seen through all others. An array without a shadow is its own reference.
Values that nothing needs yet are computed `Later`.

A root may have another dtype than its views: bytes, records, the other byte order. Its memory is then seen as cells of one
element each, and each dtype and place within a cell has a shadow of its own.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final
from weakref import ref

import numpy as np

from supremum._base.buffers import Buffer, native
from supremum._core.array import Array, wrap
from supremum._core.dtype_objects import complex_of
from supremum._kernels.casts import cast
from supremum.lens._widening import Later, Wide
from supremum.promotion._nodes import Node, node_of_dtype

#: From this number of bytes on, a hash is remembered in their place.
_LARGE: Final = 65536
#: The most bytes that all references which are computed later, and what these keep, have in memory.
_WAITING: Final = 1 << 26
#: The most elements of operands that are kept in the reference dtype.
_KEPT: Final = 1 << 16


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


def _values_of(memory: Buffer, node: Node) -> Buffer:
    """Return the elements of a root in the reference dtype, with the order of its axes."""
    values = np.empty_like(memory, node.dtype, subok=False)
    values[...] = cast(memory, node)
    return values


def _address(data: Buffer) -> int:
    return int(data.__array_interface__["data"][0])


def seen(memory: Buffer) -> Any:
    """Return what shows later whether elements were written: their bytes, or a hash if they are many.

    Return None if they are not in the order of the memory.
    """
    if not memory.flags.forc and memory.ndim != 1:
        return None
    return memory.tobytes("A") if memory.nbytes < _LARGE else hash(memory.tobytes("A"))


class Shadow(ref):  # type: ignore[type-arg]  # of an ndarray
    """The reference values of the elements in the memory of one root, which it refers to."""

    __slots__ = ("_node", "error", "key", "known", "lent", "looked", "part", "seen", "whole")

    def begin(self, key: Any, node: Node, values: Any, seen: Any, error: float = 0.0) -> None:
        """Keep reference values for all elements of the root, in which this was `seen`.

        They are `lent` if others have them, so that they are not written to. Calls that are made later take a `part`. Of what
        was written, the largest relative `error` is kept, and whether it is `known` to be that of all elements as they are.
        """
        self._node, self.seen, self.error = node, seen, error
        self.whole: Any = values
        self.part: Any = None
        self.looked = self.lent = self.known = False  # whether native/losses.c knows that the memory is as it was seen
        self.key = key  # the last one, by which others find the rest

    def settle(self, memory: Buffer) -> None:
        """Compute what is still to be computed."""
        if type(later := self.whole) is Later:
            *_, self._node, _ = later[0]
            self.error, self.known = np.inf, False
            found = later.array()
            self.lent = found is not None
            self.whole = _values_of(memory, self._node) if found is None else found._data

    def own(self) -> None:
        """Have the reference values alone, so that they may be written to."""
        self.part = None
        if self.lent:
            self.whole, self.lent = self.whole.copy("K"), False

    @property
    def _flat(self) -> Buffer | None:
        """All elements in the order of the memory; None where views cannot be followed."""
        followed = self.whole.flags.forc and self.seen is not None
        return self.whole.reshape(-1, order="A") if followed else None

    def refresh(self, memory: Buffer) -> None:
        """Give elements that somebody else wrote since, as NumPy can, their own value as reference."""
        now, before = seen(memory), self.seen
        if now == before or self._flat is None:
            return
        self.own()
        flat: Any = self._flat
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
            return self.whole
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

    def __init__(self, wide: Wide) -> None:
        self._wide = wide
        self.of: dict[Any, Shadow] = {}
        #: How many calls there were, the bytes that those need that are computed later, the most, and whether calls are shown.
        self.counts = np.asarray([0, 0, _WAITING, 0])
        #: Drops what is kept of an array that died.
        self.forget: Final = self._forget if native is None else partial(native.forget, self.of)

    def _get(self, root: Buffer, key: Any) -> Shadow | None:
        found = self.of.get(key)
        return None if found is None or found() is not root else found

    def find(self, data: Buffer) -> tuple[Buffer, float, bool] | None:
        """Return the reference values of a buffer, a bound of their relative errors, and whether it is the largest one.

        Return None if its values are their own reference.
        """
        if not self.of:
            return None
        root = root_of(data)
        key = _key(data, root)
        found = self._get(root, key)
        memory = None if found is None else _memory(data, root, key)
        if found is None or memory is None:
            return None
        found.settle(memory)
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
            fits = fits and root.flags.c_contiguous
            found = self.begin(root, key, node, values if fits else _values_of(memory, node), seen(memory), error)
            if fits:
                found.known = True
                return
        else:
            found.settle(memory)
            found.refresh(memory)
        found.own()
        view = found.view(data, memory)
        if view is not None:
            view[...] = values
            whole = data.size == memory.size
            found.known = whole and known
            found.error = error if whole else max(found.error, error)
            found.seen = seen(memory)

    def operand(self, x: Array) -> Array | Later:
        """Return the values of an operand in the reference, or its own where those are, which nothing changes.

        Those of an operand that is its own reference are kept, for the next call of it.
        """
        data, root = x._data, root_of(x._data)
        found, reference = self._get(root, _key(data, root)), self.find(data)
        if reference is not None:
            part = wrap(reference[0], self._wide.node(x._node) or x._node.wide)
        elif found is None and data is root and data.flags.forc and data.size <= _KEPT:
            found = self.begin(data, -id(data), x._node, None, data.tobytes("A"))
            order: Any = "C" if data.flags.c_contiguous else "F"
            part = wrap(np.ndarray(data.shape, data.dtype, found.seen, order=order), x._node)
        else:
            part = wrap(data.copy(), x._node)
        if found is not None:
            found.lent = True
            if data is root:
                found.part = part
        return part

    def begin(self, root: Buffer, key: Any, *args: Any) -> Shadow:
        """Keep reference values for all elements of a root, in place of those of an operand."""
        if type(key) is int:
            self.of.pop(-key, None)
        found = self.of[key] = Shadow(root, self.forget)  # faster than with an `__init__` of its own
        found.begin(key, *args)
        return found

    def trim(self) -> None:
        """Compute the references that wait for the longest time, if all need much memory."""
        if self.counts[1] > self.counts[2]:
            alive = [one.whole for one in list(self.of.values()) if type(one.whole) is Later and one.whole.waits]
            sizes: list[int] = [one.held + 8 * one[6] for one in alive]
            while sum(sizes) > self.counts[2] // 2:
                alive.pop(0).array()
                del sizes[0]
            self.counts[1] = sum(sizes)

    def _forget(self, died: Any) -> None:
        if self.of.get(key := died.key) is died:
            del self.of[key]


def _is_part(data: Buffer, root: Buffer) -> bool:
    """Whether a view of complex numbers has the dtype of their real and imaginary parts."""
    node = node_of_dtype(root.dtype)
    return node is not None and node.kind == "c" and node.real.dtype is not None and data.dtype == node.real.dtype
