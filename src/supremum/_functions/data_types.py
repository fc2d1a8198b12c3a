"""Data type functions."""

from __future__ import annotations

import warnings
from typing import Any, Final, Literal, overload

import ml_dtypes
import numpy as np

from supremum._base.errors import named, shown, stack_level
from supremum._base.key_dtype import KEY_DTYPE, extended, prng_key
from supremum._core.array import Array, wrap
from supremum._core.boundary import publish
from supremum._core.conversion import operand
from supremum._core.dtypes import ScalarType, finfo, iinfo, requested
from supremum._core.settings import State, state
from supremum._functions.creation import check_device
from supremum._kernels.casts import cast
from supremum.promotion._errors import TypePromotionError
from supremum.promotion._nodes import NODES, WEAK, Node, as_node, node_of_dtype

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "issubdtype", "promote_types", "result_type"]

_FLOAT64: Final = NODES["float64"]
_PYTHON: Final[tuple[tuple[type, Node], ...]] = (
    (bool, NODES["bool"]),  # before int, whose subclass it is
    (int, WEAK["int*"]),
    (float, WEAK["float*"]),
    (complex, WEAK["complex*"]),
)
#: What a weak type means where a dtype is asked for and no array is there to say its width.
_WIDEST: Final = {"i": NODES["int64"], "f": NODES["float64"], "c": NODES["complex128"]}

#: The kinds of `isdtype`, as the kinds of nodes that belong to them.
KINDS: Final = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}
_PARENT: Final[dict[str, type]] = {
    "b": np.generic,
    "i": np.signedinteger,
    "u": np.unsignedinteger,
    "f": np.floating,
    "c": np.complexfloating,
}
_ABSTRACT_TYPES: Final = frozenset({*_PARENT.values(), np.number, np.integer, np.inexact, np.flexible, np.character})


def _node(spec: Any, function: str) -> Node:
    """Return the node of an array, a dtype-like, or a Python scalar or scalar type, which are weak."""
    if isinstance(spec, Array):
        return spec._node
    if isinstance(spec, np.ndarray | np.generic):
        spec = spec.dtype
    for python, node in _PYTHON:
        if isinstance(spec, python):
            return node
    if spec is None:
        return _FLOAT64  # as NumPy reads a dtype of None
    try:
        return as_node(spec)
    except TypeError as error:
        raise TypePromotionError(f"{function}: {error}") from None


def _dtype(spec: Any, function: str) -> np.dtype[Any]:
    """Return the NumPy dtype that `spec` means; other dtypes than ours too, which questions may be about."""
    if isinstance(spec, np.dtype):
        return spec
    if isinstance(spec, Array | np.ndarray | np.generic | ScalarType):
        return spec.dtype
    for python, node in _PYTHON:
        if isinstance(spec, python):
            return _wide(node)
    if spec is int:
        return _wide(WEAK["int*"])  # NumPy's has the width of a pointer
    try:
        return np.dtype(spec)
    except (TypeError, ValueError, RecursionError):
        pass
    return _wide(_node(spec, function))  # names that only we know, or an error that says what to do


def _wide(node: Node) -> np.dtype[Any]:
    dtype = (_WIDEST[node.kind] if node.dtype is None else node).dtype
    assert dtype is not None  # noqa: S101 - the widest nodes have one
    return dtype


def astype(
    x: ArrayLike,
    dtype: DTypeLike | None,
    /,
    *,
    copy: bool | None = True,
    device: Any = None,
) -> Array:
    """Cast an array to a dtype.

    Floats become integers by truncation; what lies beyond the limits saturates and NaN becomes 0, on every platform.

    Parameters
    ----------
    x : array_like
        What to cast.
    dtype : dtype
        The dtype of the result; None is the default floating one.
    copy : bool, optional
        Whether to copy even where `x` has the dtype already; False gives the same array there.
    device : optional
        ``"cpu"``.

    Returns
    -------
    Array
        The cast array, strongly typed.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.astype(xp.asarray([1.7, -300.0, xp.nan]), xp.int8)
    Array([   1, -128,    0], dtype=int8)
    """
    if type(x) is not Array:
        x = operand(x, "astype")
    if device is not None:
        check_device(device, "astype")
    node = _target(dtype)
    own = x._node
    if (own, node) in _PLAIN:
        return wrap(x._data.astype(node.dtype), node)
    if node is own:
        return wrap(x._data.copy(), node) if copy else x
    if own.kind == "c" and node.kind not in "cb":
        warnings.warn(
            "astype: casting complex to real drops the imaginary part and will become an error; take real(x) or imag(x) first",
            DeprecationWarning,
            stacklevel=stack_level(),
        )
    data = cast(x._data, node)
    return wrap(data.copy() if copy and data is x._data else data, node)


#: Pairs of nodes that NumPy casts rightly and without a warning.
_PLAIN: Final = frozenset(
    (source, target)
    for source in NODES.values()
    for target in NODES.values()
    if source.native
    and target.native
    and source is not target
    and (
        source.kind in "biu"
        or (source.kind == "f" and (target.kind == "b" or (source.bits < target.bits and target.kind in "fc")))
    )
) | {(NODES["bfloat16"], NODES["float32"]), (NODES["float32"], NODES["bfloat16"])}


