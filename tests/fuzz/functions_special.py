"""Tables of activations, special functions and random numbers: formulas in float64, and the support of each distribution."""

import functools
import math
import statistics

import arrays
import numpy as np
from arrays import TAME, named
from subjects import Subject, arguments, elementwise, one

import supremum as xp

FLOATS = named("f", 16)
SINGLE = ("float32", "float64")
NORMAL = statistics.NormalDist()


def each(function):
    """Apply a function of Python floats to each element; elements that it refuses are not compared."""

    def safe(*values):
        try:
            return function(*map(float, values))
        except (ValueError, OverflowError, ZeroDivisionError):
            return math.nan

    return lambda *xs: np.vectorize(safe, otypes=[float])(*xs) if np.broadcast(*xs).size else np.zeros(np.broadcast(*xs).shape)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _softplus(x):
    return np.logaddexp(x, 0)


def _digamma(x):
    if x <= 0:
        raise ValueError
    shift = 0.0
    while x < 20:
        shift -= 1 / x
        x += 1
    y = 1 / (x * x)
    return shift + math.log(x) - 0.5 / x - y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y / 240)))


def _ratio(x, y):
    """Return x log(x/y), for positive x and y."""
    return 0.0 if x == 0 and y >= 0 else x * math.log(x / y)


SELU = 1.6732632423543772, 1.0507009873554805

ACTIVATIONS = {
    "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "sigmoid": _sigmoid,
    "silu": lambda x: x * _sigmoid(x),
    "swish": lambda x: x * _sigmoid(x),
    "log_sigmoid": lambda x: -_softplus(-x),
    "softplus": _softplus,
    "soft_sign": lambda x: x / (np.abs(x) + 1),
    "hard_sigmoid": lambda x: np.clip(x + 3, 0, 6) / 6,
    "hard_silu": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "hard_swish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "hard_tanh": lambda x: np.clip(x, -1, 1),
    "tanh": np.tanh,
    "identity": lambda x: x,
    "celu": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
    "elu": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
    "selu": lambda x: SELU[1] * np.where(x > 0, x, SELU[0] * np.expm1(np.minimum(x, 0))),
    "leaky_relu": lambda x: np.where(x >= 0, x, 0.01 * x),
    "gelu": lambda x: x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
    "mish": lambda x: x * np.tanh(_softplus(x)),
    "squareplus": lambda x: (x + np.sqrt(x * x + 4)) / 2,
    "sparse_plus": lambda x: np.where(x <= -1, 0, np.where(x >= 1, x, (x + 1) ** 2 / 4)),
    "sparse_sigmoid": lambda x: np.clip((x + 1) / 2, 0, 1),
}


def _with_axis(names=FLOATS, classes=TAME):
    def make(d):
        x = d.array(names, d.shape(1, empty=False), classes)
        return arguments(x, axis=d.axis(x))

    return make


