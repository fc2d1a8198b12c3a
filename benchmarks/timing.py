"""The stopwatch: candidates that do the same work take turns in one process, and the best of many turns counts.

Whatever else the machine does makes a turn slower and never faster, so the minimum is the cost of the work itself; taking
turns means that no candidate has a quiet minute of its own. Only ratios of such minima are reported.
"""

from __future__ import annotations

import gc
import timeit
from collections.abc import Mapping
from typing import Any

SLICE = 2e-4  # seconds a turn should take: long against the clock's own cost, short against the scheduler's
MIN_TURNS = 3
FAIR_TURNS, PATIENCE = 10, 8  # slow work gets so many turns, unless they take so many times its budget
MAX_TURNS = 2000


def timer(code: str, names: Mapping[str, Any]) -> timeit.Timer:
    """Return a timer for a statement; its names are local, as they are in the functions of real programs."""
    setup = "; ".join(f"{name} = _names[{name!r}]" for name in names) or "pass"
    return timeit.Timer(code, setup, globals={"_names": dict(names)})


def race(timers: Mapping[str, timeit.Timer], budget: float) -> dict[str, float]:
    """Return the seconds that one execution of each candidate takes at best, spending about `budget` seconds on each."""
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


def _count(each: timeit.Timer) -> int:
    """Return how many executions fill a turn; the first ones, which warm caches up, are part of finding out."""
    count = 1
    while (seconds := each.timeit(count)) < SLICE / 2 and count < 1 << 20:
        count = max(count * 2, min(count * 10, int(count * SLICE / max(seconds, 1e-9))))
    return count
