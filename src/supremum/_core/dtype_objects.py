"""Public dtypes: callable scalar types, `finfo` and `iinfo`, and the interpretation of `dtype=` arguments.

`xp.int16` is a type that returns arrays when called, equals ``numpy.dtype("int16")`` and ``numpy.int16``, whose hash it has,
and is accepted wherever a dtype is. `Array.dtype` is a plain NumPy dtype.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, ClassVar, Final

import ml_dtypes
import numpy as np

from supremum._base.absent import first_sentence
from supremum._base.boundary import public, traceless
from supremum._base.exceptions import DtypeError, describe, nearest, warn
from supremum._core import engine
from supremum._core.settings import State, state
from supremum.promotion._nodes import NODES, Node, as_node, node_of_dtype

if TYPE_CHECKING:
    from collections.abc import Callable

#: The kinds of the types of Python's numbers; bool comes first because it is a subclass of int.
KIND_OF_PYTHON: Final[dict[type, str]] = {bool: "b", int: "i", float: "f", complex: "c"}
_FLOAT64: Final = NODES["float64"]
_KIND_OF_NAME: Final = {python.__name__: kind for python, kind in KIND_OF_PYTHON.items()}


def _convert(cls: ScalarType, x: object, /) -> Any:
    """Convert `x` to an array of this dtype."""


class ScalarType(type):
    """The type of the scalar types, such as `xp.int16`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.int16(1)
    Array(1, dtype=int16)
    >>> import numpy as np
    >>> xp.int16 == np.dtype("int16"), xp.int16 == np.int16, {np.int16: "short"}[xp.int16]
    (True, True, 'short')
    """

    dtype: np.dtype[Any]
    node: Node
    #: Converts the argument of a call to an array; set by `supremum._array`, a higher module.
    make: ClassVar[Callable[[object, Node], Any]]

    @traceless
    @functools.wraps(_convert)  # for the signature; messages of Python would name this class
    def __call__(  # pyright: ignore[reportIncompatibleMethodOverride]  # of one argument, as its signature says
        cls, *x: object, **other: object
    ) -> Any:
        if len(x) != 1 or other:
            given = [*map(describe, x), *(f"{name}={describe(value)}" for name, value in other.items())]
            raise TypeError(f"{cls.__name__}() takes one argument, an object to convert; got ({', '.join(given)})")
        return ScalarType.make(x[0], cls.node)

    def __eq__(cls, other: object) -> bool:
        if cls is other:
            return True
        return other is not None and bool(cls.dtype == (other.dtype if isinstance(other, ScalarType) else other))

    def __ne__(cls, other: object) -> bool:
        return not cls == other

    def __hash__(cls) -> int:
        # That of NumPy's class, as in JAX. A dtype equals both, and has another hash.
        return hash(cls.dtype.type)

    def __instancecheck__(cls, instance: object) -> bool:
        """Return whether `instance` is a NumPy (or ml_dtypes) scalar of this dtype."""
        return isinstance(instance, cls.dtype.type)

    def __repr__(cls) -> str:
        return f"<class 'supremum.{cls.__name__}'>"

    @property
    def name(cls) -> str:
        """The dtype's name."""
        return str(cls.dtype.name)

    @property
    def itemsize(cls) -> int:
        """Bytes of an element."""
        return cls.dtype.itemsize

    @property
    def kind(cls) -> str:
        """NumPy's kind code of the dtype."""
        return cls.dtype.kind


def _scalar_type(node: Node) -> ScalarType:
    about = f"The dtype {node.name}; a call converts its argument to an array of that dtype."
    # In the package users and pickle find them by name.
    return ScalarType(node.name, (), {"dtype": node.dtype, "node": node, "__doc__": about, "__module__": "supremum"})


#: Every scalar type, by name.
scalar_types: Final[dict[str, ScalarType]] = {name: _scalar_type(node) for name, node in NODES.items()}


