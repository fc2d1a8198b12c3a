"""Every function that NumPy has too, with plain arguments on 4 and 64 elements: our time over that of NumPy's own call.

    python benchmarks/small.py                    # all functions, in three minutes
    python benchmarks/small.py -k 'linalg|fft'    # those whose name matches
    python benchmarks/small.py --write            # and write SMALL.md and small.svg, beside this file

The names come from the namespace; what is written down here is what their parameters stand for.
"""

from __future__ import annotations

import argparse
import inspect
import os
import re
import statistics
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from libraries import ONE_THREAD
from timing import race, timer

import supremum

HERE = Path(__file__).resolve().parent
SIZES = (4, 64)
SPACES = ("", "linalg", "fft")
#: What a required parameter is given, by its name: an expression of the names in `operands`.
PARAMETERS = {
    **dict.fromkeys(["x", "x1", "a", "a1", "ary", "arr", "m", "v", "z", "p", "f", "u", "ar", "ar1", "array", "prototype", "val", "element", "object", "A", "filt"], "x"),
    **dict.fromkeys(["x2", "y", "a2", "b", "ar2", "q_of", "values", "test_elements"], "y"),
    **dict.fromkeys(("arrays", "tup", "arys", "args", "varargs", "xi"), "(x, y)"),
    **dict.fromkeys(("start", "n", "N", "M", "shape"), "n"),
    "dtype": "xp.float64", "axis": "0", "stop": "9", "shift": "1", "kth": "2", "condition": "c", "q": "0.3",
    "indices_or_sections": "2", "indices": "k", "reps": "2", "repeats": "2", "deg": "2", "obj": "1", "fill_value": "1.5",
}
#: Arguments of the functions that need others, by the arguments.
CALLS = {
    "big": "acosh arccosh",
    "i, j": """
        bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor gcd lcm left_shift right_shift
    """,
    "i": "bincount bitwise_count bitwise_invert bitwise_not invert",
    "b": "all any argwhere flatnonzero nonzero packbits",
    "b, c": "logical_and logical_or logical_xor",
    "m": """
        diag_indices_from fliplr flipud matrix_transpose rot90 squeeze tril tril_indices_from triu triu_indices_from unstack
        transpose trace diagonal diag
        linalg.cond linalg.det linalg.diagonal linalg.eig linalg.eigvals linalg.inv linalg.matrix_norm linalg.matrix_rank
        linalg.matrix_transpose linalg.pinv linalg.qr linalg.slogdet linalg.svd linalg.svdvals linalg.trace
        fft.fft2 fft.fftn fft.ifft2 fft.ifftn fft.irfft2 fft.irfftn fft.rfft2 fft.rfftn
    """,
    "s": "linalg.cholesky linalg.eigh linalg.eigvalsh",
    "m, s": "matmul kron linalg.matmul tensordot linalg.tensordot",
    "m, r": "matvec linalg.solve linalg.tensorsolve linalg.lstsq",
    "r, m": "vecmat",
    "m, 2": "linalg.matrix_power hsplit vsplit",
    "[m, s, m]": "linalg.multi_dot",
    "o, e": "cross linalg.cross",
    "t": "linalg.tensorinv",
    "z": "fft.fft fft.ifft fft.hfft fft.irfft imag real conj conjugate angle iscomplex isreal iscomplexobj isrealobj",
    "x, 2, 3": "",
    "x, n": "",
    "(n, 2), 1.5": "full",
    "x, 0.2, 0.8": "clip",
    "x, 2 * x, 2": "polyfit",
    "x[:3], y": "polyval",
    "x[:3]": "poly roots vander diagflat",
    "x[:3], y[:3]": "polymul polyadd polysub",
    "x, y[:2]": "polydiv",
    "x, g": "digitize searchsorted",
    "g, x": "",
    "x, g, y": "interp",
    "c, x, y": "where",
    "c, x": "extract compress",
    "np.add, [0, 1], x": "",
    "x, (n,)": "broadcast_to",
    "x, (2, -1)": "reshape",
    "x, (3, 2)": "resize",
    "(3, 1), (1, 4)": "broadcast_shapes",
    "xp.int32, xp.float32": "can_cast promote_types",
    "x, i": "result_type ldexp",
    "x.dtype, 'real floating'": "isdtype",
    "x.dtype, np.floating": "issubdtype",
    "'ij,jk->ik', m, s": "einsum einsum_path",
    "x, [k, k][0]": "",
    "x, 0": "expand_dims",
    "m, (1, 0)": "permute_dims",
    "m, 0, 1": "moveaxis swapaxes",
    "m, 1": "rollaxis",
    "[y, x]": "lexsort",
    "x, 1, 7.0": "insert",
    "x, 1": "delete roll",
    "x, k": "take",
    "x, k, 0": "take_along_axis",
    "k % 2, [x, y]": "choose",
    "[c, b], [x, y]": "select",
    "1, 9, n": "geomspace linspace logspace",
    "(2, n)": "indices",
    "n": "diag_indices tril_indices triu_indices",
    "k, k": "ix_",
    "n, 8.6": "kaiser",
    "(k % 2, k % 2), (2, 2)": "ravel_multi_index",
    "k, (n, n)": "unravel_index",
    "u": "unpackbits",
    "3, np.tril": "mask_indices",
    "x, 1 ": "pad",
    "q, 2": "dsplit",
    "q": "",
    "x, 30.0": "percentile nanpercentile",
    "m, y[:1]": "",
    "bytes(n * 8)": "frombuffer",
    "range(n), xp.float32": "fromiter",
    "'1 2 3 4', xp.float32, -1, ' '": "fromstring",
    "m, x": "",
    "[[x, y], [y, x]]": "block",
    "x, y, x": "",
    "x, 1.5": "full_like",
    "[g, g]": "",
    "np.stack((x, y), -1)": "",
    "()": "",
    "x, xp.float64": "astype",
    "2.5": "isscalar",
    "w": "histogramdd",
    "x, y": "histogram2d",
}
#: Functions that have no plain call on a small array, with the reason.
LEFT_OUT = {
    **dict.fromkeys(("fromfile", "load", "save", "savez", "savez_compressed"), "reads or writes files"),
    **dict.fromkeys(
        ("apply_along_axis", "apply_over_axes", "fromfunction", "frompyfunc", "piecewise", "vectorize"), "calls a function given"
    ),
    **dict.fromkeys(("get_printoptions", "printoptions", "set_printoptions", "array_repr", "array_str"), "is about text"),
    **dict.fromkeys(("fill_diagonal", "place", "put", "put_along_axis"), "changes its argument in NumPy, and returns a copy here"),
    "__array_namespace_info__": "is the standard's",
}