def _softmax(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _logsumexp(x, axis):
    return np.log(np.exp(x).sum(axis=axis))


def _one_hot(_out, x, n):
    return arrays.numbers(x)[..., None] == np.arange(n)


def _glu(d):
    x = d.array(SINGLE, d.one([(4,), (3, 2), (2, 1, 6)]), TAME)
    return arguments(x)


def _size_of(x, *_args, **_kwargs):
    return 1 + np.abs(arrays.wide(x)).max(initial=0)


def positive(count=1, names=SINGLE, low=0.0):
    """Make arrays of positive numbers that broadcast."""

    def make(d):
        shape = d.shape()
        name = d.one(names)
        made = [d.array(name, shape if i == 0 else d.one([shape, ()]), TAME) for i in range(count)]
        return arguments(*(np.asarray(np.abs(x) + np.asarray(low, x.dtype), x.dtype) for x in made))

    return make


def probabilities(low=0.0):
    def make(d):
        name, shape = d.one(SINGLE), d.shape()
        x = np.random.default_rng(d.seed()).uniform(low, 1, shape).astype(name)
        return arguments(np.asarray(np.clip(x, np.asarray(low + 1e-3, name), np.asarray(0.999, name))))

    return make


def _unit(*_args, **_kwargs):
    return 1.0


SPECIAL = [
    ("erf", one("f", TAME, bits=16), np.vectorize(math.erf, otypes=[float]), 8),
    ("erfc", one("f", TAME, bits=16), np.vectorize(math.erfc, otypes=[float]), 200),
    ("expit", one("f", TAME, bits=16), _sigmoid, 16),
    ("logit", probabilities(), lambda p: np.log(p / (1 - p)), 200),
    ("gammaln", positive(low=0.1), each(math.lgamma), 64),
    ("loggamma", positive(low=0.1), each(math.lgamma), 64),
    ("gamma", positive(low=0.1), each(math.gamma), 500),
    ("factorial", positive(low=0.1), each(lambda x: math.gamma(x + 1)), 500),
    ("digamma", positive(low=0.2), each(_digamma), 64),
    ("entr", positive(), each(lambda x: 0.0 if x == 0 else -x * math.log(x)), 16),
    ("xlogy", positive(2, low=0.01), each(lambda x, y: x * math.log(y)), 16),
    ("xlog1py", positive(2), each(lambda x, y: 0.0 if x == 0 else x * math.log1p(y)), 16),
    ("rel_entr", positive(2, low=0.01), each(_ratio), 64),
    ("kl_div", positive(2, low=0.01), each(lambda x, y: _ratio(x, y) - x + y), 64),
    ("betaln", positive(2, low=0.1), each(lambda a, b: math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)), 500),
    ("boxcox", positive(2, low=0.1), each(lambda x, k: math.log(x) if k == 0 else math.expm1(k * math.log(x)) / k), 200),
    ("boxcox1p", positive(2, low=0.1), each(lambda x, k: math.log1p(x) if k == 0 else math.expm1(k * math.log1p(x)) / k), 200),
    ("i0", one("f", ["small"], bits=16), np.i0, 16),
    ("i0e", one("f", ["small"], bits=16), lambda x: np.i0(x) * np.exp(-np.abs(x)), 16),
    ("ndtr", one("f", ["small"], bits=32), lambda x: np.vectorize(math.erfc, otypes=[float])(-x / math.sqrt(2)) / 2, 200),
    (
        "log_ndtr",
        one("f", ["small"], bits=32),
        lambda x: np.log(np.vectorize(math.erfc, otypes=[float])(-x / math.sqrt(2)) / 2),
        500,
    ),
    ("ndtri", probabilities(), each(NORMAL.inv_cdf), 500),
    ("erfinv", probabilities(), each(lambda x: NORMAL.inv_cdf((x + 1) / 2) / math.sqrt(2)), 500),
]


def _special_rows():
    for name, make, function, units in SPECIAL:

        def reference(_out, *xs, function=function):
            wide = [arrays.wide(x).astype(float) for x in xs]
            return function(*wide) if np.broadcast(*wide).size else np.zeros(np.broadcast(*wide).shape)

        def scale(*xs):
            return functools.reduce(np.add, (np.abs(arrays.wide(x)).max(initial=0) for x in xs), 1.0)

        yield Subject(f"scipy.special.{name}", make, reference, units, scale, layout_units=64)


