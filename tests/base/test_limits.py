"""Errors that are no fault of the arguments are raised as they are: a lack of stack or of memory, and interruptions."""

import collections
import subprocess
import sys

import pytest
from common import for_each

import supremum as xp
from supremum.jax import lax

ROW = xp.asarray([1.0, 2.0, 4.0])
CALLS = {
    "asarray": lambda: xp.asarray([[1, 2.0]]),
    "asarray of a sequence": lambda: xp.asarray(collections.UserList([1, 2])),
    "block": lambda: xp.block([[ROW]]),
    "can_cast": lambda: xp.can_cast("int8", "f4"),
    "einsum": lambda: xp.einsum("i,i", ROW, ROW),
    "from_dlpack": lambda: xp.from_dlpack(ROW),
    "histogram": lambda: xp.histogram(ROW),
    "qr": lambda: xp.linalg.qr(ROW[:, None]),
    "softmax": lambda: xp.nn.softmax(ROW),
    "std": lambda: xp.std(ROW, axis=(0,)),
    "unique": lambda: xp.unique(ROW),
    "zeros": lambda: xp.zeros((2, 3), "bfloat16"),
}


def call_at(depth, function):
    return function() if depth == 0 else call_at(depth - 1, function)


@for_each("name", CALLS)
def test_near_the_end_of_the_stack(name):
    call = CALLS[name]
    call()
    limit, frame, used = sys.getrecursionlimit(), sys._getframe(), 0
    while frame is not None:
        frame, used = frame.f_back, used + 1
    sys.setrecursionlimit(used + 200)
    refused = 0
    try:
        for depth in range(80, 198):
            try:
                call_at(depth, call)
            except RecursionError:
                refused += 1
    finally:
        sys.setrecursionlimit(limit)
    assert refused


class Nested:
    """A sequence that contains itself."""

    def __len__(self):
        return 1

    def __getitem__(self, index):
        if index:
            raise IndexError
        return self


def test_what_contains_itself_has_no_values():
    lists = []
    lists += [lists, lists]
    with pytest.raises(ValueError, match=r"asarray: .* nested too deeply, or contains itself"):
        xp.asarray(Nested())
    for call in (xp.asarray, xp.block):
        with pytest.raises(ValueError, match=r"nested (deeper|too deeply).* contains? (itself|themselves)"):
            call(lists)


@for_each("error", [RecursionError, MemoryError, KeyboardInterrupt])
@for_each(
    "call",
    [
        lambda f: xp.asarray(f),
        lambda f: xp.sum(ROW, axis=f),
        lambda f: xp.sum(ROW, keepdims=f),
        lambda f: xp.zeros(f),
        lambda f: xp.from_dlpack(f),
        lambda f: xp.add(ROW, f),
        lambda f: xp.apply_along_axis(f, 0, ROW),
        lambda f: ROW[f],
    ],
)
def test_errors_of_the_callers_objects(error, call):
    class Failing:
        def fail(self, *_args, **_kwargs):
            raise error("of the caller's")

        __array__ = __bool__ = __index__ = __dlpack__ = __dlpack_device__ = __call__ = fail

    with pytest.raises(error, match=r"^of the caller's$"):
        call(Failing())


# -- axes without elements, of any length -------------------------------------------------------------------------------------

EMPTY = xp.zeros((2**60, 0), dtype="int8")
ENDING = {
    "polyval": (lambda: xp.polyval(EMPTY, xp.zeros(0)), None),
    "lax.unstack": (lambda: lax.unstack(EMPTY), MemoryError),
    "ravel_multi_index": (lambda: xp.ravel_multi_index(EMPTY, (2, 3)), ValueError),
    "split": (lambda: xp.split(EMPTY, 2**60), MemoryError),
    "array_split": (lambda: xp.array_split(EMPTY, 2**50), MemoryError),
    "sum": (lambda: xp.sum(ROW, axis=EMPTY), TypeError),
    "unstack": (lambda: xp.unstack(EMPTY), MemoryError),
    "lax.broadcast_shapes": (lambda: lax.broadcast_shapes(EMPTY), MemoryError),
    "lax.pad": (lambda: lax.pad(ROW, xp.asarray(0.0), EMPTY), MemoryError),
    "lax.index_take": (lambda: lax.index_take(ROW, EMPTY, (0,)), MemoryError),
    "lax.RaggedDotDimensionNumbers": (lambda: lax.RaggedDotDimensionNumbers(EMPTY, (0,), (0,)), MemoryError),
}


@for_each("name", ENDING)
def test_calls_end(name):
    call, error = ENDING[name]
    if error is None:
        assert call().shape == (0,)
    else:
        with pytest.raises(error):
            call()


# -- memory -------------------------------------------------------------------------------------------------------------------


def call_without_memory(call):
    """Call in another process, with an allocation that fails each time, one after the other."""
    code = f"""
import _testcapi, numpy as np, supremum as xp
x = xp.asarray([1.0, 2.0, 4.0])
call = compile({call!r}, "call", "eval")
eval(call), eval(call)
failed = 0
for start in range(1, 150):
    _testcapi.set_nomemory(start, start + 1)
    try:
        eval(call)
    except MemoryError:
        failed += 1
    finally:
        _testcapi.remove_mem_hooks()
print(failed)
"""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("call", ["xp.histogram(x)", "xp.linspace(x[0], x[1], 5)", "xp.std(x)", "xp.nn.softmax(x)"])
def test_allocations_that_fail(call):
    """NumPy's reductions return without an exception where an allocation fails, which Python makes a SystemError."""
    pytest.importorskip("_testcapi", reason="the module that lets allocations fail is not installed")
    done = call_without_memory(call)
    if done.returncode < 0 and call_without_memory("np.moveaxis(np.zeros((2, 3)), 0, 1)").returncode < 0:
        pytest.skip("this Python crashes in functions of NumPy's too, where it has no memory for an inner function")
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > 3
