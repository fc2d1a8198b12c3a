"""Kernels for the dtypes that NumPy itself has no good arithmetic for: narrow floats and sub-byte integers.

Every function has one definition: the loop that NumPy (with ml_dtypes) has for the dtype, where it computes in float32 and
rounds once; else the function's own kernel on operands widened to float32 (complex64, int8), rounded once. That serves small
arrays. For large ones the same answers come faster, by the first way that there is:

=====================  ==================================================================================================
bits                   signs, magnitudes and NaN of floats; sums modulo 2**bits and comparisons of integers
tables                 every other function of one operand of 8 or 16 bits, and of two operands of 8 bits
the high half          functions that give one of their operands, on float32 whose low half is zero: no rounding at all
float32's loop         arithmetic and comparisons of bfloat16, cast block by block by NumPy's own buffers
blocks of float32      whatever is left
=====================  ==================================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels import narrow_bits, narrow_tables
from supremum._kernels.blocks import blocks
from supremum._kernels.elementwise import always_false, is_below_zero, unchanged
from supremum._kernels.narrow_casts import narrow, rounds_well, widen

if TYPE_CHECKING:
    from collections.abc import Callable

    from supremum.promotion._nodes import Node

__all__ = ["kernel", "wide_of"]


_FLOAT32: Final = np.dtype(np.float32)
_BOOL: Final = np.dtype(np.bool_)
_INT8: Final = np.dtype(np.int8)

#: Elements up to which loops an element at a time are faster than buffers or blocks.
_SMALL: Final = 2048

#: Where the loops of NumPy and ml_dtypes are wrong; all others are compared with float32's, operand by operand, in the tests.
_WRONG: Final[frozenset[tuple[str, str]]] = frozenset(
    {
        # NaN to the power 0 on some machines; angles that are further from the exact ones than float32's
        *((name, "float16") for name in ("pow", "float_power", "atan2")),
        # NaN for what should be -0 in dtypes that have none
        *(("copysign", dtype) for dtype in ("float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2fnuz")),
        # takes the least number for 0
        *((name, "float8_e8m0fnu") for name in ("heaviside", "sign")),
        # large divisions by 0 end the process
        *((name, sign + bits) for name in ("floor_divide", "fmod", "remainder") for sign in ("int", "uint") for bits in "124"),
    }
)
#: Functions of two operands for which NumPy's loop over float32 is no faster than the one over 16-bit floats.
_NO_FASTER_IN_FLOAT32: Final = frozenset({"fmod", "heaviside", "hypot", "logaddexp", "logaddexp2"})
#: Functions that give their operand, if it is real.
_COPYING: Final = frozenset({"conj", "positive", "real"})
#: Functions that give one of their operands.
_SELECTING: Final = frozenset({"fmax", "fmin", "maximum", "minimum"})


def wide_of(node: Node) -> np.dtype[Any]:
    """Return the dtype that holds all numbers of a narrow node, and one beyond the limits of a sub-byte integer."""
    dtype = _INT8 if node.kind in "iu" else node.wide.dtype
    assert dtype is not None  # noqa: S101 - narrow nodes are nodes of dtypes
    return dtype


def kernel(
    name: str, function: Callable[..., Any], nin: int, compute: Node, result: Node, *, widens: bool = True, loose: bool = False
) -> Callable[..., Any]:
    """Return the kernel of a function from buffers of a narrow node to a buffer of another.

    Parameters
    ----------
    name : str
        The function's name in the rules.
    function : callable
        Its kernel for the kind of `compute`.
    nin : int
        How many operands it has.
    compute, result : Node
        The nodes of the operands, which is narrow, and of the answer.
    widens : bool
        Whether the function may be computed in float32; otherwise `function` knows narrow dtypes.
    loose : bool
        Whether an operand may have another dtype: a comparison's Python integer that `compute` does not hold.
    """
    key = (name, function, compute.dtype, result.dtype)
    found = _kernels.get(key)
    if found is None:
        found = _kernels.setdefault(key, _make(name, function, nin, compute, result, widens=widens))
    return _loose(found, function, compute) if loose and result.kind == "b" else found


#: The kernels made so far; weak nodes and other configurations share them, and so their tables.
_kernels: Final[dict[tuple[str, Any, Any, Any], Any]] = {}


def _make(
    name: str, function: Callable[..., Any], nin: int, compute: Node, result: Node, *, widens: bool
) -> Callable[..., Any]:
    dtype = compute.dtype
    assert dtype is not None  # noqa: S101 - plans compute in dtypes
    assert result.dtype is not None  # noqa: S101 - likewise
    if compute.kind != "c" and (name in _COPYING or function is unchanged):
        return np.ndarray.copy
    if function in (always_false, is_below_zero) or (compute.kind != "c" and name == "imag"):
        return function
    native = not widens or _has_loop(name, function, nin, compute, result)
    defined = function if native else _widened(function, nin, wide_of(compute), result.dtype)
    if compute.kind == "c":
        return defined
    if compute.kind == "f":
        large = narrow_bits.float_kernel(name, nin, defined, dtype)
    else:
        large = narrow_bits.integer_kernel(name, nin, function, defined, compute)
    if large is not None:
        return large
    if nin == 1:
        return defined if native and _is_vectorised(function, dtype) else narrow_tables.unary(defined, dtype)
    if dtype.itemsize == 1:
        return narrow_tables.pairs(defined, dtype)
    slow = not widens or (native and name in _NO_FASTER_IN_FLOAT32)
    return defined if slow else _binary16(name, function, defined, dtype, result.dtype)


def _has_loop(name: str, function: Callable[..., Any], nin: int, compute: Node, result: Node) -> bool:
    """Whether the function is a ufunc with a loop for the dtype that answers in the result's dtype, and rightly."""
    if compute.kind == "c" or not isinstance(function, np.ufunc) or (name, compute.name.rstrip("*")) in _WRONG:
        return False
    if compute.dtype is None or not rounds_well(compute.dtype):
        return False
    try:
        answer = function(*[np.ones(1, compute.dtype)] * nin)
    except TypeError:
        return False
    return bool(answer.dtype == result.dtype)


