"""Record what the programs of the gallery return in exact arithmetic: numbers of 60 digits, by mpmath.

python tests/record_lens_gallery.py writes lens_gallery.json next to this file. It needs NumPy and mpmath.
"""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import mpmath
import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
import lens_gallery as gallery  # noqa: E402 - it is next to this file

mpmath.mp.dps = 60


def exact(x):
    """Return numbers as an array of exact ones: what a program says, `0.1` is the double."""
    return np.vectorize(lambda one: one if isinstance(one, mpmath.mpf) else mpmath.mpf(one), otypes=[object])(x)


def each(function):
    """Return a function of arrays."""
    return lambda x: np.vectorize(function, otypes=[object])(x)


def arange(*args, dtype=None):
    return exact(np.arange(*args))


def solve(a, b):
    return np.array(list(mpmath.lu_solve(mpmath.matrix(a.tolist()), mpmath.matrix(b.tolist()))), object)


#: The functions of the namespace that the programs call.
NAMESPACE = SimpleNamespace(
    exp=each(mpmath.exp), log=each(mpmath.log), sin=each(mpmath.sin), sqrt=each(mpmath.sqrt), sum=np.sum, max=np.max,
    matmul=np.matmul, reshape=np.reshape, clip=np.clip, arange=arange, asarray=lambda x, dtype=None: exact(x),
    mean=lambda x: np.sum(x) / x.size, astype=lambda x, _dtype: np.asarray(x).astype(int),
    linalg=SimpleNamespace(solve=solve),
)  # fmt: skip


def text(x):
    """Return a result as nested lists of decimal numbers."""
    x = np.asarray(x, object)
    return [text(one) for one in x] if x.ndim else mpmath.nstr(mpmath.mpf(x.item()), 40)


if __name__ == "__main__":
    found = {program.__name__: text(program(NAMESPACE, None)) for program in gallery.DTYPES}
    (HERE / "lens_gallery.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
