"""The class that an array gets by ``x.delete()``: it has a shape and a dtype, and refuses every other use."""

from __future__ import annotations

from types import FunctionType
from typing import Any, Final, NoReturn

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.exceptions import DeletedArrayError
from supremum._core import engine
from supremum._core.array import Array

#: Special attributes that deleted arrays have too.
_KEPT: Final = frozenset(
    {"__array_priority__", "__doc__", "__hash__", "__init_subclass__", "__module__", "__new__", "__slots__"}
)
#: The attribute of `Array`, which deleted arrays hide.
_data: Final[Any] = vars(Array)["_data"]


class Members:
    """The members that are attached to the class of deleted arrays."""

    dtype: np.dtype[Any]

    @property
    def _data(self) -> Buffer:
        self._refuse()

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return _buffer(self).shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return _buffer(self).ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return _buffer(self).size

    @property
    def nbytes(self) -> int:
        """Bytes that the elements had."""
        return self.size * self.itemsize

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return _buffer(self).itemsize

    @property
    def T(self) -> NoReturn:
        """Refuse."""
        self._refuse()

    @property
    def at(self) -> NoReturn:
        """Refuse."""
        self._refuse()

    def __len__(self) -> int:
        return len(_buffer(self))

    def delete(self) -> None:
        """Do nothing: the array is deleted."""

    def is_deleted(self) -> bool:
        """Whether `delete` was called: yes."""
        return True

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        """Refuse to be used."""
        shape = ",".join(map(str, self.shape))
        raise DeletedArrayError(
            f"Array has been deleted with shape={self.dtype}[{shape}]: delete() was called on it; "
            "use the array before that, or copy it"
        )


def _buffer(x: object) -> Buffer:
    return _data.__get__(x)


def delete(x: Array) -> None:
    """Release the buffer of an array, of which the shape and the dtype remain."""
    engine.retire(x, np.broadcast_to(np.zeros((), x._node.dtype), x.shape))


def members() -> dict[str, Any]:
    """Return the members of the class, which refuses all special methods that `Array` has."""
    own = {name: member for name, member in vars(Members).items() if isinstance(member, FunctionType | property)}
    refused = {name for name in vars(Array) if name.startswith("__") and name not in _KEPT}
    return dict.fromkeys(refused, Members._refuse) | own
