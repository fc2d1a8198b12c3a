"""The engine in Python: the specification of the one in C, and what runs where that was not compiled.

It is written to be read. The fast paths of the engine in C are not here: each callable calls the Python definition that it
was given, and `Array` calls the hooks. What remains is what an engine must do itself: keep plans for each state, find the
state in force, and apply plans to buffers in silence.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, ClassVar, Final, Self, TypeVar

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.exceptions import is_too_large
from supremum._base.functions import (
    KNOWN,
    Node,
    ReferenceFunction as Function,
    ReferencePlain as Plain,
    Scope,
    State,
    call_without_float_warnings,
    check_registered,
    hooks,
    register,
    scope,
    state,
    strays,
    use,
)
from supremum._base.python_operators import ARITHMETIC, COMPARING, FUNCTIONS, OF_ONE
from supremum._core._reference_plans import Plan, find_dtype, register_dtypes
from supremum._core._reference_programs import Chain, Program
from supremum._core._reference_tapes import Dual, Level, Record, backward, hold_tapes, stripped

__all__ = [
    "Array", "At", "Batch", "BatchAxis", "Chain", "DeletedArray", "Dual", "Function", "IndexedUpdate", "Level", "Operation",
    "Plain", "Plan", "Program", "Record", "Scope", "State", "Ufunc", "apply", "backward", "complete", "find_dtype",
    "hold_tapes", "map_arrays", "own_values", "plan", "register", "register_dtypes", "retire", "scope", "state", "strays",
    "stripped", "use", "use_loops", "wrap",
]  # fmt: skip

#: A tuple, because not every class can be hashed.
_PYTHON_SCALARS: Final = (bool, int, float, complex)

# -- plans --------------------------------------------------------------------------------------------------------------------


class Operation:
    """What states keep plans for: a function of one or two operands, by nodes.

    Parameters
    ----------
    name : str
        For messages.
    operands : int
        1 or 2.
    make_plan : callable
        Makes a plan. It is called with the state, a node for each operand, and a shape for each operand; in place of a node,
        with the type of a Python scalar, whose shape is ().
    """

    def __init__(self, name: str, operands: int, make_plan: Callable[..., Plan]) -> None:
        if operands not in (1, 2):
            raise ValueError(f"Operation: operands must be 1 or 2, got {operands}")
        self.name: Final = name
        self.operands: Final = operands
        self.make_plan: Final = make_plan
        #: By which tangents of the operands are multiplied, and the public function: for the engine in C.
        self.factors: Any = None
        self.function: Any = None

    def _apply(self, *operands: Any) -> Any:
        """Apply the operation to Arrays, or an Array and a Python scalar; NotImplemented for other operands."""
        if len(operands) != self.operands or not _are_plain(operands):
            return NotImplemented
        taken = [_taken(x) for x in operands]
        chosen = _plan(self, *taken)
        buffers = [data if type(data) is np.ndarray else _converted(self, chosen, data) for _, data in taken]
        try:
            return _wrapped(call_without_float_warnings(_kernel(self, chosen), *buffers), chosen.node)
        except ValueError:
            if _fit(chosen, *buffers):
                raise
        return _hook("mismatch", self, *operands)


def _are_plain(operands: tuple[Any, ...]) -> bool:
    """Whether operands are Arrays, or one is and the other a Python scalar."""
    kinds = [type(x) is Array for x in operands]
    return any(kinds) and all(array or type(x) in _PYTHON_SCALARS for array, x in zip(kinds, operands, strict=True))


def plan(operation: Operation, *operands: Any) -> Plan:
    """Return the plan of an Operation for operands: Arrays, and Python scalars next to one."""
    if len(operands) != operation.operands:
        raise TypeError("plan: expected an Operation and its operands")
    if not _are_plain(operands):
        raise TypeError("plan: an operand is neither an Array nor a Python scalar, or none is an Array")
    return _plan(operation, *[_taken(x) for x in operands])


def apply(operation: Operation, *operands: Any) -> Any:
    """Apply an Operation, whoever watches: NotImplemented for operands that are not plain."""
    if type(operation) is not Operation or len(operands) != operation.operands:
        raise TypeError("apply: expected an Operation and its operands")
    return operation._apply(*operands)


def _taken(x: Any) -> tuple[Any, Any]:
    """Return the node and the buffer of an Array, or the type of a Python scalar and itself.

    A call takes its operands when it begins: Python code that runs meanwhile, such as a callback of the garbage collector, may
    delete the Array.
    """
    return (x._node, x._data) if isinstance(x, Array) else (type(x), x)


def _plan(operation: Operation, *operands: tuple[Any, Any]) -> Plan:
    here = state()
    key = (operation, *[what for what, _ in operands])
    found = here._plans.get(key)
    if found is None:
        found = operation.make_plan(here, *key[1:], *[getattr(data, "shape", ()) for _, data in operands])
        if type(found) is not Plan:
            raise TypeError(f"{operation.name}: the maker of plans must return a Plan, got {found!r}")
        if here.remember:
            here._plans[key] = found
    return found


def use_loops(_flag: bool) -> bool:
    """Set whether new plans take NumPy's loops, and return whether they did before. This engine never takes them."""
    return False


