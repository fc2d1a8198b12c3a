"""Call functions while another thread writes to their operands: a process of its own, which a memory fault would end.

    python tests/fuzz/writers.py SECONDS [NAME ...]

Each operation runs for so many seconds. Its name is written before, so that the last one is what failed. Results may be of
any moment, and so may exceptions for values; but orders are permutations, and positions are in range.
"""

import sys
import threading
import time
import warnings

import numpy as np

import supremum as xp
from supremum.jax import lax, ops

N = 20_000
SIDE = 100
NUMBERS = np.random.default_rng(27)
ELEMENTS = xp.asarray(NUMBERS.random(N).astype(np.float32))
ROWS = xp.asarray(NUMBERS.random((N, 2)))
GRID = xp.asarray(NUMBERS.random((SIDE, N // SIDE)))
#: What an operand that is no index, no mask and no number of repetitions may be.
DTYPES = (
    "bool", "int8", "uint8", "int16", "uint16", "int32", "int64", "uint64", "float16", "bfloat16", "float8_e4m3fn",
    "float8_e5m2", "float4_e2m1fn", "int4", "float32", "float64", "complex64",
)  # fmt: skip


def moments(dtype):
    """Return buffers of which each is copied into the operand in turn: few values, many, NaN, zeros of both signs."""
    bits = NUMBERS.integers(0, 256, N * np.dtype(dtype).itemsize, np.uint8)
    if dtype == "bool":
        return [np.zeros(N, bool), bits < 128, np.ones(N, bool), bits < 8]
    everything = bits.view(dtype)
    few = np.where(bits[:N] < 128, 0, 1).astype(dtype)
    return [
        np.zeros(N, dtype),
        everything,
        everything[::-1],
        few,
        np.sort(few.astype("f4")).astype(dtype),
        -few if dtype[0] == "f" else few,
    ]


def indices(dtype, most=N):
    """Return indices in range, and some of which a few are not."""
    inside = [np.zeros(N, dtype), NUMBERS.integers(-most, most, N).astype(dtype), NUMBERS.integers(0, most, N).astype(dtype)]
    outside = inside[1].copy()
    outside[N // 2 : N // 2 + 9] = [most, -most - 1, 2**31 - 1, -(2**31), 10**6, -(10**6), 2**24, 99_999, -99_999]
    return [*inside * 4, outside]  # so that most calls find all indices in range at first


def counts():
    """Return numbers of repetitions."""
    return [np.zeros(N, np.int64), NUMBERS.integers(0, 3, N), np.full(N, 2), np.eye(1, N, N // 2, dtype=np.int64)[0] * 10_000]


def is_order(found, length=N):
    """Check that positions are each there once."""
    assert np.array_equal(
        np.sort(np.asarray(found).reshape(-1, length)), np.broadcast_to(np.arange(length), (N // length, length))
    )


def in_range(length):
    def check(found):
        for each in found if isinstance(found, tuple) else (found,):
            assert np.all((np.asarray(each) >= 0) & (np.asarray(each) < length))

    return check


def grid(x):
    return x.reshape(SIDE, -1)


def assigned(x, key, value):
    copy = x + 0
    copy[key] = value
    return copy


#: By name: what is done to an operand of any dtype, and a check of the result.
OF_ANY = {
    "sort": (xp.sort, None),
    "sort columns": (lambda x: xp.sort(grid(x), axis=0), None),
    "argsort": (xp.argsort, is_order),
    "argsort descending": (lambda x: xp.argsort(x, descending=True), is_order),
    "argsort rows": (lambda x: xp.argsort(grid(x)), lambda found: is_order(found, N // SIDE)),
    "argsort few": (lambda x: xp.argsort(x.reshape(-1, 20)), lambda found: is_order(found, 20)),
    "lexsort": (lambda x: xp.lexsort((x, x[::-1])), is_order),
    "lexsort of itself": (lambda x: xp.lexsort((x, x)), is_order),
    "lexsort of rows": (lambda x: xp.lexsort((grid(x), grid(x))), lambda found: is_order(found, N // SIDE)),
    "lexsort columns": (lambda x: xp.lexsort((grid(x).T, grid(x).T), axis=0), None),
    "argpartition": (lambda x: xp.argpartition(x, N // 3), is_order),
    "unique_all": (xp.unique_all, None),
    "unique_values": (xp.unique_values, None),
    "unique": (lambda x: xp.unique(x, return_inverse=True, return_counts=True), None),
    "unique rows": (lambda x: xp.unique(grid(x), axis=0), None),
    "intersect1d": (lambda x: xp.intersect1d(x, x[::2]), None),
    "isin": (lambda x: xp.isin(x, x[:50]), None),
    "searchsorted": (lambda x: xp.searchsorted(x, x), in_range(N + 1)),
    "max": (xp.max, None),
    "max of columns": (lambda x: xp.max(grid(x), axis=0), None),
    "min of columns": (lambda x: xp.min(grid(x), axis=0), None),
    "min of rows": (lambda x: xp.min(grid(x), axis=1), None),
    "argmax": (xp.argmax, in_range(N)),
    "argmin of columns": (lambda x: xp.argmin(grid(x), axis=0), in_range(SIDE)),
    "cumulative max": (lambda x: xp.maximum.accumulate(x), None),
    "sum": (xp.sum, None),
    "nonzero": (xp.nonzero, in_range(N)),
    "nonzero of a grid": (lambda x: xp.nonzero(grid(x)), in_range(N)),
    "argwhere": (lambda x: xp.argwhere(grid(x)), in_range(N)),
    "flatnonzero": (xp.flatnonzero, in_range(N)),
    "compress": (lambda x: xp.compress(x, ELEMENTS), None),
    "extract": (lambda x: xp.extract(x, ELEMENTS), None),
    "place": (lambda x: xp.place(ELEMENTS, x, xp.ones(3), inplace=False), None),
    "trim_zeros": (xp.trim_zeros, None),
    "astype": (
        lambda x: [xp.astype(x, to) for to in ("int8", "float32", "bfloat16", "bool", "float8_e5m2", "complex64")],
        None,
    ),
    "where": (lambda x: xp.where(x, x, x[::-1]), None),
    "clip": (lambda x: xp.clip(x, x[0], x[1]), None),
    "add": (lambda x: x + x, None),
    "matmul": (lambda x: grid(x).T @ grid(x), None),
    "quantile": (lambda x: xp.quantile(x, 0.3, method="inverted_cdf"), None),
    "median": (xp.median, None),
    "histogram": (lambda x: xp.histogram(x, bins=7, range=(0, 3)), None),
    "histogram by edges": (lambda x: xp.histogram(ELEMENTS, bins=xp.sort(x[:50])), None),
    "edges": (lambda x: xp.histogram(ELEMENTS, bins=x[:50]), None),
    "digitize": (lambda x: xp.digitize(x, x[:9]), None),
    "interp": (lambda x: xp.interp(x, x, x), None),
    "packbits": (xp.packbits, None),
    "array_equal": (lambda x: xp.array_equal(x, x), None),
    "allclose": (lambda x: xp.allclose(x, x), None),
    "rankdata": (xp.scipy.stats.rankdata, None),
    "lax.sort": (lambda x: lax.sort((x, ELEMENTS)), None),
    "lax.top_k": (lambda x: lax.top_k(x, 50), None),
    "roots": (lambda x: xp.roots(x[:20]), None),
    "repr": (repr, None),
}
#: The same of masks.
OF_MASKS = {
    "mask": (lambda m: ELEMENTS[m], None),
    "mask with strides": (lambda m: ELEMENTS[::2][m[::2]], None),
    "mask of a grid": (lambda m: GRID[grid(m)], None),
    "mask of a turned grid": (lambda m: GRID.T[grid(m).T], None),
    "mask of rows": (lambda m: ROWS[m], None),
    "mask and index": (lambda m: ROWS[m, 0], None),
    "assign": (lambda m: assigned(ELEMENTS, m, 2.0), None),
    "assign an array": (lambda m: assigned(ELEMENTS, m, ELEMENTS[: int(xp.count_nonzero(m))]), None),
    "assign rows": (lambda m: assigned(ROWS, m, 2.0), None),
    "at.set": (lambda m: ELEMENTS.at[m].set(1.0), None),
    "at.add": (lambda m: ROWS.at[m].add(1.0), None),
    "at.get": (lambda m: ELEMENTS.at[m].get(), None),
    "delete": (lambda m: xp.delete(ELEMENTS, m), None),
    "piecewise": (lambda m: xp.piecewise(ELEMENTS, [m], [lambda x: -x]), None),
    "select": (lambda m: xp.select([m, ~m], [ELEMENTS, 1.0]), None),
    "sum where": (lambda m: xp.sum(ELEMENTS, where=m), None),
}
#: The same of indices of N elements.
OF_INDICES = {
    "index": (lambda i: ELEMENTS[i], None),
    "index rows": (lambda i: ROWS[i], None),
    "index with strides": (lambda i: ROWS[i[::2]], None),
    "index columns": (lambda i: ROWS.T[:, i], None),
    "index twice": (lambda i: GRID[i % SIDE, i], None),
    "index elements": (lambda i: ROWS[i, 0], None),
    "take": (lambda i: xp.take(ELEMENTS, i), None),
    "take rows": (lambda i: xp.take(ROWS, i, axis=0), None),
    "take clipped": (lambda i: xp.take(ROWS, i, axis=0, mode="clip"), None),
    "take_along_axis": (lambda i: xp.take_along_axis(ELEMENTS, i), None),
    "take_along_axis of columns": (lambda i: xp.take_along_axis(ROWS, i[:, None], axis=0), None),
    "assign": (lambda i: assigned(ELEMENTS, i, 1.0), None),
    "assign an array": (lambda i: assigned(ELEMENTS, i, ELEMENTS), None),
    "assign rows": (lambda i: assigned(ROWS, i, ROWS), None),
    "assign one row": (lambda i: assigned(ROWS, i, ROWS[0]), None),
    "assign elements": (lambda i: assigned(ROWS, (i, 0), 1.0), None),
    "at.set": (lambda i: ELEMENTS.at[i].set(1.0), None),
    "at.set rows": (lambda i: ROWS.at[i].set(ROWS), None),
    "at.add": (lambda i: ELEMENTS.at[i].add(ELEMENTS), None),
    "at.add rows": (lambda i: ROWS.at[i].add(1.0), None),
    "at.add clipped": (lambda i: ROWS.at[i].add(1.0, mode="clip"), None),
    "at.max": (lambda i: ELEMENTS.at[i].max(0.5), None),
    "at.multiply": (lambda i: xp.astype(ELEMENTS, "bfloat16").at[i].multiply(2.0), None),
    "at.min elements": (lambda i: ROWS.at[i, 0].min(0.5), None),
    "at.power": (lambda i: ELEMENTS.at[i].power(2.0), None),
    "at.apply": (lambda i: ELEMENTS.at[i].apply(xp.negative), None),
    "at.get": (lambda i: ROWS.at[i].get(), None),
    "ufunc.at": (lambda i: xp.maximum.at(ELEMENTS, i, 0.5, inplace=False), None),
    "put": (lambda i: xp.put(ELEMENTS, i, ELEMENTS, inplace=False), None),
    "put_along_axis": (lambda i: xp.put_along_axis(ROWS, i[:, None], 0.0, axis=0, inplace=False), None),
    "delete": (lambda i: xp.delete(ELEMENTS, i, assume_unique_indices=True), None),
    "insert": (lambda i: xp.insert(ELEMENTS, i, 0.0), None),
    "searchsorted": (lambda i: xp.searchsorted(ELEMENTS, ELEMENTS, sorter=i), None),
    "unravel_index": (lambda i: xp.unravel_index(i, GRID.shape), None),
    "ravel_multi_index": (lambda i: xp.ravel_multi_index((i, i), GRID.shape, mode="clip"), None),
    "choose": (lambda i: xp.choose(i, [ELEMENTS, -ELEMENTS], mode="wrap"), None),
    "reduceat": (lambda i: xp.add.reduceat(ELEMENTS, i[:50]), None),
    "bincount": (lambda i: xp.bincount(i), None),
    "bincount to a length": (lambda i: xp.bincount(i, length=50), None),
    "bincount weights": (lambda i: xp.bincount(i, ELEMENTS, length=N), None),
    "segment_sum": (lambda i: ops.segment_sum(ELEMENTS, i, N), None),
    "lax.dynamic_slice": (lambda i: lax.dynamic_slice(ELEMENTS, (i[0],), (9,)), None),
}
#: The same of numbers of repetitions.
OF_COUNTS = {
    "repeat": (lambda c: xp.repeat(ELEMENTS, c), None),
    "repeat rows": (lambda c: xp.repeat(ROWS, c, axis=0), None),
    "repeat to a length": (lambda c: xp.repeat(ELEMENTS, c, total_repeat_length=N), None),
}


def attacks():
    """Return the name of each attack, the moments of the operand, the operation and the check."""
    for dtype in DTYPES:
        for name, row in OF_ANY.items():
            yield f"{name} of {dtype}", moments(dtype), row
    for name, row in OF_MASKS.items():
        yield f"mask: {name}", moments("bool"), row
    for dtype in ("int32", "int64"):
        for name, row in OF_INDICES.items():
            yield f"{dtype} indices: {name}", indices(dtype), row
    for name, row in OF_COUNTS.items():
        yield f"counts: {name}", counts(), row


def attack(data, operation, check, seconds):
    """Call an operation while a thread writes; return how often, and how many calls had a result."""
    shared = data[0].copy()
    x = xp.asarray(shared)
    assert np.shares_memory(np.asarray(x), shared)
    stopped = threading.Event()

    def overwrite():
        while not stopped.is_set():
            for moment in data:
                np.copyto(shared, moment)

    thread = threading.Thread(target=overwrite)
    thread.start()
    calls, results, end = 0, 0, time.monotonic() + seconds
    try:
        while calls < 3 or time.monotonic() < end:
            calls += 1
            try:
                found = operation(x)
            except (IndexError, ValueError, TypeError, OverflowError, MemoryError, NotImplementedError):
                if calls > 3 and time.monotonic() > end:
                    break
                continue
            results += 1
            if check is not None:
                check(found)
    finally:
        stopped.set()
        thread.join()
    return calls, results


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def main(seconds, chosen):
    sys.setswitchinterval(1e-4)
    warnings.simplefilter("ignore")
    total = 0
    for name, data, (operation, check) in attacks():
        if not chosen or any(each in name for each in chosen):
            write(f"{name}: ")
            calls, results = attack(data, operation, check, seconds)
            write(f"{calls} {results}\n")
            total += calls
    write(f"calls: {total}\n")


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2:])
