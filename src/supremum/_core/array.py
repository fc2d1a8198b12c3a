"""`Array`: the class of the engine, and what the engine needs from the package when operands are not plain.

The engine in C computes what is plain by itself; the hooks of this module do the rest, and raise the errors. The methods are
attached by `supremum._array`, a higher package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from supremum._base.errors import describe, without_function_name
from supremum._base.silence import call_user_code, call_without_float_warnings
from supremum._base.sizes import shape_error
from supremum._core import engine, settings
from supremum._core.plans import BINARY, PYTHON_SCALARS, UNARY, Operation, UnaryOperation
from supremum._kernels.bits import canonical
from supremum._kernels.casts import cast
from supremum.promotion._nodes import KEY, NODES, Node, node_of_dtype

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from supremum._array.at import Index, IndexedUpdate
    from supremum._array.methods import Methods

    class At:
        """The type of ``x.at``, which the engine makes."""

        def __getitem__(self, index: Index, /) -> IndexedUpdate: ...

    class Array(Methods, engine.Array):  # type: ignore[misc]  # both have slots
        """The class of the engine with the methods that are attached to it."""

        __hash__: ClassVar[None]  # pyright: ignore[reportIncompatibleMethodOverride]  # unhashable: == is elementwise

        def __add__(self, other: Any, /) -> Array: ...
        def __radd__(self, other: Any, /) -> Array: ...
        def __iadd__(self, other: Any, /) -> Array: ...  # noqa: PYI034 - a new array where arrays are immutable
        def __sub__(self, other: Any, /) -> Array: ...
        def __rsub__(self, other: Any, /) -> Array: ...
        def __isub__(self, other: Any, /) -> Array: ...  # noqa: PYI034 - a new array where arrays are immutable
        def __mul__(self, other: Any, /) -> Array: ...
        def __rmul__(self, other: Any, /) -> Array: ...
        def __imul__(self, other: Any, /) -> Array: ...  # noqa: PYI034 - a new array where arrays are immutable
        def __truediv__(self, other: Any, /) -> Array: ...
        def __rtruediv__(self, other: Any, /) -> Array: ...
        def __itruediv__(self, other: Any, /) -> Array: ...  # noqa: PYI034 - a new array where arrays are immutable
        def __floordiv__(self, other: Any, /) -> Array: ...
        def __rfloordiv__(self, other: Any, /) -> Array: ...
        def __ifloordiv__(self, other: Any, /) -> Array: ...  # noqa: PYI034 - a new array where arrays are immutable
        def __mod__(self, other: Any, /) -> Array: ...
        def __rmod__(self, other: Any, /) -> Array: ...
        def __imod__(self, other: Any, /) -> Array: ...  # noqa: PYI034 - a new array where arrays are immutable
        def __pow__(self, other: Any, /) -> Array: ...
        def __rpow__(self, other: Any, /) -> Array: ...
        def __ipow__(self, other: Any, /) -> Array: ...  # noqa: PYI034 - a new array where arrays are immutable
        def __and__(self, other: Any, /) -> Array: ...
        def __rand__(self, other: Any, /) -> Array: ...
        def __iand__(self, other: Any, /) -> Array: ...  # noqa: PYI034 - a new array where arrays are immutable
        def __or__(self, other: Any, /) -> Array: ...
        def __ror__(self, other: Any, /) -> Array: ...
        def __ior__(self, other: Any, /) -> Array: ...  # noqa: PYI034 - a new array where arrays are immutable
        def __xor__(self, other: Any, /) -> Array: ...
        def __rxor__(self, other: Any, /) -> Array: ...
        def __ixor__(self, other: Any, /) -> Array: ...  # noqa: PYI034 - a new array where arrays are immutable
        def __lshift__(self, other: Any, /) -> Array: ...
        def __rlshift__(self, other: Any, /) -> Array: ...
        def __ilshift__(self, other: Any, /) -> Array: ...  # noqa: PYI034 - a new array where arrays are immutable
        def __rshift__(self, other: Any, /) -> Array: ...
        def __rrshift__(self, other: Any, /) -> Array: ...
        def __irshift__(self, other: Any, /) -> Array: ...  # noqa: PYI034 - a new array where arrays are immutable
        def __matmul__(self, other: Any, /) -> Array: ...
        def __rmatmul__(self, other: Any, /) -> Array: ...
        def __imatmul__(self, other: Any, /) -> Array: ...  # noqa: PYI034 - a new array where arrays are immutable
        def __lt__(self, other: Any, /) -> Array: ...
        def __le__(self, other: Any, /) -> Array: ...
        def __gt__(self, other: Any, /) -> Array: ...
        def __ge__(self, other: Any, /) -> Array: ...
        def __eq__(self, other: Any, /) -> Array: ...  # type: ignore[override]  # arrays compare elementwise
        def __ne__(self, other: Any, /) -> Array: ...  # type: ignore[override]  # arrays compare elementwise
        def __neg__(self) -> Array: ...
        def __pos__(self) -> Array: ...
        def __abs__(self) -> Array: ...
        def __invert__(self) -> Array: ...
        def __divmod__(self, other: Any, /) -> tuple[Array, Array]: ...
        def __rdivmod__(self, other: Any, /) -> tuple[Array, Array]: ...
        def __getitem__(self, key: Any, /) -> Array: ...
        def __iter__(self) -> Iterator[Array]: ...
        @property
        def T(self) -> Array: ...
        @property
        def at(self) -> At: ...  # type: ignore[override]  # what the engine makes

    def wrap(data: np.ndarray[Any, Any], node: Node) -> Array:  # pyright: ignore[reportReturnType]  # the engine's
        """Return an Array of a buffer and its node, which must fit each other."""

else:
    Array, wrap = engine.Array, engine.wrap

__all__ = [
    "Array",
    "binary",
    "foreign",
    "in_place",
    "jax_array",
    "known",
    "mismatch",
    "store",
    "to_array",
    "unary",
    "use_asarray",
    "wrap",
]

#: Number of elements from which an in-place operator computes without a temporary.
_MANY: Final = 1 << 14
_OF_NUMPY: Final = (np.ndarray, np.generic)
_REPETITIONS: Final = (list.__rmul__, tuple.__rmul__, str.__rmul__, bytes.__rmul__)

#: The rows of Python's operators, by the engine's names of them.
_OPERATORS: Final = {
    "add": "add", "subtract": "subtract", "multiply": "multiply", "true_divide": "divide", "floor_divide": "floor_divide",
    "remainder": "remainder", "power": "pow", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift", "less": "less", "less_equal": "less_equal",
    "equal": "equal", "not_equal": "not_equal", "greater": "greater", "greater_equal": "greater_equal",
}  # fmt: skip
_SIGNS: Final = {"negative": "negative", "positive": "positive", "absolute": "abs", "invert": "bitwise_invert"}


def _rebuild(data: np.ndarray[Any, Any], weak: bool, name: str | None = None) -> Array:
    """Return the array of a pickle; the data of an ml_dtypes dtype are pickled as unsigned integers, with the dtype's name."""
    node = node_of_dtype(data.dtype) if name is None else KEY if name == KEY.name else NODES.get(name)
    if node is None or node.dtype is None:
        raise TypeError(f"cannot unpickle an Array of dtype {name or data.dtype}, which this installation does not have")
    return wrap(canonical(data, node), node.weak_form if weak else node)