# -- arrays
# ---------------------------------------------------------------------------------------------------------------------------

#: The Python functions for what an engine does not do itself.
_HOOKS: Final = (
    "getitem", "setitem", "delitem", "foreign", "mismatch", "in_place", "matmul", "divmod", "contains", "to_bool", "to_int",
    "to_float", "to_complex", "to_index", "iterate", "frames", "rules", "parameters",
)  # fmt: skip
_OPERATORS: Final = (*FUNCTIONS, "matrix_multiply")
_operators: Final[dict[str, Operation]] = {}


def complete(**parts: Operation | Callable[..., Any]) -> None:
    """Take what is made above the engine: the Operations behind Python's operators, and functions for what is not plain.

    Parameters
    ----------
    **parts : Operation or callable
        Operations by the names of the operators' slots. Functions: ``getitem(x, key)``, ``setitem(x, key, value)`` and
        ``delitem(x, key)`` index; ``foreign(operation, x, y)`` applies an operation to an operand that is neither Array nor
        Python scalar, or returns NotImplemented; ``mismatch(operation, *operands)`` raises for shapes that do not fit, or a
        result larger than any array; ``in_place(operation, x, y)`` stores the result of an operation in `x`; ``matmul(x, y,
        in_place)`` multiplies matrices; ``divmod(x, y)``; ``contains(x, value)``; ``to_bool(x)``, ``to_int(x)``,
        ``to_float(x)``, ``to_complex(x)`` and ``to_index(x)`` convert; ``iterate(x)`` iterates over an array without axes;
        ``frames(error)`` leaves frames of the package out of the traceback of an error; ``rules(function, definition, args,
        kwargs)`` calls a definition by the rules of the system in force; ``parameters(function)`` returns what arguments are
        bound by.
    """
    for name, part in parts.items():
        if isinstance(part, Operation):
            if name not in _OPERATORS:
                raise TypeError(f"complete: there is no operator {name!r}")
            _operators[name] = part
        elif name in _HOOKS and callable(part):
            hooks[name] = part
        else:
            raise TypeError(f"complete: there is no hook {name!r}, or {part!r} is no function")


def _hook(name: str, *args: Any) -> Any:
    if name not in hooks:
        raise NotImplementedError(f"the engine has no hook {name}")
    return hooks[name](*args)


def _operator(name: str) -> Operation:
    if name not in _operators:
        raise NotImplementedError(f"the engine has no operator {name}")
    return _operators[name]


def _kernel(operation: Operation, chosen: Plan) -> Callable[..., Any]:
    if chosen.call is None:
        raise NotImplementedError(f"{operation.name}: there is neither a loop nor a kernel")
    return chosen.call


def _converted(operation: Operation, chosen: Plan, scalar: Any) -> Buffer:
    """Return the buffer of a Python scalar."""
    if chosen.convert is None:
        raise NotImplementedError(f"{operation.name}: the plan converts no scalar")
    buffer = chosen.convert(scalar)
    if type(buffer) is not np.ndarray:
        raise TypeError(f"{operation.name}: convert must return an ndarray, got {buffer!r}")
    return buffer


