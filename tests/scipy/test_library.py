"""SciPy is imported when a function first needs it; without it, the error says what to install."""

import subprocess
import sys
import textwrap

import pytest

import supremum as xp
from supremum._base.boundary import public
from supremum.scipy import special, stats
from supremum.scipy._evaluation import Library

SENTENCE = "needs SciPy; install it with: python -m pip install 'supremum[scipy]'"
_ONE = "digamma entr erf erfc erfinv expit gammaln gammasgn log_ndtr log_softmax logit loggamma logsumexp ndtr ndtri softmax"
_TWO = "boxcox boxcox1p kl_div rel_entr xlog1py xlogy"
_DENSITIES = "cauchy expon gumbel_l gumbel_r laplace logistic uniform"
_WITH_SHAPE = "chi2 gamma gennorm pareto t wrapcauchy"
#: Calls of functions that need no SciPy.
WITHOUT = [
    *(f"special.{name}(x)" for name in _ONE.split()),
    *(f"special.{name}(x, x)" for name in _TWO.split()),
    "special.bernoulli(4)",
    "special.multigammaln(x + 2, 2)",
    *(f"stats.norm.{name}(x)" for name in stats.norm.__all__),
    *(f"stats.{name}.pdf(x)" for name in _DENSITIES.split()),
    *(f"stats.{name}.pdf(x, x + 1)" for name in _WITH_SHAPE.split()),
    "stats.binom.pmf(1, 3, x)",
    "stats.poisson.pmf(1, x)",
    "nn.gelu(x, approximate=False)",
    "random.gamma(random.key(0), x)",
    "random.truncated_normal(random.key(0), -1, 1)",
]
_OF_ONE = "dawsn erfcx exp1 expi factorial fresnel gamma i0 i0e i1 i1e sici spence wofz"
_OF_TWO = "beta betaln comb gammainc gammaincc owens_t poch zeta"
#: Calls of functions that do.
NEEDING = [
    *(f"special.{name}(x)" for name in _OF_ONE.split()),
    *(f"special.{name}(x, x)" for name in _OF_TWO.split()),
    "special.expn(2, x)",
    "special.polygamma(1, x)",
    "special.betainc(x, x, x)",
    "special.hyp1f1(x, x, x)",
    "special.hyp2f1(x, x, x, x)",
    "special.bessel_jn(x, v=1)",
    "special.sph_harm_y(xp.asarray([1]), xp.asarray([0]), x, x)",
    "special.loggamma(x + 1j)",
    "stats.gamma.cdf(x, 2.0)",
    "stats.beta.pdf(x, 2.0, 3.0)",
    "stats.vonmises.pdf(x, 2.0)",
]


def run(code):
    """Run code in a new interpreter with the names that the calls have."""
    head = """
        import sys
        import supremum as xp
        from supremum import nn, random
        from supremum.scipy import special, stats
        x = xp.asarray([0.25, 0.5])
    """
    command = [sys.executable, "-c", textwrap.dedent(head) + textwrap.dedent(code)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_nothing_is_imported_before_a_function_needs_it():
    found = run(f"""
        for call in {WITHOUT!r}:
            eval(call)
        assert not [name for name in sys.modules if name.partition(".")[0] == "scipy"]
        try:
            special.gammainc(2.0, x)
        except ModuleNotFoundError:
            print("absent")
        else:
            assert "scipy.special" in sys.modules and "scipy.stats" not in sys.modules
            print("imported")
    """)
    assert found in ("imported\n", "absent\n")


def test_functions_without_scipy():
    found = run(f"""
        for name in ("scipy", "scipy.special"):  # as if it was not installed
            sys.modules[name] = None
        for call in {WITHOUT!r}:
            eval(call)
        for call in {NEEDING!r}:
            try:
                eval(call)
            except ModuleNotFoundError as error:
                function = call.partition("(")[0].removeprefix("special.").removeprefix("stats.")
                assert str(error) == function + " " + {SENTENCE!r}, error
            else:
                raise AssertionError(call)
        print("passed")
    """)
    assert found == "passed\n"


def test_every_special_function_is_in_one_of_the_lists():
    named = {call.partition("(")[0].removeprefix("special.") for call in WITHOUT + NEEDING if call.startswith("special.")}
    assert named == set(special.__all__)


def test_an_attribute_is_the_modules_own():
    fft = pytest.importorskip("scipy.fft", reason="SciPy is not installed")
    library = Library("scipy.fft")
    assert library.dct is fft.dct
    assert library.dct is fft.dct
    with pytest.raises(AttributeError, match="no_such_function"):
        _ = library.no_such_function


def test_other_import_errors_pass_as_they_are():
    missing = Library("supremum_has_no_such_module")
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'supremum_has_no_such_module'$"):
        public(lambda: missing.name)()


@pytest.mark.parametrize("action", ["raise", "warn"])
@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16"])
def test_functions_are_silent_whatever_scipy_is_told(action, dtype):
    theirs = pytest.importorskip("scipy.special", reason="SciPy is not installed")
    with xp.config.use(x64="on"), theirs.errstate(all=action):
        with pytest.raises(theirs.SpecialFunctionError) if action == "raise" else pytest.warns(theirs.SpecialFunctionWarning):
            theirs.gammaln(-1.0)  # the poles are errors to SciPy
        state = theirs.geterr()
        x = xp.asarray([0.0, -1.0, -2.5, 1e30, float("nan"), float("inf")]).astype(dtype)
        for name in ("gamma", "gammaln", "digamma", "exp1", "expi", "i0", "erfcx", "dawsn", "sici"):
            getattr(special, name)(x)
        for name in ("gammainc", "beta", "betaln", "poch", "zeta", "expn", "comb"):
            getattr(special, name)(x, x)
        special.betainc(x, x, x)
        special.hyp2f1(x, x, x, x)
        stats.gamma.cdf(x, x)
        stats.beta.logpdf(x, x, x)
        assert theirs.geterr() == state
