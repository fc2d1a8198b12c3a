"""`ufunc`: a function that is applied to each element, with the methods that follow from that."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature, cleandoc
from itertools import product
from typing import Any, Final

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import OptionError, as_integer, describe
from supremum._base.functions import takes_over, without_float_warnings
from supremum._base.silence import call_user_code
from supremum._core import engine
from supremum._core.array import Array, ArrayLike, Axis, DTypeLike, wrap
from supremum._core.conversion import as_array, check_in_place, operand, operands, refuse_out, store_or_return
from supremum._core.settings import state
from supremum._functions.elementwise import _folds
from supremum._kernels.casts import cast

__all__ = ["frompyfunc", "ufunc"]

#: The most arguments, and the most results; NumPy's limit on both together.
_MOST: Final = 64


class _CallSignature:
    """The signature of a ufunc's call; the class itself has that of its constructor."""

    def __get__(self, instance: ufunc | None, owner: type[ufunc]) -> Signature:
        if instance is None:
            raise AttributeError("__signature__")
        operands = [Parameter(name, Parameter.POSITIONAL_ONLY) for name in instance._names()]
        options = [Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in ("out", "where")]
        return Signature([*operands, *options])


class _UfuncType(type):
    """Counts the ufuncs that are operations of the engine among the instances."""

    def __instancecheck__(cls, instance: object) -> bool:
        return type.__instancecheck__(cls, instance) or isinstance(instance, engine.Ufunc)


