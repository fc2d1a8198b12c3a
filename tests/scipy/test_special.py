"""Special functions: dtypes, weak types, edges and errors as JAX has them."""

import expressions
import pytest


@pytest.mark.parametrize("case", expressions.cases("special"), ids=expressions.identity)
def test_as_jax(case):
    expressions.check(case)
