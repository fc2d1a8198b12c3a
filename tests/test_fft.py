"""Transforms are compared with their defining sums in double precision."""

import inspect
import itertools

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import config


def transform(x, sign, axis=-1):
    """Compute a transform by its defining sum."""
    x = np.moveaxis(np.asarray(x, complex), axis, -1)
    n = x.shape[-1]
    waves = np.exp(sign * 2j * np.pi * np.outer(np.arange(n), np.arange(n)) / n)
    return np.moveaxis(x @ waves, -1, axis)


def scale(n, norm, inverse):
    return {"ortho": n**-0.5, "forward": 1.0 if inverse else 1 / n}.get(norm, 1 / n if inverse else 1.0)


def near(actual, expected):
    actual = np.asarray(actual)
    tolerance = 1e-13 if actual.dtype in (np.float64, np.complex128) else 1e-5
    return np.allclose(actual, expected, rtol=tolerance, atol=tolerance)


SIGNAL = np.array([1.0, 2.0, 0.0, -1.0, 3.0])
NORMS = [None, "backward", "ortho", "forward"]


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", ["float32", "float64", "complex64", "complex128", "int8", "bfloat16", "float16", "bool"])
class TestOneAxis:
    def test_fft(self, name, norm):
        x = xp.asarray(SIGNAL).astype(name)
        data = np.asarray(x).astype(complex)
        wide = name in ("float64", "complex128")
        for function, sign, inverse in ((xp.fft.fft, -1, False), (xp.fft.ifft, 1, True)):
            result = function(x, norm=norm)
            assert result.dtype == ("complex128" if wide else "complex64")
            assert near(result, transform(data, sign) * scale(5, norm, inverse))

    def test_rfft(self, name, norm):
        if name.startswith("complex"):
            for function in (xp.fft.rfft, xp.fft.ihfft, xp.fft.rfftn):
                with pytest.raises(ValueError, match="real"):
                    function(xp.asarray(SIGNAL).astype(name))
            return
        x = xp.asarray(SIGNAL).astype(name)
        data = np.asarray(x).astype(complex)
        assert near(xp.fft.rfft(x, norm=norm), transform(data, -1)[:3] * scale(5, norm, inverse=False))
        assert near(xp.fft.ihfft(x, norm=norm), transform(data, 1)[:3] * scale(5, norm, inverse=True))
        assert xp.fft.rfft(x).dtype == ("complex128" if name == "float64" else "complex64")

    def test_to_real_numbers(self, name, norm):
        half = xp.asarray(SIGNAL[:3]).astype(name)
        data = np.asarray(half).astype(complex)
        whole = np.concatenate([data, data[1:][::-1].conj()])
        wide = name in ("float64", "complex128")
        back = xp.fft.irfft(half, n=5, norm=norm)
        assert back.dtype == ("float64" if wide else "float32")
        assert near(back, (transform(whole, 1) * scale(5, norm, inverse=True)).real)
        assert near(xp.fft.hfft(half, n=5, norm=norm), (transform(whole.conj(), 1) * scale(5, norm, inverse=False)).real)


def test_lengths_and_axes():
    x = xp.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    padded = np.pad(np.asarray(x), ((0, 0), (0, 2)))
    assert near(xp.fft.fft(x, n=5), transform(padded, -1))
    assert near(xp.fft.fft(x, 2), transform(np.asarray(x)[:, :2], -1))
    assert near(xp.fft.fft(x, axis=0), transform(x, -1, 0))
    assert xp.fft.irfft(x).shape == (2, 4)
    assert xp.fft.hfft(x, 3, 0).shape == (3, 3)


@pytest.mark.parametrize("norm", NORMS)
def test_several_axes(norm):
    data = np.arange(24.0).reshape(2, 3, 4) % 7
    x = xp.asarray(data, dtype="float64")
    both = transform(transform(data, -1, 0), -1, 2) * scale(8, norm, inverse=False)
    assert near(xp.fft.fftn(x, axes=(0, 2), norm=norm), both)
    assert near(xp.fft.rfftn(x, axes=(0, 2), norm=norm), both[..., :3])
    assert near(xp.fft.irfftn(xp.fft.rfftn(x, norm=norm), norm=norm), data)
    assert near(xp.fft.ifftn(xp.fft.fftn(x, norm=norm), norm=norm), data)
    assert near(xp.fft.ifft2(xp.fft.fft2(x, norm=norm), norm=norm), data)
    assert near(xp.fft.irfft2(xp.fft.rfft2(x, norm=norm), norm=norm), data)


def test_lengths_of_several_axes():
    x = xp.ones((2, 3))
    assert xp.fft.fftn(x, s=(4, 2), axes=(0, 1)).shape == (4, 2)
    assert xp.fft.fftn(x, s=(-1, 5), axes=(0, 1)).shape == (2, 5)
    assert xp.fft.fftn(x, s=(5,)).shape == (2, 5)
    assert xp.fft.rfftn(x, s=(4, 6)).shape == (4, 4)
    assert xp.fft.irfftn(x, s=(2, 5)).shape == (2, 5)
    assert xp.fft.fftn(x, axes=()).tolist() == [[1, 1, 1]] * 2
    assert xp.fft.fft(xp.zeros((2, 0))).shape == (2, 0)
    assert xp.fft.rfft(xp.zeros((0, 2))).shape == (0, 2)
    for function in (xp.fft.rfft, xp.fft.ihfft, xp.fft.rfftn):
        with pytest.raises(ValueError, match="at least one"):
            function(xp.zeros((2, 0)))
    assert xp.fft.irfft(xp.zeros((2, 1))).shape == (2, 0)
    assert xp.fft.fftn(xp.zeros((0, 3))).shape == (0, 3)


