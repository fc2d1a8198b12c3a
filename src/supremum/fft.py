"""Fourier transforms: the standard's extension, and the further names of `jax.numpy.fft`.

Results are complex64 or float32 for dtypes of up to 32 bits, complex128 or float64 for 64-bit ones, as in NumPy: narrow floats
and integers are computed in float32.
"""

# A decorator makes the bodies of the transforms.
# mypy: disable-error-code="empty-body"
# pyright: reportReturnType=false

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, TypeAlias, TypeVar, cast as typing_cast

import numpy as np

from supremum._base.boundary import Plain, missing_from, public
from supremum._base.exceptions import as_integer, check_choice, describe
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike, Axis, Device, DTypeLike, Shape, wrap
from supremum._core.conversion import Buffer, as_integers, check_device, in_dtype, normalize_axis, operand
from supremum._core.dtype_objects import complex_of, requested, to_inexact
from supremum._core.reduction_rows import accumulator
from supremum._core.settings import state
from supremum._functions.data_types import astype
from supremum._functions.elementwise.complex_parts import real
from supremum._functions.manipulation.axes import roll
from supremum._kernels.casts import cast
from supremum._kernels.fourier import TRANSFORMS
from supremum._kernels.plain.moving import roll_halves
from supremum.promotion._nodes import Node

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft", "irfft2",
    "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip

__getattr__ = missing_from(__name__)

Norm: TypeAlias = Literal["backward", "ortho", "forward"] | None
_NORMS: Final = ("backward", "ortho", "forward")
#: The kinds of numbers on the two sides of a transform.
Domain: TypeAlias = Literal["real", "complex"]
#: The integers up to which float32 has all.
_EXACT: Final = 1 << 24
F = TypeVar("F", bound=Callable[..., Array])


# -- what the transforms share -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Transform:
    """One row of the family.

    A transform from real to complex numbers returns half of its last axis, one from complex to real numbers takes half.
    """

    name: str
    source: Domain
    result: Domain
    #: Whether the norm "backward" divides by the number of elements.
    inverse: bool
    #: The number of axes; None for any number.
    axes: Literal[1, 2] | None

    @property
    def label(self) -> str:
        """The name for messages."""
        return f"fft.{self.name}"

    @property
    def halves(self) -> bool:
        """Whether the result has half of the last axis."""
        return (self.source, self.result) == ("real", "complex")

    @property
    def doubles(self) -> bool:
        """Whether the operand has half of the last axis of the result."""
        return (self.source, self.result) == ("complex", "real")


def _transform(source: Domain, result: Domain, *, inverse: bool = False, axes: Literal[1, 2] | None = 1) -> Callable[[F], F]:
    """Make a Fourier transform of a definition that has a signature and a docstring.

    Its docstring gains the sections on parameters and on what is returned, which follow from the row.
    """

    def define(definition: F) -> F:
        row = _Transform(definition.__name__, source, result, inverse, axes)
        function = _with_one_axis(row) if axes == 1 else _with_several_axes(row, (-2, -1) if axes == 2 else None)
        functools.update_wrapper(function, definition)
        function.__doc__ = _documented(row, definition.__doc__ or "")
        transform, plain = TRANSFORMS.get(row.name.replace("2", "n")), None
        if transform is not None:
            once = (lambda x: transform(x) if x.ndim == 2 else NotImplemented) if axes == 2 else transform
            plain = Plain(once, kinds="fc", keywords=("axis",) if axes == 1 else (), positional=1)
        over = {"axis": "axis" if axes == 1 else "axes", "none": "" if axes else "last"}
        made = public(plain=plain, **over, operands="a", linear="a", composed=axes != 1)
        return made(typing_cast("F", function))

    return define


