"""Arrays go to torch and JAX and come back, in every dtype that both sides have."""

import numpy as np
import pytest

import supremum as xp

COMMON = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bfloat16", "float16", "float32",
          "float64", "complex64", "complex128", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz",
          "float8_e8m0fnu"]  # fmt: skip


def example(name):
    return xp.asarray(np.array([[0, 1, 1], [1, 0, 1]], np.int8)).astype(name)


def same(x, y):
    assert type(y) is xp.Array
    assert y.dtype == x.dtype
    assert np.asarray(y).tobytes() == np.asarray(x).tobytes()


@pytest.mark.parametrize("name", [*COMMON, "complex32"])
def test_torch(name):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    x = example(name)
    tensor = torch.from_dlpack(x)
    assert tensor.dtype is getattr(torch, name)
    y = xp.from_dlpack(tensor)
    same(x, y)
    assert np.shares_memory(np.asarray(x), np.asarray(y))
    same(x, xp.asarray(tensor))
    if name == "bfloat16":
        tensor += 1
        assert x.tolist() == [[1, 2, 2], [2, 1, 2]]


@pytest.mark.parametrize("name", [*COMMON, "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz"])
def test_jax(name):
    jax = pytest.importorskip("jax", reason="jax is not installed")
    x = example(name)
    with jax.enable_x64(True):
        theirs = jax.numpy.from_dlpack(x)
        assert theirs.dtype == x.dtype
        y = xp.from_dlpack(theirs)
        same(x, y)
        same(x, xp.asarray(theirs))
        assert np.shares_memory(np.asarray(y), np.asarray(theirs))
    assert not np.asarray(y).flags.writeable


def test_jax_arrays_that_dlpack_cannot_carry():
    jax = pytest.importorskip("jax", reason="jax is not installed")
    same(example("int4"), xp.asarray(jax.numpy.asarray([[0, 1, 1], [1, 0, 1]], "int4")))
