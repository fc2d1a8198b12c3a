"""Methods and properties of Array, compared with JAX 0.10.2."""

import copy
import inspect
import json
import pickle
from pathlib import Path

import expressions
import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum._array import methods, protocols
from supremum._array.at import IndexedUpdate
from supremum._core.operators import binary


@for_each("case", expressions.cases("methods"), expressions.identity)
def test_as_jax(case):
    expressions.check(case)


JAX = json.loads((Path(__file__).parents[2] / "conformance/jax/names.json").read_text())
#: Attributes of JAX's arrays that ours do not have.
MISSING = {
    "device_buffer": "deprecated: reading it raises AttributeError in JAX too",
    "device_buffers": "likewise",
    "format": "describes the layout on an accelerator",
}


@for_each("name", [name for name in JAX["jax.Array"] if name not in MISSING])
def test_every_attribute_of_jax_is_here(name):
    attribute = inspect.getattr_static(xp.Array, name)
    fact = JAX["jax.Array"][name]
    assert inspect.isdatadescriptor(attribute) == (fact["kind"] == "property")
    assert attribute.__doc__


@pytest.mark.parametrize("owner, section", [(xp.Array, "jax.Array"), (IndexedUpdate, "jax.Array.at")])
def test_methods_take_what_jax_takes(owner, section):
    """Names, order and kinds of parameters are JAX's; a default may differ."""
    for name, fact in JAX[section].items():
        if not fact.get("signature") or not callable(getattr(owner, name, None)):
            continue
        ours = list(inspect.signature(getattr(owner, name)).parameters.values())[1:]
        theirs = [word.strip().partition("=")[0] for word in fact["signature"].strip("()").split(",") if word.strip()]
        found = []
        for parameter in ours:
            if parameter.kind is parameter.KEYWORD_ONLY and "*" not in found and not any(n.startswith("*") for n in found):
                found.append("*")
            found.append(f"*{parameter.name}" if parameter.kind is parameter.VAR_POSITIONAL else parameter.name)
        assert [n for n in found if n != "/"] == [n for n in theirs if n != "/"], name


ATTACHED = {
    name: member
    for name, member in (*vars(protocols.Protocols).items(), *vars(methods.Methods).items())
    if inspect.isfunction(member) or isinstance(member, property)
}


@for_each("name", ATTACHED)
def test_members_are_named_after_the_array(name):
    member = inspect.getattr_static(xp.Array, name)
    function = member.fget if isinstance(member, property) else member
    assert (function.__qualname__, function.__module__) == (f"Array.{name}", "supremum")
    assert inspect.getsourcefile(inspect.unwrap(function)).endswith(("methods.py", "protocols.py"))
    assert f"def {name}(" in inspect.getsource(function)


@pytest.mark.parametrize("name, keyword", [("var", "mean"), ("argsort", "dtype"), ("dot", "out_sharding"), ("sort", "axes")])
def test_methods_take_their_own_keywords_alone(name, keyword):
    with pytest.raises(TypeError, match=rf"Array\.{name}\(\) got an unexpected keyword argument '{keyword}'"):
        getattr(xp.ones(3), name)(**{keyword: 1} | ({"b": 1} if name == "dot" else {}))


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda x: x.sum(axs=0), "Array.sum() got an unexpected keyword argument 'axs'; did you mean axis?"),
        (lambda x: x.argmax(axs=0), "Array.argmax() got an unexpected keyword argument 'axs'; did you mean axis?"),
        (lambda x: x.sort(axs=0), "Array.sort() got an unexpected keyword argument 'axs'; did you mean axis?"),
        (lambda x: x.view(dtyp="int8"), "Array.view() got an unexpected keyword argument 'dtyp'; did you mean dtype or type?"),
        (
            lambda x: x.mean(dim=0),
            "Array.mean() got an unexpected keyword argument 'dim'; write mean(..., axis=0); it is called axis",
        ),
        (lambda x: x.item(foo=0), "Array.item() got an unexpected keyword argument 'foo'; no argument has a name"),
        (
            lambda x: x.at[0].set(1, mod="clip"),
            "IndexedUpdate.set() got an unexpected keyword argument 'mod'; did you mean mode?",
        ),
        (
            lambda x: x.at[0].add(1, mod="clip"),
            "IndexedUpdate.add() got an unexpected keyword argument 'mod'; did you mean mode?",
        ),
        (
            lambda x: x.at[0].get(mod="clip"),
            "IndexedUpdate.get() got an unexpected keyword argument 'mod'; did you mean mode?",
        ),
    ],
)
def test_keywords_that_methods_do_not_have_get_a_hint(call, hint):
    with pytest.raises(TypeError) as caught:
        call(xp.ones(2))
    assert str(caught.value) == hint


