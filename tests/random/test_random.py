"""Random numbers: JAX's, bit for bit where no transcendental function is involved."""

import expressions
import pytest


@pytest.mark.parametrize("case", expressions.cases("random"), ids=expressions.identity)
def test_as_jax(case):
    expressions.check(case)
