"""Packing of bits as JAX 0.10.2 has them."""

import expressions
import pytest


@pytest.mark.parametrize("case", expressions.cases("packing"), ids=expressions.identity)
def test_as_jax(case):
    expressions.check(case)
