"""The project's pages: examples have the printed results, links are valid, and the reference is complete."""

import doctest
import importlib
import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import examples
import supremum

#: The environment of the pages, where no variable of ours is set.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("SUPREMUM_")}
ROOT = Path(__file__).parents[1]
FOLDERS = ("", "docs", "docs/api", "conformance", "benchmarks")
PAGES = [page for folder in FOLDERS for page in sorted((ROOT / folder).glob("*.md"))]
#: Exceptions on a page are compared as a whole; three dots stand for omitted text.
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS

FENCE = re.compile(r"^( *)(`{3,}).*?^\1\2$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+).+?\1", re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^#+ +(.+?)(?: +#+)?$", re.MULTILINE)
INCLUDE = re.compile(r"^```\{include\} (\S+)\n```$", re.MULTILINE)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
REFERENCE = re.compile(r"^\.\. reference:: (.+)\n((?:   :.+\n)*)", re.MULTILINE)

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


def read(page):
    return page.read_text(encoding="utf-8")


def blocks(page, *languages):
    return [body for language, body in BLOCK.findall(read(page)) if language in languages]


@every_page
def test_examples(page):
    examples.check(examples.of_markdown(page), FLAGS)


@every_page
def test_python_without_prompts_is_python(page):
    for block in blocks(page, "python"):
        if ">>>" not in block:
            compile(block, str(page), "exec")


COMMANDS = [
    pytest.param(page, command, output, id=f"{page.relative_to(ROOT).as_posix()}: {command}")
    for page in PAGES
    for block in blocks(page, "console")
    for command, output in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


@pytest.mark.parametrize(("page", "command", "output"), COMMANDS)
def test_commands(page, command, output, tmp_path):
    """Run each command after ``$`` on a page, in a folder with the page's files, and compare its output with the page's."""
    for block in blocks(page, "python"):
        if name := re.match(r"# (\w+\.py)\n", block):
            (tmp_path / name[1]).write_text(block, encoding="utf-8")
    words = shlex.split(command)
    settings = dict(word.split("=") for word in words if re.match(r"[A-Z_0-9]+=", word))
    python, *arguments = words[len(settings) :]
    assert python == "python"
    run = subprocess.run(
        [sys.executable, *arguments],
        env={**ENVIRONMENT, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1", **settings},
        cwd=tmp_path, check=True, capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert doctest.OutputChecker().check_output(output, run.stdout, FLAGS), run.stdout


@cache
def anchors(page):
    """Return the anchors of a page's headings and those of included files, by GitHub's rule, which the site uses too."""
    text = INCLUDE.sub(lambda match: read(page.parent / match[1]), read(page))
    found = {}
    for heading in HEADING.findall(FENCE.sub("", text)):
        words = re.sub(r"\[(.+?)\]\(.*?\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")
        found[slug if slug not in found else f"{slug}-{sum(each.startswith(slug) for each in found)}"] = None
    return set(found)


def targets(page):
    """Yield the files and anchors that a page links to."""
    for target, anchor in LINK.findall(CODE.sub("", FENCE.sub("", read(page)))):
        yield (page.parent / target).resolve() if target else page, anchor


@every_page
def test_links_lead_somewhere(page):
    missing = [file.as_posix() for file, _ in targets(page) if not file.exists()]
    missing += [f"{file.name}#{anchor}" for file, anchor in targets(page) if anchor and anchor not in anchors(file)]
    assert missing == []


def test_the_checker_of_links_sees_what_is_there():
    """If the checker found no links, it would find no broken ones either."""
    found = [target for page in PAGES for target in targets(page)]
    assert len(found) > 50
    assert any(anchor for _, anchor in found)


def documented(namespace):
    """Yield every name of a namespace that has an entry in the reference, once per entry."""
    for page in sorted((ROOT / "docs/api").glob("*.md")):
        for modules, lines in REFERENCE.findall(read(page)):
            options = dict(re.findall(r":([\w-]+): *(.*)\n", lines))
            if options.get("namespace", "supremum") == namespace.__name__:
                left_out = options.get("except", "").split()
                for module in map(importlib.import_module, modules.split()):
                    names = options["names"].split() if "names" in options else module.__all__
                    yield from (name for name in names if name not in left_out and hasattr(namespace, name))


#: Names of the main namespace with a page of their own, or a sentence on one.
ELSEWHERE = {
    "Array", "__array_api_version__", "__array_api_versions__", "__version__", "config", "fft", "linalg", "ndarray",
    "promotion",
}  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        "",
        "dask",
        "errors",
        "fft",
        "io",
        "lens",
        "lib.stride_tricks",
        "linalg",
        "nn",
        "promotion",
        "random",
        "scipy.linalg",
        "scipy.signal",
        "scipy.special",
        "scipy.stats.norm",
        "testing",
        "zarr",
    ],
)
def test_the_reference_has_an_entry_for_every_name(name):
    namespace = importlib.import_module(f"supremum.{name}".rstrip("."))
    names = sorted(documented(namespace))
    assert sorted(set(names)) == names, "some names have two entries"
    assert set(namespace.__all__) - (ELSEWHERE if namespace is supremum else set()) == set(names)


def test_the_first_shell_block_of_the_readme_is_the_two_commands():
    block = BLOCK.search(read(ROOT / "README.md"))
    assert block.groups() == (
        "sh",
        "python -m pip install . && python -m supremum\npython -m pip install '.[test]' && python -m pytest\n",
    )


def cells(page, first):
    """Return the cells of the table row that begins with `first`, without marks of bold and code."""
    (row,) = re.findall(rf"^\| (?:\*\*)?{re.escape(first)}(?:\*\*)? (\|.*)\|$", read(page), re.MULTILINE)
    return [cell.strip(" `*") for cell in row.split("|")[1:]]


@pytest.mark.parametrize(
    ("page", "row", "a", "b"),
    [
        ("README.md", "`int32` + `float32`", "int32", "float32"),
        ("docs/ecosystem.md", "`int32` array + `1.5`", "int32", "float*"),
        ("README.md", "`bfloat16` array + `1.5`", "bfloat16", "float*"),
    ],
)
def test_the_tables_compare_what_was_measured(page, row, a, b):
    jax, numpy, array_api, torch = (supremum.promotion.systems[name] for name in ("jax", "numpy", "array_api", "torch"))
    systems = (jax, jax, numpy.variant("ufunc"), array_api, torch)
    for cell, system in zip(cells(ROOT / page, row), systems, strict=True):
        if cell == "has none":
            assert a not in system
        elif cell == "an error":
            with pytest.raises(supremum.TypePromotionError):
                system.promote(a, b)
        else:
            met = system.promote(a, b)
            assert cell == ((system.defaults or {}).get("f", "float32") if met.dtype is None else met.name)


def test_the_readme_counts_what_the_report_of_conformance_counts():
    report = cells(ROOT / "conformance/REPORT.md", "all")
    ours, also_ours, numpy, _, strict, jax = [int((re.findall(r"✗(\d+)", cell) or ["0"])[0]) for cell in report]
    total = int(report[0].split()[0])
    row = cells(ROOT / "README.md", f"failures in array-api-tests, of {total}")
    assert row[:4] == [str(count) for count in (max(ours, also_ours), jax, numpy, strict)]
