"""Every public function accepts every dtype of ml_dtypes, and its results are those of float32 or int32, rounded once.

The table of calls is ``narrow_expressions.txt``. If a call refuses the wide dtype, it refuses the narrow one. Other tests and
the recordings of JAX check the results of the wide dtypes.
"""

import re
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from common import for_each
from versions import rounded

import supremum as xp
from supremum import nn
from supremum.promotion._nodes import NODES
from supremum.scipy import special

NARROW = {name: node for name, node in NODES.items() if not node.native and node.kind != "c"} | {"float16": NODES["float16"]}
TEXT = (Path(__file__).parent / "narrow_expressions.txt").read_text(encoding="utf-8")
EXPRESSIONS = [line for line in TEXT.splitlines() if line and not line.startswith("#")]
#: Functions that compute with floats: as in JAX, integers of less than a byte do not promote with floats.
NO_FLOATS = {
    *(
        f"nn.{name}(x)"
        for name in ("celu", "elu", "gelu", "hard_sigmoid", "hard_silu", "hard_swish", "leaky_relu", "log1mexp")
    ),
    *(f"nn.{name}(x)" for name in ("log_softmax", "mish", "relu6", "selu", "sparse_plus", "sparse_sigmoid", "standardize")),
    *("nn.silu(x)", "nn.swish(x)", "nn.sigmoid(x)", "nn.squareplus(x)", "xp.unwrap(x)", "special.log_softmax(x)"),
}
#: Functions that subtract integers, whose wrap-around depends on the width.
WRAPPING = {"nn.log_sigmoid(x)", "nn.softmax(x)", "special.softmax(x)", "nn.soft_sign(x)"}
#: Public functions that do not depend on the dtype of an array, or refuse narrow ones as JAX does.
ELSEWHERE = {
    *("special.log_ndtr", "special.ndtr", "special.ndtri"),  # for float32 and float64 only
    "special.owens_t",  # promotes with the default float dtype: scipy/test_special.py
    *("special.bernoulli", "special.sph_harm_y"),  # of numbers, and of integers and angles: scipy/test_special.py
    # Computed in float64 and rounded once, so the float32 result rounded again may differ: scipy/test_references.py.
    *("special.beta", "special.gammainc", "special.spence"),
    # Several steps, each rounded as in JAX, or dtypes of their own: nn/test_attention.py, nn/test_scaled.py.
    *("nn.dot_product_attention", "nn.get_scaled_dot_general_config", "nn.scaled_dot_general", "nn.scaled_matmul"),
    *(
        "__array_namespace_info__",
        "can_cast",
        "enable_x64",
        "explain",
        "forbid",
        "numpy_dtype_promotion",
        "promote_types",
    ),
    *("trace_promotions", "precision_lens", "isdtype", "issubdtype", "result_type"),  # functions of dtypes
    *("array_repr", "array_str", "get_printoptions", "printoptions", "set_printoptions"),  # text: test_narrow_dtypes.py
    *("fromfile", "load", "save", "savez", "savez_compressed"),  # files: likewise
    *("broadcast_shapes", "diag_indices", "einsum_path", "ix_", "mask_indices", "tril_indices", "triu_indices"),  # shapes
    *("unravel_index", "frompyfunc", "hanning", "hamming", "blackman"),  # functions of numbers and callables
    *("nextafter", "spacing"),  # functions whose results depend on the dtype: test_elementwise_narrow.py
}


