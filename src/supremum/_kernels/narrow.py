"""Kernels for dtypes without fast and accurate arithmetic in NumPy: narrow floats and sub-byte integers.

Every function has one definition: NumPy's (or ml_dtypes') loop for the dtype if it computes in float32 and rounds once, else
the function's kernel on operands widened to float32 (complex64, int8), rounded once. Small arrays are computed like that. For
large ones the first applicable method of this list has the same results and is faster:

=====================  ==================================================================================================
bit operations         signs, magnitudes and NaN of floats; sums modulo 2**bits and comparisons of integers
lookup tables          all other functions of one operand of 8 or 16 bits, and of two operands of 8 bits
high half              functions that return one of their operands, on float32 whose low half is zero: without rounding
float32 loop           arithmetic and comparisons of bfloat16, cast block by block by NumPy's own buffers
blocks of float32      all others
=====================  ==================================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels import extremes, narrow_bits, narrow_tables
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

#: Number of elements up to which scalar loops are faster than buffers or blocks.
_SMALL: Final = 2048

#: Functions and dtypes for which the loops of NumPy and ml_dtypes are wrong; tests compare all others with float32.
_WRONG: Final[frozenset[tuple[str, str]]] = frozenset(
    {
        # NaN for NaN to the power 0 on some machines; angles less exact than those of float32
        *((name, "float16") for name in ("pow", "float_power", "atan2")),
        # NaN instead of zero, for -0.0 in dtypes without it
        *(("copysign", dtype) for dtype in ("float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2fnuz")),
        # the least number is treated as 0
        *((name, "float8_e8m0fnu") for name in ("heaviside", "sign")),
        # -0.0 for -0.0
        *(
            ("sign", f"float{dtype}")
            for dtype in ("4_e2m1fn", "6_e2m3fn", "6_e3m2fn", "8_e3m4", "8_e4m3", "8_e4m3fn", "8_e5m2")
        ),
        ("sign", "bfloat16"),
        # divisions of large arrays by 0 abort the process
        *((name, sign + bits) for name in ("floor_divide", "fmod", "remainder") for sign in ("int", "uint") for bits in "124"),
    }
)
#: Binary functions whose float32 loop is no faster than the one of 16-bit floats.
_NO_FASTER_IN_FLOAT32: Final = frozenset({"fmod", "heaviside", "hypot", "logaddexp", "logaddexp2"})
#: Functions that return a real operand unchanged.
_COPYING: Final = frozenset({"conj", "positive", "real"})
#: Functions that return one of their operands.
_SELECTING: Final = frozenset({"fmax", "fmin", "maximum", "minimum"})


def wide_of(node: Node) -> np.dtype[Any]:
    """Return the native dtype that represents all numbers of a narrow node, and those next to the limits of an integer."""
    dtype = _INT8 if node.kind in "iu" else node.wide.dtype
    assert dtype is not None  # noqa: S101 - narrow nodes are nodes of dtypes
    return dtype


def kernel(
    name: str, function: Callable[..., Any], nin: int, compute: Node, result: Node, *, widens: bool = True, loose: bool = False
) -> Callable[..., Any]:
    """Return the kernel of a function of narrow operands.

    Parameters
    ----------
    name : str
        The name of the function in the table of rules.
    function : callable
        The kernel of the function for the kind of `compute`.
    nin : int
        The number of operands.
    compute, result : Node
        The narrow node of the operands, and the node of the result.
    widens : bool, optional
        Whether the function may be computed in float32; otherwise `function` supports narrow dtypes.
    loose : bool, optional
        Whether an operand may have another dtype, such as an out-of-range Python integer of a comparison.

    Returns
    -------
    callable
        The kernel, from buffers of `compute` to a buffer of `result`.
    """
    key = (name, function, compute.dtype, result.dtype)
    found = _kernels.get(key)
    if found is None:
        found = _kernels.setdefault(key, _make(name, function, nin, compute, result, widens=widens))
    return _loose(found, function, compute) if loose and result.kind == "b" else found


#: Cached kernels; weak nodes and all states share them, and so their tables.
_kernels: Final[dict[tuple[str, Any, Any, Any], Any]] = {}


def _make(
    name: str, function: Callable[..., Any], nin: int, compute: Node, result: Node, *, widens: bool
) -> Callable[..., Any]:
    dtype = compute.dtype
    assert dtype is not None  # noqa: S101 - nodes of plans have dtypes
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
    slow = not widens or (native and (name in _NO_FASTER_IN_FLOAT32 or function in (extremes.maximum, extremes.minimum)))
    return defined if slow else _binary16(name, function, defined, dtype, result.dtype)


def _has_loop(name: str, function: Callable[..., Any], nin: int, compute: Node, result: Node) -> bool:
    """Return whether the function is a ufunc with a correct loop from the dtype to the result's dtype."""
    if compute.kind == "c" or not isinstance(function, np.ufunc) or (name, compute.strong.name) in _WRONG:
        return False
    if compute.dtype is None or not rounds_well(compute.dtype):
        return False
    try:
        answer = function(*[np.ones(1, compute.dtype)] * nin)
    except TypeError:
        return False
    return bool(answer.dtype == result.dtype)


