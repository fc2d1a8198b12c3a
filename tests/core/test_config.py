import contextvars
import gc
import operator
import os
import subprocess
import sys
import threading
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from common import default_float, for_each

import supremum as xp
from supremum import config
from supremum._core.config import MEANINGLESS
from supremum._core.settings import state
from supremum.promotion import PromotionSystem, systems

pytestmark = pytest.mark.usefixtures("defaults_afterwards")


def test_update_is_for_the_process_and_use_for_the_context():
    config.update("x64", "on")
    seen = []
    thread = threading.Thread(target=lambda: seen.append(default_float()))
    thread.start()
    thread.join()
    assert seen == ["float64"]
    config.update("x64", "explicit")
    with config.use(x64="on"):
        assert default_float() == "float64"
        thread = threading.Thread(target=lambda: seen.append(default_float()))
        thread.start()
        thread.join()
    inherits = getattr(sys.flags, "thread_inherit_context", 0)  # since Python 3.14; the default in free-threaded builds
    assert seen == ["float64", "float64" if inherits else "float32"]


def test_update_beneath_an_override_changes_what_is_not_overridden():
    with config.use(mutable=False):
        config.update("x64", "on")
        assert default_float() == "float64"
        assert config.mutable is False
    assert config.mutable is True


def test_jaxs_names_of_the_mode_of_64_bits():
    assert (config.jax_enable_x64, config.x64_enabled) == (False, False)
    assert (config.read("jax_enable_x64"), config.read("mutable")) == (False, True)
    with pytest.raises(AttributeError, match=r"config\.read: unknown setting 'jax_log_compiles'"):
        config.read("jax_log_compiles")
    with config.use(x64="on"):
        assert (config.jax_enable_x64, config.x64_enabled) == (True, True)
        assert config.values["jax_enable_x64"] is True
    assert config.values["jax_enable_x64"] is False
    assert all(name.startswith("jax_") for name in config.values)


def test_uses_nest_and_merge():
    with config.use(x64="on"):
        with config.use(promotion="jax_strict"):
            assert config.x64 == "on"
            assert config.promotion is systems["jax_strict"]
        assert config.promotion is systems["jax"]


def test_jax_spellings():
    config.update("jax_enable_x64", True)
    assert config.x64 == "on"
    assert config.jax_enable_x64 is True
    assert config.x64_enabled is True
    config.update("jax_enable_x64", False)
    assert config.x64_enabled is False
    assert config.x64 == "off"
    config.update("jax_numpy_dtype_promotion", "strict")
    assert config.jax_numpy_dtype_promotion == "strict"
    with pytest.raises(xp.TypePromotionError):
        xp.float32(1) + xp.int32(1)
    with xp.numpy_dtype_promotion("standard"), xp.enable_x64(True):
        assert (xp.float32(1) + xp.int32(1)).dtype == "float32"
        assert default_float() == "float64"


def test_explicit_64_bits_by_the_name_of_jax():
    config.update("jax_enable_x64", False)
    assert config.jax_explicit_x64_dtypes == "warn"
    config.update("jax_explicit_x64_dtypes", "allow")
    assert (config.x64, config.jax_explicit_x64_dtypes) == ("explicit", "allow")
    assert (xp.ones(2, dtype="int64").dtype, default_float()) == ("int64", "float32")
    for value in ("warn", "error"):
        with config.use(jax_explicit_x64_dtypes=value), pytest.warns(UserWarning, match="truncated"):
            assert xp.ones(2, dtype="int64").dtype == "int32"
    config.update("jax_enable_x64", True)
    config.update("jax_explicit_x64_dtypes", "warn")
    assert config.x64 == "on"


def test_other_settings_of_jax_are_ignored_with_one_warning():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            config.update("jax_platform_name", "cpu")
            config.update("jax_default_matmul_precision", "float32")
            with config.use(jax_log_compiles=True, x64="on"):
                assert default_float() == "float64"
    assert [str(one.message).split()[3] for one in caught] == [
        "jax_platform_name", "jax_default_matmul_precision", "jax_log_compiles",
    ]  # fmt: skip
    assert {one.filename for one in caught} == {__file__}
    assert repr(config) == "<config x64='explicit' promotion='jax' mutable=True out_of_range='raise' lists='refuse'>"


def test_the_settings_of_jax():
    """The list is JAX 0.10.2's; it is compared if that version is installed."""
    assert "jax_enable_x64" not in MEANINGLESS
    jax = pytest.importorskip("jax", reason="JAX, whose list is compared, is not installed")
    if jax.__version__ != "0.10.2":
        pytest.skip(f"the list is that of JAX 0.10.2, and {jax.__version__} is installed")
    assert set(jax.config.values) >= MEANINGLESS
    used = {
        "jax_enable_x64", "jax_explicit_x64_dtypes", "jax_numpy_dtype_promotion", "jax_numpy_rank_promotion", "jax_debug_nans",
        "jax_debug_infs", "jax_threefry_partitionable",
    }  # fmt: skip
    assert not MEANINGLESS & used