def operands(name, dtype):
    """Return the names of the table: small numbers that the narrow dtype represents, in `dtype`."""
    node = NARROW[name]
    if name == "int1":
        x, y = [-1, 0, -1, -1], [-1, -1, 0, -1]
    elif node.bits <= 2:
        x, y = [1, 0, 1, 1], [1, 1, 0, 1]
    else:
        x, y = [1, 2, 4, 2], [2, 2, 1, 1]
    make = lambda values: xp.asarray(values, dtype=dtype)
    eye = [[1, 0.5], [0.5, 2]] if name == "float8_e8m0fnu" else [[-1, 0], [0, -1]] if name == "int1" else [[1, 0], [0, 1]]
    return {
        "x": make(x),
        "y": make(y),
        "s": make(sorted(set(x))),
        "m": make([x[:2], x[2:]]),
        "eye": make(eye),
        "one": make(y[0]),
        "u": make([0.5, 1, 0.5, 0.5] if node.kind == "f" else x),
        "c": xp.asarray([True, False, True, True]),
        "i": xp.asarray([1, 0]),
        "dtype": xp.dtype(dtype),
        "xp": xp, "np": np, "nn": nn, "special": special,
    }  # fmt: skip


def outcome(expression, names):
    try:
        return eval(expression, dict(names))  # noqa: S307 - our own table
    except (TypeError, ValueError, IndexError, NotImplementedError) as error:
        return error


def compare(narrow, wide, name):
    """Compare results: containers item by item, arrays of the narrow dtype with the wide ones rounded to it."""
    if isinstance(wide, tuple | list):
        assert len(narrow) == len(wide)
        for one, other in zip(narrow, wide, strict=True):
            compare(one, other, name)
        return
    if not hasattr(wide, "dtype"):
        assert narrow == wide or (narrow != narrow and wide != wide)
        return
    got, expected = np.asarray(narrow), np.asarray(wide)
    assert got.shape == expected.shape
    if narrow.dtype == NARROW[name].dtype:
        if NARROW[name].kind in "iu":
            assert ((got.astype(np.int64) - expected.astype(np.int64)) % (1 << NARROW[name].bits) == 0).all()
            return
        with np.errstate(all="ignore"):
            expected = rounded(expected.astype(np.float32), got.dtype).astype(np.float32)
        got = got.astype(np.float32)
        if name == "float8_e8m0fnu":  # the dtype lacks sign and zero, so an intermediate result may be NaN
            expected = np.where(np.isnan(got), got, expected)
        np.testing.assert_array_equal(got, expected)
    elif expected.dtype.kind in "fc":
        eps = float(ml_dtypes.finfo(got.dtype).eps) if got.dtype != np.complex64 else 1e-7
        np.testing.assert_allclose(got.astype(expected.dtype), expected, rtol=4 * max(eps, 1e-6), atol=1e-6)
    else:
        np.testing.assert_array_equal(got, expected)


def applies(expression, node):
    """Whether an expression applies to a dtype: whether its numbers and results fit."""
    if node.kind == "f":
        return True
    if expression in NO_FLOATS or (expression in WRAPPING and (node.kind == "u" or node.bits <= 2)):
        return False
    largest = (1 << (node.bits - (node.kind == "i"))) - 1
    return all(int(number) <= largest for number in re.findall(r"(?<![-.\w])\d+\b", expression))


@for_each("expression", EXPRESSIONS)
def test_narrow_as_wide(expression):
    wrong = []
    for name, node in NARROW.items():
        if not applies(expression, node):
            continue
        wide_dtype = {"f": "float32", "i": "int32", "u": "uint32"}[node.kind]
        with np.errstate(all="ignore"):
            wide = outcome(expression, operands(name, wide_dtype))
            narrow = outcome(expression, operands(name, name))
        if isinstance(wide, Exception) or isinstance(narrow, Exception):
            if type(wide) is not type(narrow):
                wrong.append(f"{name}: {narrow!r}; {wide_dtype}: {wide!r}")
            continue
        try:
            compare(narrow, wide, name)
        except AssertionError:
            wrong.append(f"{name}: {narrow!r}; {wide_dtype}: {wide!r}")
    assert not wrong, "\n".join(wrong)


