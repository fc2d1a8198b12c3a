"""The facts at the heads of functions, against what the functions do with the arguments of the tables of this folder."""

import warnings

import arrays
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from subjects import leaves, tree
from test_functions import FUNCTIONS

import supremum as xp
from supremum._base.facts import facts_of, operands_of

#: Rows of functions that state facts, by the name of the function.
ROWS = {}
for _row in FUNCTIONS:
    _function = _row.function
    if _function is None:
        _function = xp
        for _part in _row.name.split()[0].split("."):
            _function = getattr(_function, _part)
    ROWS.setdefault(_row.name.split()[0], (_function, []))[1].append(_row)
#: What fillers are: the elements of results that are of no operand.
FILLERS = (0.0, 1.0)


def stating(fact):
    return sorted(name for name, (function, _) in ROWS.items() if getattr(facts_of(function), fact))


def distinct(x, start):
    """Return an array of the same shape with elements that occur once."""
    return (np.arange(x.size, dtype=np.float64) * 1.25 + start).reshape(x.shape)


def floating(x):
    return isinstance(x, np.ndarray) and arrays.NODES[x.dtype.name].kind == "f"


def checked(check, name):
    """Run a check of a function on drawn arguments, and require that some were checked."""
    function, rows = ROWS[name]
    count = [0]

    @settings(
        max_examples=10,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def run(data):
        row = data.draw(st.sampled_from(rows))
        args, kwargs = row.arguments(arrays.Draw(data.draw))
        with xp.config.use(x64="on"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            count[0] += bool(check(function, args, kwargs))

    run()
    assert count[0], f"no call of {name} was checked"


def attempted(function, args, kwargs):
    """Return the error of a call, or None, and its result."""
    try:
        return None, function(*args, **kwargs)
    except (TypeError, ValueError, IndexError) as error:
        return error, None


@pytest.mark.parametrize("name", stating("moving"))
def test_moving(name):
    def check(function, args, kwargs):
        start = iter(range(2, 10**9, 10**6))
        own = operands_of(function)
        made = tree(lambda x: distinct(x, next(start)) if floating(x) or x.dtype.kind == "c" else x, (args, kwargs))
        error, found = attempted(function, *tree(xp.asarray, made))
        if error is not None or not own:
            return False
        held = {float(v) for x in leaves(made) if isinstance(x, np.ndarray) for v in np.ravel(x)} | set(FILLERS)
        held |= {float(x) for x in leaves(made) if isinstance(x, int | float)}
        results = [x for x in leaves(found) if isinstance(x, xp.Array) and x.dtype == "float64"]
        for x in results:
            assert {v for v in np.ravel(np.asarray(x)).tolist() if v == v} <= held, (name, made, found)
        return any(x.size for x in results)

    checked(check, name)


@pytest.mark.parametrize("name", [one for one in stating("constant") if facts_of(ROWS[one][0]).constant == "shapes"])
def test_constant(name):
    def check(function, args, kwargs):
        results = []
        for start in (1.0, 7.0):
            made = tree(lambda x, start=start: distinct(x, start) if floating(x) else x, (args, kwargs))
            error, found = attempted(function, *tree(xp.asarray, made))
            if error is not None:
                return False
            results.append([np.asarray(x).tolist() for x in leaves(found)])
        return results[0] == results[1]

    checked(check, name)


def tame(x):
    """Return finite elements of moderate size, of a wide dtype."""
    return np.where(np.isfinite(wide := x.astype(np.float64)), np.clip(wide, -3, 3), 1.0) if floating(x) else x


@pytest.mark.parametrize("name", stating("linear"))
def test_linear(name):
    def check(function, args, kwargs):
        parameters = operands_of(function)
        wide = tree(tame, (args, {key: x for key, x in kwargs.items() if key != "dtype"}))
        done = False
        for operand in facts_of(function).linear.split():
            place = parameters.index(operand)
            if place >= len(wide[0]) or not isinstance(x := wide[0][place], np.ndarray) or x.dtype != np.float64:
                continue
            rng = np.random.default_rng(5)
            one, two = rng.uniform(-1, 1, (2, *x.shape))

            def call(x, place=place, held=tree(tame, wide)):
                given = [*held[0][:place], x, *held[0][place + 1 :]]
                return attempted(function, *tree(xp.asarray, (given, held[1])))

            (error, of_one), (_, of_two), (_, of_both) = call(one), call(two), call(one - 3 * two)
            if error is not None:
                continue
            for a, b, c in zip(leaves(of_one), leaves(of_two), leaves(of_both), strict=True):
                if isinstance(a, xp.Array) and a.dtype.kind in "fc":
                    expected = np.asarray(a) - 3 * np.asarray(b)
                    assert np.allclose(expected, np.asarray(c), rtol=1e-9, atol=1e-9), (name, operand, args, kwargs)
                    done |= bool(a.size)
        return done

    checked(check, name)


@pytest.mark.parametrize("name", stating("sums"))
def test_sums(name):
    """No sum is larger than that of the terms' magnitudes, and those of magnitudes are not negative."""

    def check(function, args, kwargs):
        made = tree(tame, (args, {key: x for key, x in kwargs.items() if key != "dtype"}))
        error, found = attempted(function, *tree(xp.asarray, made))
        error_of_sizes, sizes = attempted(
            function, *tree(lambda x: xp.asarray(np.abs(x) if x.dtype.kind in "if" else x), made)
        )
        if error is not None or error_of_sizes is not None:
            return False
        compared = False
        for x, size in zip(map(np.asarray, leaves(found)), map(np.asarray, leaves(sizes)), strict=True):
            if x.dtype == np.float64:
                assert (np.abs(x) <= size * (1 + 1e-9) + 1e-9).all(), (name, args, kwargs)
                compared |= bool(x.size)
        return compared

    checked(check, name)


def functions_with_slopes():
    for prefix, home in (("", xp), ("nn.", xp.nn), ("scipy.special.", xp.scipy.special)):
        for name in sorted(home.__all__):
            if facts_of(getattr(home, name)).slope:
                yield prefix + name


@pytest.mark.parametrize("name", list(functions_with_slopes()))
def test_slope(name):
    """Each slope is the limit of quotients of differences."""
    home, _, own = name.rpartition(".")
    function = getattr({"": xp, "nn": xp.nn, "scipy.special": xp.scipy.special}[home], own)
    slopes = facts_of(function).slope
    slopes = (slopes,) if isinstance(slopes, str) else slopes
    names = [one for one in operands_of(function) if one not in ("out", "where")][: len(slopes)]
    whole = {("polygamma", 0), ("expn", 0), ("ldexp", 1), ("sph_harm_y", 0)}
    rng = np.random.default_rng(3)
    compared = 0
    with xp.config.use(x64="on"):
        for low in (0.15, 1.15, -0.85):
            xs = [np.full(40, 2) if (own, i) in whole else rng.uniform(low, low + 0.7, 40) for i in range(len(names))]
            if own == "heaviside":
                xs[0][::2] = 0.0

            def call(*xs):
                return np.asarray(function(*map(xp.asarray, xs)))

            given = dict(zip(names, map(xp.asarray, xs), strict=True), out=function(*map(xp.asarray, xs)))
            scope = {**{one: getattr(xp, one) for one in xp.__all__}, "special": xp.scipy.special, "lax": xp.jax.lax}
            scope["strong"] = lambda factor: factor  # says of cotangents that they are strong
            scope |= {one: getattr(xp.scipy.special, one) for one in xp.scipy.special.__all__ if one not in scope}
            for i, slope in enumerate(slopes):
                if not slope or (own, i) in whole:
                    continue
                found = np.broadcast_to(np.asarray(eval(slope, {**scope, **given})), 40)  # noqa: S307 - of our own source
                above, below = (call(*[x + sign * 1e-6 if j == i else x for j, x in enumerate(xs)]) for sign in (1, -1))
                with np.errstate(invalid="ignore"):
                    quotient = (above - below) / 2e-6
                if own == "heaviside" and i == 0:
                    quotient = np.zeros(40)
                fits = np.isfinite(quotient) & np.isfinite(found)
                assert np.allclose(found[fits], quotient[fits], rtol=1e-5, atol=1e-5), (slope, low, found, quotient)
                compared += fits.sum()
    assert compared >= 40
