"""``python -m conformance NAME ...`` runs one of the scripts of this package; without a name, it lists them."""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent


def scripts() -> dict[str, str]:
    """Return the names of the modules with a function `main`, and what they do."""
    found = {}
    for path in sorted(HERE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if path.parent.name != "programs" and path.name != "__main__.py" and "\ndef main(argv: " in source:
            name = ".".join(path.relative_to(HERE).with_suffix("").parts)
            found[name] = (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]
    return found


def main(argv: list[str]) -> int:
    """Run a script with the arguments that follow its name."""
    known = scripts()
    if not argv or argv[0] not in known:
        print("python -m conformance NAME ...", *(f"  {name:30} {what}" for name, what in known.items()), sep="\n")
        return 2
    sys.argv = [f"python -m conformance {argv[0]}"]  # as messages name it
    status: int | None = import_module(f"conformance.{argv[0]}").main(argv[1:])
    return status or 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
