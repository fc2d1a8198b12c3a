"""The namespace itself, under the name that ``jax.numpy`` has."""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from supremum import *
else:
    # Under these names `import` would load the modules a second time.
    sys.modules.update({f"{__name__}.{name}": import_module(f"supremum.{name}") for name in ("fft", "linalg")})
    sys.modules[__name__] = sys.modules["supremum"]
