"""Choices of `lax`: one of several functions is called, or recorded programs of all of them are one equation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.exceptions import describe
from supremum.jax import _tree
from supremum.jax._batching import described, is_batch, truth, with_node
from supremum.jax._casting import as_operand, convert_element_type
from supremum.jax._dual import guarded
from supremum.jax._loops import PLAIN, run_once, runs_programs
from supremum.jax._programs import eval_jaxpr, program_of, recording
from supremum.jax._refs import check_no_refs, closed_over, plain
from supremum.jax._structured import Choice, is_recordable
from supremum.jax._traces import of_program, through_checks, tracing
from supremum.jax._values import as_leaves, is_ref

_MISSING: Final = object()
_CONTAINERS: Final = (str, list, tuple, dict)


def as_arrays(tree: Any) -> Any:
    if type(tree) is Array:
        return tree
    leaves, structure = as_leaves(tree)
    check_no_refs(leaves, "function traced for cond")
    return structure.unflatten(leaves)


def _operands(operands: tuple[Any, ...], operand: Any) -> tuple[Any, ...]:
    if operands and operand is not _MISSING:
        raise TypeError("if 'operand' keyword is passed then no positional operands can be passed, got operands")
    return operands if operand is _MISSING else (operand,)


@through_checks
def cond(pred: Any, true_fun: Any, false_fun: Any, *operands: Any, operand: Any = _MISSING) -> Any:
    """Call one of two functions, chosen by a condition; the other is not called."""
    operands = _operands(operands, operand)
    if not callable(true_fun) and callable(false_fun) and len(operands) == 2 and callable(operands[1]):
        # The old form: cond(pred, true_operand, true_fun, false_operand, false_fun).
        return cond(pred, lambda x, _: false_fun(x), lambda _, y: operands[1](y), true_fun, operands[0])
    if not (callable(true_fun) and callable(false_fun)):
        raise TypeError("lax.cond: true_fun and false_fun arguments should be callable.")
    if pred is None or isinstance(pred, _CONTAINERS):
        raise TypeError(f"Pred must be a scalar, got {describe(pred)} of type {type(pred)}")
    chosen = as_operand(pred, "cond")
    if chosen.ndim:
        raise TypeError(f"Pred must be a scalar, got {describe(pred)} of shape {chosen.shape}.")
    kind = chosen._node.kind
    if kind not in "biuf":
        raise TypeError(f"Pred type must be either boolean or number, got {chosen.dtype}.")
    return _choose(chosen if kind == "b" else xp.not_equal(chosen, 0), (false_fun, true_fun), operands, "cond")


def _choose(choice: Any, branches: Sequence[Callable[..., Any]], operands: tuple[Any, ...], name: str) -> Any:
    """Call the branch that a condition or an integer chooses; where it is not known which, compute all of them."""
    if not PLAIN.issuperset(map(type, operands)) and any(map(is_ref, _tree.flatten(operands)[0])):
        return _choose(choice, [closed_over(branch, operands) for branch in branches], tuple(plain(operands)), name)
    if (tracing() or is_batch(choice)) and len(branches) > 1:
        found = _recorded_switch(choice, branches, operands, name)
        holds = choice >= 1 if name == "switch" and len(branches) == 2 else choice
        return _selected(holds, branches, operands, name) if found is None else found[0]
    number = truth(choice) if name == "cond" else 0 if len(branches) == 1 else min(max(int(choice), 0), len(branches) - 1)
    return as_arrays(branches[number](*[as_arrays(x) for x in operands]))


def _same_types(columns: list[tuple[list[Array], Any]], name: str) -> None:
    """Raise TypeError if branches return trees of different structures, shapes or dtypes."""
    if any(other != columns[0][1] for _, other in columns):
        got = ", ".join(str(s) for _, s in columns)
        raise of_program(TypeError(f"{name} branches must have equal output structures, got {got}"))
    for parts in zip(*[leaves for leaves, _ in columns], strict=True):
        if len({(x._node.strong, x.shape) for x in parts}) > 1:
            got = ", ".join([described(x) for x in parts])
            raise of_program(TypeError(f"{name} branches must have equal output types, got {got}"))


def _is_taken(choice: Any, number: int, count: int) -> Any:
    """Return where a branch is chosen by a condition, or by an integer beyond the ends too."""
    if count == 2:
        return choice if number else xp.logical_not(choice)
    return choice <= 0 if number == 0 else choice >= number if number == count - 1 else choice == number


def _selected(choice: Any, branches: Sequence[Callable[..., Any]], operands: Any, name: str) -> Any:
    """Choose from the results of all branches, of which each position takes one."""
    given = [as_arrays(x) for x in operands]
    columns = []
    for number, branch in enumerate(branches):
        with guarded(partial(_is_taken, choice, number, len(branches))):
            columns.append(as_leaves(branch(*given)))
    _same_types(columns, name)
    chosen = []
    for parts in zip(*[leaves for leaves, _ in columns], strict=True):
        found = parts[0]
        for number, x in enumerate(parts[1:], 1):
            if x is not found:
                found = xp.where(choice if len(parts) == 2 else choice >= number, x, found)
        chosen.append(found)
    return columns[0][1].unflatten(chosen)


def _recorded_switch(choice: Any, functions: Sequence[Callable[..., Any]], operands: Any, name: str) -> tuple[Any] | None:
    """Record a choice as one equation with the programs of all branches; None where that is not possible."""
    given, structure = as_leaves(list(operands))
    if not is_recordable(choice, *given):
        return None
    columns: list[Any] = [None] * len(functions)
    nodes: list[Any] = []

    def record(number: int, branch: Callable[..., Any]) -> Any:
        def results(_: Any, values: list[Any]) -> list[Any]:
            columns[number] = as_leaves(branch(*structure.unflatten(values)))
            leaves: list[Any] = columns[number][0]
            return [with_node(x, node) for x, node in zip(leaves, nodes, strict=True)] if nodes else leaves

        return program_of(results, given, refs)

    refs: list[Any] = []
    found = [record(i, branch) for i, branch in enumerate(functions)]
    if any(one is None for one in found):
        return None
    refs = list({id(ref): ref for one in found for ref in one.refs}.values())
    held = [ref.held for ref in refs]
    if refs and recording(choice, *held, *given, *[x for one in found for x in one.consts]) is None:
        return None
    _same_types(columns, name)
    parts = list(zip(*[leaves for leaves, _ in columns], strict=True))
    nodes = [x[0]._node for x in parts]  # as in JAX, of the first branch
    if any(y._node is not node for x, node in zip(parts, nodes, strict=True) for y in x) or any(
        one.refs != refs for one in found
    ):
        found = [record(i, branch) for i, branch in enumerate(functions)]
    consts = [x for one in found for x in one.consts]
    index = xp.clip(choice, 0, len(functions) - 1) if name == "switch" else choice
    branches = tuple([one.jaxpr.taking(consts, one.consts) for one in found])
    out = COND.bound([convert_element_type(index, np.int32), *consts, *held, *given], {"branches": branches})
    if out is NotImplemented:
        return None
    for ref, x in zip(refs, out, strict=False):
        ref.store(x)
    return (columns[0][1].unflatten(out[len(refs) :]),)


def _run_switch(index: Any, *operands: Any, branches: tuple[Any, ...]) -> list[Any]:
    """Run the program that a recorded choice takes."""
    if runs_programs(index, *operands):
        chosen = branches[int(index)]
        found: Any = run_once(chosen, operands)
        return list(eval_jaxpr(chosen.jaxpr, [], *operands) if found is NotImplemented else found)
    return switch(index, [partial(eval_jaxpr, branch.jaxpr, []) for branch in branches], *operands)


COND: Final = Choice("cond", _run_switch)


@through_checks
def switch(index: Any, branches: Sequence[Callable[..., Any]], *operands: Any, operand: Any = _MISSING) -> Any:
    """Call one of several functions, chosen by an integer, which is clamped to their number."""
    operands = _operands(operands, operand)
    if not all(callable(branch) for branch in branches):
        raise TypeError("lax.switch: branches argument should be a sequence of callables.")
    choice = as_operand(index, "switch")
    if choice.ndim:
        raise TypeError(f"Branch index must be scalar, got {describe(index)} of shape {choice.shape}.")
    if choice._node.kind not in "iu":
        raise TypeError(f"Index type must be an integer, got {describe(index)} as {choice.dtype}")
    if not branches:
        raise ValueError("Empty branch sequence")
    return _choose(choice, branches, operands, "switch")


def platform_dependent(*args: Any, default: Callable[..., Any] | None = None, **per_platform: Callable[..., Any]) -> Any:
    """Call the function that is given for the CPU."""
    chosen = per_platform.get("cpu", default)
    if chosen is None:
        raise NotImplementedError("platform_dependent: there is no function for the platform cpu, and no default")
    return chosen(*args)
