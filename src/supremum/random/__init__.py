"""Random numbers by JAX's generator: threefry2x32, and the same numbers for the same key, shape and dtype.

A key is made from a seed by `key`, and gives the same numbers whenever it is used; `split` makes new keys of it. Integers and
uniform numbers are JAX's bit for bit; where a logarithm or the like is involved, the last digits may differ.
"""

from typing import TYPE_CHECKING

from supremum._base.boundary import missing_from
from supremum.random import combined, continuous, counts, gammas, keys, samplers, selection
from supremum.random.combined import *
from supremum.random.continuous import *
from supremum.random.counts import *
from supremum.random.gammas import *
from supremum.random.keys import *
from supremum.random.samplers import *
from supremum.random.selection import *

if not TYPE_CHECKING:  # type checkers follow the imports
    __all__ = [name for module in (combined, continuous, counts, gammas, keys, samplers, selection) for name in module.__all__]
    __getattr__ = missing_from(__name__)
