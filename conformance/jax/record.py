"""Record JAX's results of the calls of ``specs/`` in ``data/<group>.jsonl.gz``.

Needs JAX 0.10.2. ``python -m conformance jax.record [group ...]`` makes the calls that are not recorded yet, in both x64
modes. It may be interrupted and run again. A call that crashes JAX is noted and skipped by the next run. ``--modes off``
records without x64 only, which is half the work.

A line of data is ``[call, outcome with x64]``, or ``[call, outcome with x64, outcome without]`` if they differ; an outcome
that was not recorded is null. An outcome is ``{"r": result}`` or ``{"x": exception}``, with the classes of the warnings under
``"w"``.
"""

from __future__ import annotations

import argparse
import fnmatch
import gzip
import importlib
import json
import sys
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import jax
import jax.nn
import jax.nn.initializers
import jax.numpy as jnp
import jax.random
import jax.scipy.cluster.vq
import jax.scipy.fft
import jax.scipy.integrate
import jax.scipy.linalg
import jax.scipy.ndimage
import jax.scipy.signal
import jax.scipy.special
import jax.scipy.stats
import numpy as np
from jax._src.lax import lax

from conformance.jax import calls
from conformance.jax.specs import GROUPS

HERE = Path(__file__).parent
DATA = HERE / "data"
EXPECTED_JAX = "0.10.2"
#: Clear JAX's cache of compiled programs after this many calls, to bound memory.
FORGET_EVERY = 4000


class JaxBackend:
    """Make the values of the call language with JAX."""

    namespaces: Mapping[str, Any] = MappingProxyType({"jnp": jnp, "jax": jax})
    transformations = jax

    def array(self, data: np.ndarray[Any, Any]) -> Any:
        """Make a strong array; 64 bits become 32 in the mode without 64-bit types."""
        return jnp.asarray(data)

    def weak(self, kind: str, data: np.ndarray[Any, Any]) -> Any:
        """Make a weak array; JAX has no public function that makes one of given elements."""
        default = jax.dtypes.canonicalize_dtype({"int": np.int64, "float": np.float64, "complex": np.complex128}[kind])
        return lax._convert_element_type(data, default, weak_type=True)


def outcome_of(coded: list[Any], backend: JaxBackend) -> dict[str, Any]:
    """Execute one call and encode its outcome."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome = {"r": calls.encode_outcome(calls.run(coded, backend))}
        except calls.AbsentError:
            raise
        except Exception as error:  # noqa: BLE001  # the exception is recorded
            outcome = calls.encode_error(error)
    if caught:
        outcome["w"] = sorted({w.category.__name__ for w in caught})
    return outcome


class Store:
    """The outcomes of one group: a compressed file, and an uncompressed one of those added since."""

    def __init__(self, group: str) -> None:
        self.final = DATA / f"{group}.jsonl.gz"
        self.part = DATA / f"{group}.part"
        self.pending = DATA / f"{group}.pending"
        self.known: dict[tuple[str, str], Any] = {}
        if self.final.exists():
            for line in gzip.decompress(self.final.read_bytes()).decode().splitlines():
                call, on, *off = json.loads(line)
                both = {"on": on, "off": off[0] if off else on}
                self.known |= {(calls.dumps(call), mode): outcome for mode, outcome in both.items() if outcome is not None}
        if self.part.exists():
            for line in self.part.read_text().splitlines():
                mode, call, outcome = json.loads(line)
                self.known[calls.dumps(call), mode] = outcome
        self._pass_over_what_crashed()

    def forget(self, pattern: str) -> None:
        """Remove the outcomes of the targets that match."""
        self.known = {k: v for k, v in self.known.items() if not fnmatch.fnmatch(json.loads(k[0])[0], pattern)}

    def _pass_over_what_crashed(self) -> None:
        text = self.pending.read_text() if self.pending.exists() else ""
        mode, call = json.loads(text or '["", []]')
        if mode and (calls.dumps(call), mode) not in self.known:
            print("JAX crashed in", mode, calls.dumps(call), flush=True)
            self.known[calls.dumps(call), mode] = None
            self._append(mode, call, None)

    def _append(self, mode: str, call: Any, outcome: Any) -> None:
        with self.part.open("a") as file:
            file.write(calls.dumps([mode, call, outcome]) + "\n")

    def record(self, mode: str, call: list[Any], backend: JaxBackend) -> None:
        """Execute the call in the current mode, and store the outcome."""
        self.pending.write_text(calls.dumps([mode, call]))
        outcome = outcome_of(call, backend)
        self.known[calls.dumps(call), mode] = outcome
        self._append(mode, call, outcome)

    def finish(self, wanted: Iterable[list[Any]]) -> None:
        """Write the compressed file, with only the wanted calls, in their order."""
        lines = []
        for call in wanted:
            on, off = (self.known.get((calls.dumps(call), mode)) for mode in ("on", "off"))
            if on is not None or off is not None:
                lines.append(calls.dumps([call, on] if on and off and same(on, off) else [call, on, off]))
        text = "".join(line + "\n" for line in lines).encode()
        self.final.write_bytes(gzip.compress(text, 9, mtime=0))
        self.part.unlink(missing_ok=True)
        self.pending.unlink(missing_ok=True)


def same(on: dict[str, Any], off: dict[str, Any]) -> bool:
    """Whether two outcomes agree, messages apart."""
    return calls.dumps({**on, "m": ""}) == calls.dumps({**off, "m": ""})


def unique(group: Iterable[list[Any]]) -> Iterator[list[Any]]:
    """Drop repeated calls."""
    seen = set()
    for call in group:
        key = calls.dumps(call)
        if key not in seen:
            seen.add(key)
            # Parse the encoded text, so that the recorded value is the one that will be read.
            yield json.loads(key)


def record_group(group: str, again: str, modes: Iterable[str]) -> None:
    """Record the missing calls of one group in some modes, and those of the targets that match again."""
    wanted = list(unique(importlib.import_module(f"conformance.jax.specs.{group}").calls()))
    store = Store(group)
    store.forget(again)
    backend = JaxBackend()
    start, made = time.monotonic(), 0
    for mode in modes:
        jax.config.update("jax_enable_x64", mode == "on")
        for call in wanted:
            if (calls.dumps(call), mode) in store.known:
                continue
            store.record(mode, call, backend)
            made += 1
            if made % FORGET_EVERY == 0:
                jax.clear_caches()
                print(f"{group} {mode}: {made} in {time.monotonic() - start:.0f} s", flush=True)
    store.finish(wanted)
    size = store.final.stat().st_size
    elapsed = time.monotonic() - start
    print(f"{group}: {len(wanted)} calls, {made} made now in {elapsed:.0f} s, {size / 1e3:.0f} kB", flush=True)


def main(argv: list[str]) -> None:
    """Record the groups named on the command line, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", default=GROUPS)
    parser.add_argument("--again", default="", help="record the targets that match this pattern again")
    parser.add_argument("--modes", nargs="*", choices=("off", "on"), default=("off", "on"))
    options = parser.parse_args(argv)
    if jax.__version__ != EXPECTED_JAX:
        sys.exit(f"JAX {EXPECTED_JAX} is the authority; this is {jax.__version__}")
    for group in options.groups:
        record_group(group, options.again, options.modes)
