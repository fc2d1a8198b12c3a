"""The object that takes the place of an array's buffer after ``x.delete()``."""

from __future__ import annotations

from typing import Any, Final, NoReturn

import numpy as np

from supremum._base.errors import DeletedArrayError

__all__ = ["DeletedBuffer"]

#: Special methods, which Python looks up on the class and never finds by `__getattr__`.
_SPECIAL: Final = (
    "__getitem__ __setitem__ __iter__ __bool__ __int__ __float__ __complex__ __index__ __eq__ __ne__ __lt__ __le__ __gt__ "
    "__ge__ __str__ __format__ "
    "__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __and__ __rand__ __or__ __ror__ __neg__ "
    "__invert__ __array__ __array_function__ __array_ufunc__ __reduce_ex__ __copy__ __deepcopy__ __buffer__"
)


class DeletedBuffer:
    """The shape and the dtype of a deleted buffer; any other use raises an error."""

    __slots__ = ("dtype", "itemsize", "nbytes", "ndim", "shape", "size")

    def __init__(self, data: np.ndarray[Any, Any]) -> None:
        self.dtype: np.dtype[Any] = data.dtype
        self.itemsize: int = data.itemsize
        self.nbytes: int = data.nbytes
        self.ndim: int = data.ndim
        self.shape: tuple[int, ...] = data.shape
        self.size: int = data.size

    def __len__(self) -> int:
        return self.shape[0]

    def __getattr__(self, name: str) -> NoReturn:
        self._refuse(name)

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        shape = ",".join(map(str, self.shape))
        raise DeletedArrayError(
            f"Array has been deleted with shape={self.dtype}[{shape}]: delete() was called on it; "
            "use the array before that, or copy it"
        )


for _name in _SPECIAL.split():
    setattr(DeletedBuffer, _name, DeletedBuffer._refuse)
