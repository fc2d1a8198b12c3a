"""Samplers: loops at every level of the processor give the numbers of the definitions in NumPy calls, which are JAX's."""

import hashlib
import math

import numpy as np
import pytest
from behaviour import by_definition
from common import for_each, levels

import supremum as xp
from supremum._base.buffers import native
from supremum._kernels import threefry
from supremum.promotion._nodes import NODES
from supremum.random import samplers

SIZES = [(), (1,), (5,), (511,), (512,), (513,), (3, 700)]
#: SHA-256 of what JAX 0.10.2 draws, with 64-bit dtypes enabled, for the key 7 and the shape (3, 33333).
DRAWN = {
    ("bits", "uint8"): "311a3224d084ac1f",
    ("bits", "uint16"): "0bf99804ea803015",
    ("bits", "uint32"): "ef854cc6b0f58536",
    ("bits", "uint64"): "d01ef163f9822e26",
    ("uniform", "float32"): "197aca7e625c14fd",
    ("uniform", "float64"): "0aef85f3845f7cdd",
    ("uniform", "float32", -2.5, 7.0): "6ec514b47766e25a",
    ("uniform", "float64", -2.5, 7.0): "f6290301be13cfeb",
    ("uniform", "bfloat16"): "11938954912ec772",
    ("uniform", "float16"): "2708d7ce3e746d33",
    ("randint", "int32", -5, 1000): "3273d47641711977",
    ("randint", "int64", -5, 1000): "8910b5d8756d4b0c",
    ("randint", "int8", -5, 100): "9d6ca5d434c32d60",
    ("split",): "c54549f4736e41c1",
}


@pytest.fixture
def without_loops(monkeypatch):
    monkeypatch.setattr(samplers, "native", None)
    monkeypatch.setattr(threefry, "native", None)


@pytest.fixture(params=["python", *levels()])
def level(request):
    if request.param == "python":
        request.getfixturevalue("without_loops")
        yield None
        return
    before = native.set_level(request.param)
    yield request.param
    native.set_level(before)


def digest(x):
    words = np.ascontiguousarray(x._data).view(f"u{x._data.itemsize}")
    return hashlib.sha256(words.astype(words.dtype.newbyteorder("<")).tobytes()).hexdigest()[:16]


@pytest.mark.combinations
@pytest.mark.parametrize("case", DRAWN, ids=str)
def test_many_numbers_are_jaxs(case, level):
    name, *rest = case
    key, shape = xp.random.key(7), (3, 33_333)
    function = getattr(xp.random, name)
    function = by_definition(function) if level is None else function
    if name == "split":
        drawn = xp.random.key_data(function(key, shape))
    elif name == "randint":
        dtype, low, high = rest
        drawn = function(key, shape, low, high, dtype)
    else:
        drawn = function(key, shape, *rest)
    assert digest(drawn) == DRAWN[case]


def both(monkeypatch, function, *args):
    """Return what a function answers by its loops, and by its definition."""
    ours = function(*args)
    with monkeypatch.context() as patch:
        patch.setattr(samplers, "native", None)
        patch.setattr(threefry, "native", None)
        return ours, function(*args)


def same(ours, theirs):
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    assert ours.tobytes() == theirs.tobytes()


WORDS = [(0, 0), (0, 7), (0xFFFFFFFF, 0x9ABCDEF0)]
BOUNDS = [
    *((0.0, 1.0), (-1.0, 1.0), (0.0, 5.0), (-3.0, -2.0), (1e-40, 1e-38), (1.0, 1.0000001), (-1e38, 3e38)),
    *((2.0, 2.0), (3.0, 1.0), (-0.0, 1.0), (-3.4e38, 3.4e38), (np.nan, 1.0), (0.0, np.inf), (-1e-45, 0.0), (0.0, -1e-45)),
]


@pytest.mark.combinations
@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "float8_e3m4"])
@pytest.mark.parametrize("words", WORDS)
def test_uniform_numbers_are_those_of_the_definition(dtype, words, level, monkeypatch):
    node = NODES[dtype]
    for shape in SIZES:
        for low, high in BOUNDS if shape in SIZES[1:4] else BOUNDS[:2]:
            with np.errstate(all="ignore"):
                bounds = [np.asarray(bound).astype(node.dtype).astype(node.wide.dtype) for bound in (low, high)]
                same(*both(monkeypatch, samplers.uniform_buffer, words, node, shape, *bounds))


