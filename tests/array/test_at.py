"""Updates and reads by ``x.at[...]``, with the results of JAX 0.10.2, and options of our own."""

import inspect
import re

import expressions
import numpy as np
import pytest
from common import for_each
from generators import RNG
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as hnp

import supremum as xp
from supremum import jax
from supremum._array.at import IndexedUpdate


@for_each("case", expressions.cases("at"), expressions.identity)
def test_as_jax(case):
    expressions.check(case)


def test_the_array_is_untouched():
    x = xp.arange(4)
    for update in ("set", "add", "subtract", "multiply", "divide", "power", "min", "max"):
        getattr(x.at[1:], update)(7)
    x.at[1:].apply(xp.negative)
    x.at[1:].get()[0] = 9
    assert x.tolist() == [0, 1, 2, 3]


def test_a_failing_update_changes_nothing():
    x = xp.arange(4)
    for bad in ([1, 2, 3], "a", None):
        with pytest.raises((ValueError, TypeError)):
            x.at[:2].set(bad)
    assert x.tolist() == [0, 1, 2, 3]


def test_works_where_arrays_are_immutable():
    with xp.config.use(mutable=False):
        assert xp.zeros(2).at[0].set(1).tolist() == [1.0, 0.0]


@pytest.mark.parametrize("dtype, terms", [("bfloat16", 1000), ("float16", 4000), ("float8_e4m3fn", 100)])
def test_narrow_floats_accumulate_without_losing_terms(dtype, terms):
    """The sum is exact in float32 and rounded once."""
    x = xp.zeros(1, dtype=dtype).at[xp.zeros(terms, dtype="int32")].add(1)
    assert float(x[0]) == float(np.float32(terms).astype(x.dtype))


def test_weak_arrays_stay_weak():
    x = xp.full((2,), 1)
    assert x.at[0].set(2).weak_type
    assert x.at[0].get().weak_type
    assert not xp.arange(2).at[0].set(2).weak_type


def test_the_warning_points_at_the_caller():
    with pytest.warns(FutureWarning, match=r"at\[...\]\.add cannot safely cast values of dtype float32") as caught:
        xp.arange(2).at[0].add(1.5)
    assert caught[0].filename == __file__


def test_strict_promotion_refuses_mixed_dtypes():
    with xp.numpy_dtype_promotion("strict"), pytest.raises(xp.TypePromotionError):
        xp.arange(2, dtype="int32").at[0].set(xp.int8(1))


#: By method: what (1, 2, 1) is after an update of the elements [[1, 1], [1, 0]] by the values (1, 2), which are broadcast.
BROADCAST = {
    "set": (2, 1, 1),
    "add": (3, 6, 1),
    "subtract": (-1, -2, 1),
    "multiply": (2, 4, 1),
    "divide": (0.5, 1, 1),
    "power": (1, 4, 1),
    "min": (1, 1, 1),
    "max": (2, 2, 1),
}


@for_each("key", [([[1, 1], [1, 0]],), ([[-2, -2], [-2, -3]], ...), (None, [[[1, 1], [1, 0]]])])
@for_each("name", BROADCAST)
@pytest.mark.filterwarnings("ignore:scatter inputs")
def test_values_that_are_broadcast_to_indices_of_several_axes(name, key):
    """The values are followed by others in memory, which must not be read."""
    for dtype in ("int4", "uint4", "int8", "uint8", "int32", "uint32", "int64", "uint64", "float4_e2m1fn", "float8_e4m3fn",
                  "bfloat16", "float16", "float32", "float64", "complex64", "complex128"):  # fmt: skip
        expected = BROADCAST[name]
        if dtype[0] == "u" and min(expected) < 0:
            expected = [2 ** int(dtype[4:]) + n if n < 0 else n for n in expected]
        if name in ("min", "max") and dtype[0] == "c":
            continue
        x, values = xp.asarray([1, 2, 1]).astype(dtype), xp.asarray([1, 2, 3, 3, 3, 3]).astype(dtype)
        parts = tuple([xp.asarray(part) if isinstance(part, list) else part for part in key])
        result = getattr(x.at[parts], name)(values[:2])
        assert result.tolist() == [complex(n) if dtype[0] == "c" else n for n in expected], dtype


