"""Recorded programs: `make_jaxpr` calls a function with abstract operands, and keeps the calls of public functions in order.

The primitives of a program are the functions of this package. A composed function is one equation: it is what the program
called, and it may have a faster definition than its parts. One that gets callables is recorded by its parts, as those may
refer to operands.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cache, partial
from itertools import compress
from typing import Any, Final, NamedTuple

import numpy as np

import supremum as xp
from supremum import Array, config
from supremum._array.sharding import ShapedArray
from supremum._base.exceptions import TypePromotionError
from supremum._base.facts import operands_of
from supremum._base.functions import takes_over
from supremum._base.python_operators import ARITHMETIC, COMPARING
from supremum._core.guests import new_level
from supremum._core.setting_rows import DEFAULTS
from supremum._core.settings import state
from supremum.jax import _tree
from supremum.jax._abstract import Abstract, Slot, filled, has_slot, lifted, staged, unknown_of
from supremum.jax._batch_rules import defaults_of
from supremum.jax._batching import MappedAxis, active, axes_key, each, within
from supremum.jax._dual import NOTHING, swapping
from supremum.jax._operations import Bindable, Operation
from supremum.jax._refs import RefEffect
from supremum.jax._traces import Trace, traced, tracing
from supremum.jax._values import ShapeDtypeStruct, as_leaf, as_leaves, is_float0, is_ref, items_of, wraps, zeros_of
from supremum.jax.errors import JAXTypeError
from supremum.promotion._nodes import PYTHON_SCALARS, Node

#: The longest program that is printed in one line.
_WIDTH: Final = 80
#: Functions that compute with two operands of one dtype; `pow` computes otherwise with an exponent that is an integer.
_PROMOTING: Final = {*[function for _, function in (ARITHMETIC | COMPARING).values()], "divmod", "maximum", "minimum"} - {
    "pow"
}
_SHORT: Final = (("float0", "float0"), ("bfloat", "bf"), ("float", "f"), ("uint", "u"), ("int", "i"), ("complex", "c"))


class Var:
    """A variable of a program.

    Attributes
    ----------
    aval : ShapedArray
        Its shape and dtype.
    node : Node
        The dtype and whether it is weak.
    """

    __slots__ = ("aval", "node")

    def __init__(self, aval: ShapedArray, node: Node) -> None:
        self.aval = aval
        self.node = node

    def __repr__(self) -> str:
        return f"Var(id={id(self)}):{short_type(self.aval)}"


class Literal:
    """A number in a program.

    Attributes
    ----------
    val : Array or number
        The number.
    aval : ShapedArray
        Its shape and dtype.
    """

    __slots__ = ("aval", "val")

    def __init__(self, val: Any, aval: ShapedArray) -> None:
        self.val = val
        self.aval = aval

    def __repr__(self) -> str:
        return f"Literal({self.val})"


class JaxprEqn:
    """A call in a program.

    Attributes
    ----------
    function : PublicFunction
        The function.
    invars, outvars : list
        The operands, variables and literals, and the variables of the results.
    call : tuple
        The arguments by position and by name, with a `Slot` where an operand goes.
    """

    __slots__ = ("call", "function", "invars", "outvars")

    def __init__(self, function: Any, invars: list[Any], outvars: list[Var], call: tuple[Any, dict[str, Any]]) -> None:
        self.function = function
        self.invars = invars
        self.outvars = outvars
        self.call = call

    def __repr__(self) -> str:
        return self.text({}, {*self.outvars})

    @property
    def primitive(self) -> Any:
        """What it calls, in the form of JAX's primitives."""
        return self.function if hasattr(self.function, "multiple_results") else Operation(self)

    @property
    def params(self) -> dict[str, Any]:
        """The arguments that are no operands, and not their defaults, by name."""
        if isinstance(self.function, Opaque):
            return self.call[1]
        defaults = defaults_of(self.function)
        return {
            name: x
            for name, x in self.function.bound(*self.call).items()
            if not has_slot(x) and x is not defaults.get(name, inspect.Parameter.empty)
        }

    def bind(self, values: Sequence[Any]) -> list[Any]:
        """Call the function with values for the operands, and return the arrays that it returns."""
        found: list[Any] = []
        _visit(self.function(*filled(self.call[0], values), **filled(self.call[1], values)), found.append)
        return found

    def text(self, names: dict[Any, str], used: set[Any]) -> str:
        """Return the equation in JAX's notation."""
        results = " ".join([f"{_named(v, names) if v in used else '_'}:{short_type(v.aval)}" for v in self.outvars])
        params = [f"{name}={_parameter(x, names)}" for name, x in sorted(self.params.items())]
        text = f"[{' '.join(params)}]" if params else ""
        if any(map(_programs_of, self.params.values())):
            text = "[" + "".join(["\n  " + one.replace("\n", "\n  ") for one in params]) + "\n]"
        head = f"{results} = " if self.outvars else ""
        return f"{head}{self.function.name}{text} {' '.join([_atom(x, names) for x in self.invars])}"


