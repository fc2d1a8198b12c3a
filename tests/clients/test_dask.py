"""dask.array with our arrays as chunks."""

import multiprocessing

import numpy as np
import pytest
from client_checks import ours

import supremum as xp

dask = pytest.importorskip("dask", reason="dask is not installed")
import dask.array as da  # noqa: E402 - importorskip must be called first

from supremum.dask import register  # noqa: E402 - importorskip must be called first

register()
X = np.arange(24, dtype=np.float32).reshape(4, 6)

CALLS = {
    "operators": lambda d: 2 * d + 1,
    "with itself": lambda d: d * d - d,
    "ufunc": da.sin,
    "numpy ufunc": lambda d: np.exp(-d),
    "sum": lambda d: d.sum(),
    "sum over an axis": lambda d: d.sum(axis=0),
    "mean": lambda d: d.mean(axis=1),
    "max": lambda d: d.max(axis=0),
    "prod": lambda d: (1 + d / 100).prod(axis=0),
    "std": lambda d: d.std(axis=0),
    "matmul": lambda d: d @ d.T,
    "transpose": lambda d: d.T,
    "reshape": lambda d: d.reshape(24),
    "rechunk": lambda d: d.rechunk((4, 1)) + 1,
    "slices": lambda d: d[1:3, ::2] + 0,
    "take": lambda d: d[[3, 1]] + 0,
    "concatenate": lambda d: da.concatenate([d, d]),
    "stack": lambda d: da.stack([d, d]),
    "where": lambda d: da.where(d > 3, d, -d),
    "map_blocks": lambda d: d.map_blocks(lambda block: block * 2),
    "cumsum": lambda d: d.cumsum(axis=0),
    "tensordot": lambda d: da.tensordot(d, d, axes=((1,), (1,))),
    "any": lambda d: (d > 3).any(axis=0),
    "astype": lambda d: d.astype("float16"),
}


def lazy(m, dtype="float32"):
    x = m(X) if m is np.asarray else m(X, dtype=dtype)
    return da.from_array(x, chunks=(2, 3), asarray=False)


@pytest.mark.parametrize("name", CALLS)
def test_call(name):
    with dask.config.set(scheduler="synchronous"):
        expected = CALLS[name](lazy(np.asarray)).compute()
        found = CALLS[name](lazy(xp.asarray)).compute()
    ours(found, expected, expected.dtype)


@pytest.mark.parametrize("name", ["operators", "with itself", "ufunc", "rechunk", "matmul", "concatenate", "sum", "mean"])
def test_bfloat16_stays(name):
    with dask.config.set(scheduler="synchronous"):
        found = CALLS[name](lazy(xp.asarray, "bfloat16")).compute()
        expected = CALLS[name](lazy(np.asarray)).compute()
    ours(found, expected, "bfloat16", rtol=0.03)


def test_weak_scalars_are_as_weak_in_the_graph():
    # dask infers the dtype before the computation with NumPy's arrays, so it is that of NumPy's bfloat16.
    with dask.config.set(scheduler="synchronous"):
        d = lazy(xp.asarray, "bfloat16")
        assert (d * 2.5 + 1).compute().dtype.name == "bfloat16"
        assert (2.5 * d.sum(axis=0)).compute().dtype.name == "bfloat16"
        assert (d * xp.ones(6)).compute().dtype == np.float32


def test_a_dtype_that_is_said_is_announced():
    with dask.config.set(scheduler="synchronous"):
        d = da.multiply(lazy(xp.asarray, "bfloat16"), 2.5, dtype=xp.bfloat16)
        assert d.dtype == d.compute().dtype == xp.bfloat16
        assert d.astype("float32").compute().dtype == np.float32


def _threads_of_a_worker(results):
    register()
    results.put(xp.config.threads)


def test_workers_have_one_thread(monkeypatch):
    monkeypatch.delenv("SUPREMUM_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    before = xp.config.threads
    register()
    assert xp.config.threads == before
    context = multiprocessing.get_context("spawn")
    for given, wanted in ((None, 1), ("2", 2)):
        if given is not None:
            monkeypatch.setenv("SUPREMUM_THREADS", given)
        results = context.SimpleQueue()
        worker = context.Process(target=_threads_of_a_worker, args=(results,))
        worker.start()
        assert results.get() == wanted
        worker.join()