def _spellings() -> dict[object, Node | type]:
    """Return what dtypes are usually called, with their nodes; Python's types, and their names, mean defaults."""
    found: dict[object, Node | type] = {}
    for word, scalar in np.sctypeDict.items():
        node = node_of_dtype(np.dtype(scalar))
        if node is not None:
            found |= {word: node, scalar: node}
    for kind in scalar_types.values():
        node, dtype = kind.node, kind.dtype
        if dtype.isbuiltin == 1:  # the others have none of their own
            found |= {dtype.str: node, dtype.char: node}
        found |= dict.fromkeys((node.name, node.code, dtype.type), node)
    return found | {spelling: python for python in KIND_OF_PYTHON for spelling in (python, python.__name__)}


# Scalar types and dtypes equal their names in a dictionary, and are known by identity.
engine.register_dtypes(
    [*_spellings().items(), *[(key, kind.node) for kind in scalar_types.values() for key in (kind, kind.dtype)]]
)


def to_inexact(node: Node) -> Node:
    """Return the floating node of the result of functions like `sin`: float64 for 64-bit integers, float32 for others."""
    if node.kind in "fc":
        return node
    inexact = NODES["float64" if node.bits == 64 and node.kind != "b" else "float32"]
    return inexact.weak_form if node.weak else inexact


def complex_of(node: Node) -> Node:
    """Return the complex node that holds numbers of `node`; complex nodes stay."""
    if node.kind == "c":
        return node
    result = NODES["complex128" if to_inexact(node).strong is _FLOAT64 else "complex64"]
    return result.weak_form if node.weak else result


def python_kind(dtype: object) -> str | None:
    """Return the kind of a Python scalar type or its name, such as ``float`` or ``"float"``; None for other dtypes."""
    if isinstance(dtype, str):
        return _KIND_OF_NAME.get(dtype)
    return KIND_OF_PYTHON.get(dtype) if isinstance(dtype, type) and not isinstance(dtype, ScalarType) else None


def requested(dtype: object, function: str, current: State | None = None) -> Node:
    """Return the node of a `dtype=` argument, truncated with JAX's warning if 64-bit dtypes are disabled.

    Parameters
    ----------
    dtype : dtype
        A name, a NumPy dtype, a scalar type, or a Python type or its name, which means the default of its kind.
    function : str
        The name of the function, for messages.
    current : State, optional
        The current state, if the caller has it already.

    Returns
    -------
    Node
        A strong node of a dtype.
    """
    current = current or state()
    found: Node | None = engine.find_dtype(current, dtype)
    if found is not None:
        return found
    kind = python_kind(dtype)
    if kind is not None:
        return current.default(kind)
    if isinstance(dtype, np.ndarray) or (hasattr(type(dtype), "__array_namespace__") and not isinstance(dtype, str)):
        raise DtypeError(f"{function}: dtype is an array, {describe(dtype)}; pass its dtype, as in dtype=x.dtype")
    try:
        node = as_node(dtype)
    except TypeError:
        raise _no_dtype(dtype, function) from None
    if node.dtype is None or node.weak:
        raise _no_dtype(dtype, function)
    if current.x64 == "off":
        narrow = current.truncate(node)
        if narrow is not node:
            msg = (
                f"Explicitly requested dtype {node.name} requested in {function} is not available, and will be "
                f"truncated to dtype {narrow.name}. To enable more dtypes, set config.update('x64', 'explicit') or 'on', "
                "or the environment variable SUPREMUM_X64."
            )
            warn(msg, UserWarning)
        return narrow
    return node


def _no_dtype(dtype: object, function: str) -> TypeError:
    name = str(dtype).removeprefix("torch.") if type(dtype).__module__ == "torch" else dtype
    hint = nearest(name, [name for name, node in NODES.items() if not node.weak])
    if isinstance(name, str) and (instead := first_sentence(("dtype",), name)):
        hint = f"; {instead}"
    elif isinstance(name, str) and name in NODES:
        hint = f"; write dtype={name!r}"
    if isinstance(dtype, int):  # of `ones(2, 3)` and `array(1, 2, 3)`
        hint = "; lengths are one tuple, as in ones((2, 3)), and elements one list, as in array([1, 2, 3])"
    if isinstance(dtype, list | tuple) and all(isinstance(item, int | float | list) for item in dtype):
        hint = "; elements are one list, as in array([[1, 2], [3, 4]])"
    elif isinstance(dtype, list | tuple | dict):
        hint = "; arrays are of numbers and bools, and records are dicts of arrays"
    return TypeError(
        f"{function}: dtype={describe(dtype)} is not a dtype of this namespace"
        + (hint or "; use one such as 'float32', xp.int8 or 'bfloat16'")
    )


