"""``x.at[...]``: every update and read as JAX 0.10.2 makes it, and what is ours."""

import expressions
import pytest

import supremum as xp


@pytest.mark.parametrize("case", expressions.cases("at"), ids=expressions.identity)
def test_as_jax(case):
    expressions.check(case)
