# Types of `jax.dtypes`; at run time the module is made of the table of names.
from typing import Any

from supremum import TypePromotionError as TypePromotionError, bfloat16 as bfloat16, iinfo as iinfo
from supremum.dtypes import extended as extended, issubdtype as issubdtype, prng_key as prng_key, result_type as result_type
from supremum.jax._values import finfo as finfo

def __getattr__(name: str) -> Any: ...
