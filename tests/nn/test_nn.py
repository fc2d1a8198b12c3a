"""Activation functions and normalization: dtypes, weak types, special values and errors, compared with JAX."""

import inspect
import math

import expressions
import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum._core.array import wrap
from supremum.jax import vmap


@for_each("case", expressions.cases("nn"), expressions.identity)
def test_as_jax(case):
    expressions.check(case)


def test_unsigned_integers_are_compared_with_numbers_below_zero():
    assert xp.nn.hard_tanh(xp.asarray([0, 1, 200], dtype="uint8")).tolist() == [0, 1, 1]


@pytest.mark.parametrize("dtype, unit", [("float64", 1e-14), ("float32", 1e-6), ("bfloat16", 2e-2), ("float16", 2e-3)])
def test_values_by_their_formulas(dtype, unit):
    """Expected values are those of Python's math in float64; narrow dtypes round after every step, as in JAX."""
    x = xp.linspace(-4, 4, 33, dtype="float64").astype(dtype)
    formulas = {
        "sigmoid": lambda v: 1 / (1 + math.exp(-v)),
        "silu": lambda v: v / (1 + math.exp(-v)),
        "softplus": lambda v: math.log1p(math.exp(v)),
        "log_sigmoid": lambda v: -math.log1p(math.exp(-v)),
        "soft_sign": lambda v: v / (abs(v) + 1),
        "elu": lambda v: v if v > 0 else math.expm1(v),
        "celu": lambda v: v if v > 0 else math.expm1(v),
        "selu": lambda v: 1.0507009873554805 * (v if v > 0 else 1.6732632423543772 * math.expm1(v)),
        "squareplus": lambda v: (v + math.sqrt(v * v + 4)) / 2,
        "mish": lambda v: v * math.tanh(math.log1p(math.exp(v))),
        "gelu": lambda v: v * (1 + math.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3))) / 2,
        "hard_silu": lambda v: v * min(max(v + 3, 0), 6) / 6,
    }
    for name, formula in formulas.items():
        ours, theirs = getattr(xp.nn, name)(x).tolist(), [formula(v) for v in x.tolist()]
        assert max(abs(a - b) for a, b in zip(ours, theirs, strict=True)) < 8 * unit, name
    exact = xp.nn.gelu(x, approximate=False).tolist()
    assert max(abs(a - v * (1 + math.erf(v / math.sqrt(2))) / 2) for a, v in zip(exact, x.tolist(), strict=True)) < 8 * unit


def test_sums_of_exponentials():
    x = xp.asarray([[1.0, 2.0, 3.0], [0.0, -xp.inf, 1000.0]], dtype="float64")
    total = math.log(math.e + math.e**2 + math.e**3)
    assert xp.nn.logsumexp(x, axis=1).tolist() == pytest.approx([total, 1000.0])
    assert xp.nn.softmax(x).sum(axis=1).tolist() == pytest.approx([1.0, 1.0])
    assert xp.nn.log_softmax(x)[0].tolist() == pytest.approx([1 - total, 2 - total, 3 - total])
    assert xp.nn.standardize(xp.asarray([1.0, 2.0, 3.0]), epsilon=0).tolist() == pytest.approx([-1.2247449, 0, 1.2247449])


def composed():
    """Return the composed functions of one array, and the names of further arrays that they take."""
    found = {}
    for home in (xp, xp.linalg, xp.fft, xp.nn, xp.scipy.special):
        for function in [getattr(home, name) for name in dir(home)]:
            if getattr(function, "kind", "") == "composed":
                first, *others = inspect.signature(function).parameters.values()
                if first.kind is not first.VAR_POSITIONAL and all(p.default is not p.empty for p in others):
                    found[function] = [p.name for p in others if p.annotation == "ArrayLike"]
    return found


@pytest.mark.parametrize("weak", [False, True])
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_composed_functions_of_batches_are_rounded_once_too(dtype, weak):
    """All numbers of 16 bits, as rows: the results of `vmap` are those of each row, bit for bit."""
    node = xp.asarray(1, dtype=dtype)._node
    x = wrap(np.arange(1 << 16, dtype=np.uint16).view(node.dtype).reshape(256, 256), node.weak_form if weak else node)
    compared = 0
    for function, options in composed().items():
        for named in ({}, *[{name: x[60]} for name in options]):
            try:
                rows = [function(x[i], **{k: v[i] for k, v in named.items()}) for i in range(256)]
            except (TypeError, ValueError):
                continue  # vectors of floats are not what it takes
            if not isinstance(rows[0], xp.Array) or rows[0].ndim > 1 or len({row.shape for row in rows}) > 1:
                continue
            if rows[0].dtype.kind == "c":
                continue  # of which there are no narrow ones
            found = vmap(lambda row, named: function(row, **named))(x, named)  # noqa: B023 - called at once
            assert found._node is rows[0]._node, function
            with np.errstate(invalid="ignore"):  # of casts of NaN
                wide = np.complex64 if found._node.kind == "c" else np.float32
                ours, theirs = (np.asarray(each).astype(wide).view(np.float32) for each in (found, xp.stack(rows)))
            same = (ours.view(np.uint32) == theirs.view(np.uint32)) | (np.isnan(ours) & np.isnan(theirs))
            assert same.all(), (function, ours[~same], theirs[~same])
            compared += 1
    assert compared > 25


def test_buffers_of_numpy_are_rounded_once_too():
    data = np.asarray([0.0157, -0.0165, 0.08], np.float32).astype(xp.bfloat16.dtype)
    given = [xp.nn.logmeanexp(data), xp.nn.logmeanexp(xp.asarray(data))]
    assert float(given[0]) == float(given[1])
    exact = np.log(np.exp(data.astype(np.float64)).mean())
    assert abs(float(given[0]) - exact) <= 2**-8 * exact
