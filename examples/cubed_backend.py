"""The namespace as cubed's backend: chunks on disk, workers with bounded memory, bfloat16 inside the chunks.

    python examples/cubed_backend.py --gigabytes 1 --memory 400MB

cubed reads which namespace it uses from the environment when it is imported, so the variable is set first. What lies on disk
between the steps is a Zarr array, and Zarr has no bfloat16: so the narrow dtype lives inside `map_blocks`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile

os.environ["CUBED_BACKEND_ARRAY_API_MODULE"] = "supremum"

import cubed
import cubed.array_api as cp
import numpy as np

import supremum as xp

SIDE = 2048  # of a chunk: 16 MB of float32


def rounded(block: xp.Array) -> xp.Array:
    """Compute in bfloat16; the weak 0.5 does not widen it."""
    return (block.astype(xp.bfloat16) * 0.5).astype(xp.float32)


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gigabytes", type=float, default=0.0625, help="bytes of the numbers as float32")
    parser.add_argument("--memory", default="400MB", help="what a worker may use")
    options = parser.parse_args()
    chunks = max(round(options.gigabytes * 2**30 / (SIDE * SIDE * 4)), 1)
    with tempfile.TemporaryDirectory() as folder:
        spec = cubed.Spec(folder, allowed_mem=options.memory, reserved_mem="150MB")
        x = cp.ones((chunks * SIDE, SIDE), dtype=np.dtype("float32"), chunks=(SIDE, SIDE), spec=spec)
        y = cubed.map_blocks(rounded, x, dtype=x.dtype)
        total = cp.sum(y).compute()
        mean = cp.mean(y.rechunk((SIDE, SIDE // 2)), axis=0).compute()
    print(f"{x.nbytes / 2**30:.2f} GB in {chunks} chunks: sum {total!r}, {type(mean).__name__} {mean.dtype} {mean.shape}")
    return 0 if float(total) == chunks * SIDE * SIDE * 0.5 else 1


if __name__ == "__main__":
    sys.exit(main())
