"""State that is kept between calls: contexts, plans, scalars, traces, with threads, tasks and processes."""

import asyncio
import base64
import contextvars
import itertools
import json
import operator
import pickle
import subprocess
import sys
import sysconfig
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest

import supremum as xp
from supremum import config

MODES = {"explicit": "float32", "on": "float64", "off": "float32"}
#: The dtype of int32 + float32 in each system, by its documentation.
SYSTEMS = {"jax": "float32", "numpy": "float64", "torch": "float32"}


def in_new_process(program):
    """Run a program in a new interpreter, and return its output."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


# -- contexts -----------------------------------------------------------------------------------------------------------------


def test_three_hundred_tasks_each_keep_their_settings():
    async def task(mode, system):
        with config.use(x64=mode, promotion=system):
            for _ in range(3):
                await asyncio.sleep(0)
                assert (config.x64, config.promotion) == (mode, xp.promotion.systems[system])
                assert system != "jax" or str(xp.ones(1).dtype) == MODES[mode]  # other systems have other defaults
                sum_ = xp.ones(1, dtype="int32") + xp.ones(1, dtype="float32")
                assert mode == "off" or str(sum_.dtype) == SYSTEMS[system]
        return mode

    async def main():
        chosen = list(itertools.islice(itertools.cycle(itertools.product(MODES, SYSTEMS)), 300))
        assert await asyncio.gather(*[task(*one) for one in chosen]) == [mode for mode, _ in chosen]

    asyncio.run(main())
    assert config.x64 == "explicit"


def test_generators_in_contexts_of_their_own_keep_their_settings():
    def numbers(mode):
        with config.use(x64=mode):
            while True:
                yield str(xp.ones(1).dtype)

    running = [(mode, numbers(mode), contextvars.copy_context()) for mode in [*MODES] * 50]
    for _ in range(3):
        for mode, generator, context in running:
            assert context.run(next, generator) == MODES[mode]
    for _, generator, context in running:
        context.run(generator.close)
    assert config.x64 == "explicit"


def test_two_hundred_threads_each_keep_their_settings():
    wrong, together = [], threading.Barrier(200)

    def work(mode, system):
        try:
            with config.use(x64=mode, promotion=system):
                together.wait()
                for _ in range(5):
                    sum_ = xp.ones(1, dtype="int32") + xp.ones(1, dtype="float32")
                    assert (config.x64, config.promotion) == (mode, xp.promotion.systems[system])
                    assert mode == "off" or str(sum_.dtype) == SYSTEMS[system]
        except BaseException as error:  # noqa: BLE001 - the test reports errors of threads
            wrong.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        chosen = itertools.islice(itertools.cycle(itertools.product(MODES, SYSTEMS)), 200)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the mode "off" warns about truncation
            threads = [threading.Thread(target=work, args=one) for one in chosen]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not wrong
    assert config.x64 == "explicit"


# -- first use by many threads ------------------------------------------------------------------------------------------------

THREADS = """
import sys, threading, traceback
import supremum as xp

sys.setswitchinterval(1e-6)
NAMES = ["int8", "uint8", "int32", "float32", "bfloat16", "float64", "complex64", "bool", "float8_e4m3fn"]
wrong, together = [], threading.Barrier(24)

def work(k):
    together.wait()
    try:
        mode = ("explicit", "on", "off")[k % 3]
        with xp.config.use(x64=mode):
            for turn in range(40):
                for i in range(len(NAMES)):
                    a, b = (xp.ones((2,), dtype=NAMES[(i + j * (turn % 3)) % len(NAMES)]) for j in (0, 1))
                    try:
                        c = a + b
                    except xp.TypePromotionError:
                        continue
                    assert c.dtype == xp.result_type(a, b), (a.dtype, b.dtype, c.dtype, mode)
                d = xp.ones(3, dtype="float32") * (turn + 0.5)
                assert (d == turn + 0.5).all() and str(d.dtype) == "float32"
                assert str(xp.ones(1).dtype) == ("float64" if mode == "on" else "float32")
                e = xp.sum(xp.maximum(d, -k))
                assert float(e) == 3 * (turn + 0.5)
                if k % 6 == 0:
                    with xp.trace_promotions() as trace:
                        xp.ones(2, dtype="int8") + xp.ones(2, dtype="float32")
    except BaseException:
        wrong.append(traceback.format_exc())

