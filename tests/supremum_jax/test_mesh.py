"""Meshes of the only device. Expected values are those of JAX 0.10.2 on one CPU."""

import copy
import operator
import pickle

import numpy as np
import pytest

import supremum as xp
from supremum import jax
from supremum.jax.sharding import AbstractMesh, AxisType, Mesh, NamedSharding, PartitionSpec as P, SingleDeviceSharding

MESH = jax.make_mesh((1, 1), ("x", "y"))


def test_specifications():
    assert P("x") == P(("x",)) == P(["x"])
    assert P("x") != ("x",)
    assert P(()) == P(None)
    assert hash(P("x", None)) == hash(P("x", None))
    assert [repr(P()), repr(P("x")), repr(P(("x", "y"), None))] == ["P()", "P('x',)", "P(('x', 'y'), None)"]
    assert P("x") + P("y") == P("x", "y")
    assert (operator.add(("a",), P("x")), operator.add(P("x"), ("b",))) == (P("a", "x"), P("x", "b"))
    assert (list(P("x", None)), P("x", None)[0], len(P("x", None)), P("x", "y").index("y")) == (["x", None], "x", 2, 1)
    assert pickle.loads(pickle.dumps(P("x", P.UNCONSTRAINED))) == P("x", P.UNCONSTRAINED)
    assert jax.tree.leaves({"a": P("x", "y")}) == [P("x", "y")]


def test_meshes():
    assert str(MESH) == "Mesh('x': 1, 'y': 1, axis_types=(Explicit, Explicit))"
    assert repr(MESH) == "Mesh(axis_sizes=(1, 1), axis_names=('x', 'y'), axis_types=(Explicit, Explicit))"
    assert (dict(MESH.shape), MESH.size, MESH.empty, MESH.devices.shape) == ({"x": 1, "y": 1}, 1, False, (1, 1))
    assert MESH.devices.flat[0].platform == "cpu"
    mesh = Mesh(np.array(jax.devices()), "x")
    assert mesh.axis_types == (AxisType.Auto,)
    assert mesh == Mesh(jax.devices(), ("x",)) == pickle.loads(pickle.dumps(mesh)) == copy.deepcopy(mesh)
    assert mesh != Mesh(jax.devices(), ("z",))
    assert mesh.abstract_mesh == AbstractMesh((1,), ("x",))
    assert AbstractMesh((4, 2), ("x", "y")).size == 8
    with pytest.raises(ValueError, match=r"Number of devices 1 must be >= the product of mesh_shape \(2,\)"):
        jax.make_mesh((2,), ("x",))
    with pytest.raises(ValueError, match="to equal the length of its second argument"):
        jax.make_mesh((1,), ("x", "y"))
    with pytest.raises(NotImplementedError, match="2 devices: it needs several devices"):
        Mesh(np.array(jax.devices() * 2), "x")


def test_the_mesh_that_is_set():
    assert repr(jax.sharding.get_mesh()) == "Mesh(axis_sizes=(), axis_names=())"
    with jax.set_mesh(MESH):
        assert jax.sharding.get_mesh() is MESH
        assert jax.sharding.get_abstract_mesh().axis_names == ("x", "y")
        with Mesh(jax.devices(), "z") as inner:
            assert jax.sharding.get_mesh() is inner
    assert jax.sharding.get_mesh().empty


def test_shardings():
    sharding = NamedSharding(MESH, P("x"))
    assert sharding == NamedSharding(MESH, P("x")) == pickle.loads(pickle.dumps(sharding))
    assert sharding != NamedSharding(MESH, P("y"))
    assert isinstance(sharding, jax.sharding.Sharding)
    text = "NamedSharding(mesh=Mesh('x': 1, 'y': 1, axis_types=(Explicit, Explicit)), spec=P('x',), memory_kind=device)"
    assert repr(sharding) == text
    assert (sharding.is_fully_replicated, sharding.num_devices, sharding.shard_shape((4,))) == (True, 1, (4,))
    assert sharding.is_equivalent_to(SingleDeviceSharding(), 1)
    assert list(sharding.devices_indices_map((4,)).values()) == [(slice(None),)]
    x = jax.device_put(np.ones(4), sharding)
    assert x.sharding == SingleDeviceSharding(jax.devices()[0])
    assert jax.tree.leaves(x.sharding) == [x.sharding]
    np.testing.assert_array_equal(jax.lax.with_sharding_constraint(x, sharding), x)
    np.testing.assert_array_equal(jax.sharding.reshard(x, P("x")), x)
    with pytest.raises(ValueError, match="rank at least 1, but was applied to a value of rank 0"):
        jax.device_put(1.0, sharding)
    with pytest.raises(ValueError, match=r"Resource axis: z of P\('z',\) is not found in mesh: \('x', 'y'\)"):
        NamedSharding(MESH, P("z"))
    with pytest.raises(ValueError, match="duplicate entries for `x`"):
        NamedSharding(MESH, P("x", "x"))