@for_each(
    "call, error",
    [
        (lambda x: xp.fft.fft(x, n=0), ValueError), (lambda x: xp.fft.fft(x, n=2.5), TypeError),
        (lambda x: xp.fft.fft(x, axis=2), ValueError), (lambda x: xp.fft.fft(x, axis=(0, 1)), ValueError),
        (lambda x: xp.fft.fft(x, norm="nonsense"), ValueError), (lambda x: xp.fft.fft([1.0]), TypeError),
        (lambda x: xp.fft.fft(xp.asarray(1.0)), ValueError), (lambda x: xp.fft.fftn(x, s=(2,), axes=(0, 1)), ValueError),
        (lambda x: xp.fft.fftn(x, axes=(0, 0)), ValueError), (lambda x: xp.fft.fftn(x, s=(0, 1)), ValueError),
        (lambda x: xp.fft.fftn(x, norm="nonsense"), ValueError), (lambda x: xp.fft.fft2(x, axes=(0,)), ValueError),
        (lambda x: xp.fft.fft2(x, axes=None), TypeError),
        (lambda x: xp.fft.fft2(x[0]), ValueError), (lambda x: xp.fft.fftfreq([4]), ValueError),
        (lambda x: xp.fft.rfftfreq(4, [1.0]), ValueError), (lambda x: xp.fft.fftfreq("a"), TypeError),
        (lambda x: xp.fft.rfftfreq(4, 1j), TypeError), (lambda x: xp.fft.fftfreq(4, device="gpu"), ValueError),
        (lambda x: xp.fft.fftshift(x, axes=2), ValueError), (lambda x: xp.fft.ifftshift([1]), TypeError),
    ],
)  # fmt: skip
def test_errors(call, error):
    with pytest.raises(error, match="fft"):
        call(xp.ones((2, 3)))


def test_frequencies():
    assert xp.fft.fftfreq(4).tolist() == [0, 0.25, -0.5, -0.25]
    assert xp.fft.fftfreq(5, 0.2).tolist() == [0, 1, 2, -2, -1]
    assert xp.fft.rfftfreq(5, d=0.2).tolist() == [0, 1, 2]
    assert xp.fft.rfftfreq(4).tolist() == [0, 0.25, 0.5]
    assert xp.fft.fftfreq(0).shape == (0,)
    assert xp.fft.fftfreq(2.5).tolist() == [pytest.approx(v) for v in (0, 0.4, -0.2)]
    assert xp.fft.rfftfreq(-1).shape == (0,)
    assert xp.fft.fftfreq(4).dtype == "float32"
    assert xp.fft.fftfreq(3, 0.1, dtype="float64").tolist() == [0, 1 / (0.1 * 3), -1 / (0.1 * 3)]
    assert xp.fft.rfftfreq(4, dtype="bfloat16", device="cpu").dtype == "bfloat16"
    with config.use(x64="on"):
        assert xp.fft.fftfreq(4).dtype == "float64"


@pytest.mark.parametrize("name", ["int8", "float32", "bfloat16", "complex64", "bool"])
def test_shifts(name):
    x = xp.asarray([0, 1, 1, 0, 0]).astype(name)
    assert xp.fft.fftshift(x).tolist() == xp.asarray([0, 0, 0, 1, 1]).astype(name).tolist()
    assert xp.fft.ifftshift(xp.fft.fftshift(x)).tolist() == x.tolist()
    assert xp.fft.fftshift(x).dtype == name


def test_shifts_of_axes():
    x = xp.reshape(xp.arange(6), (2, 3))
    assert xp.fft.fftshift(x).tolist() == [[5, 3, 4], [2, 0, 1]]
    assert xp.fft.fftshift(x, axes=0).tolist() == [[3, 4, 5], [0, 1, 2]]
    assert xp.fft.ifftshift(x, axes=(1,)).tolist() == [[1, 2, 0], [4, 5, 3]]
    assert xp.fft.fftshift(x, axes=()).tolist() == x.tolist()


def test_no_axes_change_the_dtype():
    assert xp.fft.rfftn(xp.ones(2), axes=()).dtype == "complex64"
    assert xp.fft.irfftn(xp.ones(2, dtype="complex64"), axes=()).dtype == "float32"


def test_frequencies_of_an_integer_dtype():
    assert xp.fft.rfftfreq(4, 0.125, dtype="int32").tolist() == [0, 2, 4]
    assert xp.fft.fftfreq(4, 0.125, dtype="int32").dtype == "int32"


TRANSFORMS = [f"{inverse}{kind}{axes}" for inverse in ("", "i") for kind in ("fft", "rfft") for axes in ("", "2", "n")]
TRANSFORMS += ["hfft", "ihfft"]


@for_each("name", TRANSFORMS)
def test_transforms_take_the_parameters_of_their_definitions(name):
    made, definition = None, getattr(xp.fft, name)
    while hasattr(definition, "__wrapped__"):
        made, definition = definition, definition.__wrapped__
    ours, theirs = (inspect.signature(each, follow_wrapped=False).parameters.values() for each in (made, definition))
    assert [(each.name, each.default) for each in ours] == [(each.name, each.default) for each in theirs]


@for_each("name", TRANSFORMS)
def test_transforms_document_their_parameters(name):
    function = getattr(xp.fft, name)
    lines = inspect.getdoc(function).splitlines()
    headings = [line for line, below in itertools.pairwise(lines) if below and set(below) == {"-"}]
    assert headings == ["Parameters", "Returns", "Examples"]
    documented = [line.partition(" : ")[0] for line in lines[: lines.index("Returns")] if " : " in line]
    assert documented == list(inspect.signature(function).parameters)
    assert max(map(len, lines)) <= 120