class Jaxpr:
    """A program: a function of arrays as equations.

    Attributes
    ----------
    constvars, invars : list of Var
        The variables of constants, and of arguments.
    eqns : list of JaxprEqn
        The calls in order.
    outvars : list of Var or Literal
        The results.
    effects : set
        The references that it reads or writes to.
    """

    __slots__ = ("constvars", "effects", "eqns", "invars", "outvars")

    def __init__(self, constvars: list[Var], invars: list[Var], outvars: list[Any], eqns: list[JaxprEqn]) -> None:
        self.constvars = constvars
        self.invars = invars
        self.outvars = outvars
        self.eqns = eqns
        self.effects: set[Any] = set()

    def __repr__(self) -> str:
        return self.text({})

    def trimmed(self, wanted: Sequence[bool]) -> tuple[Jaxpr, list[bool]]:
        """Return the program of the wanted results, and which arguments it uses."""
        outvars = list(compress(self.outvars, wanted))
        used = {*outvars}
        eqns = live(self.eqns, used)
        return Jaxpr(self.constvars, self.invars, outvars, eqns), [v in used for v in self.invars]

    def reached(self, flags: Sequence[bool]) -> list[bool]:
        """Return which results depend on some of the arguments."""
        moving = {*compress(self.invars, flags)}
        for eqn in self.eqns:
            if not moving.isdisjoint(eqn.invars):
                moving.update(eqn.outvars)
        return [x in moving for x in self.outvars]

    def text(self, names: dict[Any, str]) -> str:
        """Return the program in JAX's notation."""
        used = {*self.outvars, *[x for eqn in self.eqns for x in eqn.invars]}
        before, arguments = (
            " ".join([f"{_named(v, names)}:{short_type(v.aval)}" for v in variables])
            for variables in (self.constvars, self.invars)
        )
        head = f"{{ lambda {before}; {arguments}. let" if before else f"{{ lambda ; {arguments}. let"
        lines = [eqn.text(names, used) for eqn in self.eqns]
        out = [_atom(x, names) for x in self.outvars]
        tail = f"in ({', '.join(out)}{',' * (len(out) == 1)}) }}"
        line = f"{head} {'; '.join(lines)} {tail}"
        if len(line) <= _WIDTH and "\n" not in line:
            return line
        return "\n    ".join([head, *[one.replace("\n", "\n    ") for one in lines]]) + f"\n  {tail}"


