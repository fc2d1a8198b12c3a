"""The law of `vmap`: its result is that of the function at each position, stacked, with the dtype and the weak type of one."""

import functools
import inspect
import itertools
import operator

import numpy as np
import pytest
from common import for_each
from generators import RNG

import supremum as xp
from supremum import jax, linalg, nn, scipy
from supremum.jax import lax

SIZES = (2, 5)


def numbers(*shape):
    """A maker of arrays of floats, one for each number of positions."""
    return lambda size: xp.asarray(RNG.uniform(0.1, 2, (size, *shape)).astype(np.float32))


def integers(top, *shape, low=0):
    return lambda size: xp.asarray(RNG.integers(low, top, (size, *shape)).astype(np.int32))


def bools(*shape):
    return lambda size: xp.asarray(RNG.random((size, *shape)) < 0.5)


def weak(*shape):
    return lambda size: jax.vmap(lambda _: 2.0)(xp.ones(size)) if not shape else None


def matrices(n):
    return lambda size: xp.asarray((RNG.uniform(-1, 1, (size, n, n)) + 3 * np.eye(n)).astype(np.float32))


def symmetric(n):
    def make(size):
        found = np.asarray(matrices(n)(size))
        return xp.asarray(found + np.swapaxes(found, 1, 2))

    return make


def keys(size):
    return jax.random.split(jax.random.key(int(RNG.integers(1000))), size)


