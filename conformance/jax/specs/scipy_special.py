"""Calls of the functions of jax.scipy.special that are not among those of `neural`."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import arr, call

from ._common import Call, sample

NUMBERS = [-2.5, -0.5, 0.0, 0.125, 0.75, 1.0, 3.5, 12.0, 60.0]
SPECIAL = [0.0, -0.0, 1.5, -2.75, float("nan"), float("inf"), float("-inf"), 3.0, 40.0]
#: Functions of one real argument.
ONE = ("dawsn", "erfcx", "exp1", "expi", "fresnel", "gammasgn", "i1", "i1e", "sici", "spence", "wofz")
#: Functions of several, with good values of all but the last.
SEVERAL = {
    "beta": (1.5,),
    "betainc": (2.0, 3.5),
    "comb": (6.0,),
    "expn": (2,),
    "gammainc": (1.5,),
    "gammaincc": (1.5,),
    "hyp1f1": (0.5, 1.5),
    "hyp2f1": (0.5, 1.5, 2.25),
    "owens_t": (0.5,),
    "poch": (1.5,),
    "polygamma": (1,),
    "zeta": (2.5,),
}
FRACTIONS = [-0.75, -0.25, 0.0, 0.125, 0.25, 0.5, 0.625, 0.75, 0.875]
PARAMETERS = [-1.5, -1.0, 0.0, 0.25, 1.0, 2.0, 4.5, 30.0, float("nan")]


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    for name in (*ONE, *SEVERAL):
        target, first = f"jax.scipy.special.{name}", SEVERAL.get(name, ())
        values = FRACTIONS if name in ("betainc", "hyp2f1") else NUMBERS
        for dtype in ("bfloat16", "float32", "float64"):
            yield call(target, *first, arr(dtype, values))
        yield call(target, *first, arr("int32", [0, 1, 2, 3, 4, 5, 6, 7, 8]))
        yield call(target, *first, arr("float64", SPECIAL))
        for number in (0.25, 1):
            yield call(target, *first, number)
        yield call(target, *first, arr("complex64", [1j]))
        yield call(target, *first, [0.5])
        yield call(target, *first, arr("float32", []))
        for place in range(len(first)):
            parameters = [*first, arr("float64", [values[4]] * 9)]
            integers = arr("int32", [0, 1, 2, 3, 4, 5, 6, 7, 8])
            parameters[place] = integers if name == "polygamma" else arr("float64", PARAMETERS)
            yield call(target, *parameters)
    yield call("jax.scipy.special.wofz", arr("complex64", [1 + 1j, -2 + 0.5j, 0.5 - 1j, -1 - 1j, 5j, 0j]))
    yield call("jax.scipy.special.erfcx", arr("complex64", [1 + 1j, -0.5 + 0.5j, 0.5 - 1j]))
    yield call("jax.scipy.special.zeta", 2.0)
    yield call("jax.scipy.special.polygamma", 1.0, arr("float32", [1.0]))
    yield call("jax.scipy.special.comb", arr("float32", NUMBERS), 2, repetition=True)
    for d in (1, 2, 3, 2.5):
        yield call("jax.scipy.special.multigammaln", arr("float32", [1.5, 3.0, 10.0]), d)
        yield call("jax.scipy.special.multigammaln", 3, d)
    for n in (0, 1, 2, 3, 4, 9, -1, 2.5):
        yield call("jax.scipy.special.bernoulli", n)
    for dtype in ("int32", "float32", "float64", "complex64"):
        yield call("jax.scipy.special.bessel_jn", sample(dtype, 4), v=2)
    yield call("jax.scipy.special.bessel_jn", 1.5, v=1)
    yield call("jax.scipy.special.bessel_jn", arr("float64", [[0.5, 1.0], [2.0, 4.0]], (2, 2)), v=0)
    angles = arr("float32", [0.5, 1.0, 2.0]), arr("float32", [0.25, -1.0, 3.0])
    yield call("jax.scipy.special.sph_harm_y", arr("int32", [0, 1, 3]), arr("int32", [0, 1, -2]), *angles)
    yield call("jax.scipy.special.sph_harm_y", arr("int32", [2]), arr("int32", [1]), *angles, n_max=4)
    for order in (3, 0, -1, 31, 2.0):
        yield call("jax.scipy.special.log_ndtr", arr("float32", [-30.0, -2.0, 0.0, 3.0]), order)
    yield call("jax.scipy.special.ndtri", arr("float32", [0.0, 1e-20, 1e-6, 0.25, 0.5, 0.75, 1.0, -1.0, 2.0]))
    yield call("jax.scipy.special.ndtri", arr("float64", [0.0, 1e-20, 1e-6, 0.25, 0.5, 0.75, 1.0, np.nan, 2.0]))
