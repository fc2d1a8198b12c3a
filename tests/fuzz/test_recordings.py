"""The recorded calls of JAX, with the same arrays in other layouts: the results must be the recorded ones."""

import json
import random
import sys
from pathlib import Path

import arrays
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "conformance" / "jax"))

from conformance.jax import replay

#: Recorded calls of each function in the plain run.
CALLS = 3


class Laid(replay.SupremumBackend):
    """Make the arrays of recorded calls in random layouts."""

    def __init__(self, rng):
        self.rng = rng

    def array(self, data):
        if not isinstance(data, np.ndarray) or data.dtype.kind in "SUO":
            return super().array(data)
        return super().array(arrays.laid_out(data, self.rng.choice(arrays.LAYOUTS)))


@pytest.mark.parametrize("group", replay.groups())
def test_answers_are_the_recorded_ones_in_every_layout(group, budget, seed, count):
    rng = random.Random(f"{seed}/{group}")
    for target, every in replay.lines_by_target(group).items():
        # Whether a copy can be avoided depends on the layout.
        lines = [line for line in every if '"copy":false' not in line]
        if not lines or any(word in target for word in IN_PLACE):
            continue
        chosen = [json.loads(line) for line in (lines if budget > 1 else rng.sample(lines, min(CALLS, len(lines))))]
        for _ in range(max(1, budget // 50)):
            result = replay.replay_target(chosen, Laid(rng))
            first = "\n".join(line for mismatch in result.unexplained[:3] for line in mismatch.lines())
            assert not result.unexplained, f"{len(result.unexplained)} of {result.total} calls differ, among them\n{first}"
            count("recorded calls", result.total)


#: Functions that write to their argument, which some layouts refuse, or that show the layout by design.
IN_PLACE = ("setitem", "operator.i", "inplace", "unsafe_buffer", "byteswap", ".view")