@pytest.mark.filterwarnings("ignore:Explicitly requested dtype")
@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16"])
def test_limits_of_truncated_normal_numbers_are_kept_by_their_signs(dtype):
    key = xp.random.key(3)
    with xp.config.use(x64="on"):
        for low, high in [
            (-1.0, 1.0),
            (0.0, 1.0),
            (-0.0, 1.0),
            (-1.0, -0.0),
            (-1.0, 0.0),
            (-np.inf, np.inf),
            (2.0, 1.0),
            (0.0, 0.0),
        ]:
            ours = xp.random.truncated_normal(key, low, high, (50,), dtype)
            wanted = xp.random.truncated_normal(key, xp.asarray(low, dtype=dtype), xp.asarray(high, dtype=dtype), (50,), dtype)
            assert ours._data.tobytes() == wanted._data.tobytes()
            again = xp.random.truncated_normal(key, low, high, (50,), dtype)
            assert ours._data.tobytes() == again._data.tobytes()


@pytest.mark.combinations
@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16", "float8_e4m3fn"])
@pytest.mark.parametrize("words", WORDS)
def test_normal_numbers_are_those_of_the_definition(dtype, words, level, monkeypatch):
    for shape in [*SIZES, (40_000,)]:
        with np.errstate(all="ignore"):
            same(*both(monkeypatch, samplers.normal_buffer, words, NODES[dtype], shape))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_inverse_of_the_error_function(dtype, level, monkeypatch):
    """Near -1 and 1, where other polynomials hold, and at the ends."""
    ends = np.array([-1, 1, 0, -0.0, 0.5], dtype)
    near = 1 - np.geomspace(np.finfo(dtype).epsneg, 1, 3000).astype(dtype)
    x = np.concatenate([ends, near, -near, np.nextafter(near, 0)]).astype(dtype)
    with np.errstate(all="ignore"):
        ours, theirs = both(monkeypatch, lambda: samplers.inverse_error(x.copy()))
    same(ours, theirs)
    assert (ours[:2] == [-math.inf, math.inf]).all()


@pytest.mark.combinations
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_integers_are_those_of_the_definition(dtype, level, monkeypatch):
    def draw(shape, low, high):
        return xp.random.randint(xp.random.key(3), shape, low, high, dtype)._data

    with xp.config.use(x64="on"):
        for shape in [(), (5,), (513,), (2, 600)]:
            for low, high in ((0, 10), (0, 1), (3, 3), (-5, 7), (0, 256), (0, 70_000), (-(2**31), 2**31), (0, 2**40)):
                same(*both(monkeypatch, draw, shape, low, high))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_truncated_normal_numbers_are_those_of_the_definition(dtype, level, monkeypatch):
    def draw(low, high):
        return xp.random.truncated_normal(xp.random.key(3), low, high, (2000,), dtype)._data

    for low, high in ((-1.0, 1.0), (-np.inf, np.inf), (3.0, 9.0), (-0.1, 0.1)):
        same(*both(monkeypatch, draw, low, high))


# -- the fast paths answer as the definitions do


def definition(function, *args, **kwargs):
    return by_definition(function)(*args, **kwargs)


