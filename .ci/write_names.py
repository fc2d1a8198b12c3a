"""Write `src/supremum/_homes.py`, which says in which module each name of the namespace is.

The names are those that `src/supremum/__init__.py` imports for type checkers: the `__all__` of modules, for the most part. Run
this after a change of an `__all__`; `tests/test_namespace.py` fails while the file is out of date.
"""

import ast
import sys
import textwrap
from importlib import import_module
from pathlib import Path

HEAD = '''"""The module of each name of the namespace; `.ci/write_names.py` writes it from the `__all__` of the modules."""

from typing import Final

HOMES: Final = {
'''


def homes(package: Path) -> dict[str, list[str]]:
    """Return the names that each module gives to the namespace."""
    found = {}
    for node in ast.walk(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            imports = [each for each in node.body if isinstance(each, ast.ImportFrom) and each.module != "supremum"]
            for each in imports:
                names = [alias.name for alias in each.names]
                found[str(each.module)] = import_module(str(each.module)).__all__ if names == ["*"] else names
    return found


def text(package: Path) -> str:
    """Return what the file has to contain."""
    rows = []
    for module, names in sorted(homes(package).items()):
        home, joined = module.removeprefix("supremum."), " ".join(sorted(names))
        row = f'    "{home}": "{joined}",'
        if len(row) > 127:
            row = f'    "{home}": """\n{textwrap.indent(textwrap.fill(joined, 119), " " * 8)}\n    """,'
        rows.append(row)
    return HEAD + "\n".join(rows) + "\n}\n"


if __name__ == "__main__":
    source = Path(sys.argv[1] if len(sys.argv) > 1 else "src/supremum").resolve()
    sys.path.insert(0, str(source.parent))
    (source / "_homes.py").write_text(text(source), encoding="utf-8")
