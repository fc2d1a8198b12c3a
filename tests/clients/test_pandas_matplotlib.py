"""pandas takes our arrays as NumPy's; matplotlib draws them."""

import numpy as np
import pytest

import supremum as xp

X = np.asarray([1.5, 2.5, 4.0], np.float32)


@pytest.mark.parametrize("dtype", ["float32", "int8", "bool", "float64"])
def test_pandas(dtype):
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    x = xp.asarray(X).astype(dtype)
    series = pd.Series(x)
    assert series.dtype == dtype
    assert series.tolist() == np.asarray(x).tolist()
    frame = pd.DataFrame({"a": x, "b": xp.asarray(X)})
    assert frame["a"].dtype == dtype
    assert frame["b"].mean() == pytest.approx(X.mean())
    assert type(xp.asarray(series)) is xp.Array
    assert xp.asarray(series).dtype == dtype
    assert xp.asarray(frame[["b"]].to_numpy()).shape == (3, 1)


def test_a_series_with_our_array():
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    series = pd.Series(X)
    assert (series + xp.asarray(X)).tolist() == (2 * X).tolist()
    assert series.iloc[xp.asarray([2, 0])].tolist() == [4.0, 1.5]


@pytest.mark.parametrize("dtype", ["float32", "int8", "bfloat16"])
def test_matplotlib(dtype):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    from matplotlib import pyplot as plt

    x = xp.asarray(X, dtype="float32").astype(dtype)
    figure, axes = plt.subplots()
    (line,) = axes.plot(x, x)
    axes.scatter(x, x, c=x)
    axes.bar(x, x)
    axes.fill_between(x, x, x + 1)
    axes.hist(x)
    axes.imshow(xp.stack([x, x]))
    axes.errorbar(x, x, yerr=x)
    figure.canvas.draw()
    np.testing.assert_allclose(np.asarray(line.get_xdata(), np.float32), np.asarray(x, np.float32))
    plt.close(figure)