class ClosedJaxpr:
    """A program with its constants.

    Attributes
    ----------
    jaxpr : Jaxpr
        The program.
    consts : list of Array
        The constants.
    programs : dict
        What the engine runs in its place, see `_loops`, and other programs that are made of it.
    """

    __slots__ = ("consts", "jaxpr", "programs")

    def __init__(self, jaxpr: Jaxpr, consts: Sequence[Any]) -> None:
        self.jaxpr = jaxpr
        self.consts = list(consts)
        self.programs: dict[Any, Any] = {}

    def taking(self, operands: Sequence[Any], own: Sequence[Any]) -> ClosedJaxpr:
        """Return a program that takes all these operands in place of its own, before the last arguments."""
        variables: dict[int, Var] = dict(zip(map(id, own), self.jaxpr.invars, strict=False))
        first = [variables.pop(id(x)) if id(x) in variables else Var(x.aval, x._node) for x in operands]
        return ClosedJaxpr(
            Jaxpr([], [*first, *self.jaxpr.invars[len(own) :]], self.jaxpr.outvars, self.jaxpr.eqns), self.consts
        )

    literals: Any = property(lambda self: self.consts, doc="The constants.")
    eqns: Any = property(lambda self: self.jaxpr.eqns, doc="The calls in order.")
    effects: Any = property(lambda self: self.jaxpr.effects, doc="References that are used.")
    in_avals: Any = property(lambda self: [v.aval for v in self.jaxpr.invars], doc="Shapes and dtypes of arguments.")
    out_avals: Any = property(lambda self: [v.aval for v in self.jaxpr.outvars], doc="Shapes and dtypes of results.")

    def __repr__(self) -> str:
        return repr(self.jaxpr)


def live(eqns: Sequence[JaxprEqn], used: set[Any], among: frozenset[int] | None = None) -> list[JaxprEqn]:
    """Return equations without those that nothing uses, all or some by identity, and add to `used` what they need."""
    kept: list[JaxprEqn] = []
    for eqn in reversed(eqns):
        wanted = [v in used for v in eqn.outvars]
        own: JaxprEqn | None = eqn
        if among is None or id(eqn) in among:
            own = eqn.function.trimmed(eqn, wanted) if isinstance(eqn.function, Opaque) else eqn if any(wanted) else None
        if own is not None:
            kept.append(own)
            used.update(own.invars)
    return kept[::-1]


# -- recording ----------------------------------------------------------------------------------------------------------------


def _are_alike(a: Any, b: Any) -> bool:
    """Return whether functions have the same results in two states; arrays that derivatives need are read-only there."""
    return all(getattr(a, name) == getattr(b, name) for name in DEFAULTS if name not in ("mutable", "watchers"))


@cache
def _operand_places(function: Any) -> frozenset[int]:
    """Return which arguments by position are operands."""
    operands = operands_of(function)
    return frozenset([i for i, name in enumerate(defaults_of(function)) if name in operands])


