"""The command line: ``python -m supremum``, or ``supremum`` once installed; without a command, a tour."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from supremum._base.exceptions import describe, nearest
from supremum._cli.commands import COMMANDS, add_options, check, lens, run_program, say, trace, use_options
from supremum._cli.tour import tour
from supremum._version import __version__

_EXAMPLES: Final = """\
examples:
  python -m supremum port script.py --from numpy --to jax   the lines of a script whose dtypes differ, and what to write
  python -m supremum trace script.py                        its implicit promotions, and integers that overflow
  python -m supremum lens script.py                         the lines that lose digits
  python -m supremum run script.py                          a program of JAX, without JAX
  python -m supremum explain int8 float32 --op mean         what a function makes of dtypes, and why
  python -m supremum table numpy --vs jax                   a promotion table, with the differences
  python -m supremum explore                                all of it as a page in a browser
  python -m supremum check                                  whether the installation works
"""
#: The commands that run a script.
_RUNNING: Final = {"trace": trace, "lens": lens, "run": run_program}
_ALL = {**COMMANDS, **_RUNNING, "check": check}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="supremum",
        description="Port programs of NumPy and JAX; show type promotion: tables, explanations, traces. No command: a tour.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"supremum {__version__}")
    add_options(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str) -> argparse.ArgumentParser:
        summary = (_ALL[name].__doc__ or "").strip()
        return commands.add_parser(name, help=summary[0].lower() + summary[1:].rstrip("."), description=summary)

    one = command("table")
    one.add_argument("system", nargs="?", default="jax", help="a promotion system (default: jax)")
    one.add_argument("--vs", metavar="OTHER", help="highlight the cells that differ from another system")
    one.add_argument("--all", action="store_true", help="include the narrow types")
    form = one.add_mutually_exclusive_group()
    for name in ("html", "json", "csv"):
        form.add_argument(f"--{name}", action="store_true", help=f"as {name.upper()}")
    one = command("explain")
    one.add_argument("types", nargs="+", metavar="TYPE", help="a dtype (int8, bfloat16), a weak type (float*), or a number")
    one.add_argument("--system", default="jax", help="the promotion system (default: jax)")
    one.add_argument("--op", help="a function, such as sin, mean or linalg.norm, or an operator")
    one = command("lattice")
    one.add_argument("system", nargs="?", default="jax", help="a promotion system that is a lattice (default: jax)")
    one.add_argument("-o", "--output", metavar="FILE", help="the SVG or PNG file to write (default: SVG to standard output)")
    one.add_argument("--join", nargs="+", metavar="TYPE", help="types whose join to highlight")
    one.add_argument("--all", action="store_true", help="include the narrow types")
    one = command("compare")
    one.add_argument("first", metavar="A")
    one.add_argument("second", metavar="B")
    one.add_argument("--all", action="store_true", help="include the narrow types")
    command("laws").add_argument("system", help="a promotion system")
    command("systems")
    one = command("trace")
    one.add_argument("-m", dest="module", action="store_true", help="SCRIPT is the name of a module")
    one.add_argument("script", metavar="SCRIPT")
    one.add_argument("args", nargs=argparse.REMAINDER, help="arguments of the script").required = False
    one = command("lens")
    one.add_argument("--reference", default="float64", metavar="DTYPE", help="the wider dtype: float64 (default) or float32")
    one.add_argument("-o", "--output", metavar="FILE", help="an HTML file to write, with the source and what was found")
    one.add_argument(
        "--jax", action="store_true", help="let imports of jax find supremum.jax, as for scripts that import it themselves"
    )
    one.add_argument("-m", dest="module", action="store_true", help="SCRIPT is the name of a module")
    one.add_argument("script", metavar="SCRIPT")
    one.add_argument("args", nargs="*", default=[], help="arguments of the script; after --, if they begin with -")
    one = command("port")
    one.add_argument("script", metavar="SCRIPT")
    one.add_argument("--from", dest="first", default="numpy", help="the system that it was written for (default: numpy)")
    one.add_argument("--to", dest="second", default="jax", help="the system to port it to (default: jax)")
    one.add_argument("-o", "--output", metavar="FILE", help="an HTML file to write, with the source next to it")
    one.add_argument("args", nargs="*", default=[], help="arguments of the script; after --, if they begin with -")
    one.set_defaults(module=False)
    one = command("explore")
    one.add_argument("-o", "--output", metavar="FILE", help="the file to write (default: open the page in a browser)")
    one = command("run")
    one.add_argument("-m", dest="module", action="store_true", help="SCRIPT is the name of a module")
    one.add_argument("script", metavar="SCRIPT", help="a script, a folder with a __main__.py, or - for standard input")
    one.add_argument("args", nargs=argparse.REMAINDER, help="arguments of the script").required = False
    command("info")
    command("check")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; ``sys.argv[1:]`` if omitted.

    Examples
    --------
    >>> main(["explain", "int7"])
    2
    >>> main(["table", "python"])
        i* f* c*
    i*  i* f* c*
    f*  f* f* c*
    c*  c* c* c*
    <BLANKLINE>
    i* int*, f* float*, c* complex*, * is weak, as Python scalars are
    0
    """
    words = list(sys.argv[1:] if argv is None else argv)
    if words and not words[0].startswith("-") and words[0] not in _ALL:
        hint = nearest(words[0], _ALL) or f"; there are {', '.join(_ALL)}"
        return _fail(f"there is no command {describe(words[0])}{hint}")
    takes_dashes = next((word for word in words if word in _ALL), None) in ("lens", "port")
    own = words.index("--") if takes_dashes and "--" in words else len(words)
    args = _parser().parse_args(words[:own])
    try:
        use_options(args)
    except (TypeError, ValueError) as error:
        return _fail(str(error))
    if args.command in ("trace", "lens", "run", "port"):
        program = args.module or (args.command == "run" and (args.script == "-" or _is(Path.exists, args.script)))
        if not program and not _is(Path.is_file, args.script):
            return _fail(f"there is no script {describe(args.script)}")
        if args.command == "lens":
            if args.reference not in ("float32", "float64"):
                return _fail(f"lens: the reference is float64 or float32, not {describe(args.reference)}")
            if args.output is not None and Path(args.output).suffix.lower() not in (".html", ".htm"):
                return _fail(f"lens: cannot make {args.output}; it makes files ending in .html")
        if takes_dashes:
            args.args += words[own + 1 :]
        if args.command in _RUNNING:
            return _RUNNING[args.command](args)
    if args.command == "check":
        return check()
    try:
        result = tour() if args.command is None else COMMANDS[args.command](args)
        if isinstance(result, int):
            return result
        say(result)
    except (TypeError, ValueError, OSError, ImportError) as error:  # ImportError: an extra that is not installed
        return _fail(str(error).removeprefix("as_node: "))  # a name that users of the command line do not know
    return 0


def _is(test: Callable[[Path], bool], name: str) -> bool:
    try:
        return test(Path(name))
    except (OSError, ValueError):  # a name that no file can have
        return False


def _fail(message: str) -> int:
    print(f"supremum: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
