import operator
from contextvars import copy_context

import numpy as np
from common import for_each

import supremum as xp
from supremum import config

#: Above this many elements, the ufunc casts block by block and the plan does not cast first.
LARGE = 20_000


@for_each("size", [5, LARGE])
@for_each("first, second", [("int32", "float32"), ("float32", "float64"), ("uint8", "float32"), ("int16", "uint8")])
def test_comparisons_of_mixed_dtypes_are_those_of_their_common_dtype_at_any_size(first, second, size):
    a = np.arange(size, dtype=np.uint32).astype(first)
    b = np.full(size, 3, second)
    for name in ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal", "logical_and"):
        result = getattr(xp, name)(xp.asarray(a), xp.asarray(b))
        assert result.dtype == np.bool_
        np.testing.assert_array_equal(np.asarray(result), getattr(np, name)(a.astype(np.float64), b.astype(np.float64)))


def test_an_override_in_another_context_leaves_this_one_alone():
    x = xp.ones(2, dtype="float64")
    elsewhere = copy_context()
    block = config.use(x64="off")
    elsewhere.run(block.__enter__)
    try:
        assert elsewhere.run(operator.add, x, x).dtype == "float32"
        assert (x + x).dtype == "float64"  # with a plan of the process-wide state, in spite of the override
    finally:
        elsewhere.run(block.__exit__, None, None, None)
        del elsewhere, block
    assert (x + x).dtype == "float64"
