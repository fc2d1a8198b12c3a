"""Fork while other threads change settings, trace, compute and import; the children do the same.

    python tests/base/forks.py COUNT [again | loops]

A child that waits for a lock that no thread of it holds is killed after some seconds: its exit status is 14 or -14. With
`again`, every fork is from a process that has just been started, so that modules are imported at that moment. With `loops`,
threads and children do nothing but add loops for narrow dtypes to the engine's list.
"""

import faulthandler
import itertools
import os
import signal
import sys
import threading
import time
import traceback

import ml_dtypes
import numpy as np

import supremum as xp
from supremum import config
from supremum._base.buffers import native

sys.setswitchinterval(1e-6)  # threads are interrupted anywhere
DATA = xp.arange(200.0) / 7
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def change_settings():
    config.update("x64", "on")
    config.update("x64", "explicit")


def override():
    for mode in ("on", "off", "explicit"):
        with config.use(x64=mode, mutable=mode == "on"):
            xp.asarray([1, 2]) + 1.5


def trace():
    with xp.trace_promotions() as log:
        for _ in range(20):
            xp.arange(3) + 1.5 * DATA[:3]
    return log.records


ESTIMATE = None


def estimate():
    """Make numbers that an object keeps: the one whose attributes another thread may be making."""
    global ESTIMATE
    kind = xp.scipy.stats.gaussian_kde
    if ESTIMATE is None:
        ESTIMATE = kind(DATA)
    leaves, nothing = ESTIMATE.tree_flatten()
    ESTIMATE = kind.tree_unflatten(nothing, leaves)
    ESTIMATE.evaluate(DATA[:2])


NUMBERS = itertools.count()


def make_loops():
    """Add loops for narrow dtypes to the engine's list, which soon is so long that it is searched most of the time."""
    for number in itertools.islice(NUMBERS, 20):
        native.narrow_ufunc(f"loop {number}", BFLOAT16, 1, np.sqrt, None)


def import_modules():
    for name in ("linalg.svd", "fft.fft", "random.normal", "nn.gelu", "jax.vmap", "jax.numpy.ones", "scipy.special.gammaln"):
        found = xp
        for part in name.split("."):
            __import__(f"{found.__name__}.{part}") if part in ("jax", "numpy", "scipy", "special") else None
            found = getattr(found, part)


WORK = (change_settings, override, trace, estimate)


def fork(work):
    """Fork; the child does the work of each thread, and ends."""
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        faulthandler.register(signal.SIGALRM, chain=True)  # where the child waits
        signal.alarm(20)
        status = 1
        try:
            for each in work:
                each()
            status = 0
        except BaseException:  # noqa: BLE001 - the child ends here, whatever it was
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def busy(work, ended):
    while not ended.is_set():
        work()


def main(count, works):
    estimate()
    ended = threading.Event()
    threads = [threading.Thread(target=busy, args=(work, ended)) for work in works * 2]
    for thread in threads:
        thread.start()
    failed = []
    for _ in range(count):
        time.sleep(0.002)
        failed += [status] if (status := fork(works)) else []
    ended.set()
    for thread in threads:
        thread.join()
    return failed


def importing(count):
    """Fork while another thread imports modules, at another moment each time."""
    failed = []
    for number in range(count):
        child = os.fork()
        if child == 0:
            threading.Thread(target=import_modules, daemon=True).start()
            time.sleep(0.4 * number / count)
            os._exit(abs(fork((import_modules,))))
        failed += [status] if (status := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])) else []
    return failed


if __name__ == "__main__":
    count, how = int(sys.argv[1]), sys.argv[2:]
    bad = importing(count) if how == ["again"] else main(count, (make_loops,) * 4 if how == ["loops"] else WORK)
    print(f"{sys.argv[1]} forks, {len(bad)} children failed: {bad}")  # noqa: T201 - a program
    sys.exit(bool(bad))
