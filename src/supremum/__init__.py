"""supremum: an array namespace on NumPy buffers whose dtypes promote the way JAX's do."""

from typing import TYPE_CHECKING

from supremum import _names, promotion as promotion
from supremum._array import Array as Array
from supremum._config import config as config, enable_x64 as enable_x64, numpy_dtype_promotion as numpy_dtype_promotion
from supremum._dispatch import COMPILED
from supremum._version import __version__ as __version__
from supremum.promotion import TypePromotionError as TypePromotionError

__array_api_version__ = "2025.12"
__array_api_versions__: tuple[str, ...] = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
#: Whether the hot core is compiled; the package does the same where it is not.
__compiled__ = COMPILED
ndarray = Array

if TYPE_CHECKING:  # at run time they are imported when first asked for
    from supremum import (
        dtypes as dtypes,
        fft as fft,
        io as io,
        linalg as linalg,
        nn as nn,
        numpy as numpy,
        random as random,
        scipy as scipy,
        testing as testing,
    )
    from supremum.calculus import *
    from supremum.choosing import *
    from supremum.closeness import *
    from supremum.constants import *
    from supremum.creation import *
    from supremum.data_types import *
    from supremum.elementwise import *
    from supremum.functional import *
    from supremum.histograms import *
    from supremum.indexing import *
    from supremum.inspection import *
    from supremum.io import load as load, save as save, savez as savez, savez_compressed as savez_compressed
    from supremum.linear_algebra import *
    from supremum.linear_algebra_einsum import *
    from supremum.linear_algebra_products import *
    from supremum.manipulation import *
    from supremum.packing import *
    from supremum.polynomials import *
    from supremum.printing import *
    from supremum.scalar_types import *
    from supremum.searching import *
    from supremum.sets import *
    from supremum.sorting import *
    from supremum.statistical import *
    from supremum.statistical_averages import *
    from supremum.statistical_nan import *
    from supremum.statistical_quantiles import *
    from supremum.tracing import *
    from supremum.transformations import *
    from supremum.utility import *
else:  # a type checker would take any name for granted
    __all__ = list(_names.ALL)
    __dir__ = _names.names
    __getattr__ = _names.look_up