KEYS = {"typed": lambda seed: xp.random.key(seed), "plain": lambda seed: xp.random.PRNGKey(seed)}
CALLS = [
    ("uniform", (), {}),
    ("uniform", (4,), {}),
    ("uniform", ((2, 3), "float64"), {}),
    ("uniform", ((2, 0),), {"maxval": 3, "minval": -1.5}),
    ("uniform", ((5,), xp.float32, 0.5, 2), {}),
    ("uniform", (), {"shape": (3,), "dtype": xp.float64}),
    ("uniform", ((3,), xp.bfloat16), {}),
    ("uniform", ((3,),), {"minval": xp.asarray([1.0, 2.0, 3.0]), "maxval": 4.0}),
    ("uniform", ((3,),), {"minval": True}),
    ("normal", (), {}),
    ("normal", (7, xp.float64), {}),
    ("normal", (), {"dtype": xp.complex64, "shape": (2,)}),
    ("normal", ([2, 2],), {}),
    ("bits", (), {}),
    ("bits", ((3,), xp.uint8), {}),
    ("bits", ((3,), xp.uint64), {}),
    ("split", (), {}),
    ("split", (5,), {}),
    ("split", (), {"num": (2, 0, 3)}),
    *(
        ("randint", (shape, low, high), {"dtype": dtype})
        for shape in [(), (3,), 5, (0, 2)]
        for low, high in [(0, 10), (-5, 5), (5, 5), (7, 3), (-(2**31), 2**31 - 1), (0, 2**31), (0, 2**40), (-3, 300)]
        for dtype in [None, xp.int8, xp.uint8, xp.int32, xp.uint32, xp.int64, xp.uint64, xp.float32]
    ),
    ("randint", ((2,),), {"minval": -1, "maxval": 9}),
    ("randint", ((2,), 0), {"maxval": xp.asarray(9)}),
    ("randint", ((2,), 0.5, 9), {}),
    ("fold_in", (12345,), {}),
    ("fold_in", (2**32 - 1,), {}),
    ("fold_in", (), {"data": xp.asarray(3)}),
]


@pytest.mark.filterwarnings("ignore:Explicitly requested dtype")  # with x64 off
@pytest.mark.parametrize("form", KEYS)
@pytest.mark.parametrize("x64", ["off", "explicit", "on"])
@pytest.mark.filterwarnings("ignore::supremum.PortingWarning")  # of bounds out of order
def test_quick_ways_answer_as_definitions(form, x64):
    with xp.config.use(x64=x64):
        for name, args, kwargs in CALLS:
            key, function = KEYS[form](11), getattr(xp.random, name)
            try:
                wanted = definition(function, key, *args, **kwargs)
            except (TypeError, ValueError, OverflowError) as error:
                with pytest.raises(type(error)):
                    function(key, *args, **kwargs)
                continue
            ours = function(key, *args, **kwargs)
            assert (ours.shape, ours._node) == (wanted.shape, wanted._node)
            assert ours._data.tobytes() == wanted._data.tobytes()
            assert ours._data.flags.writeable


@for_each(
    "call",
    [
        lambda r, k: r.uniform(),
        lambda r, k: r.uniform(k, k),
        lambda r, k: r.uniform(k, (2**40, 2**40)),
        lambda r, k: r.uniform(k, (-1,)),
        lambda r, k: r.normal(k, (2,), xp.int32),
        lambda r, k: r.normal(k, shapes=3),
        lambda r, k: r.bits(r.split(k)),
        lambda r, k: r.split(k, -1),
        lambda r, k: r.split(xp.zeros(2)),
        lambda r, k: r.fold_in(k, 2**32),
        lambda r, k: r.fold_in(k),
    ],
)
def test_what_is_no_key_or_no_shape_is_refused(call):
    with pytest.raises((TypeError, ValueError, OverflowError, MemoryError)):
        call(xp.random, xp.random.key(0))


def test_keys_may_lie_anywhere_in_memory():
    words = np.array([[0, 1, 7, 9], [5, 5, 5, 5]], np.uint32)
    for layout in (words[0, ::2], words[0, ::-2], words[:, 1], words[:, ::-1][1, :2]):
        strided, packed = xp.asarray(layout), xp.asarray(layout.copy())
        assert xp.random.uniform(strided, (4,)).tolist() == xp.random.uniform(packed, (4,)).tolist()
        assert xp.random.split(strided).tolist() == xp.random.split(packed).tolist()


def test_one_uniform_number_has_the_axes_of_its_lower_bound():  # values of JAX
    key = xp.random.key(0)
    assert xp.random.uniform(key, (), minval=xp.zeros((1, 1)), maxval=xp.ones(1)).tolist() == [[xp.random.uniform(key).item()]]
    with pytest.raises(ValueError, match="does not broadcast"):
        xp.random.uniform(key, (), minval=xp.zeros(2))
