"""Random numbers by JAX's generator: threefry2x32, and the same numbers for the same key, shape and dtype.

A key is made from a seed by `key`, and gives the same numbers whenever it is used; `split` makes new keys of it. Integers and
uniform numbers are JAX's bit for bit; where a logarithm or the like is involved, the last digits may differ.
"""

from supremum.random.combined import *
from supremum.random.continuous import *
from supremum.random.keys import *
from supremum.random.samplers import *
from supremum.random.selection import *

__all__ = [
    "PRNGKey", "bernoulli", "bits", "categorical", "cauchy", "choice", "clone", "double_sided_maxwell",
    "exponential", "fold_in", "geometric", "gumbel", "key", "key_data", "key_impl", "laplace", "logistic", "lognormal",
    "maxwell", "multivariate_normal", "normal", "orthogonal", "pareto", "permutation", "rademacher", "randint", "rayleigh",
    "split", "triangular", "truncated_normal", "uniform", "wald", "weibull_min", "wrap_key_data",
]  # fmt: skip
