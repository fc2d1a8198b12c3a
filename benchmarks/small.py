"""Every function that NumPy has too, with plain arguments on 4 and 64 elements: our time over that of NumPy's own call.

With `--middle`, those on 1,024 and 65,536 elements whose time depends on the number of elements.

    python benchmarks/small.py                    # all functions, in three minutes
    python benchmarks/small.py -k 'linalg|fft'    # those whose name matches
    python benchmarks/small.py --write            # and write small.svg, and the block of RESULTS.md
    python benchmarks/small.py --middle --write   # middle sizes, in five minutes, with a block of their own

Functions with results of n^2 elements have operands of about sqrt(n). Of middle sizes is left out what takes less than 1.5
times the time at 65,536 elements that it takes at 4, in both libraries. The names come from the namespace; what is written
down here is what their parameters stand for.
"""

from __future__ import annotations

import argparse
import inspect
import math
import os
import re
import statistics
import subprocess
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from libraries import ONE_THREAD
from page import put
from timing import race, timer

import supremum

HERE = Path(__file__).resolve().parent
SIZES, MIDDLE = (4, 64), (1024, 65536)
SLOW = 1.5  # the ratio from which the page shows a statement
#: Times that differ by less than this factor between 4 elements and the largest middle size do not depend on the size.
GROWTH = 1.5
#: Functions with results of n^2 elements.
SQUARES = frozenset(("eye", "identity", "kron", "meshgrid", "outer", "tri", "tril_indices", "triu_indices", "linalg.outer"))
SPACES = ("", "linalg", "fft")
_LIKE_X = "x x1 a a1 ary arr m v z p f u ar ar1 array prototype val element object A filt"
_LIKE_Y = "x2 y a2 b ar2 values test_elements"
#: What a required parameter is given, by its name: an expression of the names in `operands`.
PARAMETERS = {
    **dict.fromkeys(_LIKE_X.split(), "x"),
    **dict.fromkeys(_LIKE_Y.split(), "y"),
    **dict.fromkeys(("arrays", "tup", "arys", "args", "varargs", "xi"), "(x, y)"),
    **dict.fromkeys(("start", "n", "N", "M", "shape"), "n"),
    "dtype": "xp.float64",
    "axis": "0",
    "stop": "9",
    "shift": "1",
    "kth": "2",
    "condition": "c",
    "q": "0.3",
    "indices_or_sections": "2",
    "indices": "k",
    "reps": "2",
    "repeats": "2",
    "deg": "2",
    "obj": "1",
    "fill_value": "1.5",
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
    "(n, 2), 1.5": "full",
    "x, 0.2, 0.8": "clip",
    "x, 2 * x, 2": "polyfit",
    "x[:3], y": "polyval",
    "x[:3]": "poly roots vander diagflat",
    "x[:3], y[:3]": "polymul polyadd polysub",
    "x, y[:2]": "polydiv",
    "x, g": "digitize searchsorted",
    "x, g, y": "interp",
    "c, x, y": "where",
    "c, x": "extract compress",
    "x, (n,)": "broadcast_to",
    "x, (2, -1)": "reshape",
    "x, (3, 2)": "resize",
    "(3, 1), (1, 4)": "broadcast_shapes",
    "xp.int32, xp.float32": "can_cast promote_types",
    "x, i": "result_type ldexp",
    "x.dtype, 'real floating'": "isdtype",
    "x.dtype, np.floating": "issubdtype",
    "'ij,jk->ik', m, s": "einsum einsum_path",
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
    "x, 30.0": "percentile nanpercentile",
    "raw": "frombuffer",
    "range(n), xp.float32": "fromiter",
    "'1 2 3 4', xp.float32, sep=' '": "fromstring",
    "[[x, y], [y, x]]": "block",
    "x, 1.5": "full_like",
    "x, xp.float64": "astype",
    "2.5": "isscalar",
    "x": "gradient",
    "w": "histogramdd",
    "x, y": "histogram2d",
}
#: The highest ratio that a function may have without a reason, and the bars of the medians.
BAR = 2.5
BARS = {"": 0.8, "linalg": 1.1, "fft": 1.2}
#: Why functions are above the bar: functions by reason.
_WHY = {
    "there is nothing to compute, and a call in Python takes longer than NumPy's in C": """
        iterable isscalar ndim shape size iscomplexobj isrealobj
    """,
    "the arguments are checked in Python, and NumPy's call is in C and does little": """
        frombuffer fromiter fromstring from_dlpack empty_like full_like eye identity indices diag_indices logspace geomspace
        can_cast promote_types result_type broadcast_arrays broadcast_shapes unravel_index atleast_1d bincount
    """,
    "as in JAX, another formula than NumPy's, in several calls": """
        floor_divide divmod spacing nan_to_num pow power unwrap sinc interp
    """,
    "a product with a constant, as in JAX, that is made in Python": "deg2rad degrees rad2deg radians",
    "infinities and NaN have the exponent 0, as in JAX, which is checked": "frexp",
    "a copy, and NumPy's is a view": "real imag",
    "NumPy's call is most of it, and it is short": """
        gcd lcm hypot rint count_nonzero partition unpackbits lexsort matvec vecmat
    """,
    "the choices are stacked, because NumPy's loop takes at most 32": "choose",
    "by singular values, as in JAX, in a dozen calls; NumPy's is one of LAPACK": "linalg.lstsq polyfit",
}
#: The same for middle sizes: the highest ratio, the bars of the medians, and reasons.
MIDDLE_BAR = 1.5
MIDDLE_BARS = {1024: 0.7, 65536: 0.9}
_WHY_MIDDLE: dict[str, str] = {
    "a copy, because arrays can be written to, and NumPy's is a view": "real imag ix_",
    "the elements are zeros, and NumPy's call only reserves memory": "empty empty_like",
    "sorted, because the order that JAX returns is that of a sort": "partition argpartition",
    "NumPy's call is most of it, and it is short": "ldexp rint",
    "zeros keep their sign, as in JAX, which is checked": "spacing",
    "float64 is rounded to float32, which NumPy does not do": "linspace",
    "in float64 for float32, as single precision would lose digits": "i0",
}
REASONS, MIDDLE_REASONS = (
    {name: reason for reason, functions in why.items() for name in functions.split()} for why in (_WHY, _WHY_MIDDLE)
)
#: Keys, conversions and protocols, and what NumPy has for them. `X` is NumPy's array in both.
STATEMENTS = {
    **{
        code: code
        for code in (
            *("x[0]", "m[0, 1]", "m[:, 1]", "m[1:, :-1]", "m[..., 0]", "x[None, :]", "x[k]", "x[b]", "m[:, (0, 1)]"),
            *(
                "x[0] = 1.5",
                "m[0, 1] = 1.5",
                "x[1:3] = 1.5",
                "x[b] = 1.5",
                "float(x[0])",
                "x.item(0)",
                "int(i[0])",
                "x.tolist()",
            ),
            *("x.astype(np.float64)", "x.reshape(2, -1)", "x.sum()", "x.T", "z.real", "list(x)", "len(x)"),
            *("np.sin(x)", "np.concatenate([x, y])", "X + x", "np.sum(x)", "np.asarray(x)"),
        )
    },
    "x.at[0].set(1.5)": "c = x.copy(); c[0] = 1.5",
    "x.at[1:3].multiply(2.0)": "c = x.copy(); c[1:3] *= 2.0",
    "x.at[k].add(y)": "c = x.copy(); np.add.at(c, k, y)",
    "xp.asarray(1.5)": "np.asarray(1.5)",
    "xp.asarray([1.5, 2.5, 3.5])": "np.asarray([1.5, 2.5, 3.5])",
    "xp.asarray([[1, 2], [3, 4]])": "np.asarray([[1, 2], [3, 4]])",
    "xp.asarray([1.0, 2.0], dtype=xp.float32)": "np.asarray([1.0, 2.0], dtype=np.float32)",
    "xp.array([x[0], x[1]])": "np.array([x[0], x[1]])",
    "xp.asarray(X)": "np.asarray(X)",
    "xp.float32(1.5)": "np.float32(1.5)",
}
#: Functions that have no plain call on a small array, with the reason.
LEFT_OUT = {
    **dict.fromkeys(("fromfile", "load", "save", "savez", "savez_compressed"), "reads or writes files"),
    **dict.fromkeys(
        ("apply_along_axis", "apply_over_axes", "fromfunction", "frompyfunc", "piecewise", "vectorize"),
        "calls a function given",
    ),
    **dict.fromkeys(("get_printoptions", "printoptions", "set_printoptions", "array_repr", "array_str"), "is about text"),
    **dict.fromkeys(
        ("fill_diagonal", "place", "put", "put_along_axis"), "changes its argument in NumPy, and returns a copy here"
    ),
    "__array_namespace_info__": "is the standard's",
}


