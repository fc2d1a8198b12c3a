"""Data type functions: casts, and questions about dtypes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias, get_args, overload

import ml_dtypes
import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import TypePromotionError, describe, warn, with_function_name, without_names
from supremum._base.key_dtype import KEY_DTYPE, extended, prng_key
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike, Device, DTypeKind, DTypeLike, wrap
from supremum._core.conversion import check_device, operand, use_asarray
from supremum._core.dtype_objects import ScalarType, finfo, iinfo, requested
from supremum._core.settings import State, state
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, PYTHON_SCALARS, WEAK, Node, as_node, node_of_dtype

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "issubdtype", "promote_types", "quantized", "result_type"]

Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
#: The rules, the strictest first.
_CASTING: Final = get_args(Casting)

_FLOAT64: Final = NODES["float64"]
#: The dtypes of weak types without an array that has a width.
_WIDEST: Final = {"i": NODES["int64"], "f": NODES["float64"], "c": NODES["complex128"]}

#: The kinds of `isdtype`, as the kinds of nodes that belong to them.
KINDS: Final = {
    "bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f",
    "complex floating": "c", "numeric": "iufc",
}  # fmt: skip
_PARENT: Final[dict[str, type]] = {
    "b": np.generic, "i": np.signedinteger, "u": np.unsignedinteger, "f": np.floating, "c": np.complexfloating,
}  # fmt: skip
#: The types of what is a dtype and nothing else, and of names.
_DTYPES: Final = frozenset({str, ScalarType, *map(type, {node.dtype for node in NODES.values()} - {None})})
_ABSTRACT_TYPES: Final = frozenset({*_PARENT.values(), np.number, np.integer, np.inexact, np.flexible, np.character})


def _node(spec: Any, function: str) -> Node:
    """Return the node of an array, a dtype, or a Python scalar or scalar type; the latter two are weak."""
    if isinstance(spec, Array):
        return spec._node
    if isinstance(spec, np.ndarray | np.generic) and not isinstance(spec, str):  # numpy.str_ may be a name
        spec = spec.dtype
    for python, node in PYTHON_SCALARS.items():
        if isinstance(spec, python):
            return node
    if spec is None:
        return _FLOAT64  # as NumPy reads a dtype of None
    try:
        return as_node(spec)
    except TypeError as error:
        raise TypePromotionError(f"{function}: {without_names(str(error))}") from None


def _dtype(spec: Any, function: str) -> np.dtype[Any]:
    """Return the NumPy dtype of an array, a dtype or a scalar; it may be one that arrays cannot have."""
    if isinstance(spec, np.dtype):
        return spec
    if not isinstance(spec, str) and isinstance(spec, Array | np.ndarray | np.generic | ScalarType):
        return spec.dtype
    for python, node in PYTHON_SCALARS.items():
        if isinstance(spec, python):
            return _widest_dtype(node)
    if spec is int:
        return _widest_dtype(WEAK["int*"])  # NumPy's int has the width of a pointer
    # In NumPy's errors a list is whole; one of fields has no lists.
    if not (isinstance(spec, list) and any(isinstance(part, list) for part in spec)):
        try:
            return call_user_code(np.dtype, spec)  # pyright: ignore[reportArgumentType]  # others raise
        except (TypeError, ValueError):
            pass
    return _widest_dtype(_node(spec, function))  # other names, or an error that says what to do


def _widest_dtype(node: Node) -> np.dtype[Any]:
    """Return the dtype of a node; of an abstract weak one, the widest of its kind."""
    return (_WIDEST[node.kind] if node.dtype is None else node).dtype


@public(fast="astype", last=0, casts=True)
def astype(x: ArrayLike, dtype: DTypeLike | None, /, *, copy: bool | None = True, device: Device | None = None) -> Array:
    """Cast an array to a dtype.

    Floats become integers by truncation; values beyond the limits saturate and NaN becomes 0, on every platform.

    Parameters
    ----------
    x : array_like
        Array to cast.
    dtype : dtype
        Dtype of the result; None is the default floating dtype.
    copy : bool, optional
        Whether to copy even if `x` has the dtype; otherwise `x` itself is returned then.
    device

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
    settings = state()
    node = settings.float_ if dtype is None else requested(dtype, "astype", settings)
    own = x._node
    if node is own:
        return wrap(x._data.copy(), node) if copy else x
    if own.kind == "c" and node.kind not in "cb":
        warn(
            "astype: casting complex to real drops the imaginary part and will become an error; take real(x) or imag(x) first",
            DeprecationWarning,
        )
    data = cast(x._data, node)
    return wrap(data.copy() if copy and data is x._data else data, node)


