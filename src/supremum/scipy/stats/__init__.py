"""Probability distributions and statistics of samples, of ``jax.scipy.stats``.

A distribution is a module, whose functions compute in float64 and round once. Parameters broadcast and promote.
"""

from supremum.scipy.stats._continuous import (
    beta as beta,
    cauchy as cauchy,
    chi2 as chi2,
    expon as expon,
    gamma as gamma,
    gennorm as gennorm,
    gumbel_l as gumbel_l,
    gumbel_r as gumbel_r,
    laplace as laplace,
    logistic as logistic,
    norm as norm,
    pareto as pareto,
    t as t,
    truncnorm as truncnorm,
    uniform as uniform,
    vonmises as vonmises,
    wrapcauchy as wrapcauchy,
)
from supremum.scipy.stats._density_estimation import gaussian_kde as gaussian_kde
from supremum.scipy.stats._discrete import (
    bernoulli as bernoulli,
    betabinom as betabinom,
    binom as binom,
    dirichlet as dirichlet,
    geom as geom,
    multinomial as multinomial,
    multivariate_normal as multivariate_normal,
    nbinom as nbinom,
    poisson as poisson,
)
from supremum.scipy.stats._samples import ModeResult as ModeResult, mode as mode, rankdata as rankdata, sem as sem

__all__ = [
    "bernoulli", "beta", "betabinom", "binom", "cauchy", "chi2", "dirichlet", "expon", "gamma", "gaussian_kde", "gennorm",
    "geom", "gumbel_l", "gumbel_r", "laplace", "logistic", "mode", "multinomial", "multivariate_normal", "nbinom", "norm",
    "pareto", "poisson", "rankdata", "sem", "t", "truncnorm", "uniform", "vonmises", "wrapcauchy",
]  # fmt: skip