@public
class ufunc(metaclass=_UfuncType):
    """A function that is applied to each element of its broadcast arguments.

    Parameters
    ----------
    func : callable
        A function of `nin` elements that returns `nout` elements.
    nin, nout : int
        The numbers of arguments and of results of the function.
    name, nargs, identity : optional
        The values of these attributes.
    call, reduce, accumulate, at, reduceat : callable, optional
        Functions of whole arrays that replace the call and the methods of these names.

    Attributes
    ----------
    nin, nout, nargs : int
        The numbers of arguments and results.
    identity : object
        The value that leaves the other operand as it is, or None.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.add.nin, xp.add.nout, xp.add.identity
    (2, 1, 0)
    >>> larger = xp.ufunc(lambda x, y: x if x > y else y, 2, 1, name="larger")
    >>> larger.reduce(xp.asarray([3, 7, 5]))
    Array(7, dtype=int32)
    """

    def __init__(
        self,
        func: Callable[..., Any],
        /,
        nin: int,
        nout: int,
        *,
        name: str | None = None,
        nargs: int | None = None,
        identity: object = None,
        call: Callable[..., Any] | None = None,
        reduce: Callable[..., Any] | None = None,
        accumulate: Callable[..., Any] | None = None,
        at: Callable[..., Any] | None = None,
        reduceat: Callable[..., Any] | None = None,
    ) -> None:
        if not callable(func):
            raise TypeError(f"ufunc: func must be a function, got {describe(func)}")
        self._function = func
        self._nin = as_integer(nin, "nin", "ufunc")
        self._nout = as_integer(nout, "nout", "ufunc")
        self._nargs = as_integer(nargs or self._nin, "nargs", "ufunc")
        if not 0 <= self.nin <= _MOST or not 0 <= self.nout <= _MOST:
            raise ValueError(f"ufunc: nin and nout must be from 0 to {_MOST}, got {self.nin} and {self.nout}")
        self._identity = identity
        self._call, self._reduce, self._accumulate, self._at, self._reduceat = call, reduce, accumulate, at, reduceat
        self._name = name or str(getattr(func, "__name__", type(func).__name__))
        self.__qualname__ = self._name
        self.__module__ = func.__module__
        self.__wrapped__ = func
        names = ", ".join(self._names())
        # help() shows the signature of an object that is no function if it is the first line of the docstring.
        self.__doc__ = f"{self.__name__}({names}, /, *, out=None, where=None)\n\n{cleandoc(func.__doc__ or '')}"

    __signature__ = _CallSignature()

    # Read-only, because all importers share one object.
    @property
    def __name__(self) -> str:
        """The name of the function."""
        return self._name

    @property
    def _func(self) -> Callable[..., Any]:
        """The function of elements, by its name in JAX's ufuncs."""
        return self._function

    @property
    def nin(self) -> int:
        """The number of arguments."""
        return self._nin

    @property
    def nout(self) -> int:
        """The number of results."""
        return self._nout

    @property
    def nargs(self) -> int:
        """The number of arguments."""
        return self._nargs

    @property
    def identity(self) -> Any:
        """The value that leaves the other operand as it is, or None."""
        return self._identity

    def _names(self) -> list[str]:
        return ["x"] if self.nin == 1 else [f"x{i + 1}" for i in range(self.nin)]

    def __repr__(self) -> str:
        return f"<supremum.ufunc '{self.__name__}'>"

    def _key(self) -> tuple[Any, ...]:
        return self._function, self.__name__, self.identity, self.nin, self.nout, self.nargs

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ufunc) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __call__(self, *args: ArrayLike, out: None = None, where: None = None) -> Any:
        """Apply the function."""
        self._no_options(out, where)
        arrays = operands(self.__name__, *args)
        return self._each(arrays) if self._call is None else call_user_code(self._call, *args)

    def _no_options(self, out: object, where: object) -> None:
        if out is not None:
            arguments = f"{self.nin} argument{'s' * (self.nin > 1)}"
            raise OptionError(f"{self.__name__} takes {arguments}; out= is not supported; write z[...] = {self.__name__}(...)")
        if where is not None:
            raise OptionError(f"{self.__name__}: where= is not supported; use supremum.where on the result")

    def _each(self, arrays: list[Array]) -> Any:
        """Call the function for each element of the broadcast arguments and stack the results."""
        if any(map(takes_over, arrays)):
            from supremum._functions.functional import vectorize

            return vectorize(self._function)(*arrays)
        shape = _folds.broadcast_shape(self.__name__, [x.shape for x in arrays])
        broadcast = [wrap(np.broadcast_to(x._data, shape), x._node) for x in arrays]
        indices = list(product(*map(range, shape)))
        # The dtype of no results is that of the results for ones.
        elements = [[x[index] for x in broadcast] for index in indices] or [[_folds.one(x._node).copy() for x in arrays]]
        results = [call_user_code(self._function, *one) for one in elements]
        if self.nout == 1:
            return self._stacked([[as_array(result)] for result in results], shape, len(indices))[0]
        return self._stacked([[as_array(part) for part in result] for result in results], shape, len(indices))

    @without_float_warnings
    def _stacked(self, results: list[list[Array]], shape: tuple[int, ...], count: int) -> tuple[Array, ...]:
        """Stack the results of all elements, output by output."""
        outputs = []
        for parts in zip(*results, strict=True):
            node = parts[0]._node
            stacked = np.empty((count, *parts[0].shape), node.dtype)
            for i, part in enumerate(parts[:count]):
                stacked[i] = cast(part._data, node)
            outputs.append(wrap(stacked.reshape(shape + parts[0].shape), node))
        return tuple(outputs)

    def _check_binary(self, method: str) -> None:
        """Refuse a method that only functions of two operands and one result have."""
        if self.nin != 2:
            raise ValueError(
                f"{self.__name__}.{method}: the function must have two operands, and {self.__name__} has {self.nin}"
            )
        if self.nout != 1:
            raise ValueError(
                f"{self.__name__}.{method}: the function must have one result, and {self.__name__} has {self.nout}"
            )

    def reduce(
        self,
        a: ArrayLike,
        axis: Axis = 0,
        dtype: DTypeLike | None = None,
        out: None = None,
        keepdims: bool = False,
        initial: ArrayLike | None = None,
        where: ArrayLike | None = None,
    ) -> Array:
        """Reduce the elements along an axis.

        Parameters
        ----------
        a : array_like
            The elements.
        axis : int or None, optional
            The axis; None for all of them.
        dtype : dtype, optional
            The dtype to compute in and to return.
        out : None
            Not supported.
        keepdims : bool, optional
            Whether to keep the axis with length 1.
        initial : array_like, optional
            The value to start with.
        where : array_like, optional
            Which elements to include, bool.

        Returns
        -------
        Array
            The reduced elements.

        Examples
        --------
        >>> import supremum as xp
        >>> xp.subtract.reduce(xp.asarray([10, 3, 2]))
        Array(5, dtype=int32)
        """
        self._check_binary("reduce")
        name = f"{self.__name__}.reduce"
        refuse_out(out, name)
        x = operand(a, name)
        if where is not None:
            if self.identity is None and initial is None:
                raise ValueError(f"{name}: {self.__name__} has no identity: pass `initial` together with a `where` mask")
            where = operand(where, name)
            if where._node.kind != "b":
                raise ValueError(
                    f"{name}: where must be a boolean array, got dtype {where.dtype}; compare it, e.g. where != 0"
                )
        fold = self._reduce or _folds.Fold(self).reduce
        return fold(x, axis=axis, dtype=dtype, keepdims=keepdims, initial=initial, where=where)

    def accumulate(self, a: ArrayLike, axis: int = 0, dtype: DTypeLike | None = None, out: None = None) -> Array:
        """Accumulate the elements along an axis: reduce, and keep every step.

        Parameters
        ----------
        a : array_like
            The elements.
        axis : int, optional
            The axis.
        dtype : dtype, optional
            The dtype to compute in and to return.
        out : None
            Not supported.

        Returns
        -------
        Array
            The steps, in the shape of `a`.

        Examples
        --------
        >>> import supremum as xp
        >>> xp.maximum.accumulate(xp.asarray([1, 3, 2, 5]))
        Array([1, 3, 3, 5], dtype=int32)
        """
        self._check_binary("accumulate")
        name = f"{self.__name__}.accumulate"
        refuse_out(out, name)
        x = operand(a, name)
        fold = self._accumulate or _folds.Fold(self).accumulate
        # Cumulative functions take 0-d arrays without an axis alone.
        return fold(x, axis=None if self._accumulate and not x.ndim else axis, dtype=dtype)

    def reduceat(
        self, a: ArrayLike, indices: ArrayLike, axis: int = 0, dtype: DTypeLike | None = None, out: None = None
    ) -> Array:
        """Reduce slices of the elements: from each index to the next, and from the last one to the end.

        Parameters
        ----------
        a : array_like
            The elements.
        indices : array_like
            Where the slices begin, 1-d. If the next index is not greater, the slice is one element.
        axis : int, optional
            The axis.
        dtype : dtype, optional
            The dtype to return.
        out : None
            Not supported.

        Returns
        -------
        Array
            The reduced slices.

        Examples
        --------
        >>> import supremum as xp
        >>> xp.add.reduceat(xp.asarray([1, 2, 3, 4, 5]), xp.asarray([0, 2]))
        Array([ 3, 12], dtype=int32)
        """
        self._check_binary("reduceat")
        name = f"{self.__name__}.reduceat"
        refuse_out(out, name)
        x, starts = operands(name, a, indices)
        return (self._reduceat or _folds.Fold(self).reduceat)(x, starts, axis=axis, dtype=dtype)

    def outer(self, A: ArrayLike, B: ArrayLike, /) -> Array:
        """Apply the function to every pair of an element of `A` and one of `B`.

        Parameters
        ----------
        A, B : array_like
            The operands.

        Returns
        -------
        Array
            The results, of shape ``A.shape + B.shape``.

        Examples
        --------
        >>> import supremum as xp
        >>> xp.multiply.outer(xp.asarray([1, 2]), xp.asarray([3, 4]))
        Array([[3, 4],
               [6, 8]], dtype=int32)
        """
        self._check_binary("outer")
        x, y = operands(f"{self.__name__}.outer", A, B)
        if x.ndim and y.ndim:  # as many axes, so that nothing promotes in rank
            x, y = x.reshape(x.shape + (1,) * y.ndim), y.reshape((1,) * x.ndim + y.shape)
        return self(x, y)

    def at(self, a: ArrayLike, indices: Any, b: ArrayLike | None = None, /, *, inplace: bool = True) -> Array:
        """Apply the function to the elements at some indices, as often as each index occurs.

        Parameters
        ----------
        a : array_like
            The array.
        indices : int, slice, Array or tuple of those
            Which elements.
        b : array_like, optional
            The second operands, if the function has two.
        inplace : bool
            Whether to change `a` itself, which is refused if arrays are immutable, as JAX's are.

        Returns
        -------
        Array
            The array itself, or a copy, with the results at the indices.

        Examples
        --------
        >>> import supremum as xp
        >>> xp.add.at(xp.asarray([1, 2, 3]), xp.asarray([0, 0, 2]), 10, inplace=False)
        Array([21,  2, 13], dtype=int32)
        """
        name = f"{self.__name__}.at"
        check_in_place(name, a, inplace, NotImplementedError)
        if (b is None) != (self.nin == 1):
            raise TypeError(f"{name}: the function has {self.nin} operands, got {1 if b is None else 2}")
        operators = operands(name, a) if b is None else operands(name, a, b)
        if state().out_of_range == "raise":
            operators[0][indices]  # raises an IndexError for indices out of range
        update = self._at or _folds.Fold(self).at
        return store_or_return(name, a, update(operators[0], indices, *operators[1:]), inplace)


@public(wrap=False)
def frompyfunc(func: Callable[..., Any], /, nin: int, nout: int, *, identity: object = None) -> ufunc:
    """Make a ufunc of a function of elements.

    Parameters
    ----------
    func : callable
        A function of `nin` 0-d arrays that returns `nout` 0-d arrays.
    nin, nout : int
        The numbers of its arguments and results.
    identity : optional
        The value that leaves the other operand as it is.

    Returns
    -------
    ufunc
        The function for whole arrays.

    Examples
    --------
    >>> import supremum as xp
    >>> clamp = xp.frompyfunc(lambda x, top: top if x > top else x, 2, 1)
    >>> clamp(xp.asarray([1, 5, 9]), xp.asarray(6))
    Array([1, 5, 6], dtype=int32)
    """
    return ufunc(func, nin, nout, identity=identity)
