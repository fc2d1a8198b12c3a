"""The commands of the command line; each returns its output as text."""

from __future__ import annotations

import argparse
import ast
import importlib.util
import io
import os
import platform
import re
import runpy
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from textwrap import fill
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum._cli.exploring import explore
from supremum._cli.running import ended_by, run
from supremum._cli.tour import engine
from supremum._core.setting_rows import OWN
from supremum.explaining import explain
from supremum.promotion import systems
from supremum.promotion._compare import compare
from supremum.promotion._lattice import LatticeError
from supremum.promotion._nodes import COMMON, NODES, as_node

Command = Callable[[argparse.Namespace], str | int]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add an option for each setting."""
    group = parser.add_argument_group("settings", "of `supremum.config`, for all commands")
    for row in OWN:
        described = (row.__doc__ or "").replace("`", "").rstrip(".")
        described = described[0].lower() + described[1:]
        group.add_argument(f"--{row.name.replace('_', '-')}", dest=f"config_{row.name}", metavar="VALUE", help=described)


def use_options(args: argparse.Namespace) -> None:
    """Set the settings of the options that were given."""
    for row in OWN:
        text = getattr(args, f"config_{row.name}")
        if text is not None:
            xp.config.update(row.name, row.parse(text))


def _nodes(args: argparse.Namespace) -> str | None:
    return None if args.all else "common"


def table(args: argparse.Namespace) -> str:
    """Show the promotion table of a system."""
    result = systems[args.system].table(vs=args.vs, nodes=_nodes(args))
    if args.html:
        return result.to_html()
    if args.json:
        return result.to_json()
    return result.to_csv().rstrip("\n") if args.csv else f"{result.to_text()}\n\n{result.legend()}"


def explain_(args: argparse.Namespace) -> str:
    """Explain what types or Python scalars promote to."""
    system = systems[args.system]  # before the operands, because a system may declare types of its own
    return str(explain(*map(_operand, args.types), system=system, op=args.op))


def _operand(word: str) -> Any:
    """Parse a number as a Python scalar, anything else as the name of a type."""
    try:
        value = ast.literal_eval(word)
    except (ValueError, SyntaxError):
        return word
    return value if type(value) in (bool, int, float, complex) else word


def lattice(args: argparse.Namespace) -> str:
    """Draw the lattice of a system as SVG."""
    diagram = systems[args.system].lattice
    if diagram is None:
        drawable = ", ".join(name for name, system in systems.items() if system.lattice is not None)
        raise LatticeError(f"{args.system} is a table, not a lattice; there are drawings of {drawable}")
    nodes = None if args.all else [name for name in diagram.nodes if name in COMMON or name not in NODES]
    join = [str(as_node(name)) for name in args.join or ()]
    kind = Path(args.output or "lattice.svg").suffix.lower()
    if kind == ".png":
        figure: Any = diagram.plot(nodes=nodes, join=join).figure
        figure.savefig(args.output, dpi=150, bbox_inches="tight")
        return f"{args.output}: the lattice of {args.system}"
    if kind != ".svg":
        raise ValueError(f"lattice: cannot make {args.output}; it makes files ending in .svg and, with matplotlib, .png")
    picture = diagram.to_svg(nodes=nodes, join=join)
    if args.output is None:
        return picture.rstrip("\n")
    Path(args.output).write_text(picture, encoding="utf-8")
    return f"{args.output}: the lattice of {args.system}"


def compare_(args: argparse.Namespace) -> str:
    """List the pairs of types that two systems treat differently."""
    return str(compare(args.first, args.second, nodes=None if args.all else "common"))


def laws(args: argparse.Namespace) -> str:
    """Report which laws a system satisfies, with counterexamples."""
    system = systems[args.system]
    return "\n\n".join(filter(None, (str(system.laws()), fill(system.data.notes, 100))))


def systems_(args: argparse.Namespace) -> str:  # noqa: ARG001  # all commands have one signature
    """List the promotion systems."""
    return str(systems)


def say(text: str) -> None:
    """Print a text, whose reader may have closed the pipe, as in ``supremum table | head``."""
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:  # what is still to be written goes nowhere, so that the flush at exit does not fail
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _execute(script: str, args: list[str], *, module: bool = False) -> None:
    """Run a script or a module; its exceptions are not caught."""
    before = sys.argv, list(sys.path)
    try:
        sys.argv = [script, *args]
        sys.path.insert(0, str(Path() if module else Path(script).resolve().parent))
        if module:
            runpy.run_module(script, run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(script, run_name="__main__")
    finally:
        sys.argv, sys.path[:] = before


#: How a script imports JAX.
_IMPORTS_JAX: Final = re.compile(rb"^\s*(?:import|from)\s+jax\b", re.MULTILINE)


def _is_for_jax(args: argparse.Namespace) -> bool:
    """Whether imports of jax are to find supremum.jax: by an option, or because the script has them."""
    module: bool = getattr(args, "module", False)
    return getattr(args, "jax", False) or (not module and _IMPORTS_JAX.search(Path(args.script).read_bytes()) is not None)


def _run(args: argparse.Namespace) -> int:
    """Run a script or a module as Python does, and return the exit status."""
    if _is_for_jax(args):
        return run_program(args)
    try:
        _execute(args.script, args.args, module=args.module)
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001 - as Python ends a program
        return ended_by(error)
    return 0


def trace(args: argparse.Namespace) -> int:
    """Run a script and list its implicit promotions, those that cost the most bytes first."""
    status = 1
    with xp.trace_promotions() as log:
        try:
            status = _run(args)
        finally:  # also if the script fails or exits
            if log.called or status:
                say(f"\n{log}")
    if log.called or status:
        return status
    sys.stderr.write(f"supremum: trace: {_nothing_called(args.script)}\n")
    return 2


def _nothing_called(script: str) -> str:
    """Return what to say of a program that never calls supremum, with the line to change."""
    text = f"{script} never calls supremum, so there is nothing to compare or to trace"
    try:
        spec = None if Path(script).is_file() else importlib.util.find_spec(script)
        source = Path(script if spec is None else str(spec.origin)).read_text(encoding="utf-8")
        imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    except (OSError, SyntaxError, ValueError, ImportError):
        imports = []
    for node in sorted(imports, key=lambda node: node.lineno):
        old = ast.unparse(node)
        new = re.sub(r"\b(jax\.numpy|numpy)\b", "supremum", old)
        if new != old:
            return f"{text}; change line {node.lineno}, {old}, to {new}"
    return f"{text}; import supremum as np in place of NumPy"


def lens(args: argparse.Namespace) -> int:
    """Run a script and list the lines that lose digits, by a second computation in a wider dtype."""
    with xp.precision_lens(args.reference) as found:
        progress = _Progress()
        found.show(progress)
        try:
            status = _run(args)
        finally:  # also if the script fails or exits
            progress.end()
            if args.output is not None:  # first of all: the reader of the output may be gone
                found.save(args.output)
            say(f"\n{found}" if args.output is None else f"\n{found}\n{args.output}: the report with the source")
    return status


class _Progress:
    """A line on standard error for programs that run longer than some seconds."""

    def __init__(self) -> None:
        self._next, self._shown = 5.0, False

    def __call__(self, calls: int, seconds: float) -> None:
        """Show how far the program is, from time to time."""
        if seconds < self._next:
            return
        live = sys.stderr.isatty()
        self._next, self._shown = seconds + (1.0 if live else 30.0), live
        sys.stderr.write(f"{chr(13) if live else ''}lens: {calls:,} calls in {seconds:.0f} s{'' if live else chr(10)}")
        sys.stderr.flush()

    def end(self) -> None:
        """End the line."""
        if self._shown:
            sys.stderr.write("\n")


class _Labelled:
    """What a script prints, on standard error, below a line that says under which system."""

    def __init__(self, label: str) -> None:
        self._label = label
        self.text = ""

    def write(self, text: str) -> int:
        """Print a text."""
        if text and not self.text:
            sys.stderr.write(f"{self._label}\n")
        self.text += text
        return sys.stderr.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr, name)


def port(args: argparse.Namespace) -> int:
    """Run a script under two systems and list the lines that differ, the first cause first, and what to write instead."""
    if args.output is not None and Path(args.output).suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"port: cannot make {args.output}; it makes files ending in .html")
    if _is_for_jax(args):
        install_jax(args)
    shown, hidden = _Labelled(f"{args.script} prints, under {args.first}:"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    runs = iter((shown, hidden))

    def script() -> None:
        # The second run prints the same, or what the report explains.
        output: Any = next(runs)
        with suppress(SystemExit), redirect_stdout(output), redirect_stderr(hidden if output is hidden else sys.stderr):
            _execute(args.script, args.args)

    report = xp.promotion.port(args.first, args.second, script)
    if not report.called and not report.errors:
        raise ValueError(f"port: {_nothing_called(args.script)}")
    if shown.text:
        sys.stderr.write("\n")
    if args.output is not None:
        Path(args.output).write_text(report.to_html(), encoding="utf-8")
    say(str(report) if args.output is None else f"{report}\n{args.output}: the report with the source")
    return 1 if report.errors else 0


def run_program(args: argparse.Namespace) -> int:
    """Run a JAX program without JAX: imports of jax get supremum.jax."""
    install_jax(args)
    return run(args.script, args.args, module=args.module)


def install_jax(args: argparse.Namespace) -> None:
    """Let imports of jax find supremum.jax, with JAX's settings and those of the options."""
    from supremum.jax import install

    install()
    use_options(args)


def check() -> int:
    """Test the installation in seconds, without its sources."""
    from supremum._cli.checking import check

    return check()


def info(args: argparse.Namespace) -> str:  # noqa: ARG001  # all commands have one signature
    """Show versions and settings."""
    import ml_dtypes

    rows = [
        ("supremum", xp.__version__),
        ("engine", engine()),
        ("array API", xp.__array_api_version__),
        ("numpy", np.__version__),
        ("ml_dtypes", ml_dtypes.__version__),
        ("python", f"{platform.python_implementation()} {platform.python_version()}"),
        ("platform", f"{platform.system()} {platform.machine()}"),
        *[(f"config.{row.name}", str(row.shown())) for row in OWN],
    ]
    rows += [(name, value) for name, value in sorted(os.environ.items()) if name.startswith("SUPREMUM_")]
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:{width}}  {value}" for name, value in rows)


COMMANDS: Final[dict[str, Command]] = {
    "table": table, "explain": explain_, "lattice": lattice, "compare": compare_, "laws": laws, "systems": systems_,
    "port": port, "explore": explore, "info": info,
}  # fmt: skip
