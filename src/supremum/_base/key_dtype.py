"""The dtype of arrays of random keys, which ``random.key`` makes, and its abstract types."""

from __future__ import annotations

from typing import Any, ClassVar, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.exceptions import DtypeError, without_function_name

#: The dtype of buffers of keys: two words for each key. NumPy has no arithmetic for it.
KEY_WORDS: Final = np.dtype([("high", np.uint32), ("low", np.uint32)])


class extended(np.generic):
    """Abstract type of the dtypes that NumPy does not have."""

    __module__ = "supremum.dtypes"


class prng_key(extended):
    """Abstract type of the dtype of keys."""

    __module__ = "supremum.dtypes"


class KeyDtype:
    """The dtype of keys; a singleton."""

    name: Final = "key<fry>"
    kind: Final = "k"
    itemsize: Final = 8
    type: ClassVar[Any] = prng_key

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> str:
        return "KEY_DTYPE"


KEY_DTYPE: Final = KeyDtype()


def keys_of_word(words: Buffer) -> Buffer:
    """Return keys of which both words are `words`, as ``ones`` and ``full`` make them from a number."""
    keys = np.empty(words.shape, KEY_WORDS)
    keys["high"] = keys["low"] = words
    return keys


def refuse_keys(kind: str) -> None:
    """Raise DtypeError if `kind` is that of keys, which functions can neither compute with nor compare."""
    if kind == "k":
        msg = "keys have no arithmetic and no order; random.key_data(keys) gives the integers that they are made of"
        raise without_function_name(DtypeError(msg))