@for_each(
    ("name", "value", "error"),
    [
        ("x64", "yes", ValueError),
        ("x64", True, ValueError),
        ("promotion", "jaxx", ValueError),
        ("promotion", 3, TypeError),
        ("mutable", 1, TypeError),
        ("out_of_range", "wrap", ValueError),
        ("jax_enable_x64", "on", TypeError),
        ("jax_explicit_x64_dtypes", "loose", ValueError),
        ("jax_numpy_rank_promotion", "loose", ValueError),
        ("jax_numpy_dtype_promotion", "loose", ValueError),
        ("jax_debug_nans", "yes", TypeError),
        ("nonsense", 1, AttributeError),
        ("jax_no_such_setting", 1, AttributeError),
    ],
)
def test_bad_settings_are_refused_and_change_nothing(name, value, error):
    with pytest.raises(error, match="config"):
        config.update(name, value)
    with pytest.raises(error, match="config"), config.use(**{name: value}):
        pass
    assert (config.x64, config.promotion.name, config.mutable) == ("explicit", "jax", True)


def test_the_override_ends_when_the_block_raises():
    with pytest.raises(KeyError), config.use(x64="on"):
        raise KeyError
    assert default_float() == "float32"


@pytest.mark.parametrize(
    ("variables", "printed"),
    [
        ({}, "explicit jax True raise"),
        ({"SUPREMUM_X64": "on", "SUPREMUM_PROMOTION": "jax_strict", "SUPREMUM_MUTABLE": "0"}, "on jax_strict False raise"),
        ({"SUPREMUM_X64": "1", "SUPREMUM_OUT_OF_RANGE": "clip"}, "on jax True clip"),
    ],
)
def test_environment(variables, printed):
    code = "from supremum import config as c; print(c.x64, c.promotion.name, c.mutable, c.out_of_range)"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SUPREMUM_")} | variables
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == printed


