"""Reduce more bfloat16 numbers than fit into memory: dask with supremum's arrays as chunks, one at a time.

    python examples/dask_out_of_memory.py --gigabytes 8 --limit 1

Chunks are created when they are needed and freed after use. With `--limit`, the operating system stops the process if it
allocates more. The default is small, for a quick run.
"""

from __future__ import annotations

import argparse
import resource
import sys

import dask
import dask.array as da
import numpy as np

import supremum as xp
from supremum.dask import register

ROWS = 4096  # bytes of a chunk: 32 MB of bfloat16


def chunk(block: np.ndarray) -> xp.Array:
    """Return one chunk of bfloat16 numbers with a known mean."""
    seed = int(block.ravel()[0])
    numbers = (np.arange(ROWS * 4096, dtype=np.uint32).reshape(ROWS, 4096) + np.uint32(seed)) % np.uint32(3)
    return xp.asarray(numbers, dtype=xp.bfloat16)


def column_sums(block: xp.Array) -> xp.Array:
    """Sum the columns of one chunk exactly."""
    return xp.sum(block, axis=0, dtype=xp.float32)[None]


def one_product(block: xp.Array) -> xp.Array:
    """Return one element of a product of matrices in bfloat16."""
    return (block[:64] @ block[:64].T)[:1, :1]


def main() -> int:
    """Run the example."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gigabytes", type=float, default=0.125, help="gigabytes of all numbers")
    parser.add_argument("--limit", type=float, default=0.0, help="limit of the memory of the process in gigabytes; 0: none")
    options = parser.parse_args()
    if options.limit:
        size = int(options.limit * 2**30)
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))
    register()
    count = max(int(options.gigabytes * 2**30 / (ROWS * 4096 * 2)), 1)
    seeds = da.arange(count, chunks=1)[:, None]
    x = seeds.map_blocks(
        chunk, chunks=((ROWS,) * count, (4096,)), dtype=xp.bfloat16.dtype, meta=xp.zeros((0, 0), dtype=xp.bfloat16)
    )
    scaled = x.map_blocks(lambda block: (block - 1) * 0.5, dtype=x.dtype)  # the weak 0.5 keeps bfloat16
    other = scaled.rechunk((ROWS // 2, 2048))  # chunks of a different shape
    results = {
        "totals": scaled.map_blocks(column_sums, dtype=np.float32, chunks=((1,) * count, (4096,))).sum(axis=0),
        "mean": other.mean(axis=0),
        "std": other.astype(np.float32).std(),
        "largest": abs(other).max(),
        "product": scaled.map_blocks(one_product, dtype=x.dtype, chunks=((1,) * count, (1,))).max(),
    }
    with dask.config.set(scheduler="synchronous"):
        (found,) = dask.compute(results)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{x.nbytes / 2**30:.2f} GB of {x.dtype} in {count} chunks; at most {peak:.2f} GB of memory")
    for name, value in found.items():
        print(f"{name}: {type(value).__name__} {value.dtype} {value.shape}")
    print(f"largest {found['largest']!r}, a product {found['product']!r}")
    return 0 if found["largest"] == 0.5 and found["mean"].dtype == xp.bfloat16 else 1


if __name__ == "__main__":
    sys.exit(main())
