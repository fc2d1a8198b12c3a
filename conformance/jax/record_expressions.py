"""Record JAX's results of the expressions in ``tests/jax_expressions/*.txt``, in both x64 modes. Needs JAX 0.10.2.

``python -m conformance jax.record_expressions FILE ...`` rewrites the files: below every expression (a line that starts with
``> ``) it writes a line ``both``, or lines ``off`` and ``on`` if the two modes differ. An outcome is a repr with normalized
white space, or ``raises`` and the class of the exception; the classes of warnings follow. Lines that start with ``! `` are
statements that define names. Lines ``ours`` (``ours_off``, ``ours_on``) are supremum's results where they differ, with the
reason after ``  # ``. A line ``little`` says that the result depends on the order of bytes and is that of little-endian
processors. These three kinds of lines are kept.
"""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any


def outcome(expression: str, names: dict[str, Any]) -> str:
    """Evaluate an expression and return its outcome as text."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            text = " ".join(repr(eval(expression, names)).split())  # noqa: S307 - our own expressions
        except Exception as error:  # noqa: BLE001 - any exception of JAX is a result
            return f"raises {type(error).__name__}"
    said = sorted({warning.category.__name__ for warning in caught})
    return text + "".join(f"  warns {name}" for name in said)


def answers(path: Path) -> list[str]:
    """Evaluate all expressions of a file with JAX, in the mode of this process."""
    import jax
    import jax.experimental.ode
    import jax.flatten_util
    import jax.image
    import jax.nn
    import jax.numpy as jnp
    import jax.scipy.optimize
    import jax.scipy.sparse.linalg
    import jax.scipy.special
    import numpy as np

    names: dict[str, Any] = {"jax": jax, "jnp": jnp, "np": np}
    found = []
    for line in path.read_text().splitlines():
        if line.startswith("! "):
            exec(line[2:], names)  # noqa: S102 - our own statements
        elif line.startswith("> "):
            found.append(outcome(line[2:], names))
    return found


def main(argv: list[str]) -> None:
    """Rewrite the files named on the command line; with ``--answers``, print the answers of one."""
    if argv[0] == "--answers":
        print("\n".join(answers(Path(argv[1]))))
        return
    for name in argv:
        path = Path(name)
        modes = []
        for x64 in ("0", "1"):
            environment = {**os.environ, "JAX_ENABLE_X64": x64, "JAX_PLATFORMS": "cpu"}
            command = [sys.executable, "-m", "conformance", "jax.record_expressions", "--answers", name]
            modes.append(
                subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.splitlines()
            )
        recorded = zip(*modes, strict=True)
        lines = []
        for line in path.read_text().splitlines():
            if line.startswith(("both ", "off ", "on ")):
                continue
            lines.append(line)
            if line.startswith("> "):
                off, on = next(recorded)
                lines += [f"both {off}"] if off == on else [f"off {off}", f"on {on}"]
        path.write_text("\n".join(lines) + "\n")
