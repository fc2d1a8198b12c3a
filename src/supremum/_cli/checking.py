"""Quick checks of an installation: expressions and what exact arithmetic, the stored tables, NumPy or JAX say they are."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import itertools
import pickle
import platform
import sys
import time
from collections.abc import Iterator
from typing import Any, Final

import ml_dtypes
import numpy as np

import supremum as xp
from supremum._base.exceptions import describe
from supremum.promotion import TypePromotionError, systems
from supremum.promotion._nodes import ARRAY_NODES

NUMBERS: Final = [node for node in ARRAY_NODES if not node.weak]
#: Expressions of `x`, which is [1, 1, 2] of every dtype whose kind is named: the results are exact and keep the dtype.
EVERY_DTYPE: Final = (
    ("x + x", "iufc", [2, 2, 4]),
    ("x * 2", "iufc", [2, 2, 4]),
    ("x ** 2", "iufc", [1, 1, 4]),
    ("x // x", "iu", [1, 1, 1]),
    ("x / 2 * x", "fc", [0.5, 0.5, 2]),
    ("xp.sqrt(x * x)", "fc", [1, 1, 2]),
    ("xp.exp2(x)", "f", [2, 2, 4]),
    ("xp.maximum(x, 2)", "iuf", [2, 2, 2]),
    ("xp.where(x > 1, x, 4)", "iuf", [4, 4, 2]),
    ("xp.sum(x, dtype=x.dtype)", "iufc", 4),
    ("xp.cumulative_sum(x, dtype=x.dtype)", "iufc", [1, 2, 4]),
    ("xp.sort(x, descending=True)", "iuf", [2, 1, 1]),
    ("xp.concat([x, x])[2:4]", "iufc", [2, 1]),
    ("xp.matmul(x, xp.flip(x)) - x[0]", "iuc", 4),
    ("xp.from_dlpack(x.astype(x.dtype, copy=True))", "iufc", [1, 1, 2]),
    ("pickle.loads(pickle.dumps(x))", "iufc", [1, 1, 2]),
)
#: Expressions by subject, each with the value and dtype of its result.
CHECKS: Final[dict[str, tuple[tuple[str, Any, str], ...]]] = {
    "narrow dtypes": (
        ("xp.ones(1000, dtype='bfloat16').sum()", 1000, "bfloat16"),
        ("xp.asarray([1.005, 3e38, 1e39], dtype='bfloat16')", [1.0078125, 226 * 2.0**120, np.inf], "bfloat16"),
        ("xp.asarray([300, 0.1, -2 ** -9], dtype='float8_e4m3fn')", [288, 0.1015625, -(2**-9)], "float8_e4m3fn"),
        ("xp.asarray([300, 0.1], dtype='float8_e5m2') * 2", [640, 0.1875], "float8_e5m2"),
        ("xp.asarray([7, -8], dtype='int4') + xp.asarray(1, dtype='int4')", [-8, -7], "int4"),
        ("xp.exp(xp.asarray([0, 1], dtype='float16'))", [1, 2.71875], "float16"),
    ),
    "linear algebra": (
        ("xp.linalg.solve(xp.asarray([[2., 0], [0, 4]]), xp.asarray([1., 1]))", [0.5, 0.25], "float32"),
        ("xp.linalg.det(xp.asarray([[1., 2], [3, 4]], dtype='float64'))", -2, "float64"),
        ("xp.linalg.eigh(xp.asarray([[2., 1], [1, 2]])).eigenvalues", [1, 3], "float32"),
        ("xp.asarray([[1, 2], [3, 4]], dtype='bfloat16') @ xp.ones(2, dtype='bfloat16')", [3, 7], "bfloat16"),
        ("abs(xp.fft.fft(xp.asarray([1., 0, 0, 0])))", [1, 1, 1, 1], "float32"),
    ),
    "other libraries": (
        ("np.from_dlpack(xp.arange(3))", [0, 1, 2], "int32"),
        ("xp.from_dlpack(np.arange(3.0))", [0, 1, 2], "float64"),
        ("np.asarray(xp.ones(2, dtype='bfloat16'))", [1, 1], "bfloat16"),
        ("np.add(xp.ones(2, dtype='float16'), 1.5)", [2.5, 2.5], "float16"),
        ("xp.random.uniform(xp.random.key(0), (2,))", [0.947667, 0.978580], "float32"),  # JAX's numbers
    ),
    "SciPy": (
        ("xp.scipy.special.gamma(xp.asarray([1., 5]))", [1, 24], "float32"),
        ("xp.scipy.linalg.expm(xp.zeros((2, 2)))", [[1, 0], [0, 1]], "float32"),
        ("xp.scipy.stats.norm.cdf(xp.zeros(1))", [0.5], "float32"),
    ),
}


def _wrong(expression: str, value: Any, dtype: str, **names: Any) -> Iterator[str]:
    try:
        got = eval(expression, {"xp": xp, "np": np, "pickle": pickle, **names})  # noqa: S307  # the tables above
        right = got.dtype.name == dtype and np.allclose(np.asarray(got, np.complex128), value, rtol=1e-5, atol=0)
    except Exception as error:  # noqa: BLE001  # whatever an installation does is reported
        got, right = error, False
    if not right:
        yield f"{expression}: expected {value} of {dtype}, got {describe(got)}"


def _promotions() -> Iterator[list[str]]:
    """Add arrays of any two dtypes under every system that has them, and compare with its table."""
    for name, system in systems.items():
        table = system.variant("ufunc") if "ufunc" in system.data.variants else system
        with xp.promotion.use(name):
            arrays = {node: xp.empty(1, dtype=node.dtype) for node in table.nodes if node in NUMBERS}
            default = f"{xp.asarray(1.0).dtype.name}*"  # JAX has uint64 + int64 as weak as a Python float
            for (a, x), (b, y) in itertools.product(arrays.items(), repeat=2):
                expected = str(table.lookup(a, b)).replace("float*", default)
                try:
                    result = x + y
                    got = result.dtype.name + "*" * result.weak_type
                except TypePromotionError:
                    got = "None"
                yield [] if got == expected else [f"{name}: {a} + {b} is {expected}, got {got}"]


def _values() -> Iterator[list[str]]:
    for node, (expression, kinds, value) in itertools.product(NUMBERS, EVERY_DTYPE):
        if node.kind in kinds and node.bits > 2:
            yield list(_wrong(expression, value, node.name, x=xp.asarray([1, 1, 2], dtype=node.dtype)))


def check() -> int:
    """Test the installation in seconds, without its sources."""
    start = time.perf_counter()
    sys.stdout.write(
        f"supremum {xp.__version__}, NumPy {np.__version__}, ml_dtypes {ml_dtypes.__version__}, "
        f"Python {platform.python_version()}, engine: {xp.__engine__}\n"
    )
    parts = {"promotion": _promotions(), "every dtype": _values()}
    parts |= {name: (list(_wrong(*row)) for row in rows) for name, rows in CHECKS.items()}
    failed = 0
    with xp.config.use(x64="explicit", promotion="jax"):
        for name, results in parts.items():
            spec = importlib.util.find_spec("scipy")
            if name == "SciPy" and (spec is None or spec.origin is None):  # None: any folder of that name
                sys.stdout.write(f"{name:16}not installed; most of supremum.scipy needs it\n")
                continue
            outcomes = list(results)
            wrong = list(itertools.chain(*outcomes))
            failed += len(wrong)
            sys.stdout.write(f"{name:16}{len(outcomes):6,} checks, {f'{len(wrong)} FAILED' if wrong else 'passed'}\n")
            sys.stdout.writelines(f"  {line}\n" for line in wrong[:10])
    sys.stdout.write(f"{'FAILED' if failed else 'passed'} in {time.perf_counter() - start:.1f} s\n")
    return int(failed > 0)