def unary(operation: UnaryOperation, x: Array) -> Array:
    """Apply a unary operation to an array."""
    return operation.apply(x)


def binary(operation: Operation, x: Any, y: Any) -> Any:
    """Apply a binary operation to an Array and an operand of any type; return NotImplemented for an unknown type."""
    return operation.apply(x, y)


#: Converts the result of `__jax_array__` to an Array; set by `_core.conversion`, a higher module.
as_array: Callable[[Any], Array] = NotImplemented


def use_asarray(x: object) -> str:
    """Return the advice to call `asarray` on an object first, for messages; nothing if that would fail too."""
    try:
        as_array(x)
    except Exception:  # noqa: BLE001 - the object's own code may raise anything, and the message is about something else
        return ""
    return "; use supremum.asarray(...) on it first"


def jax_array(x: object) -> Any:
    """Return the result of an object's ``__jax_array__`` method (JAX's protocol), or None if it has none."""
    method: Any = None if isinstance(x, type) else getattr(x, "__jax_array__", None)
    if method is None:
        return None
    given = call_user_code(method)
    if given is None or type(given) is type(x):
        raise without_function_name(
            TypeError(f"__jax_array__ of {type(x).__name__} must return an array or a scalar, got {describe(given)}")
        )
    return given


def to_array(x: object) -> Array | None:
    """Return the Array of a NumPy array or scalar, without a copy if possible, or of an object with ``__jax_array__``.

    For other objects, return None.
    """
    if isinstance(x, _OF_NUMPY):
        node = node_of_dtype(x.dtype)
        if node is None or (type(x) is not np.ndarray and hasattr(x, "mask")):  # a masked array would lose its mask
            return None
        data = np.asarray(x)
        target = settings.state().truncate(node)
        return wrap(canonical(data, target) if data.dtype == target.dtype else cast(data, target), target)
    given = jax_array(x)
    if given is None:
        return None
    return as_array(given)


