"""What the tests of derivatives' rules share."""

import numpy as np

import supremum as xp
from supremum import jax
from supremum.jax.test_util import check_grads


def check_slopes(fun, args, *, order=2, tolerance=1e-4):
    """Compare derivatives of both modes with differences, and the values beside them with the function's, bit for bit."""
    with xp.config.use(x64="on"):
        args = [xp.asarray(x) for x in args]
        check_grads(fun, args, order=order, atol=tolerance, rtol=tolerance)
        value = fun(*args)
        assert all(map(np.array_equal, *map(jax.tree.leaves, (jax.vjp(fun, *args)[0], value))))
