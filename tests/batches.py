"""Calls of functions at once with `vmap` and for each position, compared: values, dtypes, weak types and errors.

The operands have shapes and dtypes that fit each other or not; a letter stands for each.
"""

import itertools

import numpy as np

import supremum as xp
from supremum import jax
from supremum._core.array import wrap

#: The number of positions, which is the length of few other axes.
SIZE = 2
RANDOM = np.random.default_rng(11)


def _floats(*shape):
    return RANDOM.uniform(0.1, 1, (SIZE, *shape)).astype(np.float32)


def _integers(*shape):
    return RANDOM.integers(0, 3, (SIZE, *shape)).astype(np.int32)


#: Operands of all positions: numbers, vectors, matrices, stacks; another length; integers, truth values, weak ones; keys.
OPERANDS = {
    "s": _floats(),
    "v": _floats(3),
    "m": _floats(3, 3) + 2 * np.eye(3, dtype=np.float32),
    "t": _floats(4, 3, 3),
    "u": _floats(5),
    "r": _floats(5, 3),
    "i": _integers(3),
    "j": _integers(),
    "n": _integers(3, 3),
    "b": RANDOM.random((SIZE, 3)) < 0.5,
    "c": (_floats(3) + 1j * _floats(3)).astype(np.complex64),
    "p": _floats(2),
    "q": _floats(2, 3),
    "o": _floats(1),
    "l": _floats(1, 3),
    "d": RANDOM.random(SIZE) < 0.5,
    "g": _integers(4, 1),
    "e": _floats(4, 3),
    "h": _floats(1, 3, 4, 4),
    "k": _floats(2, 3, 2, 2),
}
#: Those that are weak, of the values of others.
WEAK = {"x": "v", "y": "s", "z": "i"}
#: The types of results that are compared.
ARRAYS = (xp.Array, np.ndarray, np.generic, int, float, complex)


class Operand:
    """An argument that may be mapped: of a kind, or two of it in a list."""

    def __init__(self, kind, *, sequence=False):
        self.kind, self.sequence = kind, sequence

    def __repr__(self):
        return f"[{self.kind}]" if self.sequence else self.kind


def operands():
    """Return the values of all positions of each kind."""
    given = {kind: xp.asarray(x) for kind, x in OPERANDS.items()}
    for kind, x in WEAK.items():
        given[kind] = wrap(given[x]._data, given[x]._node.weak_form)
    return {**given, "key": xp.random.split(xp.random.key(3), SIZE)}


def outcome(call):
    """Return the leaves and the structure of a result, or the error."""
    try:
        return jax.tree.flatten(call())
    except RecursionError:
        raise
    except Exception as error:  # noqa: BLE001 - compared
        return error


def arguments_at(position, call, mapped, given, batches):
    """Return the arguments of a call at a position, or of all of them: the operands that are mapped are batches then."""
    numbers = itertools.count()

    def one(x):
        if type(x) in (list, tuple):
            return type(x)([one(item) for item in x])
        if not isinstance(x, Operand):
            return x
        number = next(numbers)
        if number not in mapped:
            found = given[x.kind][0]
        else:
            found = batches[mapped.index(number)] if position is None else given[x.kind][position]
        return [found, found] if x.sequence else found

    by_position, by_name = call
    return [one(x) for x in by_position], {name: one(x) for name, x in by_name.items()}


def operands_of(x):
    """Yield the operands of arguments."""
    if isinstance(x, Operand):
        yield x
    elif type(x) in (list, tuple, dict):
        for item in x.values() if type(x) is dict else x:
            yield from operands_of(item)


def called_at(position, function, call, mapped, given):
    """Return the outcome of a call at a position; at the first one, it does not depend on what is mapped."""
    args, kwargs = arguments_at(position, call, mapped, given, ())
    return outcome(lambda: function(*args, **kwargs))


def compare(function, call, mapped, given, refused=False, first=None):
    """Compare a call at once with one for each position: return what was compared, and how it differs."""
    kinds = [x.kind for x in operands_of(call)]
    wanted = [first or called_at(0, function, call, mapped, given)]
    for position in range(1, SIZE):
        if isinstance(wanted[-1], Exception):
            break
        wanted.append(called_at(position, function, call, mapped, given))

    def at_once(*parts):
        args, kwargs = arguments_at(None, call, mapped, given, parts)
        return function(*args, **kwargs)

    found = outcome(lambda: jax.vmap(at_once)(*[given[kinds[i]] for i in mapped]))
    if refused:
        return "refused", "" if type(found) is jax.errors.ConcretizationTypeError else text(found)
    if isinstance(wanted[-1], Exception):
        return "error", "" if type(found) is type(wanted[-1]) else f"{text(found)} for {text(wanted[-1])}"
    if any(not isinstance(x, ARRAYS) for leaves, _ in wanted for x in leaves):
        return "no arrays", ""
    if isinstance(found, Exception):
        shapes = {(str(structure), *[np.shape(x) for x in leaves]) for leaves, structure in wanted}
        expected = len(shapes) > 1 and isinstance(found, jax.errors.ConcretizationTypeError)
        return "shapes that differ", "" if expected else f"{text(found)} for a value"
    return "value", differences(found, wanted)


def differences(found, wanted):
    leaves, structure = found
    if any(other != structure for _, other in wanted):
        return f"{structure} for {wanted[0][1]}"
    for x, *each in zip(leaves, *[one for one, _ in wanted], strict=True):
        first, *_ = column = [xp.asarray(one) for one in each]
        if (x.shape, x.dtype, x.weak_type) != ((SIZE, *first.shape), first.dtype, first.weak_type):
            return f"{x.dtype}{x.shape}{'*' * x.weak_type} for {first.dtype}{first.shape}{'*' * first.weak_type}"
        if str(first.dtype).startswith("key"):
            x, *column = map(xp.random.key_data, (x, *column))  # noqa: PLW2901 - the words of the same keys
        numbers, values = np.asarray(x), np.stack([np.asarray(one) for one in column])
        if numbers.dtype.kind in "biu":
            same = np.array_equal(numbers, values)
        else:  # sums of products in another order
            same = np.allclose(numbers.astype(complex), values.astype(complex), rtol=2e-3, atol=2e-4, equal_nan=True)
        if not same:
            return f"{numbers.tolist()} for {values.tolist()}"
    return ""


def text(x):
    return f"{type(x).__name__}: {x}" if isinstance(x, Exception) else "a value"


def subsets(call):
    """Return which operands of a call are mapped: all, and each one alone."""
    count = len([*operands_of(call)])
    return {tuple(range(count)), *[(i,) for i in range(count)]} if count else ()