# -- comparison with plain loops ---------------------------------------------------------------------------------------------

PARTS = st.one_of(
    st.integers(-5, 5),
    st.slices(4),
    st.just(None),
    st.just(...),
    hnp.arrays(np.int64, st.sampled_from([(2,), (3,), (2, 1), ()]), elements=st.integers(-6, 6)),
    hnp.arrays(np.bool_, st.sampled_from([(3,), (4,)])),
)


def loop(shape, key, mode):
    """Return the flat position of each element of a selection, None for those out of range, or the exception.

    The array is embedded in one so large that no index leaves it, and NumPy selects from that.
    """
    pad = 16
    wide = np.full([n + 2 * pad for n in shape], -1)
    inner = tuple(slice(pad, pad + n) for n in shape)
    wide[inner] = np.arange(np.prod(shape)).reshape(shape)
    if mode == "clip":
        wide = np.pad(np.arange(np.prod(shape)).reshape(shape), pad, mode="edge")
    out, used = [], 0
    parts = list(key)
    consumed = sum(p.ndim if isinstance(p, np.ndarray) and p.dtype == bool else p is not None and p is not ... for p in parts)
    ellipses = sum(part is ... for part in parts)
    if ellipses > 1 or consumed > len(shape):
        return IndexError
    if not ellipses:
        parts.append(...)
    for part in parts:
        if part is None:
            out.append(None)
        elif part is ...:
            skipped = shape[used : used + len(shape) - consumed]
            out.extend(slice(pad, pad + length) for length in skipped)
            used += len(skipped)
        elif isinstance(part, slice):
            numbers = range(*part.indices(shape[used]))
            start, stop = (numbers[0] + pad, numbers[-1] + pad) if numbers else (pad, pad - 1)
            step = numbers.step
            out.append(slice(start, stop + (1 if step > 0 else -1), step) if numbers else slice(pad, pad))
            used += 1
        elif isinstance(part, np.ndarray) and part.dtype == bool:
            if part.shape != shape[used : used + 1]:
                return IndexError
            out.append(np.nonzero(part)[0] + pad)
            used += 1
        else:
            wrapped = np.where(np.asarray(part) < 0, np.asarray(part) + shape[used], part) + pad
            out.append(wrapped if isinstance(part, np.ndarray) else int(wrapped))
            used += 1
    try:
        return np.asarray(wide[tuple(out)])
    except IndexError:
        return ValueError  # index arrays that cannot be broadcast


@settings(max_examples=400)
@given(key=st.lists(PARTS, max_size=4).map(tuple), mode=st.sampled_from(["fill", "clip"]))
def test_selections_of_all_kinds(key, mode):
    shape = (3, 4, 2)
    places = loop(shape, key, mode)
    x = xp.arange(24).reshape(shape)
    if isinstance(places, type):
        with pytest.raises(places):
            x.at[key].get(mode=mode)
        return
    given = x.at[key].get(mode=mode, fill_value=-1)
    assert given.shape == places.shape
    assert (given._data == places).all()
    values = np.arange(places.size).reshape(places.shape) + 100
    replaced, added = np.arange(24), np.arange(24)
    for place, value in zip(places.ravel(), values.ravel(), strict=True):
        if place >= 0:
            replaced[place] = value
            added[place] += value
    assert x.at[key].set(values.astype(np.int32), mode=mode).ravel().tolist() == replaced.tolist()
    assert x.at[key].add(values.astype(np.int32), mode=mode).ravel().tolist() == added.tolist()


@pytest.mark.parametrize(("method", "expected"), [("max", [-1, 6, 2, -2]), ("min", [-4, 6, -4, -2])])
def test_integers_wrap_to_a_narrow_dtype_before_they_are_compared(method, expected):
    x = xp.asarray([-1, 6, 2, -2], dtype="int4")
    result = getattr(x.at[xp.asarray([0, 2])], method)(300)
    assert result.dtype == "int4"
    assert result.astype("int32").tolist() == expected


UPDATES = ("add", "subtract", "multiply", "divide", "power", "min", "max")


