"""What the modules of `scipy` share: SciPy, which is optional, checks of arguments, and evaluation in double precision."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, Final, Literal, TypeVar

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.exceptions import ShapeError, warn, with_function_name, without_function_name
from supremum._core.array import Array as Array, ArrayLike as ArrayLike, wrap
from supremum._core.conversion import operand, promote_operands
from supremum._core.dtype_objects import to_inexact
from supremum._core.rules import Kernel, Result
from supremum._functions.elementwise._calls import elementwise
from supremum._functions.linear_algebra._matrices import inexact
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node

# -- SciPy --------------------------------------------------------------------------------------------------------------------


class Library:
    """A module of SciPy; the first use of an attribute imports the module.

    Functions of ``scipy.special`` are silent whatever `scipy.special.seterr` says.

    Without SciPy, that raises ModuleNotFoundError; the boundary puts the function's name in front.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):  # copy, pickle and inspect look for these
            raise AttributeError(attribute)
        try:
            module = import_module(self._name)
        except ModuleNotFoundError as error:
            if str(error.name).partition(".")[0] != "scipy":
                raise
            message = "needs SciPy; install it with: python -m pip install 'supremum[scipy]'"
            raise without_function_name(ModuleNotFoundError(message, name="scipy")) from None
        value = getattr(module, attribute)
        if self._name == "scipy.special" and callable(value):
            value = _silent(module, value)
        setattr(self, attribute, value)  # is found before `__getattr__` from now on
        return value

    def kernel(self, name: str) -> Callable[..., Any]:
        """Return what calls a function of the module, for the public function of its name, which has no boundary."""

        def call(*xs: Any) -> Any:
            try:
                function = getattr(self, name)
            except ModuleNotFoundError as error:
                raise with_function_name(error, name) from None
            return function(*xs)

        return call


def _silent(special: ModuleType, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of ``scipy.special`` that reports no floating-point errors, as by SciPy's own default."""
    state, errstate = special.geterr, special.errstate
    silent = {name: "raise" if name == "memory" else "ignore" for name in state()}

    def call(*args: Any, **kwargs: Any) -> Any:
        if state() == silent:
            return function(*args, **kwargs)
        with errstate(**silent):  # of this thread
            return function(*args, **kwargs)

    return call


# -- functions of elements ----------------------------------------------------------------------------------------------------


def promoted(
    function: str, *xs: ArrayLike, kinds: str = "f", refusal: type[Exception] = TypeError, double: bool = True
) -> tuple[Node, list[Buffer]]:
    """Return the inexact node that arguments promote to, and their buffers in the dtype to compute in.

    That is float64 or complex128; else, without `double`, the dtype of the result, or float32 if that is narrow. For kinds
    of dtypes other than `kinds`, `refusal` is raised: as in JAX, TypeError for what its compiler refuses, ValueError for what
    it checks itself.
    """
    node, buffers = promote_operands(function, *xs)
    node = to_inexact(node)
    if node.kind not in kinds:
        raise refusal(f"{function}: complex numbers are not accepted, got dtype {node.dtype}")
    if node.native:
        data = [buffer.astype(node.dtype, copy=False) for buffer in buffers]
    else:
        data = [cast(cast(buffer, node), node.wide) for buffer in buffers]
    wide = np.complex128 if node.kind == "c" else np.float64
    return node, [part.astype(wide, copy=False) for part in data] if double else data


def evaluate(
    function: str,
    kernel: Callable[..., Buffer],
    *xs: ArrayLike,
    weak: Literal["promoted", "shared", "never"] = "promoted",
    least_bits: int = 0,
    kinds: str = "f",
    refusal: type[Exception] = TypeError,
    double: bool = True,
) -> Array:
    """Return what a kernel makes of the promoted arguments, rounded once to their inexact dtype, of at least `least_bits`.

    The result is weak if the promoted dtype is, only if all arguments are, or never. The first two differ for integers next to
    Python floats. The other options are those of `promoted`.
    """
    node, data = promoted(function, *xs, kinds=kinds, refusal=refusal, double=double)
    if node.bits < least_bits:
        raise TypeError(f"{function}: the dtype must be float32 or float64, got {node.dtype}; cast the arguments first")
    shared = weak == "shared" and node.weak
    if weak == "never" or (shared and not all(operand(x, function, i)._node.weak for i, x in enumerate(xs))):
        node = node.strong
    found: Any = kernel(*data)
    return wrap(cast(np.asarray(found), node), node)


# -- functions of matrices ----------------------------------------------------------------------------------------------------


def in_double(function: str, *xs: Any) -> tuple[Node, list[Buffer]]:
    """Return the inexact node that the arguments promote to, and their buffers in float64 or complex128."""
    node, buffers = inexact(function, *xs)
    wide = np.complex128 if node.kind == "c" else np.float64
    return node, [data.astype(wide, copy=False) for data in buffers]


def check_square(function: str, x: Buffer, name: str = "the argument") -> None:
    """Raise ShapeError unless a buffer is a square matrix or a stack of them."""
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ShapeError(f"{function}: {name} must be a square matrix or a stack of them, got shape {x.shape}")


def columns_of(function: str, a: Buffer, b: Buffer) -> tuple[Buffer, Callable[[Buffer], Buffer]]:
    """Return the right-hand sides as columns, and what takes the axis away again that was added for it."""
    vectors = b.ndim == 1
    if not vectors and a.ndim == b.ndim + 1 and a.shape[-1] == b.shape[-1]:
        message = (
            f"{function}: a stack of right-hand sides with one axis less than the matrices is taken for vectors, as in JAX, "
            "which will take it for matrices; pass b[..., None] and squeeze the last axis of the result"
        )
        warn(message, FutureWarning)
        vectors = True
    columns = b[..., None] if vectors else b
    if columns.ndim < 2 or columns.shape[-2] != a.shape[-1]:
        raise ShapeError(f"{function}: the matrices have shape {a.shape}, the right-hand sides {b.shape}")
    return columns, (lambda x: x[..., 0]) if vectors else (lambda x: x)


# -- functions of `scipy.special`, by their descriptions ----------------------------------------------------------------------


_Definition = TypeVar("_Definition", bound=Callable[..., Any])

#: SciPy's functions.
library: Final = Library("scipy.special")
INEXACT: Final = Result.INEXACT
STRONG: Final = Result.STRONG


def special_function(
    result: Result, kernel: Kernel | None = None, accepts: str = "biuf", special: Any = None, **row: Any
) -> Callable[[_Definition], _Definition]:
    """Make an elementwise function of its description, as `elementwise` does: by SciPy's function if no kernel is given."""

    def decorate(definition: _Definition) -> _Definition:
        own = kernel or library.kernel(definition.__name__)
        return elementwise(accepts, result, own, special or {}, variants=False, **row)(definition)

    return decorate
