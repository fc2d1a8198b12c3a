"""The examples of JAX's page on type promotion, each with the output that the page documents.

The page is https://docs.jax.dev/en/latest/type_promotion.html; its names are kept, so that the examples can be compared with
it.

>>> import numpy as np
>>> import supremum
>>> import supremum as jnp

Two scalars: Python's is weak and takes the dtype of the array, NumPy's is a strong int64.

>>> (jnp.int16(1) + 1).dtype
dtype('int16')
>>> (jnp.int16(1) + np.array(1)).dtype
dtype('int64')

bfloat16 and float16 promote to a wider type; each narrower type promotes to either of them.

>>> jnp.promote_types(jnp.bfloat16, jnp.float16)
dtype('float32')

Python evaluates operators from left to right, by the types of the two operands, so NumPy's rules apply to its first two.

>>> type(np.int16(1) + 1).__name__
'int16'
>>> (jnp.int16(1) + 1).dtype
dtype('int16')
>>> (np.int16(1) + 1 + jnp.int16(1)).dtype
dtype('int16')

Weak types. The literal takes the dtype of the array:

>>> x = jnp.arange(5, dtype='int8')
>>> 2 * x
Array([0, 2, 4, 6, 8], dtype=int8)

an array of definite dtype does not:

>>> jnp.int32(2) * x
Array([0, 2, 4, 6, 8], dtype=int32)

A scalar converted to an array without a dtype stays weak:

>>> jnp.asarray(2)
Array(2, dtype=int32, weak_type=True)

and with a dtype it is strong:

>>> jnp.asarray(2, dtype='int32')
Array(2, dtype=int32)

Strict promotion requires explicit casts:

>>> x = jnp.float32(1)
>>> y = jnp.int32(1)
>>> with supremum.numpy_dtype_promotion('strict'):
...   z = x + y
...
Traceback (most recent call last):
TypePromotionError: Input dtypes ('float32', 'int32') have no available implicit dtype promotion path

but accepts literals if no information can be lost:

>>> with supremum.numpy_dtype_promotion('strict'):
...   z = x + 1
>>> print(z)
2.0

The same mode can be set for the whole program:

>>> supremum.config.update('jax_numpy_dtype_promotion', 'strict')
>>> x + y
Traceback (most recent call last):
TypePromotionError: Input dtypes ('float32', 'int32') have no available implicit dtype promotion path
>>> supremum.config.update('jax_numpy_dtype_promotion', 'standard')
>>> x + y
Array(2., dtype=float32)
"""

import sys

import pytest

import examples
import supremum


@pytest.fixture(autouse=True)
def _standard_promotion_afterwards():
    yield
    supremum.config.update("jax_numpy_dtype_promotion", "standard")


def test_examples_of_the_page():
    (test,) = examples.of_module(sys.modules[__name__], {})
    examples.check(test)


def test_the_message_says_what_the_page_says():
    with supremum.numpy_dtype_promotion("strict"), pytest.raises(supremum.TypePromotionError) as error:
        supremum.float32(1) + supremum.int32(1)
    for part in ("float32", "int32", "strict", "astype"):
        assert part in str(error.value)