@pytest.mark.parametrize("name", UPDATES)
def test_updates_have_the_signature_of_set_and_names_of_their_own(name):
    update = getattr(IndexedUpdate, name)
    x = xp.ones(2)
    assert inspect.signature(getattr(x.at[0], name)) == inspect.signature(x.at[0].set)
    assert (update.__name__, update.__qualname__) == (name, f"IndexedUpdate.{name}")
    assert "Parameters" in inspect.getdoc(update)
    assert inspect.getdoc(update).partition("\n")[0] != inspect.getdoc(IndexedUpdate.set).partition("\n")[0]
    with pytest.raises(TypeError, match=rf"^IndexedUpdate\.{name}\(\) got an unexpected keyword"):
        update(x.at[0], 1, nonsense=1)
    with pytest.raises(ValueError, match=rf"^at\[...\]\.{name}: mode must be one of"):
        update(x.at[0], 1, mode="nonsense")


def test_mul_is_multiply():
    assert IndexedUpdate.mul is IndexedUpdate.multiply


def test_a_fill_value_that_cannot_serve_is_refused_where_none_is_needed():
    with pytest.raises(TypeError, match="complex fill_value"):
        xp.arange(3.0).at[1].get(mode="fill", fill_value=1j)
    assert xp.arange(3.0).at[1].get(mode="clip", fill_value=1j).tolist() == 1.0


def test_powers_of_weak_numbers_are_weak():
    two = xp.asarray(2)
    assert two.at[()].power(2).weak_type == two.weak_type
    assert not xp.arange(3).at[0].power(2).weak_type


@pytest.mark.parametrize("layout", [np.asfortranarray, np.transpose, lambda x: x[:, ::-1]])
def test_updates_do_not_mind_the_order_of_the_elements_in_memory(layout):
    data = layout(np.arange(12.0, dtype=np.float32).reshape(3, 4))
    x = xp.asarray(data)
    doubled = data.copy()
    doubled[0] *= 2
    assert x.at[0].apply(lambda y: 2 * y).tolist() == doubled.tolist()
    kept = data.copy()
    kept[1] = 7
    assert x.at[xp.asarray([1, 99])].set(7).tolist() == kept.tolist()  # an index out of range is dropped


# -- functions of elements, of operands that take over or of what they are called with


def applied(x, index, function, **options):
    """Return the result by hand: the function of each selected element, once for each time that it is selected."""
    out = [float(one) for one in x]
    for i in np.ravel(np.asarray(np.arange(len(out))[index])):
        out[i] = float(function(xp.asarray(out[i])))
    return out


@pytest.mark.parametrize(
    "index", [0, -1, slice(1, None), np.asarray([0, 2, 0]), np.asarray([], np.int32), np.asarray([True, False, True])]
)
def test_functions_of_elements(index):
    x = xp.asarray([1.0, 2.0, 3.0])
    assert x.at[index].apply(lambda y: y * y + 1).tolist() == applied(x, index, lambda y: y * y + 1)
    for mutable in (True, False):
        with xp.config.use(mutable=mutable):
            found = x.at[index].apply(lambda y: 2 * y)
            assert found.dtype == x.dtype
            assert not np.shares_memory(found._data, x._data)


def test_functions_of_elements_are_of_mapped_operands():
    x, s = xp.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), xp.asarray([10.0, 100.0])
    twice = np.asarray([0, 0, 1])
    for function, args in (
        (lambda a: a.at[0].apply(xp.negative), (x,)),
        (lambda a, s: a.at[1:].apply(lambda y: y * s), (x, s)),
        (lambda a, s: a.at[twice].apply(lambda y: y * s), (x, s)),
        (lambda s: x[0].at[1:].apply(lambda y: y * s), (s,)),
        (lambda a, i: a.at[i].apply(lambda y: y + 1), (x, xp.asarray([0, 2]))),
        (lambda a, s: a.at[9].apply(lambda y: y * s, mode="clip"), (x, s)),
        (lambda a, s: a.at[9].apply(lambda y: y * s), (x, s)),
    ):
        expected = [function(*[arg[i] for arg in args]).tolist() for i in range(2)]
        assert jax.vmap(function)(*args).tolist() == expected