def test_a_bad_environment_says_where_it_came_from():
    environment = {**os.environ, "SUPREMUM_X64": "maybe"}
    done = subprocess.run(
        [sys.executable, "-c", "import supremum"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "SUPREMUM_X64" in done.stderr


def test_watchers_are_functions_and_belong_to_a_context():
    with pytest.raises(TypeError, match=r"^config: watcher must be a function of \(function, args, kwargs\), or None, got 1"):
        xp.config.use(watcher=1)
    with pytest.raises(ValueError, match=r"^config.update: watchers belong to a context; use with config.use"):
        xp.config.update("watcher", print)
    with xp.config.use(watcher=None):
        assert xp.ones(2).tolist() == [1, 1]


class Counting:
    """A watcher that counts its calls, and does something in each."""

    def __init__(self, then=lambda: None):
        self.calls, self.then = 0, then

    def __call__(self, function, args, kwargs):
        self.calls += 1
        self.then()
        return function(*args, **kwargs)


def test_a_watcher_sees_what_changes_for_the_process():
    """As the code around it does: all settings but those that the block or one around it overrides."""
    seen = []

    def change():
        config.update("x64", "on")
        config.update("mutable", False)
        seen.append((config.x64, config.mutable, default_float()))

    with config.use(mutable=True), config.use(watcher=Counting(change)):
        assert default_float() == "float64"
        assert (config.x64, config.mutable) == ("on", True)
    assert seen == [("on", True, "float64")]
    assert config.mutable is False


@pytest.mark.parametrize("name", ["jax_debug_nans", "jax_debug_infs"])
def test_a_check_does_not_hide_what_changes_for_the_process(name):
    seen = []
    with config.use(**{name: True}):
        xp.vectorize(lambda x: config.update("x64", "on") or seen.append(default_float()) or x)(xp.ones(1))
    assert seen[-1] == "float64"


def test_a_function_that_traced_code_calls_sees_what_changes_for_the_process():
    seen = []

    def double(x):
        config.update("x64", "on")
        seen.append(default_float())
        return 2 * x

    with xp.trace_promotions():
        xp.apply_along_axis(double, 0, xp.ones(2))
        xp.piecewise(xp.ones(2), [xp.ones(2) > 0], [double])
    assert set(seen) == {"float64"}


def test_a_watcher_that_closes_its_block_is_not_called_again():
    with ExitStack() as stack:
        watcher = Counting(stack.close)
        stack.enter_context(config.use(watcher=watcher, x64="on"))
        assert default_float() == "float32"
        assert default_float() == "float32"
        assert watcher.calls == 1
    assert default_float() == "float32"
    assert watcher.calls == 1


def test_a_watcher_that_closes_a_block_within_or_around_its_own():
    for own in (0, 1):
        stacks = ExitStack(), ExitStack()
        closing, other = Counting(stacks[1 - own].close), Counting()
        watchers = [closing, other] if own == 0 else [other, closing]
        with stacks[0], stacks[1]:
            for stack, watcher, settings in zip(stacks, watchers, ({"x64": "on"}, {"mutable": False}), strict=True):
                stack.enter_context(config.use(watcher=watcher, **settings))
            xp.ones(1)
            xp.ones(1)
            before = closing.calls, other.calls
            xp.ones(1)
            assert (closing.calls, other.calls) == (before[0] + 1, before[1])
            assert (config.x64, config.mutable) == (("on", True) if own == 0 else ("explicit", False))
        xp.ones(1)
        assert (closing.calls, other.calls) == (before[0] + 1, before[1])
        assert (config.x64, config.mutable) == ("explicit", True)


def test_blocks_that_are_left_in_another_order_leave_nothing_behind():
    watcher = Counting()
    first, second = config.use(x64="on", watcher=watcher), config.use(mutable=False)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert (config.x64, config.mutable) == ("explicit", False)
    with config.use(out_of_range="clip"):
        assert (config.x64, config.mutable, default_float()) == ("explicit", False, "float32")
    second.__exit__(None, None, None)
    assert (config.x64, config.mutable, default_float()) == ("explicit", True, "float32")
    assert watcher.calls == 0


def test_a_block_as_a_decorator_watches_each_call():
    watcher = Counting()
    function = config.use(watcher=watcher)(default_float)
    assert [function(), function()] == ["float32", "float32"]
    assert watcher.calls == 2
    default_float()
    assert watcher.calls == 2


#: Blocks of settings and of watchers.
BLOCKS = {
    "use": lambda: xp.config.use(x64="on"),
    "enable_x64": xp.enable_x64,
    "promotion.use": lambda: xp.promotion.use("numpy"),
    "trace_promotions": xp.trace_promotions,
    "forbid": lambda: xp.forbid("float64"),
    "precision_lens": xp.precision_lens,
    "profile": lambda: xp.testing.profile("torch"),
}


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_that_threads_do_not_take_over_says_so_once(block):
    x = xp.ones(3)
    inherits = getattr(sys.flags, "thread_inherit_context", 0)

    def said(work, *around):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with ExitStack() as stack:
                [stack.enter_context(one) for one in around]
                with BLOCKS[block]():
                    work()
        return caught

    def pooled(call):
        with ThreadPoolExecutor(2) as pool:
            calls = [call(pool) for _ in range(4)]
        return [one.result() for one in calls]

    for around in ((), (xp.config.use(mutable=False),)):
        caught = said(lambda: pooled(lambda pool: pool.submit(operator.add, x, x)), *around)
        assert len(caught) == (not inherits)
        for one in caught:
            assert one.filename == __file__
            assert "pool.submit(contextvars.copy_context().run, f, x)" in str(one.message)
    assert not said(lambda: pooled(lambda pool: pool.submit(contextvars.copy_context().run, operator.add, x, x)))
    assert not said(lambda: None)
    for around in ((), (xp.config.use(mutable=False),)):
        assert not said(lambda: (x + x, pooled(lambda pool: pool.submit(operator.add, x, x))), *around)
    x + x
    assert not said(lambda: None)
    with pytest.raises(KeyError, match="own"), warnings.catch_warnings():
        warnings.simplefilter("error")
        with BLOCKS[block]():
            pooled(lambda pool: pool.submit(operator.add, x, x))
            raise KeyError("own")


def test_a_block_decorates_functions_and_is_entered_once_at_a_time():
    block = config.use(x64="on")

    @block
    def nested(depth):
        return [xp.ones(1).dtype, *(nested(depth - 1) if depth else [])]

    assert nested(2) == ["float64"] * 3
    with block, pytest.raises(RuntimeError, match="in force already"), block:
        pass
    with block:  # once more
        assert xp.ones(1).dtype == "float64"
    assert xp.ones(1).dtype == "float32"


@pytest.mark.parametrize("kept", [True, False])
def test_states_of_blocks_are_kept_unless_the_engine_would_test_for_their_guests(kept):
    # A system of its own: what other tests left in this process may still refer to a state with a system that is shared.
    settings = {"mutable": True} if kept else {"promotion": PromotionSystem("own", systems["numpy"].data)}
    with config.use(**settings):
        found = weakref.ref(state())
    gc.collect()
    assert (found() is not None) == kept
