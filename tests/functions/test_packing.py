"""Packing of bits, compared with JAX 0.10.2."""

import expressions
from common import for_each


@for_each("case", expressions.cases("packing"), expressions.identity)
def test_as_jax(case):
    expressions.check(case)
