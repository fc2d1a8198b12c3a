"""Replay the recorded calls of JAX against supremum, and write ``conformance/JAX.md``.

Needs supremum, not JAX. ``python -m conformance jax.replay [group ...] [--target PATTERN] [--show N] [--report FILE]``; the
page is written if all groups and targets are replayed. The exit status is 1 if a mismatch has no reason in ``deviations.py``.
"""

from __future__ import annotations

import argparse
import fnmatch
import functools
import gzip
import json
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import supremum
from conformance.jax import calls, deviations
from conformance.jax.compare import Mismatch, mismatches
from conformance.jax.supremum_backend import SupremumBackend
from supremum.promotion._nodes import ABSENT

HERE = Path(__file__).parent
DATA = HERE / "data"
PAGE = HERE.parent / "JAX.md"
MODES = ("on", "off")
#: What the first bar of the page counts; the second one counts values.
FORM = frozenset({"dtype", "weak", "shape", "exception", "class", "type"})


@dataclass
class Result:
    """The outcomes of the calls of one target."""

    total: int = 0
    absent: int = 0
    form_misses: int = 0
    value_misses: int = 0
    unexplained_forms: int = 0
    warned_otherwise: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    unexplained: list[Mismatch] = field(default_factory=list)

    @property
    def passed(self) -> int:
        """The number of calls that agree with JAX, or differ for a reason."""
        return self.total - self.absent - len(self.unexplained)

    def add(self, other: Result) -> None:
        """Add another result."""
        for name in ("total", "absent", "form_misses", "value_misses", "unexplained_forms", "warned_otherwise"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.reasons.update(other.reasons)
        self.unexplained.extend(other.unexplained)


def groups() -> list[str]:
    """Return the names of the recorded groups."""
    return sorted(path.name.removesuffix(".jsonl.gz") for path in DATA.glob("*.jsonl.gz"))


def lines_of(group: str) -> list[str]:
    """Return the lines of a group, without those that need dtypes that the installed ml_dtypes lacks."""
    unknown = [word for name in ABSENT for word in (f'"{name}"', f'jnp.{name}"')]
    lines = gzip.decompress((DATA / f"{group}.jsonl.gz").read_bytes()).decode().splitlines()
    return [line for line in lines if not any(word in line for word in unknown)] if unknown else lines


def lines_by_target(group: str) -> dict[str, list[str]]:
    """Return the lines of a group by target, which is what each line begins with."""
    by_target = defaultdict(list)
    for line in lines_of(group):
        by_target[json.loads(line[2 : line.index('"', 3) + 1])].append(line)
    return dict(by_target)


def targets(group: str) -> list[str]:
    """Return the targets of a group."""
    return sorted(lines_by_target(group))


@functools.lru_cache(maxsize=1)
def recordings(group: str) -> dict[str, list[list[Any]]]:
    """Return the records of a group by target."""
    return {target: [*map(json.loads, lines)] for target, lines in lines_by_target(group).items()}


def replay_call(call: list[Any], expected: dict[str, Any], mode: str, backend: SupremumBackend) -> Mismatch | None:
    """Execute one call and return the differences; an absent name raises AbsentError."""
    try:
        actual, error = calls.run(call, backend), None
    except calls.AbsentError:
        raise
    except Exception as caught:  # noqa: BLE001  # any exception is an outcome to compare
        actual, error = None, caught
    found = mismatches(call, expected, actual, error)
    return Mismatch(call, mode, expected, actual, error, found) if found else None


def replay_target(records: list[list[Any]], backend: SupremumBackend) -> Result:
    """Replay the records of one target in both modes."""
    result = Result()
    for mode in MODES:
        with (
            supremum.config.use(x64=mode, out_of_range="clip"),
            warnings.catch_warnings(record=True) as said,
            np.errstate(all="ignore"),
        ):
            warnings.simplefilter("always")
            for call, on, *off in records:
                expected = off[0] if off and mode == "off" else on
                if expected is None:
                    continue
                result.total += 1
                said.clear()
                try:
                    mismatch = replay_call(call, expected, mode, backend)
                except calls.AbsentError:
                    result.absent += 1
                    continue
                if mismatch is not None:
                    _count(mismatch, result)
                elif "r" in expected and {w.category.__name__ for w in said} != set(expected.get("w", ())):
                    result.warned_otherwise += 1
    return result


def _count(mismatch: Mismatch, result: Result) -> None:
    form = bool(FORM.intersection(mismatch.found))
    result.form_misses += form
    result.value_misses += not form
    reason = deviations.reason_for(mismatch)
    if reason is None:
        result.unexplained.append(mismatch)
        result.unexplained_forms += form
    else:
        result.reasons[reason] += 1


def replay(wanted: list[str], pattern: str = "*") -> Iterator[tuple[str, str, Result]]:
    """Replay groups; yield group, target and result."""
    backend = SupremumBackend()
    for group in wanted:
        for target, records in sorted(recordings(group).items()):
            if fnmatch.fnmatch(target, pattern):
                yield group, target, replay_target(records, backend)


# The page -------------------------------------------------------------------------------------------------------------------


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "-"


def _row(name: str, misses: int, unexplained: int, whole: int, bar: str) -> str:
    return f"| {name} | {_percent(whole - misses, whole)} | {_percent(whole - unexplained, whole)} | {bar} |"


def page(results: list[tuple[str, str, Result]], jax_version: str = "0.10.2") -> str:
    """Return the text of ``JAX.md``."""
    total = Result()
    for _, _, result in results:
        total.add(result)
    present = total.total - total.absent
    formed = present - total.form_misses
    unexplained_values = len(total.unexplained) - total.unexplained_forms
    absent = sorted({target for _, target, result in results if result.absent})
    lines = [
        f"# Replay of JAX {jax_version}",
        "",
        "Written by `conformance/jax/replay.py`; do not edit. Calls recorded from JAX in both x64 modes are made with",
        "supremum; dtype, weak type, shape, exception and values (up to rounding) are compared.",
        "",
        f"* calls: {total.total}, of names that supremum lacks: {total.absent}",
        "",
        "| | JAX's | JAX's, or different for a reason | bar |",
        "|---|---|---|---|",
        _row("dtype, weak type, shape, exception", total.form_misses, total.unexplained_forms, present, "99.5 %"),
        _row("values where these agree", total.value_misses, unexplained_values, formed, "99 %"),
        "",
        f"* calls that agree except for the classes of their warnings: {total.warned_otherwise}",
        f"* calls that differ for a reason: {sum(total.reasons.values())}; without: {len(total.unexplained)}",
        "",
        "## Deviations",
        "",
        "| calls | reason |",
        "|---|---|",
        *(f"| {count} | {reason} |" for reason, count in total.reasons.most_common()),
        "",
        "## Functions",
        "",
    ]
    if absent:
        lines += ["Absent: " + ", ".join(f"`{target}`" for target in absent) + ".", ""]
    for group in dict.fromkeys(group for group, _, _ in results):
        lines += [f"### {group}", "", "| function | passed | total | deviating |", "|---|---|---|---|"]
        for of, target, result in results:
            if of == group:
                deviating = sum(result.reasons.values()) or ""
                lines.append(f"| `{target}` | {result.passed} | {result.total} | {deviating} |")
        lines.append("")
    return "\n".join(lines)


def report(results: list[tuple[str, str, Result]], show: int) -> str:
    """Return the unexplained mismatches, a few of each kind for each target."""
    lines = []
    for group, target, result in results:
        kinds: dict[str, list[Mismatch]] = defaultdict(list)
        for mismatch in result.unexplained:
            kinds["+".join(mismatch.found)].append(mismatch)
        if result.absent:
            lines.append(f"{group} {target}: absent ({result.absent} of {result.total})")
        for kind, found in kinds.items():
            lines.append(f"{group} {target}: {kind} differs in {len(found)} of {result.total}")
            step = max(1, len(found) // show)
            lines += [f"    {text}" for mismatch in found[::step][:show] for text in mismatch.lines()]
    return "\n".join([*lines, ""])


def main(argv: list[str]) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*")
    parser.add_argument("--target", default="*", help="replay only targets that match, such as 'jnp.linalg.*'")
    parser.add_argument("--show", type=int, default=1, help="how many examples of each kind of mismatch")
    parser.add_argument("--report", type=Path, help="write the mismatches to a file, not to the terminal")
    options = parser.parse_args(argv)
    results = list(replay(options.groups or groups(), options.target))
    text = report(results, options.show)
    if options.report:
        options.report.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    if not options.groups and options.target == "*":
        PAGE.write_text(page(results), encoding="utf-8")
    total = Result()
    for _, _, result in results:
        total.add(result)
    explained = sum(total.reasons.values())
    print(f"{total.total} calls, {total.absent} absent, {explained} explained, {len(total.unexplained)} not")
    sys.exit(bool(total.unexplained or total.absent))
