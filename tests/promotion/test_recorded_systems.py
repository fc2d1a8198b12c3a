"""Under an activated system, operators and functions have the dtypes (or errors) of its package.

conformance/systems/record.py makes the recordings from the live packages.
"""

import json
from pathlib import Path

from common import for_each

import supremum as xp
from supremum import promotion
from supremum.promotion._nodes import ABSENT

DATA = Path(__file__).parents[2] / "conformance" / "systems" / "data"
RECORDINGS = {path.stem: json.loads(path.read_text()) for path in sorted(DATA.glob("*.json"))}
SCALARS = {"bool": True, "int": 2, "float": 2.5, "complex": 2.5j}
MASK = xp.asarray([True, False])


def where(x, y):
    return xp.where(MASK, x, y)


ARRAYS = {
    "add": lambda x, y: x + y,
    "where": where,
    "concat": lambda x, y: xp.concat([x, y]),
    "result_type": xp.result_type,
    "zero_dim_add": lambda x, y: x + y,
    "zero_dim_where": where,
    "zero_dim_result_type": xp.result_type,
    "scalar_add": lambda x, s: x + s,
    "scalar_multiply": lambda x, s: x * s,
    "scalar_rmultiply": lambda x, s: s * x,
    "scalar_result_type": xp.result_type,
}
CASES = [(system, name) for system, found in RECORDINGS.items() for name in ARRAYS if name in found]


def operand(name, ndim=1):
    with promotion.use("jax"):
        return xp.zeros((2,) * ndim, dtype=name)


def answer(function, x, y):
    try:
        result = function(x, y)
    except (TypeError, ValueError, OverflowError):
        return "-"
    return getattr(result, "dtype", result).name


def test_there_are_recordings():
    assert {"numpy", "torch", "array_api", "tensorflow", "tensorflow_legacy", "tensorflow_all", "tensorflow_safe"} <= set(
        RECORDINGS
    )


@for_each(("system", "name"), CASES)
def test_a_system_in_force_answers_as_its_package(system, name):
    found = RECORDINGS[system]
    columns = found["scalars"] if name.startswith("scalar_") else found["dtypes"]
    wrong = []
    for row, line in found[name].items():
        for column, expected in zip(columns, line.split(), strict=True):
            if expected == "?":
                continue  # the package lacks the kernel, so its promotion is unknown
            if {row, column, expected} & ABSENT:
                continue  # a dtype that the installed ml_dtypes lacks
            second = (
                SCALARS[column] if name.startswith("scalar_") else operand(column, 0 if name.startswith("zero_dim") else 1)
            )
            with promotion.use(system):
                got = answer(ARRAYS[name], operand(row), second)
            if got != expected:
                wrong.append(f"{row}, {column}: {got} instead of {expected}")
    assert not wrong, f"{len(wrong)} cells differ from {found['package']} {found['version']}: {wrong[:12]}"
