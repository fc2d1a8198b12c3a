"""Numerical calculus on integers and half-integers, whose results are exact."""

import math

import numpy as np
import pytest

import supremum as xp

SQUARES = [0.0, 1.0, 4.0, 9.0, 16.0]


def test_differences():
    x = xp.asarray([[1, 4, 9], [16, 25, 36]])
    assert xp.diff(x).tolist() == [[3, 5], [9, 11]]
    assert xp.diff(x, axis=0).tolist() == [[15, 21, 27]]
    assert xp.diff(x, n=2).tolist() == [[2], [2]]
    assert xp.diff(x, 0) is x
    assert xp.diff(x, n=9).shape == (2, 0)
    assert xp.diff(x, prepend=0).tolist() == [[1, 3, 5], [16, 9, 11]]
    assert xp.diff(x, axis=0, append=xp.zeros((2, 3), dtype="int32")).tolist() == [[15, 21, 27], [-16, -25, -36], [0, 0, 0]]
    assert xp.diff(xp.asarray([True, False, False])).tolist() == [True, False]
    assert xp.diff(xp.asarray([1, 0], dtype="uint8")).tolist() == [255]
    assert xp.diff(xp.asarray([1, 2], dtype="int8"), prepend=xp.asarray([0], dtype="int16")).dtype == "int16"


@pytest.mark.parametrize(
    "args, kwargs, error",
    [
        ((xp.asarray(1),), {}, ValueError),
        ((xp.ones(2),), {"n": -1}, ValueError),
        ((xp.ones(2),), {"n": 1.5}, TypeError),
        ((xp.ones(2),), {"axis": 1}, ValueError),
        (([1, 2],), {}, TypeError),
        ((xp.ones((2, 2)),), {"prepend": xp.ones(2)}, ValueError),
        ((xp.ones((2, 2)),), {"append": xp.ones((3, 1))}, ValueError),
    ],
)
def test_wrong_differences(args, kwargs, error):
    with pytest.raises(error, match="diff"):
        xp.diff(*args, **kwargs)


def test_differences_with_ends():
    assert xp.ediff1d(xp.asarray([[1, 4], [9, 16]])).tolist() == [3, 5, 7]
    assert xp.ediff1d(xp.asarray([1, 4]), to_begin=-1.5, to_end=xp.asarray([7, 8])).tolist() == [-1, 3, 7, 8]
    assert xp.ediff1d(xp.asarray([0, 255], dtype="uint8")).dtype == "uint8"
    with pytest.raises(TypeError, match="ediff1d"):
        xp.ediff1d(xp.asarray([True, False]))


