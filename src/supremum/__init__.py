"""supremum: an array namespace on NumPy buffers whose dtypes promote the way JAX's do."""

from typing import TYPE_CHECKING

from supremum import _array as _array, _names, promotion as promotion
from supremum._core import engine as _engine, roles as _roles  # noqa: F401 - roles: runs around the functions
from supremum._core.array import Array as Array
from supremum._core.settings import config as config, enable_x64 as enable_x64, numpy_dtype_promotion as numpy_dtype_promotion
from supremum._version import __version__ as __version__
from supremum.promotion import TypePromotionError as TypePromotionError

__array_api_version__ = "2025.12"
__array_api_versions__: tuple[str, ...] = _names.API_VERSIONS
#: Which engine runs: "native", in C, or "reference", its specification in Python.
__engine__ = _engine.engine_name
ndarray = Array

if TYPE_CHECKING:  # at run time they are imported when first asked for
    from supremum import (
        dtypes as dtypes,
        errors as errors,
        fft as fft,
        io as io,
        lens as lens,
        linalg as linalg,
        nn as nn,
        numpy as numpy,
        random as random,
        scipy as scipy,
        testing as testing,
        typing as typing,
    )
    from supremum._homes import *
else:  # a type checker would take any name for granted
    __all__ = list(_names.ALL)
    __dir__ = _names.names
    __getattr__ = _names.look_up
