"""`jit`, `vmap`, callbacks, devices and printing, where an expression and its repr do not say enough."""

import dataclasses
import importlib
import inspect
import logging
from functools import partial

import ml_dtypes
import numpy as np
import pytest

import supremum as xp
from supremum import jax

pytestmark = pytest.mark.usefixtures("as_in_jax")

lax = jax.lax


def test_jit_is_a_decorator_with_and_without_arguments():
    @jax.jit
    def one(x):
        """Say something."""
        return x + 1

    @partial(jax.jit, static_argnames=("n",), donate_argnums=0)
    def several(x, n):
        assert type(n) is int
        return [x] * n

    class Model:
        @partial(jax.jit, static_argnums=0)
        def apply(self, x):
            return x * 2

    assert (one.__name__, one.__doc__, one.__wrapped__(1)) == ("one", "Say something.", 2)
    assert [int(x) for x in several(3, n=2)] == [3, 3]
    assert len(several(3, 2)) == 2
    assert isinstance(Model().apply(4), jax.Array)


def test_jit_takes_apart_registered_classes():
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class State:
        x: object
        name: str = dataclasses.field(metadata={"static": True})

    out = jax.jit(lambda s: dataclasses.replace(s, x=s.x + 1))(State(np.float32(1), "a"))
    assert isinstance(out.x, jax.Array)
    assert (float(out.x), out.name) == (2.0, "a")


def test_vmap_does_not_write_into_its_arguments():
    def function(x):
        x += 1
        return x

    for mutable in (True, False):
        with xp.config.use(mutable=mutable):
            x = xp.arange(3)
            assert jax.vmap(function)(x).tolist() == [1, 2, 3]
            assert x.tolist() == [0, 1, 2]


def test_vmap_raises_what_the_function_raises():
    def function(x):
        raise KeyError("own")

    for options in ({}, {"axis_name": "i"}):
        with pytest.raises(KeyError, match="own"):
            jax.vmap(function, **options)(xp.arange(3))


def test_vmap_with_a_name_keeps_the_settings_of_the_caller():
    with xp.config.use(x64="on"):
        assert jax.vmap(lambda x: lax.psum(x * 1.5, "i"), axis_name="i")(xp.arange(2)).dtype == "float64"


def test_scan_checks_what_is_carried():
    with pytest.raises(TypeError, match="carry input and carry output must have equal types"):
        lax.scan(lambda c, x: (c + x, c), xp.asarray(0, dtype="int32"), xp.arange(3.0))
    with pytest.raises(TypeError, match="must be a pair"):
        lax.scan(lambda c, x: c, 0, xp.arange(3))


def test_loops_of_no_steps():
    one, nothing = xp.float32(1), xp.zeros(0)
    assert lax.scan(lambda c, x: (1.0, x), one, nothing)[0].weak_type  # as JAX's
    assert not lax.scan(lambda c, x: (c + 1.5, x), 0, nothing)[0].weak_type
    with pytest.raises(TypeError, match="carry input and carry output must have equal types"):
        lax.scan(lambda c, x: (c[None], x), one, nothing)
    assert not lax.fori_loop(0, 0, lambda i, c: 1 / 0, one).weak_type


def test_the_branch_that_is_not_taken_is_not_called():
    def never():
        raise AssertionError

    assert int(lax.cond(True, lambda: 1, never)) == 1
    assert int(lax.switch(0, [lambda: 1, never])) == 1


@pytest.mark.parametrize("other", [lambda x: x.astype("int32"), lambda x: x[:1], lambda x: [x]])
def test_programs_have_branches_of_one_type_as_in_jax(other):
    x = xp.arange(2.0)
    chosen = lax.cond, lambda p, *branches: lax.switch(p, branches[:-1], branches[-1])
    for choose, condition in zip(chosen, (True, 1), strict=True):
        with pytest.raises(TypeError, match="branches must have equal output"):
            jax.jit(lambda p, x, choose=choose: choose(p, lambda x: x * 2, other, x))(condition, x)


