"""The methods of `Array` that call functions of the namespace, and those that JAX has for devices."""

# Forwarded methods have no body.
# mypy: disable-error-code="empty-body"
# pyright: reportReturnType=false
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from sys import _getframe
from typing import TYPE_CHECKING, Any, Final, Literal, SupportsIndex, TypeVar, cast as as_type

import numpy as np

from supremum import _names
from supremum._array.deleted import delete
from supremum._array.protocols import Protocols
from supremum._base.boundary import traceless
from supremum._base.exceptions import NoAttributeError, as_integer, check_choice, describe
from supremum._base.functions import call_without_float_warnings, without_float_warnings
from supremum._base.porting import is_dropped, warn
from supremum._core.array import Array, ArrayLike, Axis, DTypeLike, Order, wrap
from supremum._core.dtype_objects import python_kind, requested
from supremum._core.settings import copied, state
from supremum._kernels.bit_patterns import byteswapped, canonical, reinterpret
from supremum.promotion._nodes import NODES, Node

if TYPE_CHECKING:
    from supremum._array.sharding import Device as CpuDevice, ShapedArray, Shard, Sharding
    from supremum._core.array import Device
else:
    Device = str  # jedi, which completes names in IPython, fails on properties that are annotated with Literal

#: The widest nodes of the kinds of Python's numbers.
_WIDEST: Final[dict[str | None, Node]] = {"i": NODES["int64"], "f": NODES["float64"], "c": NODES["complex128"]}
#: The functions of the namespace; a module is imported at the first call of one of its functions.
xp: Final[Any] = _names
_Method = TypeVar("_Method", bound=Callable[..., Any])


def _forwarded(method: _Method) -> _Method:
    """Make the method that calls the function of its name.

    Only the arguments that are given are passed on: the fast paths of functions know no others.
    """
    name = method.__name__
    method.__qualname__ = f"Array.{name}"  # in messages
    check = traceless(method)

    @wraps(method)
    def call(self: Array, *args: Any, **kwargs: Any) -> Any:
        if kwargs:
            check(self, *args, **kwargs)  # refuses a keyword that the function has and the method has not
        return getattr(xp, name)(self, *args, **kwargs)

    return as_type(_Method, call)


def _in_place_in_numpy(method: _Method) -> _Method:
    """Make a method that returns a copy, and that changes the array and returns None under NumPy's system."""
    name, forwarded = method.__name__, _forwarded(method)

    @wraps(method)
    def call(self: Array, *args: Any, **kwargs: Any) -> Any:
        result = forwarded(self, *args, **kwargs)
        if state().promotion.name == "numpy":
            self[...] = result
            return None
        if is_dropped(_getframe(1)) and state().mutable:
            warn(f"Array.{name}: returns a new array and leaves this one as it is; write x = x.{name}()")
        return result

    return as_type(_Method, call)