def test_the_table_has_every_function():
    functions = {f"xp.{name}" for name in xp.__all__ if callable(found := getattr(xp, name)) and not isinstance(found, type)}
    functions |= {f"xp.linalg.{name}" for name in xp.linalg.__all__ if name != "LinAlgError"}
    functions |= {f"xp.fft.{name}" for name in xp.fft.__all__}
    functions |= {f"nn.{name}" for name in nn.__all__} | {f"special.{name}" for name in special.__all__}
    named = set(re.findall(r"[a-z]+(?:\.\w+)+", TEXT))
    assert functions - named - ELSEWHERE - {f"xp.{name}" for name in ELSEWHERE} == set()


#: Accumulations of a thousand numbers, whose partial sums are exact in float32.
EXACT = [
    *("xp.sum(x)", "xp.mean(x)", "xp.nansum(x)", "xp.nanmean(x)", "xp.average(x)", "xp.add.reduce(x)", "xp.sum(m, axis=0)"),
    *("xp.cumulative_sum(x)", "xp.cumsum(x)", "xp.nancumsum(x)", "xp.add.accumulate(x)", "x.sum()", "x.mean()", "x.cumsum()"),
    *(
        "xp.vecdot(x, y)",
        "xp.dot(x, y)",
        "xp.inner(x, y)",
        "xp.vdot(x, y)",
        "xp.matmul(x, y)",
        "x @ y",
        "xp.tensordot(x, y, 1)",
    ),
    *("xp.matvec(m, m[0])", "xp.vecmat(m[0], m)", "m @ m", "xp.einsum('i,i->', x, y)", "xp.einsum('ij,jk->ik', m, m)"),
    *("xp.einsum('ii->', m)", "xp.trace(m)", "xp.linalg.trace(m)", "xp.linalg.matmul(m, m)", "xp.linalg.multi_dot([m, m])"),
    *("xp.convolve(x, y[:50])", "xp.correlate(x, y[:50])", "xp.trapezoid(x)", "xp.ptp(x)"),
    *("x.at[i].add(y)", "xp.average(x, weights=xp.ones_like(y))", "xp.linalg.vector_norm(x, ord=1)", "xp.sum(m, axis=(0, 1))"),
]
#: Functions whose last step is not exact: within one rounding.
ROUNDED = [
    *(
        "xp.var(x)",
        "xp.std(x)",
        "xp.nanvar(x)",
        "xp.linalg.vector_norm(x)",
        "xp.linalg.matrix_norm(m)",
        "xp.cov(x)",
        "x.std()",
    ),
    *("xp.median(x)", "xp.quantile(x, 0.3)", "nn.softmax(x)", "nn.logsumexp(x)", "nn.standardize(x)", "xp.linalg.norm(m, 2)"),
]


@pytest.mark.combinations
@pytest.mark.parametrize("size", [1024, 70_000])
@pytest.mark.parametrize("expression", [*EXACT, *ROUNDED])
@pytest.mark.parametrize("name", ["bfloat16", "float16", "float8_e4m3fn", "float8_e5m2"])
def test_accumulations_run_in_float32_and_round_once(name, expression, size):
    if size > 2000 and re.search(r"\bm\b|convolve|correlate", expression):
        size = 32 * 32  # matrices and convolutions are large enough
    draw = np.random.default_rng(size)
    x, y = draw.integers(-4, 5, (2, size)) / 4
    numbers = {"x": x, "y": y, "m": x[: 32 * 32].reshape(32, 32)}
    indices = xp.asarray(draw.integers(0, 7, size), dtype=xp.int32)

    def answer(dtype):
        names = {key: xp.asarray(value, dtype=dtype) for key, value in numbers.items()}
        return np.asarray(eval(expression, {"xp": xp, "nn": nn, "i": indices, **names}))  # noqa: S307 - our own table

    got, wide = answer(name), answer("float32")
    assert got.dtype == NARROW[name].dtype
    with np.errstate(all="ignore"):
        expected = wide.astype(got.dtype).astype(np.float32)
    if expression in EXACT:
        np.testing.assert_array_equal(got.astype(np.float32), expected)
    else:
        np.testing.assert_allclose(got.astype(np.float32), expected, rtol=float(ml_dtypes.finfo(got.dtype).eps))
