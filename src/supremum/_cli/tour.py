"""A tour of one screen: lines that are executed as they are shown."""

from __future__ import annotations

import code
import io
import sys
from contextlib import redirect_stdout
from textwrap import shorten
from typing import Any, Final

import supremum as xp
from supremum._base.buffers import why_not

#: Statements, each with the lines that demonstrate it.
TOUR: Final = (
    ("Python scalars are weak: they take the dtype of the array.", ('x = xp.arange(5, dtype="int8")', "2 * x + 1")),
    (
        "Two arrays promote to the least type above both.",
        ('x + xp.ones(5, dtype="uint8")', 'x + xp.ones(5, dtype="bfloat16")'),
    ),
    (
        "bfloat16 is a dtype like any other, and its sums are rounded once (NumPy with ml_dtypes returns 256).",
        ('xp.ones(1000, dtype="bfloat16").sum()',),
    ),
    ("Every promotion can be explained ...", ('print(xp.promotion.explain("int32", "float32"))',)),
    ("... switched to the rules of another library ...", ('with xp.promotion.use("numpy"): print((x + xp.ones(5)).dtype)',)),
    ("... and forbidden.", ('with xp.numpy_dtype_promotion("strict"): x + xp.ones(5)',)),
)


class _Shell(code.InteractiveInterpreter):
    """An interactive interpreter that prints errors in one line and to standard output."""

    def showtraceback(self) -> None:
        kind, error, _ = sys.exc_info()
        name = kind.__name__ if kind is not None else "error"
        sys.stdout.write(f"{shorten(f'{name}: {error}', 108, placeholder=' ...')}\n")


def tour() -> str:
    """Return the text of the tour."""
    names: dict[str, Any] = {"xp": xp}
    shell = _Shell(names)
    with redirect_stdout(io.StringIO()) as out:
        out.write(f"supremum {xp.__version__}: arrays whose dtypes promote as JAX's do, on NumPy\nengine: {engine()}\n")
        for claim, lines in TOUR:
            out.write(f"\n{claim}\n")
            for line in lines:
                out.write(f">>> {line}\n")
                shell.runsource(line + "\n" if line.startswith("with") else line, "<tour>", "single")
    return (
        f"{out.getvalue()}\nGo on with `python -m supremum` and: port SCRIPT | trace SCRIPT | lens SCRIPT | run JAX_SCRIPT |\n"
        "table jax --vs numpy | explain int8 uint8 float16 | compare jax torch | lattice jax -o jax.svg | laws numpy |\n"
        "systems | explore | info | check"
    )


def engine() -> str:
    """Return which engine runs, and why."""
    if xp.__engine__ == "native":
        return "native, in C"
    return f"reference, in Python, slower than the one in C ({why_not})"