class TestGradient:
    def test_even_spacing(self):
        assert xp.gradient(xp.asarray(SQUARES)).tolist() == [1, 2, 4, 6, 7]
        assert xp.gradient(xp.asarray(SQUARES), 2).tolist() == [0.5, 1, 2, 3, 3.5]
        assert xp.gradient(xp.asarray([1, 2, 4], dtype="int8")).dtype == "float32"

    def test_places(self):
        # The derivative of a parabola is exact at uneven distances, except at the ends.
        places = xp.asarray([0.0, 1.0, 3.0, 4.0])
        assert xp.gradient(places * places, places).tolist() == [pytest.approx(v) for v in (1, 2, 6, 7)]

    def test_order_at_the_ends(self):
        """NumPy implements it and JAX does not; the derivative of a parabola is exact in the second order."""
        assert xp.gradient(xp.asarray(SQUARES), edge_order=1).tolist() == [1, 2, 4, 6, 7]
        assert xp.gradient(xp.asarray(SQUARES), edge_order=2).tolist() == [0, 2, 4, 6, 8]
        assert xp.gradient(xp.asarray(SQUARES), 2, edge_order=2).tolist() == [0, 1, 2, 3, 4]
        places = np.array([0.0, 1.0, 3.0, 4.0, 8.0])
        data = np.array([[1.0, 5.0, 2.0, -3.0, 4.0], [0.0, 1.0, 9.0, 16.0, 64.0]])
        for order in (1, 2):
            found = xp.gradient(xp.asarray(data), xp.asarray(places), axis=1, edge_order=order)
            np.testing.assert_allclose(np.asarray(found), np.gradient(data, places, axis=1, edge_order=order), rtol=1e-14)

    def test_axes(self):
        x = xp.asarray([[1.0, 2.0], [4.0, 8.0]])
        rows, columns = xp.gradient(x)
        assert rows.tolist() == [[3, 6], [3, 6]]
        assert columns.tolist() == [[1, 1], [4, 4]]
        assert xp.gradient(x, axis=-1).tolist() == columns.tolist()
        assert xp.gradient(x, 2, 4)[1].tolist() == [[0.25, 0.25], [1, 1]]
        assert xp.gradient(x, axis=()) == []

    @pytest.mark.parametrize(
        "args, kwargs, error",
        [
            ((xp.ones(1),), {}, ValueError), ((xp.ones(3), xp.ones(2)), {}, ValueError),
            ((xp.ones(3), xp.ones((3, 1))), {}, ValueError),
            ((xp.ones(3), 1, 2), {}, TypeError), ((xp.ones(3),), {"axis": 1}, ValueError),
            ((xp.ones(3),), {"edge_order": 3}, ValueError), ((xp.ones(2),), {"edge_order": 2}, ValueError),
            (([1.0, 2.0],), {}, TypeError),
        ],
    )  # fmt: skip
    def test_errors(self, args, kwargs, error):
        with pytest.raises(error, match="gradient"):
            xp.gradient(*args, **kwargs)


class TestTrapezoid:
    def test_rule(self):
        y = xp.asarray(SQUARES)
        assert float(xp.trapezoid(y)) == 22
        assert float(xp.trapezoid(y, dx=0.5)) == 11
        assert float(xp.trapezoid(y, xp.asarray([0, 1, 2, 3, 5]))) == 0.5 + 2.5 + 6.5 + 25
        assert float(xp.trapezoid(y, dx=xp.asarray([1.0, 1.0, 1.0, 2.0]))) == 34.5
        assert xp.trapezoid(xp.asarray([[1.0, 2.0], [3.0, 4.0]]), axis=0).tolist() == [2, 3]
        assert float(xp.trapezoid(xp.ones(1001, dtype="bfloat16"))) == 1000
        assert float(xp.trapezoid(xp.asarray([1.0, 1.0], dtype="float64"), dx=0.1)) == 0.1

    def test_errors(self):
        with pytest.raises(ValueError, match="trapezoid"):
            xp.trapezoid(xp.asarray(1.0))
        with pytest.raises(IndexError, match="trapezoid"):
            xp.trapezoid(xp.zeros((0,)))
        with pytest.raises(ValueError, match="trapezoid"):
            xp.trapezoid(xp.ones(5), xp.ones(3))


