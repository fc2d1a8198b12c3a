"""Keys are arrays: operations on arrays of keys, compared with JAX 0.10.2, and operations of our own."""

import contextlib
import copy
import operator
import pickle
import warnings

import expressions
import numpy as np
import pytest
from common import for_each

import supremum as xp


@for_each("case", expressions.cases("keys"), expressions.identity)
def test_as_jax(case):
    expressions.check(case)


KEY = xp.random.key(0)
KEYS = xp.random.split(KEY, 3)


def data(keys):
    return xp.random.key_data(keys).tolist()


def test_keys_are_arrays():
    assert isinstance(KEY, xp.Array)
    assert isinstance(KEYS[0], xp.ndarray)
    assert (KEY.device, KEY.weak_type, KEYS.itemsize, KEYS.nbytes) == ("cpu", False, 8, 24)
    assert (KEYS.dtype.name, str(KEYS.dtype), KEYS.dtype.itemsize) == ("key<fry>", "key<fry>", 8)
    assert xp.issubdtype(KEY.dtype, xp.dtypes.prng_key)
    assert xp.issubdtype(KEY.dtype, xp.dtypes.extended)
    assert not xp.issubdtype(KEY.dtype, xp.number)
    assert not xp.issubdtype("uint32", xp.dtypes.prng_key)
    assert xp.result_type(KEY, KEYS) is KEY.dtype


def test_keys_made_by_moving_give_the_same_numbers():
    one = xp.stack([xp.random.key(3), xp.random.key(4)])[1]
    assert xp.random.uniform(one, (2,)).tolist() == xp.random.uniform(xp.random.key(4), (2,)).tolist()


@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, lambda keys: pickle.loads(pickle.dumps(keys))])
def test_copies(clone):
    other = clone(KEYS)
    assert (other == KEYS).all()
    assert other.dtype is KEYS.dtype


def test_keys_are_written_to_like_other_arrays():
    keys = xp.random.split(KEY, 3)
    keys[1] = KEY
    assert data(keys) == [data(KEYS[0]), [0, 0], data(KEYS[2])]
    for number in (1, 1.5, xp.asarray(3), True, [1, 2]):
        with pytest.raises(TypeError):
            keys[0] = number
    numbers = xp.zeros(3)
    with pytest.raises(TypeError, match="key"):
        numbers[0] = KEY
    with xp.config.use(mutable=False), pytest.raises(TypeError):
        keys[0] = KEY


def test_reads_out_of_range_do_not_share_memory():
    keys = xp.random.split(KEY, 3)
    keys.at[0].get(mode="fill", fill_value=xp.random.key(9))
    read = keys.at[0].get()
    read[...] = xp.random.key(9)
    assert data(keys) == data(KEYS)


@for_each("function", [np.asarray, np.array, bool, int, float, complex, hash, memoryview, list, bytes])
def test_no_conversion_gives_the_bits(function):
    with pytest.raises(TypeError):
        function(KEY)


@for_each("x64", ["off", "explicit", "on"])
@for_each("promotion", ["jax", "numpy", "torch"])
def test_modes_do_not_change_keys(x64, promotion):
    with xp.config.use(x64=x64, promotion=promotion):
        assert (xp.concat([KEYS, KEYS]) == xp.tile(KEYS, 2)).all()
        assert data(xp.where(xp.asarray([True, False, True]), KEYS, KEY)) == [data(KEYS[0]), [0, 0], data(KEYS[2])]
        assert data(xp.asarray([KEYS, KEYS])) == [data(KEYS)] * 2
        for dtype in ("bool", "int8", "uint32", "float32", "bfloat16", "complex64"):
            numbers = xp.ones(3, dtype=dtype)
            with pytest.raises(xp.TypePromotionError, match="key"):
                xp.stack([KEYS, numbers])
            with pytest.raises(TypeError, match=r"add.*key|key.*add"):
                KEYS + numbers
            with pytest.raises(TypeError, match="key"):
                xp.equal(KEYS, numbers)


def test_in_an_array_with_an_order_nothing_is_sorted_by_accident():
    for function in (
        xp.sort,
        xp.argsort,
        xp.unique,
        xp.max,
        xp.argmax,
        xp.median,
        xp.cumulative_sum,
        xp.nonzero,
        xp.sum,
        xp.mean,
    ):
        with pytest.raises(TypeError):
            function(KEYS)


def _functions():
    for module in (xp, xp.linalg, xp.fft, xp.nn, xp.scipy.special):
        for name in module.__all__:
            found = getattr(module, name)
            if callable(found) and not isinstance(found, type):
                yield found


@pytest.mark.parametrize("args", [(KEYS,), (KEYS, KEYS), (KEYS, 1), ([KEYS, KEYS],), (KEYS.reshape(3, 1),), (1.5, KEY)])
def test_every_function_takes_or_refuses_keys(args, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    before = data(KEYS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for function in _functions():
            # Some functions raise these exceptions because JAX does.
            with contextlib.suppress(
                TypeError, ValueError, IndexError, OverflowError, NotImplementedError, AssertionError, OSError
            ):
                function(*args)
    assert data(KEYS) == before


@pytest.mark.parametrize("name", ["matmul", "dot", "vecdot", "tensordot", "linalg.multi_dot", "linalg.matrix_power"])
def test_keys_are_no_factors(name):
    keys = xp.random.split(xp.random.key(0), (2, 2))
    args = {"linalg.multi_dot": ([keys, keys],), "linalg.matrix_power": (keys, 2)}.get(name, (keys, keys))
    with pytest.raises(TypeError, match=f"{name}: keys have no arithmetic"):
        operator.attrgetter(name)(xp)(*args)


def test_the_dtype_of_keys():
    assert xp.random.key_dtype() == xp.random.key_dtype("threefry2x32") == xp.random.key(0).dtype
    with pytest.raises(ValueError, match="key_dtype: impl must be 'threefry2x32', got 'mt19937'"):
        xp.random.key_dtype("mt19937")
    with pytest.raises(NotImplementedError, match="key_dtype: the generator 'rbg' is missing in supremum, which has 'thr"):
        xp.random.key_dtype("rbg")


def test_more_words_than_older_counters_have():
    with (
        xp.config.use(jax_threefry_partitionable=False),
        pytest.raises(NotImplementedError, match="need jax_threefry_partitionable"),
    ):
        xp.random.bits(xp.random.key(0), (1 << 33,), "uint32")