def _with_one_axis(row: _Transform) -> Callable[..., Array]:
    routine, label = getattr(np.fft, row.name), row.label

    def _along(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Array:
        x = operand(a, label)
        if isinstance(axis, tuple | list):
            msg = f"{label} transforms along one axis, got axis={describe(axis)}; use fft.fftn and the like for several"
            raise ValueError(msg)  # noqa: TRY004 - JAX's class
        check_choice(_NORMS[0] if norm is None else norm, "norm", _NORMS, label)
        position = normalize_axis(-1 if axis is None else axis, x.ndim, label)
        length = None if n is None else _length(row, n)
        source, node = _nodes(row, x)
        count = _output_length(row, x.shape[position], length)
        if not x.size or not count:
            return wrap(np.zeros((*x.shape[:position], count, *x.shape[position + 1 :]), node.dtype), node)
        return wrap(cast(routine(cast(x._data, source), length, position, norm), node), node)

    return _along


def _with_several_axes(row: _Transform, default: tuple[int, int] | None) -> Callable[..., Array]:
    name = row.name[:-1]

    def _over(a: Any, s: Any = None, axes: Any = default, norm: Any = None) -> Array:
        if row.axes == 2:
            _check_two(row, axes)
        x = operand(a, row.label)
        check_choice(_NORMS[0] if norm is None else norm, "norm", _NORMS, row.label)
        positions, lengths = _positions(row, x, s, axes)
        if not positions:
            return astype(real(x) if row.doubles else x, _nodes(row, x)[1].dtype)
        last = globals()[name]
        along = ifft if row.inverse else fft
        steps = list(zip([*[along] * (len(positions) - 1), last], positions, lengths or [None] * len(positions), strict=True))
        for transform, axis, n in steps if row.doubles else reversed(steps):
            # The standard lets -1 mean the whole axis.
            given = {} if n is None and norm is None else {"n": x.shape[axis] if n == -1 else n, "norm": norm}
            x = transform(x, axis=axis, **given)
        return x

    return _over


def _nodes(row: _Transform, x: Array) -> tuple[Node, Node]:
    """Return the nodes in which arrays are transformed, and of the result."""
    inexact = to_inexact(state().truncate(x._node).strong)
    if row.source == "real" and inexact.kind == "c":
        raise ValueError(f"{row.label} needs real numbers, got dtype {x.dtype}; take the .real part, or use fft.fft")
    wide = accumulator(inexact)
    return complex_of(wide) if row.source == "complex" else wide, complex_of(wide) if row.result == "complex" else wide.real


def _check_two(row: _Transform, axes: Any) -> None:
    if not isinstance(axes, list | tuple) or len(axes) != 2:
        msg = f"{row.label} transforms over two axes, got axes={describe(axes)}"
        raise TypeError(msg) if axes is None else ValueError(msg)


def _length(row: _Transform, length: Any) -> int:
    number = as_integer(length, "the length of a transform", row.label)
    if number <= 0:
        raise ValueError(f"{row.label}: the length of a transform must be positive, got {number}")
    return number


def _positions(row: _Transform, x: Array, s: Any, axes: Any) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    """Return the axes to transform over and the lengths that were requested."""
    lengths = None if s is None else as_integers(s, "s", row.label)
    if axes is None:
        positions = tuple(range(x.ndim)) if lengths is None else tuple(range(x.ndim - len(lengths), x.ndim))
    else:
        positions = _sequence(row, axes)
    if lengths is not None and len(lengths) != len(positions):
        raise ValueError(f"{row.label}: s and axes must be of equal length, got s={describe(s)} and axes={describe(axes)}")
    positions = tuple([normalize_axis(i, x.ndim, row.label) for i in positions])
    if len(set(positions)) != len(positions):
        raise ValueError(f"{row.label}: axes must differ, got axes={describe(axes)}")
    return positions, lengths


def _sequence(row: _Transform, axes: Any) -> tuple[Any, ...]:
    try:
        return call_user_code(tuple, axes)
    except TypeError:
        raise TypeError(f"{row.label}: axes must be a sequence of integers, got {describe(axes)}") from None


def _output_length(row: _Transform, given: int, length: int | None) -> int:
    """Return the length of the last transformed axis of the result."""
    if row.halves:
        if not given and not length:
            raise ValueError(f"{row.label} needs at least one element along the axis to transform")
        return (given if length is None else length) // 2 + 1
    if row.doubles and length is None:
        return max(0, 2 * (given - 1))
    return given if length is None else length


# -- what their docstrings share ---------------------------------------------------------------------------------------------


_SECTIONS: Final = """\
Parameters
----------
a : array_like
    The array{of_real}.
{where}
norm : {{"backward", "ortho", "forward"}}, optional
    Whether to divide by the number of elements: {division}.

Returns
-------
Array
    The transform, {result}.

"""
_ONE_AXIS: Final = """\
n : int, optional
    The length {}.
axis : int
    The axis to transform along."""
_SEVERAL_AXES: Final = """\
s : sequence of int, optional
    The lengths {}.
axes : sequence of int{}"""
_DIVISIONS: Final = {
    False: "not at all (the default), by its root, or by itself",
    True: "by itself (the default), by its root, or not at all",
}


def _documented(row: _Transform, docstring: str) -> str:
    """Return a docstring with the sections on parameters and on what is returned before its examples."""
    if row.axes == 1:
        length = "of the result along the axis; by default 2 * (m - 1) for m elements"
        where = _ONE_AXIS.format(length if row.doubles else "to trim or zero-pad the axis to first; its own by default")
        half = ", with n // 2 + 1 elements along the axis"
    else:
        lengths = "of the result; by default those of the array, but 2 * (m - 1) for m elements along the last axis"
        which = ", optional\n    The axes; all by default, or as many of the last ones as `s` is long."
        where = _SEVERAL_AXES.format(
            lengths if row.doubles else "to trim or zero-pad the axes to first; -1 for the axis as it is",
            "\n    The two axes." if row.axes == 2 else which,
        )
        half = ", the last axis halved"
    of_real = " of real numbers" if row.source == "real" else ""
    result = row.result + (half if row.halves else "")
    sections = _SECTIONS.format(of_real=of_real, where=where, division=_DIVISIONS[row.inverse], result=result)
    summary, heading, examples = inspect.cleandoc(docstring).partition("Examples\n")
    return summary + sections + heading + examples


# -- transforms ---------------------------------------------------------------------------------------------------------------


@_transform("complex", "complex")
def fft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None) -> Array:
    """Compute the discrete Fourier transform.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.fft(xp.asarray([1.0, 0.0, 0.0, 0.0]))
    Array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)
    """


