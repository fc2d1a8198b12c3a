"""xarray with our arrays as data."""

import numpy as np
import pytest
from client_checks import ours

import supremum as xp

xr = pytest.importorskip("xarray", reason="xarray is not installed")

DATA = np.arange(12, dtype=np.float32).reshape(3, 4)
HOLES = np.where(DATA % 5 == 0, np.nan, DATA).astype(np.float32)


def make(m, data=DATA):
    return xr.DataArray(m(data), dims=("x", "y"), coords={"x": [10, 20, 30], "y": list("abcd")})


CALLS = {
    "arithmetic": lambda d, o: d * 2 + 1,
    "with another": lambda d, o: d + o.isel(x=0),
    "numpy ufunc": lambda d, o: np.sin(d),
    "comparison": lambda d, o: (d > 3).astype("float32"),
    "mean": lambda d, o: d.mean("x"),
    "sum": lambda d, o: d.sum(),
    "std": lambda d, o: d.std("y", ddof=1),
    "max": lambda d, o: d.max("y"),
    "isel": lambda d, o: d.isel(x=[2, 0]),
    "sel": lambda d, o: d.sel(y=["b", "d"]),
    "slice": lambda d, o: d.sel(x=slice(10, 20)),
    "reindex": lambda d, o: d.reindex(x=[20, 40]),
    "where": lambda d, o: d.where(d > 3),
    "fillna": lambda d, o: o.fillna(0),
    "nanmean": lambda d, o: o.mean("x"),
    "concat": lambda d, o: xr.concat([d, d], "x"),
    "stack": lambda d, o: d.stack(z=("x", "y")),
    "transpose": lambda d, o: d.transpose("y", "x"),
    "cumsum": lambda d, o: d.cumsum("x"),
    "median": lambda d, o: d.median("x"),
    "pad": lambda d, o: d.pad(x=1, constant_values=0.0),
    "roll": lambda d, o: d.roll(x=1),
    "shift": lambda d, o: d.shift(x=1),
    "diff": lambda d, o: d.diff("x"),
    "clip": lambda d, o: d.clip(1, 5),
    "round": lambda d, o: d.round(),
    "dot": lambda d, o: xr.dot(d, d, dim="x"),
    "apply_ufunc": lambda d, o: xr.apply_ufunc(lambda v: v * 2, d),
    "groupby": lambda d, o: d.groupby("y").mean(),
    "coarsen": lambda d, o: d.coarsen(x=2, boundary="trim").mean(),
    "rolling mean": lambda d, o: d.rolling(y=2).mean(),
    "rolling sum, centred": lambda d, o: d.rolling(y=3, center=True, min_periods=1).sum(),
    "rolling windows": lambda d, o: d.rolling(x=2).construct("window"),
    "cumulative": lambda d, o: d.cumulative("x").sum(),
    "differentiate": lambda d, o: d.differentiate("x", edge_order=2),
    "integrate": lambda d, o: d.integrate("x"),
    "dataset": lambda d, o: xr.Dataset({"a": d, "b": o}).mean("x")["a"],
}


@pytest.mark.parametrize("name", CALLS)
def test_call(name):
    expected = CALLS[name](make(np.asarray), make(np.asarray, HOLES))
    found = CALLS[name](make(xp.asarray), make(xp.asarray, HOLES))
    assert found.dims == expected.dims
    ours(found.data, expected.data, np.float32)


@pytest.mark.parametrize("name", ["arithmetic", "numpy ufunc", "isel", "concat", "stack", "transpose", "roll", "clip", "dot"])
def test_bfloat16_stays(name):
    found = CALLS[name](make(lambda d: xp.asarray(d, dtype="bfloat16")), None)
    expected = CALLS[name](make(np.asarray), None)
    ours(found.data, expected.data, "bfloat16", rtol=0.01)


def test_reductions_of_bfloat16():
    # With skipna=None, xarray passes the dtype to numpy.isdtype, which accepts NumPy's own dtypes only.
    d = make(lambda d: xp.asarray(d, dtype="bfloat16"))
    ours(d.mean("x", skipna=False).data, DATA.mean(0), "bfloat16", rtol=0.01)
    ours(d.sum(skipna=False).data, DATA.sum(), "bfloat16", rtol=0.01)


def test_values_repr_and_assignment():
    d = make(xp.asarray)
    assert type(d.values) is np.ndarray
    assert "Array" in repr(d) or "array" in repr(d)
    d[{"x": 0}] = 7
    ours(d.data[0], np.full(4, 7.0), np.float32)
    assert d.isel(x=0, y=0).item() == 7
