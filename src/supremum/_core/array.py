"""`Array`: a NumPy buffer and a node, with Python's operators.

An operator looks up its plan by the nodes of the operands; everything that depends on the nodes alone is in the plan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from supremum._base.errors import ShapeError, shown
from supremum._base.silence import ERRORS, SILENT, silently
from supremum._core import settings
from supremum._core.compiling import mypyc_attr
from supremum._core.dlpack import exported
from supremum._core.plans import BINARY, COMPILED, UNARY, BinaryPlan, Operation, UnaryOperation, UnaryPlan
from supremum._core.text import array_repr
from supremum._kernels.casts import cast
from supremum.promotion._nodes import KEY, NODES, Node, node_of_dtype

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from supremum._array.methods import Methods
else:
    Methods = object  # `supremum._array`, a higher module, attaches the methods at run time

__all__ = ["BLAS", "Array", "binary", "jax_array", "joined", "product", "store", "to_array", "unary", "wrap"]

ndarray: Final = np.ndarray
_slice: Final = slice
#: Number of elements from which an in-place operator computes without a temporary.
_MANY: Final = 1 << 14
_REPETITIONS: Final = (list.__rmul__, tuple.__rmul__)
_OVERRIDES: Final = settings.OVERRIDES
#: The nodes that the BLAS supports.
BLAS: Final = frozenset(NODES[name] for name in ("float32", "float64", "complex64", "complex128"))
_asarray: Final = np.asarray
_set_errors: Final = ERRORS.set
_reset_errors: Final = ERRORS.reset
#: Uncompiled, this is faster than calling the class; compiled code calls the class.
_new: Final = object.__new__

# One name each, because the compiler treats only Final names as constants.
_ADD: Final = BINARY["add"]
_RADD: Final = BINARY["radd"]
_SUB: Final = BINARY["subtract"]
_RSUB: Final = BINARY["rsubtract"]
_MUL: Final = BINARY["multiply"]
_RMUL: Final = BINARY["rmultiply"]
_DIV: Final = BINARY["divide"]
_RDIV: Final = BINARY["rdivide"]
_FLOORDIV: Final = BINARY["floor_divide"]
_RFLOORDIV: Final = BINARY["rfloor_divide"]
_MOD: Final = BINARY["remainder"]
_RMOD: Final = BINARY["rremainder"]
_POW: Final = BINARY["pow"]
_RPOW: Final = BINARY["rpow"]
_AND: Final = BINARY["bitwise_and"]
_RAND: Final = BINARY["rbitwise_and"]
_OR: Final = BINARY["bitwise_or"]
_ROR: Final = BINARY["rbitwise_or"]
_XOR: Final = BINARY["bitwise_xor"]
_RXOR: Final = BINARY["rbitwise_xor"]
_LSHIFT: Final = BINARY["bitwise_left_shift"]
_RLSHIFT: Final = BINARY["rbitwise_left_shift"]
_RSHIFT: Final = BINARY["bitwise_right_shift"]
_RRSHIFT: Final = BINARY["rbitwise_right_shift"]
_EQ: Final = BINARY["equal"]
_NE: Final = BINARY["not_equal"]
_LT: Final = BINARY["less"]
_LE: Final = BINARY["less_equal"]
_GT: Final = BINARY["greater"]
_GE: Final = BINARY["greater_equal"]
_NEG: Final = UNARY["negative"]
_POS: Final = UNARY["positive"]
_ABS: Final = UNARY["abs"]
_INVERT: Final = UNARY["bitwise_invert"]


@mypyc_attr(free_list_len=1, acyclic=True)  # a buffer and a node refer to no array
class Array(Methods):
    """An array: a NumPy buffer whose dtype promotes by the active promotion system.

    Make one with `asarray`, `zeros`, `arange` and the like; the class itself is not callable.

    Examples
    --------
    >>> import supremum as xp
    >>> x = xp.arange(5, dtype="int8")
    >>> 2 * x
    Array([0, 2, 4, 6, 8], dtype=int8)
    >>> xp.asarray(2)
    Array(2, dtype=int32, weak_type=True)
    """

    __slots__ = ("__weakref__", "_data", "_node")

    _data: np.ndarray[Any, Any]
    _node: Node

    #: Higher than ndarray's, so that `ndarray + Array` calls `Array.__radd__`.
    __array_priority__: ClassVar[int] = 100

    def __init__(self, data: Any = None, node: Any = None) -> None:
        """Set the buffer and the node. Only this package calls it, which keeps every array valid."""
        if type(node) is not Node:
            raise TypeError("Array cannot be constructed directly; use supremum.asarray(...), zeros(...) or the like")
        self._data = data
        self._node = node

    # -- arithmetic --------------------------------------------------------------------------------

    def __add__(self, other: Any, /) -> Array:
        return binary(_ADD, self, other)

    def __sub__(self, other: Any, /) -> Array:
        return binary(_SUB, self, other)

    def __mul__(self, other: Any, /) -> Array:
        return binary(_MUL, self, other)

    def __truediv__(self, other: Any, /) -> Array:
        return binary(_DIV, self, other)

    def __floordiv__(self, other: Any, /) -> Array:
        return binary(_FLOORDIV, self, other)

    def __mod__(self, other: Any, /) -> Array:
        return binary(_MOD, self, other)

    def __divmod__(self, other: Any, /) -> tuple[Array, Array]:
        quotient = binary(_FLOORDIV, self, other)
        return quotient if quotient is NotImplemented else (quotient, binary(_MOD, self, other))

    def __pow__(self, other: Any, /) -> Array:
        return binary(_POW, self, other)

    def __radd__(self, other: Any, /) -> Array:
        return binary(_RADD, self, other)

    def __rsub__(self, other: Any, /) -> Array:
        return binary(_RSUB, self, other)

    def __rmul__(self, other: Any, /) -> Array:
        return binary(_RMUL, self, other)

    def __rtruediv__(self, other: Any, /) -> Array:
        return binary(_RDIV, self, other)

    def __rfloordiv__(self, other: Any, /) -> Array:
        return binary(_RFLOORDIV, self, other)

    def __rmod__(self, other: Any, /) -> Array:
        return binary(_RMOD, self, other)

    def __rdivmod__(self, other: Any, /) -> tuple[Array, Array]:
        quotient = binary(_RFLOORDIV, self, other)
        return quotient if quotient is NotImplemented else (quotient, binary(_RMOD, self, other))

    def __rpow__(self, other: Any, /) -> Array:
        return binary(_RPOW, self, other)

    def __neg__(self) -> Array:
        return unary(_NEG, self)

    def __pos__(self) -> Array:
        return unary(_POS, self)

    def __abs__(self) -> Array:
        return unary(_ABS, self)

    def __invert__(self) -> Array:
        return unary(_INVERT, self)

    # -- bits --------------------------------------------------------------------------------------

    def __and__(self, other: Any, /) -> Array:
        return binary(_AND, self, other)

    def __or__(self, other: Any, /) -> Array:
        return binary(_OR, self, other)

    def __xor__(self, other: Any, /) -> Array:
        return binary(_XOR, self, other)

    def __lshift__(self, other: Any, /) -> Array:
        return binary(_LSHIFT, self, other)

    def __rshift__(self, other: Any, /) -> Array:
        return binary(_RSHIFT, self, other)

    def __rand__(self, other: Any, /) -> Array:
        return binary(_RAND, self, other)

    def __ror__(self, other: Any, /) -> Array:
        return binary(_ROR, self, other)

    def __rxor__(self, other: Any, /) -> Array:
        return binary(_RXOR, self, other)

    def __rlshift__(self, other: Any, /) -> Array:
        return binary(_RLSHIFT, self, other)

    def __rrshift__(self, other: Any, /) -> Array:
        return binary(_RRSHIFT, self, other)

    # -- in place ----------------------------------------------------------------------------------

    def __iadd__(self, other: Any, /) -> Array:  # noqa: PYI034 - a new array where arrays are immutable
        return _in_place(_ADD, self, other)

    def __isub__(self, other: Any, /) -> Array:  # noqa: PYI034 - a new array where arrays are immutable
        return _in_place(_SUB, self, other)

    def __imul__(self, other: Any, /) -> Array:  # noqa: PYI034 - a new array where arrays are immutable
        return _in_place(_MUL, self, other)

    def __itruediv__(self, other: Any, /) -> Array:  # noqa: PYI034 - a new array where arrays are immutable
        return _in_place(_DIV, self, other)

    def __ifloordiv__(self, other: Any, /) -> Array:  # noqa: PYI034 - a new array where arrays are immutable
        return _in_place(_FLOORDIV, self, other)

    def __imod__(self, other: Any, /) -> Array:  # noqa: PYI034 - a new array where arrays are immutable
        return _in_place(_MOD, self, other)

    def __ipow__(self, other: Any, /) -> Array:  # noqa: PYI034 - a new array where arrays are immutable
        return _in_place(_POW, self, other)

    def __iand__(self, other: Any, /) -> Array:  # noqa: PYI034 - a new array where arrays are immutable
        return _in_place(_AND, self, other)

    def __ior__(self, other: Any, /) -> Array:  # noqa: PYI034 - a new array where arrays are immutable
        return _in_place(_OR, self, other)

    def __ixor__(self, other: Any, /) -> Array:  # noqa: PYI034 - a new array where arrays are immutable
        return _in_place(_XOR, self, other)

    def __ilshift__(self, other: Any, /) -> Array:  # noqa: PYI034 - a new array where arrays are immutable
        return _in_place(_LSHIFT, self, other)

    def __irshift__(self, other: Any, /) -> Array:  # noqa: PYI034 - a new array where arrays are immutable
        return _in_place(_RSHIFT, self, other)

    # -- comparisons -------------------------------------------------------------------------------

    def __eq__(self, other: Any, /) -> Array:  # type: ignore[override]  # arrays compare elementwise
        return binary(_EQ, self, other)

    def __ne__(self, other: Any, /) -> Array:  # type: ignore[override]  # arrays compare elementwise
        return binary(_NE, self, other)

    def __lt__(self, other: Any, /) -> Array:
        return binary(_LT, self, other)

    def __le__(self, other: Any, /) -> Array:
        return binary(_LE, self, other)

    def __gt__(self, other: Any, /) -> Array:
        return binary(_GT, self, other)

    def __ge__(self, other: Any, /) -> Array:
        return binary(_GE, self, other)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # arrays compare elementwise, so they cannot be keys

    # -- conversions -------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        if self._data.size == 0:
            raise ValueError(
                "bool: The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an "
                "array is not empty."
            )
        if self._data.size > 1:
            raise ValueError(
                "bool: The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
            )
        if self._node is KEY:
            raise TypeError("bool: a key has no truth value; compare it with another one")
        return bool(self._data.item())

    def __int__(self) -> int:
        return int(self._scalar("int"))

    def __float__(self) -> float:
        return float(self._scalar("float"))

    def __complex__(self) -> complex:
        return complex(self._scalar("complex"))

    def __index__(self) -> int:
        if self._data.ndim or self._node.kind not in "iu":
            raise TypeError(
                f"index: Only integer scalar arrays can be converted to a scalar index; got shape {self.shape} "
                f"and dtype {self.dtype}"
            )
        return int(self._data.item())

    def __round__(self, ndigits: int | None = None) -> Array:
        rounded = self.round(0 if ndigits is None else ndigits)
        return rounded.astype(int) if ndigits is None else rounded

    def _scalar(self, target: str) -> Any:
        """Return the element of a 0-d array as a Python scalar, for ``int()``, ``float()`` and ``complex()``."""
        if self._data.ndim:
            raise TypeError(
                f"{target}: Only scalar arrays can be converted to Python scalars; {target}() got an array of shape "
                f"{self.shape}"
            )
        value: Any = self._data.item()
        if target != "complex" and isinstance(value, complex):
            raise TypeError(f"{target}() cannot convert a complex array; take its real or imag part first")
        # ml_dtypes' scalars have no __complex__.
        return value if isinstance(value, bool | int | float | complex) else float(value)

    # -- indexing and iteration --------------------------------------------------------------------

    def __getitem__(self, key: Any, /) -> Array:
        # NumPy's rules for an int and a slice are those of the standard and of JAX; other keys need checks.
        if type(key) is int or type(key) is _slice:
            try:
                data = self._data[key]
            except (IndexError, OverflowError, ValueError):
                data = self._select(key)  # raises with a better message
        else:
            data = self._select(key)
        return wrap(data if type(data) is ndarray else _asarray(data), self._node)

    def __len__(self) -> int:
        if not self._data.ndim:
            raise TypeError("len() of unsized object: the array is 0-d")
        return len(self._data)

    def __iter__(self) -> Iterator[Array]:
        if not self._data.ndim:
            raise TypeError("iter: iteration over a 0-d array")
        return map(self.__getitem__, range(len(self._data)))

    def __delitem__(self, key: Any, /) -> None:
        raise TypeError("Array.__delitem__: elements cannot be deleted; use x = delete(x, index), which returns a new array")

    def __reversed__(self) -> Iterator[Array]:
        if not self._data.ndim:
            raise TypeError("reversed: iteration over a 0-d array")
        return map(self.__getitem__, range(len(self._data) - 1, -1, -1))

    def __contains__(self, value: object) -> bool:
        if self._data.ndim != 1:
            raise ValueError(
                f"Array.__contains__: the array that is searched must be one-dimensional, got shape {self.shape}; use "
                "(x == value).any()"
            )
        found = binary(_EQ, self, value)
        return found is not NotImplemented and bool(found._data.any())

    # -- shape -------------------------------------------------------------------------------------

    @property
    def T(self) -> Array:
        """The array with its axes reversed."""
        return wrap(self._data.T, self._node)

    def reshape(self, *args: Any, order: str = "C", out_sharding: Any = None) -> Array:  # noqa: ARG002 - JAX's signature
        """Return the array with another shape, given as lengths or as one tuple; see `supremum.reshape`."""
        shape = args[0] if len(args) == 1 else args
        if order == "C" and type(shape) is tuple:
            for length in shape:
                if type(length) is not int or length < 0:
                    break
            else:
                try:
                    data = self._data.reshape(shape)
                except ValueError:
                    pass  # the general path raises with a better message
                else:
                    if COMPILED:
                        return Array(data, self._node)
                    out: Array = _new(Array)  # as `wrap` does, without the call
                    out._data = data
                    out._node = self._node
                    return out
        return self._reshape(shape, order)

    # -- text --------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return array_repr(self._data, weak=self._node.weak)

    def __str__(self) -> str:
        return array_repr(self._data, weak=False) if self._node is KEY else str(self._data)

    def __format__(self, spec: str) -> str:
        if self._node is KEY:
            return format(str(self), spec)
        if self._data.ndim:
            return format(self._data, spec)
        # Scalars of ml_dtypes support format specifications from version 0.6 on.
        return format(self._data.item() if spec and self._data.dtype.isbuiltin == 2 else self._data[()], spec)

    # -- protocols ---------------------------------------------------------------------------------

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if self._node is KEY:
            raise TypeError(
                "__array__: an array of keys cannot become a NumPy array; use random.key_data(keys), the integers "
                "that it is made of"
            )
        try:
            data = silently(np.array, self._data, dtype=dtype, copy=copy)
        except (TypeError, ValueError, RuntimeError) as error:
            if type(copy) is bool or copy is None:
                raise type(error)(f"__array__: {error}") from None
            raise TypeError(f"__array__: copy is True, False or None, got {shown(copy)}") from None
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

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        data = np.ascontiguousarray(self._data).reshape(self.shape)
        if data.dtype.isbuiltin != 2 and self._node is not KEY:
            return _rebuild, (data, self._node.weak)
        # A dtype of ml_dtypes is pickled by name: unpickling the dtype itself would set its flags for the process.
        return _rebuild, (data.view(f"u{data.itemsize}"), self._node.weak, self._node.public.name)

    def __copy__(self) -> Array:
        return wrap(self._data.copy(), self._node)

    def __deepcopy__(self, memo: dict[int, Any]) -> Array:
        copied = memo[id(self)] = wrap(self._data.copy(), self._node)
        return copied


if COMPILED:
    for _name in ("__index__", "__divmod__", "__rdivmod__"):  # assigning them fills slots that mypyc leaves empty
        setattr(Array, _name, getattr(Array, _name))


def _read_only(data: Any) -> Any:
    """Return a view that cannot be written to."""
    view = data.view()
    view.flags.writeable = False
    return view


def wrap(data: np.ndarray[Any, Any], node: Node) -> Array:
    """Return an Array of a buffer and its node, which must fit each other."""
    if COMPILED:
        return Array(data, node)
    out: Array = _new(Array)
    out._data = data
    out._node = node
    return out


def _rebuild(data: np.ndarray[Any, Any], weak: bool, name: str | None = None) -> Array:
    """Return the array of a pickle; the data of an ml_dtypes dtype are pickled as unsigned integers, with the dtype's name."""
    node = node_of_dtype(data.dtype) if name is None else KEY if name == KEY.name else NODES.get(name)
    if node is None or node.dtype is None:
        raise TypeError(f"cannot unpickle an Array of dtype {name or data.dtype}, which this installation does not have")
    return wrap(data if name is None else data.view(node.dtype), node.weak_form if weak else node)


