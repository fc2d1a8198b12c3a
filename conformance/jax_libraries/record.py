"""Record what real JAX 0.10.2 returns for the programs of its libraries: ``python record.py [LIBRARY ...]``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main(names: list[str]) -> None:
    """Run each program in a process of its own."""
    for program in sorted((HERE / "programs").glob("*.py")):
        if names and program.stem not in names:
            continue
        out = HERE / "data" / f"{program.stem}.json"
        subprocess.run([sys.executable, "-W", "ignore", str(HERE / "run.py"), program.stem, str(out)], check=True)
        print(out.relative_to(HERE))


if __name__ == "__main__":
    main(sys.argv[1:])