def _is_scalar(x: object) -> bool:
    """Whether an operand is exactly a Python scalar; a class need not be hashable."""
    return any(type(x) is python for python in PYTHON_SCALARS)


# -- hooks --------------------------------------------------------------------------------------------------------------------


def known(x: object) -> Any:
    """Return an operand as an Array or a Python scalar; None if it is neither and cannot be converted."""
    if type(x) is Array or _is_scalar(x):
        return x
    found = to_array(x)
    if found is not None:
        return found
    if type(x) is engine.DeletedArray:
        x._data  # noqa: B018 - refuses: perhaps the array was deleted after it became an operand
    # A subclass of a Python scalar, such as an IntEnum member, counts as what it derives from.
    return next((call_user_code(python, x) for python in PYTHON_SCALARS if isinstance(x, python)), None)


def foreign(operation: engine.Operation, x: Any, y: Any, apply: Callable[..., Any] = engine.apply) -> Any:
    """Apply an operation to an Array and an operand of any type; return NotImplemented for an unknown type."""
    first, second = known(x), known(y)
    if first is not None and second is not None:
        return apply(operation, first, second)
    other = y if second is None else x
    if operation.name in ("equal", "not_equal") and isinstance(other, list | tuple | set | dict):
        raise TypeError(f"{operation.name}: an Array cannot be compared with a {type(other).__name__}{use_asarray(other)}")
    # Python would use a 0-d integer array as the number of repetitions of the sequence.
    if operation.name == "multiply" and getattr(type(other), "__rmul__", None) in _REPETITIONS:
        raise TypeError(f"multiply: an Array cannot be multiplied by a {type(other).__name__}{use_asarray(other)}")
    return NotImplemented


def mismatch(operation: engine.Operation, *operands: Any) -> Any:
    raise shape_error(operation.name, *[x.shape for x in operands if type(x) is Array])


def in_place(operation: engine.Operation, x: Array, y: Any) -> Any:
    """Apply a binary operation and store its result in `x`."""
    many = x.size >= _MANY and (type(y) is Array or _is_scalar(y))
    if many and settings.state().observer is None and _computed_into(operation, x, y):
        return x
    result = foreign(operation, x, y)
    return result if result is NotImplemented else store(operation.name, x, result)


def _computed_into(operation: engine.Operation, x: Array, y: Any) -> bool:
    """Compute into the buffer of `x` if NumPy's ufunc alone can; return whether it did."""
    plan = engine.plan(operation, x, y)
    if not isinstance(plan.call, np.ufunc) or plan.node.dtype != x._node.dtype:
        return False
    b = y._data if type(y) is Array else plan.convert(y)  # type: ignore[misc]  # plans of two operands convert scalars
    try:
        call_without_float_warnings(plan.call, x._data, b, out=x._data)
    except ValueError:  # shapes that do not fit, or a buffer that is read-only
        return False
    return True


def store(name: str, x: Array, result: Array) -> Array:
    """Write the result of an in-place operator into `x` and return `x`; raise if dtype or shape differ."""
    if result._node.dtype != x._node.dtype:
        msg = (
            f"in-place {name}: the result's dtype {result.dtype} is not the array's own dtype {x.dtype}, and an in-place "
            f"operator may not cast it; write x = {name}(x, y) or cast the other operand with asarray(y).astype('{x.dtype}')"
        )
        raise TypeError(msg)
    if result._data.shape != x._data.shape:
        raise ValueError(f"in-place {name}: the result's shape {result.shape} is not the array's own shape {x.shape}")
    try:
        x._data[...] = result._data
    except ValueError:
        raise ValueError(f"in-place {name}: the array's buffer is read-only; copy it first") from None
    return x


Operation.apply_to_foreign = staticmethod(foreign)
engine.set_operators(
    **{slot: BINARY[row].engine for slot, row in _OPERATORS.items()},
    **{slot: UNARY[row].engine for slot, row in _SIGNS.items()},
)
