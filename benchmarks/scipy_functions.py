"""The functions of `supremum.scipy` next to SciPy's: ratios at 10⁵ elements or 60 rows, and microseconds more at 10 elements.

    python benchmarks/scipy_functions.py                  # all functions, in five minutes
    python benchmarks/scipy_functions.py -k 'special'     # those whose call matches
    python benchmarks/scipy_functions.py --write          # and write the block of RESULTS.md

A row is a call. Both libraries run the same text, with their own `special`, `stats`, ... and arrays.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import statistics
import subprocess
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from libraries import ONE_THREAD
from page import put
from timing import race, timer

import supremum

#: The highest ratio, the most microseconds at few elements, and the ratio from which a row has a reason.
RATIO, MICROSECONDS, EXPLAINED = 1.3, 3.0, 2.0
SIZES = {"few": (10, 3), "many": (100_000, 60)}
MODULES = (
    "special", "stats", "linalg", "signal", "fft", "ndimage", "interpolate", "integrate", "cluster", "spatial",
)  # fmt: skip

#: Calls of functions of elements. `x` is from -3 to 3, `p` and `q` from 0.1 to 20, `u` and `v` from 0 to 1, `i` and `j` whole.
ELEMENTS = """
    special.erf(x) special.erfc(x) special.erfinv(u) special.erfcx(x) special.dawsn(x) special.wofz(x) special.expit(x)
    special.logit(u) special.ndtr(x) special.ndtri(u) special.log_ndtr(x) special.entr(p) special.xlogy(p,q)
    special.xlog1py(p,q) special.rel_entr(p,q) special.kl_div(p,q) special.boxcox(p,q) special.boxcox1p(p,q)
    special.gamma(p) special.gammaln(p) special.gammasgn(x) special.loggamma(p) special.digamma(p) special.polygamma(j,p)
    special.factorial(j) special.comb(i,j) special.beta(p,q) special.betaln(p,q) special.betainc(p,q,u) special.poch(p,q)
    special.gammainc(p,q) special.gammaincc(p,q) special.multigammaln(p+3,2) special.zeta(p+1,q) special.exp1(p)
    special.expi(x) special.expn(j,p) special.sici(p) special.fresnel(x) special.spence(p) special.owens_t(x,u)
    special.hyp1f1(p,q,x) special.hyp2f1(u,p,q,v) special.i0(x) special.i0e(x) special.i1(x) special.i1e(x)
    special.softmax(x) special.log_softmax(x) special.logsumexp(x)
    stats.norm.pdf(x) stats.norm.logpdf(x) stats.norm.cdf(x) stats.norm.logcdf(x) stats.norm.sf(x) stats.norm.ppf(u)
    stats.gamma.pdf(p,2.5) stats.gamma.cdf(p,2.5) stats.gamma.sf(p,2.5) stats.beta.pdf(u,2.5,3.5) stats.beta.logpdf(u,2.5,3.5)
    stats.beta.cdf(u,2.5,3.5) stats.chi2.cdf(p,3.5) stats.chi2.logpdf(p,3.5) stats.t.pdf(x,4.5) stats.cauchy.cdf(x)
    stats.cauchy.ppf(u) stats.expon.pdf(p) stats.expon.logsf(p) stats.logistic.cdf(x) stats.laplace.logpdf(x)
    stats.pareto.cdf(q+1,2.5) stats.uniform.pdf(u) stats.gumbel_r.pdf(x) stats.truncnorm.pdf(x,-2.0,2.5)
    stats.vonmises.pdf(x,2.5) stats.gennorm.cdf(x,2.5) stats.poisson.pmf(i,3.5) stats.poisson.cdf(i,3.5)
    stats.binom.pmf(i,20,0.25) stats.nbinom.pmf(i,5,0.25) stats.geom.pmf(i,0.25)
    stats.betabinom.pmf(i,20,2.5,3.5) stats.sem(x) stats.rankdata(x)
