"""supremum: an array namespace on NumPy buffers whose dtypes promote as JAX's do."""

from supremum import _array as _array, _names, promotion as promotion
from supremum._core import engine as _engine
from supremum._core.array import Array as Array
from supremum._core.config import config as config, enable_x64 as enable_x64, numpy_dtype_promotion as numpy_dtype_promotion
from supremum._version import __version__ as __version__
from supremum.promotion import TypePromotionError as TypePromotionError

__array_api_version__ = "2025.12"
__array_api_versions__: tuple[str, ...] = _names.API_VERSIONS
#: Which engine runs: "native", in C, or "reference", its specification in Python.
__engine__ = _engine.engine_name
ndarray = Array

__dir__ = _names.names
__getattr__ = _names.look_up
