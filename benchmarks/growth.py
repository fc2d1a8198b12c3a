"""How cost grows with size: nanoseconds an element of the main operations, from 10^4 to 10^8 elements, drawn as an SVG.

    python benchmarks/growth.py                     # growth.svg, beside this file
    python benchmarks/growth.py --largest 1000000   # up to fewer elements

A level line is a cost that grows linearly. Steps are the ends of the processor's caches; beyond the last one, memory is what
is timed. NumPy's lines are dashed.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import time
import timeit
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
from libraries import ONE_THREAD
from picture import STYLE

import supremum as xp

HERE = Path(__file__).resolve().parent
#: Name → (ours, NumPy's or "").
OPERATIONS: dict[str, tuple[str, str]] = {
    "a + b": ("a + b", "x + y"),
    "exp(a)": ("xp.exp(a)", "np.exp(x)"),
    "sum(a)": ("xp.sum(a)", "np.sum(x)"),
    "maximum(a, b)": ("xp.maximum(a, b)", "np.maximum(x, y)"),
    "float32 to int32": ("a.astype(xp.int32)", "x.astype(np.int32)"),
    "bfloat16 a + b": ("h + h", "v + v"),
    "float32 to bfloat16": ("a.astype(xp.bfloat16)", "x.astype(v.dtype)"),
    "allclose(a, b)": ("xp.allclose(a, b)", "np.allclose(x, y)"),
    "histogram(a, 50)": ("xp.histogram(a, 50)", "np.histogram(x, 50)"),
    "bincount(i)": ("xp.bincount(i)", "np.bincount(j)"),
    "z.at[i].add(a)": ("z.at[i].add(a)", "np.add.at(w, j, x)"),
    "count_nonzero(a)": ("xp.count_nonzero(a)", "np.count_nonzero(x)"),
    "packbits(c)": ("xp.packbits(c)", "np.packbits(d)"),
    "random.uniform": ("xp.random.uniform(key, (n,))", "rng.random(n, np.float32)"),
    "random.normal": ("xp.random.normal(key, (n,))", "rng.standard_normal(n, np.float32)"),
}
LEFT, TOP, WIDTH, HEIGHT, COLUMNS, GAP = 46, 58, 200, 120, 3, 62


def operands(size: int) -> dict[str, Any]:
    """Make what the statements name, for one size."""
    rng = np.random.default_rng(0)
    x = rng.random(size, np.float32)
    y, j, d = x.copy(), rng.integers(0, 1000, size, np.int32), x < 0.5
    a, b, i, c = (xp.asarray(data) for data in (x, y, j, d))
    w, z = np.zeros(1000, np.float32), xp.zeros(1000)
    found = {"x": x, "y": y, "j": j, "d": d, "a": a, "b": b, "i": i, "c": c, "w": w, "z": z, "rng": rng, "n": size}
    found["v"] = x.astype(ml_dtypes.bfloat16)  # NumPy with the loops of ml_dtypes
    return found | {"h": a.astype(xp.bfloat16), "key": xp.random.key(0), "np": np, "xp": xp}


def cost(code: str, names: Mapping[str, Any], size: int, budget: float) -> float:
    """Return the nanoseconds of the processor that one element costs at best."""
    timer = timeit.Timer(code, globals=dict(names), timer=time.process_time)
    timer.timeit(1)  # memory and caches warm up
    spent, best = 0.0, math.inf
    while spent < budget:
        seconds = timer.timeit(1)
        spent, best = spent + max(seconds, 1e-6), min(best, seconds)
    return best / size * 1e9


def measure(sizes: Sequence[int], budget: float) -> dict[str, tuple[list[float], list[float]]]:
    """Return the costs of each operation by size: ours, and NumPy's."""
    found: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in OPERATIONS}
    for size in sizes:
        names = operands(size)
        for name, codes in OPERATIONS.items():
            for costs, code in zip(found[name], codes, strict=True):
                if code:
                    costs.append(cost(code, names, size, budget))
        print(f"{size:,}: " + ", ".join(f"{name} {ours[-1]:.3g}" for name, (ours, _) in found.items()), flush=True)
    return found


