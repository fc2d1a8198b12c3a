"""einops.array_api with our arrays."""

import numpy as np
import pytest
from client_checks import ours

import supremum as xp

pytest.importorskip("einops", reason="einops is not installed")
from einops import array_api as e

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)

CALLS = {
    "flatten": lambda x: e.rearrange(x, "a b c -> (a b) c"),
    "transpose": lambda x: e.rearrange(x, "a b c -> c b a"),
    "split": lambda x: e.rearrange(x, "a b (c d) -> a d b c", d=2),
    "sum": lambda x: e.reduce(x, "a b c -> b", "sum"),
    "mean": lambda x: e.reduce(x, "a b (c d) -> a c", "mean", d=2),
    "max": lambda x: e.reduce(x, "a b c -> ()", "max"),
    "repeat": lambda x: e.repeat(x, "a b c -> a b r c", r=2),
    "pack": lambda x: e.pack([x, x], "a * c")[0],
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_call(name, dtype):
    expected = CALLS[name](np.asarray(X))
    ours(CALLS[name](xp.asarray(X, dtype=dtype)), expected, dtype, rtol=0.01)