def _compute_one(plan: UnaryPlan, a: Any) -> Any:
    """Execute a plan without floating-point warnings; ``out=...`` makes NumPy return an array for 0-d operands too."""
    token = _set_errors(SILENT)
    try:
        if COMPILED and plan.native:
            return plan.kernel(a) if a.ndim else plan.kernel(a, out=...)
        data = plan.call(a)
        return data if type(data) is ndarray else _asarray(data)
    finally:
        _reset_errors(token)


def _compute_two(plan: BinaryPlan, a: Any, b: Any) -> Any:
    """Execute a plan without floating-point warnings; ``out=...`` makes NumPy return an array for 0-d operands too."""
    token = _set_errors(SILENT)
    try:
        if COMPILED and plan.native:
            return plan.kernel(a, b) if a.ndim else plan.kernel(a, b, out=...)
        data = plan.call(a, b)
        return data if type(data) is ndarray else _asarray(data)
    finally:
        _reset_errors(token)


def joined(concatenate: Any, arrays: Any, axis: Any) -> Array | None:
    """Join arrays of the same node by a function of their buffers and an axis; return None if the general path is needed."""
    if type(axis) is not int or (type(arrays) is not list and type(arrays) is not tuple) or not arrays:
        return None
    node: Node | None = None
    buffers: list[Any] = []
    for x in arrays:
        if type(x) is not Array or (node is not None and x._node is not node):
            return None
        node = x._node
        buffers.append(x._data)
    assert node is not None  # noqa: S101 - the sequence is not empty
    return wrap(concatenate(buffers, axis), node)


