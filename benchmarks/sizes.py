"""How cost grows from 1 to 10^8 elements, beside NumPy, torch and JAX: each as it starts, and each with one thread.

    python benchmarks/sizes.py                              # writes sizes.svg and the block of RESULTS.md
    python benchmarks/sizes.py --peers /path/to/python      # torch and JAX of another interpreter
    python benchmarks/sizes.py --largest 1000000 --rounds 2

Every library has processes of its own, which wait for their turns: the best of several rounds counts. At 10^8 elements,
whose operands take 2.3 GB, one process is done before the next. Memory is the peak of the resident set above the operands, in
a fresh process for each figure.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import Any

from page import PAGE, put
from timing import race, timer

#: Name → statements of ours, NumPy, torch and JAX; "" where a library has none.
OPERATIONS: dict[str, tuple[str, str, str, str]] = {
    "a + b": ("a + b",) * 4,
    "a * 2": ("a * 2",) * 4,
    "a > b": ("a > b",) * 4,
    "sin(a)": ("m.sin(a)",) * 4,
    "exp(a)": ("m.exp(a)",) * 4,
    "tanh(a)": ("m.tanh(a)",) * 4,
    "sqrt(a)": ("m.sqrt(a)",) * 4,
    "int32 + float32": ("i + a", "np.add(i, a, dtype=np.float32)", "i + a", "i + a"),
    "float32 to float64": ("a.astype(m.float64)", "a.astype(np.float64)", "a.double()", ""),
    "bfloat16 a + b": ("h + h", "", "h + h", "h + h"),
    "sum(a)": ("m.sum(a)",) * 4,
    "max(a)": ("m.max(a)",) * 4,
    "mean(a)": ("m.mean(a)",) * 4,
    "std(a)": ("m.std(a)",) * 4,
    "where(c, a, b)": ("m.where(c, a, b)",) * 4,
    "clip(a, 0.2, 0.8)": ("m.clip(a, 0.2, 0.8)",) * 4,
    "a[k]": ("a[k]",) * 4,
    "sort(a)": ("m.sort(a)",) * 4,
    "random.uniform": (
        "m.random.uniform(key, (n,))", "rng.random(n, np.float32)", "m.rand(n)", "jax.random.uniform(key, (n,))",
    ),
    "random.normal": (
        "m.random.normal(key, (n,))", "rng.standard_normal(n, np.float32)", "m.randn(n)", "jax.random.normal(key, (n,))",
    ),
}  # fmt: skip
#: Statements whose memory is measured too.
MEMORY = (
    "a * b + a", "m.isclose(a, b)", "m.allclose(a, b)", "m.nansum(a)", "m.nanstd(a)", "m.var(a)", "m.linalg.norm(a)",
    "m.cov(a)", "m.linspace(0, 1, n)", "m.round(a, 2)", "m.nan_to_num(a)", "m.diff(a)", "m.gradient(a)",
    "m.average(a, weights=b)",
)  # fmt: skip
#: The largest number of elements of which all processes have their operands at the same time.
TOGETHER = 10**7
LIBRARIES = ("supremum", "numpy", "torch", "jax")
COLORS = {"supremum": "#0969da", "numpy": "#59636e", "torch": "#8250df", "jax": "#bc4c00"}
ONE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
ONE |= {"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false"}
LEFT, TOP, WIDTH, HEIGHT, COLUMNS, GAP = 52, 66, 190, 120, 4, 64


# -- a library's process ------------------------------------------------------------------------------------------------------


def _names(library: str, size: int) -> dict[str, Any]:
    """Make what the statements name."""
    import numpy as np

    rng = np.random.default_rng(0)
    x = rng.random(size, np.float32)
    given = {"a": x, "b": x.copy(), "i": np.arange(size, dtype=np.int32), "c": x < 0.5, "k": rng.integers(0, size, size)}
    found: dict[str, Any] = {"np": np, "rng": rng, "n": size, "m": np}
    if library == "numpy":
        return found | given
    if library == "torch":
        import torch as m

        arrays = {name: m.from_numpy(data) for name, data in given.items()}
        return found | arrays | {"m": m, "h": arrays["a"].bfloat16()}
    if library == "jax":
        import jax

        m = jax.numpy
        found |= {"jax": jax, "key": jax.random.key(0)}
    else:
        import supremum as m

        found |= {"key": m.random.key(0)}
    arrays = {name: m.asarray(data) for name, data in given.items()}
    return found | arrays | {"m": m, "h": arrays["a"].astype(m.bfloat16)}


def serve(library: str) -> None:
    """Answer lines of (operation, size, budget) with the seconds of one call at best."""
    names: dict[str, Any] = {}
    for line in sys.stdin:
        name, size, budget = json.loads(line)
        if names.get("n") != size:
            names.clear()
            names.update(_names(library, size))
        code = OPERATIONS[name][LIBRARIES.index(library)]
        print(json.dumps(_seconds(code, names, budget, wait=library == "jax")), flush=True)


def _seconds(code: str, names: dict[str, Any], budget: float, *, wait: bool) -> float:
    each = timer(f"({code}){'.block_until_ready()' if wait else ''}", names)
    each.timeit(1)  # which may compile, or be the first to use its memory
    once = each.timeit(1)
    return once if once > 10 * budget else race({"": each}, budget)[""]


def peak(library: str, name: str, size: int) -> None:
    """Print by how many bytes an operation raises the resident set above its operands (of Linux)."""
    names = _names(library, size)
    code = name if name in MEMORY else OPERATIONS[name][LIBRARIES.index(library)]
    eval(code, _names(library, 10) | {"n": 10})  # noqa: S307 - what is imported and looked up once
    Path("/proc/self/clear_refs").write_text("5")
    before = _status("VmRSS")
    result = eval(code, names)  # noqa: S307 - statements of this file
    print(_status("VmHWM") - before)
    del result


def _status(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:"))


# -- the measurement ----------------------------------------------------------------------------------------------------------


def _start(library: str, python: str, *, one: bool) -> subprocess.Popen[str] | None:
    environment = {name: value for name, value in os.environ.items() if name not in ONE and not name.startswith("SUPREMUM_")}
    environment |= {"JAX_PLATFORMS": "cpu"} | (ONE if one else {})
    found = subprocess.run([python, "-c", f"import {library}"], capture_output=True, check=False, env=environment)
    if found.returncode:
        return None
    command = [python, __file__, "--serve", library]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)


def _ask(worker: subprocess.Popen[str], name: str, size: int, budget: float) -> float:
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(json.dumps([name, size, budget]) + "\n")
    worker.stdin.flush()
    return float(json.loads(worker.stdout.readline()))


Lines = dict[tuple[str, bool], list[float]]


def measure(sizes: list[int], python: str, budget: float, rounds: int) -> dict[str, Lines]:
    """Return the seconds of each operation, by library and whether it has one thread."""
    each = [(library, one) for library in LIBRARIES for one in (False, True)]
    started = {key: _start(key[0], sys.executable if key[0] in LIBRARIES[:2] else python, one=key[1]) for key in each}
    workers = {key: worker for key, worker in started.items() if worker is not None}
    found: dict[str, Lines] = {name: {} for name in OPERATIONS}
    for place, size in enumerate(sizes):
        calls = [(name, key) for key in workers for name, codes in OPERATIONS.items() if codes[LIBRARIES.index(key[0])]]
        if size <= TOGETHER:  # in turns
            calls = [call for name in OPERATIONS for call in [each for each in calls if each[0] == name] * rounds]
        for call, following in zip(calls, [*calls[1:], calls[-1]], strict=True):
            name, key = call
            seconds, line = _ask(workers[key], name, size, budget / rounds), found[name].setdefault(key, [])
            line[place:] = [min([seconds, *line[place:]])]
            if size > TOGETHER and following[1] != key:
                _ask(workers[key], "a + b", 1, 0)  # drops the operands
        print(f"{size:,} elements", flush=True)
    for worker in workers.values():
        worker.kill()
    return found


def peaks(size: int) -> dict[str, list[int]]:
    """Return the peaks of memory of ours and NumPy, of operations that both have."""
    found: dict[str, list[int]] = {}
    for name, codes in [*OPERATIONS.items(), *((name, ("", name)) for name in MEMORY)]:
        if codes[1]:
            commands = [[sys.executable, __file__, "--peak", library, name, str(size)] for library in LIBRARIES[:2]]
            found[name] = [int(subprocess.run(each, capture_output=True, text=True, check=True).stdout) for each in commands]
    return found


# -- the report ---------------------------------------------------------------------------------------------------------------


def draw(sizes: list[int], found: dict[str, Lines]) -> str:
    """Draw a small diagram for each operation, of nanoseconds an element; dashed lines have one thread."""
    body = ['<text x="12" y="24">Nanoseconds an element, by the number of elements; dashed: one thread</text>']
    for place, library in enumerate(LIBRARIES):
        body.append(f'<path stroke="{COLORS[library]}" d="M{520 + 120 * place} 20h24"/>')
        body.append(f'<text x="{550 + 120 * place}" y="24">{library}</text>')
    low, high = math.log10(sizes[0]), math.log10(sizes[-1])
    for place, (name, lines) in enumerate(found.items()):
        left, top = LEFT + place % COLUMNS * (WIDTH + GAP), TOP + place // COLUMNS * (HEIGHT + GAP)
        costs = [value / size * 1e9 for line in lines.values() for value, size in zip(line, sizes, strict=True)]
        first, last = math.floor(math.log10(min(costs))), math.ceil(math.log10(max(costs)))
        body.append(f'<text class="head" x="{left}" y="{top - 8}">{escape(name)}</text>')
        for power in range(first, last + 1):
            y = top + HEIGHT - (power - first) / (last - first or 1) * HEIGHT
            body.append(f'<path class="grid" d="M{left} {y:.1f}h{WIDTH}"/>')
            body.append(f'<text class="soft end" x="{left - 6}" y="{y + 4:.1f}">{10.0**power:g}</text>')
        for size in sizes[::2]:
            x = left + (math.log10(size) - low) / (high - low or 1) * WIDTH
            power_of = "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(round(math.log10(size))))
            body.append(f'<text class="soft mid" x="{x:.1f}" y="{top + HEIGHT + 16}">10{power_of}</text>')
        for (library, one), line in lines.items():
            points = []
            for value, size in zip(line, sizes, strict=True):
                x = left + (math.log10(size) - low) / (high - low or 1) * WIDTH
                y = top + HEIGHT - (math.log10(value / size * 1e9) - first) / (last - first or 1) * HEIGHT
                points.append(f"{x:.1f} {y:.1f}")
            dashes = ' stroke-dasharray="4 3"' if one else ""
            body.append(f'<path class="line" stroke="{COLORS[library]}"{dashes} d="M{"L".join(points)}"/>')
    width, height = LEFT + COLUMNS * (WIDTH + GAP), TOP + -(-len(found) // COLUMNS) * (HEIGHT + GAP)
    style = "text { font: 13px system-ui, sans-serif; fill: #1f2328; } .soft { fill: #59636e; } .head { font-weight: 600; }\n"
    style += ".end { text-anchor: end; } .mid { text-anchor: middle; } path { fill: none; stroke-width: 2; }\n"
    style += ".grid { stroke: #d1d9e0; stroke-width: 1; } .line { stroke-width: 1.6; }\n"
    style += (
        "@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .soft { fill: #9198a1; } .grid { stroke: #3d444d; } }"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
    title = "<title>Nanoseconds an element of twenty operations, by size and library</title>"
    return "\n".join([head, title, f"<style>{style}</style>", *body, "</svg>", ""])


def block(sizes: list[int], found: dict[str, Lines], memory: dict[str, list[int]], size: int) -> list[str]:
    """Return the ratios of ours to the others at a large size, and the peaks of memory above NumPy's."""
    columns = [(library, one) for one in (False, True) for library in LIBRARIES[1:]]
    rows = [f"At {size:,} elements:", ""]
    rows += ["| operation | " + " | ".join(f"{lib}{', one thread' if one else ''}" for lib, one in columns) + " |"]
    rows += ["|---" * (len(columns) + 1) + "|"]
    for name, lines in found.items():
        cells, place = [], sizes.index(size)
        for library, one in columns:
            other, ours = lines.get((library, one)), lines[("supremum", one)]
            cells.append(f"{ours[place] / other[place]:.2f}" if other else "")
        rows.append(f"| `{name}` | " + " | ".join(cells) + " |")
    above = [
        f"`{name}` ({ours / size:.1f}, {other / size:.1f})" for name, (ours, other) in memory.items() if ours > 1.1 * other
    ]
    few = f", but of {', '.join(above)}" if above else ""
    return [*rows, "", f"The peaks of memory, in bytes an element, of {len(memory)} operations are at most NumPy's{few}."]


def main() -> None:
    """Measure, draw and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--largest", type=int, default=10**8, help="the greatest number of elements")
    parser.add_argument("--budget", type=float, default=0.2, metavar="SECONDS", help="for each figure")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each library for each figure")
    parser.add_argument("--peers", default=sys.executable, metavar="PYTHON", help="the interpreter that has torch and JAX")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page to write to, with the drawing next to it")
    parser.add_argument("--serve", choices=LIBRARIES, help=argparse.SUPPRESS)
    parser.add_argument("--peak", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve(args.serve)
    elif args.peak:
        peak(args.peak[0], args.peak[1], int(args.peak[2]))
    else:
        sizes = [10**power for power in range(9) if 10**power <= args.largest]
        found = measure(sizes, args.peers, args.budget, args.rounds)
        size = min(10**7, args.largest)
        memory = peaks(size) if sys.platform == "linux" else {}
        (args.page.parent / "sizes.svg").write_text(draw(sizes, found), encoding="utf-8")
        put("sizes", block(sizes, found, memory, size), args.page)


if __name__ == "__main__":
    main()
