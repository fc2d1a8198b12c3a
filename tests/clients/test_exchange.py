"""Exchange with NumPy, torch and JAX by DLPack, in both directions, for every dtype of both sides."""

import numpy as np
import pytest
from common import example, same_bits

import supremum as xp

COMMON = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bfloat16", "float16", "float32",
          "float64", "complex64", "complex128", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz",
          "float8_e8m0fnu"]  # fmt: skip


@pytest.mark.parametrize("name", [name for name in COMMON if hasattr(np, name)])
def test_numpy(name):
    x = example(name)
    theirs = np.from_dlpack(x)
    assert theirs.dtype == name
    assert np.shares_memory(theirs, np.asarray(x))
    y = xp.from_dlpack(theirs)
    same_bits(x, y)
    assert np.shares_memory(theirs, np.asarray(y))
    assert not np.shares_memory(np.from_dlpack(x, copy=True), np.asarray(x))


@pytest.mark.parametrize("name", [*COMMON, "complex32"])
def test_torch(name):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    x = example(name)
    tensor = torch.from_dlpack(x)
    assert tensor.dtype is getattr(torch, name)
    y = xp.from_dlpack(tensor)
    same_bits(x, y)
    assert np.shares_memory(np.asarray(x), np.asarray(y))
    same_bits(x, xp.asarray(tensor))
    if name == "bfloat16":
        tensor += 1
        assert x.tolist() == [[1, 2, 2], [2, 1, 2]]


@pytest.mark.parametrize("name", ["float32", "bfloat16", "float8_e5m2"])
def test_copies_to_and_from_torch(name):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    x = example(name)
    assert torch.from_dlpack(x, copy=True).data_ptr() != np.asarray(x).ctypes.data
    assert torch.from_dlpack(x, copy=False).data_ptr() == np.asarray(x).ctypes.data
    assert torch.from_dlpack(x, device="cpu").data_ptr() == np.asarray(x).ctypes.data
    tensor = torch.zeros(3, 2).to(getattr(torch, name))
    for copy, shared in ((None, True), (False, True), (True, False)):
        y = xp.from_dlpack(tensor, copy=copy)
        assert (np.asarray(y).ctypes.data == tensor.data_ptr()) is shared
    same_bits(xp.from_dlpack(tensor).T, xp.from_dlpack(tensor.T))  # strides are exported
    assert xp.from_dlpack(tensor, device="cpu").device == "cpu"
    with pytest.raises(ValueError, match="device"):
        xp.from_dlpack(tensor, device="cuda")
    with pytest.raises(BufferError, match="meta"):
        xp.from_dlpack(torch.zeros(2, device="meta"))
    same_bits(xp.asarray([tensor, tensor]), xp.asarray(torch.stack([tensor, tensor])))
    assert xp.ones((3, 2))[torch.tensor([0, 2])].shape == (2, 2)
    with pytest.raises(TypeError, match=r"to an array \(Tensor\): .*meta"):
        xp.asarray(torch.zeros(2, device="meta"))


@pytest.mark.parametrize("name", ["float32", "bfloat16", "float8_e5m2"])
def test_copies_to_and_from_jax(name):
    jax = pytest.importorskip("jax", reason="jax is not installed")
    x = example(name)
    theirs = jax.numpy.from_dlpack(x)
    aligned = np.zeros(128 + 6 * 4, np.uint8)
    start = -aligned.ctypes.data % 64
    y = xp.asarray(aligned[start : start + x.nbytes].view(np.asarray(x).dtype))
    assert jax.numpy.from_dlpack(y, copy=False).unsafe_buffer_pointer() == np.asarray(y).ctypes.data
    assert np.asarray(xp.from_dlpack(theirs)).ctypes.data == theirs.unsafe_buffer_pointer()
    assert np.asarray(xp.from_dlpack(theirs, copy=True)).flags.writeable


@pytest.mark.parametrize("name", [*COMMON, "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz"])
def test_jax(name):
    jax = pytest.importorskip("jax", reason="jax is not installed")
    x = example(name)
    with jax.enable_x64(True):
        theirs = jax.numpy.from_dlpack(x)
        assert theirs.dtype == x.dtype
        y = xp.from_dlpack(theirs)
        same_bits(x, y)
        same_bits(x, xp.asarray(theirs))
        assert np.shares_memory(np.asarray(y), np.asarray(theirs))
    assert not np.asarray(y).flags.writeable


def test_jax_arrays_that_dlpack_cannot_carry():
    jax = pytest.importorskip("jax", reason="jax is not installed")
    same_bits(example("int4"), xp.asarray(jax.numpy.asarray([[0, 1, 1], [1, 0, 1]], "int4")))


# -- safetensors --------------------------------------------------------------------------------------------------------------

IN_FILES = ["bool", "int8", "int64", "bfloat16", "float16", "float32", "float8_e4m3fn", "float8_e5m2"]


def test_files_of_safetensors_that_numpy_wrote(tmp_path):
    package = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed")
    package.save_file({"x": np.arange(6.0).reshape(2, 3), "y": np.asarray(example("bfloat16"))}, tmp_path / "x")
    found = xp.io.load_safetensors(tmp_path / "x")
    same_bits(xp.asarray(np.arange(6.0).reshape(2, 3)), found["x"])
    same_bits(example("bfloat16"), found["y"])


def test_files_of_safetensors_go_to_torch_and_back(tmp_path):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    package = pytest.importorskip("safetensors.torch", reason="safetensors is not installed")
    arrays = {name: example(name) for name in IN_FILES}
    xp.io.save_safetensors(tmp_path / "x", arrays | {"transposed": example("bfloat16").T})
    tensors = package.load_file(tmp_path / "x")
    for name, x in arrays.items():
        assert tensors[name].dtype is getattr(torch, name)
        same_bits(x, xp.from_dlpack(tensors[name]))
    same_bits(example("bfloat16").T, xp.asarray(tensors["transposed"]))
    package.save_file({name: tensors[name] for name in IN_FILES}, tmp_path / "y")
    found = xp.io.load_safetensors(tmp_path / "y")
    for name, x in arrays.items():
        same_bits(x, found[name])