class Recorder:
    """The equations and constants of a program that is being recorded."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.eqns: list[JaxprEqn] = []
        self.constants: dict[int, tuple[Var, Any]] = {}
        self.variables: dict[int, tuple[Var, Abstract]] = {}
        #: Whether all that was done is recorded.
        self.whole = True
        #: Whether functions with rules of their own are equations, as the program may be differentiated.
        self.keeps_rules = False
        #: Whether it is a part of a program, which may be transformed, and whether that is not possible.
        self.is_part = self.fails = False
        #: Equations that are left out where their results are not used: what `checkpoint` computes again.
        self.again: list[JaxprEqn] = []
        #: The transformations around the program: within others, calls of constants are not recorded.
        self.around = active.running, axes_key()
        self._state = state()

    def atom(self, x: Any) -> Any:
        """Return the variable or the literal of an operand."""
        if type(x) in PYTHON_SCALARS:
            return Literal(x, xp.asarray(x).aval)
        if type(x) is Array and not x.ndim and x._node.kind != "k":
            return Literal(x, x.aval)
        if is_float0(x):
            return Literal(x, ShapedArray(x.shape, x.dtype))
        table: dict[int, tuple[Var, Any]] = (
            self.variables if type(x) is Abstract and x.within is self.trace else self.constants
        )
        if id(x) not in table:
            table[id(x)] = Var(x.aval, x._node), x  # which keeps it, and so its id
        return table[id(x)][0]

    def constant(self, x: Any) -> Any:
        """Return an operand for an array or an operand from outside; raise JAXTypeError for one from within."""
        if type(x) is Abstract or not (type(x) is Array or takes_over(x)):
            return x
        if getattr(x, "__supremum_level__", 0) > self.trace.level or getattr(x, "level", 0) in active.swaps:
            raise JAXTypeError("it is no constant")
        operand = Abstract(self.trace, x.shape, x._node)
        self.variables[id(operand)] = self.atom(x), operand
        return operand

    def add(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], out: Any) -> None:
        """Add a call."""
        results: list[Any] = []
        _visit(out, results.append)
        if not results:  # a shape, a dtype
            return
        if (here := state()) is not self._state:
            self.whole = self.whole and _are_alike(here, self._state)
            self._state = here
        if function.kind == "in-place":  # replayed, it writes to no operand
            function = getattr(xp, "matmul" if function.operation is None else function.operation.name)
        atoms: list[Any] = []
        places = _operand_places(function)
        args = tuple([_plain(x) if i in places else x for i, x in enumerate(args)])
        given = [
            self._slot(x, atoms) if type(x) in PYTHON_SCALARS and i in places else self._filed(x, atoms)
            for i, x in enumerate(args)
        ]
        call = tuple(given), {name: self._filed(x, atoms) for name, x in kwargs.items()}
        if function.name in _PROMOTING and len(atoms) == 2 and any(type(x) in PYTHON_SCALARS for x in args):
            atoms = _promoted(atoms, [PYTHON_SCALARS.get(type(x)) or as_leaf(x)._node for x in args])
        self.eqns.append(JaxprEqn(function, atoms, [self.atom(x) for x in results], call))

    def call(self, function: Any, operands: Sequence[Any], params: dict[str, Any], shapes: Sequence[Any]) -> list[Any]:
        """Add the call of a function of arrays, and return its results, of which shapes and nodes are given."""
        out = [Abstract(self.trace, *one) for one in shapes]
        slots = tuple(map(Slot, range(len(operands))))
        atoms = [self.atom(x) for x in operands]
        self.eqns.append(JaxprEqn(function, atoms, [self.atom(x) for x in out], (slots, params)))
        return out

    def whole_call(self, function: Any, args: Sequence[Any]) -> Any:
        """Add the call of a function with rules of its own, and return its result; NotImplemented if it refers to operands."""
        numbers = iter(range(len(args)))
        arrays = [type(x) is Array or takes_over(x) for x in args]
        places = [Slot(next(numbers)) if yes else x for x, yes in zip(args, arrays, strict=True)]
        operands = [x for x, yes in zip(args, arrays, strict=True) if yes]
        structures: list[Any] = []

        def leaves(call: Any, *values: Any) -> list[Any]:
            found, structure = as_leaves(call(*filled(places, values)))
            structures.append(structure)
            return list(found)

        part = program_of(lambda _, values: leaves(function.definition, *values), operands)
        call: Any = partial(leaves, function)
        if part and any(type(x) is Abstract or (self.is_part and takes_over(x)) for x in part.consts):
            again = getattr(function.custom, "again", None)
            call, operands = again and again(jaxpr_as_fun(part.jaxpr)), [*part.consts, *operands]
        if part is None or part.refs or call is None:
            self.fails |= self.is_part
            return NotImplemented
        shapes = [(aval.shape, as_leaf(zeros_of(aval))._node) for aval in part.jaxpr.out_avals]
        out = self.call(Ruled(function.name, lambda *values: as_leaves(call(*values))[0]), operands, {}, shapes)
        return structures[0].unflatten(out)

    def closed(self, operands: Sequence[Any], results: Sequence[Any]) -> ClosedJaxpr:
        """Return the program."""
        invars, outvars = [self.atom(x) for x in operands], [self.atom(x) for x in results]
        constants = [*self.constants.values()]
        eqns = live(self.eqns, {*outvars}, frozenset(map(id, self.again))) if self.again else self.eqns
        return ClosedJaxpr(Jaxpr([v for v, _ in constants], invars, outvars, eqns), [x for _, x in constants])

    def _slot(self, x: Any, atoms: list[Any]) -> Slot:
        atoms.append(self.atom(x))
        return Slot(len(atoms) - 1)

    def _filed(self, x: Any, atoms: list[Any]) -> Any:
        """Replace operands, also those in lists and tuples."""
        if type(x) is Array or takes_over(x):
            return self._slot(x, atoms)
        return type(x)([self._filed(item, atoms) for item in x]) if type(x) in (list, tuple) else x


def _plain(x: Any) -> Any:
    """Return a number of a class of the program's, such as a member of an enumeration, as a number of Python's."""
    if type(x) in PYTHON_SCALARS or isinstance(x, np.generic):
        return x
    kinds: Any = (int, float, complex)
    return next((kind(x) for kind in kinds if isinstance(x, kind)), x)


def _promoted(atoms: list[Any], nodes: list[Node]) -> list[Any]:
    """Return the operands of a function that promotes them to one dtype, with numbers as they become there."""
    try:
        node = state().common_of_all(nodes)
        kind: Any = {"f": float, "c": complex}.get(node.kind, int)
        again = [PYTHON_SCALARS[kind] if _is_exact(kind, x) else own for x, own in zip(atoms, nodes, strict=True)]
        if state().common_of_all(again) is not node:  # in some systems, a float is more than the integer that it equals
            return atoms
    except TypePromotionError:
        return atoms
    return [Literal(kind(x.val), ShapedArray((), node.dtype, node.weak)) if _is_exact(kind, x) else x for x in atoms]


def _is_exact(kind: Any, atom: Any) -> bool:
    x: Any = atom.val if type(atom) is Literal else None
    return type(x) in PYTHON_SCALARS and not (kind is int and type(x) is not int) and kind(x) == x


def _visit(x: Any, see: Callable[[Any], Any]) -> None:
    """Call a function with each array of a result."""
    each(lambda one: see(one) if type(one) is Array or takes_over(one) else None, x)


class Opaque(Bindable):
    """A primitive that is no function of the package: a loop or a choice, whose parameters are programs, or a call of Python.

    Attributes
    ----------
    name : str
        The name.
    function : callable
        What it computes: of the operands, and of the parameters by name.
    pure : bool
        Whether it is left out where its results are not used.
    """

    __slots__ = ("function", "name", "pure")
    #: Whether it takes operands of transformations.
    has_rules = False

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.name = name
        self.function = function
        self.pure = False

    def __repr__(self) -> str:
        return self.name

    def trimmed(self, eqn: JaxprEqn, wanted: list[bool]) -> JaxprEqn | None:
        """Return a call of it with the wanted results, or with all; None if it can be left out."""
        return eqn if any(wanted) or not self.pure else None

    def check(self) -> None:
        """Raise NotImplementedError if programs that are jitted cannot have it."""

    def __call__(self, *operands: Any, **params: Any) -> Any:
        """Compute it."""
        return self.function(*operands, **params)


class Ruled(Opaque):
    """The call of a function with rules of its own."""

    __slots__ = ()
    has_rules = True


class Part(NamedTuple):
    """The program of a part of a program.

    Attributes
    ----------
    jaxpr : ClosedJaxpr
        The program. Its first arguments are the operands outside of the part that it refers to, and what references hold; its
        first results are what they hold at the end.
    consts : list
        The operands.
    refs : list of Ref
        The references.
    """

    jaxpr: ClosedJaxpr
    consts: list[Any]
    refs: list[Any]


def program_of(
    fun: Callable[[Recorder, list[Any]], list[Any]], like: Sequence[Any], refs: Sequence[Any] = (), *,
    keeps_rules: bool | None = None, others: list[Any] | None = None, part: bool = False,
) -> Part | None:  # fmt: skip
    """Return the program of a part of a program; it uses these references at least.

    None is for a part that refers to operands of transformations that are within it or around the whole program, and for one
    that does what cannot be recorded. With `keeps_rules`, it is said whether functions with rules of their own are equations;
    without it, the part may call functions of operands around it, and is transformed with the program. What is no part of a
    program may be taken for a `part` that will be transformed. A program that is refused for its operands of transformations
    alone is added to `others`, with its references.
    """
    outer = tracing()
    around = None if outer is None else outer.recorder
    trace = Trace()
    trace.recorder = recorder = Recorder(trace)
    part = recorder.is_part = part or around is not None
    recorder.keeps_rules = part and ((around is not None and around.keeps_rules) or active.running > 0 or bool(axes_key()))
    if keeps_rules is not None:
        recorder.keeps_rules = keeps_rules
    with traced(trace), swapping({None: _outside}) if part else NOTHING:
        operands = [Abstract(trace, x.shape, x._node) for x in like]
        before = [ref.value for ref in refs]
        results = fun(recorder, operands)
        used, before = [ref for ref, _ in trace.refs], [x for _, x in trace.refs]
        results = [*[ref.held for ref in used], *results]
    made = recorder.closed([*before, *operands], results)
    refused = recorder.fails or not recorder.whole
    if refused or any(refers(x, trace.level if part or outer else 0, trace) for x in made.consts):
        if around is not None:
            around.whole &= recorder.whole
        if others is not None and not refused:
            others += made, used
        return None
    inner = made.jaxpr
    closed = ClosedJaxpr(Jaxpr([], [*inner.constvars, *inner.invars], inner.outvars, inner.eqns), [])
    return Part(closed, made.consts, used)


def refers(x: Any, most: int, trace: Trace) -> bool:
    """Return whether an operand is of a level above this one, or has values that are operands of a part of a program."""
    if getattr(x, "within", None) is trace or getattr(x, "__supremum_level__", 0) > most:
        return True
    parts = [getattr(x, name, None) for name in ("primal", "tangent", "value")] if type(x) is not Array else []
    return any(takes_over(part) and refers(part, most, trace) for part in parts)


def _outside(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Record the call of a function of operands around a part of a program; NotImplemented for others."""
    recorder: Any = tracing() and tracing().recorder  # type: ignore[union-attr]  # there is one
    if recorder is None or function.kind == "conversion":
        return NotImplemented

    def known(x: Any) -> Any:
        return x if type(x) is Array else recorder.constant(x)

    try:
        given, words = each(known, args), each(known, kwargs)
    except JAXTypeError:
        return NotImplemented
    return function(*given, **words)