def test_debug_print_and_log(capsys, caplog):
    jax.debug.print("{} {x:.1f} {t}", xp.arange(3), x=xp.asarray(1.25), t={"a": xp.ones(1)})
    assert capsys.readouterr().out == "[0 1 2] 1.2 {'a': Array([1.], dtype=float32)}\n"
    with pytest.raises(ValueError, match="Unused"):
        jax.debug.print("nothing", xp.ones(1))
    with caplog.at_level(logging.INFO, logger="jax"):
        jax.debug.log("{}", xp.asarray(3))
    assert caplog.messages == ["3"]
    seen = []
    jax.debug.callback(seen.append, 4)
    jax.vmap(lambda x: jax.debug.callback(lambda y: seen.append(int(y)), x))(xp.arange(2))
    assert seen == [4, 0, 1]
    jax.debug.print("{}", jax.random.key(0))
    assert capsys.readouterr().out == f"{jax.random.key(0)}\n"


def test_debug_functions_in_two_calls(capsys, caplog):
    jax.debug.print(ordered=True)("x: {x}", x=42)
    assert capsys.readouterr().out == "x: 42\n"
    seen = []
    jax.debug.callback(ordered=True)(seen.append, 100)
    assert seen == [100]
    with caplog.at_level(logging.INFO, logger="jax"):
        jax.debug.log(ordered=True)("{}", 3)
    assert caplog.messages == ["3"]
    with pytest.raises(ValueError, match=r"Unused keyword arguments to `jax\.debug\.print`: \['partitioned'\]"):
        jax.debug.print(ordered=True)("{a}", a=42, partitioned=True)
    with pytest.raises(TypeError, match="debug_callback received unexpected arguments in the two-call form"):
        jax.debug.callback(ordered=True, a=42)


def test_callbacks_return_what_was_declared():
    shape = jax.ShapeDtypeStruct((2,), "float32")
    assert jax.pure_callback(lambda x: np.asarray(x) * 2, shape, xp.ones(2)).tolist() == [2, 2]
    assert jax.experimental.io_callback(lambda: None, None) is None
    assert [x.tolist() for x in jax.pure_callback(lambda: {"y": [1.0]}, [jax.ShapeDtypeStruct((), "float32")])] == [1.0]
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"the function returns PyTreeDef\(\(\*, \*\)\), expected"):
        jax.pure_callback(lambda: (1.0, 2.0), jax.ShapeDtypeStruct((), "float32"))
    with pytest.raises(jax.errors.JaxRuntimeError, match="expected float32"):
        jax.pure_callback(lambda x: np.ones(3), shape, xp.ones(2))


def test_segments():
    data, ids = xp.arange(5.0), xp.asarray([0, 0, 2, -1, 9])
    assert jax.ops.segment_sum(data, ids, num_segments=3).tolist() == [1, 0, 2]
    assert jax.ops.segment_max(data, ids, num_segments=2).tolist() == [1, -np.inf]


def test_contexts_without_effect():
    device = jax.devices()[0]
    with jax.disable_jit(), jax.ensure_compile_time_eval(), jax.default_device(device), jax.named_scope("a"):
        assert jax.device_put(np.ones(2), device).device == "cpu"
    assert (device.platform, device.id, jax.local_device_count(), jax.process_index()) == ("cpu", 0, 1, 0)
    with jax.profiler.trace("folder"), jax.profiler.TraceAnnotation("a"):
        jax.effects_barrier()


def test_settings_by_jaxs_names():
    with jax.experimental.enable_x64():
        assert jax.numpy.arange(2).dtype == "int64"
    with jax.enable_x64(True), jax.experimental.disable_x64():
        assert jax.numpy.arange(2).dtype == "int32"


def test_x_is_left_alone_by_plus_equals():
    a = jax.numpy.arange(3)
    b = a
    b += 10
    assert (a.tolist(), b.tolist()) == ([0, 1, 2], [10, 11, 12])
    with pytest.raises(TypeError, match="immutable"):
        a[0] = 1


def test_bits_of_philox_are_jaxs():
    state, bits = lax.rng_bit_generator(xp.asarray([1, 2, 3, 4], dtype="uint32"), (4,))
    assert bits.tolist() == [512747620, 1298009047, 1267190206, 761827841]
    assert state.tolist() == [1, 2, 4, 4]


def test_rng_uniform_is_between_its_bounds():
    x = lax.rng_uniform(2.0, 3.0, (50,))
    assert x.dtype == "float32"
    assert bool(((x >= 2) & (x <= 3)).all())


def test_slices_beyond_the_end_are_refused():
    with pytest.raises(TypeError, match="limit_indices must be less than or equal to operand shape"):
        lax.slice(xp.ones((2, 3)), (0, 1), (2, 4))
    assert all(type(n) is int for n in lax.conv_shape_tuple((1, 2, 9), (4, 2, 3), (2,), "SAME"))


