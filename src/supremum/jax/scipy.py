"""`supremum.scipy` under the name of ``jax.scipy``."""

import pkgutil
import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from supremum.scipy import *
else:
    _home = import_module("supremum.scipy")
    for _found in pkgutil.walk_packages(_home.__path__, "supremum.scipy."):
        if "._" not in _found.name:
            import_module(_found.name)
    # Under these names `import` would look for files, which distributions lack, and make each other module a second time.
    for _name, _module in list(sys.modules.items()):
        if _name.startswith("supremum.scipy.") and "._" not in _name:
            sys.modules[_name.replace("supremum.", "supremum.jax.", 1)] = _module
    sys.modules[__name__] = _home