import warnings
warnings.simplefilter("ignore")  # the mode "off" says what it truncates
threads = [threading.Thread(target=work, args=(k,)) for k in range(24)]
[t.start() for t in threads]; [t.join() for t in threads]
print(len(wrong), *wrong[:1])
"""


def test_plans_scalars_and_traces_survive_first_use_by_many_threads(budget):
    for _ in range(min(budget, 5)):
        assert in_new_process(THREADS).strip() == "0"


FIRST_USE = """
import random, sys, threading, traceback, warnings
import supremum as xp

sys.setswitchinterval(1e-6)
warnings.simplefilter("ignore")
wrong, answers, together = [], [], threading.Barrier(24)

def everything():
    x, y = xp.asarray([[1.5, -2.0], [0.25, 4.0]]), xp.arange(4000) % 7
    yield "narrow", lambda: [str(xp.sum(y.astype(name))) for name in ("bfloat16", "float8_e5m2", "float16", "int4", "uint2")]
    yield "casts", lambda: [str(y.astype("float8_e4m3fn").astype(name)[-1]) for name in ("bfloat16", "float64", "int8")]
    yield "algebra", lambda: [str(xp.linalg.inv(x)), str(x @ x), str(xp.einsum("ij,jk->ik", x, x)), str(xp.linalg.svdvals(x))]
    yield "random", lambda: str(xp.random.normal(xp.random.key(1), (3,)))
    yield "special", lambda: [str(xp.nn.gelu(x)), str(xp.scipy.special.erf(x)), str(xp.fft.fft(y[:8]))]
    yield "order", lambda: [str(xp.sort(y)[:3]), str(xp.unique(y)), str(xp.median(x)), str(xp.searchsorted(xp.arange(9), 3))]
    yield "places", lambda: [str(x.at[0].add(1)), str(x[xp.asarray([1, 0])]), str(xp.where(x > 0, x, 0))]
    yield "systems", lambda: [repr(system) for system in xp.promotion.systems.values()]
    yield "table", lambda: xp.promotion.systems["torch"].table().to_text()
    yield "explained", lambda: str(xp.explain("int32", "float16"))
    yield "ufunc", lambda: [str(xp.add.reduce(y)), str(xp.maximum.accumulate(y[:4])), repr(xp.finfo("bfloat16").max)]
    yield "methods", lambda: [str(x.mean()), str(x.T.reshape(-1)), f"{x[0, 0]:.3f}", repr(x.astype("int8"))]

def work(seed):
    turn = random.Random(seed)
    names = turn.sample(sorted(xp.__all__), len(xp.__all__))
    together.wait()
    try:
        for name in names[::24]:
            getattr(xp, name)
        todo = list(everything())
        turn.shuffle(todo)
        answers.append(repr(sorted((name, call()) for name, call in todo)))
        for name in names:
            getattr(xp, name)
    except BaseException:
        wrong.append(traceback.format_exc())