class TestInterp:
    places = (0.0, 1.0, 3.0)
    values = (0.0, 10.0, 30.0)

    def interp(self, x, **kwargs):
        return xp.interp(x, xp.asarray(self.places), xp.asarray(self.values), **kwargs)

    def test_between_and_beyond(self):
        assert self.interp(xp.asarray([-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0])).tolist() == [0, 0, 5, 10, 20, 30, 30]
        assert self.interp(xp.asarray([-1.0, 4.0]), left=-5, right="extrapolate").tolist() == [-5, 40]
        assert math.isnan(float(self.interp(math.nan)))

    def test_periods(self):
        assert self.interp(xp.asarray([3.5, 4.5, -3.5]), period=4).tolist() == [15, 5, 5]

    def test_dtypes(self):
        narrow = [xp.asarray(v, dtype="bfloat16") for v in (self.places, self.values)]
        assert xp.interp(xp.asarray(0.5, dtype="bfloat16"), *narrow).tolist() == 5
        assert xp.interp(xp.asarray(0.5, dtype="bfloat16"), *narrow).dtype == "bfloat16"
        assert xp.interp(1, xp.asarray([0, 2]), xp.asarray([0, 4])).tolist() == 2
        assert xp.interp(1.0, xp.asarray([0, 2]), xp.asarray([0j, 4j])).tolist() == 2j
        wide = [xp.asarray(v, dtype="float64") for v in (self.places, self.values)]
        assert xp.interp(-1.0, *wide, left=0.1).tolist() == 0.1

    def test_errors(self):
        for call in (
            lambda: xp.interp(1.0, xp.ones(2), xp.ones(3)), lambda: xp.interp(1j, xp.ones(2), xp.ones(2)),
            lambda: self.interp(1.0, left="nonsense"), lambda: self.interp(1.0, period=xp.ones(2)),
            lambda: xp.interp(1.0, xp.ones((2, 2)), xp.ones((2, 2))),
        ):  # fmt: skip
            with pytest.raises(ValueError, match="interp"):
                call()
        with pytest.raises(IndexError, match="interp"):
            xp.interp(1.0, xp.zeros((0,)), xp.zeros((0,)))


class TestConvolution:
    @pytest.mark.parametrize("mode", ["full", "same", "valid"])
    @pytest.mark.parametrize("lengths", [(5, 3), (3, 5), (4, 4), (5, 2), (2, 5), (1, 1)], ids=str)
    def test_overlaps(self, lengths, mode):
        a, v = np.arange(1, lengths[0] + 1, dtype="int32"), np.arange(lengths[1], dtype="int32") - 1
        for ours, numpys in ((xp.convolve, np.convolve), (xp.correlate, np.correlate)):
            result = ours(xp.asarray(a), xp.asarray(v), mode)
            assert result.dtype == "float32"
            assert result.tolist() == numpys(a, v, mode).tolist()

    def test_correlation_conjugates(self):
        assert xp.correlate(xp.asarray([1j]), xp.asarray([1j])).tolist() == [1]

    def test_dtypes(self):
        ones = xp.ones(600, dtype="bfloat16")
        assert xp.convolve(ones, ones, "valid").tolist() == [600]
        x = xp.full((3,), 100, dtype="int8")
        assert xp.convolve(x, x, "valid", preferred_element_type="int32").tolist() == [30000]
        assert xp.convolve(x, x, "valid", preferred_element_type="int8").dtype == "int8"
        with pytest.raises(TypeError, match="preferred_element_type"):
            xp.convolve(ones, ones, preferred_element_type="int32")

    @pytest.mark.parametrize("function", [xp.convolve, xp.correlate])
    def test_preferred_element_types_are_those_of_jax(self, function):
        wishes = "bool int8 int16 uint16 int32 float8_e5m2 bfloat16 float16 float32 complex64"
        for dtype, accepted in {
            "bool": "bool int8 uint16 int32 bfloat16 float32 complex64",
            "int16": "int16 int32 bfloat16 float16 float32",
            "uint16": "int16 uint16 int32 bfloat16 float16 float32",
            "bfloat16": "bfloat16 float16 float32",
            "float32": "float32",
            "complex64": "complex64",
        }.items():
            x = xp.ones(3, dtype=dtype)
            for wanted in wishes.split():
                if wanted in accepted.split():
                    assert function(x, x, preferred_element_type=wanted).dtype == wanted
                elif dtype != "bool":
                    with pytest.raises(TypeError, match=rf"{function.__name__}.*preferred_element_type {wanted}.*{dtype}"):
                        function(x, x, preferred_element_type=wanted)

    def test_errors(self):
        for args in (
            (xp.ones(3), xp.ones(2), "nonsense"),
            (xp.ones(3), xp.zeros((0,))),
            (xp.ones((2, 2)), xp.ones(2)),
            (1.0, xp.ones(2)),
        ):
            with pytest.raises(ValueError, match="convolve"):
                xp.convolve(*args)
