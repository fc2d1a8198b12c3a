"""Record SciPy's results of special functions and distributions in float64, in ``tests/scipy/references.json``.

Needs SciPy. The tests compare with them at a few hundred roundings, which JAX's float32 results do not show.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import scipy.special
import scipy.stats

from conformance.jax.specs.scipy_stats import CONTINUOUS, DISCRETE

FILE = Path(__file__).parents[2] / "tests" / "scipy" / "references.json"
WIDE = [-30.0, -4.5, -1.0, -0.125, 1e-3, 0.3, 0.875, 1.5, 3.25, 7.0, 18.0, 45.0, 120.0]
POSITIVE = [x for x in WIDE if x > 0]
#: Functions of jax.scipy.special, and lists of arguments.
SPECIAL: dict[str, list[list[float]]] = {
    **{name: [[x] for x in WIDE] for name in ("dawsn", "erfcx", "expi", "fresnel", "i1", "i1e", "sici")},
    **{name: [[x] for x in POSITIVE] for name in ("exp1", "spence")},
    "expn": [[n, x] for n in (0, 1, 3, 12) for x in POSITIVE],
    "gammainc": [[a, x] for a in (0.1, 2.5, 40.0, 900.0) for x in (0.05, 1.0, 3.0, 41.0, 880.0, 1000.0)],
    "gammaincc": [[a, x] for a in (0.1, 2.5, 40.0, 900.0) for x in (0.05, 1.0, 3.0, 41.0, 880.0, 1000.0)],
    "betainc": [[a, b, x] for a in (0.3, 2.0, 60.0) for b in (0.7, 5.0, 80.0) for x in (0.01, 0.3, 0.5, 0.95)],
    "zeta": [[x, q] for x in (1.01, 2.0, 7.5, 30.0) for q in (0.25, 1.0, 11.0, 300.0)],
    "hyp1f1": [[a, b, x] for a in (-2.0, 0.5, 3.0) for b in (0.75, 2.0) for x in (-25.0, -0.5, 0.5, 6.0, 30.0)],
    "hyp2f1": [[a, b, c, x] for a in (-2.0, 0.5) for b in (0.75, 2.0) for c in (1.5, 3.1) for x in (-2.0, -0.5, 0.5, 0.95)],
    "owens_t": [[h, a] for h in (-2.0, 0.1, 1.0, 4.0) for a in (-3.0, 0.2, 1.0, 8.0)],
    "comb": [[n, k] for n in (4.0, 30.0, 7.5) for k in (0.0, 2.0, 5.0)],
    "poch": [[z, m] for z in (0.5, 3.0, 30.0) for m in (0.0, 2.0, 4.5)],
    "ndtri": [[p] for p in (1e-300, 1e-20, 1e-6, 0.3, 0.5, 0.9, 1 - 1e-10)],
}
NUMBERS = [-2.5, -0.5, 0.125, 0.75, 1.0, 2.25, 3.5, 6.0]
COUNTS = [0.0, 1.0, 2.0, 3.0, 4.0, 7.0]
PROBABILITIES = [1e-9, 0.01, 0.4, 0.75, 0.999]


def plain(value: object) -> object:
    """Return a result as numbers, or a list of them."""
    return [float(part) for part in value] if isinstance(value, tuple) else float(value)  # type: ignore[arg-type]  # it is no tuple here


def main(argv: list[str]) -> None:  # noqa: ARG001 - scripts get their arguments
    """Write the file."""
    warnings.simplefilter("ignore")
    special = {
        name: [[*args, plain(getattr(scipy.special, name)(*args))] for args in calls] for name, calls in SPECIAL.items()
    }
    stats = {}
    for name, (functions, shapes, places) in {**CONTINUOUS, **DISCRETE}.items():
        moves = [0.5, 2.0] if places == 2 else []
        for function in functions:
            values = PROBABILITIES if function in ("ppf", "isf") else COUNTS if name in DISCRETE else NUMBERS
            if name in ("vonmises", "wrapcauchy"):
                values = [0.0, 0.5, 2.5]
            found = getattr(getattr(scipy.stats, name), function)(np.asarray(values), *shapes, *moves)
            stats[f"{name}.{function}"] = [[x, *shapes, *moves, float(y)] for x, y in zip(values, found, strict=True)]
    FILE.write_text(json.dumps({"special": special, "stats": stats}, indent=0).replace(",\n", ", ") + "\n")
