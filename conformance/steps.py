"""Print how often some calls go on in another file of the package, as a reader of the engine in Python follows them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import supremum as xp

X, Y = xp.asarray([[2.0, 1.0], [1.0, 3.0]]), xp.asarray([1.0, 2.0])
CALLS: dict[str, Callable[[], Any]] = {
    "sum(x, axis=0)": lambda: xp.sum(X, axis=0),
    "x.at[1].set(1)": lambda: Y.at[1].set(1),
    "linalg.solve(x, y)": lambda: xp.linalg.solve(X, Y),
    "asarray([1, 2.5])": lambda: xp.asarray([1, 2.5]),
}


def steps(call: Callable[[], Any]) -> int:
    """Return how often the next function that a call calls is of another file."""
    call()  # what is kept for further calls is found in the first one
    files: list[str] = []
    sys.setprofile(lambda frame, event, _: files.append(frame.f_code.co_filename) if event == "call" else None)
    call()
    sys.setprofile(None)
    own = [file for file in files if file.startswith(xp.__path__[0])]
    return sum(one != other for one, other in pairwise(own))


if __name__ == "__main__":
    json.dump({name: steps(call) for name, call in CALLS.items()}, sys.stdout)