def recording(*operands: Any) -> Recorder | None:
    """Return what records the calls here, if operands are of no transformation within programs; else None."""
    trace = tracing()
    plain = all(type(x) is Array or (type(x) is Abstract and not x.within.ended) for x in operands)
    return trace.recorder if trace is not None and plain else None


def make_jaxpr(
    fun: Callable[..., Any], static_argnums: Any = (), axis_env: Any = None, return_shape: bool = False
) -> Callable[..., Any]:
    """Return a function that records the program of a function for the shapes and dtypes of arguments.

    Parameters
    ----------
    fun : callable
        The function; it takes and returns trees of arrays.
    static_argnums : int or sequence of int
        The arguments that are passed as they are.
    axis_env : list of tuple, optional
        Names and lengths of axes, as those of `vmap` around the function.
    return_shape : bool
        Whether to return the shapes and dtypes of the results too, as a tree.

    Returns
    -------
    callable
        Takes the arguments of the function, and returns a `ClosedJaxpr`.

    Examples
    --------
    >>> import supremum as xp
    >>> from supremum import jax
    >>> jax.make_jaxpr(lambda x: xp.sum(xp.sin(x) * 2))(xp.ones(3))
    { lambda ; a:f32[3]. let
        b:f32[3] = sin a
        c:f32[3] = multiply b 2.0:f32[]
        d:f32[] = sum c
      in (d,) }
    """
    if not callable(fun):
        raise TypeError(f"make_jaxpr: expected a callable, got {fun!r}")
    static = items_of(static_argnums)

    @wraps(fun)
    def recorded(*args: Any, **kwargs: Any) -> Any:
        fixed = {number % len(args) for number in static if -len(args) <= number < len(args)}
        leaves, structure = _tree.flatten(([x for i, x in enumerate(args) if i not in fixed], kwargs))
        axes = [MappedAxis(name, size, new_level()) for name, size in items_of(axis_env)]
        trace = Trace()
        trace.recorder = recorder = Recorder(trace)
        recorder.keeps_rules = True
        with traced(trace), config.use(watcher=staged), swapping({None: lifted}), ExitStack() as stack:
            for axis in axes:
                stack.enter_context(within(axis))
            operands = [unknown_of(as_leaf(x) if is_ref(x) or not hasattr(x, "shape") else x) for x in leaves]
            refs = {i: x for i, x in enumerate(operands) if is_ref(x)}
            given, words = structure.unflatten(operands)
            operands = [x.value if i in refs else x for i, x in enumerate(operands)]
            moving = iter(given)
            out = fun(*[x if i in fixed else next(moving) for i, x in enumerate(args)], **words)
        results, tree = _tree.flatten(out)
        made = recorder.closed(operands, [x if type(x) in PYTHON_SCALARS else as_leaf(x) for x in results])
        for ref, before in trace.refs:
            made.jaxpr.constvars.append(recorder.atom(before))
            made.consts.append(ref.held)
        made.jaxpr.effects = {RefEffect(ref) for ref in [*refs.values(), *[ref for ref, _ in trace.refs]]}
        if not return_shape:
            return made
        return made, tree.unflatten([ShapeDtypeStruct(x.shape, x.dtype, weak_type=x.weak_type) for x in made.out_avals])

    named_fun: Any = recorded
    named_fun.__module__ = "jax"
    for attribute in ("__name__", "__qualname__"):
        name = getattr(fun, attribute, None)
        setattr(named_fun, attribute, f"make_jaxpr({name})" if isinstance(name, str) else "<unnamed function>")
    return recorded


