"""DLPack capsules of every dtype, exported and imported; `dlpack.h` is the authority."""

import gc

import numpy as np
import pytest
from common import example, for_each

import supremum as xp
from supremum._core.dlpack import _opened
from supremum.promotion._nodes import NODES

#: Type code and bits of dlpack.h (1.1).
TYPES = {
    "bool": (6, 8), "int8": (0, 8), "uint16": (1, 16), "float16": (2, 16), "float64": (2, 64), "complex64": (5, 64),
    "bfloat16": (4, 16), "complex32": (5, 32), "float8_e3m4": (7, 8), "float8_e4m3": (8, 8), "float8_e4m3b11fnuz": (9, 8),
    "float8_e4m3fn": (10, 8), "float8_e4m3fnuz": (11, 8), "float8_e5m2": (12, 8), "float8_e5m2fnuz": (13, 8),
    "float8_e8m0fnu": (14, 8),
}  # fmt: skip
TYPES = {name: pair for name, pair in TYPES.items() if name in NODES}
READ_ONLY, COPIED = 1, 2


class Exporter:
    """An array of another library."""

    def __init__(self, x, device=(1, 0), versions=True):
        self.x, self.device, self.versions = x, device, versions

    def __dlpack__(self, **options):
        if options and not self.versions:
            raise TypeError("unexpected keyword argument")
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device


@for_each("name", TYPES)
@for_each("version", [None, (1, 0), (1, 1), (2, 0)])
def test_the_capsule_says_what_the_array_is(name, version):
    x = example(name)
    capsule = x.__dlpack__(max_version=version)
    tensor, managed = _opened(capsule)
    assert (tensor.code, tensor.bits, tensor.lanes) == (*TYPES[name], 1)
    assert tensor.data == np.asarray(x).ctypes.data
    assert (tensor.ndim, tensor.device_type, tensor.device_id) == (2, 1, 0)
    assert (managed is None) is (version is None)
    assert managed is None or (managed.major == 1 and managed.flags == 0)


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("versions", [True, False])
def test_an_array_comes_back_without_a_copy(name, versions):
    x = example(name)
    y = xp.from_dlpack(Exporter(x, versions=versions))
    assert y.dtype == x.dtype
    assert np.asarray(y).tobytes() == np.asarray(x).tobytes()
    assert np.shares_memory(np.asarray(x), np.asarray(y))
    expected = np.asarray(y).tobytes()
    del x
    gc.collect()
    assert np.asarray(y).tobytes() == expected


@pytest.mark.parametrize("name", ["float32", "bfloat16"])
def test_copies(name):
    x = example(name)
    assert not np.shares_memory(np.asarray(xp.from_dlpack(Exporter(x), copy=True)), np.asarray(x))
    assert np.shares_memory(np.asarray(xp.from_dlpack(Exporter(x), copy=False)), np.asarray(x))
    assert _opened(x.__dlpack__(copy=True, max_version=(1, 0)))[1].flags == COPIED
    with pytest.raises(BufferError, match="copy"):
        xp.from_dlpack(Exporter(x, versions=False), copy=True)


@pytest.mark.parametrize("name", ["float32", "bfloat16"])
def test_a_copy_can_be_written_to(name):
    x = example(name)
    x._data.flags.writeable = False
    y = xp.from_dlpack(Exporter(x), copy=True)
    y[0, 0] = 1
    assert x[0, 0] == 0


def test_libraries_that_cannot_export_get_a_buffer_error():
    class WithoutDevice(Exporter):
        def __dlpack_device__(self):
            raise ValueError("no device")

    class Refusing(Exporter):
        def __dlpack__(self, **options):
            raise RuntimeError("needs a gradient")

    for kind, match in ((WithoutDevice, "no device"), (Refusing, "gradient")):
        with pytest.raises(BufferError, match=match):
            xp.from_dlpack(kind(example("float32")))


@pytest.mark.parametrize("name", ["float32", "bfloat16"])
def test_views_keep_their_strides_and_read_only_memory_says_so(name):
    x = example(name)
    for view in (x.T, x[:, ::2], x[::-1]):
        y = xp.from_dlpack(Exporter(view))
        assert np.asarray(y).strides == np.asarray(view).strides
        assert (y == view).all()
    x._data.flags.writeable = False
    assert _opened(x.__dlpack__(max_version=(1, 0)))[1].flags == READ_ONLY
    assert not np.asarray(xp.from_dlpack(Exporter(x))).flags.writeable
    with pytest.raises(BufferError, match=name):
        x.__dlpack__()


def test_devices():
    x = example("bfloat16")
    assert x.__dlpack_device__() == (1, 0)
    x.__dlpack__(dl_device=(1, 0))
    with pytest.raises(BufferError, match="bfloat16"):
        x.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError, match="cpu"):
        xp.from_dlpack(Exporter(x, device=(2, 0)))
    with pytest.raises(ValueError, match="device"):
        xp.from_dlpack(x, device="gpu")


@for_each("name", [name for name, node in NODES.items() if node.bits < 8 or name == "bcomplex32"])
def test_what_dlpack_cannot_say_is_refused(name):
    with pytest.raises(BufferError, match=name):
        example(name).__dlpack__()


def test_what_is_no_array_is_refused():
    class Wrong:
        def __dlpack__(self, **options):
            return 3

        def __dlpack_device__(self):
            return (1, 0)

    with pytest.raises(BufferError, match="capsule"):
        xp.from_dlpack(Wrong())
    with pytest.raises(TypeError, match="__dlpack__"):
        xp.from_dlpack(3)


def test_asarray_takes_what_numpy_has_no_name_for():
    y = xp.asarray(Exporter(example("bfloat16")))
    assert y.dtype.name == "bfloat16"
    assert not y.weak_type
