"""Record what the programs of the gallery return in exact arithmetic: numbers of 60 digits, by mpmath.

python tests/lens/record.py writes gallery.json next to this file. It needs NumPy and mpmath.
"""

import json
import sys
from pathlib import Path

import mpmath
import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
import gallery  # noqa: E402 - it is next to this file

mpmath.mp.dps = 60


def exact(x):
    """Return numbers as an array of exact ones: what a program says, `0.1` is the double."""
    return np.vectorize(lambda one: one if isinstance(one, mpmath.mpf) else mpmath.mpf(one), otypes=[object])(x)


def each(function):
    """Return a function of arrays."""
    return lambda x: np.vectorize(function, otypes=[object])(x)


class linalg:
    def solve(a, b):
        return np.array(list(mpmath.lu_solve(mpmath.matrix(a.tolist()), mpmath.matrix(b.tolist()))), object)


class namespace:
    """The functions of the namespace that the programs call."""

    exp, log, sin, sqrt = map(staticmethod, map(each, (mpmath.exp, mpmath.log, mpmath.sin, mpmath.sqrt)))
    sum, max, matmul, reshape, clip = map(staticmethod, (np.sum, np.max, np.matmul, np.reshape, np.clip))
    linalg = linalg

    def asarray(x, dtype=None):
        return exact(x)

    def mean(x):
        return np.sum(x) / x.size

    def arange(*args, dtype=None):
        return exact(np.arange(*args))

    def astype(x, dtype):
        return np.asarray(x).astype(int)


def text(x):
    """Return a result as nested lists of decimal numbers."""
    x = np.asarray(x, object)
    return [text(one) for one in x] if x.ndim else mpmath.nstr(mpmath.mpf(x.item()), 40)


if __name__ == "__main__":
    found = {program.__name__: text(program(namespace, None)) for program in gallery.DTYPES}
    (HERE / "gallery.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
