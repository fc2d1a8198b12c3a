"""Files: every dtype round-trips, NumPy reads the files, and damaged or hostile files are refused with little memory."""

import io
import pickle
import struct
import sys
import tracemalloc
import zipfile

import ml_dtypes
import numpy as np
import pytest
from common import for_each, same_bits
from hypothesis import given, settings, strategies as st

import supremum as xp
from supremum.promotion._nodes import NODES

DTYPES = [node.dtype for node in NODES.values()]
SHAPES = [(), (0,), (3,), (2, 3), (2, 0, 3)]


def example(dtype, shape):
    numbers = np.resize(np.array([0, 1, 1, 0, 1], np.int8), shape)
    return xp.asarray(numbers).astype(dtype)


def written(x):
    file = io.BytesIO()
    xp.save(file, x)
    return file.getvalue()


def read(content, **options):
    return xp.load(io.BytesIO(content), **options)


@pytest.mark.combinations
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_dtype_comes_back(dtype, shape):
    x = example(dtype, shape)
    same_bits(read(written(x)), x)


@for_each("dtype", DTYPES, identity=str)
def test_numpy_opens_what_is_written(dtype):
    x = example(dtype, (2, 3))
    found = np.load(io.BytesIO(written(x)), allow_pickle=False)
    assert found.shape == (2, 3)
    assert found.dtype == (dtype if dtype.isbuiltin == 1 else np.dtype(f"V{dtype.itemsize}"))
    assert found.tobytes() == np.asarray(x).tobytes()
    assert found.view(dtype).dtype == dtype


@pytest.mark.combinations
@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype.isbuiltin == 1], ids=str)
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_what_numpy_writes_is_read(dtype, order, version):
    file = io.BytesIO()
    np.lib.format.write_array(file, np.asarray(example(dtype, (2, 3))).astype(dtype.newbyteorder(order)), version)
    same_bits(read(file.getvalue()), example(dtype, (2, 3)))


def test_a_void_file_of_numpys():
    file = io.BytesIO()
    np.save(file, np.ones(3, ml_dtypes.bfloat16))
    same_bits(read(file.getvalue()), xp.ones(3, dtype="bfloat16"))
    file = io.BytesIO()
    np.save(file, np.ones(3, ml_dtypes.float8_e5m2))
    with pytest.raises(ValueError, match="dtype="):
        read(file.getvalue())
    same_bits(read(file.getvalue(), dtype="float8_e5m2"), xp.ones(3, dtype="float8_e5m2"))
    with pytest.raises(ValueError, match="bytes"):
        read(file.getvalue(), dtype="float32")


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int4"])
def test_layouts(dtype):
    x = example(dtype, (4, 6))
    for view in (x.T, x[::2, ::-1], x[:, 1]):
        same_bits(read(written(view)), view)
    assert np.asarray(read(written(x.T))).flags.f_contiguous


def test_several_in_one_file_and_names(tmp_path):
    file = io.BytesIO()
    for dtype in ("bfloat16", "int8"):
        xp.save(file, xp.ones(3, dtype=dtype))
    file.seek(0)
    assert [xp.load(file).dtype.name for _ in range(2)] == ["bfloat16", "int8"]
    xp.save(tmp_path / "x", [1, 2])
    assert xp.load(tmp_path / "x.npy").tolist() == [1, 2]
    with pytest.raises(FileNotFoundError):
        xp.load(tmp_path / "absent")
    with pytest.raises(TypeError, match="file"):
        xp.load(3)


def test_without_64_bits():
    content = written(xp.ones(3, dtype="float64"))
    with xp.config.use(x64="off"):
        assert read(content).dtype == np.float32


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "uint2"])
def test_memory_maps(tmp_path, dtype):
    path = tmp_path / "x.npy"
    x = example(dtype, (2, 3))
    xp.save(path, x)
    same_bits(xp.load(path, mmap_mode="r"), x)
    mapped = xp.load(path, mmap_mode="r+")
    mapped[0, 0] = 1
    del mapped
    assert xp.load(path)[0, 0] == 1
    assert not np.asarray(xp.load(path, mmap_mode="r")).flags.writeable
    with pytest.raises(ValueError, match="name"):
        read(path.read_bytes(), mmap_mode="r")


