"""Calls of jnp.fft."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

from conformance.jax.calls import arr, call, dt, weak

from ._common import COMMON, NARROW, Call, sample

ONE = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
MANY = ["fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"]


def transforms() -> Iterator[Call]:
    """Yield calls of transforms: dtypes, lengths, axes, norms."""
    for function in (*ONE, *MANY):
        target = f"jnp.fft.{function}"
        for dtype in (*COMMON, *NARROW):
            yield call(target, sample(dtype, (2, 4)))
        for norm in (None, "backward", "ortho", "forward", "nonsense"):
            yield call(target, sample("float32", (2, 4)), norm=norm)
            yield call(target, sample("complex64", (2, 3)), norm=norm)
            yield call(target, sample("float64", (2, 5)), norm=norm)
        for bad in (
            sample("float32", ()),
            sample("float32", (2, 0)),
            [1.0, 2.0],
            3,
            None,
            "a",
            weak([1, 2, 3]),
            sample("float32", 0),
        ):
            yield call(target, bad)
    for function in ONE:
        target = f"jnp.fft.{function}"
        for n in (1, 2, 3, 5, 8, 0, -1, 2.5, "a", None):
            yield call(target, sample("float32", 4), n)
            yield call(target, sample("complex64", 5), n=n)
        for axis in (0, 1, -2, 2, 1.0):
            yield call(target, sample("float32", (2, 3)), axis=axis)
            yield call(target, sample("complex64", (3, 2)), 3, axis, "ortho")
    for function in MANY:
        target = f"jnp.fft.{function}"
        for dtype in ("float32", "complex64"):
            x = sample(dtype, (2, 3, 4))
            for axes in ((0, 1), (2, 0), (-1,), None, (0, 1, 2), (0, 5), (1, 1), ()):
                yield call(target, x, axes=axes)
            for shape in ((2, 2), (3, 5), (4,), (2, 3, 4), (0, 2), (-1, 2)):
                yield call(target, x, s=shape)
                yield call(target, x, shape, (0, 2))


def frequencies() -> Iterator[Call]:
    """Yield calls: frequencies and shifts."""
    for function in ("fftfreq", "rfftfreq"):
        target = f"jnp.fft.{function}"
        for n in (1, 2, 5, 8, 0, -1, 2.5, "a"):
            for d in (1.0, 0.5, 2, weak(3), arr("float16", 0.25)):
                yield call(target, n, d)
        for wanted in ("float16", "float32", "float64", "int32", "complex64", "bfloat16"):
            yield call(target, 4, dtype=dt(wanted))
            yield call(target, 5, d=0.1, dtype=dt(wanted))
        yield call(target, 4, 1j)
        yield call(target, 4, [1])
    for function in ("fftshift", "ifftshift"):
        target = f"jnp.fft.{function}"
        for dtype in (*COMMON, *NARROW):
            yield call(target, sample(dtype, 5))
        for axes in (None, 0, 1, -1, (0, 1), (1,), 2, [0]):
            yield call(target, sample("float32", (3, 4)), axes)
        yield call(target, [1, 2, 3])
        yield call(target, weak([1, 2, 3]))


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    yield from transforms()
    yield from frequencies()