x, y, s, m, v, i, j, b = (
    numbers(3, 4), numbers(4), numbers(), numbers(4, 5), numbers(3), integers(3), integers(3, 2), bools(3, 4),
)  # fmt: skip
a3, a4 = numbers(2, 3, 4), numbers(2, 3, 4, 2)
#: Functions, and what makes their operands; every operand may be mapped.
CASES = {
    "operators": (lambda a, b: -a + b * 2.0 - 1 / a, x, y),
    "comparison": (lambda a, b: (a < b) & ~(a == b), x, y),
    "reflected": (lambda a: 2 - np.ones(4, np.float32) * a, x),
    "power": (lambda a, n: a**n, x, integers(3)),
    "divmod": (lambda a, b: divmod(a, b), integers(9, 3, low=1), integers(5, 3, low=1)),
    "weak": (lambda a: a + 1, weak()),
    "hypot": (xp.hypot, x, y),
    "where": (xp.where, b, y, s),
    "clip": (lambda a, low: xp.clip(a, low, max=1.5), x, y),
    "clip by name": (lambda a, low: xp.clip(a, min=low), x, y),
    "round": (lambda a: xp.round(a, 1), x),
    "frexp": (xp.frexp, x),
    "isclose": (xp.isclose, x, y),
    "composed": (lambda a: nn.softmax(a, axis=0) + nn.silu(a) + nn.gelu(a), x),
    "sum": (lambda a: a.sum(), x),
    "sum of numbers": (lambda a: a.sum() + a.max() + a.std(), s),
    "sum over an axis": (lambda a: xp.sum(a, axis=0, keepdims=True) + a.sum(-1, keepdims=True), x),
    "sum over axes": (lambda a: xp.sum(a, axis=(0, -1)), a3),
    "sum where": (lambda a, mask: xp.sum(a, axis=1, where=mask), x, b),
    "mean": (lambda a: a.mean(0), x),
    "std": (lambda a: xp.std(a, axis=1, correction=1), x),
    "nanmax": (lambda a: xp.nanmax(a, axis=0), x),
    "median": (lambda a: xp.median(a), x),
    "quantile": (lambda a: xp.quantile(a, xp.asarray([0.25, 0.5, 0.75]), axis=1), x),
    "quantile of all": (lambda a: xp.quantile(a, 0.3), x),
    "any": (lambda a: a.any(axis=-1), b),
    "all": (lambda a: a.all(), b),
    "count_nonzero": (lambda a: xp.count_nonzero(a, axis=0), b),
    "cumsum": (lambda a: xp.cumsum(a), x),
    "cumulative_sum": (lambda a: xp.cumulative_sum(a, axis=1), x),
    "argmax": (lambda a: a.argmax(), x),
    "argmin": (lambda a: xp.argmin(a, axis=0), x),
    "argmax with axes kept": (lambda a: xp.argmax(a, keepdims=True), x),
    "argmin with axes kept": (lambda a: a.argmin(axis=1, keepdims=True), x),
    "sort": (lambda a: xp.sort(a), x),
    "argsort": (lambda a: xp.argsort(a, axis=0, descending=True), x),
    "sort of all": (lambda a: xp.sort(a, axis=None), x),
    "logsumexp": (lambda a: jax.scipy.special.logsumexp(a, axis=0), x),
    "vector_norm": (lambda a: linalg.vector_norm(a, axis=1), x),
    "diff": (lambda a: xp.diff(a, axis=0), x),
    "trapezoid": (lambda a: xp.trapezoid(a), x),
    "fft": (lambda a: xp.fft.fft(a), x),
    "rfft": (lambda a: xp.fft.rfft(a, axis=0), x),
    "fft2": (lambda a: xp.fft.fft2(a), a3),
    "fftn": (lambda a: xp.fft.fftn(a), x),
    "fftshift": (lambda a: xp.fft.fftshift(a), x),
    "flip": (lambda a: xp.flip(a) + xp.flip(a, axis=0), x),
    "roll": (lambda a: xp.roll(a, 1) + xp.roll(a, 2, axis=-1), x),
    "rot90": (lambda a: xp.rot90(a, 1), x),
    "reshape": (lambda a: a.reshape(2, -1), x),
    "ravel": (lambda a: a.ravel() + a.flatten(), x),
    "transpose": (lambda a: a.T, x),
    "permuted": (lambda a: xp.permute_dims(a, (2, 0, 1)) + a.transpose(-1, 0, 1), a3),
    "matrix_transpose": (lambda a: a.mT, a3),
    "swapaxes": (lambda a: a.swapaxes(0, -1), a3),
    "moveaxis": (lambda a: xp.moveaxis(a, 0, -1) + xp.moveaxis(a, (0,), (2,)), a3),
    "expand_dims": (lambda a: xp.expand_dims(a, (0, -1)), x),
    "squeeze": (lambda a: xp.squeeze(a[None, :, None]), x),
    "broadcast_to": (lambda a: xp.broadcast_to(a, (2, 3, 4)), y),
    "tile": (lambda a: xp.tile(a, (2, 1, 2)), x),
    "repeat": (lambda a: xp.repeat(a, 2, axis=1), x),
    "pad": (lambda a: xp.pad(a, ((1, 0), (0, 2))), x),
    "atleast": (lambda a: xp.atleast_3d(a) + xp.atleast_2d(a)[..., None], x),
    "concat": (lambda a, b: xp.concat([a, b[None]], axis=0), x, y),
    "stack": (lambda a, b: xp.stack([a, b, xp.zeros(4)], axis=-1), y, y),
    "hstack": (lambda a, b: xp.hstack([a, b]), y, y),
    "vstack": (lambda a, b: xp.vstack([a, b]), y, y),
    "column_stack": (lambda a, b: xp.column_stack([a, b]), y, y),
    "split": (lambda a: xp.split(a, 2, axis=1), x),
    "unstack": (lambda a: xp.unstack(a), x),
    "asarray": (lambda a, b: xp.asarray([a, b, 1.0]), s, s),
    "array of lists": (lambda a, b: xp.array([[a, 0], [0, b]]), s, s),
    "rotation": (lambda a: xp.asarray([[xp.cos(a), -xp.sin(a)], [xp.sin(a), xp.cos(a)]]), s),
    "astype": (lambda a: a.astype("int8"), x),
    "zeros_like": (lambda a: a + xp.zeros_like(a) + xp.ones_like(a), x),
    "full_like": (lambda a, b: xp.full_like(a, b), x, s),
    "full": (lambda b: xp.full((2, 3), b), s),
    "diag": (lambda a: xp.diag(a), matrices(3)),
    "diag of a vector": (lambda a: xp.diag(a) + xp.diag(a[1:], k=-1) + xp.diagflat(a, 1)[:3, :3], v),
    "trace": (lambda a: xp.trace(a) + xp.diagonal(a).sum(), matrices(3)),
    "tril": (lambda a: xp.tril(a) + xp.triu(a, k=1), matrices(3)),
    "matmul": (xp.matmul, x, m),
    "vector by matrix": (xp.matmul, y, m),
    "matrix by vector": (xp.matmul, x, y),
    "vector by vector": (xp.matmul, y, y),
    "stack by matrix": (xp.matmul, a3, m),
    "matrix by stack": (xp.matmul, matrices(3), a3),
    "vector by stack": (xp.matmul, v, a3),
    "stack by vector": (xp.matmul, a3, y),
    "operator": (lambda a, b: a @ b, x, m),
    "dot": (lambda a, b: a.dot(b), x, y),
    "dot of numbers": (xp.dot, s, y),
    "dot of stacks": (xp.dot, a3, m),
    "tensordot": (lambda a, b: xp.tensordot(a, b, axes=((1, 2), (0, 1))), a3, numbers(3, 4, 2)),
    "einsum": (lambda a, b: xp.einsum("ij,jk->ki", a, b), x, m),
    "einsum by lists": (lambda a, b: xp.einsum(a, [0, 1], b, [1, 2], [2, 0]), x, m),
    "einsum, implicit": (lambda a, b: xp.einsum("ij,jk", a, b), x, m),
    "vecdot": (xp.vecdot, x, x),
    "outer": (xp.outer, v, y),
    "inner": (xp.inner, x, y),
    "vdot": (xp.vdot, x, x),
    "cross": (xp.cross, v, v),
    "matvec": (xp.matvec, x, y),
    "vecmat": (xp.vecmat, y, m),
    "solve": (linalg.solve, matrices(3), v),
    "solve, several": (linalg.solve, matrices(3), x),
    "inv": (linalg.inv, matrices(3)),
    "det": (linalg.det, matrices(3)),
    "slogdet": (linalg.slogdet, matrices(3)),
    "cholesky": (lambda a: linalg.cholesky(a @ a.mT), matrices(3)),
    "eigvalsh": (linalg.eigvalsh, symmetric(3)),
    "svdvals": (lambda a: linalg.svd(a, compute_uv=False), x),
    "pinv": (linalg.pinv, x),
    "norm": (lambda a: linalg.norm(a), y),
    "solve_triangular": (lambda a, c: scipy.linalg.solve_triangular(a, c, lower=True), matrices(3), v),
    "cho_solve": (
        lambda a, c: scipy.linalg.cho_solve(scipy.linalg.cho_factor(a @ a.mT + xp.eye(3)), c), matrices(3), v,
    ),
    "lu_solve": (lambda a, c: scipy.linalg.lu_solve(scipy.linalg.lu_factor(a), c), matrices(3), x),
    "expm": (scipy.linalg.expm, matrices(3)),
    "density": (scipy.stats.norm.logpdf, x, y, s),
    "special": (lambda a, c: scipy.special.betainc(a, c, 0.5) + scipy.special.gammaln(a), x, y),
    "bits": (lambda k: jax.random.bits(k, (3,)), keys),
    "uniform": (lambda k: jax.random.uniform(k, (2, 3), minval=-1, maxval=2), keys),
    "normal": (lambda k: jax.random.normal(k, (5,)), keys),
    "narrow": (lambda k: jax.random.normal(k, (5,), "bfloat16"), keys),
    "complex": (lambda k: jax.random.normal(k, (3,), "complex64"), keys),
    "samplers": (
        lambda k: [f(k, (2, 3)) for f in (xp.random.cauchy, xp.random.exponential, xp.random.laplace, xp.random.rademacher)],
        keys,
    ),
    "few keys of a shape": (lambda k: jax.random.key_data(jax.random.split(k, (2, 3))), keys),
    "split of keys": (lambda k: [jax.random.key_data(one) for one in jax.random.split(k, 3)], keys),
    "fold_in": (lambda k, n: jax.random.key_data(jax.random.fold_in(k, n)), keys, integers(9)),
    "keys of seeds": (lambda n: jax.random.uniform(jax.random.key(n)), integers(99, low=-9)),
    "raw keys": (lambda n: jax.random.split(jax.random.PRNGKey(n)), integers(99)),
    "a chain of keys": (lambda k: jax.random.normal(jax.random.split(k)[1]) + jax.random.uniform(jax.random.clone(k)), keys),
    "samplers without a rule": (lambda k: jax.random.permutation(k, 5) + jax.random.randint(k, (5,), 0, 9), keys),
    "one_hot": (lambda k: nn.one_hot(k, 4) + xp.expand_dims(nn.one_hot(k, 4, axis=0), -1).sum(), j),
    "item": (lambda a: a[0] + a[-1, 1:3].sum() + a[..., None].sum(), x),
    "index": (lambda a, k: a[k], x, i),
    "index of a column": (lambda a, k: a[:, k], x, i),
    "indices": (lambda a, k: a[k], x, j),
    "indices of columns": (lambda a, k: a[:, k], x, j),
    "indices in the middle": (lambda a, k: a[:, k, 1:], a4, j),
    "separated indices": (lambda a, k: a[0, :, k], a4, j),
    "two indices": (lambda a, k: a[:, k, k], a4, integers(2, 2)),
    "constant indices": (lambda a: a[:, np.array([0, 2])] + a[np.array([0, 1, 0])][:, :2], x),
    "constant separated indices": (lambda a: a[np.array([0, 1]), :, np.array([1, 0])], a3),
    "mask": (lambda a: a[np.array([True, False, True])], x),
    "at set": (lambda a, k, new: a.at[k].set(new), x, i, y),
    "at set numbers": (lambda a, k, new: a.at[:, k].set(new), x, j, s),
    "at add": (lambda a, k, new: a.at[k, 1].add(new), x, j, numbers(2)),
    "at add columns": (lambda a, k, new: a.at[:, k].add(new), x, j, numbers(3, 2)),
    "at max": (lambda a, new: a.at[1:, 0].max(new), x, numbers(2)),
    "at get": (lambda a, k: a.at[k].get(mode="fill", fill_value=7), x, integers(9, 2)),
    "at apply": (lambda a: a.at[1].apply(xp.negative), x),
    "at separated": (lambda a, new: a.at[np.array([0, 1]), :, np.array([1, 0])].set(new), a3, v),
    "take": (lambda a, k: xp.take(a, k, axis=1), x, j),
    "take of all": (lambda a, k: a.take(k), x, integers(12, 2)),
    "take_along_axis": (lambda a, k: xp.take_along_axis(a, k, axis=0), x, integers(3, 2, 4)),
    "lax add": (lax.add, x, x),
    "lax scalars": (lambda a: lax.add(a, xp.ones(())), s),
    "lax max": (lambda a, b: lax.max(a, b), x, s),
    "lax select": (lambda p, a, b: lax.select(p, a, b), bools(), x, x),
    "lax select_n": (lambda p, a, b: lax.select_n(p, a, b), b, x, x),
    "lax clamp": (lambda a: lax.clamp(0.5, a, 1.0), x),
    "lax reduce_sum": (lambda a: lax.reduce_sum(a, (0,)), x),
    "lax cumsum": (lambda a: lax.cumsum(a, axis=1), x),
    "lax sort": (lambda a, b: lax.sort((a, b), num_keys=1), y, y),
    "lax top_k": (lambda a: lax.top_k(a, 2), x),
    "lax argmax": (lambda a: lax.argmax(a, 0, np.int32), x),
    "lax dot": (lax.dot, x, m),
    "lax dot_general": (lambda a, b: lax.dot_general(a, b, (((2,), (1,)), ((0,), (0,)))), a3, numbers(2, 4, 5)),
    "lax concatenate": (lambda a, b: lax.concatenate([a, b], 1), x, x),
    "lax reshape": (lambda a: lax.reshape(a, (4, 3)), x),
    "lax transpose": (lambda a: lax.transpose(a, (1, 0)), x),
    "lax broadcast": (lambda a: lax.broadcast(a, (2,)), x),
    "lax broadcast_in_dim": (lambda a: lax.broadcast_in_dim(a, (3, 4, 2), (0, 1)), x),
    "lax pad": (lambda a: lax.pad(a, 0.0, ((1, 0, 0), (0, 0, 1))), x),
    "lax slice": (lambda a: lax.slice(a, (0, 1), (2, 3)), x),
    "lax rev": (lambda a: lax.rev(a, (1,)), x),
    "lax squeeze": (lambda a: lax.squeeze(lax.expand_dims(a, (0,)), (0,)), x),
    "lax dynamic_slice": (lambda a, k: lax.dynamic_slice(a, (k, 0), (2, 3)), x, i),
    "lax dynamic_slice_in_dim": (lambda a, k: lax.dynamic_slice_in_dim(a, k, 2, axis=1), x, integers(5, low=-4)),
    "lax dynamic_index_in_dim": (lambda a, k: lax.dynamic_index_in_dim(a, k, 0, keepdims=False), x, i),
    "lax dynamic_update_slice": (lambda a, b, k: lax.dynamic_update_slice(a, b, (k, k)), x, numbers(2, 2), integers(4)),
    "lax dynamic_update_index_in_dim": (lambda a, b, k: lax.dynamic_update_index_in_dim(a, b, k, 0), x, y, i),
    "lax reduce_window": (lambda a: lax.reduce_window(a, 0.0, lax.add, (2, 2), (1, 2), "VALID"), x),
    "lax conv": (lambda a: lax.conv(a, xp.ones((2, 3, 2, 2)), (1, 1), "SAME"), numbers(1, 3, 4, 4)),
    "lax cholesky": (lambda a: lax.linalg.cholesky(a @ a.mT), matrices(3)),
    "lax triangular_solve": (lambda a, c: lax.linalg.triangular_solve(a, c, left_side=True, lower=True), matrices(3), x),
    "image": (lambda a: jax.image.resize(a, (6, 2), "linear"), x),
    "segments": (lambda a, k: jax.ops.segment_sum(a, k, num_segments=3), v, integers(3, 3)),
    "fori_loop": (lambda a, n: lax.fori_loop(0, n, lambda k, c: c + a * k, a), x, i),
    "while_loop": (lambda a: lax.while_loop(lambda c: c.sum() < 40, lambda c: c * 2, a), x),
    "scan": (lambda a, b: lax.scan(lambda c, e: (c + e, c * e), b, a), x, y),
    "scan, reverse": (lambda a, b: lax.scan(lambda c, e: (c * 0.5 + e, (c, e)), b, a, reverse=True), x, y),
    "associative_scan": (lambda a: lax.associative_scan(xp.multiply, a, axis=1), x),
    "cond": (lambda p, a: lax.cond(p, lambda c: c * 2, lambda c: -c, a), bools(), x),
    "switch": (lambda k, a: lax.switch(k, [lambda c: c, lambda c: -c, lambda c: c * 3], a), integers(5, low=-1), x),
    "map": (lambda a: lax.map(lambda e: e.sum() * e, a), x),
    "vectorize": (lambda a, c: jax.numpy.vectorize(lambda p, q: p @ q, signature="(n),(n)->()")(a, c), x, y),
}  # fmt: skip


