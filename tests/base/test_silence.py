"""Floating-point events are silent, and code of the caller runs in the caller's error state (supremum._base.silence).

tests/fuzz/test_silence.py covers all public functions; this file covers threads, processes, filters, callbacks and objects.
"""

import os
import re
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum._base.functions import call_without_float_warnings, without_float_warnings
from supremum._base.silence import ERRORS, SILENT, call_user_code

STATE = {"divide": "call", "over": "raise", "under": "print", "invalid": "warn"}


def overflow():
    return np.float32(3e38) * np.float32(10)


def run(code, *options, **variables):
    done = subprocess.run(
        [sys.executable, *options, "-c", code], capture_output=True, text=True, check=False, env={**os.environ, **variables}
    )
    assert done.returncode == 0, done.stderr
    return done


# -- the helper ---------------------------------------------------------------------------------------------------------------


def test_the_error_state_is_numpys():
    assert set(call_without_float_warnings(np.geterr).values()) == {"ignore"}
    with np.errstate(**STATE):
        assert np.geterr() == STATE
        assert set(without_float_warnings(np.geterr)().values()) == {"ignore"}
        assert without_float_warnings(lambda: call_user_code(np.geterr))() == STATE
        assert call_user_code(np.geterr) == STATE
        assert np.geterr() == STATE


@pytest.mark.parametrize(
    "call",
    [
        call_without_float_warnings,
        lambda function: without_float_warnings(function)(),
        lambda function: without_float_warnings(call_user_code)(function),
    ],
)
def test_the_error_state_comes_back_after_an_error(call):
    def fail():
        raise KeyError

    with np.errstate(**STATE):
        with pytest.raises(KeyError):
            call(fail)
        assert np.geterr() == STATE


def test_callbacks_within_callbacks():
    def inner():
        with np.errstate(all="raise"):
            return (
                without_float_warnings(lambda: call_user_code(np.geterr))(),
                without_float_warnings(np.geterr)(),
                np.geterr(),
            )

    with np.errstate(**STATE):
        raised = dict.fromkeys(STATE, "raise")
        ignored = dict.fromkeys(STATE, "ignore")
        assert without_float_warnings(lambda: (call_user_code(inner), np.geterr(), call_user_code(np.geterr)))() == (
            (raised, ignored, raised),
            ignored,
            STATE,
        )


def test_silence_does_not_depend_on_where_the_package_was_imported():
    code = """
import numpy as np
np.setbufsize(32)
with np.errstate(all="raise", call=print):
    import supremum._base.functions as s
assert s.call_without_float_warnings(np.getbufsize) == 8192
assert s.call_without_float_warnings(np.geterrcall) is None
assert set(s.call_without_float_warnings(np.geterr).values()) == {"ignore"}
"""
    run(code)


def test_silence_leaves_nothing_behind():
    x = xp.asarray([3e38, 0.0])

    def work():
        for _ in range(300):
            x * x, xp.sum(x * x), xp.sin(x), x + 1e38, xp.linalg.inv(xp.zeros((2, 2))), xp.asarray([1, 2.5])

    work()
    before = sys.getallocatedblocks()
    work()
    assert sys.getallocatedblocks() - before < 100


def test_iterators_leave_the_error_state_alone():
    with np.errstate(**STATE):
        for _ in iter(xp.asarray([3e38, 1.0])):
            assert np.geterr() == STATE
        for _ in xp.unstack(xp.ones((2, 2))):
            assert np.geterr() == STATE
        with xp.trace_promotions(), xp.printoptions(precision=2), xp.config.use(x64="on"):
            assert np.geterr() == STATE


# -- filters ------------------------------------------------------------------------------------------------------------------

EVENTS = """
x = xp.asarray([0.0, 3e38])
1 / xp.zeros(2); x / 0; x * x; x + 1 / x; -x ** 0.5; xp.float16(6e4) * 2; xp.mean(xp.zeros(0)); xp.var(xp.zeros(1), ddof=1)
xp.nanmax(xp.asarray([xp.nan])); xp.nanmedian(xp.asarray([xp.nan])); x.astype("float16"); np.log(-x)
xp.asarray(1e300, "float32")
xp.linalg.inv(xp.asarray([[1e-40, 0], [0, 1]])); xp.asarray([xp.nan]).astype(int); x @ x; x.at[0].add(3e38).at[1].add(3e38)
"""