NEURAL = [
    *(
        Subject(
            f"nn.{name}",
            one("f", TAME, bits=16),
            elementwise(f),
            16,
            lambda x: np.minimum(np.abs(arrays.wide(x)), 1) + 1,
            layout_units=16,
        )
        for name, f in ACTIVATIONS.items()
    ),
    Subject("nn.log1mexp", positive(low=0.25), elementwise(lambda x: np.log(-np.expm1(-x))), 16, _unit),
    Subject("nn.glu", _glu, elementwise(lambda x: np.split(x, 2, -1)[0] * _sigmoid(np.split(x, 2, -1)[1])), 16, _size_of),
    Subject(
        "nn.one_hot", lambda d: arguments(d.array(("int32", "uint8", "int64"), classes=["small"]), d.int(0, 5)), _one_hot, 0
    ),
    Subject(
        "nn.standardize",
        lambda d: arguments(d.array(SINGLE, (3, 7), TAME)),
        elementwise(lambda x: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)),
        2e4,
        _size_of,
    ),
    *(
        Subject(f"{namespace}.softmax", _with_axis(), elementwise(_softmax), 32, _unit)
        for namespace in ("nn", "scipy.special")
    ),
    *(
        Subject(f"{namespace}.log_softmax", _with_axis(), elementwise(lambda x, axis: np.log(_softmax(x, axis))), 32, _size_of)
        for namespace in ("nn", "scipy.special")
    ),
    *(
        Subject(f"{namespace}.logsumexp", _with_axis(), elementwise(_logsumexp), 32, _size_of)
        for namespace in ("nn", "scipy.special")
    ),
    Subject(
        "nn.dot_product_attention",
        lambda d: arguments(*[d.array("float32", (2, 3, 1, 4), TAME) for _ in range(3)]),
        layout_units=500,
    ),
    Subject(
        "nn.scaled_matmul",
        lambda d: arguments(*[d.array("float32", (1, 2, 4), TAME) for _ in range(2)], *[np.ones((1, 2, 2), np.float32)] * 2),
        layout_units=500,
    ),
    Subject(
        "nn.scaled_dot_general",
        lambda d: arguments(*[d.array("float32", (2, 4), TAME) for _ in range(2)], (((1,), (1,)), ((), ()))),
        layout_units=500,
    ),
    Subject("nn.logmeanexp", _with_axis(), elementwise(lambda x, axis: np.log(np.exp(x).mean(axis=axis))), 32, _size_of),
]


# -- random numbers -----------------------------------------------------------------------------------------------------------


class SupportError(Exception):
    """A number outside the support of the distribution."""


def _drawn(name, low, high):
    """Draw numbers twice with one key; they must be equal, and within the bounds."""

    def call(seed, *args, **kwargs):
        key = xp.random.key(seed)
        function = getattr(xp.random, name)
        result = function(key, *args, **kwargs)
        values, again = np.asarray(result), np.asarray(function(key, *args, **kwargs))
        if values.tobytes() != again.tobytes():
            raise SupportError("one key gave two results")
        wide = values.astype(np.float64)
        if values.size and not (np.all(wide >= low) and np.all(wide <= high)):
            raise SupportError(f"{wide.min()}, {wide.max()} are not all between {low} and {high}")
        return result

    return call


INF = math.inf
#: Name, least and greatest number, and the arguments between key and shape.
DISTRIBUTIONS = [
    ("uniform", 0, 1, ()),
    ("normal", -INF, INF, ()),
    ("exponential", 0, INF, ()),
    ("gumbel", -INF, INF, ()),
    ("laplace", -INF, INF, ()),
    ("logistic", -INF, INF, ()),
    ("cauchy", -INF, INF, ()),
    ("maxwell", 0, INF, ()),
    ("rademacher", -1, 1, ()),
    ("truncated_normal", -1, 2, (-1.0, 2.0)),
    ("pareto", 1, INF, (2.0,)),
    ("rayleigh", 0, INF, (1.5,)),
    ("wald", 0, INF, (1.5,)),
    ("lognormal", 0, INF, (0.5,)),
    ("triangular", 0, 3, (0.0, 1.0, 3.0)),
    ("double_sided_maxwell", -INF, INF, (0.0, 1.0)),
    ("weibull_min", 0, INF, (1.0, 2.0)),
    ("geometric", 1, INF, (0.5,)),
    ("gamma", 0, INF, (1.5,)),
    ("loggamma", -INF, INF, (0.5,)),
    ("beta", 0, 1, (0.5, 2.0)),
    ("dirichlet", 0, 1, (np.array([0.5, 2.0, 3.0], np.float16),)),
    ("chisquare", 0, INF, (3.0,)),
    ("f", 0, INF, (3.0, 4.0)),
    ("t", -INF, INF, (4.0,)),
    ("generalized_normal", -INF, INF, (1.5,)),
    ("ball", -1.01, 1.01, (2,)),
    ("poisson", 0, INF, (4.5,)),
    ("binomial", 0, 40, (40, 0.5)),
]
INTEGER_DRAWS = {"rademacher", "geometric", "poisson"}


