"""The page of results, `RESULTS.md`: text, and between marks in it what each benchmark measured.

python benchmarks/page.py              # run the benchmarks, each in a process of its own, in half an hour
python benchmarks/page.py small sizes  # some of them
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

PAGE = Path(__file__).with_name("RESULTS.md")
#: What writes each block of the page.
COMMANDS = {
    "run": ["run.py", "--write"],
    "small": ["small.py", "--write"],
    "middle": ["small.py", "--middle", "--write"],
    "scipy": ["scipy_functions.py", "--write"],
    "sizes": ["sizes.py"],
    "recorded": ["recorded.py", "--write"],
    "jax_libraries": ["jax_libraries.py", "--write"],
    "batches": ["batches.py", "--write"],
    "lens": ["lens.py", "--write"],
    "anatomy": ["anatomy.py", "--write"],
}


def put(block: str, lines: Iterable[str], page: Path = PAGE) -> None:
    """Replace a block of the page."""
    text, new = page.read_text(encoding="utf-8"), "\n".join(lines)
    found = re.compile(rf"(<!-- {block} -->\n).*?(<!-- end of {block} -->)", re.DOTALL)
    if not found.search(text):
        raise ValueError(f"{page.name} has no block {block}")
    page.write_text(found.sub(lambda match: f"{match[1]}\n{new}\n\n{match[2]}", text), encoding="utf-8")


def main(names: list[str]) -> int:
    """Run benchmarks, which write their blocks; return how many failed."""
    folder = PAGE.parent
    runs = [subprocess.run([sys.executable, folder / script, *options], check=False)
            for script, *options in map(COMMANDS.__getitem__, names or COMMANDS)]  # fmt: skip
    return sum(run.returncode != 0 for run in runs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