def test_functions_of_elements_have_derivatives():
    x, s = xp.asarray([1.0, 2.0, 3.0]), xp.asarray(2.0)
    twice = np.asarray([0, 0])
    assert jax.grad(lambda a: xp.sum(a.at[:2].apply(lambda y: y * y)))(x).tolist() == [2.0, 4.0, 1.0]
    assert jax.grad(lambda a: xp.sum(a.at[twice].apply(lambda y: y * y)))(x).tolist() == [4.0, 1.0, 1.0]  # of y ** 4
    assert float(jax.grad(lambda s: xp.sum(x.at[1:].apply(lambda y: y * s * s)))(s)) == 2 * 2.0 * (2.0 + 3.0)
    value, slope = jax.jvp(lambda s: (x * s).at[0].apply(lambda y: y * s), (s,), (xp.asarray(1.0),))
    assert (value.tolist(), slope.tolist()) == ([4.0, 4.0, 6.0], [4.0, 2.0, 3.0])
    of_each = jax.vmap(jax.grad(lambda s: xp.sum(x.at[0].apply(lambda y: y * s * s))))
    assert of_each(xp.asarray([2.0, 3.0])).tolist() == [4.0, 6.0]
    assert float(jax.grad(lambda s: xp.sum(jax.vmap(lambda a: a.at[0].apply(lambda y: y * s))(xp.stack([x, x]))))(s)) == 2.0
    assert float(jax.grad(jax.grad(lambda s: xp.sum(x.at[2].apply(lambda y: y * s**3))))(s)) == 3 * 6 * 2.0


def test_functions_of_elements_are_recorded_and_watched():
    x, s = xp.asarray([1.0, 2.0, 3.0]), xp.asarray(2.0)
    for function, args in ((lambda a: a.at[0].apply(xp.sin), (x,)), (lambda s: x.at[1].apply(lambda y: y * s), (s,))):
        program = jax.make_jaxpr(function)(*args)
        (found,) = jax.core.eval_jaxpr(program.jaxpr, program.consts, *args)
        assert found.tolist() == function(*args).tolist()
    seen = []

    def watch(function, args, kwargs):
        seen.append(function.name)
        with xp.config.use(watcher=watch if function.kind == "composed" else None):
            return function.definition(*args, **kwargs)

    with xp.config.use(watcher=watch):
        x.at[0].apply(xp.negative)
    assert seen[0] == "at_apply"
    assert "negative" in seen
    assert "at_set" in seen


def test_functions_of_elements_may_return_operands_of_guests():
    class Logged:
        def __init__(self, array, names=()):
            self.array, self.names = array, names

        def __supremum_function__(self, function, args, kwargs):
            arrays = [one.array if isinstance(one, Logged) else one for one in args]
            return Logged(function(*arrays, **kwargs), (*self.names, function.name))

    found = xp.asarray([1.0, 2.0]).at[0].apply(lambda y: xp.add(y, Logged(xp.asarray(3.0))))
    assert found.array.tolist() == [4.0, 2.0]
    assert found.names[:2] == ("add", "at_set")


def test_functions_of_elements_keep_the_dtype():
    x = xp.asarray([1.0, 2.0])
    with pytest.raises(ValueError, match=r"at\[\.\.\.\]\.apply: the function must keep the dtype float32, it returned bool"):
        x.at[0].apply(lambda y: y > 1)
    with pytest.raises(ValueError, match="keep the dtype float32, it returned bool"):
        jax.vmap(lambda a: a.at[0].apply(lambda y: y > 1))(xp.stack([x, x]))
    with pytest.raises(TypeError, match="func"):
        x.at[0].apply(3)


# -- updates by arrays of indices, whose fast paths answer as the definitions do

UPDATES = ("add", "subtract", "multiply", "max", "min", "set")


def definition(update, name, *args):
    function = inspect.getattr_static(type(update), name)
    return getattr(function, "__wrapped__", function)(update, *args)


