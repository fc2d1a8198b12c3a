"""Functions that are computed again for their derivatives backward: `checkpoint`, and its policies.

Without a policy the tape holds the operands of such a function alone. With one, it holds the results of the calls that the
policy chooses too, and the others are computed again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import numpy as np

from supremum import Array, config
from supremum._base.facts import facts_of, operands_of
from supremum._functions.linear_algebra.einsums import parsed, spelled
from supremum.jax import _tree, lax as lax
from supremum.jax._api import typeof
from supremum.jax._batching import in_batches, innermost
from supremum.jax._casting import as_operand, public
from supremum.jax._copies import Copies
from supremum.jax._custom_rules import Captured, level_of, parameters_of, taken, value_of
from supremum.jax._derivatives import Custom
from supremum.jax._dual import Dual, Instead, Level, Still, differentiable, duals, replaced, start_of, stripped, swapping
from supremum.jax._gradients import Taped
from supremum.jax._primitives import primitive
from supremum.jax._programs import short_type
from supremum.jax._pullbacks import arrays_of
from supremum.jax._slopes import composed, composed_in_lax, constant
from supremum.jax._traces import tracing
from supremum.jax._tree import mapped
from supremum.jax._values import as_leaf, wraps
from supremum.jax.lax._elementwise import FUNCTIONS
from supremum.jax.lax._operands import PROMOTING

# -- names and policies -------------------------------------------------------------------------------------------------------


def _name(x: Any, /, *, name: str) -> Array:
    """Return the argument as an Array; policies see its name."""
    return as_operand(x, "checkpoint_name")


_name.__name__ = _name.__qualname__ = "name"
_named: Final[Any] = public(_name, name="ad_checkpoint.", kind="elementwise", operands="x", slope="1")


def checkpoint_name(x: Any, name: str) -> Any:
    """Return a tree of arrays as it is; policies of `checkpoint` know the arrays by the name.

    Parameters
    ----------
    x : tree of arrays
        The values.
    name : str
        The name.

    Returns
    -------
    tree of arrays
        The values.

    Examples
    --------
    >>> from supremum import jax
    >>> policy = jax.checkpoint_policies.save_only_these_names("wave")
    >>> program = lambda x: jax.ad_checkpoint.checkpoint_name(jax.numpy.sin(x), "wave") ** 2
    >>> jax.grad(jax.checkpoint(program, policy=policy))(0.0)
    Array(0., dtype=float32, weak_type=True)
    """
    return mapped(lambda leaf: _named(leaf, name=name), x)


class Saveable:
    """What a policy may return of a result that is kept."""


class Recompute:
    """What a policy may return of a result that is computed again."""


class Offloadable(NamedTuple):
    """What a policy may return of a result that is kept in another memory; here there is one."""

    src: Any
    dst: Any


def everything_saveable(*_: object, **__: object) -> bool:
    """Keep all results, as if there were no `checkpoint`."""
    return True


def nothing_saveable(*_: object, **__: object) -> bool:
    """Keep the operands alone, as without a policy."""
    return False


def dots_saveable(prim: Any, *_: object, **__: object) -> bool:
    """Keep products of matrices, and convolutions."""
    return prim.name in ("dot_general", "conv_general_dilated")


def dots_with_no_batch_dims_saveable(prim: Any, *_: object, **params: Any) -> bool:
    """Keep products of matrices, but not those of stacks of them."""
    return bool(prim.name == "dot_general" and not any(params["dimension_numbers"][1]))


def offload_dot_with_no_batch_dims(offload_src: str, offload_dst: str) -> Callable[..., Any]:
    """Return a policy: keep what `dots_with_no_batch_dims_saveable` keeps; there is one memory."""

    def policy(prim: Any, *_: object, **params: Any) -> Any:
        return Offloadable(offload_src, offload_dst) if dots_with_no_batch_dims_saveable(prim, **params) else Recompute

    return policy


def save_anything_except_these_names(*names_not_to_save: str) -> Callable[..., Any]:
    """Return a policy: keep all results; JAX's keeps those with the names too."""
    return everything_saveable


def save_any_names_but_these(*names_not_to_save: str) -> Callable[..., Any]:
    """Return a policy: keep what has a name, which is none of these."""
    return lambda prim, *_, **params: prim.name == "name" and params["name"] not in names_not_to_save


def save_only_these_names(*names_which_can_be_saved: str) -> Callable[..., Any]:
    """Return a policy: keep what has one of the names."""
    return lambda prim, *_, **params: prim.name == "name" and params["name"] in names_which_can_be_saved


