"""Special functions: dtypes, weak types, special values and errors, compared with JAX."""

import math

import expressions
import numpy as np
import pytest

import supremum as xp
from supremum.scipy import special


@pytest.mark.parametrize("case", expressions.cases("special"), ids=expressions.identity)
def test_as_jax(case):
    expressions.check(case)


def test_gamma_of_complex_numbers():
    # The results of SciPy 1.17 and JAX 0.10.2.
    z = xp.asarray([3 + 4j, -3 - 4j, 1j], dtype="complex64")
    expected = [0.00522553847 - 0.17254707929j, 1.460997305874e-05 - 2.07607331509e-05j, -0.15494982830 - 0.49801566811j]
    np.testing.assert_allclose(np.asarray(special.gamma(z)), expected, rtol=1e-6)
    expected = [-1.75662678460 + 4.74266443803j, -10.5813046757 + 5.32561463152j, -0.65092319930 - 1.87243664726j]
    np.testing.assert_allclose(np.asarray(special.loggamma(z)), expected, rtol=1e-6)
    for function in (special.gamma, special.loggamma):
        assert function(z).dtype == "complex64"
        assert (function(1j).dtype, function(1j).weak_type) == ("complex64", False)
        assert function(xp.asarray(1j, dtype="complex128")).dtype == "complex128"
    with pytest.raises(TypeError, match="gammaln"):
        special.gammaln(1j)


def test_loggamma_of_real_numbers():
    # JAX 0.10.2: NaN if the logarithm would be complex.
    values = special.loggamma(xp.asarray([-0.5, 0.0, -1.0, np.inf, -np.inf, np.nan, 1.0, 5.0]))
    nan, inf = math.nan, math.inf
    np.testing.assert_allclose(np.asarray(values), [nan, nan, nan, inf, nan, nan, 0, math.log(24)], rtol=1e-7)
    assert (special.loggamma(2).dtype, special.loggamma(2).weak_type) == ("float32", True)
    assert special.loggamma(xp.ones(2, dtype="bfloat16")).dtype == "bfloat16"


@pytest.mark.parametrize("call", ["zeta(2.0, nan)", "zeta(nan, 2.0)", "polygamma(1, nan)", "polygamma(2, nan)"])
def test_nan_stays_nan_in_sums_of_powers(call):
    function, _, rest = call.partition("(")
    values = [int(word) if word.isdigit() else xp.asarray(float(word)) for word in rest.rstrip(")").split(", ")]
    assert xp.isnan(getattr(xp.scipy.special, function)(*values))
