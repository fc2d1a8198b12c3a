"""Files of the engine in C use each other in one direction: neither headers nor files are part of a circle.

A file uses another one if it includes it, or names a function or a variable that the other one defines. (What a macro defines
under a name that it puts together counts as defined nowhere.)
"""

import re
from pathlib import Path

import pytest

from conformance.measures import circles

ROOT = Path(__file__).parents[1] / "native"
#: Headers, lowest first: each includes only lower ones.
HEADERS = (
    "base", "parts", "types", "memory", "pool", "threads", "cast", "numpys", "loops/loops", "hooks", "plan", "scalars", "args",
    "run", "program", "paths",
)  # fmt: skip
#: The highest header that loops include.
HIGHEST_OF_LOOPS = "numpys"
_COMMENT = re.compile(r"/\*.*?\*/|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
_INCLUDE = re.compile(r'^#include "(.*)"$', re.MULTILINE)
_MACRO = re.compile(r"\b[A-Z][A-Z_0-9]*\((?:[^()]|\([^()]*\))*\)")
_WORD = re.compile(r"[A-Za-z_]\w*")


def files_of(root=ROOT):
    """Return the path of each file of the engine, and its code without comments."""
    return {
        path: re.sub(r"/\*.*?\*/", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        for path in sorted(root.rglob("*.[ch]"))
    }


def included(path, code):
    """Return the files of the engine that a file includes."""
    return {(path.parent / name).resolve() for name in _INCLUDE.findall(code)}


def outer(code):
    """Return the statements of a file outside of braces, without strings, preprocessing and uses of macros."""
    code = re.sub(r"^#(?:.*\\\n)*.*$", "", _COMMENT.sub("", code), flags=re.MULTILINE)
    while (shorter := re.sub(r"\{[^{}]*\}", ";;", code)) != code:
        code = shorter
    code = _MACRO.sub("", code)
    return [" ".join(statement.split()) for statement in code.split(";")]


def declared(code):
    """Return the functions and variables that a header declares for other files."""
    found = set()
    for statement in outer(code):
        if statement.startswith(("static", "typedef", "struct", "enum")) or not statement:
            continue
        if statement.startswith("extern"):
            found |= {part.split("[")[0].split()[-1].lstrip("*") for part in statement.split(",")}
        else:
            found |= set(re.findall(r"(\w+)\s*\(", re.sub(r"\([^()]*\)", "()", statement)))
    return found


def defined(code, names):
    """Return which of some functions and variables a file defines."""
    found = set()
    for statement in outer(code):
        if statement.startswith(("static", "typedef", "extern", "return")):
            continue
        for name in names & set(_WORD.findall(statement.partition("=")[0])):
            if re.match(rf"[\w\s*,\[\]]*?\b{name}\b\s*(\(|\[|,|=|$)", statement):
                found.add(name)
    return found


def users_of(root=ROOT):
    """Return which files in C each of them uses by a name."""
    files = files_of(root)
    names = set().union(*(declared(code) for path, code in files.items() if path.suffix == ".h"))
    owner = {name: path for path, code in files.items() if path.suffix == ".c" for name in defined(code, names)}
    found = {}
    for path, code in files.items():
        if path.suffix == ".c":
            used = set(_WORD.findall(_COMMENT.sub("", _INCLUDE.sub("", code)))) & owner.keys()
            found[path] = {owner[name] for name in used if owner[name] != path}
    return found


def test_files_use_each_other_in_one_direction():
    assert circles({path.name: {other.name for other in others} for path, others in users_of().items()}) == []


def test_headers_include_lower_ones():
    rank = {(ROOT / f"{name}.h").resolve(): number for number, name in enumerate(HEADERS)}
    for path, code in files_of().items():
        for other in included(path, code):
            assert other.exists(), f"{path} includes {other}"
            if path in rank:
                assert rank[other] < rank[path], f"{path.name} includes {other.name}"


def test_loops_include_nothing_above_conversions():
    allowed = {(ROOT / f"{name}.h").resolve() for name in HEADERS[: HEADERS.index(HIGHEST_OF_LOOPS) + 1]}
    for path, code in files_of(ROOT / "loops").items():
        for other in included(path, code):
            assert other.parent.name == "loops" or other in allowed, f"{path.name} includes {other.name}"


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("int a(int b), *c(void);", {"a", "c"}),
        ("extern Node nodes[MAX]; extern int *b, c;", {"nodes", "b", "c"}),
        ("static inline int a(int b) { return c(b); }", set()),
        ("typedef void A(int b); struct { int (*a)(int); };", set()),
    ],
)
def test_declared_names(code, names):
    assert declared(code) == names


def test_defined_names():
    code = "int a(int b) { return d(b); }\nstatic int c(void) { return 0; }\nint e[] = {1}, f;\nextern int g;"
    assert defined(code, {"a", "b", "c", "d", "e", "f", "g"}) == {"a", "e", "f"}