def test_methods_are_pickled_by_name():
    x = xp.asarray([1.0, 2.0])
    for name in ("sum", "astype", "view", "reshape", "__matmul__", "__array_namespace__"):
        bound = pickle.loads(pickle.dumps(getattr(x, name)))
        assert bound.__name__ == name
        assert bound.__self__.tolist() == x.tolist()
    for name in ("sum", "view", "to_device", "__matmul__"):
        assert pickle.loads(pickle.dumps(getattr(xp.Array, name))) is getattr(xp.Array, name)


# -- mutation, which JAX's arrays do not have ------------------------------------------------------------------------------


def test_flatten_copies_and_ravel_does_not():
    x = xp.arange(4).reshape(2, 2)
    flat, line = x.flatten(), x.ravel()
    x[0, 0] = 9
    assert flat.tolist() == [0, 1, 2, 3]
    assert line.tolist() == [9, 1, 2, 3]


def test_astype_copies_while_arrays_are_mutable():
    x = xp.arange(3)
    cast = x.astype("int32")
    cast[0] = 9
    assert x.tolist() == [0, 1, 2]
    assert x.astype("int32", copy=False) is x
    with xp.config.use(mutable=False):
        assert x.astype("int32") is x


def test_view_shares_memory_where_it_can():
    x = xp.zeros(2)
    x.view("int32")[0] = 0x3F800000
    assert x.tolist() == [1.0, 0.0]
    assert x.view("uint8").shape == (8,)


def test_copy_is_a_copy():
    x = xp.zeros(2)
    for y in (x.copy(), x.clone(), x.real, x.conj(), x.byteswap()):
        y[0] = 1
    assert x.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("dtype", ["int4", "uint2", "int2", "float4_e2m1fn", "float8_e5m2", "bfloat16", "complex64"])
def test_view_there_and_back(dtype):
    codes = xp.asarray(np.random.default_rng(0).integers(0, 256, (3, 16)), dtype="uint8")
    assert (codes.view(dtype).view("uint8") == codes).all()


def test_views_as_pythons_types_make_no_two_numbers_of_one():
    """NumPy's ``view(float)`` is of 64 bits, JAX's of the default dtype; code of either keeps the elements it has."""
    for dtype in ("float64", "int64", "uint64"):
        x = xp.asarray([1, 2], dtype=dtype)
        assert x.view(float).dtype == "float64"
        assert x.view("int").dtype == "int64"
        assert x.view(float).shape == x.view(int).shape == (2,)
    z = xp.asarray([1 + 2j], dtype="complex128")
    assert z.view(float).tolist() == [1.0, 2.0]
    assert z.view(complex).tolist() == [1 + 2j]
    assert xp.asarray([1 + 2j], dtype="complex64").view(float).tolist() == [1.0, 2.0]
    assert xp.ones(2).view(float).dtype == "float32"


def test_views_of_sub_byte_dtypes_are_packed():
    """The first element is in the low bits: 0x21 is 1 and 2."""
    assert xp.asarray([0x21], dtype="uint8").view("uint4").tolist() == [1, 2]
    assert xp.asarray([0b11_10_01_00], dtype="uint8").view("uint2").tolist() == [0, 1, 2, 3]
    assert xp.asarray([0b11_10_01_00], dtype="uint8").view("int2").tolist() == [0, 1, -2, -1]
    assert xp.asarray([0x10], dtype="uint8").view("float4_e2m1fn").tolist() == [0.0, 0.5]


@pytest.mark.parametrize("dtype", ["int4", "bfloat16", "float8_e4m3fn", "bool", "uint64", "complex128"])
def test_tolist_and_item_give_pythons_scalars(dtype):
    x = xp.asarray([[1, 0], [1, 1]], dtype=dtype)
    kind = {"b": bool, "i": int, "u": int, "f": float, "V": float, "c": complex}[np.dtype(x.dtype).kind]
    kind = int if dtype == "int4" else kind
    assert x.tolist() == [[1, 0], [1, 1]]
    assert {type(value) for row in x.tolist() for value in row} == {kind}
    assert type(x.item(0, 0)) is kind


