"""The examples of JAX's page on type promotion, each with the output that the page documents.

The page is https://docs.jax.dev/en/latest/type_promotion.html; its names are kept, so that the examples can be laid beside it.

>>> import numpy as np
>>> import supremum
>>> import supremum as jnp

A table of two scalars: Python's own is weak and defers to the array, NumPy's is an int64 like any other.

>>> (jnp.int16(1) + 1).dtype
dtype('int16')
>>> (jnp.int16(1) + np.array(1)).dtype
dtype('int64')

Only bfloat16 and float16 have to look for a common wider type; everything else that is narrower joins either of them.

>>> jnp.promote_types(jnp.bfloat16, jnp.float16)
dtype('float32')

Operators go by the Python types of their operands. NumPy adds the first two of these by its own rules, whatever comes later.

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

A scalar that became an array without anyone naming a dtype stays weak and says so:

>>> jnp.asarray(2)
Array(2, dtype=int32, weak_type=True)

and naming the dtype makes it strong:

>>> jnp.asarray(2, dtype='int32')
Array(2, dtype=int32)

Strict promotion refuses what is not spelled out:

>>> x = jnp.float32(1)
>>> y = jnp.int32(1)
>>> with supremum.numpy_dtype_promotion('strict'):
...   z = x + y
...
Traceback (most recent call last):
TypePromotionError: Input dtypes ('float32', 'int32') have no available implicit dtype promotion path

but literals may still be mixed in where nothing can be lost:

>>> with supremum.numpy_dtype_promotion('strict'):
...   z = x + 1
>>> print(z)
2.0

The same for the whole program, and back:

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