def product(kernel: Any, a: Any, b: Any) -> Array | None:
    """Multiply arrays of the same node that the BLAS supports; return None if the general path is needed."""
    if type(a) is not Array or type(b) is not Array or a._node is not b._node or a._node not in BLAS or _OVERRIDES:
        return None
    try:
        data = silently(kernel, a._data, b._data)
    except ValueError:  # shapes that do not fit
        return None
    return wrap(data if type(data) is ndarray else _asarray(data), a._node)


def unary(operation: UnaryOperation, x: Array) -> Array:
    """Apply a unary operation to an array."""
    plan = operation.plans[x._node.index]
    if plan is None:
        plan = operation.unary_plan(x._node, x._data.size)
    return wrap(_compute_one(plan, x._data), plan.node)


def binary(operation: Operation, x: Array, y: Any) -> Any:
    """Apply a binary operation to an array and an operand of any type; return NotImplemented for an unknown type."""
    a = x._data
    b: Any
    plan: BinaryPlan | None
    if type(y) is Array:
        b = y._data
        plan = operation.plans[x._node.index][y._node.index]
        if plan is None:
            plan = operation.binary_plan(x._node, y._node, a.shape, b.shape)
            assert plan is not None  # noqa: S101 - binary_plan returns None only for types
    else:
        try:
            plan = operation.scalars[x._node.index].get(type(y))
        except TypeError:  # a metaclass can make a class unhashable
            return _foreign(operation, x, y)
        if plan is None:
            plan = operation.binary_plan(x._node, type(y), a.shape, ())
            if plan is None:
                return _foreign(operation, x, y)
        b = plan.memo.get(y)
        if b is None:
            b = plan.scalar(y)
    if operation.swapped:
        a, b = b, a
    try:
        return wrap(_compute_two(plan, a, b), plan.node)
    except ValueError:
        raise _shape_error(operation, a, b) from None


