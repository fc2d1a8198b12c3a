"""Positions of a `vmap` that exchange values: they end, whatever happens at some of them."""

import subprocess
import sys
import threading

import pytest

import supremum as xp
from supremum import jax

lax, vmap = jax.lax, jax.vmap


def test_positions_that_call_no_collective_function_start_no_thread():
    before = threading.active_count()
    seen = vmap(lambda x: x + lax.axis_index("i") * lax.axis_size("i") + threading.active_count(), axis_name="i")(xp.arange(3))
    assert (seen - before).tolist() == [0, 4, 8]


def test_the_context_of_each_position_is_that_of_the_caller():
    def mapped(x):
        with xp.config.use(x64="on") if int(x) == 0 else xp.config.use(mutable=False):
            total = lax.psum(x, "i")
            return xp.asarray(xp.config.x64 == "on"), total

    on, total = vmap(mapped, axis_name="i")(xp.arange(3))
    assert (on.tolist(), total.tolist()) == ([True, False, False], [3, 3, 3])


def test_a_collective_function_that_some_positions_do_not_call_is_refused():
    def some(x):
        return lax.psum(x, "i") if int(x) < 2 else x

    with pytest.raises(RuntimeError, match=r"at 2 of 3 positions along axis 'i'"):
        vmap(some, axis_name="i")(xp.arange(3))


def test_errors_and_interrupts_end_all_positions():
    before = threading.active_count()

    def failing(x, at, kind):
        total = lax.psum(x, "i")
        if int(x) == at:
            raise kind("own")
        return lax.pmax(total, "i")

    for at in range(3):
        for kind in (KeyError, KeyboardInterrupt, SystemExit):
            with pytest.raises(kind, match="own"):
                vmap(lambda x, at=at, kind=kind: failing(x, at, kind), axis_name="i")(xp.arange(3))
    assert threading.active_count() == before


def test_nested_names():
    x = xp.arange(6).reshape(2, 3)
    both = vmap(vmap(lambda v: lax.psum(v, ("i", "j")), axis_name="j"), axis_name="i")(x)
    rows = vmap(vmap(lambda v: lax.psum(v, "i") - lax.psum(v, "j"), axis_name="j"), axis_name="i")(x)
    assert both.tolist() == [[15] * 3] * 2
    assert rows.tolist() == [[0, 2, 4], [-9, -7, -5]]


def test_no_name_is_not_a_name():
    with pytest.raises(NameError, match="unbound axis name"):
        vmap(lambda x: lax.psum(x, None))(xp.arange(3))


LIMITED = """
import resource, threading
import supremum as xp
from supremum.jax import lax, vmap
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
threading.stack_size(64 << 20)
resource.setrlimit(resource.RLIMIT_AS, (used + (400 << 20), resource.RLIM_INFINITY))
try:
    vmap(lambda x: lax.psum(x, "i"), axis_name="i")(xp.arange(100))
except RuntimeError as error:
    print(str(error)[:58], threading.active_count())
print(vmap(lambda x: lax.psum(x, "i"), axis_name="i")(xp.arange(3)))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is set by what Linux says of the process")
def test_positions_end_where_one_cannot_start():
    done = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines() == ["vmap: positions that exchange values need a thread each, a 1"[:58] + " 1", "[3 3 3]"]