@_transform("complex", "complex", inverse=True)
def ifft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None) -> Array:
    """Compute the inverse of the discrete Fourier transform.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.ifft(xp.asarray([4.0, 0.0, 0.0, 0.0]))
    Array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)
    """


@_transform("real", "complex")
def rfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None) -> Array:
    """Compute the discrete Fourier transform of real numbers: the half that determines the other.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.rfft(xp.asarray([1.0, 0.0, 0.0, 0.0]))
    Array([1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)
    """


@_transform("complex", "real", inverse=True)
def irfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None) -> Array:
    """Compute the inverse of the discrete Fourier transform of real numbers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.irfft(xp.asarray([4.0, 0.0, 0.0]))
    Array([1., 1., 1., 1.], dtype=float32)
    """


@_transform("complex", "real")
def hfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None) -> Array:
    """Compute the discrete Fourier transform of a signal with Hermitian symmetry from half of it.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.hfft(xp.asarray([1.0, 0.0, 0.0]))
    Array([1., 1., 1., 1.], dtype=float32)
    """


@_transform("real", "complex", inverse=True)
def ihfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: Norm = None) -> Array:
    """Compute the inverse of the discrete Fourier transform of a signal with Hermitian symmetry.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.ihfft(xp.asarray([4.0, 0.0, 0.0, 0.0]))
    Array([1.-0.j, 1.-0.j, 1.-0.j], dtype=complex64)
    """


