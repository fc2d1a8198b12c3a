"""supremum: an array namespace on NumPy buffers whose dtypes promote the way JAX's do."""

from supremum import promotion
from supremum._array import Array
from supremum._config import config, enable_x64, numpy_dtype_promotion
from supremum._types import finfo, iinfo
from supremum._types import scalar_types as _scalars
from supremum._version import __version__
from supremum.creation import *
from supremum.linear_algebra import *
from supremum.promotion import TypePromotionError

__array_api_version__ = "2025.12"
__array_api_versions__ = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
globals().update(_scalars)
bool_ = _scalars["bool"]
