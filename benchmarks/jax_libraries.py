"""Time programs of JAX's libraries that run on supremum, next to the same programs on compiled JAX.

Run ``python benchmarks/jax_libraries.py [NAME ...] [--write]`` where JAX and the libraries are installed. Each library is
imported twice in this process, on JAX and on supremum, and both take turns, in their steady state; the shortest
time counts. Forward passes are one jitted call. Programs are those of ``conformance/jax_libraries``: all of their
functions, compilation and recording of functions that are made anew in each call included, as their users have it.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.util
import io
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from page import put
from timing import race, timer

PROGRAMS = Path(__file__).resolve().parents[1] / "conformance" / "jax_libraries" / "programs"
SECONDS = 2.0
#: Modules that JAX and supremum share; those of msgpack refer to one another from C.
SHARED = ("numpy", "scipy", "ml_dtypes", "msgpack")
COMMON = set(sys.modules)
DRAW = np.random.default_rng(0).normal
ROWS, IMAGES, TOKENS = (DRAW(size=size).astype(np.float32) for size in ((32, 64), (8, 28, 28, 1), (4, 16, 32)))


def flax_linen(jax: Any, module: Callable[[Any], type], x: Any) -> Callable[[], Any]:
    """Return the forward pass of a module of flax.linen."""
    model = module(importlib.import_module("flax.linen"))()
    x = jax.numpy.asarray(x)
    params, run = model.init(jax.random.key(0), x), jax.jit(model.apply)
    return lambda: run(params, x)


def _perceptron(nn: Any) -> type:
    class Perceptron(nn.Module):  # type: ignore[misc]  # its class is not known to checkers
        @nn.compact  # type: ignore[untyped-decorator]  # likewise
        def __call__(self, x: Any) -> Any:
            for _ in range(3):
                x = nn.relu(nn.Dense(64)(x))
            return nn.Dense(10)(x)

    return Perceptron


def _images(nn: Any) -> type:
    class Images(nn.Module):  # type: ignore[misc]  # its class is not known to checkers
        @nn.compact  # type: ignore[untyped-decorator]  # likewise
        def __call__(self, x: Any) -> Any:
            for features in (32, 64):
                x = nn.avg_pool(nn.relu(nn.Conv(features, (3, 3))(x)), (2, 2), (2, 2))
            return nn.Dense(10)(nn.relu(nn.Dense(256)(x.reshape(x.shape[0], -1))))

    return Images


def _attention(nn: Any) -> type:
    class Attention(nn.Module):  # type: ignore[misc]  # its class is not known to checkers
        @nn.compact  # type: ignore[untyped-decorator]  # likewise
        def __call__(self, x: Any) -> Any:
            y = nn.LayerNorm()(x)
            x = x + nn.MultiHeadDotProductAttention(4)(y, y)
            return x + nn.Dense(32)(nn.gelu(nn.Dense(64)(nn.LayerNorm()(x))))

    return Attention


def flax_nnx(jax: Any) -> Callable[[], Any]:
    """Return the forward pass of a perceptron of flax.nnx."""
    nnx: Any = importlib.import_module("flax.nnx")

    class Perceptron(nnx.Module):  # type: ignore[misc]  # its class is not known to checkers
        def __init__(self, rngs: Any) -> None:
            self.first, self.second, self.third = (nnx.Linear(64, n, rngs=rngs) for n in (64, 64, 10))

        def __call__(self, x: Any) -> Any:
            return self.third(nnx.relu(self.second(nnx.relu(self.first(x)))))

    model, x, run = Perceptron(nnx.Rngs(0)), jax.numpy.asarray(ROWS), nnx.jit(lambda model, x: model(x))
    return lambda: run(model, x)


def haiku(jax: Any) -> Callable[[], Any]:
    """Return the forward pass of a perceptron of haiku."""
    hk = importlib.import_module("haiku")
    net = hk.without_apply_rng(hk.transform(lambda x: hk.nets.MLP([64, 64, 64, 10])(x)))  # noqa: PLW0108  # modules are made within `transform`
    x = jax.numpy.asarray(ROWS)
    params, run = net.init(jax.random.PRNGKey(0), x), jax.jit(net.apply)
    return lambda: run(params, x)


def equinox(jax: Any) -> Callable[[], Any]:
    """Return the forward pass of a perceptron of equinox."""
    eqx = importlib.import_module("equinox")
    model, x = eqx.nn.MLP(64, 10, 64, 3, key=jax.random.PRNGKey(0)), jax.numpy.asarray(ROWS)
    run = eqx.filter_jit(lambda model, x: jax.vmap(model)(x))
    return lambda: run(model, x)


FORWARD: dict[str, Callable[[Any], Callable[[], Any]]] = {
    "flax.linen, perceptron": lambda jax: flax_linen(jax, _perceptron, ROWS),
    "flax.linen, images": lambda jax: flax_linen(jax, _images, IMAGES),
    "flax.linen, attention": lambda jax: flax_linen(jax, _attention, TOKENS),
    "flax.nnx, perceptron": flax_nnx,
    "haiku, perceptron": haiku,
    "equinox, perceptron": equinox,
}


def program(name: str) -> Callable[[Any], Callable[[], Any]]:
    """Return what makes of a module `jax` the call of all functions of a program."""

    def made(_: Any) -> Callable[[], Any]:
        spec = importlib.util.spec_from_file_location(f"program_{name}", PROGRAMS / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        lacks = getattr(module, "LACKS", {})
        own = [f for f in vars(module).values() if callable(f) and getattr(f, "__module__", "") == module.__name__]
        functions = [f for f in own if not isinstance(f, type) and f.__name__[0] != "_" and f.__name__ not in lacks]
        return lambda: [function() for function in functions]

    return made


class Modules:
    """Modules that are imported in its `with` blocks, and found in these alone, as there are two of a name.

    JAX and the libraries import some of theirs when these are first used.
    """

    def __init__(self) -> None:
        self.held: dict[str, Any] = {}
        self.finders = list(sys.meta_path)

    def __enter__(self) -> None:
        sys.modules.update(self.held)
        sys.meta_path[:], self.finders = self.finders, list(sys.meta_path)

    def __exit__(self, *_: object) -> None:
        own = [name for name in sys.modules if name not in COMMON and name.partition(".")[0] not in SHARED]
        self.held = {name: sys.modules[name] for name in own}
        for name in own:
            del sys.modules[name]
        sys.meta_path[:], self.finders = self.finders, list(sys.meta_path)


class Turn:
    """A timer of a statement that is executed among these modules."""

    def __init__(self, code: str, names: dict[str, Any], modules: Modules) -> None:
        self.timer, self.modules = timer(code, names), modules

    def timeit(self, number: int) -> float:
        """Return the seconds that so many executions take."""
        with self.modules:
            return self.timer.timeit(number)


def silent(run: Callable[[], Any]) -> Any:
    """Return the result of a function that prints nothing."""
    with contextlib.redirect_stdout(io.StringIO()):
        return run()


def main(argv: list[str] | None = None) -> None:
    """Print a table and the medians, and write them if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="forward passes and programs; all of them by default")
    parser.add_argument("--write", action="store_true", help="write the block of RESULTS.md")
    args = parser.parse_args(argv)
    makers = {**FORWARD, **{path.stem: program(path.stem) for path in sorted(PROGRAMS.glob("*.py"))}}
    makers = {name: make for name, make in makers.items() if not args.names or name in args.names}
    theirs, ours = Modules(), Modules()
    with theirs:
        jax = importlib.import_module("jax")
        ready = jax.block_until_ready
    with ours:
        importlib.import_module("supremum.jax").install()
    ratios, lines = {}, ["| program | ms | JAX, ms | ratio |", "|---|---|---|---|"]
    for name, make in makers.items():
        try:
            with theirs:
                their_run = make(jax)
                ready(silent(their_run))
        except ImportError as error:
            print(f"{name}: not installed: {error}", file=sys.stderr)
            continue
        with ours:
            run = make(importlib.import_module("jax"))
            for _ in range(2):
                silent(run)
        timers = {
            "ours": Turn("silent(run)", {"silent": silent, "run": run}, ours),
            "theirs": Turn("ready(silent(run))", {"ready": ready, "silent": silent, "run": their_run}, theirs),
        }
        best = race(timers, SECONDS)
        ratios[name] = best["ours"] / best["theirs"]
        lines.append(f"| {name} | {best['ours'] * 1e3:.3f} | {best['theirs'] * 1e3:.3f} | {ratios[name]:.2f} |")
        print(lines[-1], flush=True)
    for kind, chosen in (("forward passes", FORWARD), ("programs", makers.keys() - FORWARD)):
        if found := [ratios[name] for name in chosen if name in ratios]:
            lines += ["", f"The median of {kind} is {statistics.median(found):.2f}, the greatest ratio {max(found):.2f}."]
            print(lines[-1])
    if args.write:
        put("jax_libraries", lines)


if __name__ == "__main__":
    main()
