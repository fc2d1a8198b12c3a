"""Constants are Python floats."""

import math

import supremum as xp


def test_constants():
    assert (xp.e, xp.pi, xp.inf) == (math.e, math.pi, math.inf)
    assert math.isnan(xp.nan)
    assert xp.newaxis is None
    assert xp.euler_gamma == float("0.57721566490153286060651209008240243104215933593992")
    assert {type(value) for value in (xp.e, xp.pi, xp.inf, xp.nan, xp.euler_gamma)} == {float}