def same_update(x, key, name, values):
    """Check an update against its definition; every NaN is alike."""
    before = x.tolist()
    ours, wanted = getattr(x.at[key], name)(values), definition(x.at[key], name, values)
    assert (ours._node, ours.shape) == (wanted._node, wanted.shape)
    if ours._data.tobytes() != wanted._data.tobytes():
        np.testing.assert_array_equal(ours._data, wanted._data)
    assert x.tolist() == before or np.isnan(np.asarray(x._data, np.complex128)).any()


def numbers(dtype, shape):
    special = (
        [0.0, -0.0, 1.5, -3.0, 100.0, np.inf, -np.inf, np.nan] if np.dtype(dtype).kind in "fc" else [0, 1, 2, 5, 100, 127]
    )
    return RNG.choice(special, shape).astype(dtype)


@pytest.mark.combinations
@pytest.mark.parametrize("name", UPDATES)
@pytest.mark.parametrize(
    "dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64"]
)
def test_quick_updates(name, dtype):
    for indices in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
        low = 0 if indices[0] == "u" else -12
        for size in (0, 1, 255, 256, 257, 600):
            places = xp.asarray(RNG.integers(low, 12, size).astype(indices))  # some out of range
            x = xp.asarray(numbers(dtype, 9))
            same_update(x, places, name, xp.asarray(numbers(dtype, size)))
            same_update(x, places, name, xp.asarray(numbers(dtype, ())))


@for_each("name", UPDATES)
@for_each("dtype", ["int32", "float32", "float64"])
def test_quick_updates_of_rows_and_by_several_arrays(name, dtype):
    x, i, j = (
        xp.asarray(data) for data in (numbers(dtype, (4, 5, 3)), RNG.integers(-5, 5, (2, 6)), RNG.integers(-6, 6, (2, 6)))
    )
    for key, shape in (
        (i, (2, 6, 5, 3)),
        ((i, j), (2, 6, 3)),
        ((i, j, i), (2, 6)),
        ((i, 1), (2, 6, 3)),
        ((-1, j), (2, 6, 3)),
        (2, (5, 3)),
    ):
        values = xp.asarray(numbers(dtype, shape))
        same_update(x, key, name, values)
        same_update(x, key, name, values[..., :1])
        same_update(x, key, name, 3)
        same_update(x[:, ::-1], key, name, values)
        same_update(xp.permute_dims(x, (2, 0, 1)), i, name, 2)
    same_update(x, (1, 2, 0), name, 2)
    same_update(x, i[:, ::2], name, xp.asarray(numbers(dtype, (2, 3, 5, 3))))
    same_update(x, i._data, name, 1)


@pytest.mark.combinations
@pytest.mark.parametrize("scalar", [0, 1, -1, 127, 300, 2**31, True, 1.5, -0.0, float("nan"), 1e300, 2j])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int32", "float32", "bfloat16", "complex64"])
@pytest.mark.filterwarnings("ignore")
def test_quick_updates_by_scalars(dtype, scalar):
    for name in UPDATES:
        update = xp.ones(3, dtype=dtype).at[xp.asarray([0, 2, 0])]
        try:
            wanted = definition(update, name, scalar)
        except (TypeError, ValueError, OverflowError) as error:
            with pytest.raises(type(error)):
                getattr(update, name)(scalar)
            continue
        ours = getattr(update, name)(scalar)
        assert ours._node is wanted._node
        np.testing.assert_array_equal(*(np.asarray(x).astype(np.complex128) for x in (ours, wanted)))


def test_wide_values_in_narrow_arrays_are_warned_of():
    x = xp.ones(3, dtype=xp.int8)
    with pytest.warns(FutureWarning, match="scatter"):
        x.at[xp.asarray([0])].add(xp.asarray([1.5]))
    with pytest.raises(IndexError):
        xp.ones((0, 2)).at[xp.asarray([0])].add(1.0)
    with pytest.raises(ValueError, match="broadcast"):
        xp.ones(3).at[xp.asarray([0, 1])].add(xp.ones(3))


@pytest.mark.parametrize("name", ["set", "add", "power"])
def test_slices_without_a_step(name):
    with pytest.raises(ValueError, match=re.escape(f"at[...].{name}: slice step cannot be zero")):
        getattr(xp.ones(5).at[0:3:0], name)(2)
