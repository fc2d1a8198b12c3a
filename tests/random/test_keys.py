"""Keys are arrays: what JAX 0.10.2 answers for arrays of keys, and what is ours."""

import copy
import pickle

import expressions
import numpy as np
import pytest

import supremum as xp


@pytest.mark.parametrize("case", expressions.cases("keys"), ids=expressions.identity)
def test_as_jax(case):
    expressions.check(case)
