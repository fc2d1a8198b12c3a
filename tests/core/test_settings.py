import asyncio
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import numpy as np
import pytest
from common import default_float, for_each

import supremum as xp
from supremum import config
from supremum.promotion import systems

pytestmark = pytest.mark.usefixtures("defaults_afterwards")


@pytest.mark.parametrize(("mode", "dtype"), [("explicit", "float32"), ("on", "float64"), ("off", "float32")])
def test_default_dtype_follows_the_mode(mode, dtype):
    with config.use(x64=mode):
        assert default_float() == dtype
        assert config.x64 == mode
    assert config.x64 == "explicit"


def test_off_truncates_what_is_asked_for_and_what_comes_in():
    import numpy as np

    with config.use(x64="off"):
        with pytest.warns(UserWarning, match="will be truncated to dtype float32"):
            assert xp.zeros(1, dtype="float64").dtype == "float32"
        assert xp.asarray(np.ones(1)).dtype == "float32"
        assert xp.asarray(np.ones(1, np.int64)).dtype == "int32"
    assert xp.asarray(np.ones(1)).dtype == "float64"


@pytest.mark.parametrize(
    ("weak", "scalar", "dtype"),
    [
        (1.5, 1, "float32"),
        (1.5, 1.5, "float64"),
        (7, 1, "int64"),
        (7, 1.5, "float64"),
        (1j, 1, "complex64"),
        (1j, 1.5, "complex128"),
    ],
)
def test_weak_arrays_keep_their_width_in_a_wider_mode(weak, scalar, dtype):
    """As in JAX 0.10.2, two weak operands promote as their strong counterparts do."""
    with config.use(x64="off"):
        x = xp.asarray(weak)
    with config.use(x64="on"):
        for result in (
            x + scalar,
            scalar + x,
            xp.add(x, scalar),
            x - xp.asarray(scalar),
            xp.stack([x, xp.asarray(scalar)])[0],
        ):
            assert (str(result.dtype), result.weak_type) == (dtype, True)
        assert (x + True).dtype == x.dtype


def test_off_has_the_one_other_edge():
    u, i = xp.asarray([2], dtype="uint32"), xp.asarray([-1], dtype="int32")
    assert (u + i).dtype == "int64"
    with config.use(x64="off"):
        assert (u + i).dtype == "int32"


def test_explicit_keeps_64_bits_where_they_are_asked_for():
    assert xp.asarray(1, dtype="float64").dtype == "float64"
    assert xp.asarray(2**40, dtype="int64").dtype == "int64"


def test_indices_out_of_range_are_clipped_where_that_is_set():
    x, y = xp.arange(4), xp.reshape(xp.arange(6), (2, 3))
    with config.use(out_of_range="clip"):
        assert config.out_of_range == "clip"
        assert [int(x[i]) for i in (4, 9, -5, 2**40)] == [3, 3, 0, 3]
        assert x[xp.asarray([0, 3, 4, -4, -5, 99])].tolist() == [0, 3, 3, 0, 0, 3]
        assert y[5].tolist() == [3, 4, 5]
        assert y[:, xp.asarray([7, -9])].tolist() == [[2, 0], [5, 3]]
        for error, of, key in (
            (IndexError, xp.zeros(0), 0),
            (IndexError, y, (0, 0, 0)),
            (IndexError, x, xp.asarray([True] * 5)),
            (ValueError, y, (xp.asarray([0, 1]), xp.asarray([0, 1, 7]))),
            (TypeError, x, "a"),
        ):
            with pytest.raises(error, match="indexing"):
                of[key]
        with pytest.raises(IndexError):
            x[4] = 0  # only what is read is clipped
    with pytest.raises(IndexError, match="out of bounds"):
        x[4]


class TestRankPromotion:
    one, two, zero = xp.ones(2), xp.ones((1, 2)), xp.ones(())

    def test_operands_of_different_numbers_of_axes_are_refused(self):
        with config.use(jax_numpy_rank_promotion="raise"):
            assert config.jax_numpy_rank_promotion == "raise"
            for call in (
                lambda: self.one + self.two,
                lambda: self.two > self.one,
                lambda: self.two + np.ones(2),
                lambda: xp.add(self.one, self.two),
                lambda: xp.clip(self.two, self.one),
                lambda: xp.vectorize(xp.add, signature="(),()->()")(self.two, self.one),
            ):
                with pytest.raises(ValueError, match="allow"):
                    call()
            with pytest.raises(ValueError, match=r"^add: operands of shapes \(2,\) and \(1, 2\) differ"):
                self.one + self.two
        assert (self.one + self.two).shape == (1, 2)

    def test_or_give_a_warning(self):
        with config.use(jax_numpy_rank_promotion="warn"):
            with pytest.warns(UserWarning, match=r"add: rank promotion of shapes \(2,\) and \(1, 2\)") as caught:
                assert (self.one + self.two).shape == (1, 2)
            assert caught[0].filename == __file__

    def test_scalars_and_what_functions_do_inside_are_no_promotion(self):
        with config.use(jax_numpy_rank_promotion="raise"), warnings.catch_warnings():
            warnings.simplefilter("error")
            assert (self.one + 3).shape == (self.zero * self.one).shape == (2,)
            assert (self.two @ xp.ones((2, 3))).shape == (1, 3)
            assert xp.where(self.two > 0, self.one, 0).shape == (1, 2)
            x = xp.asarray([[1.0, 2.0], [3.0, 5.0]])
            assert xp.var(x, axis=0).shape == xp.cov(x).shape[:1] == (2,)
            assert xp.interp(xp.asarray([1.5]), x[0], x[1]).shape == (1,)
            assert xp.linalg.solve(x, self.one).shape == (2,)
            assert xp.add.outer(x, self.one).shape == (2, 2, 2)
            assert xp.meshgrid(self.one, self.one)[0].shape == (2, 2)


