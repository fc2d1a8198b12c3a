"""Record what real JAX 0.10.2 returns for the programs of its libraries: ``jax_libraries.record [LIBRARY ...]``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main(argv: list[str]) -> None:
    """Run each program in a process of its own."""
    for program in sorted((HERE / "programs").glob("*.py")):
        if argv and program.stem not in argv:
            continue
        out = HERE / "data" / f"{program.stem}.json"
        subprocess.run(
            [sys.executable, "-W", "ignore", "-m", "conformance", "jax_libraries.run", program.stem, str(out)], check=True
        )
        print(out.relative_to(HERE))