def _random_rows():
    for name, low, high, parameters in DISTRIBUTIONS:
        names = (
            ("int32", "int8", "float32") if name == "rademacher" else ("int32", "int64") if name in INTEGER_DRAWS else FLOATS
        )

        def make(d, parameters=parameters, names=names):
            return arguments(d.seed(), *parameters, shape=d.shape(), dtype=d.one(names))

        yield Subject(f"random.{name}", make, function=_drawn(name, low, high))
    integers = named("iu", 8)
    for name, low, high, make in (
        ("randint", -5, 5, lambda d: arguments(d.seed(), d.shape(), -5, 6, dtype=d.one(("int8", "int32", "int64")))),
        ("bits", 0, 2**64, lambda d: arguments(d.seed(), d.shape(), dtype=d.one(("uint8", "uint16", "uint32", "uint64")))),
        ("bernoulli", 0, 1, lambda d: arguments(d.seed(), d.one([0.0, 0.25, 1.0]), d.shape())),
        ("categorical", 0, 4, lambda d: arguments(d.seed(), d.array(SINGLE, (5,), TAME), shape=d.shape())),
        ("permutation", -INF, INF, lambda d: arguments(d.seed(), d.array(("int32", "float32"), d.shape(1), TAME))),
        ("choice", -INF, INF, lambda d: arguments(d.seed(), d.array(integers, (4,), TAME), d.shape())),
        (
            "multinomial",
            0,
            20,
            lambda d: arguments(d.seed(), 20, np.array([0.25, 0.5, 0.25], np.float32), dtype=d.one(SINGLE)),
        ),
        ("orthogonal", -1.001, 1.001, lambda d: arguments(d.seed(), d.int(1, 4), dtype=d.one(SINGLE))),
        (
            "multivariate_normal",
            -INF,
            INF,
            lambda d: arguments(d.seed(), d.array("float32", (2,), TAME), np.eye(2, dtype="float32")),
        ),
    ):
        yield Subject(f"random.{name}", make, function=_drawn(name, low, high), layout_units=500)
    for name, call in (
        ("split", lambda seed: xp.random.key_data(xp.random.split(xp.random.key(seed), 3))),
        ("fold_in", lambda seed: xp.random.key_data(xp.random.fold_in(xp.random.key(seed), 7))),
        ("key_data", lambda seed: xp.random.key_data(xp.random.key(seed))),
        ("PRNGKey", xp.random.PRNGKey),
        ("clone", lambda seed: xp.random.key_data(xp.random.clone(xp.random.key(seed)))),
        ("wrap_key_data", lambda seed: xp.random.key_data(xp.random.wrap_key_data(xp.random.PRNGKey(seed)))),
    ):
        yield Subject(f"random.{name}", lambda d: arguments(d.seed()), function=call)
    yield Subject("random.key", lambda d: arguments(d.seed()), lambda out, seed: np.array([0, seed], np.uint32), None,
                  function=lambda seed: xp.random.key_data(xp.random.key(seed)))  # fmt: skip
    yield Subject(
        "random.key_impl", lambda d: arguments(d.seed()), function=lambda seed: xp.random.key_impl(xp.random.key(seed))
    )


TABLE = [*NEURAL, *_special_rows(), *_random_rows()]