def test_results_that_are_nan_or_infinite_raise_where_jaxs_settings_say_so():
    x = xp.asarray([0.0, -1.0])
    with config.use(jax_debug_nans=True):
        assert config.jax_debug_nans
        assert not config.jax_debug_infs
        for call in (lambda: xp.sqrt(x), lambda: x / x, lambda: xp.asarray([1.0, xp.nan]), lambda: xp.mean(x[:0])):
            with pytest.raises(FloatingPointError, match=r"invalid value \(nan\) encountered in \w+; jax_debug_nans is True"):
                call()
        with config.use(jax_numpy_rank_promotion="raise"), pytest.raises(ValueError, match="differ in their number of axes"):
            x + x[:, None]
        assert bool(xp.isinf(xp.log(x * 0)).all())
        with config.use(watcher=lambda function, args, kwargs: function(*args, **kwargs)), pytest.raises(FloatingPointError):
            xp.sqrt(x)
    with config.use(jax_debug_infs=True), pytest.raises(FloatingPointError, match=r"\(inf\) encountered in log"):
        xp.log(xp.abs(x) * 0)
    assert bool(xp.isnan(xp.sqrt(x))[1])


def test_the_check_of_nan_of_the_process():
    config.update("jax_debug_nans", True)
    try:
        with pytest.raises(FloatingPointError, match="encountered in log"):
            xp.log(xp.asarray(-1.0, dtype="bfloat16"))
        with config.use(jax_debug_nans=False):
            assert bool(xp.isnan(xp.log(xp.asarray(-1.0))))
    finally:
        config.update("jax_debug_nans", False)


def test_threads_have_their_own_settings():
    modes = ["explicit", "on", "off"] * 40

    def work(mode):
        with config.use(x64=mode):
            return [(xp.arange(3) + xp.asarray(0.5)).dtype.name for _ in range(20)]

    with ThreadPoolExecutor(8) as pool:
        for mode, dtypes in zip(modes, pool.map(work, modes), strict=True):
            assert set(dtypes) == {"float64" if mode == "on" else "float32"}


def test_tasks_have_their_own_settings():
    async def work(mode):
        with config.use(x64=mode):
            dtypes = set()
            for _ in range(5):
                await asyncio.sleep(0)
                dtypes.add((xp.ones(2) + 1).dtype.name)
            return dtypes

    async def main():
        return await asyncio.gather(*[work(mode) for mode in ("on", "explicit", "off") * 30])

    for mode, dtypes in zip(("on", "explicit", "off") * 30, asyncio.run(main()), strict=True):
        assert dtypes == {"float64" if mode == "on" else "float32"}


def test_a_task_keeps_the_settings_it_was_started_with():
    async def work():
        await asyncio.sleep(0.01)
        return default_float()

    async def main():
        with config.use(x64="on"):
            task = asyncio.create_task(work())
        return default_float(), await task

    assert asyncio.run(main()) == ("float32", "float64")


def test_a_generator_closed_elsewhere_does_no_harm():
    def numbers():
        with config.use(x64="on"):
            yield default_float()

    generator = numbers()
    assert copy_context().run(next, generator) == "float64"
    generator.close()
    assert default_float() == "float32"


def test_plans_do_not_leak_between_states():
    x, y = xp.asarray([1, 2]), xp.asarray([0.5, 1.5])
    assert (x + y).dtype == "float32"
    with config.use(promotion="jax_strict"), pytest.raises(xp.TypePromotionError):
        x + y
    assert (x + y).dtype == "float32"


def test_off_has_no_64_bits_under_any_system():
    i, f = xp.asarray([1], dtype="int32"), xp.asarray([1.5], dtype="float32")
    with config.use(promotion="numpy"):
        assert (i + f).dtype == "float64"
    with config.use(promotion="numpy", x64="off"):
        assert (i + f).dtype == "float32"
        assert xp.concat([i, f]).dtype == "float32"


@for_each("system", [name for name, system in systems.items() if system.roles is not None])
def test_off_has_no_64_bits_where_a_system_has_rules_for_functions(system):
    with config.use(promotion=system, x64="off"):
        i, f, c = (xp.asarray(np.array([[4, 1], [1, 3]], name)) for name in ("int32", "float32", "complex64"))
        results = [
            xp.sum(i),
            xp.mean(i),
            xp.cumulative_sum(i, axis=0),
            xp.cumsum(i),
            xp.prod(i),
            xp.acos(i),
            xp.sin(i),
            xp.log2(f),
            xp.divide(i, i),
            i / i,
            xp.argsort(f),
            xp.argmax(i),
            xp.nonzero(i)[0],
            xp.unique_counts(i).counts,
            xp.searchsorted(f[0], f[1]),
            xp.bincount(i[0]),
            xp.count_nonzero(i),
            xp.linalg.matrix_rank(f),
            xp.linalg.det(i),
            xp.fft.fft(f),
            xp.std(i),
            xp.triu_indices(3)[0],
            i.sum(),
            i.mean(),
            xp.log10(c),
            xp.median(i),
            xp.add.accumulate(i),
            xp.hypot(i, i),
            xp.packbits(i),
            xp.digitize(f, f[0]),
            xp.frexp(f)[1],
        ]
    assert {str(x.dtype) for x in results} & {"int64", "uint64", "float64", "complex128"} == set()