def _is_vectorised(function: Callable[..., Any], dtype: np.dtype[Any]) -> bool:
    """Whether NumPy's own loop uses vectors on this machine: it does for some functions of float16."""
    if dtype != np.float16 or not isinstance(function, np.ufunc):
        return False
    from numpy.lib import introspect

    found = introspect.opt_func_info(func_name=f"^{function.__name__}$", signature="^float16$")
    loops = found.get(function.__name__, {})
    return any(not loop["current"].startswith("baseline") for loop in loops.values())


def _widened(function: Callable[..., Any], nin: int, wide: np.dtype[Any], dtype: np.dtype[Any]) -> Callable[..., Any]:
    """Have a kernel compute narrow buffers in a wider dtype and round once."""
    if not rounds_well(dtype):
        exact = function

        def function(*operands: Buffer) -> Any:
            return narrow(exact(*operands), dtype)

    def one(x: Buffer) -> Any:
        answer = function(x.astype(wide))
        return answer if answer.dtype == dtype else answer.astype(dtype)

    def two(a: Buffer, b: Buffer) -> Any:
        answer = function(a.astype(wide), b.astype(wide))
        return answer if answer.dtype == dtype else answer.astype(dtype)

    return one if nin == 1 else two


def _loose(strict: Callable[..., Any], function: Callable[..., Any], compute: Node) -> Callable[..., Any]:
    """Let a predicate have an operand of another dtype."""
    dtype, wide = compute.dtype, wide_of(compute)

    def loose(a: Buffer, b: Buffer) -> Any:
        if a.dtype == dtype and b.dtype == dtype:
            return strict(a, b)
        return function(*[x.astype(wide) if x.dtype == dtype else _native(x) for x in (a, b)])

    return loose


def _native(x: Buffer) -> Buffer:
    """Return the float64 number that an object is, if it is one: loops over objects are slow."""
    value = x.item() if x.dtype == object else None
    return np.array(float(value)) if value is not None and abs(value) <= 1 << 53 else x


# -- two operands of 16 bits -------------------------------------------------------------------------------------------------


def _binary16(
    name: str, function: Callable[..., Any], defined: Callable[..., Any], dtype: np.dtype[Any], result: np.dtype[Any]
) -> Callable[..., Any]:
    """Return the kernel of a function of two 16-bit floats."""
    if name in _SELECTING and dtype != np.float16:
        large = _in_blocks(_quiet(function) if name in ("fmax", "fmin") else function, result, exact=True)
    elif dtype == np.float16 or not isinstance(function, np.ufunc):
        large = _in_blocks(function, result)
    elif result == _BOOL:
        large = _buffered_predicate(function)
    else:
        large = _buffered(function, dtype)

    def kernel(a: Buffer, b: Buffer) -> Any:
        return defined(a, b) if a.size <= _SMALL and b.size <= _SMALL else large(a, b)

    return kernel


def _quiet(ufunc: Callable[..., Any]) -> Callable[[Buffer, Buffer], Any]:
    """Have no operand signal: a signalling NaN would be taken for a number's equal in some places of an array."""
    return lambda a, b: ufunc(np.multiply(a, 1, out=a), np.multiply(b, 1, out=b))


def _buffered(ufunc: np.ufunc, dtype: np.dtype[Any]) -> Callable[[Buffer, Buffer], Any]:
    """Use the float32 loop; NumPy casts operands and result through its buffers."""

    def buffered(a: Buffer, b: Buffer) -> Any:
        out = np.empty(np.broadcast(a, b).shape, dtype) if a.shape != b.shape else np.empty_like(a)
        return ufunc(a, b, out=out, dtype=_FLOAT32, casting="unsafe")

    return buffered


def _buffered_predicate(ufunc: np.ufunc) -> Callable[[Buffer, Buffer], Any]:
    loop = (_FLOAT32, _FLOAT32, _BOOL)
    return lambda a, b: ufunc(a, b, signature=loop, casting="unsafe")


def _in_blocks(function: Callable[..., Any], dtype: np.dtype[Any], *, exact: bool = False) -> Callable[[Buffer, Buffer], Any]:
    """Widen, compute and round a block at a time; if the answer is `exact`, cut its low half off instead of rounding."""

    def blocked(a: Buffer, b: Buffer) -> Any:
        out = np.empty(np.broadcast(a, b).shape, dtype)
        for there, x, y in blocks(out, a, b):
            answer = function(widen(x), widen(y))
            if answer.dtype == dtype:
                there[...] = answer
            elif exact:
                np.right_shift(answer.view(np.uint32), 16, out=there.view(np.uint16), casting="unsafe")
            else:
                there[...] = narrow(answer, dtype)
        return out

    return blocked