def named(name):
    """Return a public function by its name."""
    return functools.reduce(getattr, name.split("."), xp if name.partition(".")[0] not in ("lax", "scipy") else jax)


def every(names, *makers):
    CASES.update({name: (named(name), *makers) for name in names.split()})


positive, bits = integers(9, 3, low=1), integers(3, 3, low=0)
every("""
    angle nan_to_num rint modf iscomplex isreal copy array nanargmax nanargmin nancumprod nancumsum nanmean nanmedian nanmin
    nanprod nanstd nansum nanvar var cumprod unwrap fft.ifft fft.ifft2 fft.ifftn fft.irfft fft.irfft2 fft.irfftn fft.rfft2
    fft.rfftn fft.hfft fft.ihfft nn.identity nn.log_softmax linalg.matrix_norm linalg.svdvals linalg.qr linalg.matrix_rank
    linalg.cond empty_like scipy.special.log_ndtr
""", x)  # fmt: skip
every("lax.linalg.qr lax.linalg.svd lax.linalg.lu lax.unstack lax.stage", x)
every("""
    linalg.eig linalg.eigvals linalg.eigh linalg.diagonal linalg.trace lax.linalg.eig lax.linalg.eigh lax.linalg.hessenberg
    lax.linalg.schur scipy.linalg.cholesky scipy.linalg.det scipy.linalg.eigh scipy.linalg.hessenberg scipy.linalg.inv
    scipy.linalg.polar scipy.linalg.qr scipy.linalg.schur scipy.linalg.svd lax.linalg.tridiagonal
""", lambda size: symmetric(3)(size) + 9 * xp.eye(3))  # fmt: skip
every("""
    lax.abs lax.acosh lax.asinh lax.atan lax.bessel_i0e lax.bessel_i1e lax.cbrt lax.ceil lax.conj lax.cos lax.cosh
    lax.digamma lax.erf lax.erfc lax.exp lax.exp2 lax.expm1 lax.floor lax.is_finite lax.lgamma lax.log lax.log1p lax.logistic
    lax.neg lax.reciprocal lax.round lax.rsqrt lax.sign lax.sin lax.sinh lax.sqrt lax.square lax.tan lax.tanh lax.cumlogsumexp
    lax.cummax lax.cummin lax.cumprod
""", v)  # fmt: skip
every("lax.acos lax.asin lax.atanh lax.erf_inv", lambda size: v(size) / 3)
every("""
    lax.atan2 lax.complex lax.div lax.eq lax.ge lax.gt lax.igamma lax.igamma_grad_a lax.igammac lax.le lax.lt lax.max lax.min
    lax.mul lax.ne lax.nextafter lax.pow lax.random_gamma_grad lax.rem lax.sub heaviside
""", v, v)  # fmt: skip
every("lax.zeta scipy.special.zeta", lambda size: v(size) + 2, v)
every("lax.betainc scipy.special.hyp1f1", v, v, lambda size: v(size) / 3)
every("scipy.special.hyp2f1", v, v, v, lambda size: v(size) / 3)
every("scipy.special.fresnel scipy.special.sici", v)
every("lax.bitwise_not lax.population_count lax.clz", positive)
every("""
    lax.bitwise_and lax.bitwise_or lax.bitwise_xor lax.shift_left lax.shift_right_arithmetic lax.shift_right_logical lax.mulhi
""", positive, bits)  # fmt: skip
every("ldexp", v, bits)
every("scipy.special.polygamma", bits, v)
every("lax.linalg.symmetric_product", matrices(3), symmetric(3))
every("lax.linalg.tridiagonal_solve", v, lambda size: v(size) + 4, v, numbers(3, 2))
every("scipy.linalg.solve", matrices(3), v)
every("lax.batch_matmul", a3, numbers(2, 4, 5))
CASES.update({
    "tri": (lambda a: xp.tri(3) * a, matrices(3)),
    "complex": (lambda a, c: lax.real(lax.complex(a, c)) + lax.imag(lax.complex(a, c)), v, v),
    "cumulative_prod": (lambda a: xp.cumulative_prod(a, axis=0), x),
    "argpartition": (lambda a: xp.sort(xp.take_along_axis(a, xp.argpartition(a, 1), -1)[..., :2]), x),
    "partition": (lambda a: xp.sort(xp.partition(a, 1)[..., :2]), x),
    "array_split": (lambda a: xp.array_split(a, 3, axis=1), x),
    "dstack": (lambda a, c: xp.dstack([a, c]), v, v),
    "percentile": (lambda a: xp.percentile(a, 30, axis=0) + xp.nanquantile(a, 0.5) + xp.nanpercentile(a, 40), x),
    "matrix_power": (lambda a: linalg.matrix_power(a, 3), matrices(3)),
    "in place": (operator.iadd, x, y),
    "lax argmin": (lambda a: lax.argmin(a, 1, np.int32), x),
    "lax reductions": (lambda a: [f(a, (1,)) for f in (lax.reduce_max, lax.reduce_min, lax.reduce_prod)], x),
    "lax reductions of bits": (
        lambda a: [f(a, (0,)) for f in (lax.reduce_and, lax.reduce_or, lax.reduce_xor)], integers(9, 3, 2),
    ),
    "lax approx_max_k": (lambda a: lax.approx_max_k(a, 2) + lax.approx_min_k(a, 2), x),
    "lax integer_pow": (lambda a: lax.integer_pow(a, 3), x),
    "lax reduce_precision": (lambda a: lax.reduce_precision(a, 5, 3), x),
    "lax convert_element_type": (lambda a: lax.convert_element_type(a, "int32"), x),
    "lax polygamma": (lambda a: lax.polygamma(xp.ones_like(a), a), v),
    "lax fft": (lambda a: lax.fft(a, "rfft", (4,)), x),
    "lax full_like": (lambda a: lax.full_like(a, 2.0) + a, x),
    "lax index_in_dim": (lambda a: lax.index_in_dim(a, -1, 1) + lax.slice_in_dim(a, 1, 2, axis=1), x),
    "lax split": (lambda a: lax.split(a, (1, 3), axis=1), x),
    "lax stack": (lambda a, c: lax.stack([a, c], axis=1), v, v),
    "lax dynamic_update_slice_in_dim": (lambda a, c, k: lax.dynamic_update_slice_in_dim(a, c[:, :2], k, 1), x, x, i),
    "lax conv_with_general_padding": (
        lambda a: lax.conv_with_general_padding(a, xp.ones((2, 3, 2, 2)), (1, 1), "VALID", None, None), numbers(1, 3, 4, 4),
    ),
    "lax gather": (
        lambda a, k: lax.gather(a, k[:, None], lax.GatherDimensionNumbers((1,), (0,), (0,)), (1, 4)), x, integers(3, 2),
    ),
    "lax scatter": (
        lambda a, k, new: [f(a, k[:, None], new, lax.ScatterDimensionNumbers((1,), (0,), (0,))) for f in (
            lax.scatter_add, lax.scatter_sub, lax.scatter_mul, lax.scatter_min, lax.scatter_max,
        )], x, integers(3, 2), numbers(2, 4),
    ),
    "lax permutation": (lambda a: lax.linalg.lu_pivots_to_permutation(lax.linalg.lu(a)[1], 3), matrices(3)),
    "lax cholesky_update": (lambda a, c: lax.linalg.cholesky_update(linalg.cholesky(a @ a.mT, upper=True), c), matrices(3), v),
    "lax householder_product": (lambda a: lax.linalg.householder_product(a, a[0] * 0.1), matrices(3)),
    "multigammaln": (lambda a: scipy.special.multigammaln(a + 3, 2), v),
    "wrap_key_data": (lambda k: jax.random.bits(jax.random.wrap_key_data(jax.random.key_data(k))), keys),
})  # fmt: skip
_DISTRIBUTIONS = """
    bernoulli beta betabinom binom cauchy chi2 expon gamma gennorm geom gumbel_l gumbel_r laplace logistic nbinom norm pareto
    poisson t truncnorm uniform vonmises wrapcauchy
"""
for _name in _DISTRIBUTIONS.split():
    _module = getattr(scipy.stats, _name)
    for _function in ("logpdf", "logpmf", "cdf"):
        if hasattr(_module, _function):
            _parameters = inspect.signature(getattr(_module, _function)).parameters.values()
            CASES[f"{_name}.{_function}"] = getattr(_module, _function), *[v for p in _parameters if p.default is p.empty]


