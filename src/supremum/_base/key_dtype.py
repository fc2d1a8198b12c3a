"""The dtype of the arrays of keys that ``random.key`` makes, and its abstract types."""

from __future__ import annotations

from typing import Any, ClassVar, Final

import numpy as np

from supremum._base.errors import DtypeError, nameless

__all__ = ["KEY_DTYPE", "KEY_WORDS", "KeyDtype", "extended", "keys_of_word", "prng_key", "refuse_keys"]

#: What a buffer of keys holds: two words for each key. No arithmetic of NumPy's takes it.
KEY_WORDS: Final = np.dtype([("high", np.uint32), ("low", np.uint32)])


class extended(np.generic):
    """The abstract type of dtypes that NumPy does not have."""


class prng_key(extended):
    """The abstract type of the dtype of keys."""


class KeyDtype:
    """The dtype of keys; there is one instance."""

    name: Final = "key<fry>"
    itemsize: Final = 8
    type: ClassVar[Any] = prng_key

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> str:
        return "KEY_DTYPE"


KEY_DTYPE: Final = KeyDtype()


def keys_of_word(words: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Give keys whose two words are the same, as ``ones`` and ``full`` make them of a number."""
    keys = np.empty(words.shape, KEY_WORDS)
    keys["high"] = keys["low"] = words
    return keys


def refuse_keys(kind: str) -> None:
    """Refuse an operand of the kind of keys where a function computes or compares."""
    if kind == "k":
        msg = "keys have no arithmetic and no order; random.key_data(keys) gives the integers that they are made of"
        raise nameless(DtypeError(msg))
