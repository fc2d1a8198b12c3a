# What type checkers know of the namespace: all names, which are imported on first access.
from supremum import (
    _array as _array,
    dtypes as dtypes,
    errors as errors,
    fft as fft,
    io as io,
    lens as lens,
    linalg as linalg,
    nn as nn,
    numpy as numpy,
    promotion as promotion,
    random as random,
    scipy as scipy,
    testing as testing,
    typing as typing,
)
from supremum._base.porting import PortingWarning as PortingWarning
from supremum._core.array import Array as Array
from supremum._core.config import config as config, enable_x64 as enable_x64, numpy_dtype_promotion as numpy_dtype_promotion
from supremum._functions.calculus import *
from supremum._functions.closeness import *
from supremum._functions.constants import *
from supremum._functions.creation.filled import *
from supremum._functions.creation.from_objects import *
from supremum._functions.creation.grids import *
from supremum._functions.creation.matrices import *
from supremum._functions.creation.ranges import *
from supremum._functions.creation.windows import *
from supremum._functions.data_types import *
from supremum._functions.elementwise.angles import *
from supremum._functions.elementwise.arithmetic import *
from supremum._functions.elementwise.bits import *
from supremum._functions.elementwise.comparison import *
from supremum._functions.elementwise.complex_parts import *
from supremum._functions.elementwise.exponential import *
from supremum._functions.elementwise.floating import *
from supremum._functions.elementwise.rounding import *
from supremum._functions.elementwise.trigonometry import *
from supremum._functions.elementwise.ufuncs import *
from supremum._functions.functional import *
from supremum._functions.histograms import *
from supremum._functions.indexing.gather import *
from supremum._functions.indexing.positions import *
from supremum._functions.indexing.scatter import *
from supremum._functions.inspection import *
from supremum._functions.linear_algebra.contractions import *
from supremum._functions.linear_algebra.einsums import *
from supremum._functions.linear_algebra.products import *
from supremum._functions.manipulation.axes import *
from supremum._functions.manipulation.editing import *
from supremum._functions.manipulation.joining import *
from supremum._functions.manipulation.padding import *
from supremum._functions.manipulation.repeating import *
from supremum._functions.manipulation.shapes import *
from supremum._functions.manipulation.splitting import *
from supremum._functions.packing import *
from supremum._functions.polynomials import *
from supremum._functions.printing import *
from supremum._functions.scalar_types import *
from supremum._functions.searching import *
from supremum._functions.sets import *
from supremum._functions.sorting import *
from supremum._functions.statistical.averages import *
from supremum._functions.statistical.nan_skipping import *
from supremum._functions.statistical.quantiles import *
from supremum._functions.statistical.reductions import *
from supremum._functions.where import *
from supremum._version import __version__ as __version__
from supremum.explaining import explain as explain
from supremum.io import load as load, save as save, savez as savez, savez_compressed as savez_compressed
from supremum.lens import precision_lens as precision_lens
from supremum.promotion import TypePromotionError as TypePromotionError
from supremum.tracing import forbid as forbid, trace_promotions as trace_promotions

__array_api_version__: str
__array_api_versions__: tuple[str, ...]
__engine__: str
ndarray = Array
