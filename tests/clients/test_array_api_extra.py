"""array-api-extra, array-api-compat and hypothesis.extra.array_api."""

import numpy as np
import pytest
from client_checks import ours
from hypothesis import given, settings, strategies as st

import supremum as xp

X = np.arange(12, dtype=np.float32).reshape(3, 4)


def call(name, *args, **options):
    xpx = pytest.importorskip("array_api_extra", reason="array-api-extra is not installed")
    return getattr(xpx, name)(*args, **options)


def test_at():
    x = xp.asarray(X)
    xpx = pytest.importorskip("array_api_extra", reason="array-api-extra is not installed")
    ours(xpx.at(x, 0).set(9, copy=True), np.concatenate([np.full((1, 4), 9), X[1:]]), np.float32)
    ours(xpx.at(x, (slice(None), 1)).add(1, copy=True)[:, 1], X[:, 1] + 1, np.float32)
    ours(x, X, np.float32)


CASES = {
    "atleast_nd": (lambda: call("atleast_nd", xp.asarray(X[0]), ndim=2), X[:1]),
    "cov": (lambda: call("cov", xp.asarray(X)), np.cov(X)),
    "create_diagonal": (lambda: call("create_diagonal", xp.asarray(X[0])), np.diag(X[0])),
    "kron": (lambda: call("kron", xp.asarray(X), xp.asarray(X)), np.kron(X, X)),
    "nunique": (lambda: call("nunique", xp.asarray(X)), 12),
    "one_hot": (lambda: call("one_hot", xp.asarray([0, 2]), 3), np.eye(3)[[0, 2]]),
    "pad": (lambda: call("pad", xp.asarray(X), 1), np.pad(X, 1)),
    "setdiff1d": (lambda: call("setdiff1d", xp.asarray(X[0]), xp.asarray(X[0, :2])), X[0, 2:]),
    "sinc": (lambda: call("sinc", xp.asarray(X)), np.sinc(X)),
}


@pytest.mark.parametrize("name", CASES)
def test_extra(name):
    function, expected = CASES[name]
    ours(function(), expected)


def test_compat():
    compat = pytest.importorskip("array_api_compat", reason="array-api-compat is not installed")
    x = xp.asarray(X)
    assert compat.is_array_api_obj(x)
    assert compat.array_namespace(x, x) is xp
    assert compat.device(x) == "cpu"
    assert compat.to_device(x, "cpu") is x
    assert compat.size(x) == 12
    assert not compat.is_numpy_array(x)
    assert not compat.is_lazy_array(x)
    assert compat.is_writeable_array(x)
    with pytest.raises(TypeError, match="Multiple namespaces"):
        compat.array_namespace(x, X)


def strategies():
    return pytest.importorskip("hypothesis.extra.array_api", reason="hypothesis is not installed").make_strategies_namespace(
        xp
    )


KINDS = ["boolean", "integer", "unsigned_integer", "floating", "complex", "numeric", "real", "scalar"]


@pytest.mark.parametrize("kind", KINDS)
def test_hypothesis_makes_our_arrays(kind):
    xps = strategies()
    dtypes = getattr(xps, f"{kind}_dtypes")

    @settings(max_examples=20)
    @given(st.data())
    def check(data):
        dtype = data.draw(dtypes())
        x = data.draw(xps.arrays(dtype=dtype, shape=xps.array_shapes(max_dims=2, max_side=4)))
        assert type(x) is xp.Array
        assert x.dtype == dtype
        assert not x.weak_type
        assert xp.isdtype(x.dtype, dtype)
        part = x[data.draw(xps.indices(x.shape, allow_newaxis=True))]
        assert type(part) is xp.Array
        assert part.dtype == dtype

    check()


def test_hypothesis_keeps_to_what_was_asked_for():
    xps = strategies()

    @settings(max_examples=30)
    @given(xps.arrays(xp.float32, 5, elements={"min_value": 0, "max_value": 1}), xps.mutually_broadcastable_shapes(2))
    def check(x, shapes):
        assert bool(xp.all((x >= 0) & (x <= 1)))
        one, other = [xp.zeros(shape) for shape in shapes.input_shapes]
        assert (one + other).shape == shapes.result_shape

    check()
