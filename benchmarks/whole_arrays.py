"""What is timed of random numbers, beside JAX's, and of functions that read whole arrays: counts, bins, bits, updates, casts.

NumPy's and torch's random numbers are other ones, by generators that are quicker by nature: they have no bars.
"""

from __future__ import annotations

from cases import FOUR, MILLION, Case

ONE = 1
_KEY = {"key": "uint32:key"}
_INF = float("inf")


def _random(name: str, call: str, *, numpy: str = "", torch: str = "", size: int = ONE) -> Case:
    """Return a case of ``xp.random``; JAX's functions have the same names and arguments."""
    return Case(
        name,
        f"xp.random.{call}",
        _KEY,
        numpy=(f"np.random.default_rng(0).{numpy}",) if numpy else ("np.absent",),
        torch=(torch or "xp.absent",),
        jax=(f"jax.random.{call}",),
        sizes=(size,),
        tolerance=_INF,  # other numbers than NumPy's; the tests compare ours with JAX's
    )


RANDOM = [
    _random("uniform()", "uniform(key)", numpy="random()", torch="xp.rand(())"),
    _random("normal()", "normal(key)", numpy="normal()", torch="xp.randn(())"),
    _random("bits()", "bits(key)"),
    _random("split()", "split(key)", numpy="spawn(2)"),
    _random("fold_in()", "fold_in(key, 7)"),
    _random("uniform", "uniform(key, (n,))", numpy="random(n, np.float32)", torch="xp.rand(n)", size=MILLION),
    _random("normal", "normal(key, (n,))", numpy="standard_normal(n, np.float32)", torch="xp.randn(n)", size=MILLION),
    _random("bits", "bits(key, (n,))", numpy="integers(0, 2**32, n, np.uint32)", size=MILLION),
    _random(
        "randint",
        "randint(key, (n,), 0, 10)",
        numpy="integers(0, 10, n, np.int32)",
        torch="xp.randint(0, 10, (n,), dtype=xp.int32)",
        size=MILLION,
    ),
    _random("exponential", "exponential(key, (n,))", numpy="standard_exponential(n, np.float32)", size=MILLION),
    _random("bernoulli", "bernoulli(key, 0.5, (n,))", numpy="random(n, np.float32) < 0.5", size=MILLION),
    _random("truncated_normal", "truncated_normal(key, -1.0, 1.0, (n,))", size=MILLION),
]

_F = "float32"
_AB = {"a": _F, "b": _F}
_BOTH = (FOUR, MILLION)


def _update(name: str, numpy: str) -> Case:
    return Case(
        f"at[...].{name}",
        f"a.at[i].{name}(b)",
        {**_AB, "i": "int64:places"},
        numpy=(f"t = a.copy(); np.{numpy}.at(t, i, b)",),
        torch=("xp.absent",),
        sizes=_BOTH,
    )


COUNTING = [
    Case("histogram", "xp.histogram(a, 50)[0]", {"a": _F}, torch=("xp.histc(a, 50)",), sizes=(MILLION,), tolerance=_INF),
    Case("bincount", "xp.bincount(i)", {"i": "int32"}, sizes=(MILLION,)),
    Case("bincount, many values", "xp.bincount(i)", {"i": "int32:places"}, sizes=(MILLION,)),
    Case("packbits", "xp.packbits(c)", {"c": "bool"}, sizes=(MILLION,)),
    Case("unpackbits", "xp.unpackbits(x)", {"x": "uint8"}, sizes=(MILLION // 8,)),
    _update("add", "add"),
    _update("multiply", "multiply"),
    _update("max", "maximum"),
    Case("allclose", "xp.allclose(a, a)", {"a": _F}, sizes=_BOTH),
    Case("isclose", "xp.isclose(a, b)", _AB, sizes=_BOTH),
    Case("array_equal", "xp.array_equal(a, a)", {"a": _F}, torch=("xp.equal(a, a)",), sizes=_BOTH),
    Case("array_equal, not", "xp.array_equal(a, b)", _AB, torch=("xp.equal(a, b)",), sizes=_BOTH),
    Case("count_nonzero", "xp.count_nonzero(a)", {"a": _F}, sizes=_BOTH),
    *(
        Case(
            f"{source} to {target}",
            f"xp.astype(a, xp.{target})",
            {"a": source},
            numpy=(f"a.astype(np.{target})",),
            torch=(f"a.to(xp.{target})",),
            sizes=(MILLION,),
        )
        for source in ("float32", "float64")
        for target in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
    ),
]