def save_and_offload_only_these_names(
    *, names_which_can_be_saved: Sequence[str], names_which_can_be_offloaded: Sequence[str], offload_src: str, offload_dst: str
) -> Callable[..., Any]:
    """Return a policy: keep what has one of the names; there is one memory."""
    if both := {*names_which_can_be_saved} & {*names_which_can_be_offloaded}:
        raise ValueError(f"save_and_offload_only_these_names: names are to be saved or offloaded, got {sorted(both)} in both")

    def policy(prim: Any, *_: object, **params: Any) -> Any:
        found = params["name"] if prim.name == "name" else None
        if found in names_which_can_be_saved:
            return Saveable
        return Offloadable(offload_src, offload_dst) if found in names_which_can_be_offloaded else Recompute

    return policy


def save_from_both_policies(policy_1: Callable[..., Any], policy_2: Callable[..., Any]) -> Callable[..., Any]:
    """Return a policy: keep what either policy keeps."""

    def policy(prim: Any, *args: Any, **params: Any) -> bool:
        verdicts = policy_1(prim, *args, **params), policy_2(prim, *args, **params)
        if not all(isinstance(one, bool) for one in verdicts):
            raise ValueError(f"save_from_both_policies: the policies return bools, got {verdicts[0]} and {verdicts[1]}")
        return any(verdicts)

    return policy


_POLICIES: Final[list[Callable[..., Any]]] = [
    everything_saveable, nothing_saveable, dots_saveable, dots_with_no_batch_dims_saveable, offload_dot_with_no_batch_dims,
    save_anything_except_these_names, save_any_names_but_these, save_only_these_names, save_from_both_policies,
    save_and_offload_only_these_names,
]  # fmt: skip
checkpoint_policies: Final = SimpleNamespace(
    **{policy.__name__: policy for policy in _POLICIES},
    checkpoint_dots=dots_saveable,
    checkpoint_dots_with_no_batch_dims=dots_with_no_batch_dims_saveable,
)


# -- what is kept -------------------------------------------------------------------------------------------------------------

#: Products of two arrays that are no products of matrices; and those that JAX computes as convolutions.
_NO_CONTRACTIONS: Final = ("outer", "kron", "cross")
_CONVOLUTIONS: Final = ("conv_general_dilated", "convolve", "correlate")


@cache
def _names() -> dict[str, str]:
    """Return the names of JAX's operations, by those of the functions that compute them."""
    elementwise = {facts_of(function).same or name: name for name, function in FUNCTIONS.items()}
    return {ours: name for name, ours in PROMOTING.items()} | elementwise


