"""Compare how strict ``supremum.testing.profile("array_api")`` and array-api-strict are: a table for `docs/testing.md`.

Each line below is run with both libraries. ``python -m conformance strictness`` writes the table behind a marker.
"""

from __future__ import annotations

import importlib
import warnings
from pathlib import Path
from typing import Any, Final

import numpy as np

from supremum.testing import profile

PAGE: Final = Path(__file__).parents[1] / "docs/testing.md"
BEGIN: Final = "<!-- written by conformance/strictness.py -->\n"
END: Final = "<!-- end of the table -->\n"
#: What the names in a line are, next to `xp` and `np`.
NAMES: Final = {
    "i": "xp.asarray([1, 2, 3])",
    "u": "xp.asarray([1, 2, 3], dtype=xp.uint8)",
    "f": "xp.asarray([1.0, 2.0, 3.0])",
    "c": "xp.asarray([1j, 2.0, 3.0])",
    "b": "xp.asarray([True, False, True])",
    "m": "xp.ones((2, 3))",
}
LINES: Final = (
    "xp.sin(i)",
    "xp.sin(b)",
    "xp.mean(i)",
    "xp.std(c)",
    "i / i",
    "i + f",
    "i + 1.5",
    "i + 1",
    "f + 1j",
    "b + 1",
    "b + b",
    "b & b",
    "b - b",
    "u + i",
    "xp.sum(b)",
    "xp.max(c)",
    "xp.sort(c)",
    "f < c",
    "xp.floor(b)",
    "xp.logical_and(i, i)",
    "xp.imag(f)",
    "xp.real(f)",
    "f & f",
    "i << 1",
    "i // 0",
    "i ** 2",
    "i ** 2.0",
    "xp.sum(f, 0)",
    "xp.sum(f, axis=0)",
    "xp.sum(f, axis=0, initial=1)",
    "xp.concat([f, i])",
    "xp.concat([f, f], 0)",
    "xp.stack([i, f])",
    "xp.where(b, i, f)",
    "xp.where(i, f, f)",
    "xp.where(b, f, 1.0)",
    "xp.reshape(f, -1)",
    "xp.reshape(f, (3, 1))",
    "xp.sin(1.0)",
    "xp.add(f, 1.0)",
    "xp.sum([1, 2])",
    "xp.asarray([1, 2.5])",
    'xp.ones(3, dtype="float32")',
    "xp.ones(3, dtype=float)",
    "f + np.ones(3)",
    "np.ones(3) + f",
    "f + np.float64(1)",
    "xp.median(f)",
    "xp.linalg.norm(f)",
    "xp.linalg.det(xp.asarray([[1, 2], [3, 4]]))",
    "xp.fft.fft(f)",
    "xp.bfloat16",
    "xp.random",
    "xp.concatenate([f, f])",
    "xp.float16",
    "f.sum()",
    "f.mean(axis=0)",
    "f.astype(xp.float32)",
    "f.reshape((3, 1))",
    "f.item()",
    "f.tolist()",
    "f.copy()",
    "f.nbytes",
    "f.at[0].set(1)",
    "len(f)",
    "list(f)",
    "m[0]",
    "m[:, 0]",
    "m[m > 0]",
    "m[m[:, 0] > 0, 0]",
    "f[0:9]",
    "f[[0, 1]]",
    "f[xp.asarray([0, 1])]",
    "f[5]",
    "f[0.5]",
    "float(f[0])",
    "float(f)",
    "bool(f[0])",
    "hash(f[0])",
    'f == "a"',
    "f @ f",
    "f @ i",
    "xp.matmul(i, i)",
    "xp.matmul(b, b)",
    "f.T",
    "f.mT",
    'xp.astype(f, "int32")',
    "xp.unique(f)",
    "xp.squeeze(f)",
    "xp.nonzero(xp.asarray(1.0))",
    "xp.clip(f, 0, 1)",
    "xp.clip(f, i, i)",
    'xp.finfo("float32")',
    "xp.result_type(f, i)",
    "xp.isnan(b)",
    "xp.abs(b)",
    "xp.sign(b)",
    "xp.cumsum(f)",
    "xp.dot(f, f)",
    "f.__array_namespace__().median",
    'f.to_device("cpu")',
    "np.sin(f)",
)


def outcome(xp: Any, line: str) -> str:
    """Return what a line does with a namespace: the class of its exception, or that it works."""
    given = {"xp": xp, "np": np}
    given |= {name: eval(code, given) for name, code in NAMES.items()}  # noqa: S307 - the lines above
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            eval(line, given)  # noqa: S307 - the lines above
    except Exception as error:  # noqa: BLE001 - any exception is an outcome
        return type(error).__name__
    return "works"


def of_profile(line: str) -> str:
    """Return what a line does under the profile."""
    with profile("array_api") as xp:
        return outcome(xp, line)


def of_strict(line: str) -> str:
    """Return what a line does with array-api-strict."""
    return outcome(importlib.import_module("array_api_strict"), line)


def table() -> str:
    """Return the table: first the lines that one of the libraries refuses and the other does not."""
    found = [(line, of_strict(line), of_profile(line)) for line in LINES]
    found.sort(key=lambda row: (row[1] == "works") == (row[2] == "works"))
    differ = sum((strict == "works") != (ours == "works") for _, strict, ours in found)
    version = importlib.import_module("array_api_strict").__version__
    heads = f"Of {len(found)} lines, {differ} differ, the first of the table. The other is array-api-strict {version}.\n\n"
    rows = [f"| `{line}` | {strict} | {ours} |".replace("`f | f`", "`f \\| f`") for line, strict, ours in found]
    return "\n".join([heads + '| line | array-api-strict | `profile("array_api")` |', "|---|---|---|", *rows]) + "\n"


def main(argv: list[str]) -> None:  # noqa: ARG001 - scripts get their arguments
    """Write the table."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(before + BEGIN + "\n" + table() + "\n" + END + after, encoding="utf-8")
