"""`supremum.scipy` under the name of ``jax.scipy``."""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from supremum.scipy import *
else:
    sys.modules[__name__] = import_module("supremum.scipy")
