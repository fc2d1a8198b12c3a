"""Zarr arrays of the dtypes of ml_dtypes; the names and layouts are those of Zarr's registry of extensions."""

import json
import pickle

import numpy as np
import pytest

import supremum as xp
from supremum.promotion._nodes import NODES

zarr = pytest.importorskip("zarr", reason="zarr is not installed")

from supremum.zarr import register  # noqa: E402 - importorskip must be called first

register()
NARROW = [name for name, node in NODES.items() if node.dtype is not None and node.dtype.isbuiltin != 1]


def example(name):
    return xp.asarray(np.resize(np.array([0, 1, 1, 0, 1], np.int8), (5, 4))).astype(name)


@pytest.mark.parametrize("name", NARROW)
def test_an_array_comes_back(tmp_path, name):
    x = example(name)
    stored = zarr.create_array(tmp_path / "x", shape=x.shape, chunks=(2, 3), dtype=x.dtype)
    stored[:] = np.asarray(x)
    found = zarr.open_array(tmp_path / "x", mode="r")
    assert found.dtype == x.dtype
    assert found[:].tobytes() == np.asarray(x).tobytes()
    assert xp.asarray(found[1:3]).dtype == x.dtype
    assert pickle.loads(pickle.dumps(found)).dtype == x.dtype
    said = json.loads((tmp_path / "x/zarr.json").read_text())
    assert said["data_type"] == {"complex32": "complex_float16", "bcomplex32": "complex_bfloat16"}.get(name, name)


def test_the_layout(tmp_path):
    """Zarr's extension bfloat16: two bytes in the codec's byte order."""
    for endian, expected in (("little", b"\x80\x3f\xc0\x7f"), ("big", b"\x3f\x80\x7f\xc0")):
        stored = zarr.create_array(
            tmp_path / endian,
            shape=(2,),
            dtype=np.dtype(xp.bfloat16),
            compressors=None,
            serializer=zarr.codecs.BytesCodec(endian=endian),
        )
        stored[:] = np.asarray(xp.asarray([1, float("nan")], dtype="bfloat16"))
        assert (tmp_path / endian / "c/0").read_bytes() == expected
        assert zarr.open_array(tmp_path / endian)[:].astype(float).tolist() == [1, pytest.approx(np.nan, nan_ok=True)]


FILLS = [
    ("bfloat16", 1.5, 1.5), ("bfloat16", float("nan"), "NaN"), ("bfloat16", float("-inf"), "-Infinity"),
    ("int4", -3, -3), ("float8_e5m2", float("inf"), "Infinity"),
]  # fmt: skip


@pytest.mark.parametrize("name, fill, written", FILLS)
def test_fill_values(tmp_path, name, fill, written):
    zarr.create_array(tmp_path / "x", shape=(2,), dtype=np.dtype(NODES[name].dtype), fill_value=fill)
    assert json.loads((tmp_path / "x/zarr.json").read_text())["fill_value"] == written
    np.testing.assert_array_equal(zarr.open_array(tmp_path / "x")[:].astype(float), [fill, fill])


def test_other_fill_values(tmp_path):
    for dtype, written, bits in (("bfloat16", "0x7fc1", 0x7FC1), ("complex32", [1.0, "NaN"], 0x7E003C00)):
        if dtype in NODES:
            zarr.create_array(tmp_path / dtype, shape=(1,), dtype=np.dtype(NODES[dtype].dtype))
            file = tmp_path / dtype / "zarr.json"
            file.write_text(json.dumps(json.loads(file.read_text()) | {"fill_value": written}))
            found = zarr.open_array(file.parent)
            assert found[:].view(f"u{found.dtype.itemsize}")[0] == bits
            assert found.metadata.to_dict()["fill_value"] == written


def test_format_2_has_no_names(tmp_path):
    with pytest.raises(ValueError, match="zarr_format=3"):
        zarr.create_array(tmp_path / "x", shape=(2,), dtype=np.dtype(xp.bfloat16), zarr_format=2)
