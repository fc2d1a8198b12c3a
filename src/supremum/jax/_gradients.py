"""Derivatives of functions of trees: `jvp`, `vjp`, `grad`, Jacobians and Hessians."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.exceptions import describe
from supremum._core import engine
from supremum._core.config import Block
from supremum._core.settings import Override, state
from supremum.jax import (
    _slopes_indexing as _slopes_indexing,
    _slopes_lax as _slopes_lax,
    _slopes_linalg as _slopes_linalg,
    _slopes_parts as _slopes_parts,
    _slopes_products as _slopes_products,
    _slopes_random as _slopes_random,
    _slopes_scipy as _slopes_scipy,
    _tree,
)
from supremum.jax._batching import with_node
from supremum.jax._copies import Copies
from supremum.jax._custom_rules import zero_of
from supremum.jax._dual import (
    NOTHING,
    Dual,
    Level,
    Marks,
    Record,
    as_node,
    differentiable,
    like,
    start_of,
    stripped,
    without_checks,
)
from supremum.jax._pullbacks import VJP
from supremum.jax._tree import ARRAYS
from supremum.jax._values import as_leaf, float0, is_float0, wraps, zeros_of
from supremum.jax._vmap import vmap
from supremum.jax.errors import NonlinearError, ReverseError
from supremum.jax.tree_util import Partial

# -- values and tangents of trees ---------------------------------------------------------------------------------------------


def _values(tree: Any) -> tuple[list[Any], _tree.PyTreeDef]:
    leaves, structure = _tree.flatten(tree)
    return [x if type(x) in ARRAYS else as_leaf(x) for x in leaves], structure


def _apart(level: Level, out: Any) -> tuple[list[Any], list[Any], _tree.PyTreeDef]:
    """Return the leaves of a result, their values, and the structure."""
    if type(out) is Dual and out.level is level:  # as most are
        return [out], [out.primal], _tree.LEAF
    found, structure = _values(out)
    return found, [stripped(level, x) for x in found], structure


def _aux(level: Level, aux: Any) -> Any:
    return _tree.mapped(lambda x: stripped(level, x), aux)


def _with_aux(out: Any, has_aux: bool) -> tuple[Any, Any]:
    if not has_aux:
        return out, None
    if not isinstance(out, tuple | list) or len(out) != 2:
        raise TypeError(f"expected function with aux output to return a two-element tuple, but got {describe(out)}")
    return out[0], out[1]


def _called(level: Level, fun: Callable[..., Any], args: Any) -> Any:
    """Call a function; it cannot write to arrays, which its derivative may need."""
    if state().mutable:
        with _without_writes():
            return _called(level, fun, args)
    with level:
        return fun(*args)


#: The settings of blocks without writes.
_READ_ONLY: Final = {"mutable": False}
_shared: Final = [Override(_READ_ONLY)]


class _ReadOnly(Block):
    """A block without writes where no other one is in force: all share their settings, which takes less time."""

    def __enter__(self) -> None:
        if _shared[0].ended:  # as a block within one was left later
            _shared[0] = Override(_READ_ONLY)
        self._inner = _shared[0]
        self._strays = engine.strays()
        self._token = engine.scope.set(self._inner)


def _without_writes() -> AbstractContextManager[Any]:
    """Return a context in which programs cannot write to arrays."""
    if not state().mutable:
        return NOTHING
    return (_ReadOnly if engine.scope.get(None) is None else Block)(_READ_ONLY)


def jvp(fun: Callable[..., Any], primals: Any, tangents: Any, has_aux: bool = False) -> Any:
    """Return the value of a function and its derivative along tangents.

    Parameters
    ----------
    fun : callable
        The function; it takes and returns trees of arrays.
    primals, tangents : tuple or list
        Its arguments, and a tangent for each; those of integers are of `float0`.
    has_aux : bool
        Whether it returns a pair, of which the second is passed on as it is.

    Returns
    -------
    tuple
        The value and the tangent, and what is passed on.

    Examples
    --------
    >>> from supremum import jax
    >>> jax.jvp(jax.numpy.sin, (0.0,), (2.0,))
    (Array(0., dtype=float32, weak_type=True), Array(2., dtype=float32, weak_type=True))
    """
    if not isinstance(primals, tuple | list) or not isinstance(tangents, tuple | list):
        raise TypeError(
            "primal and tangent arguments to jax.jvp must be tuples or lists; found "
            f"{type(primals).__name__} and {type(tangents).__name__}."
        )
    xs, structure = _values(tuple(primals))
    ts, other = _tree.flatten(tuple(tangents))
    if other != structure:
        raise TypeError(
            "primal and tangent arguments to jax.jvp must have the same tree structure; primals have tree structure "
            f"{structure} whereas tangents have tree structure {other}."
        )
    level = Level(taped=False)
    given = [_dual(level, x, t) for x, t in zip(xs, ts, strict=True)]
    out, aux = _with_aux(_called(level, fun, structure.unflatten(given)), has_aux)
    leaves, values, shape = _apart(level, out)
    moved = [x.tangent if level.holds(x) else zero_of(x) for x in leaves]
    found = shape.unflatten(values), shape.unflatten(moved)
    return (*found, _aux(level, aux)) if has_aux else found


def _dual(level: Level, x: Any, tangent: Any) -> Any:
    wanted = x.dtype if differentiable(x) else float0
    tangent = as_leaf(tangent)
    if tangent.dtype != wanted:
        raise TypeError(
            "primal and tangent arguments to jax.jvp do not match; dtypes must be equal, or in case of int/bool primal dtype "
            f"the tangent dtype must be float0. Got primal dtype {x.dtype} and so expected tangent dtype {wanted}, but got "
            f"tangent dtype {tangent.dtype} instead."
        )
    if tangent.shape != x.shape:
        raise ValueError(
            "jvp called with different primal and tangent shapes; "
            f"Got primal shape {x.shape} and tangent shape as {tangent.shape}"
        )
    return Dual(level, x, as_node(tangent, x._node)) if differentiable(x) else x


def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False, reduce_axes: object = ()) -> Any:
    """Return the value of a function, and the function that carries cotangents of it back to its arguments.

    Parameters
    ----------
    fun : callable
        The function; it takes and returns trees of arrays.
    *primals
        Its arguments.
    has_aux : bool
        Whether it returns a pair, of which the second is passed on as it is.
    reduce_axes : optional
        Ignored.

    Returns
    -------
    tuple
        The value, the function of a tree of cotangents, and what is passed on.

    Examples
    --------
    >>> from supremum import jax
    >>> value, back = jax.vjp(lambda x, y: x * y, 2.0, 3.0)
    >>> back(1.0)
    (Array(3., dtype=float32, weak_type=True), Array(2., dtype=float32, weak_type=True))
    """
    xs, structure = _values(primals)
    # What is written later to them, to arrays in closures and to results does not change the derivative.
    copies = Copies(arrays=state().mutable)
    taped = Taped(fun, copies.of(xs), structure, has_aux, "fc", copies)
    leaves, shape = taped.leaves, taped.shape

    def back(cotangents: Any, unwanted: Sequence[int] = ()) -> Any:
        given, other = _tree.flatten(cotangents)
        if other != shape:
            raise ValueError(
                f"unexpected tree structure of argument to vjp function: got {other}, but expected to match {shape}"
            )
        for x, ct in zip(leaves, given, strict=True):
            moves = differentiable(x)  # cotangents of integers are of float0, but as in JAX all of their shapes are taken
            if np.shape(ct) != x.shape or (moves and as_leaf(ct).dtype != x.dtype):
                wanted = x.dtype if moves else "float0"
                raise ValueError(
                    "unexpected JAX type (e.g. shape/dtype) for argument to vjp function: "
                    f"got {as_leaf(ct).dtype}{list(np.shape(ct))}, but expected {wanted}{list(x.shape)} because the "
                    f"corresponding output of the function had JAX type {x.dtype}{list(x.shape)}"
                )
        copies.check()
        return taped.back(given, unwanted)

    function = VJP.of(back, primals, lambda *others: vjp(fun, *others, has_aux=has_aux)[1], taped)
    result = shape.unflatten(copies.of(taped.values)), function
    if not has_aux:
        return result
    passed, other = _tree.flatten(taped.aux)
    return (*result, other.unflatten(copies.of(passed)))


class Taped:
    """A function of which a tape was made: the leaves of its result, their values, the structure, and what is passed on."""

    def __init__(
        self, fun: Callable[..., Any], xs: list[Any], structure: _tree.PyTreeDef, has_aux: bool, kinds: str, memory: Any = None
    ) -> None:  # fmt: skip
        self.level = level = Level(taped=True, kinds=kinds, memory=memory)
        self.xs, self.structure = xs, structure
        given, self.starts = [], []
        for x in xs:
            moves = level.moves(x)
            self.starts.append(start_of(x) if moves else Record())
            given.append(Dual(level, x, self.starts[-1]) if moves else x)
        out, aux = _with_aux(_called(level, fun, structure.unflatten(given)), has_aux)
        self.leaves, self.values, self.shape = _apart(level, out)
        self.aux = _aux(level, aux) if has_aux else None

    def back(self, cotangents: list[Any], unwanted: Sequence[int] = ()) -> Any:
        """Carry cotangents of the leaves back to the arguments, of which some are not wanted: those are None."""
        level, current = self.level, state()
        if unwanted or current.strict or current.mutable:
            with self._without(unwanted) if unwanted else NOTHING, without_checks(), _without_writes():
                level.backward(self.leaves, cotangents)
        else:  # which needs none of these contexts
            level.backward(self.leaves, cotangents)
        found = []
        for i, start in enumerate(self.starts):
            cotangent, start.cotangent = start.cotangent, None
            if cotangent is None and i not in unwanted:
                cotangent = xp.zeros_like(self.xs[i]) if level.moves(self.xs[i]) else zero_of(self.xs[i])
            found.append(cotangent)
        return self.structure.unflatten(found)

    @contextmanager
    def _without(self, unwanted: Sequence[int]) -> Iterator[None]:
        """Return a context in which the tape has no records of some arguments."""
        gone = {self.starts[i] for i in unwanted}
        cut = [(one, one.parents) for one in self.level.tape or () if not gone.isdisjoint([x for x, _ in one.parents])]
        for record, parents in cut:
            record.parents = [one for one in parents if one[0] not in gone]
        try:
            yield
        finally:
            for record, parents in cut:
                record.parents, record.cotangent = parents, None


def linearize(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """Return the value of a function, and its derivative there as a function of tangents.

    Parameters
    ----------
    fun : callable
        The function, which is called once.
    *primals
        Its arguments.
    has_aux : bool
        Whether it returns a pair, of which the second is passed on as it is.

    Returns
    -------
    tuple
        The value, the linear function, and what is passed on.

    Examples
    --------
    >>> from supremum import jax
    >>> value, derivative = jax.linearize(lambda x: x**2, 3.0)
    >>> derivative(2.0)
    Array(12., dtype=float32, weak_type=True)
    """
    value, back, *aux = vjp(fun, *primals, has_aux=has_aux)
    outs, shape = _values(value)
    xs, structure = _values(primals)

    def forward(*tangents: Any) -> Any:
        ts, other = _tree.flatten(tangents)
        if other != structure:
            raise TypeError(f"linearized function: tangents have tree structure {other}, primals {structure}")
        for x, t in zip(xs, ts, strict=True):
            wanted = x.dtype if differentiable(x) else float0
            if np.shape(t) != x.shape or as_leaf(t).dtype != wanted:
                raise ValueError(
                    "linearized function called on tangent values inconsistent with the original primal values: got "
                    f"{as_leaf(t).dtype}{list(np.shape(t))}, but expected {wanted}{list(x.shape)}"
                )
        floating = [i for i, y in enumerate(outs) if differentiable(y)]

        def of_cotangents(*cts: Any) -> Any:
            given = dict(zip(floating, cts, strict=True))
            full = [given.get(i, None if differentiable(y) else zero_of(y)) for i, y in enumerate(outs)]
            return tuple(_tree.flatten(back(shape.unflatten(full)))[0])

        try:
            _, again = vjp(of_cotangents, *[xp.zeros_like(outs[i]) for i in floating])
        except ReverseError:  # of a loop of unknown length, which is differentiated forward alone
            return jvp(fun, primals, tangents, has_aux=has_aux)[1]
        seeds = tuple([like(as_leaf(t), x) if differentiable(x) else zero_of(x) for x, t in zip(xs, ts, strict=True)])
        moved = dict(zip(floating, again(seeds), strict=True))
        return shape.unflatten([moved[i] if i in moved else zero_of(y) for i, y in enumerate(outs)])

    return (value, Partial(forward), *aux)


def linear_transpose(fun: Callable[..., Any], *primals: Any, reduce_axes: object = ()) -> Callable[[Any], Any]:
    """Return the transposed function of a linear one.

    Parameters
    ----------
    fun : callable
        A linear function of trees of arrays.
    *primals
        Arguments, or their shapes and dtypes; the elements do not matter.
    reduce_axes : optional
        Ignored.

    Returns
    -------
    callable
        From a tree of cotangents of the result to those of the arguments.

    Examples
    --------
    >>> from supremum import jax
    >>> jax.linear_transpose(lambda x: 3 * x, 0.0)(1.0)
    (Array(3., dtype=float32, weak_type=True),)
    """
    leaves, structure = _tree.flatten(primals)
    zeros = [zeros_of(x) for x in leaves]
    marks, kinds = Marks(), "iu" if all(x._node.kind in "iu" for x in zeros) else "fc"
    taped = Taped(fun, list(map(marks.of, zeros)), structure, False, kinds)
    taped.xs, shape = zeros, taped.shape
    if not all(map(taped.level.moves, [*zeros, *taped.values])):
        raise TypeError(
            "linear_transpose only supports [float or complex] -> [float or complex], and integer -> integer functions, "
            f"but got {[x.dtype for x in zeros]} -> {[x.dtype for x in taped.values]}."
        )
    if any(marks.on(y) and not taped.level.holds(y) for y in taped.leaves):  # as where an operand is cast to an index
        raise NonlinearError("linear_transpose: the function is not linear in its arguments")

    def transposed(cotangents: Any) -> Any:
        given, other = _tree.flatten(cotangents)
        if other != shape:
            raise TypeError(f"cotangent tree does not match function output, expected {shape} but got {other}")
        given = [as_leaf(ct) for ct in given]
        for x, ct in zip(taped.values, given, strict=True):
            if ct.shape != x.shape or ct.dtype != x.dtype:
                raise TypeError(
                    f"cotangent type does not match function output, expected {x.dtype}{list(x.shape)} but got "
                    f"{ct.dtype}{list(ct.shape)}"
                )
        found = taped.back(given)
        if any(marks.on(x) for x in _tree.flatten(found)[0]):
            raise NonlinearError("linear_transpose: the function is not linear in all arguments together")
        return found

    return Partial(transposed)


# -- gradients ----------------------------------------------------------------------------------------------------------------


def _numbers(argnums: Any, count: int, name: str) -> tuple[int, ...]:
    if type(argnums) is int and -count <= argnums < count:
        return (argnums % count,)
    numbers = (argnums,) if isinstance(argnums, int) else tuple(map(operator.index, argnums))
    if max(numbers, default=-1) >= count and name == "grad":
        raise TypeError(
            f"{name}: differentiating with respect to argnums={argnums} requires at least {max(numbers) + 1} positional "
            f"arguments to be passed by the caller, but got only {count} positional arguments."
        )
    if any(not -count <= i < count for i in numbers):
        raise ValueError(f"{name}: argnums must be from {-count} to {count - 1} for {count} arguments, got {argnums}")
    return tuple([i % count for i in numbers])


def _of_chosen(fun: Callable[..., Any], args: Any, kwargs: Any, numbers: tuple[int, ...]) -> Callable[..., Any]:
    """Return a function of some of its arguments."""

    def chosen(*given: Any) -> Any:
        full = list(args)
        for i, x in zip(numbers, given, strict=True):
            full[i] = x
        return fun(*full, **kwargs)

    return chosen


def _check_inputs(name: str, leaves: list[Any], *, holomorphic: bool, allow_int: bool = False) -> None:
    for x in leaves:
        kind = "V" if type(x) not in ARRAYS and is_float0(x) else x._node.kind
        if holomorphic and kind != "c":
            raise TypeError(f"{name} with holomorphic=True requires inputs with complex dtype, but got {x.dtype}.")
        if kind not in "fc" and not allow_int:
            raise TypeError(
                f"{name} requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got "
                f"{x.dtype}. If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int to True."
            )
        if name == "jacfwd" and kind == "c" and not holomorphic:
            raise TypeError(
                f"jacfwd requires real-valued inputs (input dtype that is a sub-dtype of np.floating), but got {x.dtype}. For "
                "holomorphic differentiation, pass holomorphic=True. For differentiation of non-holomorphic functions "
                "involving complex inputs, use jax.jvp directly."
            )


def _check_output(name: str, y: Any, *, holomorphic: bool) -> None:
    if holomorphic:
        if y._node.kind != "c":
            raise TypeError(f"{name} with holomorphic=True requires outputs with complex dtype, but got {y.dtype}.")
    elif y._node.kind != "f":
        remedy = (
            "holomorphic differentiation, pass holomorphic=True. For differentiation of non-holomorphic functions involving "
            "complex outputs"
            if y._node.kind == "c"
            else "differentiation of functions with integer outputs"
        )
        raise TypeError(
            f"{name} requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got {y.dtype}. For "
            f"{remedy}, use jax.vjp directly."
        )


def value_and_grad(
    fun: Callable[..., Any],
    argnums: Any = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
    reduce_axes: object = (),
) -> Callable[..., Any]:
    """Return a function that computes the value of `fun`, a number, and its gradient.

    Parameters
    ----------
    fun : callable
        The function; it takes trees of arrays and returns a floating-point number.
    argnums : int or sequence of int
        The arguments by which it is differentiated.
    has_aux : bool
        Whether it returns a pair, of which the second is passed on as it is.
    holomorphic : bool
        Whether it is a holomorphic function of complex numbers.
    allow_int : bool
        Whether arguments may be integers; their gradients are of `float0`.
    reduce_axes : optional
        Ignored.

    Returns
    -------
    callable
        From the arguments to the value, in a pair with what is passed on, and the gradient: a tree like the argument.

    Examples
    --------
    >>> from supremum import jax
    >>> jax.value_and_grad(lambda x: x**2)(3.0)
    (Array(9., dtype=float32, weak_type=True), Array(6., dtype=float32, weak_type=True))
    """
    if not callable(fun):
        raise TypeError(f"Expected a callable value, got {describe(fun)}")

    @wraps(fun)
    def differentiated(*args: Any, **kwargs: Any) -> Any:
        numbers = _numbers(argnums, len(args), "grad")
        xs, structure = _values(tuple([args[i] for i in numbers]))
        _check_inputs("grad", xs, holomorphic=holomorphic, allow_int=allow_int)
        with _without_writes():  # one block for both directions
            taped = Taped(_of_chosen(fun, args, kwargs, numbers), xs, structure, has_aux, "fc")
            value = taped.shape.unflatten(taped.values)
            if not isinstance(value, Array):
                raise TypeError(f"Gradient only defined for scalar-output functions. Output was {describe(value)}.")
            if value.shape:
                raise TypeError(f"Gradient only defined for scalar-output functions. Output had shape: {value.shape}.")
            _check_output("grad", value, holomorphic=holomorphic)
            found = taped.back([xp.ones_like(value)])
        gradient = found[0] if isinstance(argnums, int) else found
        return ((value, taped.aux) if has_aux else value), gradient

    return differentiated


def grad(
    fun: Callable[..., Any],
    argnums: Any = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
    reduce_axes: object = (),
) -> Callable[..., Any]:
    """Return a function that computes the gradient of `fun`, whose value is a number.

    Parameters
    ----------
    fun, argnums, has_aux, holomorphic, allow_int, reduce_axes
        As for `value_and_grad`.

    Returns
    -------
    callable
        From the arguments to the gradient: a tree like the argument; in a pair with what is passed on.

    Examples
    --------
    >>> from supremum import jax
    >>> jax.grad(lambda x: x**2)(3.0)
    Array(6., dtype=float32, weak_type=True)
    """
    both = value_and_grad(fun, argnums, has_aux, holomorphic, allow_int)

    @wraps(fun)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, found = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient


# -- Jacobians ----------------------------------------------------------------------------------------------------------------


def _basis(leaves: list[Any]) -> tuple[list[Any], list[int]]:
    """Return unit vectors of the elements of all leaves along a first axis, and where each leaf ends."""
    ends = [0]
    for x in leaves:
        ends.append(ends[-1] + x.size)
    rows = [
        xp.reshape(xp.eye(ends[-1], x.size, k=-a, dtype=x.dtype), (ends[-1], *x.shape))
        for x, a in zip(leaves, ends, strict=False)
    ]
    return rows, ends


def jacfwd(fun: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False) -> Callable[..., Any]:
    """Return a function that computes the Jacobian of `fun`, column by column.

    Parameters
    ----------
    fun, argnums, has_aux, holomorphic
        As for `value_and_grad`; the value may be a tree of arrays.

    Returns
    -------
    callable
        From the arguments to a tree like the value, each leaf of which is a tree like the argument, of arrays whose shape is
        that of the value followed by that of the argument.

    Examples
    --------
    >>> from supremum import jax
    >>> jax.jacfwd(jax.numpy.square)(jax.numpy.asarray([1.0, 2.0]))
    Array([[2., 0.],
           [0., 4.]], dtype=float32)
    """

    @wraps(fun)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        numbers = _numbers(argnums, len(args), "jacfwd")
        xs, structure = _values(tuple([args[i] for i in numbers]))
        _check_inputs("jacfwd", xs, holomorphic=holomorphic)
        chosen = _of_chosen(fun, args, kwargs, numbers)
        rows, ends = _basis(xs)

        nodes: list[Any] = []  # those of weak results are weak

        def push(*tangents: Any) -> Any:
            values, found, *_ = jvp(chosen, structure.unflatten(xs), structure.unflatten(tangents), has_aux=has_aux)
            nodes[:] = [y._node for y in _tree.flatten(values)[0]]
            return found

        moved, shape = _tree.flatten(vmap(push)(*rows))
        found = []
        for t, node in zip(moved, nodes, strict=True):
            ys = xp.zeros(t.shape, dtype=node.public) if t.dtype == float0 else t
            if holomorphic:
                _check_output("jacfwd", ys, holomorphic=True)
            last = with_node(xp.moveaxis(ys, 0, -1), node)
            parts = [
                xp.reshape(last[..., a:b], (*ys.shape[1:], *x.shape)) for x, a, b in zip(xs, ends, ends[1:], strict=False)
            ]
            tree = structure.unflatten(parts)
            found.append(tree[0] if isinstance(argnums, int) else tree)
        result = shape.unflatten(found)
        if not has_aux:
            return result
        return result, jvp(chosen, structure.unflatten(xs), structure.unflatten(map(xp.zeros_like, xs)), True)[2]

    return jacobian


def jacrev(
    fun: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False
) -> Callable[..., Any]:
    """Return a function that computes the Jacobian of `fun`, row by row.

    Parameters
    ----------
    fun, argnums, has_aux, holomorphic, allow_int
        As for `value_and_grad`; the value may be a tree of arrays.

    Returns
    -------
    callable
        As for `jacfwd`.

    Examples
    --------
    >>> from supremum import jax
    >>> jax.jacrev(jax.numpy.square)(jax.numpy.asarray([1.0, 2.0]))
    Array([[2., 0.],
           [0., 4.]], dtype=float32)
    """

    @wraps(fun)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        numbers = _numbers(argnums, len(args), "jacrev")
        xs, structure = _values(tuple([args[i] for i in numbers]))
        _check_inputs("jacrev", xs, holomorphic=holomorphic, allow_int=allow_int)
        taped = Taped(_of_chosen(fun, args, kwargs, numbers), xs, structure, has_aux, "fc")
        ys, shape = taped.values, taped.shape
        for y in ys:
            _check_output("jacrev", y, holomorphic=holomorphic)
        if len(ys) == 1 and not ys[0].shape:  # the gradient of a number needs no batch
            leaves, structure = _tree.flatten(taped.back([xp.ones_like(ys[0])]))
            parts = [leaves]
        else:
            rows, ends = _basis(ys)
            moved, structure = _tree.flatten(vmap(lambda *cts: taped.back(list(cts)))(*rows))
            parts = [
                [one[a:b].reshape((*y.shape, *one.shape[1:])) for one in moved]
                for y, a, b in zip(ys, ends, ends[1:], strict=False)
            ]
        nodes = [x._node if differentiable(x) else None for x in xs]  # those of weak arguments are weak
        trees = [
            structure.unflatten([with_node(one, node) if node else one for one, node in zip(row, nodes, strict=True)])
            for row in parts
        ]
        result = shape.unflatten([tree[0] if isinstance(argnums, int) else tree for tree in trees])
        return (result, taped.aux) if has_aux else result

    return jacobian


jacobian = jacrev


def hessian(fun: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False) -> Callable[..., Any]:
    """Return a function that computes the matrix of second derivatives of `fun`.

    Parameters
    ----------
    fun, argnums, has_aux, holomorphic
        As for `value_and_grad`; the value may be a tree of arrays.

    Returns
    -------
    callable
        From the arguments to a tree like the value of trees like the argument of trees like the argument.

    Examples
    --------
    >>> from supremum import jax
    >>> jax.hessian(lambda x: (x**3).sum())(jax.numpy.asarray([1.0, 2.0]))
    Array([[ 6.,  0.],
           [ 0., 12.]], dtype=float32)
    """
    return jacfwd(jacrev(fun, argnums, has_aux, holomorphic), argnums, has_aux, holomorphic)