@_transform("complex", "complex", axes=None)
def fftn(a: ArrayLike, s: Shape | None = None, axes: Sequence[int] | None = None, norm: Norm = None) -> Array:
    """Compute the discrete Fourier transform over several axes.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.fftn(xp.ones((2, 2)))
    Array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """


@_transform("complex", "complex", inverse=True, axes=None)
def ifftn(a: ArrayLike, s: Shape | None = None, axes: Sequence[int] | None = None, norm: Norm = None) -> Array:
    """Compute the inverse of the discrete Fourier transform over several axes.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.ifftn(xp.ones((2, 2)))
    Array([[1.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """


@_transform("real", "complex", axes=None)
def rfftn(a: ArrayLike, s: Shape | None = None, axes: Sequence[int] | None = None, norm: Norm = None) -> Array:
    """Compute the discrete Fourier transform of real numbers over several axes.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.rfftn(xp.ones((2, 2)))
    Array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """


@_transform("complex", "real", inverse=True, axes=None)
def irfftn(a: ArrayLike, s: Shape | None = None, axes: Sequence[int] | None = None, norm: Norm = None) -> Array:
    """Compute the inverse of the discrete Fourier transform of real numbers over several axes.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.irfftn(xp.ones((2, 2)))
    Array([[1., 0.],
           [0., 0.]], dtype=float32)
    """


@_transform("complex", "complex", axes=2)
def fft2(a: ArrayLike, s: Shape | None = None, axes: Sequence[int] = (-2, -1), norm: Norm = None) -> Array:
    """Compute the discrete Fourier transform over two axes.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.fft2(xp.ones((2, 2)))
    Array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """


@_transform("complex", "complex", inverse=True, axes=2)
def ifft2(a: ArrayLike, s: Shape | None = None, axes: Sequence[int] = (-2, -1), norm: Norm = None) -> Array:
    """Compute the inverse of the discrete Fourier transform over two axes.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.ifft2(xp.ones((2, 2)))
    Array([[1.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """


@_transform("real", "complex", axes=2)
def rfft2(a: ArrayLike, s: Shape | None = None, axes: Sequence[int] = (-2, -1), norm: Norm = None) -> Array:
    """Compute the discrete Fourier transform of real numbers over two axes.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.rfft2(xp.ones((2, 2)))
    Array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """


@_transform("complex", "real", inverse=True, axes=2)
def irfft2(a: ArrayLike, s: Shape | None = None, axes: Sequence[int] = (-2, -1), norm: Norm = None) -> Array:
    """Compute the inverse of the discrete Fourier transform of real numbers over two axes.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.irfft2(xp.ones((2, 2)))
    Array([[1., 0.],
           [0., 0.]], dtype=float32)
    """


# -- frequencies --------------------------------------------------------------------------------------------------------------