@for_each(
    "call, error",
    [
        (lambda x: x.item(), ValueError),
        (lambda x: x.item(1, 2, 3), ValueError),
        (lambda x: x.item(9), IndexError),
        (lambda x: x.item(0, 9), IndexError),
        (lambda x: x.item(1.0), TypeError),
        (lambda x: x.view(None, np.ndarray), NotImplementedError),
        (lambda x: x.view("complex128"), ValueError),
        (lambda x: x.astype("nonsense"), TypeError),
        (lambda x: x.astype("int8", device="gpu"), ValueError),
    ],
)
def test_errors_name_the_method(call, error):
    with pytest.raises(error, match=r"Array\.|view|astype|^item: "):
        call(xp.ones((2, 3)))


def test_casting_complex_to_real_warns():
    with pytest.warns(DeprecationWarning, match="astype: casting complex to real"):
        assert xp.asarray([1 + 2j]).astype("float32").tolist() == [1.0]


def test_devices():
    x = xp.arange(3)
    assert x.devices() == x.sharding.device_set == {"cpu"}
    assert (repr(x.devices()), [device.platform for device in x.devices()]) == ("{CpuDevice(id=0)}", ["cpu"])  # as JAX
    assert repr(x.sharding) == "SingleDeviceSharding(device=CpuDevice(id=0), memory_kind=device)"  # as JAX
    assert x.addressable_data(0) is x
    [shard] = x.addressable_shards
    assert (shard.device, shard.index, shard.replica_id) == ("cpu", (slice(None),), 0)
    assert shard.data is x
    assert x.block_until_ready() is x
    assert x.unsafe_buffer_pointer() == x._data.ctypes.data
    assert x.traceback is None
    assert not x.is_deleted()


def test_aval_prints_as_jax_prints_it():
    assert repr(xp.zeros((2, 3)).aval) == "ShapedArray(float32[2,3])"
    assert repr(xp.asarray(1).aval) == "ShapedArray(int32[], weak_type=True)"


def test_truth_values_of_another_byte_order_become_lists():
    assert xp.asarray(np.array([True, False], np.dtype(bool).newbyteorder())).tolist() == [True, False]


def _uses(x):
    return [
        lambda: x + 1, lambda: 1 - x, lambda: -x, lambda: x == x, lambda: x[0], lambda: x.at[0].set(1), lambda: x.sum(),
        lambda: x.tolist(), lambda: x.copy(), lambda: x.astype("int8"), lambda: x.reshape(3, 1), lambda: xp.stack([x, x]),
        lambda: xp.concat([x, xp.ones(3)]), lambda: np.asarray(x), lambda: repr(x), lambda: str(x), lambda: list(x),
        lambda: xp.sin(x), lambda: xp.where(x, x, x), lambda: xp.take(x, 0), lambda: x.view("int32"),
        lambda: pickle.dumps(x), lambda: copy.copy(x), lambda: x @ x, lambda: xp.sort(x), lambda: xp.nonzero(x),
        lambda: x.unsafe_buffer_pointer(), lambda: xp.asarray(x, dtype="int8"), lambda: x.__setitem__(0, 1),
        lambda: xp.ones(3).__setitem__(..., x), lambda: np.add(x, 1), lambda: np.concatenate([x, x]), lambda: x.tobytes(),
        lambda: xp.full(3, x), lambda: xp.asarray([x, x]), lambda: xp.copy(x),
    ]  # fmt: skip


def test_a_deleted_array_has_a_shape_and_no_values():
    """JAX 0.10.2 raises RuntimeError for each of these uses; shape, dtype and the like remain available."""
    x = xp.arange(3.0)
    shared = x[1:]
    x.delete()
    x.delete()
    assert x.is_deleted()
    assert (x.shape, x.dtype, x.ndim, x.size, x.nbytes, len(x), x.weak_type) == ((3,), "float32", 1, 3, 12, 3, False)
    for use in _uses(x):
        with pytest.raises(RuntimeError, match=r"deleted with shape=float32\[3\]"):
            use()
    assert shared.tolist() == [1.0, 2.0]
    assert not shared.is_deleted()


def test_an_array_that_is_deleted_after_it_became_an_operand_is_refused():
    x, deleted = xp.ones(3), xp.ones(3)
    deleted.delete()
    for operands in ((x, deleted), (deleted, x)):
        with pytest.raises(RuntimeError, match=r"deleted with shape=float32\[3\]"):
            binary(xp.equal.row, *operands)


def test_what_fails_with_a_deleted_array_works_with_another():
    for use in _uses(xp.arange(3.0)):
        use()
