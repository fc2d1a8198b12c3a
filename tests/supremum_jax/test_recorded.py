"""JAX's answers to expressions of `jax`, `lax`, `vmap` and trees, recorded in ``tests/jax_expressions``."""

import expressions
from common import for_each

import supremum.jax
import supremum.jax.flatten_util
import supremum.jax.image

FILES = (
    "abstract",
    "image",
    "lax_elementwise",
    "lax_structure",
    "lax_ragged",
    "lax_control",
    "vmap",
    "custom_vmap",
    "jax_api",
    "ops",
    "threefry",
    "sparse",
)
CASES = [case for name in FILES for case in expressions.cases(name)]


@for_each("case", CASES, expressions.identity)
def test_recorded(case):
    with supremum.config.use(mutable=False):
        expressions.check(case, supremum.jax, supremum.jax.numpy)
