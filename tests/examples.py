"""Find and check the doctests of modules and of Markdown pages."""

import doctest
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
FENCE = re.compile(r"^```(?:python|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def of_markdown(page: Path) -> doctest.DocTest:
    """Return the fenced examples of a page as one test: names persist from block to block."""
    text = page.read_text(encoding="utf-8")
    # A fence would be read as expected output; blank lines keep the line numbers.
    blocks = [(text.count("\n", 0, m.start(1)), m.group(1)) for m in FENCE.finditer(text) if ">>>" in m.group(1)]
    lines: list[str] = []
    for start, block in blocks:
        lines += [""] * (start - len(lines)) + block.splitlines()
    return doctest.DocTestParser().get_doctest("\n".join(lines), {}, page.name, str(page), 0)


def of_module(module: ModuleType, names: dict[str, object]) -> Iterator[doctest.DocTest]:
    """Return a test for every docstring with examples in a module, including those of objects other than functions."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    for test in finder.find(module, module.__name__, extraglobs=names):
        if test.examples:
            yield test
    for name, value in sorted(vars(module).items()):
        doc = getattr(value, "__doc__", None)
        made_here = getattr(value, "__module__", None) == module.__name__ and doc is not type(value).__doc__
        if made_here and isinstance(doc, str) and ">>>" in doc and not (inspect.isroutine(value) or inspect.isclass(value)):
            yield doctest.DocTestParser().get_doctest(doc, {**vars(module), **names}, f"{module.__name__}.{name}", None, 0)


def check(test: doctest.DocTest, flags: int = FLAGS) -> None:
    """Run the examples; a failure shows doctest's report."""
    said: list[str] = []
    if doctest.DocTestRunner(optionflags=flags).run(test, out=said.append).failed:
        pytest.fail("".join(said), pytrace=False)