def test_reductions_check_their_arguments():
    with pytest.raises(ValueError, match="same tree structure"):
        lax.reduce_window(xp.ones(1), 0.0, lambda x, y: [x + y], (1,))
    for function in (lambda: lax.reduce(xp.ones(2), xp.ones(2), lax.add, (0,)), lambda: lax.reduce_max(xp.ones(2), (3,))):
        with pytest.raises(ValueError, match=r"scalars|out of range"):
            function()
    with pytest.raises(TypeError, match="the computation returns float32"):
        lax.reduce(xp.arange(3), xp.asarray(0, dtype="int32"), lambda x, y: x * 1.5, (0,))


def test_a_computation_is_one_of_scalars():
    x = xp.asarray([[1.0, 5.0], [7.0, 2.0]])
    for axes, expected in (((0,), [8, 7]), ((1,), [6, 9]), ((0, 1), 15)):  # a sum over the axes of a scalar is itself
        assert lax.reduce(x, 0.0, lambda x, y: xp.sum(x) + y.sum(), axes).tolist() == expected
    assert lax.reduce_window(x, 0.0, lambda x, y: xp.sum(x) + y, (2, 2), (1, 1), "VALID").tolist() == [[15]]
    with pytest.raises(jax.errors.TracerBoolConversionError):
        lax.reduce(x, -np.inf, lambda x, y: x if bool(x > y) else y, (0,))
    with xp.config.use(promotion="jax_strict"):
        assert lax.reduce(
            xp.asarray([[1, 5], [7, 2]], dtype="uint32"), xp.asarray(0, dtype="uint32"), lax.max, (0,)
        ).tolist() == [7, 5]


def test_densities_are_trees():
    data, x = xp.asarray([[0.0, 1.0, 3.0, 4.5], [0.5, 1.0, 3.0, 6.5]]), xp.asarray([[1.0, 2.0], [0.5, 3.0]])
    density = jax.scipy.stats.gaussian_kde(data, weights=xp.asarray([1.0, 2.0, 1.0, 1.0]))
    leaves, structure = jax.tree.flatten(density)
    assert [leaf.shape for leaf in leaves] == [(), (2, 4), (4,), (2, 2), (2, 2)]
    again = structure.unflatten(leaves)
    expected = np.asarray(density.evaluate(x))
    np.testing.assert_allclose(np.asarray(again.evaluate(x)), expected, rtol=1e-6)
    np.testing.assert_allclose(np.asarray(jax.jit(lambda d: d.evaluate(x))(density)), expected, rtol=1e-6)
    assert again.resample(jax.random.key(0), (5,)).shape == (2, 5)


def test_vectors_of_trees_without_leaves_are_float32():
    from supremum.jax.flatten_util import ravel_pytree

    with xp.enable_x64(True):
        vector, unravel = ravel_pytree([])
    assert (vector.dtype, vector.shape, unravel(vector)) == ("float32", (0,), [])


def test_vectors_of_several_dtypes_are_strong():
    from supremum.jax.flatten_util import ravel_pytree

    found = [ravel_pytree(tree)[0] for tree in ([1.0, 2.0], [1.0, xp.ones(2)], [1, 1.5], [xp.arange(2), 1.5], [True, 1])]
    assert [x.weak_type for x in found] == [True, False, False, False, False]  # as in JAX


def test_images_of_guests_without_methods():
    class Bare:
        shape, ndim, size, dtype = (3,), 1, 3, "float32"

        def __init__(self, array):
            self.array, self._node = array, array._node

        def __supremum_function__(self, function, args, kwargs):
            return Bare(function(*[x.array if type(x) is Bare else x for x in args], **kwargs))

    x = xp.asarray([2.0, 4.0, 6.0])
    assert jax.image.resize(Bare(x), (6,), "linear").array.tolist() == jax.image.resize(x, (6,), "linear").tolist()


@pytest.mark.parametrize("method", ["nearest", "bicubic"])
def test_images_have_integer_shapes(method):
    x = xp.ones((3, 4))
    assert jax.image.resize(x, xp.asarray([10, 17]), method).shape == (10, 17)
    with pytest.raises(TypeError, match=r"image\.resize: shape must be"):
        jax.image.resize(x, [10.5, 17], method)
    with pytest.raises(TypeError, match=r"image\.scale_and_translate: shape must be"):
        jax.image.scale_and_translate(x, [10.5, 17], (0, 1), xp.ones(2), xp.zeros(2), "linear")


