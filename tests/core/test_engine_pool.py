"""The pool of memory: what users can see of large arrays is as without it, and the bound is kept."""

import collections
import functools
import gc
import itertools
import mmap
import operator
import os
import pickle
import subprocess
import sys
import threading
import time
import tracemalloc

import numpy as np
import pytest
from engines import LOOPS

import supremum as xp
from supremum._base.buffers import native

compiled = pytest.mark.skipif(
    native is None or not LOOPS,
    reason="results are in NumPy's memory without the extension module or under SUPREMUM_TEST_LOOPS=0",
)
MIB = 1 << 20
LARGE = 3 * MIB // 4 + 5  # float32 elements, of 3 MiB and some bytes


@pytest.fixture(autouse=True)
def _pool():
    before = xp.config.pool
    xp.config.pool = 0
    xp.config.pool = 64 * MIB
    yield
    xp.config.pool = before


def held():
    return native.pool_held()


NUMBERS = xp.asarray(np.arange(16 * MIB, dtype=np.float32), copy=False)


def made(count=LARGE):
    return NUMBERS[:count] + 1


@compiled
@pytest.mark.parametrize("page", [1 << 12, 1 << 14, 1 << 16])
def test_blocks_lie_at_pages_of_any_size(page):
    large = 1 << 21
    for size in (1, page, page + 1, MIB, large - 1, large, large + 1, 3 * large + 5, 100 * MIB + 1):
        for place in (0, 1, 2, large // page - 2, large // page - 1, large // page):
            address = 0x7F00_0000_0000 + place * page
            block, mapped, before = native.pool_layout(size, page, address)
            after = mapped - before - page - block
            assert size <= block <= size + size // 8 + page
            assert [number % page for number in (block, mapped, before, after)] == [0] * 4  # what the system maps and unmaps
            assert before >= 0
            assert after >= 0
            aligned = large if sys.platform == "linux" and block >= large else page
            assert (address + before + page) % aligned == 0
            assert before + after == (large if aligned == large else 0)


@compiled
def test_blocks_begin_at_pages_of_the_system():
    arrays = [made(count) for count in (MIB // 4, LARGE, 4 * MIB)]
    assert [x._data.ctypes.data % mmap.PAGESIZE for x in arrays] == [0, 0, 0]


@compiled
def test_memory_of_deleted_results_is_used_again():
    x = made()
    address = np.asarray(x).ctypes.data
    assert held() == 0
    del x
    assert LARGE * 4 <= held() <= LARGE * 5
    y = made()
    assert np.asarray(y).ctypes.data == address
    assert held() == 0


@compiled
@pytest.mark.parametrize(("count", "kept"), [(MIB // 32 - 1, False), (MIB // 32, True)])
def test_memory_that_the_c_library_would_map_is_used_again(count, kept):
    x = made(count)
    del x
    assert (held() > 0) is kept


@compiled
def test_newest_memory_is_used_again_where_much_is_kept():
    others = [made(MIB // 16) for _ in range(200)]
    x = made(MIB // 8)
    older, newer = np.asarray(x).ctypes.data, {np.asarray(y).ctypes.data for y in others}
    del x
    while others:
        del others[-1]
    assert held() >= 200 * MIB // 4
    assert np.asarray(made(MIB // 16)).ctypes.data in newer
    assert np.asarray(made(MIB // 8)).ctypes.data == older  # also where others were deleted later


def test_arrays_own_their_memory_as_numpys_do():
    x = made()._data
    assert type(x) is np.ndarray
    assert x.flags.owndata
    assert x.flags.writeable
    assert x.flags.aligned
    assert x.base is None
    assert x[1:].base is x
    assert pickle.loads(pickle.dumps(x)).tobytes() == x.tobytes()
    wanted = np.arange(LARGE, dtype=np.float32) + 1
    assert np.array_equal(x, wanted)
    x.resize(2 * LARGE, refcheck=False)
    assert np.array_equal(x[:LARGE], wanted)
    assert not x[LARGE:].any()
    x.resize(10, refcheck=False)
    assert np.array_equal(x, wanted[:10])


@compiled
def test_empty_buffers_are_of_the_pool_where_they_are_large():
    x = made()
    address = np.asarray(x).ctypes.data
    del x
    buffer = native.empty([LARGE // 8, 8], np.dtype(np.float32))
    assert buffer.ctypes.data == address
    assert (buffer.shape, buffer.dtype, buffer.flags.c_contiguous) == ((LARGE // 8, 8), np.float32, True)
    assert native.empty((), np.dtype("S3")).dtype == "S3"
    for given, error in (
        (((-1,), np.dtype("f4")), ValueError),
        (((1 << 62, 9), np.dtype("f4")), ValueError),
        (((1 << 50,), np.dtype("f4")), MemoryError),
        (((1,), "f4"), TypeError),
        (("a", np.dtype("f4")), TypeError),
        (((1,),), TypeError),
    ):
        with pytest.raises(error):
            native.empty(*given)


@compiled
def test_numpys_own_arrays_are_numpys():
    handler = pytest.importorskip("numpy._core.multiarray", reason="NumPy has no such private module").get_handler_name
    assert handler(made()._data) == "supremum_pool"
    assert handler(np.empty(LARGE)) == handler() == "default_allocator"
    assert handler(made(1000)._data) == "default_allocator"


def test_buffers_outlive_everything():
    x = made()
    view, wanted = np.asarray(x)[5:], np.asarray(x)[5:].tobytes()
    memory = memoryview(np.asarray(x))
    del x
    gc.collect()
    others = [made() for _ in range(3)]
    assert view.tobytes() == wanted
    assert bytes(memory)[20:] == wanted
    assert len(others) == 3


@compiled
def test_fortran_order_and_other_shapes():
    a = np.asfortranarray(np.random.default_rng(0).normal(size=(700, 800)))
    for x in (a, a.T, a.reshape(70, 80, 100), a.astype(complex), np.asfortranarray(a.reshape(70, 80, 100))):
        for _ in range(2):
            got = np.asarray(xp.asarray(x, copy=False) * 2)
            assert np.array_equal(got, x * 2)
            assert got.strides == (x * 2).strides
            assert (got.flags.c_contiguous, got.flags.f_contiguous) == (x.flags.c_contiguous, x.flags.f_contiguous)


@compiled
def test_the_bound_is_never_exceeded():
    xp.config.pool = 10 * MIB
    arrays = [made() for _ in range(8)]
    while arrays:
        arrays.pop()
        assert held() <= 10 * MIB
    assert held() > 6 * MIB
    large = made(16 * MIB)
    del large
    assert held() <= 10 * MIB
    xp.config.pool = 4 * MIB
    assert held() <= 4 * MIB
    xp.config.pool = 0
    assert held() == 0
    x = made()
    assert np.asarray(x)[3] == 4
    del x
    assert held() == 0


@compiled
def test_the_bound_can_change_while_arrays_live():
    x = made()
    xp.config.pool = 0
    assert np.asarray(x)[3] == 4
    del x
    assert held() == 0


#: Statements that have an operator called on the only array that `pairs` holds, and that holds it afterwards.
STATEMENTS = [
    "out = []; out += starmap(mul, pairs)", "out = []; out += map(mul, *zip(*pairs, strict=True))",
    "out = []; out += chain(starmap(mul, pairs))", "out = []; out += filter(id, starmap(mul, pairs))",
    "out = deque(); out += starmap(mul, pairs)", "out = {}; out |= zip(count(), starmap(mul, pairs))",
]  # fmt: skip
NAMES = {
    "chain": itertools.chain, "count": itertools.count, "deque": collections.deque, "mul": operator.mul,
    "partial": functools.partial, "starmap": itertools.starmap,
}  # fmt: skip


@pytest.mark.parametrize("statement", STATEMENTS)
def test_operands_that_others_hold_are_left_alone(statement):
    pairs = [(xp.ones(1 << 21), 3.0)]
    exec(statement, {**NAMES, "pairs": pairs})  # noqa: S102 - a statement of the list above
    assert pairs[0][0][0] == pairs[0][0][-1] == 1


def test_operand_of_a_bound_method_is_left_alone():
    multiply = (xp.ones(1 << 21) * 2).__mul__

    class Product:
        __mul__ = multiply

    assert [(Product() * 3.0)[0], (Product() * 3.0)[0]] == [6, 6]


def test_empty_gives_zeros():
    x = made() * 0 + 7
    del x
    assert not np.asarray(xp.empty(LARGE)).any()
    assert not np.asarray(xp.zeros(LARGE)).any()
    assert not np.asarray(xp.empty_like(made())).any()


@compiled
def test_tracemalloc_sees_the_memory():
    x = made()
    del x
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        x = made()
        assert LARGE * 4 <= tracemalloc.get_traced_memory()[0] - before < LARGE * 4 + 10_000
        x._data.resize(2 * LARGE, refcheck=False)
        assert 2 * LARGE * 4 <= tracemalloc.get_traced_memory()[0] - before < 2 * LARGE * 4 + 10_000
        del x
        assert tracemalloc.get_traced_memory()[0] - before < 10_000
    finally:
        tracemalloc.stop()


@compiled
def test_memory_that_nobody_used_for_a_while_is_returned(monkeypatch):
    x, y = made(), made(2 * LARGE)
    del x
    assert held() < LARGE * 5
    native.pool_clock(11)
    try:
        del y
        assert LARGE * 8 <= held() < LARGE * 10
    finally:
        native.pool_clock(0)


@compiled
def test_memory_of_sizes_that_are_not_used_any_more_is_returned():
    x = made(4 * LARGE)
    del x
    for _ in range(70):
        made()
    assert held() > LARGE * 16
    y, z = made(), made()  # of which one needs new memory
    assert held() < LARGE * 4
    assert y.shape == z.shape


@compiled
@pytest.mark.skipif(sys.platform != "linux", reason="limits of the address space are those of Linux")
def test_memory_is_returned_when_there_is_no_other():
    text = """
import resource, supremum as xp
from supremum._base.buffers import native
def made(mib):
    return xp.broadcast_to(xp.ones(1024), (mib * 2**8, 1024)) + xp.ones(1024)
limit = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize() + 700 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
x = made(400)
x = None
assert native is None or native.pool_held() >= 400 * 2**20
x = made(600)  # for which there is no memory beside what the pool held
assert native is None or native.pool_held() == 0
try:
    x + x
except MemoryError:
    x = None
    print(made(600).shape)
"""
    environment = {**os.environ, "SUPREMUM_POOL": str(1 << 30), "SUPREMUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False, env=environment)
    assert done.stdout == f"({600 << 8}, 1024)\n", done.stderr


def test_threads_take_and_give_at_the_same_time():
    wanted, failed = np.arange(LARGE, dtype=np.float32) + 1, []

    def work():
        for _ in range(15):
            x, y = made(), made()
            failed.extend(1 for z in (x, y) if not np.array_equal(z, wanted))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_children_of_a_fork_have_their_own():
    x, y = made(), made()
    wanted = np.asarray(y).tobytes()
    del x
    child = os.fork()
    if child == 0:
        z = made() * 0
        os._exit(0 if np.asarray(y).tobytes() == wanted and not np.asarray(z).any() else 1)
    z = made() * 3
    assert os.waitpid(child, 0)[1] == 0
    assert np.asarray(z)[1] == 6


@compiled
@pytest.mark.slow
def test_a_program_of_many_sizes_keeps_its_memory():
    import resource

    def turn():
        for k in range(1, 40):
            x = made(k * MIB // 4)
            (x + x) * x

    turn()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.monotonic()
    while time.monotonic() - started < 5:
        turn()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + 80_000


# -- the setting --


@pytest.mark.parametrize("value", [-1, True, 1.5, "2", None, 1 << 62])
def test_other_bounds_are_refused(value):
    with pytest.raises(ValueError, match="config: pool must be a number of bytes"):
        xp.config.pool = value
    assert xp.config.pool == 64 * MIB


def test_the_bound_is_a_setting_of_the_process():
    xp.config.update("pool", 5 * MIB)
    assert xp.config.read("pool") == xp.config.pool == 5 * MIB
    with pytest.raises(AttributeError, match="pool is a setting of the process"), xp.config.use(pool=2):
        pass


def test_the_bound_comes_from_the_environment():
    text = "import supremum as xp; print(xp.config.pool)"

    def program(**variables):
        environment = {**{k: v for k, v in os.environ.items() if k != "SUPREMUM_POOL"}, **variables}
        return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False, env=environment)

    assert program(SUPREMUM_POOL="12345").stdout == "12345\n"
    assert program(SUPREMUM_POOL="0").stdout == "0\n"
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 1 << 32
    assert program().stdout == f"{min(512 * MIB, memory // 8)}\n"
    assert "environment variable SUPREMUM_POOL" in program(SUPREMUM_POOL="lots").stderr
