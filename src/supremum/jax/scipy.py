"""`supremum.scipy` under the name of ``jax.scipy``."""

import pkgutil
import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from supremum.scipy import *
else:
    _home = import_module("supremum.scipy")
    # Under these names `import` would look for files, and make each module a second time.
    for _found in pkgutil.walk_packages(_home.__path__, "supremum.scipy."):
        if "._" not in _found.name:
            sys.modules[_found.name.replace("supremum.", "supremum.jax.", 1)] = import_module(_found.name)
    sys.modules[__name__] = _home