threads = [threading.Thread(target=work, args=(seed,)) for seed in range(24)]
[t.start() for t in threads]; [t.join() for t in threads]
print(len(wrong), len(set(answers)), *wrong[:1])
"""


def test_names_tables_and_kernels_survive_first_use_by_many_threads(budget):
    """Each thread uses all names, which are imported on first use, and all functions with caches."""
    for _ in range(min(budget, 3)):
        assert in_new_process(FIRST_USE).strip() == "0 1"


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python always has its global lock")
def test_to_import_the_package_does_not_bring_the_lock_back():
    start = "import sys, numpy, ml_dtypes; before = sys._is_gil_enabled()"
    program = f"{start}; import supremum as xp; [getattr(xp, n) for n in dir(xp)]; print(sys._is_gil_enabled() <= before)"
    assert in_new_process(program).strip() == "True"


def test_zeros_of_both_signs_and_equal_numbers_of_other_types_are_told_apart():
    x = xp.asarray([-0.0])
    for _ in range(2):
        assert np.signbit(np.asarray(x + -0.0))[0]
        assert not np.signbit(np.asarray(x + 0.0))[0]
        assert (xp.asarray([1], dtype="int8") + True).dtype == "int8"
        assert (xp.asarray([1], dtype="int8") + 1.0).dtype == "float32"
        assert (xp.asarray([1], dtype="int8") + 1).dtype == "int8"


# -- processes ----------------------------------------------------------------------------------------------------------------

PROCESSES = """
import multiprocessing, operator, warnings
import supremum as xp

if __name__ == "__main__":
    x = xp.asarray([1, -2], dtype="bfloat16")
    weak = xp.asarray(3) * 1
    for method in {methods}:
        with multiprocessing.get_context(method).Pool(2) as pool:
            for given in (x, weak, xp.asarray([1], dtype="int4")):
                back = pool.apply(operator.pos, (given,))
                assert back.dtype == given.dtype and back.weak_type == given.weak_type and bool((back == given).all())
            assert pool.apply(xp.sin, (x,)).dtype == x.dtype
    print("same")
"""


def test_arrays_and_functions_cross_processes(tmp_path):
    import multiprocessing

    methods = [name for name in multiprocessing.get_all_start_methods() if name in {"fork", "spawn"}]
    program = tmp_path / "program.py"  # spawn starts from a file
    program.write_text(PROCESSES.replace("{methods}", repr(methods)))
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout.strip(), done.stderr) == ("same", "")


#: Pickles that version 0.1 wrote, with their values. Later versions must read them.
PICKLES = Path(__file__).parent / "pickles.json"


@pytest.mark.parametrize("record", json.loads(PICKLES.read_text()), ids=operator.itemgetter("name"))
def test_pickles_of_earlier_versions_are_read(record):
    x = pickle.loads(base64.b64decode(record["pickle"]))
    assert (str(x.dtype), x.weak_type, list(x.shape)) == (record["dtype"], record["weak"], record["shape"])
    assert base64.b64encode(np.ascontiguousarray(x).tobytes()).decode() == record["bytes"]


@pytest.mark.parametrize("name", ["int4", "bfloat16", "float8_e4m3fn"])
def test_pickles_name_their_dtype_and_hold_no_state_of_it(name):
    x = xp.asarray([[1, 2], [0, 1]], dtype=name)
    for given in (x, x.T, x[0, 1], x[:0]):
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            pickled = pickle.dumps(given, protocol)
            assert b"ml_dtypes" not in pickled
            back = pickle.loads(pickled)
            assert (back.dtype, back.shape, back.tolist()) == (given.dtype, given.shape, given.tolist())


OTHER_FLAGS = """
import ml_dtypes, numpy as np
import supremum as xp

x = xp.ones(3, dtype="bfloat16")
dtype = np.dtype(ml_dtypes.bfloat16)
before = hash(dtype)
kind, *state, flags = dtype.__reduce__()[2]
dtype.__setstate__((kind, *state, flags ^ 16))  # as an array of NumPy does that another ml_dtypes pickled
assert hash(dtype) != before
y = xp.asarray(np.ones(3, dtype)) + x
assert y.dtype == "bfloat16" and hash(dtype) == before and xp.finfo(y.dtype).bits == 16
print(y.sum())
"""


def test_a_dtype_whose_flags_a_foreign_pickle_set_is_put_right():
    assert in_new_process(OTHER_FLAGS).strip() == "6"


# -- memory -------------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="resident memory is read from /proc, which only Linux has")
def test_a_million_operations_leave_memory_flat():
    script = Path(__file__).parents[2] / "benchmarks" / "soak.py"
    subprocess.run([sys.executable, script], check=True, timeout=600)
