"""Operand: the base class of operands that take over calls, with everything of arrays that needs no elements."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, NoReturn

import numpy as np

from supremum import _names
from supremum._array import at, hooks
from supremum._array.at import IndexedUpdate
from supremum._array.hooks import HOOKS, is_operand
from supremum._array.methods import Methods
from supremum._array.protocols import _namesake, _own_ufunc
from supremum._array.sharding import ShapedArray
from supremum._base.boundary import public
from supremum._base.exceptions import (
    ConcretizationTypeError,
    TracerArrayConversionError,
    TracerBoolConversionError,
    TracerIntegerConversionError,
)
from supremum._base.facts import Facts
from supremum._base.frames import as_it_is
from supremum._base.python_operators import ARITHMETIC, COMPARING, OF_ONE
from supremum._core import engine
from supremum._core.array import Array, wrap
from supremum.promotion._nodes import Node

xp: Final[Any] = _names
_getitem: Final[Any] = HOOKS["getitem"]


def described(x: Any) -> str:
    """Return the type of an array as JAX writes it: ``float32[2,3]``."""
    return f"{x.dtype}[{','.join(map(str, x.shape))}]"


#: What converts a single element, and raises an error of its own where there are others.
_OF_SCALARS: Final = ("__bool__", "__int__", "__float__", "__complex__", "__index__")


def _conversion(name: str, error: type[Exception], need: str) -> Any:
    """Return a method that converts the elements."""

    def convert(self: Operand, *args: Any, **kwargs: Any) -> Any:
        if self.shape and name in _OF_SCALARS:  # whose errors come first
            getattr(wrap(np.broadcast_to(np.zeros((), self.node.dtype), self.shape), self.node), name)()
        return getattr(self.concrete(need, error), name)(*args, **kwargs)

    return convert


@public(home="supremum.typing")
class Operand(Methods):
    """The base class of operands that take calls over: all that arrays have and that needs no elements.

    A class that derives from it defines `node`, `shape` and ``__supremum_function__``; a transformation also gives its
    operands a level, ``__supremum_level__``: see `new_level`. Operators, methods, item access, ``.at`` and functions of NumPy
    are calls of functions of the namespace, which ``__supremum_function__`` gets. To ``isinstance`` an operand is an array.

    What needs elements, such as ``float(x)``, ``if x:`` and ``np.asarray(x)``, raises JAX's errors, unless `concrete` returns
    an array for it.

    Attributes
    ----------
    node : supremum.promotion.Node
        The dtype and whether it is weak: ``x.node`` of an array `x`, or ``as_node("float32")``.
    shape : tuple of int
        The lengths of the axes.
    ndim, size, dtype, weak_type, itemsize, nbytes, aval
        What follows from these.

    Examples
    --------
    A promise that an array does not depend on anything is kept by sums, and lost by other functions:

    >>> import supremum as xp
    >>> from supremum.typing import Operand
    >>> class Constant(Operand):
    ...     node = property(lambda self: self.array.node)
    ...     shape = property(lambda self: self.array.shape)
    ...     def __init__(self, array):
    ...         self.array = array
    ...     def __supremum_function__(self, function, args, kwargs):
    ...         result = function(*[x.array if type(x) is Constant else x for x in args], **kwargs)
    ...         return Constant(result) if function is xp.sum else result
    >>> x = Constant(xp.ones((2, 3)))
    >>> x.sum(axis=0), x + 1
    (Constant(float32[3]), Array([[2., 2., 2.],
           [2., 2., 2.]], dtype=float32))
    """

    __slots__ = ("__weakref__",)
    __hash__ = None  # type: ignore[assignment]  # == is elementwise

    def __supremum_function__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], /) -> Any:
        """Return the result of a call: a derived class says which."""
        raise NotImplementedError(f"{type(self).__name__} does not define __supremum_function__")

    def concrete(self, need: str, error: type[Exception], /) -> Any:
        """Return the array whose elements something needs, or raise an error, as it does by default.

        Parameters
        ----------
        need : str
            What needs them: ``"bool(x) needs one value"``.
        error : type
            The class of JAX's error for that.
        """
        raise error(
            f"{need}, but {self!r} has no elements here; use jnp.where, lax.cond or lax.while_loop in place of Python's "
            "control flow, and functions of jax.numpy in place of NumPy's"
        )

    # -- what is known of it ---

    @property  # type: ignore[misc]  # of a type that has a setter
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]  # an array to `isinstance`
        return Array

    @property
    def node(self) -> Node:
        """The dtype and whether it is weak: a derived class says which."""
        raise NotImplementedError(f"{type(self).__name__} does not define node")

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes: a derived class says which."""
        raise NotImplementedError(f"{type(self).__name__} does not define shape")

    @property
    def _node(self) -> Node:  # type: ignore[override]  # an attribute of Methods
        return self.node

    @property
    def _data(self) -> Any:  # type: ignore[override]  # an attribute of Methods
        return self.concrete(
            "its elements are used in a function that no operand takes over", TracerArrayConversionError
        )._data

    ndim: Any = property(lambda self: len(self.shape), doc="The number of axes.")
    size: Any = property(lambda self: math.prod(self.shape), doc="The number of elements.")
    dtype: Any = property(lambda self: self._node.public)
    weak_type: Any = property(lambda self: self._node.weak)
    itemsize: Any = property(lambda self: self._node.dtype.itemsize, doc="Bytes of one element.")
    nbytes: Any = property(lambda self: self.size * self.itemsize, doc="Bytes of all elements.")
    aval: Any = property(lambda x: ShapedArray(x.shape, x._node.public, x._node.weak), doc="The shape and the dtype.")
    T: Any = property(xp.transpose, doc="The operand with its axes reversed.")
    mT: Any = property(xp.matrix_transpose, doc="The operand with its last two axes exchanged.")

    def on_device_size_in_bytes(self) -> int:
        """Return the number of bytes of all elements."""
        return int(self.nbytes)

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return int(self.shape[0])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({described(self)})"

    def __str__(self) -> str:
        return repr(self)

    def __format__(self, spec: str) -> str:
        return repr(self)

    def _repr_html_(self) -> None:
        return None

    # -- items ---

    def __getitem__(self, key: Any) -> Any:
        return _getitem(self, key)

    def __iter__(self) -> Iterator[Any]:
        if not self.ndim:
            raise TypeError("iter: iteration over a 0-d array")
        return (_getitem(self, i) for i in range(len(self)))

    def __reversed__(self) -> Iterator[Any]:
        if not self.ndim:
            raise TypeError("reversed: iteration over a 0-d array")
        return (_getitem(self, i) for i in range(len(self) - 1, -1, -1))

    def __contains__(self, value: Any) -> bool:
        return bool(xp.any(xp.equal(self, value)))

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError(f"{self!r} is immutable; use x = x.at[index].set(value), which returns a new array")

    @property
    def at(self) -> Any:
        """Updates and reads, as those of arrays."""
        return _At(self)

    def flatten(self, order: Any = "C", *, out_sharding: object = None) -> Any:
        """Return the elements in one axis."""
        return xp.ravel(self, order)

    def copy(self) -> Any:
        """Return an operand with the same elements."""
        return xp.copy(self)

    def delete(self) -> NoReturn:
        """Raise: other functions may use the elements."""
        raise ConcretizationTypeError(f"{self!r} has no buffer to delete")

    # -- conversions, which need the elements ---

    __bool__ = _conversion("__bool__", TracerBoolConversionError, "bool(x) needs one value")
    __int__ = _conversion("__int__", ConcretizationTypeError, "int(x) needs one value")
    __float__ = _conversion("__float__", ConcretizationTypeError, "float(x) needs one value")
    __complex__ = _conversion("__complex__", ConcretizationTypeError, "complex(x) needs one value")
    __index__ = _conversion("__index__", TracerIntegerConversionError, "an index or a length in Python needs one value")
    item = _conversion("item", ConcretizationTypeError, "x.item() needs one value")
    tolist = _conversion("tolist", ConcretizationTypeError, "x.tolist() needs one array")
    tobytes = _conversion("tobytes", ConcretizationTypeError, "x.tobytes() needs one array")
    __array__ = _conversion("__array__", TracerArrayConversionError, "NumPy needs one array")
    __dlpack__ = _conversion("__dlpack__", TracerArrayConversionError, "DLPack needs one array")
    __reduce__ = _conversion("__reduce__", ConcretizationTypeError, "a pickle needs one array")

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        own = _own_ufunc(ufunc) if method == "__call__" and not kwargs else None
        return self._of_numpy(ufunc) if own is None else own(*inputs)

    def __array_function__(self, func: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        own = _namesake(func)
        return self._of_numpy(func) if own is None else own(*args, **kwargs)

    def _of_numpy(self, function: Any) -> NoReturn:
        self.concrete(f"numpy.{function.__name__} needs one array", TracerArrayConversionError)
        raise TracerArrayConversionError(
            f"numpy.{function.__name__} has no counterpart for {self!r}; use functions of jax.numpy in place of NumPy's"
        )


# -- operators ----------------------------------------------------------------------------------------------------------------


def binary(function: Any, *, reflected: bool = False) -> Callable[..., Any]:
    """Return the method behind an operator of two operands."""

    def operator(self: Operand, other: Any) -> Any:
        if type(other) is not Array and not is_operand(other):
            return NotImplemented
        return function(other, self) if reflected else function(self, other)

    return operator


def _unary(function: Any) -> Callable[..., Any]:
    return lambda self: function(self)  # noqa: PLW0108 - a Python function is a method


for _name, (_, _function) in (ARITHMETIC | {"matmul": ("", "matmul"), "divmod": ("", "divmod")}).items():
    setattr(Operand, f"__{_name}__", binary(getattr(xp, _function)))
    setattr(Operand, f"__r{_name}__", binary(getattr(xp, _function), reflected=True))
for _name, (_, _function) in COMPARING.items():
    setattr(Operand, f"__{_name}__", binary(getattr(xp, _function)))
for _name, (_, _function) in OF_ONE.items():
    setattr(Operand, f"__{_name}__", _unary(getattr(xp, _function)))
for _name in ("view", "byteswap"):  # the methods that are no functions of the namespace
    _method: Any = engine.Function(vars(Methods)[_name], name=_name, handler=as_it_is)
    _method.facts = Facts(casts=_name == "view", own="result")  # of bits
    setattr(Operand, _name, _method)


class _At:
    """The value of ``x.at``."""

    def __init__(self, array: Operand) -> None:
        self.array = array

    def __getitem__(self, index: Any) -> _Update:
        return _Update(self.array, index)


class _Update:
    """The value of ``x.at[index]``, with the methods of that of arrays."""

    def __init__(self, array: Any, index: Any) -> None:
        self.array, self.index = array, index


for _name, _member in vars(IndexedUpdate).items():
    if not _name.startswith("__") and _name not in vars(_Update) and callable(_member):
        setattr(_Update, _name, _member)


#: The functions behind members of arrays that are no functions of the namespace, by their names: item access, updates,
#: in-place operators, conversions. Guests compare functions with them: ``function is CALLS["getitem"]``.
_CALLS: Final = (
    *hooks.SLOTS.values(), *hooks.IN_PLACE.values(), hooks.MATMUL_IN_PLACE, at.GET, *at.UPDATES.values(), at.APPLY,
    vars(Operand)["view"], vars(Operand)["byteswap"], vars(Array)["item"],
)  # fmt: skip
CALLS: Final[Mapping[str, Any]] = MappingProxyType({str(function.name): function for function in _CALLS})
