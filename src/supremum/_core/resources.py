"""What operations on large arrays may use of the machine: threads, and memory that was used before.

Both belong to the process, as those of a BLAS do, not to a context. The engine in C has them; the reference engine computes by
one thread in NumPy's memory, and only keeps the settings. `pool.c` and `threads.c` say what they do.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Final

from supremum._base.errors import describe
from supremum._base.native import native

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


def _default_threads() -> int:
    """Return `OMP_NUM_THREADS` as a BLAS reads it, or the number of processors."""
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return min(int(first), _MOST) if first.isdecimal() and int(first) > 0 else _cores()


def _default_pool() -> int:
    """Return the smaller one of 512 MiB and an eighth of memory."""
    memory = 1 << 32
    with suppress(AttributeError, OSError, ValueError):
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min(1 << 29, memory // 8)


def _checked_threads(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST:
        raise ValueError(f"config: threads must be an int from 1 to {_MOST}, got {describe(value)}")
    return value


def _checked_pool(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 62:
        raise ValueError(f"config: pool must be a number of bytes, an int from 0 on, got {describe(value)}")
    return value


#: How each setting is checked, found by default, and given to the engine.
RESOURCES: Final = {
    "threads": (_checked_threads, _default_threads, None if native is None else native.set_threads),
    "pool": (_checked_pool, _default_pool, None if native is None else native.set_pool),
}
_values: Final[dict[str, int]] = {}


def resource(name: str) -> int:
    """Return the value of a setting."""
    return _values[name]


def set_resource(name: str, value: object) -> None:
    """Check a setting and set it for the process."""
    check, _, give = RESOURCES[name]
    checked = check(value)
    if give is not None:
        give(checked)
    _values[name] = checked


def _begin() -> None:
    """Set both from the environment, or to their defaults."""
    for name, (_, default, _) in RESOURCES.items():
        variable = f"SUPREMUM_{name.upper()}"
        given = os.environ.get(variable, "").strip()
        try:
            set_resource(name, default() if not given else int(given) if given.isdecimal() else given)
        except ValueError as error:
            raise ValueError(f"{error} (from the environment variable {variable})") from None


_begin()
