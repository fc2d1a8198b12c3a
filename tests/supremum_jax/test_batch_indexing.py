"""Item access and updates of batches, compared with those of each position, for keys and values that fit or not."""

import collections
import itertools

import numpy as np
import pytest
from batches import Operand, compare, operands, subsets

import supremum as xp

S, V, M, T, U, I, J, N, B, D, P, L, C, G = map(Operand, "svmtuijnbdplcg")  # noqa: E741 - the letters of the operands
_MASK = np.asarray([True, False, True])
KEYS = [
    0, -1, 5, np.int32(1), True, None, ..., "0", 0.5, (), [], [0, 1], [0, 5], _MASK, (0, 1), (0, 1, 0), (0, 5), (0, 0, 0, 0),
    slice(None), slice(0, 2), slice(None, None, -1), slice(5, 9), (slice(None), 0), (..., 0), (..., ...), (None, 0), (0, None),
    J, I, N, S, B, D, (J,), (I, 0), (0, I), (slice(None), I), (I, I), (I, U), (I, slice(None), I), (slice(None), I, I),
    (None, I), (..., I), (I, None, I), (J, slice(1, 3)), (J, J), (J, J, J), ([0, 1], J), (_MASK, J), (_MASK, I), (I, "0"),
    (I, [0, 1]), (N, 0), (G, 0), (slice(J, None), 0),
]  # fmt: skip
UPDATES = [1, 0.5, S, V, M, U, P, L, C, J, I, "0", [1.0, 2.0, 3.0]]
#: Conditions that are mapped select a different number of elements at each position.
REFUSED = "NonConcreteBooleanIndexError"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("out_of_range", ["clip", "raise"])
@pytest.mark.parametrize("method", ["[]", "get", "set", "add", "min", "apply"])
def test_items(method, out_of_range):
    def function(x, key, *values):
        if method == "[]":
            return x[key]
        return getattr(x.at[key], method)(*values, *([xp.sin] if method == "apply" else []))

    counts, wrong, given = collections.Counter(), [], operands()
    values = [()] if method in ("[]", "get", "apply") else [(x,) for x in (UPDATES if method == "set" else UPDATES[:5])]
    for x, key, value in itertools.product((S, V, M, T, N, B) if method == "[]" else (S, V, T), KEYS, values):
        call = [x, key, *value], {}
        for mapped in subsets(call):
            with xp.config.use(x64="off", mutable=False, out_of_range=out_of_range):
                what, difference = compare(function, call, mapped, given)
            counts[what] += 1
            if difference and not difference.startswith(REFUSED):
                wrong.append((call, mapped, difference[:300]))
    assert not wrong, (len(wrong), wrong[:5])
    assert min(counts["value"], counts["error"]) > 100, counts
