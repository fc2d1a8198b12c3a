"""Rules for derivatives: linear algebra. Rules state how tangents go forward, and some how cotangents come back."""

from __future__ import annotations

import functools
from typing import Any, Final

import supremum as xp
from supremum.jax._dual import Level, stripped
from supremum.jax._slopes import by_name, jax, primal, pushes, rows
from supremum.jax._slopes_parts import still

_T: Final = xp.matrix_transpose


def _h(x: Any) -> Any:
    """Return the conjugate transpose."""
    return xp.conj(_T(x)) if x._node.kind == "c" else _T(x)


def _solved(a: Any, b: Any, like: Any) -> Any:
    """Solve with a matrix for what has the shape of the right side: vectors or matrices."""
    return xp.linalg.solve(a, b[..., None])[..., 0] if like.ndim == 1 else xp.linalg.solve(a, b)


@pushes("linalg.solve scipy.linalg.solve")
def _solve(_function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    (first, a), (second, b), *_ = g.items()
    columns = b.ndim == 1
    turned = a if g.get("assume_a") == "pos" and a._node.kind == "f" else _T(a)  # as in JAX

    def outer(w: Any) -> Any:
        return -w[..., None] * y[..., None, :] if columns else -xp.matmul(w, _T(y))

    def back(ct: Any) -> Any:
        return _solved(turned, ct, b)

    def times(t: Any) -> Any:
        return xp.matmul(t, y[..., None])[..., 0] if columns else xp.matmul(t, y)

    return {
        first: (lambda t: -_solved(a, times(t), b), lambda ct: outer(back(ct))),
        second: (lambda t: _solved(a, t, b), back),
    }


@pushes("scipy.linalg.solve_sylvester")
def _solve_sylvester(function: Any, _y: Any, g: dict[str, Any]) -> dict[str, Any]:
    a, b = g["A"], g["B"]
    return {"C": (lambda t: function(a, b, t), lambda ct: function(_T(a), _T(b), ct))}


@pushes("scipy.linalg.solve_triangular")
def _solve_triangular(_function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    a, b, trans, lower, unit = g["a"], g["b"], g["trans"], g["lower"], g["unit_diagonal"]
    trans = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}[trans]
    solve = xp.scipy.linalg.solve_triangular
    vectors = b.ndim == 1 or (a.ndim == b.ndim + 1 and a.shape[-1] == b.shape[-1])

    def column(v: Any) -> Any:
        return v[..., None] if vectors else v

    def call(v: Any, trans: int) -> Any:
        return solve(a, v, trans=trans, lower=lower, unit_diagonal=unit)

    def part(t: Any) -> Any:
        return xp.tril(t, -1 if unit else 0) if lower else xp.triu(t, 1 if unit else 0)

    def turned(t: Any) -> Any:
        return t if trans == 0 else _T(t) if trans == 1 else _h(t)

    def back(ct: Any) -> Any:
        if trans == 2:  # the transposed system of the conjugate matrix
            return xp.conj(call(xp.conj(ct), 0))
        return call(ct, 1 if trans == 0 else 0)

    def outer(ct: Any) -> Any:
        m = -xp.matmul(column(back(ct)), _T(column(y)))
        return part(m if trans == 0 else _T(m) if trans == 1 else _h(m))

    def push(t: Any) -> Any:
        moved = xp.matmul(turned(part(t)), column(y))
        return -call(moved[..., 0] if vectors else moved, trans)

    return {"a": (push, outer), "b": (lambda t: call(t, trans), back)}


@pushes("linalg.inv scipy.linalg.inv")
def _inv(_function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    return {next(iter(g)): (lambda t: -y @ t @ y, lambda ct: -_T(y) @ ct @ _T(y))}


@pushes("linalg.det scipy.linalg.det")
def _det(_function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    ((name, a), *_) = g.items()
    cofactors = functools.cache(lambda: _cofactors(a, y))

    def push(t: Any) -> Any:
        return xp.trace(xp.matmul(cofactors(), t), axis1=-2, axis2=-1)

    return {name: (push, lambda ct: ct[..., None, None] * _T(cofactors()))}


def _cofactors(a: Any, det: Any) -> Any:
    """Return the adjugate of a matrix; the derivatives of that of a singular one with four or more rows are NaN."""
    n = a.shape[-1]
    if n == 1:
        return xp.ones_like(a)
    if n == 2:
        return _T(a[..., ::-1, ::-1]) * xp.asarray([[1, -1], [-1, 1]], dtype=a.dtype)
    if n == 3:
        return xp.stack([xp.cross(a[..., i - 2], a[..., i - 1]) for i in range(3)], axis=-2)
    singular = (det == 0)[..., None, None]
    scale = det[..., None, None]

    def by_values() -> Any:  # each factor of the decomposition has an adjugate
        u, s, vh = xp.linalg.svd(still(a))
        others = xp.where(xp.eye(n, dtype=bool), 1, s[..., None, :]).prod(-1)
        found = (xp.linalg.det(u) * xp.linalg.det(vh))[..., None, None] * _h(vh) * others[..., None, :] @ _h(u)
        no_slope = 0 * xp.sqrt(xp.where(singular, scale, 1))
        return xp.where(singular, found + no_slope, scale * xp.linalg.inv(xp.where(singular, xp.eye(n, dtype=a.dtype), a)))

    return jax().lax.cond(xp.any(singular), by_values, lambda: scale * xp.linalg.inv(a))


def slogdet(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Differentiate the logarithm; the sign of a real determinant is a constant."""
    x = next(iter(function.bound(args, kwargs).values()))
    a, y = stripped(level, x), primal(level, function, args, kwargs)
    sign, logarithm = y

    def moved(t: Any) -> Any:
        return xp.trace(xp.linalg.solve(a, t), axis1=-2, axis2=-1)

    def push(t: Any) -> Any:
        found = moved(t)
        return (found - xp.real(found)) * sign, xp.real(found)

    def pull(ct: Any) -> Any:
        return ct[..., None, None] * xp.linalg.inv(_T(a))  # in C's order, as other cotangents are

    if not level.holds(x):
        return y
    if sign._node.kind == "c":
        return level.result(y, [(x, push, None)])
    return type(y)(sign, level.result(logarithm, [(x, moved, pull)]))


rows(slogdet, "linalg.slogdet")


@pushes("linalg.cholesky scipy.linalg.cholesky")
def _cholesky(function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    name = next(iter(g))
    upper = g["upper"] if "upper" in g else "lower" in g and not g["lower"]
    symmetric = g.get("symmetrize_input", not function.name.startswith("scipy."))
    low = _h(y) if upper else y
    half = xp.tril(xp.ones(y.shape[-2:], dtype=y.dtype)) - 0.5 * xp.eye(y.shape[-1], dtype=y.dtype)
    solve = xp.linalg.solve

    def push(t: Any) -> Any:
        t = (t + _h(t)) / 2 if symmetric else _h(t) if upper else t
        s = solve(low, _h(solve(low, _h(t))))
        found = xp.tril(xp.matmul(low, s * half))
        return _h(found) if upper else found

    if y._node.kind == "c":
        return {name: push}

    def pull(ct: Any) -> Any:
        ct = _T(ct) if upper else ct
        s = xp.matmul(_T(low), xp.tril(ct)) * half
        s = solve(_T(low), _T(solve(_T(low), _T(s))))
        return (s + _T(s)) / 2 if symmetric else _T(s) if upper else s

    return {name: (push, pull)}


def _gaps(w: Any, v: Any) -> Any:
    """Return one over the differences of eigenvalues, and zeros on the diagonal."""
    eye = xp.eye(w.shape[-1], dtype=w.dtype)
    return xp.astype(1 / (w[..., None, :] - w[..., :, None] + eye) - eye, v.dtype)


@pushes("linalg.eigh scipy.linalg.eigh")
def _eigh(function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    if g.get("b") is not None:
        raise NotImplementedError(f"{function.name}: there is a rule for its derivative without b=")
    name = next(iter(g))
    if g.get("eigvals_only"):
        return {name: _of_eigenvalues(g[name])}
    w, v = y
    gaps = _gaps(w, v)

    def push(t: Any) -> Any:
        s = xp.matmul(_h(v), xp.matmul((t + _h(t)) / 2, v))
        return xp.real(xp.diagonal(s, axis1=-2, axis2=-1)), xp.matmul(v, gaps * s)

    return {name: push}


@pushes("linalg.eigvalsh")
def _eigvalsh(_function: Any, _y: Any, g: dict[str, Any]) -> dict[str, Any]:
    ((name, a), *_) = g.items()
    return {name: _of_eigenvalues(a)}


def _of_eigenvalues(a: Any) -> Any:
    v = xp.linalg.eigh(a)[1]
    return lambda t: xp.real(xp.sum(xp.conj(v) * xp.matmul((t + _h(t)) / 2, v), axis=-2))


def _eig_tangents(w: Any, v: Any, t: Any) -> tuple[Any, Any]:
    """Return the tangents of eigenvalues, and of eigenvectors of length 1 whose greatest element is real."""
    inner = xp.linalg.solve(v, xp.matmul(xp.astype(t, v.dtype), v))
    moved = xp.matmul(v, _gaps(w, v) * inner)
    greatest = xp.argmax(xp.abs(v), axis=-2, keepdims=True)
    turn = xp.imag(xp.take_along_axis(moved, greatest, axis=-2)) / xp.real(xp.take_along_axis(v, greatest, axis=-2))
    grown = xp.real(xp.sum(xp.conj(v) * moved, axis=-2, keepdims=True))
    return xp.diagonal(inner, axis1=-2, axis2=-1), moved - v * (grown + 1j * turn)


def _eigenvectors(a: Any) -> Any:
    return jax().lax.linalg.eig(a, compute_left_eigenvectors=False, enable_eigvec_derivs=True)[1]


@pushes("linalg.eigvals")
def _eigvals(_function: Any, _y: Any, g: dict[str, Any]) -> dict[str, Any]:
    ((name, a), *_) = g.items()
    v = _eigenvectors(a)
    return {name: lambda t: xp.diagonal(xp.linalg.solve(v, xp.matmul(xp.astype(t, v.dtype), v)), axis1=-2, axis2=-1)}


@pushes("linalg.eig lax.linalg.eig")
def _eig(function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    ((name, a), *_) = g.items()
    left, right = g.get("compute_left_eigenvectors", False), g.get("compute_right_eigenvectors", True)
    if (left or right) and not g.get("enable_eigvec_derivs"):
        raise NotImplementedError(
            f"{function.name}: derivatives of eigenvectors are valid for distinct eigenvalues alone; "
            "lax.linalg.eig(x, enable_eigvec_derivs=True) computes them, and linalg.eigvals has derivatives"
        )
    w, v = y[0], y[-1] if right else _eigenvectors(a)

    def push(t: Any) -> Any:
        values, moved = _eig_tangents(w, v, t)
        found = [values]
        if left:  # the rows of the inverse, conjugate and scaled
            rows = _h(xp.linalg.inv(v))
            turned, size = -_h(_h(rows) @ moved @ _h(rows)), xp.linalg.vector_norm(rows, axis=-2, keepdims=True)
            along = xp.real(xp.sum(xp.conj(rows) * turned, axis=-2, keepdims=True)) / size
            found.append((turned - rows / size * along) / size)
        return [*found, moved] if right else found

    return {name: push}


def _thin_qr(q: Any, r: Any, t: Any) -> tuple[Any, Any]:
    """Return the tangents of the factors of matrices with at least as many rows as columns."""
    n = r.shape[-1]
    x = _T(xp.linalg.solve(_T(r), _T(t)))
    s = xp.matmul(_h(q), x)
    lower = xp.tril(s, -1)
    turned = lower - _h(lower)
    if q._node.kind == "c":
        turned = turned + xp.eye(n, dtype=q.dtype) * (s - xp.real(s))
    return xp.matmul(q, turned - s) + x, xp.matmul(s - turned, r)


def _qr_tangents(a: Any, q: Any, r: Any, t: Any) -> tuple[Any, Any]:
    """Return the tangents of the factors of matrices of any shape, reduced or complete, as JAX defines them."""
    m, n = t.shape[-2:]
    if m < n:
        dq, first = _thin_qr(q, r[..., :m], t[..., :m])
        return dq, xp.concatenate([first, _h(dq) @ a[..., m:] + _h(q) @ t[..., m:]], axis=-1)
    thin = q[..., :n]
    dq, dr = _thin_qr(thin, r[..., :n, :], t)
    if q.shape[-1] == n:
        return dq, dr
    # The other columns: arXiv:2409.13374, equations 32 and 33.
    top, below = thin[..., :n, :], thin[..., n:, :]
    z = _h(xp.linalg.solve(_h(top - xp.eye(n, dtype=q.dtype)), _h(below)))
    rest = dq @ _h(z) - (thin + q[..., n:] @ z) @ _h(dq[..., n:, :] - z @ dq[..., :n, :])
    zeros = xp.zeros((*dr.shape[:-2], m - n, n), dtype=dr.dtype)
    return xp.concatenate([dq, rest], axis=-1), xp.concatenate([dr, zeros], axis=-2)


@pushes("linalg.qr scipy.linalg.qr")
def _qr(function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    name, a = next(iter(g.items()))
    if g.get("mode") == "raw":
        raise NotImplementedError(f"{function.name}: there is no derivative of the reflections that mode='raw' returns")
    alone = g.get("mode") == "r"
    if alone:
        whole = "full" if function.name == "scipy.linalg.qr" else "economic"
        q, r, *order = xp.scipy.linalg.qr(a, mode=whole, pivoting=g.get("pivoting", False))
    else:
        q, r, *order = y
    if order:
        a = xp.take_along_axis(a, order[0][..., None, :], axis=-1)

    def push(t: Any) -> Any:
        t = xp.take_along_axis(t, order[0][..., None, :], axis=-1) if order else t
        dq, dr = _qr_tangents(a, q, r, t)
        if not isinstance(y, tuple):
            return dr
        return (*(() if alone else (dq,)), dr, *([None] if order else []))

    return {name: push}


def _svdvals(_function: Any, _y: Any, g: dict[str, Any]) -> dict[str, Any]:
    ((name, a), *_) = g.items()
    u, _, vt = xp.linalg.svd(a, full_matrices=False, hermitian=bool(g.get("hermitian")))
    return {name: lambda t: xp.real(xp.diagonal(xp.matmul(_h(u), xp.matmul(_as_read(t, g), _h(vt))), axis1=-2, axis2=-1))}


by_name(_svdvals, "linalg.svdvals")


@pushes("linalg.svd scipy.linalg.svd")
def _svd(function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    name = next(iter(g))
    if not isinstance(y, tuple):
        return _svdvals(function, y, g)
    u, s, vt = y
    k = s.shape[-1]
    if g["full_matrices"] and u.shape[-1] != vt.shape[-2]:
        raise NotImplementedError("linalg.svd: there is a derivative of the reduced factors alone, of full_matrices=False")
    eye = xp.eye(k, dtype=s.dtype)
    wide = s[..., None, :]
    gaps = 1 / ((wide - _T(wide)) * (wide + _T(wide)) + eye) - eye
    gaps = xp.astype(gaps, u.dtype)
    wide = xp.astype(wide, u.dtype)

    def push(t: Any) -> Any:
        m = xp.matmul(_h(u), xp.matmul(_as_read(t, g), _h(vt)))
        du = xp.matmul(u, gaps * (m * wide + _T(wide) * _h(m)))
        dv = xp.matmul(_h(vt), gaps * (_T(wide) * m + _h(m) * wide))
        if u._node.kind == "c":
            du = du + xp.matmul(u, (m - _h(m)) * xp.astype(eye / 2, u.dtype) / xp.where(wide == 0, 1, wide))
        if u.shape[-2] > k:
            tv = xp.matmul(t, _h(vt)) / wide
            du = du + tv - xp.matmul(u, xp.matmul(_h(u), tv))
        if vt.shape[-1] > k:
            tu = xp.matmul(_h(t), u) / wide
            dv = dv + tu - xp.matmul(_h(vt), xp.matmul(vt, tu))
        return du, xp.real(xp.diagonal(m, axis1=-2, axis2=-1)), _h(dv)

    return {name: push}


@pushes("linalg.pinv")
def _pinv(_function: Any, p: Any, g: dict[str, Any]) -> dict[str, Any]:
    ((name, a), *_) = g.items()
    m, n = a.shape[-2:]
    a, ph = _as_read(a, g), _h(p)

    def push(t: Any) -> Any:
        t = _as_read(t, g)
        th = _h(t)
        if m >= n:  # no product is larger than the operand
            u, v = (p @ ph) @ th, (th @ ph) @ p
            return u - (p @ t) @ p - (u @ a) @ p + v - (p @ a) @ v
        u, v = p @ (ph @ th), th @ (ph @ p)
        return u - p @ (t @ p) - u @ (a @ p) + v - p @ (a @ v)

    return {name: push}


def _symmetric(x: Any) -> Any:
    return (x + _h(x)) / 2


def _as_read(x: Any, given: dict[str, Any]) -> Any:
    """Return a matrix, or its tangent, as a function reads it whose argument says that it is Hermitian."""
    return _symmetric(x) if given.get("hermitian") else x


@pushes("scipy.linalg.expm")
def _expm(_function: Any, _y: Any, g: dict[str, Any]) -> dict[str, Any]:
    ((name, a), *_) = g.items()
    return {name: (lambda t: exponentials(a, t)[1], lambda ct: exponentials(_T(a), ct)[1])}


def exponentials(a: Any, t: Any) -> tuple[Any, Any]:
    """Return the exponential of a matrix, and its derivative along another one: it is a block of that of a block matrix."""
    n = a.shape[-1]
    above, below = xp.concatenate([a, t], axis=-1), xp.concatenate([xp.zeros_like(a), a], axis=-1)
    block = xp.scipy.linalg.expm(xp.concatenate([above, below], axis=-2))
    return block[..., :n, :n], block[..., :n, n:]


# -- triangular factors, three diagonals --------------------------------------------------------------------------------------


@pushes("lax.linalg.lu")
def _lu(_function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    factors, _, order = y
    m, n = factors.shape[-2:]
    k, linalg = min(m, n), jax().lax.linalg
    eye = xp.eye(max(m, n), dtype=factors.dtype)
    # Square matrices: the columns and rows that are missing are those of the identity.
    lower = xp.concatenate([xp.tril(factors[..., :k], -1), xp.zeros((*factors.shape[:-1], m - k), dtype=eye.dtype)], axis=-1)
    upper = xp.triu(factors[..., :k, :])
    if n > k:
        rest = xp.broadcast_to(eye[k:n, :n], (*factors.shape[:-2], n - k, n))
        upper = xp.concatenate([upper, rest], axis=-2)
    lower = lower + eye[:m, :m]

    def push(t: Any) -> Any:
        moved = xp.take_along_axis(t, order[..., None], axis=-2)
        moved = linalg.triangular_solve(lower, moved, left_side=True, lower=True, unit_diagonal=True)
        moved = linalg.triangular_solve(upper, moved)
        return [lower @ xp.tril(moved, -1) + xp.triu(moved) @ upper, None, None]

    return {next(iter(g)): push}


@pushes("lax.linalg.tridiagonal_solve")
def _tridiagonal_solve(function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    dl, d, du, _ = (g[name] for name in ("dl", "d", "du", "b"))
    options = {"perturb_singular": g["perturb_singular"]}
    zero = xp.zeros_like(d[..., :1])
    above, below = xp.concatenate([zero, du[..., :-1]], axis=-1), xp.concatenate([dl[..., 1:], zero], axis=-1)
    blank = xp.zeros_like(y[..., :1, :])
    shifted = xp.concatenate([blank, y[..., :-1, :]], axis=-2), y, xp.concatenate([y[..., 1:, :], blank], axis=-2)

    def solved(columns: Any) -> Any:
        return function(dl, d, du, columns, **options)

    def back(ct: Any) -> Any:
        return function(above, d, below, ct, **options)

    def diagonal(values: Any) -> Any:
        return lambda t: -solved(t[..., None] * values), lambda ct: -xp.sum(back(ct) * values, axis=-1)

    return {**dict(zip(("dl", "d", "du"), map(diagonal, shifted), strict=True)), "b": (solved, back)}


@pushes("scipy.linalg.eigh_tridiagonal")
def _eigh_tridiagonal(function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    d, e, alone = g["d"], g["e"], g["eigvals_only"]
    if not alone and e._node.kind == "c":
        raise NotImplementedError(f"{function.name}: there is no derivative of the eigenvectors of complex matrices")
    chosen = slice(None) if g["select"] == "a" else slice(int(g["select_range"][0]), int(g["select_range"][1]) + 1)

    def matrix(main: Any, above: Any) -> Any:
        return xp.diag(xp.real(main)) + xp.diag(above, 1) + xp.diag(xp.conj(above), -1)

    w, v = xp.linalg.eigh(matrix(d, e))  # whose vectors may have other signs
    signs = 1 if alone else xp.where(xp.sum(v[:, chosen] * y[1], axis=0) < 0, -1, 1)
    gaps = None if alone else _gaps(w, v)

    def tangents(t: Any) -> Any:
        s = _h(v) @ xp.astype(t, v.dtype) @ v
        values = xp.real(xp.diagonal(s))[chosen]
        return values if alone else (values, (v @ (gaps * s))[:, chosen] * signs)

    return {"d": lambda t: tangents(matrix(t, xp.zeros_like(e))), "e": lambda t: tangents(matrix(xp.zeros_like(d), t))}


# -- polar decompositions -----------------------------------------------------------------------------------------------------


@pushes("scipy.linalg.polar lax.linalg.qdwh")
def _polar(_function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    name, a = next(iter(g.items()))
    unitary, _, *rest = y
    w, s, vh = xp.linalg.svd(a, full_matrices=False)
    sums = xp.astype(s[..., :, None] + s[..., None, :], w.dtype)
    scales = xp.astype(s, w.dtype)

    def push(t: Any) -> Any:
        m = _h(w) @ t @ _h(vh)
        moved = w @ ((m - _h(m)) / sums) @ vh
        if w.shape[-2] > s.shape[-1]:
            more = t @ _h(vh) / scales[..., None, :]
            moved = moved + (more - w @ (_h(w) @ more)) @ vh
        if vh.shape[-1] > s.shape[-1]:
            more = _h(w) @ t / scales[..., :, None]
            moved = moved + w @ (more - (more @ _h(vh)) @ vh)
        left = g.get("side") == "left"
        positive = moved @ _h(a) + unitary @ _h(t) if left else _h(moved) @ a + _h(unitary) @ t
        return (moved, (positive + _h(positive)) / 2, *[None for _ in rest])

    return {name: push}
