"""Packing of bits, compared with JAX 0.10.2."""

import expressions
import pytest


@pytest.mark.parametrize("case", expressions.cases("packing"), ids=expressions.identity)
def test_as_jax(case):
    expressions.check(case)
