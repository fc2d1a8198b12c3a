"""Recorded programs and the same programs called step by step: the same bits, dtypes, weak types and errors.

One case is a random program of `random_programs`: a loop or a jitted function with loops, choices and jitted functions. A
case that differs is made shorter, one call at a time, before it is reported.
"""

import numpy as np
import pytest
import random_programs as programs

from supremum import jax
from supremum.jax import _loops

#: Programs in the plain run.
CALLS = 400
#: Differences that a failure shows.
SHOWN = 5


def difference(program):
    """Return what differs between a recorded program and the calls one after the other, or None."""
    with np.errstate(all="ignore"):
        with jax.disable_jit():
            expected = programs.came(program)
        found = programs.came(program)
    return None if found == expected else f"{str(found)[:600]}\n    is not {str(expected)[:600]}"


def shortened(program):
    """Remove calls as long as there is a difference, and describe it."""
    i = 0
    while i < len(program.seeds):
        all_ = program.seeds
        program.seeds = all_[:i] + all_[i + 1 :]
        if not program.seeds or difference(program) is None:
            program.seeds = all_
            i += 1
    return f"calls {program.seeds}: {difference(program)}"


@pytest.mark.filterwarnings("ignore")
def test_programs_are_what_they_call(budget, seed, count, monkeypatch):
    wrong, ran = [], []
    run = _loops._run
    monkeypatch.setattr(_loops, "_run", lambda *args: (ran.append(1), run(*args))[1])
    total = CALLS * budget
    for case in range(total):
        program = programs.Program(f"{seed}/{case}")
        if difference(program) is not None:
            wrong.append(f"program {seed}/{case}, {shortened(program)}")
    count("recorded programs", total)
    assert len(ran) > total // 2
    assert not wrong, f"{len(wrong)} of {total} programs differ, among them\n" + "\n".join(wrong[:SHOWN])


def test_differences_are_seen(monkeypatch):
    program = programs.Program(0)
    assert difference(program) is None
    monkeypatch.setattr(programs, "described", lambda _x, number=[0]: number.__setitem__(0, number[0] + 1) or number[0])
    assert difference(program) is not None
