"""Errors that are no fault of the arguments are raised as they are: a lack of stack or of memory, and interruptions."""

import collections
import sys

import pytest

import supremum as xp

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


@pytest.mark.parametrize("name", CALLS)
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


@pytest.mark.parametrize("error", [RecursionError, MemoryError, KeyboardInterrupt])
@pytest.mark.parametrize(
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
