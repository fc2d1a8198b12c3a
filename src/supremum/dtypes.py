"""Names of ``jax.dtypes`` for programs that inspect the dtype of keys.

Examples
--------
>>> import supremum as xp
>>> k = xp.random.key(0)
>>> xp.issubdtype(k.dtype, xp.dtypes.prng_key)
True
"""

from supremum._base.key_dtype import extended, prng_key
from supremum._functions.data_types import issubdtype, result_type

__all__ = ["extended", "issubdtype", "prng_key", "result_type"]
