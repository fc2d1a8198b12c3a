"""Run calls while the garbage collector calls back at their allocations, and does there what no call expects.

    python tests/hostile_collector.py short         # some allocations of operators and fast paths, in seconds
    python tests/hostile_collector.py long          # all, and some of all functions that NumPy has too, in half an hour
    python tests/hostile_collector.py long -k sort  # of the cases that match

On CPython 3.11 the collector runs at allocations, even of a tuple. A case is an expression that is computed again and again.
Each time, a callback of the collector does one thing at one of its allocations: it changes the settings, deletes the arrays,
drops the last references to them, or gives an ndarray that an array shares with the user another dtype, shape or strides. The
result is the right one, or an exception; where dtype, shape or strides change, it may be anything. Memory that was freed is
not used: the process would crash (with PYTHONMALLOC=debug), or AddressSanitizer would report it (`native/sanitize.py`).
"""

import argparse
import contextlib
import gc
import itertools
import operator
import random
import re
import reprlib
import sys
import warnings
from contextvars import copy_context
from pathlib import Path

import numpy as np

import supremum as xp
from supremum._core import engine
from supremum._core.config import config

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))

import small  # the benchmark that knows a plain call of every function that NumPy has too

# -- cases ------------------------------------------------------------------------------------------------------------------

#: NumPy's arrays that operands share, by name: those of the benchmark, and others.
SHARED = {name: value for name, value in small.operands(64).items() if isinstance(value, np.ndarray)} | {
    "one": np.array(2, np.float32), "few": np.arange(4, dtype=np.float32), "large": np.arange(6000, dtype=np.float32),
    "wide": np.arange(64.0), "short": np.arange(64, dtype=np.int16), "long": np.arange(64),
    "narrow": np.arange(64).reshape(8, 8).astype(xp.bfloat16), "byte": np.arange(8, dtype=np.float32).astype(xp.float8_e4m3fn),
    "grid": np.arange(64, dtype=np.int32).reshape(8, 8), "ends": np.array([2, 0, -1, 5], np.int32),
    "stack": np.ones((2, 8, 8), np.float32),
}  # fmt: skip
LISTS = {"pair": ("x", "y"), "many": ("few",) * 30, "scalars": ("one", "one")}
#: Other operands, which are not changed.
OTHERS = {"n": 64, "rows": [[1.0, 2.0], [3.0, 4.0]], "key": xp.random.key(3), "words": xp.random.PRNGKey(3)}

#: Expressions of operators and fast paths.
TABLE = Path(__file__).with_suffix(".txt")
NAMES = {"xp": xp, "np": np, "operator": operator}


def expand(line):
    """Return the expressions for which a line of the table stands."""
    parts = [part.split("|") for part in re.split(r"[{}]", line)]
    return ["".join(chosen) for chosen in itertools.product(*parts)]


