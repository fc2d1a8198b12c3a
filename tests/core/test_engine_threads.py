"""Threads: results on large arrays do not depend on how many compute them, nor on who else computes, forks or fails."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import supremum as xp
from supremum._base.buffers import native
from supremum._core import setting_rows

compiled = pytest.mark.skipif(native is None, reason="the reference engine computes by one thread")
#: Elements of which several threads compute parts; not a multiple of anything.
LARGE = 600_011


@pytest.fixture(autouse=True)
def _four_threads():
    before = xp.config.threads
    xp.config.threads = 4
    yield
    xp.config.threads = before


def by_one_thread(compute):
    xp.config.threads = 1
    try:
        return compute()
    finally:
        xp.config.threads = 4


def bits(x):
    return np.ascontiguousarray(np.asarray(x)).tobytes()


@pytest.fixture(scope="module")
def normal():
    return np.random.default_rng(1).normal(size=LARGE).astype(np.float32)


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16", "i4", "i8", "u1"])
def test_elementwise_and_folds_are_numpys(normal, dtype):
    data = (normal * 9).astype(np.int64).astype(dtype) if dtype[0] in "iu" else normal.astype(dtype)
    x = xp.asarray(data)
    assert bits(x + x) == bits(data + data)
    assert bits(x * 3) == bits(data * np.asarray(3, dtype))
    assert bits(x == x[0]) == bits(data == data[0])
    assert bits(xp.sum(x, dtype=x.dtype)) == bits(data.sum(dtype=dtype))
    assert bits(xp.where(x != x[0], x, 1)) == bits(np.where(data != data[0], data, np.asarray(1, dtype)))
    if dtype[0] != "c":
        assert bits(xp.max(x)) == bits(data.max())
        assert bits(xp.clip(x, x[1], x[0])) == bits(np.clip(data, data[1], data[0]))


@pytest.mark.parametrize("shape", [(601, 1000), (3, 200_003), (200_003, 3), (60, 100, 101)])
def test_folds_along_axes_are_numpys(shape):
    data = np.random.default_rng(2).normal(size=shape).astype(np.float32)
    x = xp.asarray(data)
    for axis in [*range(data.ndim), (0, 2), (1, 2)]:
        if isinstance(axis, tuple) and data.ndim < 3:
            continue
        for ours, numpys in ((xp.sum, np.sum), (xp.max, np.max), (xp.prod, np.prod)):
            assert bits(ours(x, axis=axis)) == bits(numpys(data, axis=axis))
        for integers in (x.astype(xp.int8), (x > 0)):
            got = xp.sum(integers, axis=axis)
            assert bits(got) == bits(np.sum(np.asarray(integers), axis=axis, dtype=np.asarray(got).dtype))


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float8_e4m3fn", "int8", "bool", "float32", "complex64"])
@pytest.mark.parametrize(
    "compute",
    [
        lambda x: xp.sin(x),
        lambda x: x + 1.5,
        lambda x: x + xp.arange(x.size, dtype=xp.int8),
        lambda x: xp.astype(x, xp.complex128),
        lambda x: xp.sum(x),
        lambda x: xp.mean(x),
        lambda x: xp.std(x),
        lambda x: xp.sum(xp.reshape(x[:600_000], (600, 1000)), axis=0),
        lambda x: xp.mean(xp.reshape(x[:600_000], (600, 1000)), axis=1),
        lambda x: xp.reshape(x[:600_000], (600, 1000)) + x[:1000],
        lambda x: xp.reshape(x[:600_000], (600, 1000)).T + x[:600],
        lambda x: x[::2] + x[::2],
        lambda x: x[xp.arange(x.size) % 7 - 3],
        lambda x: x[xp.arange(x.size) % 7 == 3],
        lambda x: xp.isclose(x, x[::-1].copy()),
        lambda x: xp.count_nonzero(x),
        lambda x: xp.sort(xp.reshape(x[:600_000], (600, 1000)), axis=1),
        lambda x: xp.argsort(xp.reshape(x[:600_000], (600, 1000)), axis=1),
        lambda x: xp.matmul(*xp.unstack(xp.reshape(x[:600_000], (2, 3000, 10, 10)))),
    ],
)
def test_results_are_those_of_one_thread(normal, dtype, compute):
    x = xp.asarray(normal).astype(getattr(xp, dtype))
    got = compute(x)
    wanted = by_one_thread(lambda: compute(x))
    assert got.dtype == wanted.dtype
    assert bits(got) == bits(wanted)


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16"])
def test_random_numbers_are_those_of_one_thread(dtype):
    key, dtype = xp.random.key(4), getattr(xp, dtype)
    for draw in (
        lambda: xp.random.normal(key, LARGE, dtype=dtype),
        lambda: xp.random.uniform(key, LARGE, dtype=dtype, minval=-2, maxval=3),
        lambda: xp.random.randint(key, (LARGE,), 0, 10),
        lambda: xp.random.bits(key, (LARGE,), dtype=xp.uint8),
        lambda: xp.random.bits(key, (LARGE,), dtype=xp.uint32),
    ):
        assert bits(draw()) == bits(by_one_thread(draw))


def test_an_index_out_of_range_is_found_in_every_part():
    x, places = xp.arange(LARGE), np.arange(LARGE)
    for bad in (0, LARGE // 2, LARGE - 1):
        wrong = places.copy()
        wrong[bad] = LARGE
        with pytest.raises(IndexError):
            x[xp.asarray(wrong)]


@pytest.mark.parametrize("place", [0, LARGE // 2, LARGE - 1])
def test_a_difference_is_found_in_every_part(normal, place):
    x, other = xp.asarray(normal), normal.copy()
    other[place] += 1
    y = xp.asarray(other)
    assert xp.allclose(x, x)
    assert not xp.allclose(x, y)
    assert xp.array_equal(x, xp.asarray(normal.copy()))
    assert not xp.array_equal(x, y)
    assert xp.count_nonzero(x - y) == 1


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "u2", "i8", "u1"])
def test_rows_are_sorted_as_numpy_sorts_them(normal, dtype):
    data = (normal[:600_000] * 100).astype(np.int64).astype(dtype).reshape(600, 1000)
    x = xp.asarray(data)
    assert bits(xp.sort(x)) == bits(np.sort(data))
    assert np.array_equal(xp.argsort(x), np.argsort(data, kind="stable"))


def test_in_place_operations_write_where_they_read(normal):
    x = xp.asarray(normal.copy())
    x += x
    x *= 0.5
    assert bits(x) == bits(normal)


def test_python_threads_compute_at_the_same_time(normal):
    x, wanted, failed = xp.asarray(normal), bits(normal + normal), []

    def work():
        failed.extend(1 for _ in range(10) if bits(x + x) != wanted or bits(xp.sum(x)) != bits(normal.sum()))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def program(text, **variables):
    environment = {**os.environ, **variables}
    for name in ("SUPREMUM_THREADS", "OMP_NUM_THREADS"):
        if name not in variables:
            environment.pop(name, None)
    return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False, env=environment)


@compiled
def test_threads_are_started_when_there_is_work_and_not_before():
    text = """