#: Those that are called for each position.
EACH = ("argmax with axes kept", "image", "segments", "switch", "samplers without a rule", "one_hot", "lax cholesky_update")


def counting(calls):
    def watch(function, args, kwargs):
        calls.append(function.name)
        return function(*args, **kwargs)

    return watch


@pytest.fixture(autouse=True)
def _as_in_jax():
    with xp.config.use(x64="off", mutable=False, out_of_range="clip"):
        yield


def check(found, each):
    """Compare a result with those of all positions."""
    leaves, structure = jax.tree.flatten(found)
    columns = [jax.tree.flatten(one) for one in each]
    assert all(other == structure for _, other in columns)
    for given, *wanted in zip(leaves, *[one for one, _ in columns], strict=True):
        first = xp.asarray(wanted[0])
        assert (given.shape, given.dtype, given.weak_type) == ((len(each), *first.shape), first.dtype, first.weak_type)
        np.testing.assert_allclose(given, np.stack(wanted), rtol=2e-4, atol=2e-5)


@for_each("name", CASES)
def test_the_result_is_that_of_each_position(name):
    function, *makers = CASES[name]
    counts = set()
    for mapped in itertools.product((True, False), repeat=len(makers)):
        if not any(mapped):
            continue
        counted = []
        for size in SIZES:
            operands = [make(size) for make in makers]
            given = [operand if flag else operand[0] for operand, flag in zip(operands, mapped, strict=True)]
            axes = tuple(0 if flag else None for flag in mapped)
            calls = []
            with xp.config.use(watcher=counting(calls)):
                found = jax.vmap(function, in_axes=axes)(*given)
            each = [
                function(*[operand[i] if flag else operand for operand, flag in zip(given, mapped, strict=True)])
                for i in range(size)
            ]
            check(found, each)
            counted.append(len(calls))
        counts.add(tuple(counted))
    if name not in EACH and "loop" not in name:
        assert all(first == last for first, last in counts), "called for each position"


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_any_axis_is_mapped_to_any(axis):
    a = numbers(3, 4)(2)
    found = jax.vmap(lambda e: e * 2 + e.sum(), in_axes=axis, out_axes=-1)(a)
    moved = np.moveaxis(np.asarray(a), axis, 0)
    np.testing.assert_allclose(found, np.moveaxis(np.stack([e * 2 + e.sum() for e in moved]), 0, -1), rtol=1e-5)