def cases(budget):
    """Return the expressions, each with the fractions of its runs that are made: with plans of an earlier run, and without."""
    lines = [line for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    table = dict.fromkeys(itertools.chain(*map(expand, lines)), (0.02, 0.002) if budget == "short" else (1, 1))
    left_out = {*small.LEFT_OUT, "from_dlpack", "fromstring"}
    functions = [] if budget == "short" else [small.call(name) for name in small.names() if name not in left_out]
    return dict.fromkeys(functions, (0.05, 0.05)) | table


def uncalled():
    """Return the names of public functions with a fast path that no case calls, by any of their names."""
    calls = "\n".join(cases("long"))
    called, names = set(), {}
    for space in ("", "linalg.", "fft.", "random.", "nn."):
        for name in (operator.attrgetter(space[:-1])(xp) if space else xp).__all__:
            function = operator.attrgetter(space + name)(xp)
            if isinstance(function, engine.Function) and (function.fast or function.plain):
                names[id(function)] = space + name
                if f"xp.{space}{name}(" in calls:
                    called.add(id(function))
    return [name for key, name in names.items() if key not in called]


# -- what the collector does --------------------------------------------------------------------------------------------------


def change_x64(_run):
    config.update("x64", "off" if config.x64 == "on" else "on")


def change_system(_run):
    config.update("promotion", "numpy" if config.promotion.name == "jax" else "jax")


def replace_state(_run):
    """Set and reset, so that the state in force dies, and the next one has the same settings."""
    mode = config.x64
    config.update("x64", "off" if mode == "on" else "on")
    config.update("x64", mode)


def use_others(_run):
    with config.use(promotion="numpy", x64="off"):
        xp.asarray([1, 2]) + 1


def delete(run):
    for value in run.names.values():
        if type(value) is xp.Array:
            value.delete()


def drop(run):
    run.names.clear()
    run.shared.clear()


def replace_items(run):
    """Replace items of lists, but leave their lengths: if a list shrinks while a tuple is made of it, CPython 3.11 crashes."""
    for value in run.names.values():
        if isinstance(value, list):
            value[:1] = [None]


def forbid_writing(run):
    run.chosen.flags.writeable = False


def change_dtype(run):
    for dtype in ("int8", "complex128", "float16"):
        with contextlib.suppress(ValueError, TypeError):
            if run.chosen.dtype != dtype:
                run.chosen.dtype = dtype
                break


def change_shape(run):
    for shape in ((2, -1), (1,) * 9 + (-1,), ()):
        with contextlib.suppress(ValueError, AttributeError):
            if run.chosen.ndim != len(shape):
                run.chosen.shape = shape
                break


def change_strides(run):
    with contextlib.suppress(ValueError, AttributeError):
        run.chosen.strides = (0,) * run.chosen.ndim


#: What is done once in a run, and what is done to each of the shared ndarrays.
ACTIONS = (change_x64, change_system, replace_state, use_others, delete, drop, replace_items)
CHANGES = (forbid_writing, change_dtype, change_shape, change_strides)
#: After these a result may be anything.
ARBITRARY = (replace_items, change_dtype, change_shape, change_strides)
EXPECTED = (TypeError, ValueError, IndexError, OverflowError, NotImplementedError, NameError)  # of names that were dropped
#: What nothing excuses.
REFUSED = (SystemError, MemoryError, RecursionError)


class Run:
    """One computation of a case."""

    def __init__(self, code):
        self.code = code
        used = {*re.findall(r"\b[a-z]\w*", code)}
        used |= {name for each in used & LISTS.keys() for name in LISTS[each]}
        self.shared = {name: SHARED[name].copy() for name in sorted(used & SHARED.keys())}
        self.names = NAMES | OTHERS | {name: xp.asarray(value) for name, value in self.shared.items()}
        self.names |= {name: [self.names[item] for item in LISTS[name]] for name in used & LISTS.keys()}
        self.seen, self.position, self.action, self.chosen = 0, 0, None, None

    def compute(self):
        try:
            return eval(self.code, self.names)  # noqa: S307 - our own table
        except Exception as error:  # noqa: BLE001 - judged by `explore`
            return error

    def __call__(self, phase, _info):
        self.seen += phase == "start"
        if phase == "start" and self.seen == self.position:
            # In another context: if a callback sets a variable of the context in which one is being set, CPython 3.11 crashes.
            copy_context().run(self.action, self)

    def attack(self, action, target, position, *, odd, override):
        """Compute, and do an action at the collector's start of a number."""
        self.action, self.position, self.chosen = action, position, self.shared.get(target)
        self.code = compile(self.code, "case", "eval")
        gc.callbacks.append(self)
        gc.collect()  # also empties the free lists of tuples and lists: to take from them is no allocation
        gc.set_threshold(1, 10**6, 10**6)  # at every second allocation
        kept = [[]] if odd else None  # noqa: F841 - or at those between
        try:
            with config.use(mutable=True) if override else contextlib.nullcontext():
                return self.compute()
        finally:
            gc.set_threshold(0)
            gc.callbacks.remove(self)


def settle():
    """Set the settings in which runs begin, in states that have no plans yet."""
    config.update("promotion", "jax")
    config.update("x64", "on")
    config.update("x64", "explicit")


def numbers(result):
    """Return what right results have in common: numbers, whatever their dtype."""
    if isinstance(result, (list, tuple)):
        return [numbers(part) for part in result]
    if type(result) is xp.Array and result._node.kind != "k":
        with np.errstate(all="ignore"):
            return result._data.astype(complex)
    return result if isinstance(result, (bool, int, float, complex)) else None


def agree(found, expected):
    if found is None or expected is None or isinstance(found, list) is not isinstance(expected, list):
        return True
    if isinstance(found, list):
        return len(found) != len(expected) or all(map(agree, found, expected))
    with np.errstate(all="ignore"):
        return np.shape(found) == np.shape(expected) and bool(np.allclose(found, expected, 0.02, 0.01, equal_nan=True))


def explore(code, action, target, positions, *, warm, **how):
    """Do an action at the allocations of a case, until there are no more; return how often, and what was wrong."""
    expected, done, wrong = [], 0, []
    for change in (use_others, action if action in (change_x64, change_system) else use_others):
        settle()
        change(None)
        expected.append(Run(code).compute())
    for position in positions:
        settle()
        if warm:
            Run(code).compute()
        run = Run(code)
        found = run.attack(action, target, position, **how)
        if run.seen < position:
            break
        done += 1
        if isinstance(found, Exception):
            good = not isinstance(found, REFUSED) and (action in ARBITRARY or isinstance(found, EXPECTED))
        else:
            right = (isinstance(each, Exception) or agree(numbers(found), numbers(each)) for each in expected)
            good = action in ARBITRARY or any(right)
        if not good:
            what = f"{code}: {action.__name__} {target or ''} at {position} {how} {warm=}"
            wrong.append(f"{what}: {reprlib.repr(found)}, expected {reprlib.repr(expected[0])}")
    return done, wrong


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("budget", choices=["short", "long"])
    parser.add_argument("-k", default="", metavar="REGEX", help="only the cases that match")
    parser.add_argument("-v", action="store_true", help="print each case before it runs")
    parsed = parser.parse_args()
    warnings.simplefilter("ignore")
    draw = random.Random(0)
    # The reference engine has four times as many allocations, and no memory of its own.
    step = 4 if parsed.budget == "short" and xp.__engine__ == "reference" else 1
    total, wrong = 0, [f"no case calls {name}" for name in uncalled()]
    gc.collect()
    gc.freeze()
    gc.set_threshold(0)
    for code, (of_warm, of_cold) in cases(parsed.budget).items():
        if not re.search(parsed.k, code):
            continue
        attacks = [(action, None) for action in ACTIONS] + list(itertools.product(CHANGES, Run(code).shared))
        for action, target in attacks:
            for warm, odd, override in itertools.product((True, False), repeat=3):
                if draw.random() >= (of_warm if warm else of_cold):
                    continue
                if parsed.v:
                    print(code, action.__name__, target, warm, odd, override, file=sys.stderr, flush=True)  # noqa: T201 - a program
                positions = range(draw.randint(1, step), 1000, step)
                done, found = explore(code, action, target, positions, warm=warm, odd=odd, override=override)
                total += done
                wrong += found
    print(*wrong[:100], sep="\n")  # noqa: T201 - a script's report
    print(f"{total} computations, {len(wrong)} wrong")  # noqa: T201 - as above
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
