"""``python -m supremum explore``: the page of `promotion._explore`, with what every function makes of every dtype."""

from __future__ import annotations

import argparse
import hashlib
import inspect
import os
import re
import sys
import tempfile
import warnings
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum._core.dtype_objects import ScalarType
from supremum._core.roles import role_of
from supremum.explaining import _array, _call, _cut, _function, _nodes, _scope, known, under
from supremum.promotion import systems
from supremum.promotion._explore import Texts, explorer_page, system_names, template_of
from supremum.promotion._nodes import NODES, Node
from supremum.promotion._system import PromotionSystem

#: Of how many systems one is counted where the output is no terminal.
_SHOWN: Final = 5


def explore(args: argparse.Namespace) -> str:
    """Make one HTML page to explore promotion with: systems, their differences, functions; it needs no network."""
    kept = _kept_page()
    if args.output is not None:
        Path(args.output).write_text(kept.read_text(encoding="utf-8"), encoding="utf-8")
        return f"{args.output}: the explorer; open it in a browser"
    opened = webbrowser.open(kept.as_uri())
    return f"{kept}: the explorer{', in your browser' if opened else '; no browser was found, open it in one'}"


def _kept_page() -> Path:
    """Return the file of the page, which is made once for each state of the sources and of NumPy."""
    sources = sorted(path for path in Path(xp.__file__).parent.rglob("*.*") if path.suffix in (".py", ".js", ".css", ".html"))
    state = [(str(path), path.stat().st_mtime_ns) for path in sources], np.__version__, xp.__version__, xp.__engine__
    name = f"explorer-{hashlib.sha256(repr(state).encode()).hexdigest()[:16]}.html"
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "supremum"
        folder.mkdir(parents=True, exist_ok=True)
        made = not (folder / name).exists()
    except (OSError, RuntimeError):  # there is no home, or it cannot be written to
        folder, made = Path(tempfile.mkdtemp(prefix="supremum-")), True
    if made:
        sys.stderr.write("Calling every function under every system: some 20 s, once; the page is kept ...\n")
        for old in folder.glob("explorer-*.html"):
            old.unlink(missing_ok=True)
        part = folder / f"{os.getpid()}.part"  # which appears as a whole
        part.write_text(page(), encoding="utf-8")
        part.replace(folder / name)
    return folder / name


def page() -> str:
    """Return the explorer as HTML; all functions are called under all systems, which takes some seconds."""
    return explorer_page(function_results())


def function_names() -> list[str]:
    """Return the names of all functions that `explain` knows, those of the main namespace first."""
    found = []
    for name in dict.fromkeys(known()):
        try:
            function = _function(name)
        except ValueError:  # operators, constants, functions without arrays
            continue
        if not isinstance(function, ScalarType):
            found.append(name)
    return sorted(found, key=lambda name: (name.count("."), name.lower()))


def function_results(functions: Sequence[str] | None = None, names: Sequence[str] | None = None) -> dict[str, Any]:
    """Return what functions make of every dtype under systems, as `explain` has it, as plain data.

    Parameters
    ----------
    functions : sequence of str, optional
        Names of functions. Default: all.
    names : sequence of str, optional
        Names of systems. Default: all.

    Returns
    -------
    dict
        Functions with equal results share a table: for each system a row, and a rule. A row has for each dtype a text, or
        nothing if the system lacks the dtype; texts that begin with "!" are errors.
    """
    chosen = function_names() if functions is None else list(functions)
    calls = {name: (_function(name), compile(_call(name, (None,)), name, "eval")) for name in chosen}
    texts, rows, rules, tables = Texts(), Texts(), Texts(), Texts()
    found: dict[str, list[tuple[int, int]]] = {name: [] for name in chosen}
    every = list(system_names() if names is None else names)
    for number, system in enumerate((systems[name] for name in every), 1):
        live, last = sys.stderr.isatty(), number == len(every)
        if live or last or not number % _SHOWN:
            sys.stderr.write(
                f"{chr(13) if live else ''}{number} of {len(every)} systems ...{'' if live and not last else chr(10)}"
            )
            sys.stderr.flush()
        results = _under(system, calls, texts)
        for name in chosen:
            found[name].append((rows.position(results[name]), rules.position(_rule(name, calls[name][0], system))))
    functions_data = [
        {"name": name, "about": _about(function), "role": role_of(function), "table": tables.position(tuple(found[name]))}
        for name, (function, _) in calls.items()
    ]
    shared = {"texts": texts, "rows": rows, "rules": rules, "tables": tables}
    return {"dtypes": list(NODES), **{name: one.values() for name, one in shared.items()}, "names": functions_data}


