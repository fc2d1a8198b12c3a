"""The calls of `engine_calls` with a precision lens open: the same results, errors, warnings and arguments, bit for bit."""

import contextlib
import sys

import bad_calls
import engine_calls
from test_engines import difference

import supremum as xp

#: Calls in the plain run.
CALLS = 1_500
SHOWN = 5


def test_calls_under_a_lens_are_the_same(budget, seed, count):
    wrong, unfollowed = [], {}
    with bad_calls.memory_limit(engine_calls.MEMORY), contextlib.redirect_stdout(sys.stderr):
        for number in range(CALLS * budget):
            plain = engine_calls.call_and_outcome(seed, number)
            with xp.precision_lens() as lens:
                watched = engine_calls.call_and_outcome(seed, number)
            problem = difference(plain, watched)
            if problem is not None:
                wrong.append(f"call {number}, {str(plain[0])[:400]}\n    {problem}")
            unfollowed |= dict.fromkeys(lens.unfollowed, number)
            assert str(lens)
    count("calls under a lens", CALLS * budget)
    assert not wrong, f"{len(wrong)} of {CALLS * budget} calls differ, among them\n" + "\n".join(wrong[:SHOWN])
    assert len(unfollowed) <= max(2, budget), unfollowed  # under systems whose dtypes promote where those of JAX do not