def _target(dtype: DTypeLike | None) -> Node:
    """Return the node that `astype` is asked for: names and scalar types quickly, where no mode truncates them."""
    settings = state()
    if settings.x64 != "off":
        kind = type(dtype)
        node = NODES.get(dtype) if kind is str else dtype.node if kind is ScalarType else None
        if node is not None:
            return node
    return settings.float_ if dtype is None else requested(dtype, "astype", settings)


def can_cast(from_: Any, to: Any, casting: Any = "safe") -> bool:
    """Whether a dtype can be cast to another one.

    Parameters
    ----------
    from_ : dtype, array or scalar
        What to cast. A Python scalar can be cast to what it promotes to, whatever its value.
    to : dtype
        The dtype to cast to.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}
        What is allowed: no change, a change of byte order, only casts that keep values, casts within a kind, or everything.

    Returns
    -------
    bool
        Whether the cast is allowed.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.can_cast("int8", "bfloat16"), xp.can_cast("float32", "bfloat16")
    (True, False)
    >>> xp.can_cast("float32", "bfloat16", casting="same_kind")
    True
    """
    if casting not in ("no", "equiv", "safe", "same_kind", "unsafe"):
        kind = ValueError if isinstance(casting, str) else TypeError
        raise kind(f"can_cast: casting is 'no', 'equiv', 'safe', 'same_kind' or 'unsafe', got {shown(casting)}")
    for spec in (from_, to):
        if spec is None:
            raise TypeError("can_cast: None is no dtype; name one such as 'float32'")
    target = _dtype(to, "can_cast")
    if isinstance(from_, int | float | complex) and not isinstance(from_, bool | np.generic):
        node = _node(target, "can_cast")
        return state().system.lookup(_node(from_, "can_cast"), node) is node
    source = _dtype(from_, "can_cast")
    if _LACKS_CASTS and (strictest := _between_narrow(node_of_dtype(source), node_of_dtype(target))):
        return _CASTING.index(strictest) <= _CASTING.index(casting)
    return bool(np.can_cast(source, target, casting))


_CASTING: Final = ("no", "equiv", "safe", "same_kind", "unsafe")
#: Before 0.5.4, ml_dtypes had no casts between its integers and its floats. Ours go by way of others.
_LACKS_CASTS: Final = not np.can_cast(ml_dtypes.int4, ml_dtypes.bfloat16, "unsafe")
#: What is allowed since then, from the integers and to them, where that is not "safe".
_NARROW_CASTING: Final = {"bfloat16": ("same_kind", "same_kind"), "float8_e5m2": ("unsafe", "same_kind")}
_WITHOUT_CASTS: Final = ("float16", "float8_e8m0fnu")


def _between_narrow(source: Node | None, target: Node | None) -> str | None:
    """Return the strictest rule that allows a cast between a small integer and a float of ml_dtypes, None for other pairs."""
    if source is None or target is None:
        return None
    for given, other, way in ((source, target, 0), (target, source, 1)):
        is_pair = given.kind in "iu" and given.bits < 8 and other.kind == "f" and other.bits <= 16
        if is_pair and other.name not in _WITHOUT_CASTS:
            if other.name == "float6_e2m3fn" and given.bits == 4:
                return None
            return _NARROW_CASTING.get(other.name, ("safe", "safe"))[way]
    return None


def isdtype(dtype: DTypeLike | None, kind: Any) -> bool:
    """Whether a dtype is another one or of a kind.

    Parameters
    ----------
    dtype : dtype
        The dtype in question.
    kind : str, dtype or tuple of them
        ``'bool'``, ``'signed integer'``, ``'unsigned integer'``, ``'integral'``, ``'real floating'``, ``'complex floating'``,
        ``'numeric'``, a dtype, or a tuple, which stands for any of its members.

    Returns
    -------
    bool
        The answer.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.isdtype(xp.bfloat16, "real floating"), xp.isdtype(xp.int4, ("bool", "integral"))
    (True, True)
    """
    given = _dtype(dtype, "isdtype")
    # No short cut: an unknown kind is an error wherever it stands in the tuple.
    return any([_is_kind(given, one) for one in (kind if isinstance(kind, tuple) else (kind,))])  # noqa: C419 - see above


def _is_kind(given: np.dtype[Any], kind: Any) -> bool:
    if isinstance(kind, bool | int | float | complex | list | tuple) or _is_abstract(kind):
        raise TypeError(f"isdtype: a kind is a dtype, the name of a kind or a flat tuple of those, got {shown(kind)}")
    if isinstance(kind, str) and kind in KINDS:
        node = node_of_dtype(given)
        return node is not None and node.kind in KINDS[kind]
    try:
        return bool(given == _dtype(kind, "isdtype"))
    except TypeError:
        if not isinstance(kind, str):
            raise
        raise ValueError(f"isdtype: {kind!r} is no kind; kinds are {', '.join(map(repr, KINDS))}, dtypes and tuples") from None