@public
class finfo:
    """Limits of a floating-point dtype.

    Parameters
    ----------
    type : dtype or array_like
        A real or complex floating dtype, or an array of one.

    Attributes
    ----------
    bits : int
        Bits of one real element.
    eps, max, min, smallest_normal, smallest_subnormal : float
        The difference between 1.0 and the next number; the largest, the lowest, the smallest positive normal and
        subnormal numbers.
    dtype : numpy.dtype
        The real dtype of these limits.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.finfo(xp.bfloat16).max
    3.3895313892515355e+38
    >>> xp.finfo("float16").eps
    0.0009765625
    """

    __slots__ = (
        "bits", "dtype", "eps", "epsneg", "iexp", "machep", "max", "maxexp", "min", "minexp", "negep", "nexp", "nmant",
        "precision", "resolution", "smallest_normal", "smallest_subnormal", "tiny",
    )  # fmt: skip

    eps: float
    epsneg: float
    max: float
    min: float
    smallest_normal: float
    smallest_subnormal: float
    tiny: float
    resolution: float
    iexp: int
    machep: int
    maxexp: int
    minexp: int
    negep: int
    nexp: int
    nmant: int
    precision: int

    @traceless
    def __init__(self, type: object, /) -> None:
        node = _node_for_limits(type, "finfo")
        if node.kind not in "fc":
            raise DtypeError(f"finfo: {node.name} is not a floating-point dtype; use iinfo for integers")
        real = node.real
        info: Any = ml_dtypes.finfo(real.dtype)
        self.bits: int = real.bits
        self.dtype: np.dtype[Any] = np.dtype(real.dtype)
        for name, kind in finfo.__annotations__.items():
            setattr(self, name, (int if kind == "int" else self._number)(getattr(info, name)))

    def _number(self, value: Any) -> Any:
        """Return a limit as the standard has it, a number of Python's."""
        return float(value)

    def __repr__(self) -> str:
        return repr(ml_dtypes.finfo(self.dtype))

    def __eq__(self, other: object) -> bool:
        return self.dtype == other.dtype if isinstance(other, finfo) else NotImplemented

    def __hash__(self) -> int:
        return hash(("finfo", self.dtype))


@public
class iinfo:
    """Limits of an integer dtype.

    Parameters
    ----------
    type : dtype or array_like
        An integer dtype, or an array of one.

    Attributes
    ----------
    bits, max, min : int
        The width, the largest and the smallest number.
    dtype : numpy.dtype
        The dtype of these limits.
    kind : str
        ``"i"`` or ``"u"``.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.iinfo(xp.int4)
    iinfo(min=-8, max=7, dtype=int4)
    """

    __slots__ = ("bits", "dtype", "kind", "max", "min")

    @traceless
    def __init__(self, type: object, /) -> None:
        node = _node_for_limits(type, "iinfo")
        if node.kind not in "iu":
            raise DtypeError(f"iinfo: {node.name} is not an integer dtype; use finfo for floating-point dtypes")
        self.bits: int = node.bits
        self.dtype: np.dtype[Any] = np.dtype(node.dtype)
        self.kind: str = node.kind
        self.min: int = node.low
        self.max: int = node.high

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"

    def __eq__(self, other: object) -> bool:
        return self.dtype == other.dtype if isinstance(other, iinfo) else NotImplemented

    def __hash__(self) -> int:
        return hash(("iinfo", self.dtype))


#: The dtypes of Python's scalar types for `finfo` and `iinfo`, in every mode.
_WIDEST_OF_PYTHON: Final[dict[object, str]] = {int: "int64", float: "float64", complex: "complex128"}


def _node_for_limits(spec: object, function: str) -> Node:
    """Return the node of a dtype, an array or a Python scalar (type), for `finfo` and `iinfo`."""
    if isinstance(spec, bool | int | float | complex) and not isinstance(spec, np.generic):
        spec = type(spec)
    try:
        return as_node(_WIDEST_OF_PYTHON.get(spec, spec) if isinstance(spec, type) else spec)
    except TypeError:
        raise DtypeError(*_no_dtype(spec, function).args) from None
