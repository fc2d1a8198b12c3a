"""`supremum.nn` under the name of ``jax.nn``."""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from supremum.nn import *
else:
    sys.modules[__name__] = import_module("supremum.nn")
