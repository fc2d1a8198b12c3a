# Types of `jax.dlpack`; at run time the module is made of the table of names.
from supremum import from_dlpack as from_dlpack