"""
#: Calls of functions of matrices. `m` and `n` are square, `s` positive definite, `a` triangular, `b` and `d` vectors.
MATRICES = """
    linalg.cholesky(s) linalg.cho_solve(linalg.cho_factor(s),b) linalg.solve(s,b) linalg.solve(s,b,assume_a='pos')
    linalg.solve_triangular(a,m) linalg.lu(m) linalg.lu_factor(m) linalg.lu_solve(linalg.lu_factor(s),b) linalg.det(n)
    linalg.inv(s) linalg.eigh(s) linalg.eigh(s,eigvals_only=True) linalg.eigh_tridiagonal(b,d) linalg.svd(m)
    linalg.svd(m,compute_uv=False) linalg.qr(m) linalg.qr(m,pivoting=True) linalg.qr_multiply(m,s) linalg.polar(s)
    linalg.hessenberg(m,calc_q=True) linalg.schur(m) linalg.schur(m,output='complex') linalg.rsf2csf(*linalg.schur(m))
    linalg.expm(n) linalg.expm_frechet(n,m) linalg.sqrtm(s) linalg.funm(n,__import__('operator').neg)
    linalg.solve_sylvester(s,s,m) linalg.toeplitz(b,b) linalg.hankel(b,b) linalg.circulant(b) linalg.companion(b)
    linalg.block_diag(m,s) linalg.leslie(b,d) linalg.fiedler(b) linalg.fiedler_companion(b) linalg.convolution_matrix(b,9)
    linalg.hilbert(len(b)) linalg.invhilbert(9) linalg.pascal(9) linalg.invpascal(9) linalg.hadamard(64)
    linalg.helmert(len(b)) linalg.dft(len(b))
"""
#: Calls of functions of signals, images and points. `w` and `k` are kernels, `z` an image, `g` and `h` places in it, `r` its
#: axis, `y` the same places as rows, `c` a few of them, `o` quaternions, `l` vectors.
SIGNALS = """
    signal.convolve(x,w) signal.correlate(x,w) signal.convolve2d(z,k) signal.correlate2d(z,k) signal.fftconvolve(x,p)
    signal.detrend(x) signal.stft(x,nperseg=len(w)) signal.istft(signal.stft(x,nperseg=len(w))[2],nperseg=len(w))
    signal.welch(x,nperseg=len(w)) signal.csd(x,p,nperseg=len(w)) fft.dct(x) fft.idct(x) fft.dctn(z) fft.idctn(z)
    ndimage.map_coordinates(z,(g,h),order=0,mode='nearest') ndimage.map_coordinates(z,(g,h),order=1,mode='nearest')
    interpolate.RegularGridInterpolator((r,r),z)(y) interpolate.RegularGridInterpolator((r,r),z,'nearest')(y)
    integrate.trapezoid(x) cluster.vq.vq(y,c) cluster.vq.vq(m,s)
    spatial.transform.Rotation.from_quat(o).as_matrix() spatial.transform.Rotation.from_quat(o).as_rotvec()
    spatial.transform.Rotation.from_quat(o).as_euler('xyz') spatial.transform.Rotation.from_quat(o).as_mrp()
    spatial.transform.Rotation.from_quat(o).apply(l) spatial.transform.Rotation.from_rotvec(l).inv().as_quat()
    spatial.transform.Rotation.from_euler('xyz',l).as_matrix() spatial.transform.Rotation.from_matrix(f).as_matrix()
    spatial.transform.Rotation.__mul__(*[spatial.transform.Rotation.from_quat(o)]*2).as_matrix()
