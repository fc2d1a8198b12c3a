"""Random numbers, compared with JAX: bit for bit if no transcendental function is involved."""

import json
from pathlib import Path

import expressions
import ml_dtypes
import numpy as np
import pytest
from common import for_each

import supremum as xp


@for_each("case", expressions.cases("random"), expressions.identity)
def test_as_jax(case):
    expressions.check(case)


GOLDEN = json.loads((Path(__file__).parents[1] / "golden/random.json").read_text())
PARAMETERS = {
    "truncated_normal": (-1.0, 2.0),
    "lognormal": (0.5,),
    "pareto": (2.5,),
    "rayleigh": (2.5,),
    "triangular": (-1.0, 0.5, 2.0),
    "weibull_min": (2.0, 1.5),
    "double_sided_maxwell": (0.5, 2.0),
    "wald": (2.5,),
    "geometric": (0.3,),
}


def draw(name, dtype):
    sampler, _, mode = name.partition("-")
    options = {"mode": mode} if mode else {}
    with xp.config.use(x64="on"):
        size = 6 if dtype.startswith("complex") else 12
        parameters = PARAMETERS.get(sampler, ())
        out = getattr(xp.random, sampler)(xp.random.PRNGKey(7), *parameters, shape=(size,), dtype=dtype, **options)
    assert out.dtype == dtype
    return out._data.view(out._data.real.dtype)


@for_each("case", GOLDEN)
def test_numbers_as_recorded_with_jax(case):
    """Within a few units in the last place, because logarithms differ between libraries."""
    name, dtype = case.split()
    ours = draw(name, dtype).astype(np.float64)
    theirs = np.array([float.fromhex(number) for number in GOLDEN[case]])
    unit = 0.0 if dtype == "int64" else float(ml_dtypes.finfo(draw(name, dtype).dtype).eps)
    # Where the logarithm of a logarithm crosses zero, the error is relative to the terms.
    assert np.abs(ours - theirs).max() <= 8 * unit * max(1.0, np.abs(theirs).max())
    if name == "normal":
        assert (np.abs(ours - theirs) <= 4 * unit * np.abs(theirs)).all()


def test_samples_look_as_they_should():
    """The moments of 100 000 numbers are within five standard deviations of their mean."""
    key, size = xp.random.key(1), 100_000
    moments = {
        "uniform": (0.5, 1 / 12),
        "normal": (0.0, 1.0),
        "exponential": (1.0, 1.0),
        "gumbel": (np.euler_gamma, np.pi**2 / 6),
        "laplace": (0.0, 2.0),
        "logistic": (0.0, np.pi**2 / 3),
        "maxwell": (2 * np.sqrt(2 / np.pi), 3 - 8 / np.pi),
    }
    for name, (mean, variance) in moments.items():
        numbers = getattr(xp.random, name)(key, (size,), "float64")._data
        assert abs(numbers.mean() - mean) < 5 * np.sqrt(variance / size), name
        assert abs(numbers.var() / variance - 1) < 0.05, name


def test_multivariate_normal_has_the_covariance_asked_for():
    covariance = xp.asarray([[2.0, 0.5], [0.5, 1.0]], dtype="float64")
    mean = xp.asarray([1.0, -1.0], dtype="float64")
    for method in ("cholesky", "eigh", "svd"):
        x = xp.random.multivariate_normal(xp.random.key(3), mean, covariance, (50_000,), method=method)
        assert x.dtype == "float64"
        assert np.allclose(np.cov(x._data.T), covariance._data, atol=0.05)
        assert np.allclose(x._data.mean(axis=0), mean._data, atol=0.05)


@pytest.mark.parametrize("n, m", [(3, None), (2, 4), (4, 2)])
def test_orthogonal_matrices(n, m):
    q = xp.random.orthogonal(xp.random.key(4), n, (5,), "float64", m)
    assert q.shape == (5, n, m or n)
    square = q.mT @ q if n >= q.shape[-1] else q @ q.mT
    assert np.allclose(square._data, np.eye(square.shape[-1]))


def test_unitary_matrices_are_those_of_jax():
    # JAX 0.10.2, jax_enable_x64 off.
    q = xp.random.orthogonal(xp.random.key(0), 2, dtype="complex64")
    expected = [[0.36477923 - 0.88739485j, -0.28078812 + 0.02499088j], [-0.27182648 + 0.07467848j, -0.65181035 - 0.70404315j]]
    assert q.dtype == "complex64"
    np.testing.assert_allclose(np.asarray(q), expected, atol=1e-6)
    tall = xp.random.orthogonal(xp.random.key(3), 3, (), "complex64", 2)
    assert np.allclose(np.asarray(tall)[0], [-0.75951684 - 0.6205629j, 0.11768205 + 0.11590631j], atol=1e-6)
    assert np.allclose(np.asarray(xp.conj(tall.mT) @ tall), np.eye(2), atol=1e-6)
    wide = xp.random.orthogonal(xp.random.key(0), 2, (2,), "complex128", 3)
    assert wide.shape == (2, 2, 3)
    assert np.allclose(np.asarray(wide @ xp.conj(wide.mT)), np.eye(2))
    with pytest.raises(ValueError, match=r"orthogonal.*complex"):
        xp.random.orthogonal(xp.random.key(0), 2, dtype="int32")