@dataclass
class Result:
    """A call and the ratio of its times at each size."""

    name: str
    code: str
    ratios: dict[int, float]
    ours: dict[int, float]

    @property
    def worst(self) -> float:
        """The largest ratio."""
        return max(self.ratios.values())


def names() -> Iterator[str]:
    """Return the functions that NumPy has too, by their names in the namespace."""
    for space in SPACES:
        ours, theirs = (getattr(xp, space) if space else xp for xp in (supremum, np))
        for name in sorted(ours.__all__):
            function = getattr(ours, name)
            if callable(function) and not isinstance(function, type) and callable(getattr(theirs, name, None)):
                yield f"{space}.{name}" if space else name


def find(xp: Any, name: str) -> Any:
    """Return a function of a namespace."""
    for part in name.split("."):
        xp = getattr(xp, part)
    return xp


_ARGUMENTS = {name: arguments for arguments, functions in CALLS.items() for name in functions.split()}


def call(name: str) -> str:
    """Return the call of a function as source code."""
    arguments = _ARGUMENTS.get(name)
    if arguments is None:
        required = [
            parameter
            for parameter in inspect.signature(find(supremum, name)).parameters.values()
            if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
        ]
        arguments = ", ".join(
            f"*{PARAMETERS[one.name]}" if one.kind is one.VAR_POSITIONAL else PARAMETERS[one.name] for one in required
        )
    return f"xp.{name}({arguments.strip()})"


