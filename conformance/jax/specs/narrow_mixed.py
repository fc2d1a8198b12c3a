"""Calls with narrow dtypes and other dtypes or scalars, casts from and to them, and creation with them."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

from conformance.jax.calls import arr, call, dt, function, name, weak

from ._common import Call, mask, sample, special
from .dtypes import EXTENDED
from .narrow_functions import DTYPES, INTEGERS

PARTNERS = [*DTYPES, "bool", "uint8", "int32", "float32", "complex64"]
#: The narrow dtypes that JAX supports on the CPU; it has only the names of 6-bit floats and 1-bit integers.
OTHERS = [dtype for dtype in EXTENDED if not dtype.startswith("float6") and dtype not in ("int1", "uint1")]
SCALARS = [True, 2, -1, 0.5, 1j, weak(3), weak(1.5)]


def mixed() -> Iterator[Call]:
    """Yield calls: functions of several arrays, of a narrow dtype with each other one and with Python scalars."""
    for dtype in DTYPES:
        x, square = sample(dtype, 4), sample(dtype, (2, 2))
        for partner in PARTNERS:
            y = sample(partner, 4, start=2)
            for target in ("concatenate", "stack", "hstack", "vstack", "block"):
                yield call(f"jnp.{target}", [x, y])
            for target in ("matmul", "vecdot", "outer", "convolve", "correlate", "isin", "searchsorted", "append", "union1d"):
                yield call(f"jnp.{target}", x, y)
            yield call("jnp.tensordot", square, sample(partner, (2, 2), start=1))
            yield call("jnp.einsum", "ij,jk->ik", square, sample(partner, (2, 2), start=1))
            yield call("jnp.where", mask(4), x, y)
            yield call("jnp.clip", x, y)
            yield call("jnp.interp", y, x, x)
            yield call("jnp.polyval", x, y)
            yield call("jnp.isclose", x, y)
            yield call("jnp.linalg.solve", square, sample(partner, (2, 2), start=1))
            if dtype in INTEGERS:
                yield call("jnp.take", y, sample(dtype, 2))
            else:
                yield call("jnp.quantile", y, arr(dtype, 0.5))
            yield call("jnp.full", (2,), sample(partner, ()), dtype=dt(dtype))
            yield call("jnp.full_like", x, sample(partner, ()))
            yield call("jnp.histogram", x, arr(partner, [0, 1, 3]))
            for update in ("set", "add", "multiply", "max"):
                yield call(f"at.{update}", x, slice(1, 3), sample(partner, 2, start=1))
        for scalar in SCALARS:
            yield call("jnp.where", mask(4), x, scalar)
            yield call("jnp.where", mask(4), scalar, x)
            yield call("jnp.where", x, scalar, 3)
            yield call("jnp.clip", x, scalar)
            yield call("jnp.clip", x, max=scalar)
            yield call("jnp.append", x, scalar)
            yield call("jnp.full", (2,), scalar, dtype=dt(dtype))
            yield call("jnp.full_like", x, scalar)
            yield call("jnp.insert", x, 1, scalar)
            yield call("jnp.pad", x, 1, constant_values=scalar)
            yield call("jnp.sum", x, initial=scalar)
            yield call("jnp.max", x, initial=scalar, where=mask(4))
            yield call("jnp.searchsorted", x, scalar)
            yield call("jnp.isclose", x, scalar)
            yield call("jnp.polyval", x, scalar)
            yield call("jnp.interp", scalar, x, x)
            yield call("jnp.nan_to_num", special(dtype), nan=scalar)
            yield call("jnp.select", [mask(4)], [x], scalar)
            for update in ("set", "add", "divide", "power", "min"):
                yield call(f"at.{update}", x, slice(1, 3), scalar)


def casts() -> Iterator[Call]:
    """Yield calls: casts between all pairs of which one is narrow."""
    for dtype in DTYPES:
        for other in OTHERS:
            yield call("jnp.astype", special(dtype), dt(other))
            yield call("Array.astype", sample(dtype, 3), dt(other))
            yield call("Array.view", sample(dtype, 4), dt(other))
            yield call("jnp.astype", sample(other, 6), dt(dtype))
            yield call("jnp.asarray", sample(other, 3), dtype=dt(dtype))


def created() -> Iterator[Call]:
    """Yield calls: creation with a narrow dtype."""
    for dtype in DTYPES:
        wanted = name(dtype)
        for values in (3, -1, 2.5, True, 1j, 300, [1, 2], [0.5, -1.5], [[1], [2]], [], float("nan"), float("inf"), 1e30):
            yield call("jnp.asarray", values, dtype=wanted)
            yield call(f"jnp.{dtype}", values)
        for shape in (3, (2, 2), (), (0,)):
            for target in ("zeros", "ones", "empty"):
                yield call(f"jnp.{target}", shape, dtype=wanted)
        for args in ((4,), (1, 5), (0, 3, 0.5), (5, 0, -1), (0,), (-3, 3), (300,)):
            yield call("jnp.arange", *args, dtype=wanted)
            yield call("jnp.arange", *[sample(dtype, (), start=i) for i in range(len(args))])
        for args in ((0, 1, 5), (-2, 7, 4), (0, 1, 1), (1, 3, 0)):
            yield call("jnp.linspace", *args, dtype=wanted)
            yield call("jnp.linspace", *args, endpoint=False, retstep=True, dtype=wanted)
            yield call("jnp.logspace", *args, dtype=wanted)
            yield call("jnp.geomspace", 1, 8, args[2], dtype=wanted)
        yield call("jnp.linspace", sample(dtype, 2), sample(dtype, 2, start=3), 4)
        yield call("jnp.geomspace", arr(dtype, 1), arr(dtype, 4), 3)
        for target in ("eye", "identity", "tri"):
            yield call(f"jnp.{target}", 3, dtype=wanted)
        yield call("jnp.eye", 2, 3, 1, dtype=wanted)
        yield call("jnp.indices", (2, 2), dtype=wanted)
        yield call("jnp.fromfunction", function("index_sum"), (2, 2), dtype=wanted)
        yield call("jnp.frombuffer", b"\x01\x02\x03\x04", dtype=wanted)
        yield call("jnp.fromstring", "1 2 3", dtype=wanted, sep=" ")
        yield call("jnp.fromiter", [1, 2], dtype=wanted)
        for target in ("finfo", "iinfo", "dtype"):
            yield call(f"jnp.{target}", wanted)
        for target in ("sum", "mean", "prod", "cumsum", "cumprod", "var", "std", "cumulative_sum", "trace"):
            yield call(f"jnp.{target}", sample("float32", (2, 2)), dtype=wanted)
            yield call(f"jnp.{target}", sample(dtype, (2, 2)), dtype=dt("float32"))
        for target in ("matmul", "einsum", "dot", "tensordot", "vecdot", "convolve"):
            args = ("i,i", sample(dtype, 4), sample(dtype, 4)) if target == "einsum" else (sample(dtype, 4), sample(dtype, 4))
            for preferred in ("float32", "int32", dtype):
                yield call(f"jnp.{target}", *args, preferred_element_type=dt(preferred))
        yield call("jax.nn.one_hot", arr("int32", [0, 2]), 3, dtype=wanted)
        yield call("jax.nn.one_hot", sample(dtype, 2), 3)


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    for part in (mixed, casts, created):
        yield from part()
