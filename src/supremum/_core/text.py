"""Text of arrays: the representation, as in JAX, but for narrow dtypes, whose columns are aligned."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.functions import without_float_warnings
from supremum._base.key_dtype import KEY_DTYPE, KEY_WORDS

#: Where numbers are written with an exponent, as in C's format %g.
_SMALL, _LARGE = 1e-4, 1e7
_DIGITS: Final = 9


def array_repr(data: Buffer, *, weak: bool) -> str:
    """Return a text such as ``Array([0, 2], dtype=int8)``, wrapped at NumPy's line width."""
    if data.dtype == KEY_WORDS:
        words = np.ascontiguousarray(data).reshape(*data.shape, 1).view(np.uint32)
        return f"Array({data.shape}, dtype={KEY_DTYPE}) overlaying:\n{words}"
    prefix = "Array("
    width = np.get_printoptions()["linewidth"]
    tail = f"dtype={data.dtype.name}{', weak_type=True' if weak else ''})"
    body = f"[], shape={data.shape}" if data.size == 0 else array_text(data, prefix=prefix, suffix=",", separator=", ")
    last_line = len(body) - body.rfind("\n") + 1
    gap = "\n" + " " * len(prefix) if last_line + len(tail) + 1 > width else " "
    return f"{prefix}{body},{gap}{tail}"


#: Rows and columns that are shown of a table: so many from both ends.
_EDGE: Final = 6
#: From how many elements on cells are shaded by their values.
_SHADED: Final = 40


def array_html(data: Buffer, *, weak: bool) -> str | None:
    """Return a small table of an array of one or two axes for notebooks; None for others, which are shown as text."""
    if data.dtype == KEY_WORDS or data.ndim not in (1, 2) or data.size == 0:
        return None
    from supremum._base import html

    flag = ", weak_type=True" if weak else ""
    caption = f"Array of {data.dtype.name}{flag}, shape {data.shape}"
    shown = _corners(data.reshape(1, -1) if data.ndim == 1 else data, _EDGE)
    with np.printoptions(threshold=shown.size + 1):
        cells = [[array_text(cell[None])[1:-1].strip() for cell in row] for row in shown]
    shades = _shades(shown) if data.size >= _SHADED and shown.dtype.kind != "c" else []
    cut = [length > 2 * _EDGE for length in (data.shape if data.ndim == 2 else (1, data.size))]
    for rows, gap in ((cells, "\u2026"), (shades, 0.0)):
        for row in rows if cut[1] else ():
            row.insert(_EDGE, gap)  # type: ignore[arg-type]  # of the kind of the row
        if cut[0] and rows:
            rows.insert(_EDGE, [gap] * len(rows[0]))  # type: ignore[list-item]  # likewise
    return html.table(cells, caption=caption, right=True, shades=shades)


def _shades(shown: Buffer) -> list[list[float]]:
    """Return for each element how far it is from the least to the greatest finite one."""
    values = without_float_warnings(np.asarray)(shown, np.float64)
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    scaled = (np.clip(np.nan_to_num(values, nan=low), low, high) - low) / ((high - low) or 1)
    return [[float(0.5 * one) for one in row] for row in scaled]


def array_text(data: Buffer, write: Any = np.array2string, **options: Any) -> str:
    """Return the text of the elements: NumPy's, with the digits that a narrow dtype has, in columns."""
    settings = np.get_printoptions()
    if settings["formatter"]:  # it is user code, so it runs under the user's error state
        return str(write(data, **options))
    if data.dtype.isbuiltin != 1 and data.dtype.kind in "fViu":
        return without_float_warnings(_narrow_text)(data, settings, options)
    return str(without_float_warnings(write)(data, **options))


def _narrow_text(data: Buffer, settings: Any, options: dict[str, Any]) -> str:
    shown = _corners(data, settings["edgeitems"]) if data.size > settings["threshold"] else data
    texts = {repr(value): _number(value, data.dtype, settings) for value in shown.ravel().tolist()}
    width = max(map(len, texts.values())) if data.ndim and texts else 0

    def write(element: Any) -> str:
        value = element.item()  # which another thread may have written just now
        return (texts.get(repr(value)) or _number(value, data.dtype, settings)).rjust(width)

    return np.array2string(data, formatter={"all": write}, **options)


def _corners(data: Buffer, edge: int) -> Buffer:
    """Return the elements that NumPy shows of an array that it abbreviates."""
    for axis, length in enumerate(data.shape):
        if length > 2 * edge:
            data = np.take(data, [*range(edge), *range(length - edge, length)], axis)
    return data


def _number(value: Any, dtype: np.dtype[Any], settings: Any) -> str:
    """Return a number with as many digits as its dtype needs to distinguish it from others, and not more than `precision`."""
    if not math.isfinite(value):
        return settings["nanstr"] if math.isnan(value) else "-" * (value < 0) + settings["infstr"]
    if value == int(value) and abs(value) < _LARGE:  # 28 has two digits, though 30 would be no other number of 6 bits
        return "-0" if value == 0 and math.copysign(1, value) < 0 else str(int(value))
    kind = dtype.type
    digits = next((n for n in range(1, _DIGITS) if kind(float(f"{value:.{n}g}")) == kind(value)), _DIGITS)
    near, precision = float(f"{value:.{digits}g}"), settings["precision"]
    if near == 0 or settings["suppress"] or _SMALL <= abs(near) < _LARGE:
        return np.format_float_positional(near, precision, trim="-")
    return np.format_float_scientific(near, precision, trim="-", exp_digits=2)