@pytest.mark.parametrize("write", [xp.savez, xp.savez_compressed])
def test_archives(tmp_path, write):
    arrays = {dtype.name: example(dtype, (2, 3)) for dtype in DTYPES}
    write(tmp_path / "x", xp.ones(2), **arrays)
    with xp.load(tmp_path / "x.npz") as archive:
        assert list(archive) == archive.files == ["arr_0", *arrays]
        assert len(archive) == len(arrays) + 1
        for name, x in arrays.items():
            same_bits(archive[name], x)
        with pytest.raises(KeyError, match="absent"):
            archive["absent"]
    with np.load(tmp_path / "x.npz") as theirs:
        assert theirs["int8"].tolist() == arrays["int8"].tolist()
    with pytest.raises(ValueError, match="arr_0"):
        write(tmp_path / "y", 1, arr_0=2)


def test_archives_of_numpys():
    file = io.BytesIO()
    np.savez_compressed(file, a=np.arange(3), b=np.ones((2, 2)))
    file.seek(0)
    archive = xp.load(file)
    same_bits(archive["b"], xp.ones((2, 2), dtype="float64"))
    assert archive["a"].dtype == np.int64


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_bare_bytes(tmp_path, dtype):
    x = example(dtype, (2, 3))
    xp.io.tofile(x.T, tmp_path / "x")
    same_bits(xp.fromfile(tmp_path / "x", dtype=dtype), xp.reshape(x.T, (6,)))


# -- refused files ------------------------------------------------------------------------------------------------------------


class Bomb:
    def __reduce__(self):
        return (pytest.fail, ("unpickled",))


def test_nothing_is_unpickled_unasked():
    objects = io.BytesIO()
    np.save(objects, np.array([{"a": 1}, None], object))
    for content in (pickle.dumps(Bomb()), objects.getvalue()):
        with pytest.raises(ValueError, match="allow_pickle"):
            read(content)
    assert read(objects.getvalue(), allow_pickle=True)[0] == {"a": 1}
    assert read(pickle.dumps([1, 2]), allow_pickle=True) == [1, 2]
    # The text of Python 2, as `pickle.dumps("\xe9", 0)` wrote it there.
    assert read(b"S'\\xe9'\n.", allow_pickle=True, encoding="latin1") == "\xe9"
    assert read(b"S'\\xe9'\n.", allow_pickle=True, encoding="bytes") == b"\xe9"
    file = io.BytesIO()
    np.savez(file, a=np.array([Bomb()], object))
    with pytest.raises(ValueError, match="pickled"):
        read(file.getvalue())["a"]
    with pytest.raises(TypeError):
        xp.save(io.BytesIO(), [None])


def npy(header, data=b"", version=1):
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + length + header.encode("latin1") + data


HOSTILE = {
    "empty": b"",
    "other": b"hello, world",
    "magic alone": b"\x93NUMPY",
    "version": b"\x93NUMPY\x09\x00\x00\x00",
    "length": b"\x93NUMPY\x02\x00\xff\xff\xff\xff",
    "no dictionary": npy("hello"),
    "code": npy("{'descr': __import__('os').getpid(), 'fortran_order': False, 'shape': (), }"),
    "deep": npy("(" * 9000),
    "structured": npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", bytes(4)),
    "dates": npy("{'descr': '<M8[s]', 'fortran_order': False, 'shape': (1,), }", bytes(8)),
    "strings": npy("{'descr': '<U1', 'fortran_order': False, 'shape': (1,), }", bytes(4)),
    "no such dtype": npy("{'descr': '<f3', 'fortran_order': False, 'shape': (1,), }", bytes(4)),
    "wide void": npy("{'descr': '|V99', 'fortran_order': False, 'shape': (1,), }", bytes(99)),
    "order": npy("{'descr': '<f4', 'fortran_order': 'x', 'shape': (1,), }", bytes(4)),
    "keys": npy("{'descr': '<f4', 'shape': (1,), }", bytes(4)),
    "note": npy("{'descr': '|V2', 'fortran_order': False, 'shape': (1,), } # supremum: floaty", bytes(2)),
    "note of another width": npy("{'descr': '|V2', 'fortran_order': False, 'shape': (1,), } # supremum: int4", bytes(2)),
    "negative": npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", bytes(4)),
    "huge": npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,), }", bytes(4)),
    "huger": npy("{'descr': '<f4', 'fortran_order': False, 'shape': (" + "9" * 4000 + ",), }", bytes(4)),
    "huge and empty": npy("{'descr': '<f4', 'fortran_order': False, 'shape': (0, " + "9" * 30 + "), }"),
    "dimensions": npy("{'descr': '<f4', 'fortran_order': False, 'shape': (" + "1, " * 100 + "), }", bytes(4)),
    "digits": npy("{'descr': '<f4', 'fortran_order': False, 'shape': (" + "9" * 9000 + ",), }", bytes(4)),
    "truncated": written(xp.ones(1000))[:-1],
}