def test_nested_maps():
    a, c = numbers(3, 4)(2), numbers(4)(5)
    table = jax.vmap(lambda p: jax.vmap(lambda q: (p * q).sum() + xp.dot(p[0], q))(c))(a)
    np.testing.assert_allclose(table, np.einsum("ijk,lk->il", a, c) + np.einsum("ik,lk->il", a[:, 0], c), rtol=1e-5)


@pytest.mark.parametrize("name", ["stack", "asarray", "concat"])
def test_operands_of_several_maps_in_a_list(name):
    a, c = numbers(3)(2), numbers(3)(5)
    join = {
        "stack": lambda p, q: xp.stack([p, q]),
        "asarray": lambda p, q: xp.asarray([q[0], p[0], 1.0]),
        "concat": lambda p, q: xp.concat([p, q]),
    }[name]
    found = jax.vmap(lambda p: jax.vmap(lambda q: join(p, q))(c))(a)
    np.testing.assert_array_equal(found, np.stack([np.stack([join(p, q) for q in c]) for p in a]))


@for_each("k", [0, 1, -2])
@for_each("dtype", ["float32", "bool", "int8", "complex64"])
def test_matrices_with_a_diagonal(dtype, k):
    rows = np.asarray([[1, 0, 3], [4, 5, np.nan if dtype == "float32" else 6]]).astype(dtype)
    found = jax.vmap(lambda row: xp.diag(row, k))(xp.asarray(rows))
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, [np.diag(row, k) for row in rows])
    assert jax.vmap(xp.diag)(xp.ones((2, 3, 3))).tolist() == [[1, 1, 1]] * 2