@pytest.mark.parametrize(
    ("option", "filters", "state"),
    [
        ("default", "pass", "warn"),
        ("error", "pass", "warn"),
        ("error", "pass", "raise"),
        ("always", "pass", "print"),
        ("default", "warnings.resetwarnings()", "warn"),
        ("default", "warnings.simplefilter('always')", "warn"),
    ],
)
def test_silence_under_filters_and_error_states(option, filters, state):
    code = f"import warnings, numpy as np, supremum as xp; {filters}; np.seterr(all={state!r})\n{EVENTS}"
    done = run(code, "-W", option)
    assert (done.stdout, done.stderr) == ("", "")


def test_silence_where_the_first_import_is_within_catch_warnings():
    code = f"""
import warnings
with warnings.catch_warnings():
    import numpy as np, supremum as xp
    warnings.simplefilter("error")
    {EVENTS.strip().replace(chr(10), "; ")}
warnings.simplefilter("error")
{EVENTS}"""
    assert run(code).stderr == ""


def test_the_filters_of_warnings_are_left_alone():
    code = """
import warnings, numpy, ml_dtypes
before = list(warnings.filters)
import supremum as xp
for name in xp.__all__:
    getattr(xp, name)
xp.ones(2) / 0
assert warnings.filters == before, warnings.filters
"""
    run(code)


def test_all_filters_have_the_patterns_that_warnings_makes():
    for action, message, category, module, line in warnings.filters:
        assert isinstance(action, str)
        assert issubclass(category, Warning)
        assert type(line) is int
        assert all(pattern is None or isinstance(pattern, str | re.Pattern) for pattern in (message, module))


def test_warnings_of_the_packages_own_are_heard():
    with np.errstate(all="raise"), xp.config.use(x64="off"), pytest.warns(UserWarning, match="float64"):
        xp.zeros(2, dtype="float64")


# -- threads and processes ----------------------------------------------------------------------------------------------------


def test_warnings_of_other_threads_are_heard():
    count, done = 300, threading.Event()
    large = xp.full(2_000_000, 3e38)

    def warn():
        try:
            for _ in range(count):
                overflow()
        finally:
            done.set()

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        thread = threading.Thread(target=warn)
        thread.start()
        while not done.is_set():
            large * large
        thread.join()
    assert len(caught) == count