@public(composed=True, casts=True, own="rounding")
def quantized(x: ArrayLike, dtype: DTypeLike, /) -> Array:
    """Cast an array to a dtype whose rounding is part of the computation, as in a study of quantization.

    The same as `astype`, but under a `precision_lens`: the reference takes the rounded values over, so that what is reported
    comes from the computation with them. Elements beyond the range of the dtype are still reported as overflow.

    Parameters
    ----------
    x : array_like
        Array to cast.
    dtype : dtype
        Dtype of the result.

    Returns
    -------
    Array
        The cast array, strongly typed.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.quantized(xp.asarray([0.1, 0.9, 300.0]), "float8_e4m3fn")
    Array([0.1, 0.9, 288], dtype=float8_e4m3fn)
    """
    return astype(x, dtype)


@public
def can_cast(from_: ArrayLike | DTypeLike, to: DTypeLike, casting: Casting = "safe") -> bool:
    """Test whether a dtype can be cast to another one.

    Parameters
    ----------
    from_ : dtype or array_like
        Dtype or array to cast. A Python scalar can be cast to dtypes that it promotes to, whatever its value.
    to : dtype
        Dtype to cast to.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}
        Casts to allow: none, a change of byte order, casts that preserve values, casts within a kind, or all.

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
    _check_casting(casting)
    for spec in (from_, to):
        if spec is None:
            raise TypeError("can_cast: None is not a dtype; use one such as 'float32'")
    target = _dtype(to, "can_cast")
    if isinstance(from_, int | float | complex) and not isinstance(from_, bool | np.generic):
        node = _node(target, "can_cast")
        return state().system.lookup(_node(from_, "can_cast"), node) is node
    return _castable(_dtype(from_, "can_cast"), target, casting)


@lru_cache(maxsize=1024)
def _castable(source: np.dtype[Any], target: np.dtype[Any], casting: Casting) -> bool:
    if _LACKS_CASTS and (strictest := _between_narrow(node_of_dtype(source), node_of_dtype(target))):
        return _CASTING.index(strictest) <= _CASTING.index(casting)
    return bool(np.can_cast(source, target, casting))


def _check_casting(casting: object) -> None:
    if casting not in _CASTING:
        error = ValueError if isinstance(casting, str) else TypeError
        rules = "'no', 'equiv', 'safe', 'same_kind' or 'unsafe'"
        raise error(f"can_cast: casting must be {rules}, got {describe(casting)}")


#: Before 0.5.4, ml_dtypes had no casts between its integers and its floats; ours go through other dtypes.
_LACKS_CASTS: Final = not np.can_cast(ml_dtypes.int4, ml_dtypes.bfloat16, "unsafe")
#: The rules of later versions for casts from the integers and to them, unless "safe".
_NARROW_CASTING: Final = {"bfloat16": ("same_kind", "same_kind"), "float8_e5m2": ("unsafe", "same_kind")}
_WITHOUT_CASTS: Final = ("float16", "float8_e8m0fnu")


def _between_narrow(source: Node | None, target: Node | None) -> str | None:
    """Return the strictest rule that allows a cast between a narrow integer and a narrow float; None for other pairs."""
    if source is None or target is None:
        return None
    for integer, other, direction in ((source, target, 0), (target, source, 1)):
        is_pair = integer.kind in "iu" and integer.bits < 8 and other.kind == "f" and other.bits <= 16
        if is_pair and other.name not in _WITHOUT_CASTS:
            if other.name == "float6_e2m3fn" and integer.bits == 4:
                return None
            return _NARROW_CASTING.get(other.name, ("safe", "safe"))[direction]
    return None


@public
def isdtype(dtype: DTypeLike, kind: DTypeLike | DTypeKind | tuple[DTypeLike | DTypeKind, ...]) -> bool:
    """Test whether a dtype is of a kind, or is another dtype.

    Parameters
    ----------
    dtype : dtype
        Dtype to test.
    kind : str, dtype or tuple of those
        ``'bool'``, ``'signed integer'``, ``'unsigned integer'``, ``'integral'``, ``'real floating'``, ``'complex floating'``,
        ``'numeric'``, a dtype, or a tuple of those, any of which may match.

    Returns
    -------
    bool
        The result of the test.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.isdtype(xp.bfloat16, "real floating"), xp.isdtype(xp.int4, ("bool", "integral"))
    (True, True)
    """
    given = _dtype(dtype, "isdtype")
    # All kinds are tested, because an unknown one is an error at any position in the tuple.
    return any([_is_kind(given, one) for one in (kind if isinstance(kind, tuple) else (kind,))])


def _is_kind(given: np.dtype[Any], kind: object) -> bool:
    if isinstance(kind, bool | int | float | complex | list | tuple) or (isinstance(kind, type) and kind in _ABSTRACT_TYPES):
        raise TypeError(f"isdtype: a kind must be a dtype, the name of a kind or a flat tuple of those, got {describe(kind)}")
    if isinstance(kind, str) and kind in KINDS:
        node = node_of_dtype(given)
        return node is not None and node.kind in KINDS[kind]
    try:
        return bool(given == _dtype(kind, "isdtype"))
    except TypeError:
        if not isinstance(kind, str):
            raise
        raise ValueError(f"isdtype: {kind!r} is not a kind; use {', '.join(map(repr, KINDS))}, a dtype or a tuple") from None


@public
def issubdtype(arg1: DTypeLike, arg2: DTypeLike) -> bool:
    """Test whether a dtype or abstract type is a subtype of another one.

    Parameters
    ----------
    arg1, arg2 : dtype or abstract type
        Dtypes, or abstract types such as `floating`, `integer` or `number`.

    Returns
    -------
    bool
        The result of the test.

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
    """Return the scalar class of a dtype, or an abstract class."""
    if spec is KEY_DTYPE:
        return prng_key
    if isinstance(spec, type) and not isinstance(spec, ScalarType) and issubclass(spec, np.generic):
        return spec
    return _dtype(spec, "issubdtype").type