def test_arrays_of_parts():
    sharding = NamedSharding(MESH, P("x"))
    data = np.arange(4, dtype=np.float32)
    for x in (
        jax.make_array_from_callback((4,), sharding, lambda index: data[index]),
        jax.make_array_from_single_device_arrays((4,), sharding, [xp.asarray(data)]),
        jax.make_array_from_process_local_data(sharding, data),
    ):
        np.testing.assert_array_equal(x, data)
    with pytest.raises(ValueError, match="got 2"):
        jax.make_array_from_single_device_arrays((4,), sharding, [data, data])
    utils = jax.experimental.multihost_utils
    assert utils.process_allgather(xp.ones(3)).shape == (1, 3)
    assert utils.process_allgather(xp.ones(3), tiled=True).shape == (3,)
    assert utils.sync_global_devices("end") is None
    assert jax.experimental.mesh_utils.create_device_mesh((1, 1)).shape == (1, 1)


def test_pmap_over_one_device():
    x = xp.arange(3.0)[None]
    np.testing.assert_array_equal(jax.pmap(lambda row: row * 2)(x), np.asarray(x) * 2)
    total = jax.pmap(lambda row: (jax.lax.psum(row, "i"), jax.lax.axis_index("i")), axis_name="i")(x)
    np.testing.assert_array_equal(total[0], x)
    assert total[1].tolist() == [0]
    power = jax.pmap(lambda row, n: row**n, static_broadcasted_argnums=1)
    np.testing.assert_array_equal(power(x, 2), np.asarray(x) ** 2)
    np.testing.assert_array_equal(jax.pmap(lambda a, b: a + b, in_axes=(0, None))(x, 1.0), np.asarray(x) + 1)
    mapped = jax.pmap(lambda row: row)  # which is not an error yet
    with pytest.raises(NotImplementedError, match="over an axis of length 2: it needs several devices"):
        mapped(xp.ones((2, 3)))


def test_shard_map_over_one_device():
    x = xp.arange(6.0).reshape(2, 3)

    @jax.shard_map(mesh=MESH, in_specs=(P("x"), P(None, "y")), out_specs=P())
    def product(a, b):
        return jax.lax.psum(a @ b.T, ("x", "y")), jax.lax.axis_size("x")

    found, size = product(x, x)
    np.testing.assert_array_equal(found, np.asarray(x) @ np.asarray(x).T)
    assert size == 1
    with jax.set_mesh(MESH):
        gathered = jax.shard_map(lambda a: jax.lax.all_gather(a, "x"), in_specs=P("x"), out_specs=P())(x)
    assert gathered.shape == (1, 2, 3)
    with pytest.raises(ValueError, match="of length 1, and its argument has shape"):
        jax.shard_map(lambda a: a, mesh=MESH, in_specs=P("x"), out_specs=P("x"))(1.0)
    wrapped = jax.shard_map(lambda a: a, mesh=AbstractMesh((2,), ("x",)), in_specs=P("x"), out_specs=P("x"))
    with pytest.raises(NotImplementedError, match="2 devices"):
        wrapped(x)
    with pytest.raises(NameError, match="unbound axis name"):
        jax.lax.psum(x, "x")


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_keys_and_shardings_are_pickled(protocol):
    key = jax.random.key(3)
    again = pickle.loads(pickle.dumps(key, protocol))
    np.testing.assert_array_equal(jax.random.key_data(again), jax.random.key_data(key))
    assert pickle.loads(pickle.dumps(xp.ones(2).sharding, protocol)) == xp.ones(2).sharding
