"""Functions that are recorded, lowered and compiled before they are called: ``jit(f).trace``, ``lower`` and ``compile``.

Nothing is compiled: what is lowered is the recorded program, and what is compiled is the program that the engine runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from supremum._array.sharding import Sharding
from supremum._base.facts import facts_of
from supremum._base.functions import takes_over
from supremum.jax import _tree
from supremum.jax._batching import with_node
from supremum.jax._loops import run_once, runs_programs
from supremum.jax._programs import ClosedJaxpr, Jaxpr, Literal, Opaque, eval_jaxpr
from supremum.jax._traces import of_program
from supremum.jax._values import as_leaf, is_ref


@dataclass(frozen=True)
class ArgInfo:
    """What is known of an argument."""

    _aval: Any
    donated: bool

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return tuple(self._aval.shape)

    @property
    def dtype(self) -> Any:
        """The dtype."""
        return self._aval.dtype


class _Wrapped(type):
    def __instancecheck__(cls, x: object) -> bool:
        return callable(x) and hasattr(x, "lower") and hasattr(x, "trace")


class Wrapped(metaclass=_Wrapped):
    """The class of jitted functions, for `isinstance`."""


class _Stage:
    """A function that was recorded for shapes and dtypes of arguments.

    Attributes
    ----------
    args_info : tree
        An `ArgInfo` for each leaf of the arguments that are not static: a tuple, and a dictionary of those by name.
    in_avals : tree
        Their shapes and dtypes.
    in_tree, out_tree : PyTreeDef
        The structures of the arguments and of the result.
    out_info : tree
        The shapes and dtypes of the result.
    donate_argnums : tuple of int
        Which leaves of the arguments are donated; none is written to.
    fun_name : str
        The name of the function.
    """

    def __init__(self, stage: Any) -> None:
        self._call, self._jaxpr, self.args_info, self.out_info, self.fun_name = (
            stage._call, stage._jaxpr, stage.args_info, stage.out_info, stage.fun_name
        )  # fmt: skip

    @property
    def in_tree(self) -> _tree.PyTreeDef:
        """The structure of the arguments."""
        return _tree.flatten(self.args_info)[1]

    @property
    def out_tree(self) -> _tree.PyTreeDef:
        """The structure of the result."""
        return _tree.flatten(self.out_info)[1]

    @property
    def in_avals(self) -> Any:
        """The shapes and dtypes of the arguments."""
        infos, structure = _tree.flatten(self.args_info)
        return structure.unflatten([info._aval for info in infos])

    @property
    def donate_argnums(self) -> tuple[int, ...]:
        """Which leaves of the arguments are donated."""
        infos = _tree.flatten(self.args_info)[0]
        return tuple([i for i, info in enumerate(infos) if info.donated])

    def cost_analysis(self) -> dict[str, float]:
        """Return how many operations and bytes of memory the functions of the program need, by a count of their elements."""
        return _cost(self._jaxpr.jaxpr)

    def as_text(self, dialect: str | None = None, **_options: object) -> str:
        """Return the program in JAX's notation, whatever the dialect."""
        return f"module @jit_{self.fun_name}\n{self._jaxpr}"


class Traced(_Stage):
    """What ``jit(f).trace`` returns: the program of a function."""

    def __init__(self, call: Callable[..., Any], name: str, record: Any, args: Any, donated: Any) -> None:
        jaxpr, out = record(*args[0], **args[1])
        self._call, self._jaxpr, self.out_info, self.fun_name = call, jaxpr, out, name
        avals = iter(zip(jaxpr.in_avals, _donated(args, donated), strict=True))
        leaves, structure = _tree.flatten(args)
        self.args_info = structure.unflatten([ArgInfo(*next(avals)) for _ in leaves])

    @property
    def jaxpr(self) -> ClosedJaxpr:
        """The program."""
        return self._jaxpr

    def lower(self, **_options: object) -> Lowered:
        """Return the program, as JAX does in the language of its compiler."""
        return Lowered(self)


def _donated(args: Any, donated: tuple[set[int], set[str]]) -> list[bool]:
    """Return for each leaf of arguments whether it is donated."""
    numbers, names = donated
    given, words = args
    flags = [(i in numbers, x) for i, x in enumerate(given)] + [(name in names, x) for name, x in sorted(words.items())]
    return [flag for flag, x in flags for _ in _tree.flatten(x)[0]]


class Lowered(_Stage):
    """What ``jit(f).lower`` returns: a program that can be compiled."""

    def compile(self, compiler_options: Any = None, **_options: object) -> Compiled:
        """Return the program as a function of arrays."""
        for eqn in self._jaxpr.eqns:
            if isinstance(eqn.function, Opaque):
                eqn.function.check()
        return Compiled(self)

    def compiler_ir(self, dialect: str | None = None) -> Any:
        """Return the program."""
        return self._jaxpr


