"""Lifetime of arrays on both engines: deallocation in deep structures, refused integers, failing allocations.

Programs that may crash run in a separate process.
"""

import gc
import subprocess
import sys
import tracemalloc

import pytest

import supremum as xp

NESTED = {
    "operands": """
class Sum:
    def __init__(self, a, b):
        self.a, self.b = a, b
    def __add__(self, other):
        return Sum(self, other)
def around(inner):
    return Sum(inner, xp.ones(1)) + xp.ones(1)
""",
    "lists": "around = lambda inner: [inner, xp.ones(1)]",
    "tuples": "around = lambda inner: (inner, xp.ones(1))",
    "dicts": "around = lambda inner: {0: inner, 1: xp.ones(1)}",
    "iterators": "import itertools; around = lambda inner: itertools.chain(iter([xp.ones(1)]), inner)",
    "buffers": """
class Owner:
    def __init__(self, array):
        self.array, self.__array_interface__ = array, np.asarray(array).__array_interface__
def around(inner):
    return xp.asarray(np.asarray(Owner(inner)))
""",
}


def run(code):
    """Run a program in a new process, and return the lines that it prints."""
    program = f"import numpy as np, supremum as xp\n{code}\nprint('the end')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    lines.remove("the end")
    return lines


# -- deallocation


@pytest.mark.combinations
@pytest.mark.parametrize("depth", [300, 10_000])
@pytest.mark.parametrize("container", NESTED)
def test_arrays_deep_in_containers_are_freed(container, depth):
    if container == "iterators":
        depth = min(depth, 5_000)  # CPython deallocates chained iterators recursively
    run(f"{NESTED[container]}\nfor _ in range(3):\n  x = xp.ones(1)\n  for _ in range({depth}): x = around(x)\n  del x")


def test_arrays_in_the_frames_of_a_recursion_error_are_freed():
    run("""
def deeper(x):
    return deeper(x + 1)
for _ in range(5):
    try:
        deeper(xp.ones(3))
    except RecursionError:
        pass
""")


def test_an_array_may_be_made_while_another_is_freed():
    lines = run("""
import weakref
made = []
class Owner:
    def __init__(self):
        self.buffer = np.ones(3, np.float32)
        self.__array_interface__ = self.buffer.__array_interface__
    def __del__(self):
        made.append(xp.full(3, 2.0))
for _ in range(50):
    x = xp.asarray(np.asarray(Owner()))
    del x
    y = xp.zeros(3)
    print((made[-1] + y).tolist())
    x = xp.zeros(3)
    finalizer = weakref.finalize(np.asarray(x), lambda: made.append(xp.full(3, 2.0)))
    del x
    print((made[-1] + y).tolist())
    x = xp.zeros(3)
    reference = weakref.ref(x, lambda _: made.append(xp.full(3, 2.0)))
    del x
    print((made[-1] + y).tolist())
""")
    assert lines == ["[2.0, 2.0, 2.0]"] * 150


def test_arrays_work_while_python_ends():
    lines = run("""
class Last:
    def __init__(self):
        self.x, self.i, self.w = xp.ones(2), xp.asarray([3, 4]), xp.asarray(2)
    def __del__(self):
        x, i, w = self.x, self.i, self.w
        for y in (x + x, x + i, i / 2, i + 1, -x, abs(x), x < i, i**w, x[0], x + 1j):
            assert type(y) is type(x)
        print((x + i).tolist(), (i**w).tolist())
last = Last()
""")
    assert lines == ["[4.0, 5.0] [9, 16]"]


# -- integers that are refused


CALLS = 1000
REFUSED = {
    "sum": lambda k: xp.ones(2) + (10**30 + k),
    "reflected sum": lambda k: (10**30 + k) + xp.ones(2),
    "large": lambda k: xp.ones(2) + (10**3000 + k),
    "wrapped": lambda k: xp.ones(2, dtype="int8") + (2**64 + k),
    "power": lambda k: xp.asarray([2]) ** -(2**70 + k),
    "function": lambda k: xp.add(xp.ones(2), 10**30 + k),
    "one operand": lambda k: xp.sin(10**30 + k),
    "choice": lambda k: xp.where(xp.ones(2) > 0, xp.ones(2, dtype="int8"), 10**30 + k),
    "index": lambda k: xp.ones(2)[10**30 + k],
    "shape": lambda k: xp.ones(2).reshape(10**30 + k),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_integers_do_not_leak(name):
    def refuse(start):
        for k in range(start, start + CALLS):
            try:
                REFUSED[name](k)
            except (OverflowError, TypeError, ValueError, IndexError):
                continue
            raise AssertionError("not refused")
        gc.collect()

    refuse(0)
    tracemalloc.start()
    try:
        refuse(CALLS)
        before = tracemalloc.get_traced_memory()[0]
        refuse(2 * CALLS)
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert after - before < 30 * CALLS  # an integer beyond 2**62 takes 36 bytes at least


def test_integers_of_any_length_are_refused():
    with pytest.raises(OverflowError, match="add"):
        xp.ones(2) + 10**5000


# -- memory that runs out


@pytest.mark.parametrize(
    "expression",
    ["x + 10**30", "i + 2**70", "i == 2**70", "x == 2**70", "i ** (2**70)", "x ** (2**70)", "xp.clip(i, -(2**70), 2**70)"],
)
def test_a_failed_allocation_does_not_end_the_process(expression):
    pytest.importorskip("_testcapi", reason="this build of CPython has no _testcapi.set_nomemory")
    run(f"""
import _testcapi, sys
x, i = xp.ones(2), xp.asarray([1], dtype="int8")
try:
    {expression}  # imports what it needs
except OverflowError:
    pass
sys.unraisablehook = lambda _: None  # what is ignored where memory for its report is missing
for start in range(100):
    try:
        _testcapi.set_nomemory(start, start + 1)
        try:
            {expression}
        finally:
            _testcapi.remove_mem_hooks()
    except Exception:  # of CPython's own functions, some tell of it by a SystemError or RuntimeError
        pass
assert (x + 1).tolist() == [2, 2]
assert np.asarray(i + 1).tolist() == [2]
""")