"""
#: Calls whose results have vectors of any sign.
FREE_SIGNS = ("linalg.eigh", "linalg.svd")
#: Calls whose results move by more than 1e-13, relative to the largest element, where operands move by a rounding.
ILL_CONDITIONED = {"linalg.eigh(s)": 1e-11}
#: What SciPy is given instead, where its function has another name or signature.
THEIRS: dict[str, str] = {}
#: Why rows are above what is allowed, by their calls.
_TREES = "SciPy's rotations are objects with normalized quaternions; ours are tuples of one array, as JAX's, computed by NumPy"
_ROTATIONS = ("as_matrix", "as_rotvec", "as_euler('xyz')", "as_mrp", "apply(l)")
REASONS: dict[str, str] = {
    "linalg.det(n)": "float32 is computed in float64, as by `supremum.linalg`",
    "linalg.svd(m)": "float32 is computed in float64, as by `supremum.linalg`",
    "linalg.polar(s)": "by NumPy's LAPACK, which takes stacks and needs no SciPy",
    "linalg.funm(n,__import__('operator').neg)": "the function is called with an Array, as in JAX",
    "stats.betabinom.pmf(i,20,2.5,3.5)": "float32 is computed in float64, as by all distributions",
    "ndimage.map_coordinates(z,(g,h),order=0,mode='nearest')": "ties are rounded away from zero, as JAX's",
    "cluster.vq.vq(m,s)": "in float64, with distances of all digits: SciPy's of many columns have half of them",
    "linalg.sqrtm(s)": "complex, as JAX's; SciPy's own warns, by the filters of the process",
    "linalg.rsf2csf(*linalg.schur(m))": "two functions, each with the checks of its arguments",
    "linalg.expm_frechet(n,m)": "SciPy's has no loop of float32: float64, rounded once",
    **{f"spatial.transform.Rotation.from_quat(o).{one}": _TREES for one in _ROTATIONS},
    **{f"spatial.transform.Rotation.from_quat(o).{one}()": _TREES for one in _ROTATIONS},
    "spatial.transform.Rotation.from_euler('xyz',l).as_matrix()": _TREES,
    "interpolate.RegularGridInterpolator((r,r),z)(y)": "checks of the grid, when the interpolator is made",
    "interpolate.RegularGridInterpolator((r,r),z,'nearest')(y)": "checks of the grid, when the interpolator is made",
}


@dataclass(frozen=True)
class Result:
    """A call: the ratios by dtype, and the microseconds more at few elements."""

    code: str
    ratios: dict[str, float]
    more: float

    @property
    def misses(self) -> bool:
        """Whether a bar is missed."""
        return max(self.ratios.values()) > RATIO or self.more > MICROSECONDS


def operands(size: int, rows: int, dtype: str) -> dict[str, Any]:
    """Return the names that calls use."""
    draw = np.random.default_rng(size)
    x, u, v = draw.uniform(-3, 3, size), draw.uniform(0.01, 0.99, size), draw.uniform(0.01, 0.99, size)
    p, q = draw.uniform(0.1, 20, (2, size))
    i, j = draw.integers(0, 30, size), draw.integers(1, 9, size)
    m, few, side = draw.standard_normal((rows, rows)), max(size // 10, 3), int(size**0.5)
    y = draw.uniform(0, side - 1, (size, 2))
    o = draw.standard_normal((few, 4))
    given = {
        "x": x, "u": u, "v": v, "p": p, "q": q,
        "m": m, "n": m / rows**0.5, "s": m @ m.T + rows * np.eye(rows), "a": np.triu(m) + rows * np.eye(rows),
        "b": m[0].copy(), "d": m[0, 1:].copy(),
        "w": draw.standard_normal(max(size // 1000, 3)), "k": draw.standard_normal((3, 3)),
        "z": draw.standard_normal((side, side)), "g": y[:, 0].copy(), "h": y[:, 1].copy(), "r": np.arange(side), "y": y,
        "c": y[:8], "o": o, "l": o[:, 1:].copy(), "f": np.linalg.qr(draw.standard_normal((few, 3, 3)))[0],
    }  # fmt: skip
    given["f"] *= np.linalg.det(given["f"])[:, None, None]
    return {**{name: value.astype(dtype) for name, value in given.items()}, "i": i, "j": j}


def library(package: str) -> dict[str, Any]:
    """Return the modules of a library by the names that calls use."""
    return {name: importlib.import_module(f"{package}.{name}") for name in MODULES}


def plain(found: Any) -> list[np.ndarray[Any, Any]]:
    """Return the arrays of a result."""
    return [np.asarray(part) for part in (found if isinstance(found, tuple) else (found,))]


def timers(code: str, size: str, dtype: str) -> dict[str, Any]:
    """Return the timers of both libraries, whose results have been compared."""
    given = operands(*SIZES[size], dtype)
    ours, theirs = library("supremum.scipy"), library("scipy")
    converted = {name: supremum.asarray(value) for name, value in given.items()}
    names = {"ours": {**converted, **ours}, "scipy": {**given, **theirs}}
    codes = {"ours": code, "scipy": THEIRS.get(code, code)}
    with supremum.config.use(x64="on"), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        first, second = (plain(eval(codes[name], dict(names[name]))) for name in names)  # noqa: S307 - rows of this file
    for one, other in zip(first, second, strict=False):
        if code.startswith(FREE_SIGNS):
            one, other = np.abs(one), np.abs(other)  # noqa: PLW2901 - the operands are replaced on purpose
        # Near the zeros of functions, and of small elements among large ones, the digits of the largest count.
        digits = 1e-3 if dtype == "float32" else ILL_CONDITIONED.get(code, 1e-13)
        largest = max(1.0, np.abs(other[np.isfinite(other)]).max(initial=0.0))
        np.testing.assert_allclose(
            one.astype(complex), other.astype(complex), rtol=digits, atol=digits * largest, err_msg=code
        )
    return {name: timer(codes[name], _used(codes[name], names[name])) for name in names}


def _used(code: str, found: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in found.items() if re.search(rf"(?<![.\w]){key}\b", code)}


def measure(code: str, budget: float) -> Result:
    """Race a call against SciPy's."""
    ratios = {}
    with supremum.config.use(x64="on"), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for dtype in ("float64", "float32"):
            seconds = race(timers(code, "many", dtype), budget)
            ratios[dtype] = seconds["ours"] / seconds["scipy"]
        seconds = race(timers(code, "few", "float64"), budget / 4)
    return Result(code, ratios, 1e6 * (seconds["ours"] - seconds["scipy"]))