def _under(
    system: PromotionSystem, calls: dict[str, tuple[Callable[..., Any], CodeType]], texts: Texts
) -> dict[str, tuple[int | None, ...]]:
    """Return the row of each function under a system: the position of a text for each dtype."""
    arguments = [_scope([_array(node)], _cutting()) if node in system else None for node in NODES.values()]
    with under(system), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            name: tuple(
                None if given is None else texts.position(_result_text(name, function, code, node, given, system))
                for node, given in zip(NODES.values(), arguments, strict=True)
            )
            for name, (function, code) in calls.items()
        }


def _cutting() -> Callable[[Any, str], Any]:
    """Return what makes each part of an only operand once."""
    parts: dict[str, Any] = {}

    def cut(x: Any, shape: str) -> Any:
        if shape not in parts:
            parts[shape] = _cut(x, shape)
        return parts[shape]

    return cut


def _result_text(
    name: str, function: Callable[..., Any], code: CodeType, node: Node, given: dict[str, Any], system: PromotionSystem
) -> str:
    """Return the dtypes of what a call gives, or its error after a "!"."""
    try:
        results = list(_nodes(eval(code, {**given, "f": function})))  # noqa: S307 - a call of the table of `explain`
    except Exception as error:  # noqa: BLE001 - the errors of functions are results here
        own = name.rpartition(".")[2]
        text = re.sub(r"Array\(.*", "an array of them", str(error), flags=re.DOTALL)
        return "!" + template_of(text, function=name, function_=own, dtype=node.name, system=system.name)
    return ", ".join(dict.fromkeys(one.name for one in results)) or "!no array"


#: What a rule of several says of which nothing else is said.
_NOTHING: Final = "no dtype is changed"


def _rule(name: str, function: Any, system: PromotionSystem) -> str:
    """Return the sentence that says which rule decided, with the function and the system as words in braces."""
    role = role_of(function)
    operands = None if system.roles is None else system.roles.operand_rule(name, role)
    results = () if system.roles is None else system.roles.result_rules(name, role)
    parts = []
    if operands is not None:
        own = not role or (name != role and name in system.data.operands)
        parts.append(
            f"{{system}} has a rule for {'{function}' if own else f'the role “{role}”'}: {operands.words or _NOTHING}."
        )
    if len(results) == 1:
        parts.append(f"A rule of {{system}} for results: {results[0].words or _NOTHING}.")
    elif results:
        each = "; ".join(f"({i}) {rule.words or _NOTHING}" for i, rule in enumerate(results, 1))
        parts.append(f"Rules of {{system}} for its results: {each}.")
    if not parts:
        own_rule = "the row of its definition" if hasattr(function, "row") else "its own rule"
        return f"{{system}} has no rule for {{function}}: {own_rule} decides, as in JAX."
    return " ".join(parts)


def _about(function: Callable[..., Any]) -> str:
    """Return the first line of a function's documentation that is no signature, without marks of code."""
    lines = [line for line in (inspect.getdoc(function) or "").splitlines() if line]
    first = lines[0] if lines else ""
    return (lines[1] if "(" in first.partition(" ")[0] and len(lines) > 1 else first).replace("`", "")