def _is_vectorised(function: Callable[..., Any], dtype: np.dtype[Any]) -> bool:
    """Return whether NumPy's loop is vectorised on this machine, as it may be for some functions of float16."""
    if dtype != np.float16 or not isinstance(function, np.ufunc):
        return False
    from numpy.lib import introspect

    found = introspect.opt_func_info(func_name=f"^{function.__name__}$", signature="^float16$")
    loops = found.get(function.__name__, {})
    return any(not loop["current"].startswith("baseline") for loop in loops.values())


def _widened(function: Callable[..., Any], nin: int, wide: np.dtype[Any], dtype: np.dtype[Any]) -> Callable[..., Any]:
    """Wrap a kernel to compute narrow buffers in a wider dtype and round once."""

    def rounded(*operands: Buffer) -> Any:
        return narrow(function(*operands), dtype)

    kernel = function if rounds_well(dtype) else rounded

    def one(x: Buffer) -> Any:
        answer = kernel(x.astype(wide))
        return answer if answer.dtype == dtype else answer.astype(dtype)

    def two(a: Buffer, b: Buffer) -> Any:
        answer = kernel(a.astype(wide), b.astype(wide))
        return answer if answer.dtype == dtype else answer.astype(dtype)

    return one if nin == 1 else two


def _loose(strict: Callable[..., Any], function: Callable[..., Any], compute: Node) -> Callable[..., Any]:
    """Wrap a predicate to accept an operand of another dtype."""
    dtype, wide = compute.dtype, wide_of(compute)

    def loose(a: Buffer, b: Buffer) -> Any:
        if a.dtype == dtype and b.dtype == dtype:
            return strict(a, b)
        return function(*[x.astype(wide) if x.dtype == dtype else _native(x) for x in (a, b)])

    return loose


def _native(x: Buffer) -> Buffer:
    """Convert a 0-d object array to float64 if that is exact, because loops over objects are slow."""
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
    """Wrap a ufunc to make operands' NaN quiet: for signalling NaN the result would depend on the position in the array."""
    return lambda a, b: ufunc(np.multiply(a, 1, out=a), np.multiply(b, 1, out=b))


def _buffered(ufunc: np.ufunc, dtype: np.dtype[Any]) -> Callable[[Buffer, Buffer], Any]:
    """Use the float32 loop; NumPy casts operands and result block by block."""

    def buffered(a: Buffer, b: Buffer) -> Any:
        out = np.empty(np.broadcast(a, b).shape, dtype) if a.shape != b.shape else np.empty_like(a)
        return ufunc(a, b, out=out, dtype=_FLOAT32, casting="unsafe")

    return buffered


def _buffered_predicate(ufunc: np.ufunc) -> Callable[[Buffer, Buffer], Any]:
    loop = (_FLOAT32, _FLOAT32, _BOOL)
    return lambda a, b: ufunc(a, b, signature=loop, casting="unsafe")


def _in_blocks(function: Callable[..., Any], dtype: np.dtype[Any], *, exact: bool = False) -> Callable[[Buffer, Buffer], Any]:
    """Widen, compute and round block by block; if results are `exact`, truncate their low half instead of rounding."""

    def blocked(a: Buffer, b: Buffer) -> Any:
        out = np.empty(np.broadcast(a, b).shape, dtype)
        for block, x, y in blocks(out, a, b):
            answer = function(widen(x), widen(y))
            if answer.dtype == dtype:
                block[...] = answer
            elif exact:
                np.right_shift(answer.view(np.uint32), 16, out=block.view(np.uint16), casting="unsafe")
            else:
                block[...] = narrow(answer, dtype)
        return out

    return blocked