def test_threads_are_silent_whatever_their_error_state():
    problems = []

    def compute():
        np.seterr(all="raise")
        try:
            x = xp.asarray([3e38, 0.0])
            assert xp.isinf((x * x)[0])
            assert xp.isinf(xp.linalg.inv(x[1:, None])).all()
            assert np.geterr() == dict.fromkeys(STATE, "raise")
        except Exception as error:  # noqa: BLE001 - the main thread examines it
            problems.append(error)

    threads = [threading.Thread(target=compute) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_process_that_is_forked_meanwhile_hears():
    code = """
import os, threading, warnings
import numpy as np, supremum as xp
warnings.simplefilter("ignore", DeprecationWarning)  # that there are threads when it forks
large, stop = xp.full(2_000_000, 3e38), threading.Event()
def compute():
    while not stop.is_set():
        large * large
thread = threading.Thread(target=compute)
thread.start()
deaf = 0
for _ in range(10):
    child = os.fork()
    if not child:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            np.float32(3e38) * np.float32(10)
        os._exit(len(caught) != 1)
    deaf += os.waitpid(child, 0)[1] != 0
stop.set()
thread.join()
assert not deaf, deaf
"""
    run(code)


# -- code of the caller -------------------------------------------------------------------------------------------------------

ROW = xp.asarray([1.0, 2.0])


def same(*args, **_):
    return args[0]


CALLBACKS = {
    "apply_along_axis": lambda f: xp.apply_along_axis(f, 0, ROW),
    "apply_along_axis, numpy's": lambda f: np.apply_along_axis(f, 0, ROW),
    "apply_along_axis, of nothing": lambda f: xp.apply_along_axis(f, 1, xp.ones((0, 2))),
    "apply_over_axes": lambda f: xp.apply_over_axes(f, ROW, (0,)),
    "at": lambda f: ROW.at[0].apply(f),
    "fromfunction": lambda f: xp.fromfunction(f, (2,)),
    "frompyfunc": lambda f: xp.frompyfunc(f, 1, 1)(ROW),
    "frompyfunc, numpy's": lambda f: np.frompyfunc(f, 1, 1)(ROW),
    "frompyfunc.accumulate": lambda f: xp.frompyfunc(f, 2, 1).accumulate(ROW),
    "frompyfunc.at": lambda f: xp.frompyfunc(f, 1, 1).at(ROW, 0, inplace=False),
    "frompyfunc.outer": lambda f: xp.frompyfunc(f, 2, 1).outer(ROW, ROW),
    "frompyfunc.reduce": lambda f: xp.frompyfunc(f, 2, 1).reduce(ROW),
    "frompyfunc.reduceat": lambda f: xp.frompyfunc(f, 2, 1).reduceat(ROW, xp.asarray([0])),
    "jit": lambda f: xp.jax.jit(f)(ROW),
    "mask_indices": lambda f: xp.mask_indices(2, f),
    "pad": lambda f: xp.pad(ROW, 1, f),
    "piecewise": lambda f: xp.piecewise(ROW, [ROW > 1], [f, 0]),
    "ufunc": lambda f: xp.ufunc(f, 1, 1, call=f)(ROW),
    "ufunc.reduce": lambda f: xp.ufunc(f, 2, 1, reduce=f).reduce(ROW),
    "ufunc.at": lambda f: xp.ufunc(f, 2, 1, at=f).at(ROW, 0, ROW, inplace=False),
    "vectorize": lambda f: xp.vectorize(f)(ROW),
    "vectorize, with a signature": lambda f: xp.vectorize(f, signature="(n)->(n)")(ROW),
}


class Made:
    """A foreign object whose methods run code of a test."""

    def __init__(self, act):
        self.act = act


class WithArray(Made):
    def __array__(self, dtype=None, copy=None):
        self.act()
        return np.ones(2, np.float32)


class WithDLPack(Made):
    def __dlpack__(self, **options):
        self.act()
        return np.ones(2, np.float32).__dlpack__(**options)

    def __dlpack_device__(self):
        return 1, 0


class WithIndex(Made):
    def __index__(self):
        self.act()
        return 0


class WithBool(Made):
    def __bool__(self):
        self.act()
        return False


class WithOne(Made):
    def __index__(self):
        self.act()
        return 1


class WithJax(Made):
    def __jax_array__(self):
        self.act()
        return ROW


class WithInterface(Made):
    @property
    def __array_interface__(self):
        self.act()
        return np.asarray(ROW).__array_interface__


class WithDtype(Made):
    @property
    def dtype(self):
        self.act()
        return np.dtype("float32")


class WithRepr(Made):
    error = None

    def __repr__(self):
        try:
            self.act()
        except Exception as error:
            self.error = error  # messages are made without it
            raise
        return "an object"


class Axes(Made):
    def __iter__(self):
        self.act()
        yield 0


class Listed(Made):
    def __len__(self):
        return 2

    def __getitem__(self, i):
        self.act()
        return [1.0, 2.0][i]


class Floating(float):
    def __float__(self):
        self.act()
        return 1.0


class Reflected(Made):
    __array_ufunc__ = None

    def __radd__(self, other):
        self.act()
        return other


class Element(Made):
    def __radd__(self, other):
        self.act()
        return other


def floating(act):
    number = Floating(1.0)
    number.act = act
    return number


def given(act):
    act()
    yield 1.0
    yield 2.0


def elements(act):
    out = np.empty(2, object)
    out[:] = [Element(act), Element(act)]
    return out


def shown(act):
    def write(number):
        act()
        return str(number)

    return xp.printoptions(formatter={"float_kind": write})


def printed(act):
    with shown(act):
        return repr(ROW), str(ROW), xp.array_repr(ROW), xp.array_str(ROW)


def shown_in_message(act):
    value = WithRepr(act)
    with pytest.raises(TypeError, match="axis must be an integer"):
        xp.sum(ROW, axis=value)
    if value.error is not None:
        raise value.error


OBJECTS = {
    "a formatter": printed,
    "an axis": lambda act: xp.sum(ROW, axis=WithIndex(act)),
    "an axis among several": lambda act: xp.flip(ROW, (WithIndex(act),)),
    "an index": lambda act: ROW[WithIndex(act)],
    "an index of at": lambda act: ROW.at[WithIndex(act)].set(1),
    "an index that is an array": lambda act: xp.asarray([[1.0]])[(0, WithIndex(act))],
    "an iterable": lambda act: xp.fromiter(given(act), "float32"),
    "an iterable, in part": lambda act: xp.fromiter(given(act), "float32", 1),
    "an object with __array__": lambda act: xp.asarray(WithArray(act)),
    "an object with __array__, as an operand": lambda act: xp.add(ROW, WithArray(act)),
    "an object with __array__, to be solved": lambda act: xp.linalg.solve(xp.eye(2), WithArray(act)),
    "an object with __array__, to be stored": lambda act: xp.zeros(2).__setitem__(slice(None), WithArray(act)),
    "an object with __dlpack__": lambda act: xp.from_dlpack(WithDLPack(act)),
    "an object with __radd__": lambda act: ROW + Reflected(act),
    "arrays": lambda act: xp.stack(given(act)),
    "elements of an array": lambda act: np.add(ROW, elements(act)),
    "a flag": lambda act: xp.sum(ROW, keepdims=WithBool(act)),
    "a float": lambda act: xp.asarray(floating(act)),
    "a list of a kind": lambda act: xp.asarray(Listed(act)),
    "a number": lambda act: xp.eye(2, k=WithIndex(act)),
    "a number of a kind": lambda act: xp.std(ROW, correction=floating(act)),
    "a number of points": lambda act: xp.hanning(WithIndex(act)),
    "a number of samples": lambda act: xp.linspace(0, 1, WithIndex(act)),
    "a number of sections": lambda act: xp.array_split(ROW, WithOne(act)),
    "a number of axes": lambda act: xp.tensordot(ROW, ROW, WithIndex(act)),
    "a shape": lambda act: xp.zeros(WithIndex(act)),
    "a shape of several": lambda act: xp.ones((2, WithIndex(act))),
    "a shape of a dtype": lambda act: xp.empty(WithIndex(act), "bfloat16"),
    "a permutation": lambda act: xp.permute_dims(ROW, (WithIndex(act),)),
    "axes of a kind": lambda act: xp.sum(ROW, axis=Axes(act)),
    "an object with __jax_array__": lambda act: xp.asarray(WithJax(act)),
    "an object with __array_interface__": lambda act: xp.asarray(WithInterface(act)),
    "an object with a dtype": lambda act: xp.zeros(2, dtype=WithDtype(act)),
    "an object in a message": shown_in_message,
}
USERS = {
    **{name: lambda act, call=call: call(lambda *args, **kwargs: (act(), same(*args))[1]) for name, call in CALLBACKS.items()},
    **OBJECTS,
}


@for_each("name", USERS)
def test_the_users_code_has_the_users_error_state(name):
    states = []
    with np.errstate(**STATE):
        USERS[name](lambda: states.append(np.geterr()))
        assert np.geterr() == STATE
    assert states
    assert all(state == STATE for state in states)


@for_each("name", USERS)
def test_the_users_code_is_heard(name):
    with np.errstate(over="warn"), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        USERS[name](overflow)
    assert "overflow encountered in scalar multiply" in {str(each.message) for each in caught}
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        USERS[name](overflow)


@for_each("name", CALLBACKS)
def test_our_functions_are_silent_in_callbacks(name):
    huge = xp.asarray([3e38])

    def act(*args, **_):
        assert xp.isinf(xp.sum(huge * huge))
        assert np.geterr() == dict.fromkeys(STATE, "raise")
        return same(*args)

    with np.errstate(all="raise"):
        CALLBACKS[name](act)


def test_our_own_elements_are_silent_beside_the_users():
    with np.errstate(all="raise"):
        assert np.isinf(xp.piecewise(xp.asarray([1e300, 1.0], dtype="float32"), [[True, False]], [np.inf, 0])[0])
        assert xp.vectorize(lambda x: x * 1e30)(xp.asarray([1e30, 1.0]))[0] == np.inf
        assert xp.apply_along_axis(lambda x: x * 1e30, 0, xp.asarray([1e30, 1.0]))[0] == np.inf


def test_errors_are_not_raised_because_the_silence_is_numpys_own_variable():
    assert ERRORS.get() is not SILENT
    assert xp.ones(2).sum() == 2
    assert ERRORS.get() is not SILENT


@pytest.mark.parametrize("silent", [lambda f: call_without_float_warnings(f), lambda f: without_float_warnings(f)()])
def test_an_interruption_as_the_silence_begins_ends_it(silent):
    left = [KeyboardInterrupt]

    def interrupt(_frame, event, function):  # when a signal is handled: a function in C has returned
        if event == "c_return" and getattr(function, "__self__", None) is ERRORS and function.__name__ == "set" and left:
            raise left.pop()

    before = ERRORS.get()
    sys.setprofile(interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            silent(lambda: None)
    finally:
        sys.setprofile(None)
    assert not left
    assert ERRORS.get() is before