import supremum as xp
from supremum._base.buffers import native
xp.sin(xp.ones(1000)) + 1
assert native.threads_started() == 0
x = xp.ones(2**20)
x + x
print(native.threads_started())
"""
    done = program(text, SUPREMUM_THREADS="3")
    assert done.stdout == "2\n", done.stderr
    done = program(text, SUPREMUM_THREADS="1")
    assert done.stdout == "0\n", done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.skipif(
    "asan" in os.environ.get("LD_PRELOAD", ""),
    reason="AddressSanitizer's allocator stays locked in a child if another thread allocated during the fork",
)
def test_children_of_a_fork_compute_while_their_parent_does():
    text = """
import os, threading, numpy as np, supremum as xp
data = np.random.default_rng(0).normal(size=600_011).astype(np.float32)
x, wanted, stop = xp.asarray(data), (data + data).tobytes(), []
def busy():
    while not stop:
        x + x
thread = threading.Thread(target=busy)
thread.start()
failed = 0
for _ in range(20):
    child = os.fork()
    if child == 0:
        good = all(np.asarray(x + x).tobytes() == wanted and xp.sum(x) == data.sum() for _ in range(3))
        os._exit(0 if good else 1)
    failed += os.waitpid(child, 0)[1] != 0
stop.append(1)
thread.join()
assert np.asarray(x + x).tobytes() == wanted
print(failed)
"""
    done = program(text, SUPREMUM_THREADS="4", PYTHONWARNINGS="ignore")
    assert done.stdout == "0\n", done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_NPROC counts threads on Linux")
def test_without_threads_everybody_computes_alone():
    text = """
import os, resource
import numpy as np, supremum as xp
from supremum._base.buffers import native
data = np.arange(600_011, dtype=np.float32)
x = xp.asarray(data)
x[:5] + x[:5]
if os.getuid() == 0:
    os.setuid(65534)  # root may start as many as there are
resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
assert np.asarray(x + x).tobytes() == (data + data).tobytes()
print(0 if native is None else native.threads_started())
"""
    done = program(text, SUPREMUM_THREADS="4")
    assert done.stdout == "0\n", done.stderr


def test_a_process_ends_while_a_daemon_thread_computes():
    text = """
import threading, time, supremum as xp
x = xp.ones(2**21)
def forever():
    while True:
        xp.sin(x)
threading.Thread(target=forever, daemon=True).start()
time.sleep(0.05)
"""
    done = program(text, SUPREMUM_THREADS="2")
    assert done.returncode == 0, done.stderr


# -- settings --


@pytest.mark.parametrize("value", [0, -1, 257, True, 1.0, "2", None])
def test_other_numbers_of_threads_are_refused(value):
    with pytest.raises(ValueError, match="config: threads must be an int from 1 to 256"):
        xp.config.threads = value
    assert xp.config.threads == 4


def test_the_number_is_a_setting_of_the_process():
    xp.config.update("threads", 3)
    assert xp.config.read("threads") == xp.config.threads == 3
    with pytest.raises(AttributeError, match="threads is a setting of the process"), xp.config.use(threads=2):
        pass


def test_the_number_comes_from_the_environment():
    text = "import supremum as xp; print(xp.config.threads)"
    assert program(text, SUPREMUM_THREADS="3").stdout == "3\n"
    assert program(text, OMP_NUM_THREADS="5,2").stdout == "5\n"
    assert program(text, OMP_NUM_THREADS="5", SUPREMUM_THREADS="2").stdout == "2\n"
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    assert 1 <= int(program(text, OMP_NUM_THREADS="many").stdout) <= cores
    assert "environment variable SUPREMUM_THREADS" in program(text, SUPREMUM_THREADS="many").stderr


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system has no affinity that a program can set")
def test_the_number_follows_the_affinity():
    text = (
        "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); import supremum as xp; print(xp.config.threads)"
    )
    assert program(text).stdout == "1\n"


@pytest.mark.parametrize(("quota", "cores"), [(0.5, 1), (2.0, 2), (3.4, 3), (float("inf"), 8)])
def test_the_number_follows_the_quota(monkeypatch, quota, cores):
    monkeypatch.setattr(setting_rows, "_quota", lambda: quota)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(8), raising=False)
    assert setting_rows._cores() == cores
