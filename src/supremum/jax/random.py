"""`supremum.random` under the name of ``jax.random``."""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from supremum.random import *
else:
    sys.modules[__name__] = import_module("supremum.random")
