"""Arrays are sent to other processes and back, and use memory of a file or memory that processes share."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import shared_memory

import numpy as np
import pytest
from common import example, same_bits

import supremum as xp

DTYPES = ["bool", "int4", "int64", "bfloat16", "float8_e4m3fn", "float32", "complex64"]


def same(x, y):
    same_bits(x, y)
    assert y.weak_type == x.weak_type


# Forking is not tested: other tests may have started threads in this process, and a fork could deadlock.
@pytest.mark.parametrize("method", sorted({*multiprocessing.get_all_start_methods()} - {"fork"}))
def test_processes(method):
    arrays = [example(name) for name in DTYPES] + [xp.asarray(2.5), xp.asarray(2)]
    with ProcessPoolExecutor(1, multiprocessing.get_context(method)) as pool:
        for x, y, doubled in zip(
            arrays, pool.map(xp.transpose, arrays), pool.map(xp.maximum, arrays[-2:], arrays[-2:]), strict=False
        ):
            same(x.T, y)
            assert doubled.weak_type
        assert [y.dtype.name for y in pool.map(xp.sum, arrays)] == [xp.sum(x).dtype.name for x in arrays]


@pytest.mark.parametrize("name", DTYPES)
def test_memory_of_a_file(tmp_path, name):
    x = example(name)
    xp.io.tofile(x, tmp_path / "x")
    mapped = np.memmap(tmp_path / "x", np.asarray(x).dtype, "r+", shape=x.shape)
    y = xp.asarray(mapped)
    same(x, y)
    assert np.shares_memory(np.asarray(y), mapped)
    y[0, 0] = xp.ones((), dtype=name)
    mapped.flush()
    assert bool(xp.fromfile(tmp_path / "x", dtype=name)[0] == 1)
    fixed = xp.asarray(np.memmap(tmp_path / "x", np.asarray(x).dtype, "r", shape=x.shape))
    same(y, fixed)
    with pytest.raises(ValueError, match="read-only"):
        fixed[0, 0] = xp.zeros((), dtype=name)


@pytest.mark.parametrize("name", DTYPES)
def test_memory_of_several_processes(name):
    x = example(name)
    block = shared_memory.SharedMemory(create=True, size=x.nbytes)
    try:
        y = xp.asarray(np.ndarray(x.shape, np.asarray(x).dtype, block.buf))
        y[...] = x
        same(x, y)
        assert bytes(block.buf[: x.nbytes]) == np.asarray(x).tobytes()
        del y
    finally:
        block.close()
        block.unlink()