def _shape_error(operation: Operation, a: Any, b: Any) -> ShapeError:
    name = operation.rule.name
    return ShapeError(f"{name}: the shapes {np.shape(a)} and {np.shape(b)} cannot be broadcast together")


#: Converts the result of `__jax_array__` to an Array; set by `_core.conversion`, a higher module.
as_array: Callable[[Any], Array] = NotImplemented


def jax_array(x: object) -> Any:
    """Return the result of an object's ``__jax_array__`` method (JAX's protocol), or None if it has none."""
    method: Any = None if isinstance(x, type) else getattr(x, "__jax_array__", None)
    if method is None:
        return None
    given = method()
    if given is None or type(given) is type(x):
        raise TypeError(f"__jax_array__ of {type(x).__name__} must return an array or a scalar, got {shown(given)}")
    return given


def to_array(x: object) -> Array | None:
    """Return the Array of a NumPy array or scalar, without a copy if possible, or of an object with ``__jax_array__``.

    For other objects, return None.
    """
    if isinstance(x, ndarray | np.generic):
        node = node_of_dtype(x.dtype)
        if node is None or hasattr(x, "mask"):  # a masked array would lose its mask
            return None
        data = _asarray(x)
        target = settings.state().truncate(node)
        return wrap(data if data.dtype == target.dtype and data.dtype.isnative else cast(data, target), target)
    given = jax_array(x)
    if given is None:
        return None
    return as_array(given)