class Pipe(io.RawIOBase):
    """A stream that does not support seeking."""

    def __init__(self, content):
        self._content = io.BytesIO(content)

    def read(self, size=-1):
        return self._content.read(size)

    def seek(self, *args):
        raise io.UnsupportedOperation

    tell = seek


@for_each("content", HOSTILE.values())
@for_each("stream", [io.BytesIO, Pipe])
def test_hostile_files_give_clear_errors_for_little_memory(content, stream):
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="load: "):
            xp.load(stream(content))
        assert tracemalloc.get_traced_memory()[1] < 1 << 22
    finally:
        tracemalloc.stop()


def test_a_stream_that_cannot_be_sought():
    x = xp.arange(1_000_000, dtype="float32")
    same_bits(xp.load(Pipe(written(x))), x)


def test_archives_that_lie():
    file = io.BytesIO()
    xp.savez_compressed(file, a=xp.zeros(1000))
    content = bytearray(file.getvalue())
    directory = content.index(b"PK\x01\x02")
    content[directory + 24 : directory + 28] = struct.pack("<I", 0xFFFFFFF0)
    with pytest.raises(ValueError, match="damaged"):
        read(bytes(content))["a"]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("a.npy", written(xp.ones(3)))
        archive.writestr("b.txt", b"hello")
    for name in ("a", "b.txt"):
        with pytest.raises(ValueError, match="load: "):
            read(file.getvalue())[name]


CONTENTS = [written(example(dtype, (3, 2))) for dtype in ("float32", "bfloat16", "bool", "int4")]


def archived(compression):
    file = io.BytesIO()
    compression(file, a=xp.ones(30), b=xp.ones(3, dtype="bfloat16"))
    return file.getvalue()


CONTENTS += [archived(xp.savez), archived(xp.savez_compressed)]


@settings(max_examples=6_000 if "--fuzz-long" in sys.argv else 300)
@given(
    st.sampled_from(CONTENTS),
    st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=4),
    st.integers(0, 400),
)
def test_damaged_files_are_read_or_refused(content, changes, cut):
    damaged = bytearray(content[: len(content) - cut] if cut < 100 else content)
    for position, byte in changes:
        if damaged:
            damaged[position % len(damaged)] = byte
    try:
        found = read(bytes(damaged))
        for name in found if isinstance(found, xp.io.Archive) else ():
            found[name]
    except ValueError as error:
        assert str(error).startswith("load: ")  # noqa: PT017 - both a result and an error are allowed


@pytest.mark.parametrize("order", "<>|")
@pytest.mark.parametrize("mmap_mode", [None, "r"])
def test_files_of_processors_of_either_byte_order(tmp_path, order, mmap_mode):
    content = written(xp.asarray([1.5, -2.0], dtype="bfloat16"))
    code = content.index(b"V2") - 1
    end = content.index(b"\n") + 1
    stored = struct.pack(">2H" if order == ">" else "<2H", 0x3FC0, 0xC000)
    path = tmp_path / "x.npy"
    path.write_bytes(content[:code] + order.encode() + content[code + 1 : end] + stored)
    same_bits(xp.load(path, mmap_mode=mmap_mode), xp.asarray([1.5, -2.0], dtype="bfloat16"))
    # The same file is what is written on a processor of that byte order.
    if order == {"little": "|", "big": ">"}[sys.byteorder]:
        assert path.read_bytes() == content