def draw(sizes: Sequence[int], found: Mapping[str, tuple[Sequence[float], Sequence[float]]]) -> str:
    """Draw a small diagram for each operation, all with logarithmic axes of the same steps."""
    low, high = math.log10(sizes[0]), math.log10(sizes[-1])
    rows = math.ceil(len(found) / COLUMNS)
    body = ['<text x="12" y="24">Nanoseconds an element, by the number of elements</text>']
    body.append('<path class="ours" d="M420 20h24"/><text x="450" y="24">supremum</text>')
    body.append('<path class="numpy" d="M540 20h24"/><text x="570" y="24">NumPy</text>')
    for place, (name, lines) in enumerate(found.items()):
        left = LEFT + place % COLUMNS * (WIDTH + GAP)
        top = TOP + place // COLUMNS * (HEIGHT + GAP)
        costs = [value for line in lines for value in line]
        bottom = math.floor(math.log10(min(costs)))
        powers = range(bottom, max(math.ceil(math.log10(max(costs))), bottom + 2) + 1)

        def at(size: float, value: float, left: int = left, top: int = top, powers: range = powers) -> str:
            x = left + (math.log10(size) - low) / (high - low or 1) * WIDTH
            y = top + HEIGHT - (math.log10(value) - powers[0]) / (powers[-1] - powers[0]) * HEIGHT
            return f"{x:.1f} {y:.1f}"

        body.append(f'<text class="head" x="{left}" y="{top - 8}">{escape(name)}</text>')
        for power in powers:
            _, y = at(sizes[0], 10.0**power).split()
            body.append(f'<path class="grid" d="M{left} {y}h{WIDTH}"/>')
            body.append(f'<text class="soft end" x="{left - 6}" y="{float(y) + 4:.1f}">{10.0**power:g}</text>')
        for size in sizes:
            x, _ = at(size, 10.0 ** powers[0]).split()
            body.append(f'<text class="soft mid" x="{x}" y="{top + HEIGHT + 20}">{_power(size)}</text>')
        for kind, line in zip(("ours", "numpy"), lines, strict=True):
            if line:
                points = "L".join(at(size, value) for size, value in zip(sizes, line, strict=True))
                body.append(f'<path class="{kind}" d="M{points}"/>')
    width, height = LEFT + COLUMNS * (WIDTH + GAP), TOP + rows * (HEIGHT + GAP)
    style = STYLE + "path.ours, path.numpy { fill: none; stroke-width: 2; }\npath.ours { stroke: #0969da; }\n"
    style += "path.numpy { stroke: #59636e; stroke-dasharray: 4 3; }\n"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
    title = "<title>Nanoseconds an element of the main operations, by size; a level line is linear growth</title>"
    return "\n".join([head, title, f"<style>{style}</style>", *body, "</svg>", ""])


def _power(size: int) -> str:
    power = round(math.log10(size))
    return "10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(power))


def main() -> int:
    """Measure and draw."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--largest", type=int, default=10**8, help="the greatest number of elements")
    parser.add_argument("--budget", type=float, default=0.1, metavar="SECONDS", help="for each operation at each size")
    parser.add_argument("--svg", type=Path, default=HERE / "growth.svg", help="where to draw")
    args = parser.parse_args()
    sizes = [10**power for power in range(4, 9) if 10**power <= args.largest]
    args.svg.write_text(draw(sizes, measure(sizes, args.budget)), encoding="utf-8")
    print(f"wrote {args.svg}")
    return 0


if __name__ == "__main__":
    if any(os.environ.get(name) != value for name, value in ONE_THREAD.items()):
        again = subprocess.run([sys.executable, *sys.argv], env={**os.environ, **ONE_THREAD}, check=False)
        sys.exit(again.returncode)
    sys.exit(main())