@public
def promote_types(a: ArrayLike | DTypeLike, b: ArrayLike | DTypeLike) -> np.dtype[Any]:
    """Return the dtype that two dtypes promote to in the current promotion system.

    Python's scalar types are weak. If the result is weak, its widest dtype is returned.

    Parameters
    ----------
    a, b : dtype
        Names, dtypes, scalar types, Python scalar types, or arrays, of which the dtype counts.

    Returns
    -------
    numpy.dtype
        The dtype of an operation on both.

    Raises
    ------
    TypePromotionError
        If they have no common dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.promote_types("uint8", "int8")
    dtype('int16')
    >>> xp.promote_types("bfloat16", int)
    dtype(bfloat16)
    """
    settings = state()
    plain = type(a) in _DTYPES and type(b) in _DTYPES
    found = settings.tables.get((promote_types, a, b)) if plain else None
    if found is not None:
        return found
    system = settings.system
    first, second = _strong_node(a), _strong_node(b)
    joined = system.lookup(first, second)
    if joined is None:
        raise with_function_name(system.error(first, second), "promote_types")
    found = _widest_dtype(joined)
    if plain:
        settings.tables[promote_types, a, b] = found
    return found


def _strong_node(spec: Any) -> Node:
    """Return the node of a dtype; for an array, of its dtype even if it is weak."""
    return _node(spec.dtype if isinstance(spec, Array) else spec, "promote_types")


@overload
def result_type(*args: ArrayLike | DTypeLike | None, return_weak_type_flag: Literal[False] = False) -> np.dtype[Any]: ...
@overload
def result_type(*args: ArrayLike | DTypeLike | None, return_weak_type_flag: Literal[True]) -> tuple[np.dtype[Any], bool]: ...
@public
def result_type(
    *args: ArrayLike | DTypeLike | None, return_weak_type_flag: bool = False
) -> np.dtype[Any] | tuple[np.dtype[Any], bool]:
    """Return the dtype that all arguments promote to.

    Parameters
    ----------
    *args : array_like or dtype
        Arrays, dtypes and scalars. Python scalars and scalar types are weak: they have a kind and no width.
    return_weak_type_flag : bool
        Whether to return whether the result is weakly typed, too.

    Returns
    -------
    numpy.dtype or tuple of numpy.dtype and bool
        The dtype, and the flag if `return_weak_type_flag`.

    Raises
    ------
    TypePromotionError
        If the arguments have no common dtype.

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
    nodes = tuple([x._node if type(x) is Array else None for x in args])
    plain = settings.remember and not return_weak_type_flag and None not in nodes
    if plain and (result_type, nodes) in settings.tables:
        return settings.tables[result_type, nodes]
    # In systems in which 0-d arrays have a lower tier, Python scalars do too; dtypes count as arrays with dimensions.
    low = [getattr(arg, "shape", None) == () or isinstance(arg, int | float | complex) for arg in args]
    found = [_node_in(settings, arg) for arg in args]
    node = settings.concrete(settings.common_tiered(list(zip(found, low, strict=True))))
    if plain:
        settings.tables[result_type, nodes] = node.public
    return (node.public, node.weak) if return_weak_type_flag else node.public


def _node_in(settings: State, spec: Any) -> Node:
    """Return the node of an argument of `result_type`; a dtype that is not available is truncated with a warning."""
    if spec is None:
        return settings.float_
    if isinstance(spec, list | tuple | dict):
        raise TypeError(f"result_type: arguments must be arrays, dtypes or scalars, got {describe(spec)}{use_asarray(spec)}")
    node = _node(spec, "result_type")
    if node.dtype is None or settings.x64 != "off":
        return node
    is_array = isinstance(spec, Array | np.ndarray | np.generic)
    return settings.truncate(node) if is_array else requested(node.dtype, "result_type", settings)
