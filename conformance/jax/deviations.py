"""List where supremum differs from JAX on purpose, and why: the reasons that excuse a mismatch.

A reason excuses a call only if its condition holds.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from conformance.jax import (
    conditions,
    conditions_derivatives as derivatives,
    conditions_narrow as narrow,
    conditions_scipy as scipy,
    conditions_traced as traced,
)
from conformance.jax.compare import Mismatch


@dataclass(frozen=True)
class Deviation:
    """A reason, the targets (patterns) and kinds of mismatch that it excuses, and the condition on the call."""

    reason: str
    targets: tuple[str, ...]
    kinds: frozenset[str]
    condition: Callable[[Mismatch], bool] = lambda _mismatch: True

    def excuses(self, mismatch: Mismatch) -> bool:
        """Whether this reason excuses a mismatch."""
        if not self.kinds.issuperset(mismatch.found) or not _is_of(mismatch.target, self.targets):
            return False
        try:
            return self.condition(mismatch)
        except (TypeError, ValueError, AttributeError, KeyError, IndexError, OverflowError):
            return False  # the condition reads something that this call does not have


@cache
def _is_of(target: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatch(target, pattern) for pattern in patterns)


def reason_for(mismatch: Mismatch) -> str | None:
    """Return the reason that excuses a mismatch, or None."""
    return next((deviation.reason for deviation in DEVIATIONS if deviation.excuses(mismatch)), None)


# The table ------------------------------------------------------------------------------------------------------------------

VALUE, WEAK, EXCEPTION, CLASS = (frozenset({kind}) for kind in ("value", "weak", "exception", "class"))
FORM = frozenset({"dtype", "weak", "shape", "value", "exception", "class"})

#: Patterns of targets that share reasons.
DIVISIONS = (
    "operator.floordiv",
    "operator.mod",
    "builtins.divmod",
    "jnp.floor_divide",
    "jnp.mod",
    "jnp.remainder",
    "jnp.divmod",
    "jnp.fmod",
)
POWERS = ("operator.pow", "jnp.power", "jnp.pow")

#: Derivatives of functions.
DERIVATIVES = ("gradient *", "tangent *", "second *")

DEVIATIONS: list[Deviation] = [
    Deviation("The derivative is there; JAX refuses it.", DERIVATIVES, EXCEPTION, derivatives.has_one),
    Deviation("Both refuse the derivative, with different exceptions.", DERIVATIVES, CLASS, derivatives.both_raise),
    Deviation(
        "JAX's derivative is not finite: of a singular matrix, of a power of zero or of a variance of one element.",
        DERIVATIVES,
        VALUE,
        derivatives.is_not_finite_in_jax,
    ),
    Deviation(
        "Derivatives have the precision of the narrowest floats of the call, also those of weak numbers and of bools.",
        DERIVATIVES,
        VALUE,
        derivatives.within_narrowest,
    ),
    Deviation(
        "Second derivatives of narrow floats are sums of terms that cancel: they are within roundings of the first ones.",
        ("second *",),
        VALUE,
        derivatives.within_the_first,
    ),
    Deviation(
        "The second derivative of narrow floats is nearer to that in float64 than JAX's.",
        ("second jax.scipy.stats.dirichlet.pdf",),
        VALUE,
        derivatives.is_nearer,
    ),
    Deviation(
        "Both derivatives of entr are NaN below zero; JAX's is zero forward and NaN backward.",
        ("tangent jax.scipy.special.entr",),
        VALUE,
        derivatives.of_negative_numbers,
    ),
    Deviation(
        "The second derivative of hypot is right where the legs are equal too; JAX's is not, as it orders them.",
        ("second jnp.hypot",),
        VALUE,
        derivatives.of_equal_legs,
    ),
    Deviation(
        "The digamma function has no complex numbers, nor has the derivative of complex gamma functions.",
        ("* jax.scipy.special.gamma", "* jax.scipy.special.loggamma"),
        EXCEPTION,
        derivatives.is_refused,
    ),
    Deviation(
        "The matrix is singular, where the decomposition has no derivative.",
        ("* jax.scipy.linalg.qr", "* jax.scipy.linalg.polar"),
        VALUE,
        derivatives.of_a_singular_matrix,
    ),
    Deviation(
        "Tangents of eigenvalues are those that differences give; JAX's are those of the steps of a bisection.",
        ("tangent jax.scipy.linalg.eigh_tridiagonal",),
        VALUE,
        derivatives.differences_of_eigenvalues,
    ),
    Deviation(
        "Derivatives by all angles, with which degrees broadcast; JAX takes the polar angles by the positions of the degrees.",
        ("* jax.scipy.special.sph_harm_y",),
        VALUE,
        derivatives.of_more_angles,
    ),
    *(Deviation(*row) for row in scipy.REASONS),
    Deviation("A bool is never weak; JAX flags comparisons of weak operands.", ("*",), WEAK, conditions.bool_result),
    Deviation(
        "Comparisons are mathematically exact; JAX first wraps Python integers and rounds or wraps mixed signs.",
        conditions.COMPARISONS,
        frozenset({"value", "weak"}),
        conditions.compares_exactly,
    ),
    Deviation(
        "Comparisons support Python integers of any size; JAX raises OverflowError beyond the default integer.",
        conditions.COMPARISONS,
        EXCEPTION,
        conditions.compares_exactly,
    ),
    Deviation(
        "A Python integer that fits the other operand's dtype works; JAX's must fit its default integer.",
        ("operator.*", "builtins.*", "jnp.*"),
        EXCEPTION,
        conditions.fits_the_other,
    ),
    Deviation(
        "A dtype that the function does not support is reported (TypeError) before a Python integer's size; both raise.",
        ("operator.*", "builtins.*", "jnp.*"),
        CLASS,
        conditions.refused_for_its_dtype,
    ),
    Deviation(
        "A Python integer of 64 bits without an array is a uint64, as in asarray; JAX raises OverflowError, or wraps it.",
        ("jnp.*",),
        FORM,
        conditions.of_64_bits,
    ),
    Deviation(
        "The function supports narrow dtypes, or arguments that JAX does not implement.",
        ("operator.*", "builtins.*", "jnp.*", "Array.*", "at.*", "jax.*"),
        EXCEPTION,
        conditions.jax_lacks,
    ),
    Deviation(
        "A Python integer beyond the default integer is refused everywhere; JAX sometimes takes its value.",
        ("jnp.*",),
        EXCEPTION,
        conditions.beyond_every_integer,
    ),
    Deviation(
        "clip compares exactly; JAX wraps its bounds first.",
        ("jnp.clip", "Array.clip"),
        VALUE | EXCEPTION,
        conditions.clips_exactly,
    ),
    Deviation(
        "Complex functions have the array API's values (C99) at zeros, infinities and NaN; XLA's formulas do not.",
        ("jnp.*", "jax.*"),
        VALUE,
        conditions.complex_argument_special,
    ),
    Deviation(
        "Casts of four-bit floats to integers are exact; XLA saturates their largest value.",
        ("jnp.astype", "Array.astype"),
        VALUE,
        conditions.from_float4,
    ),
    Deviation(
        "A right shift of four-bit integers is exact; XLA shifts in other bits.",
        ("operator.rshift", "jnp.right_shift", "jnp.bitwise_right_shift"),
        VALUE,
        conditions.shifted_exactly,
    ),
    Deviation(
        "The result is the rounded value of a wider computation; XLA loses digits in the narrow one.",
        ("jnp.*", "Array.*", "operator.matmul"),
        VALUE,
        conditions.as_in_a_wider_dtype,
    ),
    Deviation(
        "Edges of bins in narrow floats are those of exact arithmetic, rounded once; XLA's are not sorted.",
        ("jnp.histogram*",),
        VALUE,
        narrow.evenly_spaced,
    ),
    Deviation(
        "The length of a range is that of the exact numbers.", ("jnp.arange",), frozenset({"shape"}), narrow.exact_length
    ),
    Deviation(
        "Integers of less than a byte are valid indices; JAX raises an error for their dtype.",
        ("jnp.*split",),
        CLASS,
        narrow.positions_in_narrow_integers,
    ),
    Deviation(
        "A call with two errors, one of them dtypes without a promotion, may raise either error.",
        ("jnp.*",),
        CLASS,
        narrow.without_promotion,
    ),
    Deviation(
        "Arrays whose dtypes have no promotion cannot be compared; JAX catches its error and returns False.",
        ("jnp.array_equiv",),
        EXCEPTION,
        narrow.refused_without_promotion,
    ),
    Deviation(
        "logaddexp2.reduce of integers of less than a byte has the result of logaddexp2; JAX multiplies them by a float.",
        ("jnp.logaddexp2.reduce",),
        EXCEPTION,
        narrow.of_narrow_integers,
    ),
    Deviation(
        "NumPy's functions call ours for our arrays; JAX's arrays are converted to NumPy's first, with its promotion.",
        ("np.*",),
        frozenset({"value", "type"}),
        narrow.by_our_promotion,
    ),
    Deviation(
        "JAX fails by a bug: one of its functions calls another with mixed dtypes, or hashes an array.",
        ("*",),
        EXCEPTION,
        conditions.slip_of_jax,
    ),
    Deviation(
        "A string is not a number, even if it spells one or is not used.",
        ("jnp.*",),
        EXCEPTION,
        conditions.string_argument,
    ),
    Deviation(
        "A Python complex number does not lose its imaginary part silently.", ("jnp.*",), EXCEPTION, conditions.complex_to_real
    ),
    Deviation(
        "A singular system, or one with NaN, has no finite solution; what is infinite or NaN depends on LAPACK.",
        ("jnp.linalg.*", "jnp.roots"),
        VALUE,
        conditions.no_finite_solution,
    ),
    Deviation(
        "The exact result is zero; both results are rounding errors.",
        ("jnp.linalg.*", "jnp.fft.*", "jnp.poly*", "jnp.roots"),
        VALUE,
        conditions.rounding_noise,
    ),
    Deviation("Subnormal numbers are kept; XLA flushes them to zero.", ("*",), VALUE, conditions.subnormal),
    Deviation(
        "array_repr and array_str return the text of repr and str; JAX's name its classes.",
        ("jnp.array_repr", "jnp.array_str"),
        VALUE,
        conditions.printed_as_repr,
    ),
    Deviation(
        "Numbers of narrow dtypes are printed in columns, with the digits that they have, and lines end where they are full.",
        ("Array.__repr__", "Array.__str__", "builtins.repr", "builtins.str"),
        VALUE,
        conditions.printed_in_columns,
    ),
    Deviation(
        "A view has the same bytes; JAX computes a view of complex numbers, which spreads NaN.",
        ("Array.view",),
        VALUE,
        conditions.viewed_exactly,
    ),
    Deviation(
        "An argument of a wrong type is a TypeError; JAX may raise a different error first.",
        ("*",),
        CLASS,
        conditions.wrong_type,
    ),
    Deviation(
        "An argument without elements is a ValueError; JAX raises an internal IndexError.",
        ("jnp.nan*", "jnp.hstack", "jnp.poly*"),
        CLASS,
        conditions.nothing_there,
    ),
    Deviation(
        "Fractions as shapes or shifts, negative counts and unknown modes are refused; JAX accepts some.",
        ("jnp.unravel_index", "jnp.roll", "jnp.repeat", "jnp.*split", "at.get"),
        EXCEPTION,
        conditions.refused,
    ),
    Deviation("permute_dims takes negative axes, as transpose does.", ("jnp.permute_dims",), EXCEPTION, conditions.taken),
    Deviation(
        "A length of -1 is the length of the axis, as the array API says.",
        ("jnp.fft.*",),
        EXCEPTION,
        conditions.full_length,
    ),
    Deviation(
        "NaN among the elements makes the eigenvalues of a matrix, and a softmax, NaN.",
        ("jnp.linalg.eig*", "jax.*.softmax"),
        VALUE,
        conditions.argument_with_nan,
    ),
    Deviation("`in` returns True or False.", ("Array.__contains__",), frozenset({"type"}), conditions.same_truth),
    Deviation(
        "searchsorted returns default integers, as the array API requires; JAX returns int32.",
        ("jnp.searchsorted", "Array.searchsorted"),
        frozenset({"dtype"}),
        conditions.index_dtype,
    ),
    Deviation(
        "A complex number is true unless it is zero; JAX tests its real part.", ("at.*",), VALUE, conditions.complex_into_bool
    ),
    Deviation(
        "Computation is eager: indices, masks and options may be arrays. JAX refuses what it cannot trace.",
        ("jnp.*",),
        EXCEPTION,
        conditions.not_traced,
    ),
    Deviation("out= raises NotImplementedError; JAX fails to hash it.", ("jnp.*",), CLASS, conditions.with_out),
    Deviation(
        "Indices that are not integers raise TypeError.",
        ("jnp.take", "jnp.*.reduceat"),
        CLASS,
        conditions.index_not_integer,
    ),
    Deviation(
        "reduceat refuses indices out of bounds, as NumPy does.",
        ("jnp.*.reduceat",),
        EXCEPTION | CLASS,
        conditions.reads_outside,
    ),
    Deviation(
        "reduceat uses dtype=; JAX ignores it.",
        ("jnp.*.reduceat",),
        frozenset({"dtype", "value"}),
        conditions.dtype_asked_for,
    ),
    Deviation(
        "Results of cumulative logical operations are bools; JAX copies the first elements.",
        ("jnp.logical_*.accumulate", "jnp.logical_*.reduceat"),
        VALUE,
        conditions.truth_values,
    ),
    Deviation(
        "hard_tanh compares exactly; JAX wraps -1 to the largest unsigned integer.",
        ("jax.nn.hard_tanh",),
        VALUE,
        conditions.unsigned,
    ),
    Deviation(
        "Integers of two bits promote to float32 in divisions and means, as those of four bits do; JAX lacks them.",
        ("operator.truediv", "jnp.mean"),
        frozenset({"dtype", "value"}),
        conditions.two_bits,
    ),
    Deviation(
        "cumulative_prod widens small integers, as the array API requires and JAX's cumulative_sum does.",
        ("jnp.cumulative_prod",),
        frozenset({"dtype", "value"}),
        conditions.widened,
    ),
    Deviation(
        "nanargmax and nanargmin skip NaN in floats without infinities too.",
        ("jnp.nanargmax", "jnp.nanargmin"),
        VALUE,
        conditions.without_infinities,
    ),
    Deviation(
        "An index out of bounds raises IndexError; JAX clamps it (and so does .at[...].get).",
        ("operator.getitem",),
        EXCEPTION,
        conditions.reads_outside,
    ),
    Deviation(
        "A floating-point function of integers converts a Python integer by its value; JAX wraps it to their dtype first.",
        ("jnp.arctan2", "jnp.atan2", "jnp.hypot", "jnp.copysign", "jnp.logaddexp", "jnp.logaddexp2"),
        VALUE,
        conditions.wrapped_number,
    ),
    Deviation(
        "NaN propagates through maximum and minimum of complex numbers too.",
        ("jnp.maximum", "jnp.minimum"),
        VALUE,
        conditions.complex_nans,
    ),
    Deviation(
        "== and != with an object that is not a number are False and True, as in Python; JAX raises TypeError.",
        ("operator.eq", "operator.ne"),
        EXCEPTION,
        conditions.left_to_python,
    ),
    Deviation(
        "Integer division by zero is 0, as in NumPy; in JAX the result is XLA's.",
        DIVISIONS,
        VALUE,
        conditions.integers_by_zero,
    ),
    Deviation(
        "floor_divide and remainder of zeros, infinities and NaN have the results of the array API standard.",
        DIVISIONS,
        VALUE,
        conditions.real_and_special,
    ),
    Deviation(
        "A bool promotes to 0 or 1, so that 0 * inf and 0 / 0 are NaN; XLA turns a product with a bool into a selection.",
        ("operator.mul", "operator.truediv", "jnp.multiply", "jnp.divide", "jnp.true_divide"),
        VALUE,
        conditions.bool_times_nonfinite,
    ),
    Deviation(
        "Complex division and powers of zeros, infinities and NaN follow NumPy (C99); XLA returns other infinities and NaN.",
        (
            "operator.mul",
            "operator.truediv",
            *POWERS,
            "jnp.multiply",
            "jnp.divide",
            "jnp.true_divide",
            "jnp.logaddexp*",
            "jnp.*tan2",
        ),
        VALUE,
        conditions.complex_and_special,
    ),
    Deviation(
        "A strong 0-d integer exponent promotes like any array; JAX uses its value.",
        POWERS,
        FORM,
        conditions.zero_d_exponent,
    ),
    Deviation(
        "The power of a bool and a weak integer array is int32 in every shape; JAX's is for 0-d exponents only.",
        POWERS,
        FORM,
        conditions.bool_to_a_weak_power,
    ),
    Deviation(
        "The power of weak integers is weak, as in every other operation; JAX's loop drops the weak type.",
        POWERS,
        WEAK | VALUE,
        conditions.weak_powers,
    ),
    Deviation(
        "Integer powers are exact modulo the width; JAX uses the six lowest bits of an exponent that is an array.",
        POWERS,
        VALUE,
        conditions.powers_modulo,
    ),
    Deviation(
        "The norm of integers is computed in floating point, as the array API requires and JAX's other norms are.",
        ("jnp.linalg.vector_norm",),
        FORM,
        conditions.of_integers,
    ),
    Deviation(
        "A variance is not an integer: var refuses an integer dtype; JAX computes in a truncated dtype.",
        ("*jnp.var", "*jnp.nanvar", "Array.var"),
        EXCEPTION | CLASS,
        conditions.asks_for_integers,
    ),
    Deviation(
        "Means of integers are accumulated in float64, which represents their sums; JAX's float32 does not.",
        ("jnp.mean", "jnp.nanmean", "jnp.average", "Array.mean", "jax.nn.standardize"),
        VALUE,
        conditions.of_integers,
    ),
    Deviation(
        "A Python bool is an exponent like an array of bools; an odd exponent beyond the float's precision counts as even.",
        POWERS,
        WEAK | VALUE,
        conditions.by_a_bool_or_a_huge_number,
    ),
    Deviation(
        "A Python integer that a dtype cannot hold is refused; JAX wraps it into four bits.",
        ("jnp.array", "jnp.asarray", "jnp.int4", "jnp.uint4"),
        EXCEPTION,
        conditions.too_large_for_dtype,
    ),
    Deviation(
        "copy=False raises if a copy must be made, as the array API requires; JAX copies lists.",
        ("jnp.asarray",),
        EXCEPTION,
        conditions.list_without_copy,
    ),
    Deviation(
        "A geometric sequence of integers ends exactly at `stop`; JAX's end is rounded, then truncated.",
        ("jnp.geomspace",),
        VALUE,
        conditions.ends_at_stop,
    ),
    Deviation(
        "A Python number has a dtype, which functions of dtypes accept.",
        ("jnp.can_cast", "jnp.finfo", "jnp.isdtype", "jnp.issubdtype"),
        EXCEPTION,
        conditions.number_for_dtype,
    ),
    Deviation(
        "None is not a dtype; JAX's finfo uses float64.",
        ("jnp.finfo",),
        EXCEPTION,
        conditions.none_for_dtype,
    ),
    Deviation(
        "A byte order is not part of a dtype, and is ignored.",
        ("jnp.zeros",),
        EXCEPTION,
        conditions.byte_order,
    ),
    Deviation(
        "The arctangent of complex numbers is a logarithm near 1, so small parts are rounding errors.",
        ("jnp.arctan2", "jnp.atan2"),
        VALUE,
        conditions.complex_angles,
    ),
    Deviation(
        "Whether a logarithm of sums is weak depends on the dtypes only; in JAX also on whether shapes are broadcast.",
        ("jnp.logaddexp*",),
        WEAK,
        conditions.flag_of_shapes,
    ),
    Deviation(
        "spacing of infinities is NaN in every dtype; JAX's is infinite in float16.",
        ("jnp.spacing",),
        VALUE,
        conditions.infinite_argument,
    ),
    Deviation(
        "Every function that is not a constructor refuses lists; some of JAX's accept them.",
        ("jnp.fft.*",),
        EXCEPTION,
        conditions.given_as_list,
    ),
    Deviation(
        "Transforms of real numbers return complex ones, and their inverses real ones, without axes too.",
        ("jnp.fft.rfftn", "jnp.fft.irfftn"),
        frozenset({"dtype", "value"}),
        conditions.along_no_axes,
    ),
    Deviation(
        "rfftfreq returns the requested dtype, as fftfreq does.",
        ("jnp.fft.rfftfreq",),
        frozenset({"dtype", "value"}),
        conditions.dtype_asked_for,
    ),
    Deviation(
        "Updates to powers are exact, and do not change other elements; JAX raises these to the power 1.",
        ("at.power",),
        VALUE,
        conditions.updated_exactly,
    ),
    Deviation(
        "Bools as indices are 0 and 1 in every mode.",
        ("jnp.take",),
        VALUE,
        conditions.wrapped_truth,
    ),
    Deviation(
        "No index can be unravelled into a shape without elements; the results are undefined.",
        ("jnp.unravel_index",),
        VALUE,
        conditions.into_nothing,
    ),
    Deviation(
        "rtol of matrix_rank is relative to the largest singular value, as the array API requires; JAX's is absolute.",
        ("jnp.linalg.matrix_rank",),
        VALUE,
        conditions.rank_above_relative,
    ),
    Deviation(
        "A negative number of axes is refused; JAX uses 0.",
        ("jnp.tensordot", "jnp.linalg.tensordot"),
        EXCEPTION,
        conditions.negative_count_of_axes,
    ),
    Deviation(
        "Narrow integers can be unwrapped; JAX divides them as floats and finds no promotion.",
        ("jnp.unwrap",),
        EXCEPTION,
        conditions.narrow_integers,
    ),
    Deviation(
        "Complex sums are divided by a real count; XLA divides by a complex one, which spreads NaN.",
        ("jnp.mean", "jnp.nanmean", "jnp.average", "Array.mean"),
        VALUE,
        conditions.sums_not_finite,
    ),
    Deviation(
        "Arrays whose shapes do not broadcast are not equivalent, for any number of dimensions.",
        ("jnp.array_equiv",),
        EXCEPTION,
        conditions.taken,
    ),
    Deviation(
        "A result that is exactly zero is 0; JAX's is a rounding error.",
        ("jax.scipy.special.gammaln", "jax.scipy.special.loggamma", "jnp.logaddexp2.outer"),
        VALUE,
        conditions.zero_of_noise,
    ),
    Deviation(
        "Percentiles in float64 keep more digits of a float32 q than JAX's.",
        ("jnp.percentile", "jnp.nanpercentile"),
        VALUE,
        conditions.nearer_quantiles,
    ),
    Deviation(
        "suppress_small prints the digits of the dtype; JAX's prints those of float64.",
        ("jnp.array_str",),
        VALUE,
        conditions.same_digits,
    ),
    Deviation(
        "Interpolation with period 0 is undefined; the result is NaN.",
        ("jnp.interp",),
        VALUE,
        conditions.period_of_zero,
    ),
    Deviation(
        "Interpolation between no points is an IndexError; JAX raises an internal TypeError.",
        ("jnp.interp",),
        CLASS,
        conditions.no_samples,
    ),
    Deviation(
        "Cumulative functions treat a 0-d array as one element; JAX accepts Python numbers, and refuses 0-d arrays.",
        ("jnp.*.accumulate",),
        EXCEPTION,
        conditions.one_step,
    ),
    Deviation(
        "fill_value is used if the argument is empty too; JAX returns 0.",
        ("jnp.argwhere", "jnp.flatnonzero", "jnp.nonzero"),
        VALUE,
        conditions.filled_from_nothing,
    ),
    Deviation(
        "Updating bools with integers returns integers; JAX ignores the integers.",
        ("jnp.*.at",),
        frozenset({"dtype", "value"}),
        conditions.promoted_truth,
    ),
    Deviation(
        "logaddexp2.reduce has the dtype of logaddexp2; JAX converts integers to the default float.",
        ("jnp.logaddexp2.reduce",),
        frozenset({"dtype", "value"}),
        conditions.narrower_same,
    ),
    Deviation(
        "Arrays are mutable unless `config.mutable` is False, and are updated in place; JAX refuses without inplace=False.",
        ("jnp.place", "jnp.put", "jnp.put_along_axis"),
        EXCEPTION,
        conditions.written_in_place,
    ),
    *(Deviation(*row) for row in traced.REASONS),
    # Tolerances for all functions of narrow dtypes, if no rule above applies.
    Deviation(
        "Narrow floats are computed in float32 and rounded once; comparisons allow one rounding. XLA rounds between steps.",
        ("*",),
        VALUE,
        narrow.as_in_float32,
    ),
    Deviation(
        "Integers of less than a byte have int32's results, modulo their width; some functions of JAX lack them.",
        ("jnp.*", "Array.*"),
        VALUE,
        narrow.as_in_int32,
    ),
]