@public
def fftfreq(n: int, d: ArrayLike = 1.0, *, dtype: DTypeLike | None = None, device: Device | None = None) -> Array:
    """Return the frequencies of the elements of a discrete Fourier transform.

    Parameters
    ----------
    n : int
        The length of the transform.
    d : float
        The distance between samples.
    dtype : dtype, optional
        A real floating-point dtype; the default one if left out.
    device : "cpu", optional
        The only device.

    Returns
    -------
    Array
        The frequencies: 0 and the positive ones, then the negative ones.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.fftfreq(4)
    Array([ 0.  ,  0.25, -0.5 , -0.25], dtype=float32)
    """
    if type(n) is int and type(d) is float and 0 < n < _EXACT and dtype is None and device is None:
        middle = (n + 1) // 2
        return _plain_frequencies(np.concatenate((np.arange(middle), np.arange(-(n // 2), 0))), n, d)
    node, length = _frequencies("fftfreq", n, d, dtype, device)
    steps = np.arange(length)
    return _spaced((steps + length // 2) % length - length // 2 if len(steps) else steps, length, d, node)


@public
def rfftfreq(n: int, d: ArrayLike = 1.0, *, dtype: DTypeLike | None = None, device: Device | None = None) -> Array:
    """Return the frequencies of the elements of a discrete Fourier transform of real numbers.

    Parameters
    ----------
    n : int
        The length of the transform.
    d : float
        The distance between samples.
    dtype : dtype, optional
        A real floating-point dtype; the default one if left out.
    device : "cpu", optional
        The only device.

    Returns
    -------
    Array
        The frequencies, none of them negative.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.rfftfreq(4)
    Array([0.  , 0.25, 0.5 ], dtype=float32)
    """
    if type(n) is int and type(d) is float and 0 < n < _EXACT and dtype is None and device is None:
        return _plain_frequencies(np.arange(n // 2 + 1), n, d)
    node, length = _frequencies("rfftfreq", n, d, dtype, device)
    last = (length if length % 2 == 0 else length - 1) // 2
    return _spaced(np.arange(last + 1), length, d, node)


def _frequencies(name: str, n: Any, d: Any, dtype: Any, device: Any) -> tuple[Node, Any]:
    """Check the arguments of `fftfreq` and `rfftfreq`; return the node of the result and the length."""
    check_device(device, f"fft.{name}")
    for parameter, value in (("n", n), ("d", d)):
        if isinstance(value, list | tuple):
            msg = f"fft.{name}: {parameter} must be one number, got {describe(value)}"
            raise ValueError(msg)  # noqa: TRY004 - JAX's class
        number = operand(value, f"fft.{name}")
        if number.ndim or number._node.kind == "c":
            raise TypeError(f"fft.{name}: {parameter} must be one real number, got {describe(value)}")
    length = operand(n, f"fft.{name}")._data.item()
    return state().float_ if dtype is None else requested(dtype, f"fft.{name}"), length


def _plain_frequencies(steps: Buffer, n: int, d: float) -> Array:
    """Return steps in units of a whole, in the default dtype."""
    node = state().float_
    wide: Any = node.wide.dtype
    return wrap(cast(steps.astype(wide) / wide.type(d * n), node), node)


def _spaced(steps: Buffer, n: Any, d: Any, node: Node) -> Array:
    wide = accumulator(to_inexact(node))
    span = in_dtype(d * n, operand(d * n, "fft.fftfreq", 1), wide)
    return wrap(cast(np.asarray(steps.astype(wide.dtype) / span), node), node)


@public(role="element", composed=True, plain=Plain(partial(roll_halves, sign=1), errors=None))
def fftshift(x: ArrayLike, axes: Axis = None) -> Array:
    """Shift the zero frequency to the middle.

    Parameters
    ----------
    x : array_like
        The array.
    axes : int or tuple of int, optional
        The axes to shift along; all of them by default.

    Returns
    -------
    Array
        The shifted array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.fftshift(xp.asarray([0, 1, 2, -2, -1]))
    Array([-2, -1,  0,  1,  2], dtype=int32)
    """
    return _shifted("fftshift", x, axes, 1)


@public(role="element", composed=True, plain=Plain(partial(roll_halves, sign=-1), errors=None))
def ifftshift(x: ArrayLike, axes: Axis = None) -> Array:
    """Undo `fftshift`.

    Parameters
    ----------
    x : array_like
        The array.
    axes : int or tuple of int, optional
        The axes to shift along; all of them by default.

    Returns
    -------
    Array
        The shifted array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.ifftshift(xp.asarray([-2, -1, 0, 1, 2]))
    Array([ 0,  1,  2, -2, -1], dtype=int32)
    """
    return _shifted("ifftshift", x, axes, -1)


def _shifted(name: str, x: Any, axes: Any, sign: int) -> Array:
    a = operand(x, f"fft.{name}")
    numbers = range(a.ndim) if axes is None else as_integers(axes, "axes", f"fft.{name}")
    positions = tuple([normalize_axis(i, a.ndim, f"fft.{name}") for i in numbers])
    return roll(a, tuple([sign * (a.shape[i] // 2) for i in positions]), positions) if positions else a


__dir__ = __all__.copy  # which `dir` sorts
