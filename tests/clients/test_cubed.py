"""cubed with this namespace as its backend; cubed reads the backend at import, so the tests run it in another process."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("cubed", reason="cubed is not installed")

SCRIPT = """
import sys
import numpy as np, cubed, cubed.array_api as c
import supremum as xp
from supremum.zarr import register

X = np.arange(24, dtype=np.float32).reshape(4, 6)
CALLS = {
    "add": lambda a: a + a,
    "weak scalar": lambda a: 2 * a + 1.5,
    "sin": lambda a: c.sin(a),
    "sum": lambda a: c.sum(a),
    "mean": lambda a: c.mean(a, axis=0),
    "max": lambda a: c.max(a, axis=1),
    "var": lambda a: c.var(a),
    "matmul": lambda a: c.matmul(a, a.T),
    "rechunk": lambda a: a.rechunk((4, 1)) + a.rechunk((4, 1)),
    "concat": lambda a: c.concat([a, a]),
    "slices": lambda a: a[1:, ::2],
    "take": lambda a: a[[2, 0]],
    "narrow inside": lambda a: cubed.map_blocks(
        lambda block: (block.astype("bfloat16") * 2).astype("float32"), a, dtype=a.dtype
    ),
}
# What cubed's list of dtypes lets through.
NARROW = {
    "mean": lambda a: c.mean(a, axis=0),
    "rechunk": lambda a: a.rechunk((4, 1)).rechunk((1, 6)),
    "concat": lambda a: c.concat([a, a]),
    "stack": lambda a: c.stack([a, a]),
    "slices": lambda a: a[1:, ::2],
    "take": lambda a: a[[2, 0]],
    "reshape": lambda a: c.reshape(a, (24,)),
    "where": lambda a: c.where(a < 3, a, a),
    "map_blocks": lambda a: cubed.map_blocks(lambda block: 2 * block + 1.5, a, dtype=a.dtype),
}
spec = cubed.Spec(sys.argv[1], allowed_mem="200MB", reserved_mem="50MB")
if sys.argv[2] == "ours":
    register()
    for name, call in NARROW.items():
        found = call(cubed.from_array(xp.asarray(X, dtype="bfloat16"), chunks=(2, 3), spec=spec)).compute()
        assert type(found) is xp.Array, (name, type(found))
        assert found.dtype == xp.bfloat16, (name, found.dtype)
        np.save(f"{sys.argv[1]}/narrow {name}.npy", np.asarray(found, np.float32))
    for name, call in CALLS.items():
        found = call(cubed.from_array(xp.asarray(X), chunks=(2, 3), spec=spec)).compute()
        assert type(found) is xp.Array, (name, type(found))
        assert found.dtype == np.float32, (name, found.dtype)
        np.save(f"{sys.argv[1]}/{name}.npy", np.asarray(found))
else:
    for name, call in CALLS.items():
        if name != "narrow inside":
            expected = call(cubed.from_array(X, chunks=(2, 3), spec=spec)).compute()
            np.testing.assert_allclose(np.load(f"{sys.argv[1]}/{name}.npy"), expected, rtol=1e-5, err_msg=name)
    for name, call in NARROW.items():  # whole numbers that bfloat16 has
        expected = call(cubed.from_array(X, chunks=(2, 3), spec=spec)).compute()
        np.testing.assert_array_equal(np.load(f"{sys.argv[1]}/narrow {name}.npy"), expected, err_msg=name)
"""


def test_as_backend(tmp_path):
    for side, module in (("ours", "supremum"), ("theirs", "numpy")):
        environment = os.environ | {"CUBED_BACKEND_ARRAY_API_MODULE": module}
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(tmp_path), side], env=environment, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stderr[-2000:]