# -- safetensors --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [False, True])
def test_safetensors_are_little_endian(monkeypatch, other):
    package = pytest.importorskip("safetensors", reason="the extra 'io' is not installed")
    monkeypatch.setattr(xp.io, "_BIG", xp.io._BIG ^ other)  # as if this processor had the other byte order
    arrays = {"a": xp.asarray([1.5, -2.0]), "b": xp.asarray([1.5], dtype="bfloat16"), "c": xp.asarray(1 - 2j)}
    file = io.BytesIO()
    xp.io.save_safetensors(file, arrays)
    stored = {name: bytes(tensor["data"]) for name, tensor in package.deserialize(file.getvalue())}
    order = ">" if other else "<"
    assert stored == {
        "a": struct.pack(f"{order}2f", 1.5, -2.0),
        "b": struct.pack(f"{order}H", 0x3FC0),
        "c": struct.pack(f"{order}2f", 1.0, -2.0),
    }
    for name, found in xp.io.load_safetensors(io.BytesIO(file.getvalue())).items():
        same_bits(found, arrays[name])


def test_safetensors(tmp_path):
    pytest.importorskip("safetensors", reason="the extra 'io' is not installed")
    names = ["bool", "int8", "uint64", "bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "float64", "complex64"]
    arrays = {name: example(name, (2, 3)) for name in names} | {"0-d": xp.ones((), dtype="bfloat16")}
    xp.io.save_safetensors(tmp_path / "x.safetensors", arrays, {"who": "me"})
    found = xp.io.load_safetensors(tmp_path / "x.safetensors")
    assert found.keys() == arrays.keys()
    for name, x in arrays.items():
        same_bits(found[name], x)
    with pytest.raises(ValueError, match="int4"):
        xp.io.save_safetensors(tmp_path / "y", {"a": xp.ones(2, dtype="int4")})
    with pytest.raises(ValueError, match="load_safetensors"):
        xp.io.load_safetensors(io.BytesIO(b"hello, world"))


@settings(max_examples=6_000 if "--fuzz-long" in sys.argv else 300)
@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), max_size=4), st.integers(0, 300))
def test_damaged_safetensors_are_read_or_refused(changes, cut):
    pytest.importorskip("safetensors", reason="the extra 'io' is not installed")
    file = io.BytesIO()
    xp.io.save_safetensors(file, {"a": xp.ones(7, dtype="bfloat16"), "b": xp.ones((2, 3))})
    content = file.getvalue()
    damaged = bytearray(content[: len(content) - cut] if cut < 100 else content)
    for position, byte in changes:
        if damaged:
            damaged[position % len(damaged)] = byte
    try:
        xp.io.load_safetensors(io.BytesIO(bytes(damaged)))
    except (ValueError, TypeError) as error:
        assert "load_safetensors" in str(error)  # noqa: PT017 - both a result and an error are allowed


@pytest.mark.parametrize("name", ["save", "savez", "savez_compressed"])
def test_arrays_of_python_objects_are_pickled_as_numpy_and_jax_do(name):
    objects, file = np.array([1, "a", None], dtype=object), io.BytesIO()
    getattr(xp, name)(file, objects)
    file.seek(0)
    found = np.load(file, allow_pickle=True)
    assert (found if name == "save" else found["arr_0"]).tolist() == [1, "a", None]
    file.seek(0)
    if name == "save":
        assert xp.load(file, allow_pickle=True).tolist() == [1, "a", None]
        file.seek(0)
        with pytest.raises(ValueError, match="load"):
            xp.load(file)
    with pytest.raises(ValueError, match=f"{name}: .*allow_pickle=True"):
        getattr(xp, name)(io.BytesIO(), objects, allow_pickle=False)
    getattr(xp, name)(io.BytesIO(), xp.ones(2), allow_pickle=False)
