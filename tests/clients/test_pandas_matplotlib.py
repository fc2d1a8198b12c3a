"""pandas converts our arrays as it does NumPy's; matplotlib draws them."""

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
    back = xp.asarray(frame[["b"]].to_numpy())
    assert (back.dtype, back.tolist()) == (np.float32, [[v] for v in X.tolist()])
    assert pd.DataFrame(xp.stack([x, x])).dtypes.tolist() == [np.dtype(dtype)] * 3
    assert pd.Index(x).tolist() == np.asarray(x).tolist()


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
    points = axes.scatter(x, x, c=x)
    bars = axes.bar(x, x)
    axes.fill_between(x, x, x + 1)
    counts, edges, _ = axes.hist(x, bins=2)
    image = axes.imshow(xp.stack([x, x]))
    axes.errorbar(x, x, yerr=x)
    if dtype != "bfloat16":  # contours make a masked array, and NumPy has no default fill value for this dtype
        axes.contour(xp.stack([x, x]))
    axes.pcolormesh(xp.stack([x, x]))
    figure.canvas.draw()
    values = np.asarray(x, np.float32)
    np.testing.assert_allclose(np.asarray(line.get_xdata(), np.float32), values)
    np.testing.assert_allclose(points.get_offsets(), np.stack([values, values], axis=1))
    np.testing.assert_allclose(points.get_array().astype(np.float32), values)
    assert [bar.get_height() for bar in bars] == values.tolist()
    expected, at = np.histogram(values, 2)
    np.testing.assert_allclose(np.asarray(counts, np.float32), expected)
    np.testing.assert_allclose(np.asarray(edges, np.float32), at)
    np.testing.assert_allclose(image.get_array().astype(np.float32), np.stack([values, values]))
    plt.close(figure)
