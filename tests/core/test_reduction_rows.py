"""The table of reductions, and the code that all of them share; integers widen as in the standard."""

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import config
from supremum._core.reduction_rows import FOLDS, rule_of
from supremum.promotion._nodes import ABSENT, NODES

REDUCING = ["sum", "prod", "max", "min", "mean", "var", "std", "all", "any"]
NAN_REDUCING = ["nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd"]


def test_every_row_is_a_function():
    assert all(row.rule.name == name and getattr(xp, name).row is row for name, row in FOLDS.items())
    assert all(rule_of(getattr(xp, name)).name == name for name in (*REDUCING, "cumsum", "cumprod", "trace"))


@for_each("function", [*REDUCING, *NAN_REDUCING, "cumsum", "cumprod", "cumulative_sum", "cumulative_prod"])
def test_keys_are_refused_by_name(function):
    for method in (getattr(xp, function), getattr(xp.Array, function, None)):
        if method is not None:
            with pytest.raises(TypeError, match=f"^{function}: .*random.key_data"):
                method(xp.random.split(xp.random.key(0), 2))


@for_each("mode, default", [("explicit", 32), ("on", 64), ("off", 32)])
@for_each("function", ["sum", "prod", "cumulative_sum", "cumulative_prod"])
def test_integers_widen_to_the_default_integer_and_keep_their_sign(function, mode, default):
    with config.use(x64=mode):
        for name, node in NODES.items():
            if node.kind in "iu" and (node.bits < 64 or mode != "off"):
                x = xp.asarray(np.zeros(1).astype(node.dtype))
                expected = f"{'u' if node.kind == 'u' else ''}int{max(node.bits, default)}"
                assert getattr(xp, function)(x).dtype == expected, name


@pytest.mark.combinations
@pytest.mark.parametrize("name", [n for n, node in NODES.items() if node.kind in "fc"])
@pytest.mark.parametrize("function", ["sum", "prod", "max", "min", "mean", "cumulative_sum", "cumsum"])
def test_floats_keep_their_dtype(function, name):
    assert getattr(xp, function)(xp.ones(3, dtype=name)).dtype == name


@for_each("function", ["sum", "mean", "max", "cumsum", "var", "ptp", "median", "nansum", "cumulative_sum"])
def test_weak_arrays_become_strong(function):
    assert not getattr(xp, function)(xp.full((2,), 2.0) * 1).weak_type
    weak = xp.reshape(xp.asarray(2.5), (1,))
    assert weak.weak_type
    assert not getattr(xp, function)(weak).weak_type


@pytest.mark.parametrize("function", REDUCING + NAN_REDUCING)
class TestAxes:
    def shape(self, function, *args, **kwargs):
        return getattr(xp, function)(xp.ones((2, 3, 4)), *args, **kwargs).shape

    def test_shapes(self, function):
        assert self.shape(function) == ()
        assert self.shape(function, 1) == (2, 4)
        assert self.shape(function, axis=-1) == (2, 3)
        assert self.shape(function, axis=(0, 2)) == (3,)
        assert self.shape(function, axis=(), keepdims=True) == (2, 3, 4)
        assert self.shape(function, axis=(0, -1), keepdims=True) == (1, 3, 1)
        assert self.shape(function, keepdims=True) == (1, 1, 1)

    @pytest.mark.combinations
    @pytest.mark.parametrize("axis", [3, -4, (0, 0), (0, -3), (0, 3)])
    def test_wrong_axes(self, function, axis):
        with pytest.raises(ValueError, match=function):
            self.shape(function, axis=axis)

    @pytest.mark.parametrize("axis", [1.5, "a", (0.5,)])
    def test_axes_of_wrong_types(self, function, axis):
        with pytest.raises(TypeError, match=function):
            self.shape(function, axis=axis)

    def test_a_0d_array_has_no_axes(self, function):
        assert getattr(xp, function)(xp.asarray(1.0)).shape == ()
        for axis in (0, -1):
            with pytest.raises(ValueError, match=function):
                getattr(xp, function)(xp.asarray(1.0), axis=axis)

    def test_lists_strings_and_out_are_refused(self, function):
        for wrong in ([1.0, 2.0], "a", None):
            with pytest.raises(TypeError, match=function):
                getattr(xp, function)(wrong)
        with pytest.raises(NotImplementedError, match=function):
            getattr(xp, function)(xp.ones(2), out=xp.ones(()))

    def test_where_is_boolean(self, function):
        with pytest.raises(ValueError, match=function):
            getattr(xp, function)(xp.ones(2), where=xp.asarray([1, 0]))
        with pytest.raises(TypeError, match=function):
            getattr(xp, function)(xp.ones(2), where=[True, False])