def _fit(chosen: Plan, *operands: Buffer) -> bool:
    """Whether the shapes of buffers can be broadcast together, to that of a result that NumPy can make."""
    try:
        shape = np.broadcast_shapes(*[x.shape for x in operands])
    except ValueError:
        return False
    return not is_too_large(shape, chosen.node.dtype.itemsize)


def _same(error: Exception) -> Exception:
    return error


_Operator = TypeVar("_Operator", bound=Callable[..., Any])


def _brief(operator: _Operator) -> _Operator:
    """Make what Python calls: tracebacks of its errors have one frame of the package."""

    @wraps(operator)
    def call(*args: Any) -> Any:
        try:
            return operator(*args)
        except Exception as error:  # noqa: BLE001 - any error is raised again
            raise hooks.get("frames", _same)(error)  # noqa: B904 - the same error

    return call  # type: ignore[return-value]  # of the same arguments


def _two(name: str) -> Callable[[Any, Any], Any]:
    return _brief(lambda self, other, /: _applied(_operator(name), self, other))


def _reflected(name: str) -> Callable[[Any, Any], Any]:
    return _brief(lambda self, other, /: _applied(_operator(name), other, self))


def _in_place(name: str) -> Callable[[Any, Any], Any]:
    # Where arrays are immutable, Python applies the plain operator and binds the name again.
    return _brief(
        lambda self, other, /: _hook("in_place", _operator(name), self, other) if state().mutable else NotImplemented
    )


def _one(name: str) -> Callable[[Any], Any]:
    return _brief(lambda self: _applied(_operator(name), self))


def _applied(operation: Operation, *operands: Any) -> Any:
    result = NotImplemented if state().watcher is not None else operation._apply(*operands)
    return _hook("foreign", operation, *operands) if result is NotImplemented else result


def _checked(name: str, value: Any, kind: type) -> Any:
    """Return the result of a hook that Python calls for a number of some type."""
    if not isinstance(value, kind):
        raise TypeError(f"__{name}__ returned non-{kind.__name__} (type {type(value).__name__})")
    return value