def operation_of(function: Any, args: Any, kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return the operation of JAX that a call is, and its parameters, as policies expect them.

    The `dimension_numbers` of products have the axes of stacks, and not those that are contracted.
    """
    label, facts = function.name.rpartition(".")[2], facts_of(function)
    given = function.bound(args, kwargs)
    params = {key: x for key, x in given.items() if key not in operands_of(function)}
    linear = facts.linear.split()
    if len(linear) == 2 and not facts.slope and label not in _NO_CONTRACTIONS:
        if label in _CONVOLUTIONS:
            return primitive("conv_general_dilated_p"), params
        stack = range(_stacks(label, [np.ndim(given[key]) for key in linear]))
    elif label == "einsum":
        text, xs = spelled(*args)
        terms, result = parsed(text, tuple(map(np.shape, xs)))
        stack = range(len({*result}.intersection(*terms)))
    else:
        return primitive(f"{_names().get(function.name, label)}_p"), params
    return primitive("dot_general_p"), {"dimension_numbers": (((), ()), (tuple(stack),) * 2)} | params


def _stacks(label: str, ranks: list[int]) -> int:
    """Return over how many axes both operands of a product are stacks, by the signature of NumPy's function."""
    signature = getattr(getattr(np, label, None), "signature", None) or ""
    cores = [part.count(",") + 1 for part in signature.partition("->")[0].strip("()").split("),(")] if signature else ranks
    return max(0, min([rank - core for rank, core in zip(ranks, cores, strict=True)]))


def _arrays_in(tree: Any) -> frozenset[int]:
    return frozenset([id(x) for x in _tree.flatten(tree)[0] if isinstance(x, Array)])


class Memory:
    """The results of a function's calls that a policy keeps.

    The function is called first with operands of a level that notes its calls, and again with those of a tape. All results of
    calls with such operands are operands too, also where they do not move, so that both runs have the same calls in order.
    """

    def __init__(self, policy: Callable[..., Any] | None, kept: dict[int, Any]) -> None:
        self.policy = policy
        self.kept = kept
        self.count = 0
        self.inside = False

    def __call__(self, rule: Any) -> Any:
        """Return what takes the place of a rule; functions that guests look through are seen by their parts."""
        if rule in (composed, composed_in_lax):
            return rule
        return self._again(rule) if self.policy is None else partial(self._noted, rule is constant)

    def _noted(self, still: bool, level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a function, and keep the result if the policy says so."""
        given, words = stripped(level, args), stripped(level, kwargs)
        if self.inside:
            return function(*given, **words)
        number = self.count
        self.count += 1
        with self._within():
            leaves, structure = _tree.flatten(function(*given, **words))
        values = [stripped(level, x) for x in leaves]
        if self._keeps(function, given, words):
            self.kept[number] = structure.unflatten(values)
            for x in duals(level, args):  # the value that gets a name is kept where it was made
                if function.name == _named.name and type(x.tangent) is tuple and x.tangent[1] == id(x.primal):
                    self.kept[x.tangent[0]] = x.primal
        mark = Still() if still or all(type(x.tangent) is Still for x in duals(level, (args, kwargs))) else None
        return structure.unflatten([Dual(level, y, mark or (number, id(y))) if differentiable(y) else y for y in values])

    def _keeps(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        if hasattr(function, "custom"):  # its rules compute the result
            return False
        operation, params = operation_of(function, args, kwargs)
        avals = [typeof(x) for x in _tree.flatten((args, kwargs))[0] if isinstance(x, Array)]
        verdict = self.policy(operation, *avals, **params)  # type: ignore[misc]  # in the first run
        return verdict is not Recompute and bool(verdict)

    def _again(self, rule: Any) -> Any:
        """Return a rule that finds the result, if it was kept."""

        def call(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            if self.inside:
                return rule(level, function, args, kwargs)
            number = self.count
            self.count += 1
            still = {id(x): x.primal for x in duals(level, (args, kwargs)) if type(x.tangent) is Still}
            args, kwargs = (replaced(x, still, lambda y: y) for x in (args, kwargs))
            if number in self.kept:
                function = Instead(function, self._known(number, function, (stripped(level, args), stripped(level, kwargs))))
            with self._within():
                found = rule(level, function, args, kwargs) if duals(level, (args, kwargs)) else function(*args, **kwargs)
            leaves, structure = _tree.flatten(found)
            return structure.unflatten(
                [Dual(level, y, Still()) if differentiable(y) and not level.holds(y) else y for y in leaves]
            )

        return call

    def _known(self, number: int, function: Any, arguments: Any) -> Callable[..., Any]:
        """Return a function of which one result is known: it is not computed again for the same arrays."""
        arrays, result = _arrays_in(arguments), self.kept[number]
        return lambda *args, **kwargs: result if _arrays_in((args, kwargs)) == arrays else function(*args, **kwargs)

    @contextmanager
    def _within(self) -> Iterator[None]:
        self.inside = True
        try:
            yield
        finally:
            self.inside = False


def recomputed(level: Level, function: Any, leaves: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function of which the tape holds the operands, and what a policy keeps: for the cotangents it is called again."""
    if level.tape is None:
        return function.definition(*leaves)
    if isinstance(level.memory, Copies):
        level.memory.called_again(function.name, function.custom.fun)
    policy = function.custom.policy
    kept: dict[int, Any] = {}
    first = None if policy is None else Level(taped=True, memory=Memory(policy, kept), place=level)

    def value(x: Dual) -> Any:
        return x.primal if first is None else Dual(first, x.primal, None)

    def with_duals(change: Callable[[Any], Any]) -> list[Any]:
        return [in_batches(change, x) for x in leaves]

    captured = Captured(level)
    with captured.found(value), swapping({"checkpoint": policy}):
        found = mapped(captured.leaf, function.definition(*with_duals(lambda x: value(x) if level.holds(x) else x)))
    ys, structure = _tree.flatten(found if first is None else value_of(first, found))
    ys = [as_leaf(y) for y in ys]
    if (inside := level_of(ys)) is not None and inside.number > level.number:  # of operands in the closure
        return recomputed(inside, function, leaves, kwargs)
    given = duals(level, [innermost(x) for x in leaves])
    operands = given + captured.operands

    def pull(cotangents: list[Any]) -> list[Any]:
        trace = tracing()
        first = len(trace.recorder.eqns) if trace and trace.recorder else 0
        inner = Level(taped=True, memory=None if policy is None else Memory(None, kept), place=level)
        starts = [start_of(x.primal) for x in operands]
        again = [Dual(inner, x.primal, start) for x, start in zip(operands, starts, strict=True)]
        values = {id(x): one for x, one in zip(given, again, strict=False)}
        with captured.replaced_by(again[len(given) :]), inner:
            out = mapped(captured.leaf, function.definition(*with_duals(lambda x: values.get(id(x), x))))
        results = [as_leaf(y) for y in _tree.flatten(out)[0]]
        inner.backward(results, cotangents)
        if trace and trace.recorder and policy is None:
            trace.recorder.again += trace.recorder.eqns[first:]
        return taken(starts)

    return structure.unflatten(level.joint(ys, operands, pull))


class _Recomputed(Custom):
    """A function of which a tape holds the operands, and what a policy keeps."""

    derived = staticmethod(recomputed)
    policy: Callable[..., Any] | None = None

    def again(self, fun: Callable[..., Any]) -> Any:
        """Return another function with the policy."""
        found = _Recomputed(fun)
        found.policy, found.name = self.policy, self.name
        return found

    @staticmethod
    def batched(axis: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the function within the `vmap` that runs, of which its closure may have operands too."""
        del axis
        level = level_of(args)
        return function.definition(*args) if level is None else recomputed(level, function, args, kwargs)


def checkpoint(
    fun: Callable[..., Any] | None = None, /, *, policy: Callable[..., Any] | None = None, **_options: object
) -> Any:
    """Return the function; a derivative backward keeps its operands alone, and calls it again.

    Parameters
    ----------
    fun : callable, optional
        The function; without it, a decorator is returned.
    policy : callable, optional
        One of `checkpoint_policies`, or a function of an operation, the shapes and dtypes of its operands, and its parameters
        by name: it returns whether the result is kept too, and not computed again. Functions of the program that have rules of
        their own are computed again.
    **_options : optional
        Static arguments and hints for compilers, which are ignored.

    Returns
    -------
    callable
        The function.

    Examples
    --------
    >>> from supremum import jax
    >>> program = jax.checkpoint(jax.numpy.matmul, policy=jax.checkpoint_policies.dots_saveable)
    >>> jax.grad(lambda x: program(x, x).sum())(jax.numpy.ones(3))
    Array([2., 2., 2.], dtype=float32)
    """
    if fun is None:
        return partial(checkpoint, policy=policy)
    custom = _Recomputed(fun)
    custom.policy = None if policy is nothing_saveable else policy

    @wraps(fun)
    def call(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = mapped(lambda x: as_leaf(x) if type(x) is float or type(x) is complex else x, (args, kwargs))
        return (fun if policy is everything_saveable else custom)(*args, **kwargs)

    return call


remat = checkpoint


class _Origins:
    """A watcher that notes for each array by which function it was made, and in which line of the user's."""

    def __init__(self) -> None:
        self.texts: dict[int, str] = {}
        self._made: list[Any] = []  # so that identities stay theirs

    def __call__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], /) -> Any:
        found = function(*args, **kwargs)
        label = f"named {kwargs['name']!r}" if function.name == "ad_checkpoint.name" else f"output of {function.name}"
        for x in _tree.flatten(found)[0]:
            if type(x) is Array:
                self.texts[id(x)] = f"{label} from {_line()}"
                self._made.append(x)
        return found


def _line() -> str:
    frame, own = sys._getframe(2), ("supremum", "contextlib")
    while frame.f_back is not None and frame.f_globals.get("__name__", "supremum").partition(".")[0] in own:
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno} ({frame.f_code.co_name})"


