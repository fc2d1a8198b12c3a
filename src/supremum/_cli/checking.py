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
from supremum._base.tables import read_table
from supremum.promotion import TypePromotionError, systems
from supremum.promotion._nodes import ARRAY_NODES

NUMBERS: Final = [node for node in ARRAY_NODES if not node.weak]
CHECKS: Final = read_table(__name__, "checks.txt")
#: Expressions of arrays of every dtype of some kinds.
EVERY_DTYPE: Final = CHECKS.pop("every dtype")


def _wrong(expression: str, value: str, dtype: str, **names: Any) -> Iterator[str]:
    names |= {"xp": xp, "np": np, "pickle": pickle}
    try:
        got, expected = (eval(text, names) for text in (expression, value))  # noqa: S307  # of the package's own table
        right = got.dtype.name == dtype and np.allclose(np.asarray(got, np.complex128), expected, rtol=1e-5, atol=0)
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