class Array:
    """An array: a NumPy buffer whose dtype promotes by the active promotion system."""

    __slots__ = ("__weakref__", "_data", "_node")

    _data: Buffer
    _node: Node
    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # arrays compare elementwise, so they cannot be keys

    def __new__(cls, data: object = None, node: object = None) -> Array:  # noqa: ARG004, PYI034 - nothing makes an array
        """Refuse: arrays are made by functions, so that every one is valid."""
        raise TypeError("Array cannot be constructed directly; use supremum.asarray(...), zeros(...) or the like")

    def __init_subclass__(cls, *, deleted: bool = False) -> None:
        """Refuse, but for the class of deleted arrays."""
        if not deleted:
            raise TypeError("type 'supremum.Array' is not an acceptable base type: hold an Array in an attribute instead")

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return self._data.shape

    @shape.setter
    def shape(self, _value: object) -> None:
        raise AttributeError("Array.shape cannot be set: write x = x.reshape(shape)")

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._data.ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._data.size

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the elements."""
        return self._node.public

    @dtype.setter
    def dtype(self, _value: object) -> None:
        raise AttributeError("Array.dtype cannot be set: write x = x.astype(dtype), or x.view(dtype)")

    @property
    def weak_type(self) -> bool:
        """Whether the array defers to strongly typed operands, as Python scalars do."""
        return bool(self._node.weak)

    @property
    def at(self) -> At:
        """Updates that return a new array: ``x.at[index].set(values)``, ``add``, ``multiply``, ``get`` and others."""
        return At(self)

    @property
    def T(self) -> Array:
        """The array with its axes reversed."""
        return wrap(self._data.T, self._node)

    @_brief
    def __divmod__(self, other: Any, /) -> Any:
        return _hook("divmod", self, other)

    @_brief
    def __rdivmod__(self, other: Any, /) -> Any:
        return _hook("divmod", other, self)

    @_brief
    def __matmul__(self, other: Any, /) -> Any:
        return _hook("matmul", self, other, False)

    @_brief
    def __rmatmul__(self, other: Any, /) -> Any:
        return _hook("matmul", other, self, False)

    @_brief
    def __imatmul__(self, other: Any, /) -> Any:
        return _hook("matmul", self, other, True) if state().mutable else NotImplemented

    @_brief
    def __bool__(self) -> bool:
        return bool(_hook("to_bool", self))

    @_brief
    def __int__(self) -> int:
        return _checked("int", _hook("to_int", self), int)

    @_brief
    def __float__(self) -> float:
        return _checked("float", _hook("to_float", self), float)

    @_brief
    def __complex__(self) -> complex:
        return _checked("complex", _hook("to_complex", self), complex)

    @_brief
    def __index__(self) -> int:
        return _checked("index", _hook("to_index", self), int)

    def __len__(self) -> int:
        if not self._data.ndim:
            raise TypeError("len() of unsized object: the array is 0-d")
        return len(self._data)

    @_brief
    def __iter__(self) -> Iterator[Array]:
        return map(self.__getitem__, range(len(self._data))) if self._data.ndim else _hook("iterate", self)

    @_brief
    def __contains__(self, value: object) -> bool:
        return bool(_hook("contains", self, value))

    @_brief
    def __getitem__(self, key: Any, /) -> Array:
        return _hook("getitem", self, key)

    @_brief
    def __setitem__(self, key: Any, value: Any, /) -> None:
        _hook("setitem", self, key, value)

    @_brief
    def __delitem__(self, key: Any, /) -> None:
        _hook("delitem", self, key)

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self._data.nbytes

    def __buffer__(self, flags: int, /) -> memoryview:
        """Give the buffer to `memoryview` and the like, from Python 3.12 on."""
        data: Any = self._data
        if self._node.kind == "k":
            raise TypeError("memoryview: keys have no bytes to read; use random.key_data(keys)")
        if data.dtype.isbuiltin != 1:
            raise BufferError("memoryview: the buffer protocol has no dtypes of ml_dtypes; use np.asarray(x)")
        if state().mutable:
            return memoryview(data)
        if flags & _WRITABLE:
            raise BufferError("memoryview: Array is immutable (config.mutable is False), and cannot be written to")
        return memoryview(data).toreadonly()

    if sys.version_info < (3, 12):

        def __bytes__(self) -> bytes:
            """Return the bytes of the buffer; a 0-d integer is a length to `bytes`, as in NumPy and JAX."""
            if self._data.ndim or self._node.kind not in "iu":
                return bytes(self.__buffer__(0))
            return bytes.__mul__(b"\0", self) if self.__index__() >= 0 else bytes(self.__index__())


for _name, (_slot, _) in ARITHMETIC.items():
    for _form, _make in (("", _two), ("r", _reflected), ("i", _in_place)):
        setattr(Array, f"__{_form}{_name}__", _make(_slot))
for _name, (_slot, _) in COMPARING.items():
    setattr(Array, f"__{_name}__", _two(_slot))
for _name, (_slot, _) in OF_ONE.items():
    setattr(Array, f"__{_name}__", _one(_slot))

#: PyBUF_WRITABLE, as `inspect.BufferFlags` has it from Python 3.12 on.
_WRITABLE: Final = 1
_new: Final = object.__new__


class DeletedArray(Array, deleted=True):
    """An array that was deleted."""

    __slots__ = ()


def retire(array: Array, data: Buffer) -> None:
    """Give an Array another buffer and the class of deleted arrays."""
    array._data = data
    array.__class__ = DeletedArray


def wrap(data: Any, node: Node) -> Array:
    """Make an Array of an ndarray and its node; a NumPy scalar counts as an array without dimensions."""
    if id(node) not in KNOWN:
        check_registered(node)
    return _wrapped(data, node)


hooks["wrap"] = wrap


def _wrapped(data: Any, node: Node) -> Array:
    """Make an Array of a buffer and a node that arrays can have."""
    if isinstance(data, np.generic):
        data = np.asarray(data)
    if type(data) is not np.ndarray:
        raise TypeError(f"wrap: expected an ndarray, got {data!r}")
    if data.dtype is not node.dtype and data.dtype != node.dtype:
        raise TypeError(f"wrap: a buffer of dtype {data.dtype} cannot be an array of node {node}")
    self = _new(Array)
    self._data = data
    self._node = node
    return self


# -- batches
# ----------------------------------------------------------------------------------------------------------------------------


class BatchAxis:
    """The axis that a `vmap` maps over."""

    __slots__ = ("examples", "in_rule", "level", "name", "one_by_one", "position", "size")

    def __init__(self, name: Any, size: int, level: int) -> None:
        self.name: Final = name
        self.size: Final = size
        self.level: Final = level
        self.position: int | None = None
        self.in_rule = self.one_by_one = False
        self.examples = 0


class Batch:
    """The values of all positions, along the first axis."""

    __slots__ = ("axis", "value")

    def __init__(self, axis: Any, value: Any, /) -> None:
        self.axis: Final = axis
        self.value: Final = value

    @property
    def __supremum_level__(self) -> int:
        """The level of the operand: that of its axis."""
        return self.axis.level

    node: Any = property(lambda self: self.value._node, doc="The dtype and whether it is weak.")
    _node = node
    shape: Any = property(lambda self: self.value.shape[1:], doc="The lengths of the axes of one position.")


def map_arrays(
    axis_kind: Any, batch_kind: Any, name: Any, level: int, axes: Any, args: tuple[Any, ...]
) -> tuple[Any, tuple[Any, ...]] | None:
    """Make batches of the arguments of a mapped function, next to the axis.

    Return None where they are not Arrays of one length, each mapped over axis 0 or not mapped, as `axes` says, one for all or
    a tuple.
    """
    each = axes if isinstance(axes, tuple) else (axes,) * len(args)
    if len(each) != len(args) or any(type(x) is not Array for x in args):
        return None
    mapped = [(x, axis) for x, axis in zip(args, each, strict=True) if axis is not None]
    if not mapped or any(type(axis) is not int or axis or not x.ndim for x, axis in mapped):
        return None
    if len({len(x) for x, _ in mapped}) > 1:
        return None
    found = axis_kind(name, len(mapped[0][0]), level)
    return found, tuple([x if axis is None else batch_kind(found, x) for x, axis in zip(args, each, strict=True)])


def own_values(result: Any, axis: Any, args: tuple[Any, ...]) -> Array | None:
    """Return the values of a batch: an Array that owns its memory and is no argument, or any where arrays are immutable."""
    if not isinstance(result, Batch) or result.axis is not axis or type(result.value) is not Array:
        return None
    found: Array = result.value
    apart = found._data.base is None and all(type(x) is Array and x._data is not found._data for x in args)
    return found if apart or not state().mutable else None


# -- callables
# ------------------------------------------------------------------------------------------------------------------------


class Ufunc(Function):
    """A function that the package attaches the methods of ufuncs to. Like NumPy's, it is no method of classes."""

    def __get__(self, instance: Any, owner: Any = None) -> Self:
        """Return the function itself."""
        return self

    @property
    def __name__(self) -> str:
        """The name of the function, read-only as NumPy's are."""
        return str(vars(self).get("__name__"))


class At:
    """What ``x.at`` is; index it."""

    __slots__ = ("array",)

    def __init__(self, array: Array) -> None:
        self.array: Final = array

    def __getitem__(self, index: Any, /) -> IndexedUpdate:
        return IndexedUpdate(self.array, index)

    def __repr__(self) -> str:
        return f"At({self.array!r})"


class IndexedUpdate:
    """What ``x.at[index]`` is. Methods are attached from above, by `setattr` on the class."""

    __slots__ = ("array", "index")

    def __init__(self, array: Array, index: Any) -> None:
        self.array: Final = array
        self.index: Final = index
