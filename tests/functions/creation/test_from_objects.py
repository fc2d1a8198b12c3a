"""Arguments of `asarray` and related functions. tests/core/test_conversion.py tests the conversion itself."""

import array
import functools
import io

import numpy as np
import pytest

import supremum as xp
from supremum import config


def test_array_copies_and_asarray_does_not():
    data = np.arange(3)
    assert np.shares_memory(np.asarray(xp.asarray(data)), data)
    assert not np.shares_memory(np.asarray(xp.array(data)), data)
    assert np.shares_memory(np.asarray(xp.array(data, copy=False)), data)
    x = xp.arange(3)
    assert xp.asarray(x) is x or np.shares_memory(np.asarray(xp.asarray(x)), np.asarray(x))
    assert not np.shares_memory(np.asarray(xp.copy(x)), np.asarray(x))
    assert xp.copy(xp.full(2, 3)).weak_type


def test_array_adds_dimensions():
    assert xp.array(1, ndmin=2).shape == (1, 1)
    assert xp.array([1, 2], ndmin=1).shape == (2,)
    assert xp.array([1, 2], "float32", True, "K", 3).shape == (1, 1, 2)


@pytest.mark.parametrize("order", ["C", "F", "A"])
def test_layouts_mean_nothing(order):
    for function in (xp.array, xp.asarray, xp.copy):
        with pytest.raises(NotImplementedError, match="order"):
            function(xp.ones(2), order=order)


def test_bytes():
    assert xp.frombuffer(b"\x01\x02\x03", dtype="uint8", count=2).tolist() == [1, 2]
    assert xp.frombuffer(np.arange(3.0).tobytes()).tolist() == [0.0, 1.0, 2.0]
    assert xp.frombuffer(array.array("i", [1, 2]), dtype="int32").tolist() == [1, 2]
    assert xp.frombuffer(np.array([0x3F80, 0x4000], np.uint16).tobytes(), dtype="bfloat16").tolist() == [1.0, 2.0]
    assert xp.frombuffer(b"\x38\x40", dtype=xp.float8_e4m3fn).tolist() == [1.0, 2.0]
    with config.use(x64="off"):
        x = xp.frombuffer(np.arange(3.0).tobytes())
        assert (x.dtype, x.tolist()) == ("float32", [0.0, 1.0, 2.0])
    for bad, error in ((b"abc", ValueError), ("abc", TypeError), (3, TypeError)):
        with pytest.raises(error, match="frombuffer"):
            xp.frombuffer(bad, dtype="int16")
    with pytest.raises(ValueError, match="frombuffer"):
        xp.frombuffer(b"ab", dtype="int8", offset=3)


def test_text():
    assert xp.fromstring("1, 2.5", sep=",", dtype="float32").tolist() == [1.0, 2.5]
    assert xp.fromstring("1 2 3", sep=" ", dtype=int, count=2).tolist() == [1, 2]
    assert xp.fromstring("1 2", sep=" ", dtype="bfloat16").dtype == "bfloat16"
    with pytest.raises(ValueError, match="fromstring"):
        xp.fromstring("1,x", sep=",", dtype=int)
    with pytest.raises(ValueError, match="fromstring"):
        xp.fromstring("12", sep="")
    with pytest.raises(TypeError, match="fromstring: sep must be a string"):
        xp.fromstring("12", sep=functools.reduce(lambda deep, _: [deep], range(5000), []))


@pytest.mark.parametrize("x64, floating, integer", [("explicit", "float32", "int32"), ("on", "float64", "int64")])
def test_text_without_a_dtype_has_the_default_one(x64, floating, integer, tmp_path):
    path = tmp_path / "numbers"
    path.write_text("1,2")
    with config.use(x64=x64):
        assert xp.fromstring("1,2", sep=",").dtype == floating
        assert xp.fromfile(path, sep=",").dtype == floating
        for dtype in (int, "int"):
            assert xp.fromstring("1,2", sep=",", dtype=dtype).dtype == integer
        assert xp.fromstring("1,2", sep=",", dtype="float64").dtype == "float64"
    with config.use(x64="off"):
        x = xp.fromstring("1,2", sep=",")
        assert (x.dtype, x.tolist()) == ("float32", [1, 2])


def test_iterables():
    assert xp.fromiter(range(4), dtype="int8").tolist() == [0, 1, 2, 3]
    assert xp.fromiter(iter([1.5, 2.5, 3.5]), "bfloat16", count=2).tolist() == [1.5, 2.5]
    with pytest.raises(ValueError, match="fromiter"):
        xp.fromiter([1], int, count=2)
    with pytest.raises(TypeError, match="fromiter"):
        xp.fromiter(3, int)