def eval_jaxpr(jaxpr: Jaxpr, consts: Sequence[Any], *args: Any, propagate_source_info: bool = True) -> list[Any]:
    """Return the results of a program for constants and arguments: its functions are called in order."""
    if len(args) != len(jaxpr.invars) or len(consts) != len(jaxpr.constvars):
        raise TypeError(
            f"eval_jaxpr: the program takes {len(jaxpr.constvars)} constants and {len(jaxpr.invars)} arguments, got "
            f"{len(consts)} and {len(args)}"
        )
    values: dict[Any, Any] = dict(zip((*jaxpr.constvars, *jaxpr.invars), (*consts, *args), strict=True))

    def value(x: Any) -> Any:
        return x.val if type(x) is Literal else values[x]

    for eqn in jaxpr.eqns:
        values.update(zip(eqn.outvars, eqn.bind([value(x) for x in eqn.invars]), strict=True))
    return [as_leaf(value(x)) for x in jaxpr.outvars]


def jaxpr_as_fun(closed: ClosedJaxpr) -> Callable[..., list[Any]]:
    """Return the function of a program with its constants."""
    return partial(eval_jaxpr, closed.jaxpr, closed.consts)


# -- printing -----------------------------------------------------------------------------------------------------------------


def _named(variable: Var, names: dict[Any, str]) -> str:
    """Return the name of a variable: letters, in the order in which they are printed."""
    if variable not in names:
        number, name = len(names), ""
        while number >= 0:
            name = chr(ord("a") + number % 26) + name
            number = number // 26 - 1
        names[variable] = name
    return names[variable]


def _atom(x: Any, names: dict[Any, str]) -> str:
    return f"{x.val}:{short_type(x.aval)}" if type(x) is Literal else _named(x, names)


def short_type(aval: Any) -> str:
    """Return a shape and a dtype in JAX's notation."""
    name = aval.str_short().partition("[")[0]
    for long, short in _SHORT:
        if name.startswith(long):
            name = short + name[len(long) :]
            break
    return f"{name}[{','.join(map(str, aval.shape))}]"


def _programs_of(x: Any) -> bool:
    """Return whether a parameter is a program, or several."""
    return type(x) is ClosedJaxpr or (type(x) is tuple and any(type(item) is ClosedJaxpr for item in x))


def _parameter(x: Any, names: dict[Any, str]) -> str:
    if type(x) is ClosedJaxpr:
        return x.jaxpr.text(names)
    if _programs_of(x):
        return "(\n" + "".join(["  " + item.jaxpr.text(names).replace("\n", "\n  ") + "\n" for item in x]) + ")"
    return str(getattr(x, "__name__", repr(x)) if callable(x) else x.name if isinstance(x, np.dtype) else repr(x))
