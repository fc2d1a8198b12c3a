"""``python -m supremum run``: run a JAX program without JAX, as Python runs a program."""

from __future__ import annotations

import builtins
import importlib.util
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from supremum._base.frames import without_own_frames


def run(target: str, args: Sequence[str], *, module: bool = False) -> int:
    """Run a script, or a module by name, in which imports of `jax` get `supremum.jax`; return the exit status.

    The program has its own ``__main__``, ``sys.argv`` and ``sys.path[0]``, and tracebacks without frames of this package,
    unless the environment variable ``JAX_TRACEBACK_FILTERING`` is ``off``.
    """
    from supremum.jax import install

    install()
    main = ModuleType("__main__")
    main.__dict__.update({"__builtins__": builtins, "__annotations__": {}})
    sys.modules["__main__"] = main
    try:
        code = _of_module(target, args, main) if module else _of_script(target, args, main)
        # Spawned processes get this path, and find jax in the folder.
        sys.path.insert(1, os.fspath(Path(__file__).parent / "children"))
        exec(code, main.__dict__)  # noqa: S102 - the program that the user wants to run
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001 - as Python ends a program
        return ended_by(error)
    return 0


def ended_by(error: BaseException) -> int:
    """Show an exception that ended a program, without frames of this package, and return the exit status."""
    without_own_frames(error)
    sys.excepthook(type(error), error, error.__traceback__)
    return 130 if isinstance(error, KeyboardInterrupt) else 1


def _of_script(target: str, args: Sequence[str], main: Any) -> CodeType:
    """Return the code of a script, of a folder with a ``__main__.py``, or of standard input for ``-``."""
    sys.argv[:] = [target, *args]
    if target == "-":
        sys.path.insert(0, "")
        main.__file__ = "<stdin>"
        return compile(sys.stdin.read(), "<stdin>", "exec")
    path = Path(target)
    sys.path.insert(0, str((path if path.is_dir() else path.parent).resolve()))
    if path.is_dir():
        path /= "__main__.py"
    main.__file__ = os.fspath(path if Path(target).is_dir() else target)
    with io.open_code(os.path.abspath(path)) as file:  # noqa: PTH100 - keeps symbolic links, as Python does
        source = file.read()
    return compile(source, main.__file__, "exec")


def _of_module(target: str, args: Sequence[str], main: Any) -> CodeType:
    """Return the code of a module, or of the ``__main__`` of a package."""
    sys.argv[:] = ["-m", *args]
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 - text, as Python has it
    try:
        spec = importlib.util.find_spec(target)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{target}.__main__")
    except ModuleNotFoundError as error:
        if error.name is None or not f"{target}.".startswith(f"{error.name}."):
            raise
        spec = None
    loader: Any = None if spec is None else spec.loader
    code = None if spec is None or loader is None else loader.get_code(spec.name)
    if spec is None or code is None:
        sys.stderr.write(f"{sys.executable}: No module named {target}\n")
        raise SystemExit(1)
    sys.argv[0] = str(spec.origin)
    main.__spec__, main.__loader__, main.__package__, main.__file__ = spec, loader, spec.parent, spec.origin
    return code