# -- the report ---------------------------------------------------------------------------------------------------------------


def summary(results: list[Result]) -> list[str]:
    """Say how many functions there are, and how many miss a bar."""
    ratios = [ratio for result in results for ratio in result.ratios.values()]
    missed = sum(result.misses for result in results)
    unexplained = [one.code for one in results if max(one.ratios.values()) > EXPLAINED and one.code not in REASONS]
    bars = f"at most {RATIO} of SciPy's time, at most {MICROSECONDS:g} µs more at few elements"
    middle, largest = statistics.median(ratios), max(ratios)
    lines = [f"{len(results)} functions; median {middle:.2f}, largest {largest:.2f}; {missed} miss a bar ({bars})."]
    return lines + [f"Above {EXPLAINED:g} without a reason: {', '.join(unexplained)}."] * bool(unexplained)


def table(results: list[Result]) -> list[str]:
    """Return a Markdown table, in the order of the rows."""
    lines = ["| call | float64 | float32 | µs more | |", "|---|---|---|---|---|"]
    for one in results:
        note = REASONS.get(one.code, "MISS") if one.misses else ""
        numbers = " | ".join(f"{ratio:.2f}" for ratio in one.ratios.values())
        lines.append(f"| `{one.code}` | {numbers} | {one.more:+.1f} | {note} |")
    return lines


def calls(pattern: str) -> Iterator[str]:
    """Yield the calls that match."""
    yield from (code for code in (ELEMENTS + MATRICES + SIGNALS).split() if re.search(pattern, code))


def main(argv: list[str] | None = None) -> int:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("-k", metavar="REGEX", default="", help="only the calls that match")
    parser.add_argument("--seconds", type=float, default=0.4, help="of each candidate of a call")
    parser.add_argument("--write", action="store_true", help="write the block of RESULTS.md")
    options = parser.parse_args(argv)
    if any(os.environ.get(name) != value for name, value in ONE_THREAD.items()):
        return subprocess.call([sys.executable, *sys.argv], env={**os.environ, **ONE_THREAD})
    results = []
    for code in calls(options.k):
        found = measure(code, options.seconds)
        if found.misses and code not in REASONS:  # by the load of the machine, perhaps
            found = measure(code, 4 * options.seconds)
        results.append(found)
        print(table(results)[-1], flush=True)
    if not results:
        return 1
    print(*summary(results), sep="\n")
    if options.write:
        put("scipy", [*summary(results), "", *table([each for each in results if each.misses])])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
