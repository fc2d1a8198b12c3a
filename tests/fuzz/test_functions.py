"""Every public function with valid input of every kind, against exact or wider arithmetic, and against laws.

One case is one call of one function with generated arguments. Its arrays are passed twice, contiguous and in other layouts.
Both results must have the same dtype, weak type, shape and elements; the input must not change; dtypes must depend on dtypes
alone; and results must equal those of the table's authority if it has one.
"""

import warnings

import arrays
import functions_elementwise
import functions_making
import functions_moving
import functions_numeric
import functions_special
import numpy as np
import pytest
from arrays import NODES
from common import for_each
from hypothesis import HealthCheck, given, seed as seeded, settings, strategies as st
from subjects import leaves, tree

import supremum as xp

FUNCTIONS = [
    row
    for module in (functions_elementwise, functions_moving, functions_numeric, functions_special, functions_making)
    for row in module.TABLE
]
SUBJECTS = [*FUNCTIONS, *functions_making.methods(FUNCTIONS)]
#: Cases of each row in the plain run.
EXAMPLES = 6


@st.composite
def cases(draw, subject):
    """Draw arguments of a call, the layouts of its arrays, whether these are passed as NumPy's, and the mode of 64 bits."""
    d = arrays.Draw(draw)
    args, kwargs = subject.arguments(d)
    layouts = [d.one(arrays.LAYOUTS) for value in leaves((args, kwargs)) if isinstance(value, np.ndarray)]
    return args, kwargs, layouts, d.int(0, 3) == 0, d.one(["explicit", "explicit", "on"])


def called(subject, args, kwargs):
    """Call the function; return the results and None, or None and the error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return subject(*args, **kwargs), None
    except (TypeError, ValueError, NotImplementedError, OverflowError) as error:
        return None, error


def form(value):
    if isinstance(value, xp.Array):
        return value.dtype.name, value.weak_type, value.shape
    return type(value).__name__


def differs(x, y, units):
    """Return how two results differ beyond rounding, or None."""
    if form(x) != form(y):
        return f"{form(x)} is not {form(y)}"
    if isinstance(x, xp.Array):
        return None if arrays.same(x, y) else arrays.away(x, arrays.numbers(y), units, _largest(y)) if units else "bits differ"
    return None if x == y or (x != x and y != y) else f"{x} is not {y}"


def _largest(y):
    """Return the magnitude of the summands, as far as the result shows it."""
    values = arrays.numbers(y)
    if values.dtype.kind not in "fc" or not values.size:
        return 0
    with np.errstate(all="ignore"):
        sizes = np.abs(values)
        return sizes[np.isfinite(sizes)].max(initial=0)


def checked(subject, args, kwargs, layouts, raw, mode, dtypes):
    """Check one call against the laws and its authority; return whether it had a result, and the problems."""
    with xp.config.use(x64=mode):
        return _checked(subject, args, kwargs, layouts, raw, dtypes)


def _checked(subject, args, kwargs, layouts, raw, dtypes):
    plain = tree(lambda x: xp.asarray(np.array(x, order="C")), (args, kwargs))
    expected, refusal = called(subject, *plain)
    order = iter(layouts)
    laid = tree(lambda x: arrays.laid_out(x, next(order)), (args, kwargs))
    given_arrays = [x for x in leaves(laid) if isinstance(x, np.ndarray)]
    before = [(x.tobytes(), x.shape, x.strides) for x in given_arrays]
    given_args = laid if raw and not _operator(subject) else tree(xp.asarray, laid)
    result, error = called(subject, *given_args)
    if type(refusal) is not type(error):
        return True, f"{error!r} for one layout, {refusal!r} for another"
    if before != [(x.tobytes(), x.shape, x.strides) for x in given_arrays]:
        return True, "changed its input"
    if error is not None:
        return False, None
    found, wanted = leaves(result), leaves(expected)
    if len(found) != len(wanted):
        return True, f"{len(found)} results for one layout, {len(wanted)} for another"
    for one, other in zip(found, wanted, strict=True):
        if problem := differs(one, other, subject.layout_units if subject.units is not None else None):
            return True, f"layouts: {problem}"
    out = [x.dtype.name if isinstance(x, xp.Array) else type(x).__name__ for x in wanted]
    if subject.of_dtypes and (problem := _remembered(subject, args, kwargs, out, dtypes)):
        return True, problem
    # float8_e8m0fnu has no zero and no sign: no rule specifies what replaces them.
    held = subject.reference and not any(getattr(x, "dtype", None) == "float8_e8m0fnu" for x in leaves((args, kwargs)))
    return True, against_authority(subject, args, kwargs, wanted, out) if held else None


def _operator(subject):
    return subject.name.startswith(("operator", "Array"))


def _remembered(subject, args, kwargs, out, dtypes):
    """Compare the dtypes of the results with those of earlier calls with the same dtypes, of any shapes and values."""
    what = [x.dtype.name if isinstance(x, np.ndarray) else type(x).__name__ for x in leaves(args)]
    if not out:
        return None
    key = subject.name, xp.config.x64, *what, *(f"{name}={value!r}" for name, value in kwargs.items() if name == "dtype")
    known = dtypes.setdefault(key, out[:1])
    return None if known == out[:1] else f"dtype {out[0]}, elsewhere {known[0]}"


def against_authority(subject, args, kwargs, results, out):
    """Return how the results differ from the exact ones, or None."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        exact = leaves(subject.reference(out, *args, **kwargs))
        scale = subject.scale(*args, **kwargs) if subject.scale else 0
    if len(exact) != len(results):
        return f"{len(results)} results, not {len(exact)}"
    for number, (one, other) in enumerate(zip(results, exact, strict=True)):
        if not isinstance(one, xp.Array):
            problem = None if one == other or one != one else f"{one} is not {other}"
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                problem = _judged(subject, np.asarray(one), np.asarray(other), scale)
        if problem:
            return f"result {number}: {problem}"
    return None


def _judged(subject, one, other, scale):
    node = NODES.get(one.dtype.name)
    if subject.units is None and one.dtype == other.dtype:
        return None if arrays.same(one, other) else f"{one.ravel()[:5]} is not {other.ravel()[:5]}"
    if node is not None and node.kind in "biu" and other.dtype.kind in "biuO":
        other = arrays.numbers(arrays.cast(other, one.dtype)) if other.dtype.kind != "O" else other
    return arrays.away(one, other, subject.units or 0, scale)


@pytest.fixture(scope="module")
def dtypes():
    return {}


@for_each("subject", SUBJECTS, lambda subject: subject.name)
def test_results_are_right_in_every_layout(subject, dtypes, budget, seed, count):
    done = 0

    @seeded(f"{seed}/{subject.name}")
    @settings(max_examples=EXAMPLES * budget, suppress_health_check=[HealthCheck.too_slow])  # the machine may be busy
    @given(case=cases(subject))
    def run(case):
        nonlocal done
        answer, problem = checked(subject, *case, dtypes)
        done += answer
        assert problem is None, f"{subject.name}: {problem}"

    run()
    count("functions", done)
    assert done
