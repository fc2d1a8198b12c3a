"""No public function reports a floating-point event, under any filter of warnings and any error state."""

import warnings

import arrays
import numpy as np
from common import for_each
from hypothesis import HealthCheck, given, seed as seeded, settings, strategies as st
from subjects import leaves, tree
from test_functions import SUBJECTS

import supremum as xp
from supremum.promotion._nodes import NODES

#: Cases of each row in the plain run.
EXAMPLES = 4
#: Elements that cause floating-point events: poles, overflow, underflow, and values outside of domains.
TROUBLE = (0.0, -0.0, np.inf, -np.inf, np.nan, 1e300, -3e38, 1e-310, 1e-40, 6e4, 1.0, -1.0, 0.5, 1000.0)


def troubled(data, rng):
    """Return a copy in which about half of the floating-point elements cause events."""
    data = np.array(data)
    node = NODES.get(data.dtype.name)
    if node is None or node.kind not in "fc" or not data.size:
        return data
    chosen = rng.choice(TROUBLE, data.shape)
    with np.errstate(all="ignore"):
        if node.kind == "c":
            chosen = chosen + 1j * rng.choice(TROUBLE, data.shape)
        return np.where(rng.random(data.shape) < 0.5, np.asarray(chosen).astype(data.dtype), data)


@st.composite
def cases(draw, subject):
    args, kwargs = subject.arguments(arrays.Draw(draw))
    return args, kwargs, draw(st.integers(0, 2**32)), draw(st.sampled_from(["off", "explicit", "on"])), draw(st.booleans())


def attempt(subject, args, kwargs):
    """Call the function and format its result; let reported floating-point events propagate."""
    try:
        result = subject(*args, **kwargs)
        repr(leaves(result))
    except (FloatingPointError, RuntimeWarning):
        raise
    except Exception:  # noqa: BLE001, S110 - other errors are not tested by this file
        pass


@for_each("subject", SUBJECTS, lambda subject: subject.name)
def test_nobody_hears_of_floating_point_events(subject, budget, seed):
    @seeded(f"silence/{seed}/{subject.name}")
    @settings(max_examples=EXAMPLES * budget, suppress_health_check=[HealthCheck.too_slow])  # the machine may be busy
    @given(case=cases(subject))
    def run(case):
        args, kwargs, number, mode, reset = case
        rng = np.random.default_rng(number)
        args, kwargs = tree(lambda x: troubled(x, rng), (args, kwargs))
        with xp.config.use(x64=mode):
            with np.errstate(all="raise"), warnings.catch_warnings():
                warnings.simplefilter("error")
                attempt(subject, *tree(xp.asarray, (args, kwargs)))
                if not subject.name.startswith(("operator", "Array")):  # those of NumPy's arrays are NumPy's
                    attempt(subject, args, kwargs)
            with np.errstate(all="warn"), warnings.catch_warnings(record=True) as caught:
                warnings.resetwarnings() if reset else warnings.simplefilter("always")
                attempt(subject, *tree(xp.asarray, (args, kwargs)))
            assert [str(each.message) for each in caught if issubclass(each.category, RuntimeWarning)] == []

    run()
