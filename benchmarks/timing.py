"""Time candidates that do the same work in turns, in one process; the minimum over many turns counts.

Other load on the machine makes a turn slower and never faster, so the minimum is the cost of the work itself. Candidates take
turns so that a quiet period does not favour one of them. Only ratios of such minima are reported.
"""

from __future__ import annotations

import gc
import timeit
from collections.abc import Mapping
from typing import Any, Protocol

SLICE = 2e-4  # seconds of a turn: long beside the cost of reading the clock, short beside a time slice of the scheduler
MIN_TURNS = 3
FAIR_TURNS, PATIENCE = 10, 8  # slow work gets this many turns, unless they take this many times its budget
MAX_TURNS = 2000


class Timed(Protocol):
    """What has turns, such as `timeit.Timer`."""

    def timeit(self, number: int, /) -> float:
        """Return the seconds that so many executions take."""
        ...


def timer(code: str, names: Mapping[str, Any]) -> timeit.Timer:
    """Return a timer for a statement; its names are local variables, as in functions of real programs."""
    setup = "; ".join(f"{name} = _names[{name!r}]" for name in names) or "pass"
    return timeit.Timer(code, setup, globals={"_names": dict(names)})


def race(timers: Mapping[str, Timed], budget: float) -> dict[str, float]:
    """Return the minimal seconds of one execution of each candidate, using about `budget` seconds for each."""
    counts = {name: _count(each) for name, each in timers.items()}
    best = dict.fromkeys(timers, float("inf"))
    spent = dict.fromkeys(timers, 0.0)
    gc.collect()
    for turn in range(MAX_TURNS):
        patience = budget * (PATIENCE if turn < FAIR_TURNS else 1)
        runners = [name for name in timers if turn < MIN_TURNS or spent[name] < patience]
        if not runners:
            break
        shift = turn % len(runners)
        for name in runners[shift:] + runners[:shift]:
            seconds = timers[name].timeit(counts[name])
            spent[name] += seconds
            best[name] = min(best[name], seconds / counts[name])
    return best


def _count(each: Timed) -> int:
    """Return how many executions fill a turn; the executions that find it out also warm the caches."""
    count = 1
    while (seconds := each.timeit(count)) < SLICE / 2 and count < 1 << 20:
        count = max(count * 2, min(count * 10, int(count * SLICE / max(seconds, 1e-9))))
    return count