def test_files(tmp_path):
    path = tmp_path / "numbers"
    np.arange(4.0).tofile(path)
    assert xp.fromfile(path).tolist() == [0.0, 1.0, 2.0, 3.0]
    assert xp.fromfile(str(path), count=1, offset=8).tolist() == [1.0]
    with path.open("rb") as file:
        assert xp.fromfile(file, dtype="float64", count=2).tolist() == [0.0, 1.0]
    path.write_text("1 2 3")
    assert xp.fromfile(path, dtype=int, sep=" ").tolist() == [1, 2, 3]
    for bad in (3.5, io.BytesIO(b"12345678")):
        with pytest.raises((TypeError, OSError)):
            xp.fromfile(bad)


def test_dlpack():
    data = np.arange(3.0)
    assert np.shares_memory(np.asarray(xp.from_dlpack(data)), data)
    assert not np.shares_memory(np.asarray(xp.from_dlpack(data, copy=True)), data)
    assert xp.from_dlpack(xp.arange(3)).tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match="from_dlpack"):
        xp.from_dlpack([1, 2])


def test_devices():
    assert xp.asarray(1, device="cpu").shape == ()
    for call in (lambda: xp.asarray(1, device="gpu"), lambda: xp.from_dlpack(xp.ones(2), device="gpu")):
        with pytest.raises(ValueError, match="the only device is 'cpu'"):
            call()


def test_array_takes_the_data_of_masked_arrays_and_others_refuse_them():
    # the results of JAX 0.10.2, and of NumPy's array()
    masked = np.ma.array([1.5, 2.0, 3.0], mask=[False, True, False])
    x = xp.array(masked)
    assert (x.dtype, x.tolist()) == ("float64", [1.5, 2.0, 3.0])
    assert not np.shares_memory(np.asarray(x), masked.data)
    assert xp.array(masked, dtype="float32", ndmin=2).shape == (1, 3)
    for call in (lambda: xp.asarray(masked), lambda: xp.add(masked, 1), lambda: xp.sum(masked)):
        with pytest.raises(ValueError, match="masked"):
            call()


ALIASES = [list[tuple[float]], list[int], tuple[int, ...], dict[str, int], np.ndarray[int, int]]


@pytest.mark.parametrize("alias", ALIASES, ids=str)
def test_generic_aliases_are_no_sequences(alias):
    for call in (lambda: xp.array(alias), lambda: xp.asarray([alias]), lambda: xp.array(alias, dtype="float32")):
        with pytest.raises(TypeError, match=r"^(as)?array: "):
            call()
    with pytest.raises(TypeError, match="add"):
        xp.add(alias, 1)


@pytest.mark.parametrize(("x64", "least"), [("off", 2**31), ("explicit", 2**31), ("on", 2**63)])
def test_integers_beyond_the_default_integer_need_a_dtype(x64, least):
    with config.use(x64=x64):
        for value in (least, -least - 1, 2**64):
            for given in (value, [value, 1], [[True], [value]], (value,), range(value, value + 1)):
                for function in (xp.asarray, xp.array):
                    with pytest.raises(OverflowError, match=f"^{function.__name__}: "):
                        function(given)
        assert xp.asarray(least - 1).dtype == xp.asarray([-least]).dtype == xp.asarray(0).dtype
    assert int(xp.asarray(2**63, dtype="uint64")) == 2**63
    assert xp.asarray([np.int64(2**40), 2**40]).dtype == "int64"  # an element determines the dtype
    x = xp.zeros(2, dtype="int64")
    x[:] = [2**40, 1]
    assert np.asarray(x).tolist() == [2**40, 1]


def test_text_is_not_read_from_the_bytes_of_arrays():
    for given in (xp.ones(2), np.ones(2), xp.ones(2, dtype="bfloat16")):
        with pytest.raises(ValueError, match=r"^fromstring: .* is not a list of float64"):
            xp.fromstring(given, dtype="float64", sep=" ")


def test_the_bytes_of_arrays_are_read():
    x = xp.asarray([1.5, -2.0])
    assert xp.frombuffer(x, dtype="float32").tolist() == [1.5, -2]
    with pytest.raises(ValueError, match="frombuffer: cannot read int16 from Array"):
        xp.frombuffer(x.astype("bfloat16"), dtype="int16")
    with pytest.raises(TypeError, match=r"frombuffer: .*keys have no bytes"):
        xp.frombuffer(xp.random.key(0), dtype="uint32")