@dataclass(frozen=True, eq=False)
class Result:
    """A call and the ratio of its times at each size."""

    name: str
    code: str
    ratios: dict[int, float]
    ours: dict[int, float]
    numpy: dict[int, float]

    @property
    def worst(self) -> float:
        """The largest ratio."""
        return max(self.ratios.values())

    @property
    def grows(self) -> bool:
        """Whether the time depends on the number of elements, in one library at least."""
        return any(times[MIDDLE[-1]] >= GROWTH * times[SIZES[0]] for times in (self.ours, self.numpy))


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
    vectors = [each[: size // 3 * 3].reshape((-1, 3) if size > 4 else 3).copy() for each in (x, y)]
    edge = max(side, 4)
    return {
        "x": x, "y": y, "big": x + 1, "g": np.linspace(0, 1, size, dtype=np.float32), "w": np.stack((x, y), -1),
        "z": (x + 1j * y).astype(np.complex64), "i": i, "j": j, "k": k, "u": i.astype(np.uint8),
        "b": x < 0.5, "c": y < 0.5, "m": m, "s": m @ m.T + np.eye(side, dtype=np.float32), "r": m[0].copy(),
        "o": vectors[0], "e": vectors[1], "t": np.eye(edge, dtype=np.float32).reshape(2, edge // 2, 2, edge // 2),
        "q": x.reshape(1, -1, 2), "n": size, "raw": bytes(8 * size),
    }  # fmt: skip


def measure(name: str, budget: float, sizes: Iterable[int] = SIZES) -> Result:
    """Race a function against NumPy's."""
    code = call(name)
    times = {size: _race(name, code, size, budget) for size in sizes}
    ours, theirs = ({size: each[library] for size, each in times.items()} for library in ("ours", "numpy"))
    return Result(name, code, {size: ours[size] / theirs[size] for size in times}, ours, theirs)


def measure_middle(name: str, budget: float) -> Result | None:
    """Race a function at middle sizes, those above the bar with more turns; None if its time does not depend on the size."""
    result = measure(name, budget, (SIZES[0], *MIDDLE))
    if not result.grows:
        return None
    slow = [size for size in MIDDLE if result.ratios[size] > MIDDLE_BAR]
    again = measure(name, 10 * budget, slow)
    ratios = {size: min(result.ratios[size], again.ratios.get(size, math.inf)) for size in MIDDLE}
    return Result(name, result.code, ratios, result.ours, result.numpy)


def _race(name: str, code: str, size: int, budget: float) -> dict[str, float]:
    """Return the seconds of a call in both libraries at a size."""
    given = operands(round(size**0.5) if name in SQUARES and size in MIDDLE else size)
    converted = {key: supremum.asarray(value) if isinstance(value, np.ndarray) else value for key, value in given.items()}
    source = code.replace(f"xp.{name}(", "_function(", 1)
    return race(
        {
            library: timer(source, {"_function": find(xp, name), "xp": xp, "np": np, **_used(code, found)})
            for library, xp, found in (("ours", supremum, converted), ("numpy", np, given))
        },
        budget,
    )


def _used(code: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the operands that a call uses."""
    return {key: value for key, value in found.items() if re.search(rf"\b{key}\b", code.partition("(")[2])}


# -- the report ---------------------------------------------------------------------------------------------------------------


def median(results: Iterable[Result]) -> float:
    """Return the median of all ratios."""
    return statistics.median(ratio for result in results for ratio in result.ratios.values())


def summary(results: list[Result]) -> list[str]:
    """Say how many functions there are, and what their ratios are."""
    lines = [f"{len(results)} functions at {SIZES[0]} and {SIZES[1]} elements."]
    for space in SPACES:
        chosen = [result for result in results if space in ("", result.name.rpartition(".")[0])]
        if chosen:
            over = sum(result.worst > BAR for result in chosen)
            lines.append(f"- {space or 'all'}: median {median(chosen):.2f} (bar {BARS[space]}), {over} above {BAR}")
    return lines


def summary_middle(results: list[Result]) -> list[str]:
    """Say the same of middle sizes, for each size."""
    lines = [f"{len(results)} functions."]
    for size in MIDDLE:
        ratios = [result.ratios[size] for result in results]
        over = sum(ratio > MIDDLE_BAR for ratio in ratios)
        lines.append(
            f"- {size:,} elements: median {statistics.median(ratios):.2f} (bar {MIDDLE_BARS[size]}), {over} above {MIDDLE_BAR}"
        )
    return lines


def table(results: list[Result]) -> list[str]:
    """Return the ratios as a Markdown table, the slowest first."""
    sizes = list(results[0].ratios) if results else SIZES
    heads = " | ".join(f"at {size:,}" for size in sizes)
    lines = [f"| call | {heads} | ours at {sizes[0]:,}, µs |", "|---|---|---|---|"]
    for result in sorted(results, key=lambda each: -each.worst):
        numbers = " | ".join(f"{ratio:.2f}" for ratio in result.ratios.values())
        lines.append(f"| `{result.code.replace('|', '&#124;')}` | {numbers} | {result.ours[sizes[0]] * 1e6:.2f} |")
    return lines


def missed(results: list[Result], bar: float, why: Mapping[str, str]) -> list[str]:
    """Return a table of the functions that miss a bar, with the reasons."""
    shown = sorted([result for result in results if result.worst > bar], key=lambda each: -each.worst)
    head, line, *rows = table(shown)
    noted = [f"{row} {why.get(each.name, '')} |" for row, each in zip(rows, shown, strict=True)]
    return [f"{head} reason |", f"{line}---|", *noted] if noted else []


def measure_statement(ours: str, theirs: str, budget: float) -> tuple[str, float, float]:
    """Race a statement against NumPy's; return it, the ratio and the difference in microseconds."""
    given = operands(SIZES[0])
    shared = {"xp": supremum, "np": np, "X": given["x"]}
    converted = {key: supremum.asarray(value) if isinstance(value, np.ndarray) else value for key, value in given.items()}
    seconds = race({"ours": timer(ours, {**converted, **shared}), "numpy": timer(theirs, {**given, **shared})}, budget)
    return ours, seconds["ours"] / seconds["numpy"], 1e6 * (seconds["ours"] - seconds["numpy"])


def table_of_statements(statements: list[tuple[str, float, float]]) -> list[str]:
    """Return a Markdown table of keys, conversions and protocols."""
    lines = ["| statement on 4 elements | ratio | more than NumPy, µs |", "|---|---|---|"]
    return bool(statements) * [*lines, *(f"| `{code}` | {ratio:.2f} | {more:+.2f} |" for code, ratio, more in statements)]


LEFT, WIDTH, LINE, TOP, COLUMNS = 142, 120, 12, 64, 4
STYLE = """
text { font: 9px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
.big { font-size: 13px; } .soft { fill: #59636e; } .end { text-anchor: end; } .mid { text-anchor: middle; }
.fast { fill: #0969da; } .slow { fill: #bc4c00; } .grid { stroke: #d1d9e0; } .one { stroke: #1f2328; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; } .soft { fill: #9198a1; } .grid { stroke: #3d444d; } .one { stroke: #e6edf3; }
  .fast { fill: #58a6ff; } .slow { fill: #f0883e; }
}
"""


def draw(results: list[Result]) -> str:
    """Draw a bar for each function, sorted, from NumPy's time to ours; logarithmic."""
    mean = {result: math.sqrt(math.prod(result.ratios.values())) for result in results}
    ordered = sorted(results, key=lambda each: mean[each])
    low, high = 0.02, 20.0

    def x(ratio: float) -> float:
        return LEFT + WIDTH * math.log(min(max(ratio, low), high) / low) / math.log(high / low)

    rows = math.ceil(len(ordered) / COLUMNS)
    height, step = TOP + LINE * rows + 30, LEFT + WIDTH + 44
    body = [
        '<text class="big" x="10" y="22">Time of each function on small arrays, NumPy being 1</text>',
        '<text class="soft" x="10" y="38">geometric mean of 4 and 64 elements; bars to the left are faster than NumPy</text>',
    ]
    for column in range(COLUMNS):
        for ratio in (0.02, 0.1, 1, 10):
            kind, place = "one" if ratio == 1 else "grid", column * step + x(ratio)
            body.append(f'<path class="{kind}" d="M{place:.1f} {TOP - 8}V{height - 24}"/>')
            body.append(f'<text class="soft mid" x="{place:.1f}" y="{height - 10}">{ratio:g}</text>')
            body.append(f'<text class="soft mid" x="{place:.1f}" y="{TOP - 12}">{ratio:g}</text>')
    for position, result in enumerate(ordered):
        left, y, ratio = position // rows * step, TOP + LINE * (position % rows), mean[result]
        start, end = sorted((x(1), x(ratio)))
        kind = "fast" if ratio <= 1 else "slow"
        body.append(f'<text class="end" x="{left + LEFT - 6}" y="{y + 8}">{escape(result.name)}</text>')
        body.append(
            f'<rect class="{kind}" x="{left + start:.1f}" y="{y + 1}" width="{max(end - start, 0.5):.1f}" '
            f'height="{LINE - 3}"><title>{escape(result.code)}: {ratio:.2f}</title></rect>'
        )
        body.append(f'<text class="soft" x="{left + LEFT + WIDTH + 8}" y="{y + 8}">{ratio:.2f}</text>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {COLUMNS * step} {height}" role="img">'
    title = "<title>Time of each function on small arrays in units of NumPy's, sorted</title>"
    return "\n".join([head, title, f"<style>{STYLE}</style>", *body, "</svg>", ""])


def parse(argv: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("-k", metavar="REGEX", default="", help="only the functions whose name matches")
    parser.add_argument("--budget", type=float, default=0.02, metavar="SECONDS", help="for each library in each call")
    parser.add_argument("--write", action="store_true", help="write small.svg and the block of RESULTS.md")
    parser.add_argument("--middle", action="store_true", help="measure at 1,024 and 65,536 elements instead")
    parser.add_argument("--strict", action="store_true", help="exit with 1 when a bar is missed without a reason")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    """Measure, show and write."""
    args = parse(argv)
    warnings.simplefilter("ignore")
    chosen = [name for name in names() if name not in LEFT_OUT and re.search(args.k, name)]
    if args.middle:
        functions = [result for name in chosen if (result := measure_middle(name, args.budget))]
        bar, why, said, statements = MIDDLE_BAR, MIDDLE_REASONS, summary_middle(functions), []
    else:
        functions = [measure(name, args.budget) for name in chosen]
        bar, why, said = BAR, REASONS, summary(functions)
        statements = [
            measure_statement(ours, theirs, args.budget) for ours, theirs in STATEMENTS.items() if re.search(args.k, ours)
        ]
    print(*said, "", *table(functions), "", *table_of_statements(statements), sep="\n")
    if args.write:
        slow = [each for each in statements if each[1] > SLOW]
        tables = [missed(functions, bar, why), table_of_statements(slow)]
        put("middle" if args.middle else "small", [*said, *(line for each in tables if each for line in ("", *each))])
    if args.write and not args.middle:
        (HERE / "small.svg").write_text(draw(functions), encoding="utf-8")
    return 1 if args.strict and any(result.worst > bar and result.name not in why for result in functions) else 0


if __name__ == "__main__":
    if any(os.environ.get(name) != value for name, value in ONE_THREAD.items()):
        # The libraries read these as they are imported, which has happened.
        again = subprocess.run([sys.executable, *sys.argv], env={**os.environ, **ONE_THREAD}, check=False)
        sys.exit(again.returncode)
    sys.exit(main())