def test_jit_and_disable_jit_change_nothing():
    x = xp.ones(3)
    assert jax.jit(lambda y: y)(x) is x
    with jax.disable_jit():
        carry, results = lax.scan(lambda c, y: (c + y, y), 0.0, xp.zeros(0))
        # As in JAX, the function gets its arguments as they are, and returns what it returns.
        assert jax.jit(lambda *args, **words: (args, words, "text"))(1, 2.5, z=x) == ((1, 2.5), {"z": x}, "text")
    assert (float(carry), results.shape) == (0.0, (0,))


def test_shapes_of_what_is_made_of_very_many_elements():
    # 16 GiB, of which one element is in memory.
    many = jax.ShapeDtypeStruct((1 << 16, 1 << 16), "float32")
    assert jax.eval_shape(lambda x: x[3:5, ::2], many).shape == (2, 1 << 15)
    assert jax.eval_shape(lambda x: x[0].sum(), many) == jax.ShapeDtypeStruct((), "float32")
    with pytest.raises(ValueError, match="top_k returns int32 indices, which will overflow"):
        jax.eval_shape(lambda x: lax.top_k(x, 2), jax.ShapeDtypeStruct((2**31,), "bfloat16"))


def test_ragged_products_name_what_does_not_fit():
    x, y, sizes = xp.ones((5, 2)), xp.ones((3, 2, 2)), xp.asarray([2, 1, 2])
    with pytest.raises(NotImplementedError, match="group_offset is not supported, nor is it by JAX"):
        lax.ragged_dot(x, y, sizes, group_offset=xp.asarray([1]))
    with pytest.raises(TypeError, match=r"expected group_sizes to have shape \(3,\), got \(1, 3\)"):
        lax.ragged_dot(x, y, sizes[None])
    with pytest.raises(TypeError, match="expected rhs group dimension size to be 2, got 3"):
        lax.ragged_dot(x, y, sizes[:2])


def test_eval_shape_of_functions_that_return_shapes():
    found = jax.eval_shape(lambda x: (jax.ShapeDtypeStruct((2,), "float32"), x), 1.0)
    assert found == (jax.ShapeDtypeStruct((2,), "float32"), jax.ShapeDtypeStruct((), "float32", weak_type=True))


class Nameless:
    """A callable object, as libraries have them, whose name is no string."""

    __name__ = property(lambda self: 3)
    __annotations__ = property(lambda self: None)

    def __call__(self, x):
        return x + 1


@pytest.mark.parametrize(
    "wrapper", [jax.vmap, jax.jit, jax.checkpoint, jax.pmap, jax.custom_jvp, jax.custom_batching.sequential_vmap]
)
def test_callables_whose_name_is_no_string(wrapper):
    np.testing.assert_array_equal(wrapper(Nameless())(xp.ones(1)), [2.0])


def test_vmap_refuses_bools_as_axes():
    for axes in (True, (True,)):
        with pytest.raises(TypeError, match="vmap in_axes must be an int, None"):
            jax.vmap(abs, in_axes=axes)
    with pytest.raises(TypeError, match="vmap out_axes must be an int, None"):
        jax.vmap(abs, out_axes=False)


def test_scaled_dot_of_stacks():
    for shapes, expected in (
        (((4, 64), (64, 4)), (4, 4)),
        (((2, 4, 64), (2, 64, 4)), (2, 4, 4)),
        (((2, 3, 4, 64), (2, 3, 64, 4)), (2, 3, 4, 4)),
    ):
        found = lax.scaled_dot(*(xp.ones(shape) for shape in shapes))
        assert (found.shape, found.dtype, float(found.max())) == (expected, "bfloat16", 64.0)


@pytest.mark.parametrize(
    ("left", "right", "scale", "words"),
    [
        ((4, 64), (2, 64, 4), (4, 2), "the same rank"),
        ((4, 64), (64, 4), (2,), "LHS and its scale differ in rank"),
        ((4, 64), (64, 4), (4, 64), "LHS dim 1 of size 64 must be a multiple, at least twice, of its scale's 64"),
        ((4, 64), (64, 4), (4, 3), "LHS dim 1 of size 64 must be a multiple"),
        ((4, 64), (64, 4), (1, 2), "LHS dim 0 of size 4 does not match scale dim size 1"),
    ],
)
def test_scaled_dot_checks_shapes(left, right, scale, words):
    with pytest.raises(TypeError, match=words):
        lax.scaled_dot(xp.ones(left), xp.ones(right), lhs_scale=xp.ones(scale))


