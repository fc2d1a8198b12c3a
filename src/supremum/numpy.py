"""The namespace itself, under the name that ``jax.numpy`` has."""

import sys

import supremum
from supremum import *  # for type checkers, who do not see what stands below

# Under these names `import` would load the modules a second time.
sys.modules.update({f"{__name__}.{name}": sys.modules[f"supremum.{name}"] for name in ("fft", "linalg")})
sys.modules[__name__] = supremum
