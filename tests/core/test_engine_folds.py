# ruff: noqa: E501 - a row of a table is one case
"""The engines: folds over axes. One set of tests for both engines."""

import itertools

import numpy as np
import pytest
from engines import LAYOUTS, engine_or_skip, same, samples

import supremum as xp
from supremum._core import array
from supremum.promotion._nodes import NODES

FOLDED = [np.dtype(name) for name in ("?", "i1", "u2", "i4", "u4", "i8", "f4", "f8", "c8", "c16")]


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean", "all", "any"])
def test_folds(engine, name):
    fold = engine.fold(name, "mean" if name == "mean" else "reduce")
    shapes = [
        (),
        (1,),
        (7,),
        (0,),
        (300,),
        (9001,),
        (20_000,),
        (4, 4),
        (3, 5, 7),
        (2, 1, 3),
        (130, 40),
        (3, 0, 2),
        (1, 6, 1),
        (17, 600),
        (40, 3),
        (9, 2, 3),
    ]
    for dtype, shape in itertools.product(FOLDED, shapes):
        data = samples(dtype, shape)
        for layout in ("one", "fortran", "strided"):
            x = LAYOUTS[layout](data) if data.ndim else data
            axes = [None, *range(-x.ndim, x.ndim), *itertools.combinations(range(x.ndim), 2), ()]
            for axis, keepdims in itertools.product(axes, (False, True)):
                twin = array.wrap(x, NODES[dtype.name])
                try:
                    wanted = getattr(xp, name)(twin, axis=axis, keepdims=keepdims)
                except ValueError:
                    with pytest.raises(ValueError):
                        fold(engine.array(x), axis=axis, keepdims=keepdims)
                    continue
                got = fold(engine.array(x), axis=axis, keepdims=keepdims)
                assert got._node is wanted._node
                assert got.shape == wanted.shape
                np.testing.assert_array_equal(got._data, wanted._data, err_msg=f"{name} {dtype} {shape} {layout} {axis}")


def test_sums_are_numpys(engine):
    fold = engine.fold("sum")
    for size in [*range(40), 127, 128, 129, 1000, 8191, 8192, 8193, 70_001]:
        for dtype in ("f4", "f8"):
            x = samples(dtype, size)
            same(fold(engine.array(x)), np.add.reduce(x))
    shapes = (
        (5, 3),
        (3, 500),
        (500, 3),
        (7, 8, 9),
        (2, 3, 4, 5),
        (1, 9),
        (9, 1),
        (20, 20, 3),
        (1500, 7),
        (1500, 8),
        (4, 90, 3, 2),
    )
    for shape, dtype in itertools.product(shapes, ("f4", "f8", "c8", "c16", "i8")):
        x = samples(dtype, shape)
        for axis in [*range(len(shape)), *itertools.combinations(range(len(shape)), 2)]:
            same(fold(engine.array(x), axis), np.add.reduce(x, axis))
            same(fold(engine.array(x), axis=axis, keepdims=True), np.add.reduce(x, axis, keepdims=True))


def test_sums_of_floats_are_numpys_at_every_level():
    """Eight leaves of a sum in pairs are added at once: lengths where they have fewer or more elements than others."""
    native = engine_or_skip("native")
    x = (np.random.default_rng(3).standard_normal(2**21 + 9) * 10.0 ** (np.arange(2**21 + 9) % 7 - 3)).astype(np.float32)
    lengths = [*range(4096, 4096 + 64), *range(4096, 20_000, 97), 10**6, 10**6 + 1, 2**20, 2**21 - 8, 2**21, 2**21 + 9]
    highest = native.set_level(0)
    try:
        for level in range(highest + 1):
            native.set_level(level)
            for length in lengths:
                found, wanted = np.asarray(xp.sum(xp.asarray(x[:length]))), x[:length].sum()
                assert found.tobytes() == wanted.tobytes(), (level, length)
            assert float(xp.max(xp.asarray(x))) == x.max()
            assert float(xp.min(xp.asarray(x))) == x.min()
    finally:
        native.set_level(highest)


def test_special_values_of_folds(engine):
    values = np.asarray([0.0, -0.0, np.nan, np.inf, -np.inf, 1.0], np.float32)
    for name, ufunc in (("sum", np.add), ("prod", np.multiply), ("max", np.maximum), ("min", np.minimum)):
        fold = engine.fold(name)
        for chosen in itertools.product(values, repeat=3):
            x = np.asarray(chosen, np.float32)
            with np.errstate(all="ignore"):
                wanted = ufunc.reduce(x)
            if name in ("max", "min") and wanted == 0:  # as in JAX, -0.0 is less than 0.0
                signs = np.signbit(x[x == 0])
                wanted = np.float32(-0.0 if (signs.all() if name == "max" else signs.any()) else 0.0)
            same(fold(engine.array(x)), wanted)
            same(fold(engine.array(np.stack([x, x[::-1]])), axis=1), np.stack([wanted, wanted]))


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_cumulations(engine, name):
    fold = engine.fold(name, "accumulate")
    for dtype, size in itertools.product(FOLDED, (0, 1, 2, 7, 1000)):
        x = samples(dtype, size)
        twin = array.wrap(x, NODES[dtype.name])
        wanted, got = getattr(xp, name)(twin), fold(engine.array(x))
        assert got._node is wanted._node
        np.testing.assert_array_equal(got._data, wanted._data)


def test_arguments_of_folds(engine):
    asked = []
    fold = engine.Function(lambda *args, **kwargs: asked.append((args, kwargs)), "reduce", engine.fold("sum").operation)
    x = engine.array(np.ones((2, 3)))
    for args, kwargs in (((x, 5), {}), ((x, 0, None), {}), ((x,), {"dtype": None}), ((3,), {}), ((), {}), ((x, 1.0), {}), ((x, (0, 0)), {}),
                         ((x,), {"keepdims": 1}), ((x, 0), {"axis": 0}), ((x, 2**70), {})):  # fmt: skip
        fold(*args, **kwargs)
        assert asked.pop() == (args, kwargs)
    engine.Array.total = fold
    try:
        x.total(axis=3)
        assert asked.pop() == ((x,), {"axis": 3})
    finally:
        del engine.Array.total
    with pytest.raises(ValueError):
        engine.Function(len, "upwards", fold.operation)