def _is_abstract(spec: Any) -> bool:
    """Whether `spec` is a scalar type of NumPy that no dtype has."""
    return isinstance(spec, type) and spec in _ABSTRACT_TYPES


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Whether a dtype or abstract type is, or is below, another one.

    Parameters
    ----------
    arg1, arg2 : dtype or abstract type
        A dtype, or an abstract type such as `floating`, `integer` or `number`.

    Returns
    -------
    bool
        The answer.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.issubdtype(xp.bfloat16, xp.floating), xp.issubdtype("int4", xp.signedinteger), xp.issubdtype("bool", xp.number)
    (True, True, False)
    """
    lower, upper = _class(arg1), _class(arg2)
    if issubclass(lower, upper):
        return True
    if issubclass(lower, extended):
        return False
    node = None if lower in _ABSTRACT_TYPES else node_of_dtype(np.dtype(lower))
    # ml_dtypes' scalar types derive from none of NumPy's abstract ones.
    return node is not None and upper in _ABSTRACT_TYPES and issubclass(_PARENT[node.kind], upper)


def _class(spec: Any) -> type:
    """Return the scalar class, perhaps an abstract one, that `spec` means to `issubdtype`."""
    if spec is KEY_DTYPE:
        return prng_key
    if isinstance(spec, type) and not isinstance(spec, ScalarType) and issubclass(spec, np.generic):
        return spec
    return _dtype(spec, "issubdtype").type


def promote_types(a: ArrayLike, b: ArrayLike) -> np.dtype[Any]:
    """Return the dtype at which two dtypes meet in the promotion system in force.

    Python's scalar types are weak; where only a weak type is left, its widest dtype is the answer.

    Parameters
    ----------
    a, b : dtype
        Names, dtypes, scalar types, Python scalar types, or arrays, which count by their dtype.

    Returns
    -------
    numpy.dtype
        The dtype of the result of an operation on both.

    Raises
    ------
    TypePromotionError
        Where they do not meet.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.promote_types("uint8", "int8")
    dtype('int16')
    >>> xp.promote_types("bfloat16", int)
    dtype(bfloat16)
    """
    system = state().system
    first, second = _strong(a), _strong(b)
    met = system.lookup(first, second)
    if met is None:
        raise named(system.error(first, second), "promote_types")
    return _wide(met)


def _strong(spec: Any) -> Node:
    """Return the node of a dtype; an array counts by its dtype, weak or not."""
    return _node(spec.dtype if isinstance(spec, Array) else spec, "promote_types")


@overload
def result_type(*args: Any, return_weak_type_flag: Literal[False] = False) -> np.dtype[Any]: ...
@overload
def result_type(*args: Any, return_weak_type_flag: Literal[True]) -> tuple[np.dtype[Any], bool]: ...
def result_type(*args: Any, return_weak_type_flag: bool = False) -> np.dtype[Any] | tuple[np.dtype[Any], bool]:
    """Return the dtype of the result of an operation on all arguments.

    Parameters
    ----------
    *args : arrays, dtypes and scalars
        Python scalars and scalar types are weak: they say the kind, not the width.
    return_weak_type_flag : bool
        Whether to tell also whether the result is weakly typed.

    Returns
    -------
    numpy.dtype or tuple of numpy.dtype and bool
        The dtype, and the flag where it was asked for.

    Raises
    ------
    TypePromotionError
        Where the arguments do not meet.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.result_type("int8", 1), xp.result_type("int8", 1.5)
    (dtype('int8'), dtype('float32'))
    >>> xp.result_type(xp.asarray(2), 1.0, return_weak_type_flag=True)
    (dtype('float32'), True)
    """
    if not args:
        raise ValueError("result_type: at least one array, dtype or scalar is required")
    settings = state()
    # Where arrays without dimensions count less, Python scalars do too; dtypes count as arrays with dimensions.
    node = settings.concrete(
        settings.meet_tiered([(_node_in(here, arg), getattr(arg, "shape", None) == () or _is_python(arg)) for arg in args])
    )
    assert node.dtype is not None  # noqa: S101 - meet_tiered gives concrete nodes
    return (node.public, node.weak) if return_weak_type_flag else node.public


def _is_python(spec: Any) -> bool:
    return isinstance(spec, bool | int | float | complex)


def _node_in(settings: State, spec: Any) -> Node:
    """Return the node of an argument of `result_type`: a dtype that does not exist in this mode is truncated aloud."""
    if spec is None:
        return settings.float_
    if isinstance(spec, list | tuple | dict):
        raise TypeError(f"result_type: arguments are arrays, dtypes, scalars, got {shown(spec)}; use asarray(...) on it first")
    node = _node(spec, "result_type")
    if node.dtype is None or settings.x64 != "off":
        return node
    quiet = isinstance(spec, Array | np.ndarray | np.generic)
    return settings.truncate(node) if quiet else requested(node.dtype, "result_type", settings)


publish(__name__)
