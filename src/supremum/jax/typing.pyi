# Types of `jax.typing`; at run time the module is made of the table of names.
from supremum._core.array import ArrayLike as ArrayLike, DTypeLike as DTypeLike