class Compiled(_Stage):
    """What ``jit(f).lower(...).compile()`` returns: a function of arguments like those that were recorded."""

    def __init__(self, lowered: Lowered) -> None:
        super().__init__(lowered)
        inner = self._jaxpr.jaxpr
        self._program = ClosedJaxpr(Jaxpr([], [*inner.constvars, *inner.invars], inner.outvars, inner.eqns), [])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the program."""
        leaves, structure = _tree.flatten((args, kwargs))
        if structure != self.in_tree:
            raise TypeError(
                "Function compiled with input pytree does not match the input pytree it was called with: "
                f"{self.fun_name} takes {self.in_tree}, got {structure}"
            )
        for x in leaves:
            if takes_over(x):
                raise of_program(
                    TypeError(
                        "Cannot apply JAX transformations to a function lowered and compiled for a particular signature. "
                        f"Detected argument of Tracer type {type(x)}"
                    )
                )
        operands = [self._fitted(x, v) for x, v in zip(leaves, self._jaxpr.jaxpr.invars, strict=True)]
        if self._jaxpr.effects:  # references, which the jitted function reads and writes to
            return self._call(*args, **kwargs)
        given = [*self._jaxpr.consts, *operands]
        out: Any = run_once(self._program, given) if runs_programs(*given) else NotImplemented
        return self.out_tree.unflatten(eval_jaxpr(self._program.jaxpr, [], *given) if out is NotImplemented else out)

    def _fitted(self, x: Any, variable: Any) -> Any:
        """Return an argument as an array like the one that was recorded."""
        found: Any = as_leaf(x)
        held = found.held if is_ref(found) else found
        if held.shape != variable.aval.shape or held._node.strong is not variable.node.strong:
            raise TypeError(
                "Argument types differ from the types for which this computation was compiled: "
                f"{self.fun_name} takes {variable.aval.str_short()}, got {held.dtype}{list(held.shape)}"
            )
        return held if is_ref(found) else with_node(held, variable.node)

    input_shardings: Any = property(
        lambda self: self.in_tree.unflatten([Sharding()] * self.in_tree.num_leaves),
        doc="The distributions of the arguments: a tuple, and a dictionary of those by name.",
    )
    output_shardings: Any = property(
        lambda self: self.out_tree.unflatten([Sharding()] * self.out_tree.num_leaves), doc="The distributions of the results."
    )

    def memory_analysis(self) -> Any:
        """Return how many bytes arguments, results and what is between them need, by the lives of arrays in the program."""
        inner = self._program.jaxpr
        return SimpleNamespace(
            argument_size_in_bytes=_bytes(self._jaxpr.jaxpr.invars), output_size_in_bytes=_bytes(inner.outvars),
            temp_size_in_bytes=_between(inner), alias_size_in_bytes=0, generated_code_size_in_bytes=0,
        )  # fmt: skip

    def runtime_executable(self) -> Any:
        """Return the program that the engine runs."""
        return self._program


# -- what a program needs -----------------------------------------------------------------------------------------------------


def _bytes(atoms: Sequence[Any]) -> int:
    return sum([math.prod(x.aval.shape) * getattr(x.aval.dtype, "itemsize", 8) for x in atoms])


def _between(jaxpr: Jaxpr) -> int:
    """Return the most bytes of values between arguments and results that are needed at once."""
    kept = {id(x) for x in (*jaxpr.invars, *jaxpr.outvars)}
    last = {id(x): i for i, eqn in enumerate(jaxpr.eqns) for x in eqn.invars if type(x) is not Literal}
    alive: dict[int, int] = {}
    most = 0
    for i, eqn in enumerate(jaxpr.eqns):
        alive.update({id(v): _bytes([v]) for v in eqn.outvars if id(v) not in kept})
        most = max(most, sum(alive.values()))
        alive = {key: size for key, size in alive.items() if last.get(key, -1) > i}
    return most


def _cost(jaxpr: Jaxpr) -> dict[str, float]:
    flops = moved = 0.0
    for eqn in jaxpr.eqns:
        inner = [x for value in eqn.params.values() for x in (value if type(value) is tuple else (value,))]
        parts = [_cost(x.jaxpr) for x in inner if type(x) is ClosedJaxpr]
        times = eqn.params.get("length", 1)
        flops += times * sum([part["flops"] for part in parts]) if parts else _flops(eqn)
        moved += times * sum([part["bytes accessed"] for part in parts]) if parts else _bytes([*eqn.invars, *eqn.outvars])
    return {"flops": flops, "bytes accessed": moved}


def _flops(eqn: Any) -> float:
    """Return how many operations a function needs: of a product two for each pair of elements, else one for each element."""
    facts = facts_of(eqn.function)
    sizes = [math.prod(x.aval.shape) for x in eqn.invars]
    out = sum([math.prod(v.aval.shape) for v in eqn.outvars])
    if facts.moving or facts.constant:
        return 0
    if facts.sums and len(facts.linear.split()) == 2 and len(sizes) == 2:
        ranks = [len(x.aval.shape) for x in (*eqn.invars, *eqn.outvars)]
        stack = math.prod(eqn.outvars[0].aval.shape[: max(0, min(ranks) - 2)])
        return 2 * math.sqrt(sizes[0] * sizes[1] * out / max(stack, 1))
    return float(max([out, *sizes]))