@for_each(
    "function, kept",
    [
        ("sum", 5.0),
        ("prod", 6.0),
        ("mean", 2.5),
        ("var", 0.25),
        ("std", 0.5),
        ("nansum", 5.0),
        ("nanmean", 2.5),
        ("nanvar", 0.25),
    ],
)
def test_where_leaves_elements_out(function, kept):
    x = xp.asarray([[2.0, 100.0, 3.0]])
    mask = xp.asarray([True, False, True])
    for dtype in ("float32", "bfloat16", "float64"):
        assert float(getattr(xp, function)(x.astype(dtype), where=mask)) == kept
    assert getattr(xp, function)(x, axis=1, where=mask, keepdims=True).tolist() == [[kept]]


@pytest.mark.parametrize("name", ["int8", "uint8", "float32", "bfloat16", "float8_e4m3fn", "bool"])
def test_extremes_under_a_mask_need_an_initial_value(name):
    x, mask = xp.asarray([1, 1, 0]).astype(name), xp.asarray([False, False, False])
    with pytest.raises(ValueError, match="initial"):
        xp.max(x, where=mask)
    assert float(xp.max(x, where=mask, initial=1)) == 1
    assert float(xp.min(x, where=mask, initial=0)) == 0


def test_initial_values():
    x = xp.asarray([[1, 2], [3, 4]], dtype="int8")
    assert xp.sum(x, axis=0, initial=10).tolist() == [14, 16]
    assert xp.prod(x, axis=0, initial=2).tolist() == [6, 16]
    assert xp.max(x, axis=0, initial=4).tolist() == [4, 4]
    assert xp.min(x, initial=-5).tolist() == -5
    assert float(xp.max(xp.zeros((0,)), initial=3)) == 3
    assert int(xp.sum(x, initial=1.9)) == 11  # like JAX, which casts the initial value to the array's dtype
    with pytest.raises(ValueError, match="scalar"):
        xp.sum(x, initial=xp.ones(2))


@pytest.mark.parametrize("function", ["max", "min", "nanmax", "nanmin"])
def test_nothing_has_no_extremes(function):
    with pytest.raises(ValueError, match=function):
        getattr(xp, function)(xp.zeros((0,)))
    with pytest.raises(ValueError, match=function):
        getattr(xp, function)(xp.zeros((2, 0)), axis=1)
    assert getattr(xp, function)(xp.zeros((0, 2)), axis=1).shape == (0,)


def test_configuration_of_the_context_decides():
    x = xp.ones(3, dtype="int8")
    assert xp.sum(x).dtype == "int32"
    with config.use(x64="on"):
        assert xp.sum(x).dtype == "int64"
        assert xp.cumulative_sum(x).dtype == "int64"
    with config.use(x64="off"):
        assert xp.sum(xp.asarray(np.ones(3))).dtype == "float32"
    assert xp.sum(x).dtype == "int32"


@pytest.mark.parametrize("name", ["complex32", "bcomplex32"])
def test_narrow_complex_numbers_below_one_are_not_zero(name):
    if name in ABSENT:
        pytest.skip("this ml_dtypes has no narrow complex numbers")
    x = xp.asarray([0.06 - 0.07j, 0.5j], dtype=name)
    assert bool(xp.all(x))
    assert bool(xp.any(x[1:]))
    assert not bool(xp.any(xp.zeros_like(x)))
    assert xp.all(x, axis=0, keepdims=True).tolist() == [True]
