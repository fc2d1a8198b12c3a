"""How functions read axes, sequences and dtypes."""

import numpy as np
import pytest

import supremum as xp
from supremum import config
from supremum._core import arguments as a
from supremum.promotion._nodes import NODES


def test_axes():
    assert [a.normalize_axis(axis, 3, "f") for axis in (0, -1, 2, True, np.int64(1), xp.asarray(1))] == [0, 2, 2, 1, 1, 1]
    assert a.normalize_axes(None, 3, "f") == (0, 1, 2)
    assert a.normalize_axes((0, -1), 3, "f") == (0, 2)
    assert a.normalize_axes((1, -2), 3, "f", repeated=True) == (1, 1)
    for axis in (3, -4):
        for error in (ValueError, IndexError):
            with pytest.raises(error, match=rf"f: axis {axis} is out of bounds for array of dimension 3"):
                a.normalize_axis(axis, 3, "f")
    with pytest.raises(TypeError, match="f: axis must be an integer"):
        a.normalize_axis(1.5, 3, "f")
    with pytest.raises(ValueError, match="f: the axes must be distinct"):
        a.normalize_axes((1, -2), 3, "f")


def test_numbers():
    assert a.as_integers(3, "n", "f") == (3,)
    assert a.as_integers([1, np.int8(2)], "n", "f") == (1, 2)
    assert a.as_integers(xp.asarray([1, 2]), "n", "f") == (1, 2)
    for bad in ("a", 1.5, (1, 2.5), None):
        with pytest.raises(TypeError, match="f: n must be an integer or a sequence of integers"):
            a.as_integers(bad, "n", "f")


def test_sequences_of_arrays():
    assert [x.shape for x in a.as_arrays([1, np.ones(2)], "f")] == [(), (2,)]
    assert [x.tolist() for x in a.as_arrays(xp.asarray([[1, 2], [3, 4]]), "f")] == [[1, 2], [3, 4]]
    for bad in ([], xp.zeros((0, 2)), xp.asarray(1)):
        with pytest.raises(ValueError, match="f: "):
            a.as_arrays(bad, "f")
    for bad in (3, xp.asarray(1), ["a"], None):
        with pytest.raises(TypeError, match="f"):
            a.as_arrays(bad, "f")


def test_arrays_that_agree_are_not_copied():
    x, y = xp.ones(2), xp.zeros(2)
    node, (first, second) = a.promote_arrays([x, y])
    assert node is NODES["float32"]
    assert first is x._data
    assert second is y._data
    node, (first, second) = a.promote_operands("f", x, 1)
    assert (node, second.dtype) == (NODES["float32"], "float32")


def test_nodes_of_indices():
    assert a.index_node(10) is NODES["int32"]
    assert a.index_node(1 << 31) is NODES["int64"]
    with config.use(x64="on"):
        assert a.index_node(10) is NODES["int64"]


def test_devices_and_shardings_over_them():
    from supremum.jax.sharding import SingleDeviceSharding

    for device in (None, "cpu", SingleDeviceSharding("cpu"), xp.ones(1).sharding):
        a.check_device(device, "f")
        assert xp.zeros(2, device=device).shape == (2,)
    for device in ("gpu", 0, SingleDeviceSharding("gpu"), ["cpu"]):
        with pytest.raises(ValueError, match="f: the only device is 'cpu'"):
            a.check_device(device, "f")