@pytest.mark.parametrize("name", ["cg", "bicgstab", "gmres"])
def test_solvers_of_a_function_that_refers_to_an_operand(name):
    solve = getattr(xp.scipy.sparse.linalg, name)
    a = np.asarray([[[4, 1], [1, 3]], [[2, 0], [0, 5]]], np.float32)
    b = xp.asarray([1.0, 2.0])
    found, info = jax.vmap(lambda m: solve(lambda v: m @ v, b))(xp.asarray(a))
    np.testing.assert_allclose(found, np.linalg.solve(a, np.asarray([[1, 2]] * 2)[..., None])[..., 0], 1e-5)
    assert info is None or info.tolist() == [0, 0]


def test_classes_that_know_no_batches():
    angles = xp.asarray(np.linspace(-1, 1, 12).reshape(4, 3).astype(np.float32))
    rotation = xp.scipy.spatial.transform.Rotation
    found = jax.vmap(lambda v: rotation.from_rotvec(v).as_matrix())(angles)
    np.testing.assert_allclose(found, rotation.from_rotvec(angles).as_matrix(), rtol=0, atol=5e-7)
    values = xp.asarray([[0.0, 1.0, 4.0], [1.0, 0.0, 1.0]])
    line = xp.scipy.interpolate.RegularGridInterpolator
    found = jax.vmap(lambda v: line((xp.arange(3.0),), v)(xp.asarray([0.5, 1.5])))(values)
    assert found.tolist() == [[0.5, 2.5], [0.5, 0.5]]
    nested = jax.vmap(jax.vmap(lambda v, w: rotation.from_rotvec(v).apply(w), (0, None)), (None, 0))(angles, angles)
    np.testing.assert_allclose(nested[1], rotation.from_rotvec(angles).apply(angles[1]), 1e-6)
    density = xp.scipy.stats.gaussian_kde(xp.asarray([0.0, 1.0, 3.0]))  # needs a float
    found = jax.vmap(lambda high: density.integrate_box_1d(-np.inf, high))(xp.asarray([0.5, 2.0]))
    np.testing.assert_array_equal(found, [density.integrate_box_1d(-np.inf, high) for high in (0.5, 2.0)])