def test_all_to_all_of_sizes_that_do_not_fit():
    def exchanged(shape, tiled):
        return jax.vmap(lambda x: lax.all_to_all(x, "i", 0, 0, tiled=tiled), axis_name="i")(xp.ones((3, *shape)))

    assert exchanged((3, 4), tiled=False).shape == (3, 3, 4)
    assert exchanged((6, 2), tiled=True).shape == (3, 6, 2)
    with pytest.raises(ValueError, match=r"to equal x.shape\[split_axis\], but they are 3 and 4 respectively"):
        exchanged((4,), tiled=False)
    with pytest.raises(ValueError, match="size 4 of split_axis is no multiple of that of i, 3"):
        exchanged((4, 2), tiled=True)


def test_closures_are_converted_as_they_are():
    captured = xp.ones(2)
    converted, further = jax.closure_convert(lambda x: x * captured, xp.ones(2))
    np.testing.assert_array_equal(converted(xp.full(2, 3.0), *further), [3.0, 3.0])


def test_settings_by_their_keywords():
    before = jax.config.out_of_range
    jax.config.update(name="out_of_range", val=before)
    assert jax.config.out_of_range == before


def test_contexts_in_which_nan_and_infinities_raise():
    with jax.debug_nans(True), pytest.raises(FloatingPointError, match=r"invalid value \(nan\) encountered in log"):
        jax.jit(lambda x: xp.log(x) + 1)(-1.0)
    with jax.debug_infs(True), pytest.raises(FloatingPointError, match=r"\(inf\) encountered in divide"):
        xp.ones(2) / 0
    with jax.debug_nans(False):
        assert bool(xp.isnan(lax.sub(xp.inf, xp.inf)))


def test_jitted_functions_have_the_signature_of_the_function():
    assert str(inspect.signature(jax.jit(lambda x, y=2: x), follow_wrapped=False)) == "(x, y=2)"
    assert jax.jit(pow)(2, 3) == 8


def test_windows_start_at_infinity_of_any_dtype():
    x = xp.asarray([[1, 5, 2, 3]], dtype="float32")
    with xp.config.use(x64="on"):
        largest = lax.reduce_window(x, -xp.inf, lax.max, (1, 2), (1, 2), "VALID")
        assert (largest.dtype, largest.tolist()) == ("float32", [[5, 3]])
        assert lax.reduce_window(x, np.inf, lax.min, (1, 2), (1, 2), "VALID").tolist() == [[1, 2]]
        with pytest.raises(TypeError, match="requires arguments to have the same dtypes"):
            lax.reduce_window(x, 0.0, lax.max, (1, 2), (1, 2), "VALID")
        assert lax.reduce_window(x.astype("int32"), -np.inf, lax.max, (1, 2), (1, 2), "VALID").tolist() == [[5, 3]]


@pytest.mark.parametrize("name", ["float32", "bfloat16", "float16", "float64", "complex64", "float8_e4m3fn"])
def test_limits_are_scalars_of_the_dtype_which_are_not_weak(name):
    """As in JAX 0.10.2, whose `finfo` is that of ml_dtypes; the namespace's own has Python's numbers, as the standard says."""
    ours, theirs = jax.numpy.finfo(name), ml_dtypes.finfo(name)
    for limit in ("eps", "max", "min", "tiny", "smallest_normal", "smallest_subnormal", "resolution", "epsneg"):
        given = getattr(ours, limit)
        assert type(given) is type(getattr(theirs, limit)) is theirs.dtype.type
        assert given == getattr(theirs, limit)
        assert type(getattr(xp.finfo(name), limit)) is float
    assert (ours.bits, ours.dtype, ours.nmant) == (theirs.bits, theirs.dtype, theirs.nmant)
    assert ours == xp.finfo(name)
    assert jax.dtypes.finfo is jax.numpy.finfo
    if name != "complex64":
        assert (xp.asarray(True) * ours.eps).dtype == ("float32" if name == "float64" else name)
        assert not xp.asarray(ours.eps).weak_type


