"""Define the bars of the native engine: cases, each with the highest allowed ratio to NumPy's own operation by size.

Arrays are of float32 and one axis unless a name says otherwise. `bars.py` has all other bars.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cases import Case

SMALL = (4, 64)
#: Sizes of matrices, and of columns with rows, by the number of elements of the matrix or the result.
SQUARE = (16, 64)
#: Bars of operators on many elements.
MANY = {10_000: 0.95, 1_000_000: 1.02}
#: The bar of the reference engine at four elements.
REFERENCE = {"a + b": 8.0}

_F, _I = "float32", "int32"
_A, _AB, _M = {"a": _F}, {"a": _F, "b": _F}, {"M": "float32:2d"}
_S = {"s": "float32:0d"}
_MASK, _INDEX = {**_A, "mask": "bool"}, {**_A, "index": "int64:places"}
_OUTER = {"column": "float32:column", "row": "float32:row"}


def _rows() -> Iterator[tuple[Case, Mapping[int, float]]]:
    """Yield the table: a bar and the statements that it applies to."""

    def row(
        bar: float,
        code: str,
        operands: Mapping[str, Any],
        numpy: str = "",
        *,
        name: str = "",
        sizes: tuple[int, ...] = SMALL,
        many: Mapping[int, float] | None = None,
        raw: tuple[str, ...] = (),
    ) -> tuple[Case, Mapping[int, float]]:
        bars = dict.fromkeys(sizes, bar) | dict(many or {})
        case = Case(name or code.replace("xp.", ""), code, operands, (numpy,) if numpy else (), sizes=tuple(bars), raw=raw)
        return case, bars

    # operators
    for code in ("a + b", "a * b", "a < b"):
        yield row(0.40, code, _AB, many=MANY)
    yield row(0.40, "a + b", {"a": _I, "b": _I}, name="a + b, int32", many=MANY)
    for code in ("a + 2.0", "2 * a", "a > 0"):
        yield row(0.22, code, _A, many=MANY)
    mixed = {"a": _I, "b": _F}
    yield row(0.35, "a + b", mixed, "np.add(a, b, dtype=np.float32)", name="int32 + float32", many={1_000_000: 0.8})
    double = {"a": _F, "b": "float64"}
    yield row(0.35, "a * b", double, "np.multiply(a, b, dtype=np.float64)", name="float32 * float64", many={1_000_000: 0.8})
    yield row(0.45, "s + t", {**_S, "t": "float32:0d"}, name="a + b, 0-d", sizes=(1,))
    yield row(0.45, "column + row", _OUTER, name="a + b, (n, 1) and (1, n)", sizes=SQUARE, many={1_000_000: 1.02})
    yield row(0.45, "a += b", _AB, many=MANY)
    yield row(0.45, "a += 1", _A, many=MANY)
    for code in ("-a", "abs(a)"):
        yield row(0.40, code, _A, many=MANY)
    for code in ("a**2", "a**0.5"):
        yield row(0.40, code, _A, many={1_000_000: 1.1})
    # elementwise functions
    for code in ("xp.add(a, b)", "xp.maximum(a, b)"):
        yield row(0.40, code, _AB, many=MANY)
    for code in ("xp.sin(a)", "xp.exp(a)", "xp.sqrt(a)"):
        yield row(0.60, code, _A, many={1_000_000: 1.02})
    # reductions
    for name in ("sum", "mean", "max"):
        yield row(0.20, f"xp.{name}(a)", _A)
        yield row(0.20, f"a.{name}()", _A)
    yield row(0.20, "xp.all(a)", {"a": "bool"})
    yield row(0.20, "a.all()", {"a": "bool"})
    yield row(0.25, "xp.sum(M, axis=0)", _M, sizes=SQUARE)
    yield row(0.25, "xp.mean(M, axis=1, keepdims=True)", _M, sizes=SQUARE)
    yield row(0.10, "xp.clip(a, 0, 1)", _A)
    # elements, views, selections; `a[0]` is a scalar in NumPy and an array in ours
    yield row(1.5, "float(s)", _S, sizes=(1,))
    yield row(1.5, "a[1]", _A)
    for code in ("a[1:3]", "a[:, None]", "a[::-1]"):
        yield row(0.9, code, _A)
    yield row(2.0, "M[0, 1]", _M, sizes=SQUARE)
    yield row(2.0, "M[0, 1] = x", {**_M, "x": "float32:element"}, sizes=SQUARE)
    yield row(2.0, "a[0] = x", {**_A, "x": "float32:element"})
    yield row(1.15, "a[mask]", _MASK)
    yield row(1.15, "a[index]", _INDEX)
    yield row(1.15, "xp.take(a, index)", _INDEX)
    yield row(3.0, "a.at[0].set(1.5)", _A, "t = a.copy(); t[0] = 1.5")
    # joining, choosing, shapes
    yield row(0.45, "xp.concat([a, b])", _AB)
    yield row(0.45, "xp.stack([a, b])", _AB)
    yield row(0.40, "xp.where(mask, a, b)", {**_MASK, "b": _F})
    yield row(0.40, "xp.where(mask, a, 0)", _MASK)
    for code in ("xp.reshape(M, (2, -1))", "M.reshape(2, -1)", "xp.permute_dims(M, (1, 0))"):
        yield row(0.8, code, _M, sizes=SQUARE)
    yield row(0.8, "xp.expand_dims(a, 0)", _A)
    yield row(1.0, "a.T", _A)
    yield row(1.0, "M.T", _M, sizes=SQUARE)
    # products of matrices, (2, 2) to (16, 16)
    yield row(0.7, "M @ N", {**_M, "N": "float32:2d"}, sizes=(4, 16, 64, 256))
    yield row(0.7, "xp.vecdot(a, b)", _AB)
    # creation
    yield row(2.0, "xp.asarray(a)", _A, name="asarray(ndarray)", raw=("a",))
    yield row(2.0, "xp.asarray(1.5)", {}, sizes=(1,))
    yield row(2.0, "xp.asarray([1.0, 2.0, 3.0])", {}, sizes=(3,))
    for code in ("xp.zeros(n)", "xp.ones(n)", "xp.arange(n)"):
        yield row(1.0, code, {})
    yield row(1.0, "a.astype(xp.float64)", _A)


#: All cases, each with its bars by size.
ROWS: list[tuple[Case, Mapping[int, float]]] = list(_rows())