def _foreign(operation: Operation, x: Array, y: object) -> Any:
    """Apply a binary operation to an Array and an operand that is neither an Array nor exactly a Python scalar."""
    other = to_array(y)
    if other is not None:
        return binary(operation, x, other)
    scalars: tuple[type[Any], ...] = (bool, int, float, complex)
    for python in scalars:
        # A subclass of a Python scalar, such as an IntEnum member, counts as what it derives from.
        if isinstance(y, python):
            return binary(operation, x, python(y))
    if operation in (_EQ, _NE) and isinstance(y, list | tuple):
        given = type(y).__name__
        raise TypeError(
            f"{operation.rule.name}: an Array cannot be compared with a {given}; use supremum.asarray(...) on it first"
        )
    # Python would use a 0-d integer array as the number of repetitions of the sequence.
    if operation in (_MUL, _RMUL) and getattr(type(y), "__rmul__", None) in _REPETITIONS:
        given = type(y).__name__
        raise TypeError(f"multiply: an Array cannot be multiplied by a {given}; use supremum.asarray(...) on it first")
    return NotImplemented


def _in_place(operation: Operation, x: Array, y: Any) -> Any:
    """Apply a binary operation and store its result in `x`; return NotImplemented if arrays are immutable."""
    if not settings.state().mutable:
        return NotImplemented
    if x._data.size >= _MANY and isinstance(y, Array | int | float | complex) and _computed_into(operation, x, y):
        return x
    result = binary(operation, x, y)
    return result if result is NotImplemented else store(operation.rule.name, x, result)


