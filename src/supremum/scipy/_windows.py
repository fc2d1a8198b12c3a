"""Windows of spectral estimation, periodic ones, by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.errors import describe

__all__ = ["window"]


def _cosines(*coefficients: float) -> Callable[[Buffer], Buffer]:
    """Return a sum of cosines of an angle from -pi to pi."""

    def compute(turn: Buffer) -> Buffer:
        return np.sum([factor * np.cos(n * turn) for n, factor in enumerate(coefficients)], axis=0)

    return compute


def _parzen(turn: Buffer) -> Buffer:
    x = np.abs(turn) / math.pi
    return np.where(x <= 0.5, 1 - 6 * x**2 * (1 - x), 2 * (1 - np.minimum(x, 1)) ** 3)


#: Windows of an angle that runs from -pi to pi; those of SciPy that need no parameter.
_BY_ANGLE: Final[dict[str, Callable[[Buffer], Buffer]]] = {
    "boxcar": np.ones_like,
    "hann": _cosines(0.5, 0.5),
    "hamming": _cosines(0.54, 0.46),
    "blackman": _cosines(0.42, 0.5, 0.08),
    "nuttall": _cosines(0.3635819, 0.4891775, 0.1365995, 0.0106411),
    "blackmanharris": _cosines(0.35875, 0.48829, 0.14128, 0.01168),
    "flattop": _cosines(0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368),
    "bartlett": lambda turn: 1 - np.abs(turn) / math.pi,
    "bohman": lambda turn: (1 - np.abs(turn) / math.pi) * np.cos(turn) + np.sin(np.abs(turn)) / math.pi,
    "barthann": lambda turn: 0.62 - 0.48 * np.abs(turn / (2 * math.pi)) + 0.38 * np.cos(turn),
    "lanczos": lambda turn: np.sinc(turn / math.pi),
}
_OTHER_NAMES: Final = {"hanning": "hann", "han": "hann", "box": "boxcar", "ones": "boxcar", "rect": "boxcar",
                       "rectangular": "boxcar", "hamm": "hamming", "ham": "hamming", "black": "blackman", "blk": "blackman",
                       "nutt": "nuttall", "nut": "nuttall", "flat": "flattop", "flt": "flattop", "bart": "bartlett",
                       "brt": "bartlett", "bman": "bohman", "bmn": "bohman", "brthan": "barthann", "bth": "barthann",
                       "blackharr": "blackmanharris", "bkh": "blackmanharris", "parz": "parzen", "par": "parzen",
                       "triangle": "triang", "tri": "triang", "sinc": "lanczos", "halfcosine": "cosine", "gauss": "gaussian",
                       "gss": "gaussian", "ksr": "kaiser", "tuk": "tukey"}  # fmt: skip
#: Windows of the number of points of the whole, symmetric window.
_BY_LENGTH: Final[dict[str, Callable[..., Buffer]]] = {
    "cosine": lambda m: np.sin(math.pi / m * (np.arange(m) + 0.5)),
    "triang": lambda m: 1 - np.abs(2 * np.arange(m) - (m - 1)) / (m + m % 2),
    "parzen": lambda m: _parzen(math.pi * (2 * np.arange(m) - (m - 1)) / m),
    "kaiser": np.kaiser,
    "gaussian": lambda m, std: np.exp(-((np.arange(m) - (m - 1) / 2) ** 2) / (2 * std * std)),
    "exponential": lambda m, _center=None, tau=1.0: np.exp(-np.abs(np.arange(m) - (m - 1) / 2) / tau),
    "tukey": lambda m, alpha=0.5: _tukey(m, alpha),
}


def _tukey(m: int, alpha: float) -> Buffer:
    if alpha <= 0:
        return np.ones(m)
    distance = np.minimum(np.arange(m), m - 1 - np.arange(m)) / (min(alpha, 1) * (m - 1) / 2)
    return np.where(distance < 1, (1 + np.cos(math.pi * (np.minimum(distance, 1) - 1))) / 2, 1.0)


def window(given: str | tuple[Any, ...] | Sequence[float], length: int, function: str) -> Buffer:
    """Return the points of a periodic window, by its name or a tuple of its name and its parameters."""
    parts: tuple[Any, ...] = given if isinstance(given, tuple) else (given,)
    name, parameters = _OTHER_NAMES.get(parts[0], parts[0]), parts[1:]
    if length == 1 and (name in _BY_ANGLE or name in _BY_LENGTH):
        return np.ones(1)
    if name in _BY_ANGLE and not parameters:
        return _BY_ANGLE[name](math.pi * (2 * np.arange(length) / length - 1))
    if name in _BY_LENGTH:
        return np.asarray(_BY_LENGTH[name](length + 1, *parameters)[:length])
    known = ", ".join(sorted([*_BY_ANGLE, *_BY_LENGTH]))
    raise ValueError(f"{function}: unknown window {describe(given)}; pass an array of {length} points, or one of {known}")