def test_permutations_hold_everything_once():
    x = xp.arange(24).reshape(4, 6)
    key = xp.random.key(2)
    assert sorted(xp.random.permutation(key, 100).tolist()) == list(range(100))
    assert sorted(xp.random.permutation(key, x, axis=1).T.tolist()) == sorted(x.T.tolist())
    rows = xp.random.permutation(key, x, axis=1, independent=True)
    assert [sorted(row) for row in rows.tolist()] == x.tolist()
    assert x.tolist() == np.arange(24).reshape(4, 6).tolist()
    assert len(set(xp.random.choice(key, 50, (50,), replace=False).tolist())) == 50


def test_the_same_key_gives_the_same_numbers_in_parts():
    """Bits depend on the key and the position alone."""
    key = xp.random.key(5)
    whole = xp.random.bits(key, (50_000,))
    assert (whole[:40_000] == xp.random.bits(key, (40_000,))).all()
    assert (whole.reshape(500, 100) == xp.random.bits(key, (500, 100))).all()


def test_modes():
    """Without an override the numbers are those of JAX's defaults; 64-bit dtypes are available on request."""
    key = xp.random.key(0)
    assert xp.random.uniform(key).dtype == "float32"
    assert xp.random.bits(key).dtype == "uint32"
    wide = xp.random.uniform(key, (3,), "float64")
    with xp.config.use(x64="on"):
        assert xp.random.uniform(key, (3,)).tolist() == wide.tolist()


def test_keys():
    keys = xp.random.split(xp.random.key(0), (2, 3))
    assert (keys.shape, keys.ndim, keys.size, len(keys), repr(keys.dtype)) == ((2, 3), 2, 6, 2, "key<fry>")
    assert keys[1, 2].shape == ()
    assert keys[:, 0].shape == (2,)
    assert keys.reshape(-1).shape == (6,)
    assert [key.shape for key in keys] == [(3,), (3,)]
    assert bool((xp.random.wrap_key_data(xp.random.key_data(keys)) == keys).all())
    assert not bool((keys[0] != keys[0]).any())
    assert isinstance(keys, xp.Array)
    for bad in (lambda: keys.reshape(5), lambda: xp.random.bits(keys), lambda: np.asarray(keys), lambda: hash(keys)):
        with pytest.raises((TypeError, ValueError)):
            bad()


@for_each(
    "call, error, message",
    [
        (lambda r, k: r.uniform(None), TypeError, "uniform: a key comes from random.key"),
        (lambda r, k: r.uniform(k, dtype="int32"), ValueError, "uniform: dtype must be a floating dtype"),
        (lambda r, k: r.uniform(k, (3,), minval=xp.zeros(2)), ValueError, "uniform: a parameter of shape"),
        (lambda r, k: r.uniform(k, dtype="float4_e2m1fn"), TypeError, "uniform: .* 8, 16, 32 or 64 bits"),
        (lambda r, k: r.randint(k, (), 0, 9, "float32"), TypeError, "randint: dtype must be an integer dtype"),
        (lambda r, k: r.randint(k, (), 0, 9, "int4"), TypeError, "randint: .* 8 to 64 bits"),
        (lambda r, k: r.bits(k, dtype="int8"), ValueError, "bits: dtype must be an unsigned"),
        (lambda r, k: r.bernoulli(k, 1), TypeError, "bernoulli: the probability must have a floating dtype"),
        (lambda r, k: r.choice(k, 3, (4,), replace=False), ValueError, "choice: cannot draw 4 of 3"),
        (lambda r, k: r.choice(k, 0), ValueError, "choice: a must not be empty"),
        (lambda r, k: r.choice(k, 3, 2), TypeError, "choice: shape must be a sequence"),
        (lambda r, k: r.categorical(k, xp.zeros(3, dtype="int32")), ValueError, "categorical: logits must have a floating"),
        (lambda r, k: r.permutation(k, 1.5), TypeError, "permutation: x must be an integer"),
        (lambda r, k: r.fold_in(k, -1), OverflowError, "fold_in: data must be a 32-bit"),
        (lambda r, k: r.key(1, impl="mt19937"), ValueError, "key: impl must be 'threefry2x32'"),
        (lambda r, k: r.key(1, impl="unsafe_rbg"), NotImplementedError, "key: the generator 'unsafe_rbg' is missing"),
        (lambda r, k: r.key(1.5), TypeError, "key: a seed must be an integer"),
        (lambda r, k: r.key(2**70), OverflowError, "key: a seed must be a 64-bit integer"),
        (lambda r, k: r.gumbel(k, mode="x"), ValueError, "gumbel: mode must be"),
        (lambda r, k: r.geometric(k, 0.5, dtype="float32"), ValueError, "geometric: dtype must be an integer"),
        (lambda r, k: r.multivariate_normal(k, xp.zeros(2), xp.eye(3)), ValueError, "multivariate_normal: mean has shape"),
        (lambda r, k: r.multivariate_normal(k, xp.zeros(2), xp.eye(2), method="x"), ValueError, "method must be"),
    ],
)
def test_errors(call, error, message):
    with pytest.raises(error, match=message):
        call(xp.random, xp.random.key(0))


@pytest.mark.parametrize("sizes", [{"n": -1}, {"n": 3, "m": -2}, {"n": -(2**63)}])
def test_orthogonal_matrices_have_no_negative_sizes(sizes):
    with pytest.raises(ValueError, match=r"^orthogonal: n and m must not be negative"):
        xp.random.orthogonal(xp.random.key(0), **sizes)