def operands(size: int) -> dict[str, Any]:
    """Return the names that calls use: arrays of NumPy's, and numbers."""
    draw = np.random.default_rng(size)
    side = round(size**0.5)
    x, y = draw.uniform(0.1, 0.9, (2, size)).astype(np.float32)
    i, j, k = draw.integers(0, [[7], [7], [size]], (3, size)).astype(np.int32)
    m = draw.standard_normal((side, side)).astype(np.float32)
    return {
        "x": x, "y": y, "big": x + 1, "g": np.linspace(0, 1, size, dtype=np.float32), "w": np.stack((x, y), -1),
        "z": (x + 1j * y).astype(np.complex64), "i": i, "j": j, "k": k, "u": i.astype(np.uint8),
        "b": x < 0.5, "c": y < 0.5, "m": m, "s": m @ m.T + np.eye(side, dtype=np.float32), "r": m[0].copy(),
        "o": x[:3].copy() if size == 4 else x[:63].reshape(21, 3), "e": y[:3].copy() if size == 4 else y[:63].reshape(21, 3),
        "t": np.eye(4, dtype=np.float32).reshape(2, 2, 2, 2) if size == 4 else np.eye(8, dtype=np.float32).reshape(2, 4, 2, 4),
        "q": x.reshape(1, -1, 2), "n": size,
    }  # fmt: skip


def measure(name: str, budget: float) -> Result:
    """Race a function against NumPy's."""
    code = call(name)
    ratios, ours = {}, {}
    for size in SIZES:
        given = operands(size)
        converted = {key: supremum.asarray(value) if isinstance(value, np.ndarray) else value for key, value in given.items()}
        timers = {
            library: timer(code.replace(f"xp.{name}(", "_function(", 1), {"_function": find(xp, name), "xp": xp, "np": np, **found})
            for library, xp, found in (("ours", supremum, _used(code, converted)), ("numpy", np, _used(code, given)))
        }
        seconds = race(timers, budget)
        ratios[size], ours[size] = seconds["ours"] / seconds["numpy"], seconds["ours"]
    return Result(name, code, ratios, ours)


def _used(code: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the operands that a call uses."""
    return {key: value for key, value in found.items() if re.search(rf"\b{key}\b", code.partition("(")[2])}


def parse(argv: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("-k", metavar="REGEX", default="", help="only the functions whose name matches")
    parser.add_argument("--budget", type=float, default=0.02, metavar="SECONDS", help="for each library in each call")
    parser.add_argument("--write", action="store_true", help="write SMALL.md and small.svg")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    """Measure, show and write."""
    args = parse(argv)
    warnings.simplefilter("ignore")
    results = []
    for name in names():
        if name in LEFT_OUT or not re.search(args.k, name):
            continue
        try:
            results.append(measure(name, args.budget))
        except Exception as error:
            print("FAIL", name, type(error).__name__, str(error)[:100], flush=True)
            continue
    for r in sorted(results, key=lambda r: -r.worst):
        print(f"{r.ratios[4]:6.2f} {r.ratios[64]:6.2f} {r.ours[4]*1e6:7.2f}us {r.code}")
    for space in SPACES:
        rs=[v for r in results if r.name.rpartition(".")[0]==space for v in r.ratios.values()]
        if rs: print(space or "all", "median", statistics.median(rs), "max", max(rs), "count", len(rs))
    print("median", statistics.median(v for r in results for v in r.ratios.values()))
    return 0


if __name__ == "__main__":
    if any(os.environ.get(name) != value for name, value in ONE_THREAD.items()):
        # The libraries read these as they are imported, which has happened.
        again = subprocess.run([sys.executable, *sys.argv], env={**os.environ, **ONE_THREAD}, check=False)
        sys.exit(again.returncode)
    sys.exit(main())
