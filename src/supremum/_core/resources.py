"""What operations on large arrays may use of the machine: threads, and memory that was used before.

Both belong to the process, as those of a BLAS do, not to a context. The engine in C has them; the reference engine computes by
one thread in NumPy's memory. The settings are rows of `setting_rows`. `pool.c` and `threads.c` say what they do.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Final

from supremum._base.exceptions import describe

#: More threads than this are not started.
_MOST: Final = 256


def _quota() -> float:
    """Return the processors' time that the control group of this process has, in processors."""
    with suppress(OSError, ValueError), open("/sys/fs/cgroup/cpu.max", encoding="ascii") as file:  # noqa: PTH123 - an import less
        quota, period = file.read().split()
        return float(quota) / float(period)  # "max" is no number: there is no limit
    return float("inf")


def _cores() -> int:
    """Return how many processors this process may use at the same time."""
    affinity = getattr(os, "sched_getaffinity", None)
    count = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return max(1, min(count, _MOST, int(min(_quota(), _MOST) + 0.5)))


def default_threads() -> int:
    """Return `OMP_NUM_THREADS` as a BLAS reads it, or the number of processors."""
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return min(int(first), _MOST) if first.isdecimal() and int(first) > 0 else _cores()


def default_pool() -> int:
    """Return the smaller one of 512 MiB and an eighth of memory."""
    memory = 1 << 32
    with suppress(AttributeError, OSError, ValueError):
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min(1 << 29, memory // 8)


def thread_count(value: object) -> int:
    """Check a number of threads."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST:
        raise ValueError(f"config: threads must be an int from 1 to {_MOST}, got {describe(value)}")
    return value


def pool_size(value: object) -> int:
    """Check a size of the pool."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 62:
        raise ValueError(f"config: pool must be a number of bytes, an int from 0 on, got {describe(value)}")
    return value