def _computed_into(operation: Operation, x: Array, y: Any) -> bool:
    """Compute into the buffer of `x` if NumPy's ufunc alone can; return whether it did."""
    plan = operation.known(x._node, y._node if type(y) is Array else type(y))
    if plan is None or not plan.native or plan.node.dtype != x._node.dtype:
        return False
    b: Any = y._data if type(y) is Array else plan.memo.get(y)
    if b is None:
        return False
    try:
        silently(plan.kernel, x._data, b, out=x._data)
    except ValueError:  # shapes that do not fit, or a buffer that is read-only
        return False
    return True


def store(name: str, x: Array, result: Array) -> Array:
    """Write the result of an in-place operator into `x` and return `x`; raise if dtype or shape differ."""
    if result._node.dtype != x._node.dtype:
        msg = (
            f"in-place {name}: the result's dtype {result.dtype} is not the array's own dtype {x.dtype}, and an in-place "
            f"operator may not cast it; write x = {name}(x, y) or cast the other operand with .astype('{x.dtype}')"
        )
        raise TypeError(msg)
    if result._data.shape != x._data.shape:
        raise ValueError(f"in-place {name}: the result's shape {result.shape} is not the array's own shape {x.shape}")
    try:
        x._data[...] = result._data
    except ValueError:
        raise ValueError(f"in-place {name}: the array's buffer is read-only; copy it first") from None
    return x
