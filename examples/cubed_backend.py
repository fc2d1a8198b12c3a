"""Reduce more bfloat16 numbers than fit into memory: cubed with this namespace as its backend, in processes of bounded memory.

    python examples/cubed_backend.py --gigabytes 8 --limit 1

cubed reads the name of its backend from the environment at import, so the variable is set first. Between the steps, chunks are
stored as Zarr arrays, which support bfloat16 after `supremum.zarr.register()`. With `--limit`, the operating system stops a
process that allocates more. The default is small, for a quick run.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
from typing import Any

os.environ["CUBED_BACKEND_ARRAY_API_MODULE"] = "supremum"

import cubed
import cubed.array_api as cp
import numpy as np

import supremum as xp
from supremum.zarr import register

register()  # at import, because the worker processes import this module too
SIDE = 4096  # bytes of a chunk: 32 MB of bfloat16


def numbers(block: xp.Array, block_id: tuple[int, ...]) -> xp.Array:
    """Return the numbers of one chunk: 0, 1, 2, 0, 1, 2, ..., starting with another one in each chunk."""
    values = (np.arange(block.size, dtype=np.uint32).reshape(block.shape) + np.uint32(block_id[0])) % np.uint32(3)
    return xp.asarray(values, dtype=xp.bfloat16)


def centred(block: xp.Array) -> xp.Array:
    """Shift and scale one chunk; the weak 0.5 keeps bfloat16."""
    return (block - 1) * 0.5


class Peak(cubed.Callback):  # type: ignore[misc]  # checkers know cubed as Any
    """The peak memory of all processes."""

    gigabytes = 0.0

    def on_task_end(self, event: Any) -> None:
        """Record the peak memory of one task."""
        self.gigabytes = max(self.gigabytes, (event.peak_measured_mem_end or 0) / 2**30)


def main() -> int:
    """Run the example."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gigabytes", type=float, default=0.0625, help="gigabytes of all numbers")
    parser.add_argument("--limit", type=float, default=0.0, help="limit of the memory of a process in gigabytes; 0: none")
    parser.add_argument("--workers", type=int, default=1, help="number of worker processes")
    options = parser.parse_args()
    if options.limit:
        size = int(options.limit * 2**30)
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))  # worker processes inherit the limit
    count = max(round(options.gigabytes * 2**30 / (SIDE * SIDE * 2)), 1)
    with tempfile.TemporaryDirectory() as folder:
        spec = cubed.Spec(
            folder,
            allowed_mem=f"{options.limit or 1}GB",
            reserved_mem="150MB",
            executor_name="processes",
            executor_options={"max_workers": options.workers},
        )
        frame = cp.zeros((count * SIDE, SIDE), dtype=xp.bool, chunks=(SIDE, SIDE), spec=spec)
        x = cubed.map_blocks(numbers, frame, dtype=xp.bfloat16)
        y = cubed.map_blocks(centred, x, dtype=xp.bfloat16).rechunk((SIDE // 2, SIDE))  # written as bfloat16 and read again
        narrow = cp.astype(y[:, :64], xp.float32)
        results = {
            "mean": cp.mean(y, axis=0),
            "sum": cp.sum(cp.astype(y, xp.float32)),
            "var": cp.var(cp.astype(y, xp.float32)),
            "product": cp.matmul(narrow.T, narrow),
        }
        found = dict(zip(results, cubed.compute(*results.values(), callbacks=[peak := Peak()]), strict=True))
    print(f"{x.nbytes / 2**30:.2f} GB of {y.dtype} in {count} chunks; at most {peak.gigabytes:.2f} GB of memory in a process")
    for name, value in found.items():
        print(f"{name}: {type(value).__name__} {value.dtype} {value.shape}")
    each = (np.arange(3)[:, None] + np.arange(SIDE * SIDE)) % 3 - 1  # chunks start with 0, 1 and 2
    expected = sum(int(each[i % 3].sum()) for i in range(count)) * 0.5
    return 0 if float(found["sum"]) == expected and found["mean"].dtype == xp.bfloat16 else 1


if __name__ == "__main__":
    sys.exit(main())