class Methods(Protocols):
    """The methods that `supremum._array` attaches to `Array`."""

    __slots__ = ()

    # -- attributes --------------------------------------------------------------------------------

    @property
    def node(self) -> Node:
        """The dtype and whether it is weak, as promotion knows them: see `supremum.promotion.Node`."""
        return self._node

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self._data.nbytes

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self._data.itemsize

    @property
    def device(self) -> Device:
        """The device of the buffer: always ``"cpu"``."""
        return "cpu"

    @property
    @traceless
    def mT(self) -> Array:
        """The array with its last two axes exchanged."""
        if self._data.ndim < 2:
            raise NoAttributeError(f"Array.mT needs at least 2 dimensions, got {self._data.ndim}")
        return wrap(self._data.mT, self._node)

    def to_device(self, device: Device, /, *, stream: None = None) -> Array:
        """Return the array on a device; the only device is ``"cpu"``."""
        _check_device(device, stream)
        return self  # type: ignore[return-value]  # every instance is an Array

    def reshape(self, *args: Any, order: Order = "C", out_sharding: Any = None) -> Array:
        """Return the array with another shape, given as lengths or as one tuple; see `supremum.reshape`."""
        return xp.reshape(self, args[0] if len(args) == 1 else args, order)

    # -- reductions ----------------------------------------------------------------------------------------------------------

    @_forwarded
    def all(self, axis: Axis = None, out: None = None, keepdims: bool = False, *, where: ArrayLike | None = None) -> Array:
        """Whether all elements are true; see `supremum.all`."""

    @_forwarded
    def any(self, axis: Axis = None, out: None = None, keepdims: bool = False, *, where: ArrayLike | None = None) -> Array:
        """Whether any element is true; see `supremum.any`."""

    @_forwarded
    def sum(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        keepdims: bool = False,
        initial: ArrayLike | None = None,
        where: ArrayLike | None = None,
        promote_integers: bool = True,
    ) -> Array:
        """Return the sum; see `supremum.sum`."""

    @_forwarded
    def prod(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        keepdims: bool = False,
        initial: ArrayLike | None = None,
        where: ArrayLike | None = None,
        promote_integers: bool = True,
    ) -> Array:
        """Return the product; see `supremum.prod`."""

    @_forwarded
    def max(
        self,
        axis: Axis = None,
        out: None = None,
        keepdims: bool = False,
        initial: ArrayLike | None = None,
        where: ArrayLike | None = None,
    ) -> Array:
        """Return the largest element; see `supremum.max`."""

    @_forwarded
    def min(
        self,
        axis: Axis = None,
        out: None = None,
        keepdims: bool = False,
        initial: ArrayLike | None = None,
        where: ArrayLike | None = None,
    ) -> Array:
        """Return the smallest element; see `supremum.min`."""

    @_forwarded
    def mean(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        keepdims: bool = False,
        *,
        where: ArrayLike | None = None,
    ) -> Array:
        """Return the mean; see `supremum.mean`."""

    @_forwarded
    def var(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        ddof: float = 0,
        keepdims: bool = False,
        *,
        where: ArrayLike | None = None,
        correction: float | None = None,
    ) -> Array:
        """Return the variance; see `supremum.var`."""

    @_forwarded
    def std(
        self,
        axis: Axis = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        ddof: float = 0,
        keepdims: bool = False,
        *,
        where: ArrayLike | None = None,
        correction: float | None = None,
    ) -> Array:
        """Return the standard deviation; see `supremum.std`."""

    @_forwarded
    def ptp(self, axis: Axis = None, out: None = None, keepdims: bool = False) -> Array:
        """Return the range, the largest element minus the smallest; see `supremum.ptp`."""

    @_forwarded
    def argmax(self, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
        """Return the index of the largest element; see `supremum.argmax`."""

    @_forwarded
    def argmin(self, axis: int | None = None, out: None = None, keepdims: bool | None = None) -> Array:
        """Return the index of the smallest element; see `supremum.argmin`."""

    @_forwarded
    def cumsum(self, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None) -> Array:
        """Return the cumulative sums; see `supremum.cumsum`."""

    @_forwarded
    def cumprod(self, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None) -> Array:
        """Return the cumulative products; see `supremum.cumprod`."""

    # -- elementwise ---------------------------------------------------------------------------------------------------------

    @property
    def real(self) -> Array:
        """The real part."""
        return _part(self, xp.real)

    @property
    def imag(self) -> Array:
        """The imaginary part."""
        return _part(self, xp.imag)

    def conj(self) -> Array:
        """Return the complex conjugate; see `supremum.conj`."""
        return xp.conj(self)

    def conjugate(self) -> Array:
        """Return the complex conjugate; see `supremum.conj`."""
        return xp.conj(self)

    @_forwarded
    def round(self, decimals: int = 0, out: None = None) -> Array:
        """Round to a number of decimals; see `supremum.round`."""

    def clip(self, min: ArrayLike | None = None, max: ArrayLike | None = None) -> Array:
        """Limit the elements; see `supremum.clip`."""
        return xp.clip(self, min, max)

    # -- shape ---------------------------------------------------------------------------------------------------------------

    @_forwarded
    def ravel(self, order: Literal["C", "F"] = "C", *, out_sharding: object = None) -> Array:
        """Return the flattened array; see `supremum.ravel`."""

    def flatten(self, order: Literal["C", "F"] = "C", *, out_sharding: object = None) -> Array:
        """Return a flattened copy."""
        flat = xp.ravel(self, order)
        return flat.copy() if np.may_share_memory(flat._data, self._data) else flat

    def squeeze(self, axis: Axis = None) -> Array:
        """Remove axes of length 1; see `supremum.squeeze`."""
        return xp.squeeze(self, axis)

    def swapaxes(self, axis1: int, axis2: int) -> Array:
        """Exchange two axes; see `supremum.swapaxes`."""
        return xp.swapaxes(self, axis1, axis2)

    def transpose(self, *args: SupportsIndex | Sequence[SupportsIndex] | None) -> Array:
        """Permute the axes, given as integers or as one tuple; reverse them by default."""
        one = len(args) == 1 and (args[0] is None or np.iterable(args[0]))
        return xp.transpose(self, args[0] if one else args or None)

    @_forwarded
    def repeat(
        self,
        repeats: ArrayLike,
        axis: int | None = None,
        *,
        total_repeat_length: int | None = None,
        out_sharding: object = None,
    ) -> Array:
        """Repeat elements; see `supremum.repeat`."""

    # -- selection and order -------------------------------------------------------------------------------------------------

    @_forwarded
    def take(
        self,
        indices: ArrayLike,
        axis: int | None = None,
        out: None = None,
        mode: Literal["fill", "clip", "wrap"] | None = None,
        unique_indices: bool = False,
        indices_are_sorted: bool = False,
        fill_value: ArrayLike | None = None,
    ) -> Array:
        """Take elements along an axis; see `supremum.take`."""

    def compress(
        self,
        condition: ArrayLike,
        axis: int | None = None,
        *,
        out: None = None,
        size: int | None = None,
        fill_value: ArrayLike = 0,
    ) -> Array:
        """Select the positions where a condition holds; see `supremum.compress`."""
        return xp.compress(condition, self, axis=axis, out=out, size=size, fill_value=fill_value)

    @_forwarded
    def choose(
        self,
        choices: Sequence[ArrayLike] | Array | np.ndarray[Any, Any],
        out: None = None,
        mode: Literal["raise", "wrap", "clip"] = "raise",
    ) -> Array:
        """Choose elements from several arrays; see `supremum.choose`."""

    @_forwarded
    def nonzero(self, *, fill_value: ArrayLike | Sequence[int] | None = None, size: int | None = None) -> tuple[Array, ...]:
        """Return the indices of the elements that are not zero; see `supremum.nonzero`."""

    @_forwarded
    def searchsorted(
        self,
        v: ArrayLike,
        side: Literal["left", "right"] = "left",
        sorter: ArrayLike | None = None,
        *,
        method: Literal["scan", "scan_unrolled", "sort", "compare_all", "default"] = "scan",
    ) -> Array:
        """Find the indices at which to insert elements into this sorted array; see `supremum.searchsorted`."""

    @_in_place_in_numpy
    def sort(
        self, axis: int | None = -1, *, kind: None = None, order: None = None, stable: bool = True, descending: bool = False
    ) -> Array:
        """Return a sorted copy; under the promotion system ``"numpy"`` sort in place, as NumPy; see `supremum.sort`."""

    @_forwarded
    def argsort(
        self, axis: int | None = -1, *, kind: None = None, order: None = None, stable: bool = True, descending: bool = False
    ) -> Array:
        """Return the indices that sort the array; see `supremum.argsort`."""

    @_forwarded
    def argpartition(self, kth: int, axis: int = -1) -> Array:
        """Return the indices that partition the array; see `supremum.argpartition`."""

    # -- linear algebra ------------------------------------------------------------------------------------------------------

    @_forwarded
    def dot(self, b: ArrayLike, *, precision: object = None, preferred_element_type: DTypeLike | None = None) -> Array:
        """Return the dot product; see `supremum.dot`."""

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
        """Return a diagonal; see `supremum.diagonal`."""
        return xp.diagonal(self, offset, axis1, axis2)

    @_forwarded
    def trace(
        self, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike | None = None, out: None = None
    ) -> Array:
        """Return the sum along a diagonal; see `supremum.trace`."""

    # -- conversion ----------------------------------------------------------------------------------------------------------

    def astype(self, dtype: DTypeLike | None, copy: bool | None = None, device: Device | None = None) -> Array:
        """Cast to a dtype.

        Parameters
        ----------
        dtype : dtype
            The dtype of the result; None is the default floating one.
        copy : bool, optional
            Whether to copy even if the array has the dtype already. By default true if arrays are mutable, so that
            writing to the result does not change the original.
        device : {"cpu"}, optional
            The only device.

        Returns
        -------
        Array
            The cast array, strongly typed.

        Examples
        --------
        >>> import supremum as xp
        >>> xp.asarray([1.5, -2.5]).astype("int8")
        Array([ 1, -2], dtype=int8)
        """
        copy = state().mutable if copy is None else copy
        if copy is True and device is None:  # the defaults: watchers need not be given them
            return xp.astype(self, dtype)
        return xp.astype(self, dtype, copy=copy, device=device)

    def view(self, dtype: DTypeLike | None = None, type: None = None) -> Array:
        """Read the bits as another dtype.

        If the widths differ, the length of the last axis changes. Integers of less than a byte count as densely packed.

        Parameters
        ----------
        dtype : dtype, optional
            The dtype of the result; the same one by default. Python's ``int``, ``float`` and ``complex`` mean the default
            dtypes, or 64 bits (128 of ``complex``) where the elements, or their real parts, have 64.
        type : None
            Not supported, as in JAX.

        Returns
        -------
        Array
            The array, a view if possible.

        Examples
        --------
        >>> import supremum as xp
        >>> xp.asarray([1.0, -2.0]).view("uint32")
        Array([1065353216, 3221225472], dtype=uint32)
        >>> xp.asarray([33], dtype="int8").view("int4")
        Array([1, 2], dtype=int4)
        """
        if isinstance(dtype, int | tuple):
            raise TypeError("Array.view: a view has another dtype; write x.reshape(...) for another shape")
        if type is not None:
            raise NotImplementedError("Array.view: the argument type is not supported; pass a dtype")
        node = self._node if dtype is None else requested(dtype, "view")
        if self._node.real.bits == 64 and python_kind(dtype) in _WIDEST:  # no element becomes two
            node = _WIDEST[python_kind(dtype)]
        if node.dtype == self._data.dtype:
            return wrap(self._data[...], self._node)
        if "k" in (self._node.kind, node.kind):
            raise TypeError("Array.view: keys have no bits of another dtype; use random.key_data or random.wrap_key_data")
        return wrap(call_without_float_warnings(canonical, reinterpret(self._data, self._node, node), node), node)

    def byteswap(self) -> Array:
        """Return a copy with the bytes of each element reversed."""
        return wrap(byteswapped(self._data, self._node), self._node.strong)

    def copy(self) -> Array:
        """Return a copy."""
        data = self._data.copy()
        if state().watchers:
            copied(data, self._data)
        return wrap(data, self._node)

    def item(self, *args: SupportsIndex | tuple[SupportsIndex, ...]) -> Any:
        """Return one element as a Python scalar.

        Parameters
        ----------
        *args : int or tuple of int
            The index, in the flattened array or for each axis; none if the array has only one element.

        Returns
        -------
        bool, int, float or complex
            The element.

        Examples
        --------
        >>> import supremum as xp
        >>> xp.arange(6.0).reshape(2, 3).item(1, 2)
        5.0
        """
        index = args[0] if len(args) == 1 and isinstance(args[0], tuple) else args
        data = self._data
        if not index:
            if data.size != 1:
                raise ValueError(f"Array.item: without an index the array must have one element, got shape {data.shape}")
            return _python(data.reshape(()), self._node)
        position = tuple([as_integer(i, "i", "Array.item") for i in index])
        if len(position) not in (1, data.ndim):
            raise ValueError(
                f"Array.item: the index must be one number or {data.ndim} of them (shape {data.shape}), got {index}"
            )
        try:
            return _python(np.asarray(data.reshape(-1)[position[0]] if len(position) == 1 else data[position]), self._node)
        except (IndexError, OverflowError):
            raise IndexError(f"Array.item: index {index} is out of bounds for shape {data.shape}") from None

    def tolist(self) -> Any:
        """Return nested lists of Python scalars.

        Returns
        -------
        list or scalar
            The elements; one scalar for a 0-d array.

        Examples
        --------
        >>> import supremum as xp
        >>> xp.asarray([[1, 2], [3, 4]], dtype="bfloat16").tolist()
        [[1.0, 2.0], [3.0, 4.0]]
        """
        return self._data.tolist() if self._node.native else _python(self._data, self._node)

    def tobytes(self, order: Order = "C") -> bytes:
        """Return the bytes of the elements."""
        check_choice(order, "order", ("C", "F", "A", "K"), "Array.tobytes")
        return self._data.tobytes(order)

    # -- devices -------------------------------------------------------------------------------------------------------------

    def block_until_ready(self) -> Array:
        """Return the array itself, which is always ready."""
        return self  # type: ignore[return-value]  # every instance is an Array

    def clone(self) -> Array:
        """Return a copy."""
        return self.copy()

    def copy_to_host_async(self) -> None:
        """Do nothing: the array is in the memory of the host."""

    def delete(self) -> None:
        """Release the buffer: afterwards the array has a shape and a dtype, and any other use of it raises an error.

        Other arrays that share the buffer keep it.

        Examples
        --------
        >>> import supremum as xp
        >>> x = xp.arange(3)
        >>> x.delete()
        >>> x.is_deleted(), x.shape
        (True, (3,))
        """
        delete(self)  # type: ignore[arg-type]  # every instance is an Array

    def is_deleted(self) -> bool:
        """Whether `delete` was called: no, or the array has another class."""
        return False

    def is_ready(self) -> bool:
        """Whether the values are computed: always."""
        return True

    def on_device_size_in_bytes(self) -> int:
        """Return the number of bytes of all elements."""
        return self._data.nbytes

    def platform(self) -> str:
        """Return ``"cpu"``."""
        return "cpu"

    def unsafe_buffer_pointer(self) -> int:
        """Return the address of the first element."""
        return self._data.ctypes.data

    def devices(self) -> set[CpuDevice]:
        """Return the devices that hold the array."""
        from supremum._array.sharding import CPU

        return {CPU}

    def addressable_data(self, index: int) -> Array:
        """Return the part of the array on a device of this process: the array itself."""
        return self  # type: ignore[return-value]  # every instance is an Array

    @property
    def addressable_shards(self) -> list[Shard]:
        """The parts of the array: one."""
        from supremum._array.sharding import CPU, Shard  # which few programs need

        return [Shard(CPU, (slice(None),) * self._data.ndim, 0, self)]  # type: ignore[arg-type]  # every instance is an Array

    @property
    def global_shards(self) -> list[Shard]:
        """The parts of the array: one."""
        return self.addressable_shards

    @property
    def sharding(self) -> Sharding:
        """The distribution of the array over devices: it is on one."""
        from supremum._array.sharding import Sharding

        return Sharding()

    @property
    def committed(self) -> bool:
        """Whether the device was chosen explicitly: no."""
        return False

    @property
    def is_fully_addressable(self) -> bool:
        """Whether this process can read all of the array: yes."""
        return True

    @property
    def is_fully_replicated(self) -> bool:
        """Whether every device has all of the array: yes."""
        return True

    @property
    def aval(self) -> ShapedArray:
        """Shape, dtype and weakness."""
        from supremum._array.sharding import ShapedArray

        return ShapedArray(self._data.shape, self._node.public, self._node.weak)

    @property
    def traceback(self) -> None:
        """Where the array was made: not recorded."""
        return


def _part(x: Any, function: Callable[[Any], Array]) -> Array:
    """Return the real or imaginary part of an array; keys have no such attribute."""
    try:
        return function(x)
    except TypeError as error:
        raise (NoAttributeError(str(error)) if x._node.kind == "k" else error) from None


def _check_device(device: object, stream: object) -> None:
    """Refuse devices and streams that do not exist."""
    if not isinstance(device, str) or device != "cpu" or stream is not None:
        raise ValueError(
            f"Array.to_device: the only device is 'cpu' and it has no streams, got device={describe(device)}, "
            f"stream={describe(stream)}"
        )


@without_float_warnings
def _python(data: np.ndarray[Any, Any], node: Node) -> Any:
    """Convert elements to Python scalars, in nested lists; those of ml_dtypes through a dtype of NumPy."""
    if node.kind == "k":
        raise TypeError("Array.tolist, Array.item: keys are no Python scalars; use random.key_data(keys)")
    return (data if data.dtype.isbuiltin == 1 else data.astype(node.wide.dtype)).tolist()