def test_the_size_of_the_cache_of_a_jitted_function():
    """The numbers of JAX 0.10.2."""
    function = jax.jit(lambda x, y=1: x)
    sizes = [function._cache_size()]
    given = (
        (1,),
        (2,),
        (1.5,),
        (xp.ones(3),),
        (xp.zeros(3),),
        (xp.ones(3, dtype="bfloat16"),),
        ({"a": 1},),
        ({"b": 1},),
        (1, 2),
    )
    for arguments in given:
        function(*arguments)
        sizes.append(function._cache_size())
    assert sizes == [0, 1, 1, 2, 3, 3, 4, 5, 6, 7]
    function(1, y=2)
    assert function._cache_size() == 8
    function.clear_cache()
    assert function._cache_size() == 0
    static = jax.jit(lambda n, x: x, static_argnums=0)
    for arguments, size in (((1, 2), 1), ((1, 3), 1), ((2, 3), 2), (("a", 3), 3)):
        static(*arguments)
        assert static._cache_size() == size
    with pytest.raises(TypeError):
        static(3, object())
    assert static._cache_size() == 3


def test_arguments_that_are_no_arrays_yet_are_recorded_with_arrays_like_them():
    """The numbers of JAX 0.10.2."""
    function = jax.jit(lambda x: traces.append(0) or x * 2)
    given = (xp.ones(3), np.ones(3, "float32"), xp.float32(1), np.float32(2), np.int32(3), 1.5, xp.asarray(2.5), 4)
    traces: list[int] = []
    counts = []
    for x in given:
        function(x)
        counts.append(len(traces))
    assert counts == [1, 1, 2, 2, 3, 4, 4, 5]


def test_static_arguments_are_compared():
    class Wrong:
        def __hash__(self):
            return 1

        def __eq__(self, other):
            raise NotImplementedError("no comparison")

    f = jax.jit(lambda x, y: x + 3, static_argnums=1)
    assert f(1, Wrong()) == 4
    with pytest.raises(ValueError, match="static arguments should be comparable using __eq__"):
        f(1, Wrong())


def test_device_get_leaves_operands_of_transformations():
    assert isinstance(jax.device_get([xp.ones(2)])[0], np.ndarray)
    assert jax.grad(lambda x: jax.device_get({"a": x})["a"] * 3)(2.0) == 3
    assert jax.jit(lambda x: jax.device_get(x) * 3)(2.0) == 6


def test_types_of_arguments_are_checked_as_the_program_runs():
    """Libraries have annotations checked by beartype and typeguard, which takes classes and unions of them."""
    kinds = importlib.import_module("supremum.jax.typing")
    for value in (xp.ones(2), np.ones(2), np.float32(1), np.bool_(True), True, 1, 1.0, 1j):
        assert isinstance(value, kinds.ArrayLike)
    assert not any(isinstance(value, kinds.ArrayLike) for value in ("a", [1.0], None))
    assert isinstance(xp.float32, xp.typing.SupportsDType)
    assert isinstance(np.ones(2), xp.typing.SupportsArray)
    assert importlib.import_module("supremum.jax._src.typing").Array is xp.Array


def test_scalars_of_jax_dtypes():
    assert jax.dtypes.bfloat16 is ml_dtypes.bfloat16


def test_shapes_without_elements_have_types():
    """As in JAX 0.10.2."""
    assert repr(jax.typeof(jax.ShapeDtypeStruct((2,), "float32", weak_type=True))) == "ShapedArray(float32[2], weak_type=True)"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"donate_argnums": 1}, "donate_argnums=1, but only accepts 1 positional"),
        ({"donate_argnums": (0, 5)}, "only accepts 1 positional"),
        ({"donate_argnums": -2}, "only accepts 1 positional"),
        ({"donate_argnames": "y"}, "invalid argnames .* in donate_argnames"),
        ({"donate_argnums": 0, "static_argnums": 0}, "static or donated, got both"),
        ({"donate_argnames": "x", "static_argnames": "x"}, "static or donated, got both"),
    ],
)
def test_donated_arguments_that_a_function_does_not_have(options, message):
    with pytest.raises(ValueError, match=message):
        jax.jit(lambda x: x, **options)


def test_donated_arguments():
    for options in [{"donate_argnums": -1}, {"donate_argnames": "x"}, {"donate_argnums": (0, 0)}]:
        assert jax.jit(lambda x: x, **options)(1) == 1
    assert jax.jit(lambda *x: x[0], donate_argnums=3)(1) == 1