def _names_of(f: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> list[str]:
    """Return the name of each leaf of the arguments: that of the parameter, and the path."""
    names = [p.name for p in parameters_of(f) or () if p.kind is not p.VAR_KEYWORD]
    names += [f"args[{i}]" for i in range(len(names), len(args))]
    trees = [*zip(names, args, strict=False), *kwargs.items()]
    return [name + "".join(map(str, path)) for name, tree in trees for path, _ in _tree.flatten_with_path(tree)[0]]


def print_saved_residuals(f: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Print which arrays the tape of the derivative of a function backward holds, a line for each.

    Parameters
    ----------
    f : callable
        The function; it takes and returns trees of arrays.
    *args, **kwargs
        Its arguments.

    Examples
    --------
    >>> from supremum import jax
    >>> program = jax.checkpoint(lambda x: jax.numpy.sin(x).sum())
    >>> jax.ad_checkpoint.print_saved_residuals(program, jax.numpy.ones(3))
    f32[3] from the argument x
    """
    leaves, structure = _tree.flatten((args, kwargs))
    xs = [as_leaf(x) for x in leaves]
    origins = _Origins()

    def called(*given: Any) -> Any:
        words = structure.unflatten(given)
        return f(*words[0], **words[1])

    flat = _tree.flatten(tuple(xs))[1]
    with config.use(watcher=origins):
        taped = Taped(called, xs, flat, False, "fc")
    names = {id(x): f"from the argument {name}" for x, name in zip(xs, _names_of(f, args, kwargs), strict=True)}
    results = {id(x) for x in taped.values}
    for x in arrays_of(taped.level.tape or []):
        if id(x) not in results:
            text = names.get(id(x)) or origins.texts.get(id(x), "from a constant")
            sys.stdout.write(f"{short_type(x.aval)} {text}\n")
