"""Keys, which determine the samples that a function draws."""

from __future__ import annotations

import inspect
import math
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from supremum._base.boundary import public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import as_integer, describe
from supremum._base.facts import facts_of
from supremum._base.functions import Function, takes_over
from supremum._base.key_dtype import KEY_DTYPE, KEY_WORDS, KeyDtype
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike, Shape, wrap
from supremum._core.conversion import as_array
from supremum._core.settings import state
from supremum._functions.creation.filled import shape_of
from supremum._kernels.casts import cast
from supremum._kernels.threefry import Words, block, keys as new_keys, many, random_bits as bits_of_words
from supremum.promotion._nodes import KEY, NODES

__all__ = ["PRNGKey", "clone", "fold_in", "key", "key_data", "key_dtype", "key_impl", "split", "wrap_key_data"]

_UINT32: Final = NODES["uint32"]
_IMPLEMENTATION: Final = "threefry2x32"
#: JAX's other generators.
_MISSING: Final = frozenset({"philox2x32", "philox4x32", "rbg", "threefry4x32", "unsafe_rbg"})
_MASK: Final = 0xFFFFFFFF
#: Keys as functions accept them: an Array of the dtype of keys, or their words as uint32.
Key: TypeAlias = Array | Buffer


class ManyKeys(NamedTuple):
    """Keys that are drawn from at once, in place of a key: the first axes of what is drawn are theirs."""

    keys: Array


@cache
def of_many(function: Any) -> Any:
    """Return a sampler that takes many keys, a shape that begins with theirs, and other arguments by name."""
    if hasattr(function, "many"):
        return function

    def definition(keys: Array, **arguments: Any) -> Any:
        return function.definition(ManyKeys(keys), **arguments)

    definition.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]  # which `inspect` reads
    found: Any = Function(definition, name=function.name, silent=True)
    found.facts, found.many = facts_of(function), True
    return found


def keys_of(words: Buffer) -> Array:
    """Return the keys whose words are the last axis of `words`."""
    return wrap(np.ascontiguousarray(words).view(KEY_WORDS)[..., 0], KEY)


@public
def key(seed: ArrayLike, *, impl: str | None = None, dtype: object = None) -> Array:
    """Create a key from a seed.

    Parameters
    ----------
    seed : int
        The seed. As in JAX, its low 32 bits are used, or 64 bits if 64-bit dtypes are the default.
    impl : str, optional
        The generator; only ``"threefry2x32"`` is available.
    dtype : optional
        The dtype of another key, as an alternative to `impl`.

    Returns
    -------
    Array
        A key.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.uniform(xp.random.key(0), (2,))
    Array([0.947667 , 0.9785799], dtype=float32)
    """
    if dtype is not None and impl is not None:
        raise ValueError("key: pass either impl or dtype, not both")
    _check_implementation(impl if dtype is None else dtype, "key")
    return keys_of(_seed_words(seed, "key"))


@public
def PRNGKey(seed: ArrayLike, *, impl: str | None = None) -> Array:
    """Create a key from a seed as a plain array of two integers, which all functions accept too.

    Parameters
    ----------
    seed, impl
        As for `key`.

    Returns
    -------
    Array
        Two integers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.PRNGKey(42)
    Array([ 0, 42], dtype=uint32)
    """
    _check_implementation(impl, "PRNGKey")
    return wrap(_seed_words(seed, "PRNGKey"), _UINT32)


def _check_implementation(impl: object, function: str) -> None:
    if impl is None or impl is KEY_DTYPE or impl == _IMPLEMENTATION:
        return
    if isinstance(impl, str) and impl in _MISSING:
        raise NotImplementedError(f"{function}: the generator {impl!r} is missing in supremum, which has {_IMPLEMENTATION!r}")
    raise ValueError(f"{function}: impl must be {_IMPLEMENTATION!r}, got {describe(impl)}")


def _seed_words(seed: ArrayLike | ManyKeys, function: str) -> Buffer:
    """Return the words of a key: the high and the low half of the seed."""
    wide = state().x64 == "on"
    if type(seed) is ManyKeys:
        seeds = seed.keys._data.astype(np.int64 if seed.keys._node.kind == "i" else np.uint64).view(np.uint64)
        above = seeds >> np.uint64(32) if wide and seed.keys._node.bits == 64 else np.zeros_like(seeds)
        return np.stack([above, seeds & np.uint64(_MASK)], axis=-1).astype(np.uint32)
    if isinstance(seed, int):
        number = call_user_code(int, seed)
        if not -(1 << 63) <= number < 1 << 63:
            raise OverflowError(f"{function}: a seed must be a 64-bit integer, got {seed}")
        bits = 64
    else:
        if isinstance(seed, str | bytes | None):
            raise TypeError(f"{function}: a seed must be an integer, got {describe(seed)}")
        x = as_array(seed)
        if x.ndim:
            raise TypeError(f"{function}: a seed must be a scalar, got an array of shape {x.shape}; make keys with split")
        if x._node.kind not in "iu":
            raise TypeError(f"{function}: a seed must be an integer, got dtype {x.dtype}")
        number, bits = int(x), x._node.bits
    high = (number >> 32) & _MASK if wide and bits == 64 else 0
    return np.array([high, number & _MASK], np.uint32)


def words_of(keys: Key | ManyKeys, function: str) -> Buffer:
    """Return the words of keys along a new last axis."""
    if type(keys) is ManyKeys:
        keys = keys.keys
    if isinstance(keys, Array) and keys._node is KEY:
        return np.ascontiguousarray(keys._data).reshape(*keys.shape, 1).view(np.uint32)
    if not isinstance(keys, Array | np.ndarray):
        raise TypeError(f"{function}: a key comes from random.key(seed) or random.split, got {type(keys).__name__}")
    data = keys._data if isinstance(keys, Array) else keys
    if data.dtype != np.uint32 or data.shape[-1:] != (2,):
        got = f"{data.dtype} of shape {data.shape}"
        raise TypeError(f"{function}: the data of keys must be uint32 with a last axis of length 2, got {got}")
    return data


def one_key(key: Key | ManyKeys, function: str) -> Words:
    """Return the words of a single key."""
    words = words_of(key, function)
    if type(key) is ManyKeys:
        return words[..., 0], words[..., 1]
    if words.ndim != 1:
        raise ValueError(f"{function}: a single key is needed, got keys of shape {words.shape[:-1]}; loop over them")
    return int(words[0]), int(words[1])


def check_key(key: Key, function: str) -> None:
    """Refuse what is not a single key; an operand that takes over is for the samplers that `function` is composed of."""
    if not takes_over(key):
        one_key(key, function)


def split_words(words: Words, number: int) -> list[Words]:
    """Return the words of `number` new keys."""
    found = key_words(words, number)
    if found.ndim == 2:
        return [(high, low) for high, low in found.tolist()]
    return [(found[..., i, 0], found[..., i, 1]) for i in range(number)]


def key_words(words: Words, number: int) -> Buffer:
    """Return the words of `number` new keys of each key, a row for each."""
    return new_keys(words, number, older=not state().partitionable)


def random_bits(words: Words, bits: int, shape: tuple[int, ...]) -> Buffer:
    """Return unsigned integers of 8, 16, 32 or 64 random bits."""
    return bits_of_words(words, bits, shape, older=not state().partitionable)


def _like(key: Key | ManyKeys, words: Buffer) -> Array:
    """Return keys in the form of `key`: typed, or as plain integers."""
    key = key.keys if type(key) is ManyKeys else key
    return keys_of(words) if isinstance(key, Array) and key._node is KEY else wrap(words, _UINT32)


@public(fast="random.split", draws="num")
def split(key: Key, num: Shape = 2) -> Array:
    """Split a key into new keys.

    Parameters
    ----------
    key : Array
        A key, which must not be used again.
    num : int or tuple of int
        The number of keys, or their shape.

    Returns
    -------
    Array
        The new keys, typed or plain like `key`.

    Examples
    --------
    >>> import supremum as xp
    >>> first, second = xp.random.split(xp.random.key(1))
    >>> xp.random.randint(first, (3,), 0, 10)
    Array([7, 1, 0], dtype=int32)
    """
    shape, words = shape_of(num, "split"), one_key(key, "split")
    return _like(key, key_words(words, math.prod(shape[len(many(words)) :])).reshape(*shape, 2))


@public(fast="random.fold_in")
def fold_in(key: Key, data: ArrayLike) -> Array:
    """Derive a new key from a key and an integer.

    Parameters
    ----------
    key
    data : int
        A 32-bit integer, such as the number of a step.

    Returns
    -------
    Array
        The new key, typed or plain like `key`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.fold_in(xp.random.PRNGKey(42), 1)
    Array([  64467757, 2916123636], dtype=uint32)
    """
    words = one_key(key, "fold_in")
    if isinstance(data, int):
        if not 0 <= data <= _MASK:
            raise OverflowError(f"fold_in: data must be a 32-bit unsigned integer, got {data}")
        data = np.uint32(data)
    x = as_array(data)
    keys = many(words)
    if x.ndim > len(keys):
        raise TypeError(f"fold_in: data must be a scalar, got an array of shape {x.shape}; loop over it")
    high, low = np.zeros(keys or 1, np.uint32), np.full(keys or 1, cast(x._data, _UINT32))
    block(words, high, low)
    return _like(key, np.stack([high, low], axis=-1).reshape(*keys, 2))


@public(operands="keys", last=0)
def key_data(keys: Key) -> Array:
    """Return the integers that keys consist of.

    Parameters
    ----------
    keys : Array
        Keys.

    Returns
    -------
    Array
        The two uint32 words of each key, along a new last axis.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.key_data(xp.random.key(7))
    Array([0, 7], dtype=uint32)
    """
    return wrap(words_of(keys, "key_data").copy(), _UINT32)


@public(operands="key_bits_array", last=1)
def wrap_key_data(key_bits_array: Key, *, impl: str | None = None, dtype: object = None) -> Array:
    """Create keys from the integers that `key_data` returns.

    Parameters
    ----------
    key_bits_array : Array
        An array of dtype uint32 whose last axis has length 2.
    impl, dtype : optional
        As for `key`.

    Returns
    -------
    Array
        Keys.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.wrap_key_data(xp.asarray([0, 7], dtype="uint32")) == xp.random.key(7)
    Array(True, dtype=bool)
    """
    _check_implementation(impl if dtype is None else dtype, "wrap_key_data")
    return keys_of(words_of(key_bits_array, "wrap_key_data").copy())


@public
def key_impl(keys: Key) -> str:
    """Return the name of the generator that keys belong to.

    Parameters
    ----------
    keys : Array
        Keys.

    Returns
    -------
    str
        ``"threefry2x32"``.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.key_impl(xp.random.key(0))
    'threefry2x32'
    """
    words_of(keys, "key_impl")
    return _IMPLEMENTATION


@public
def key_dtype(impl_spec: str | None = None) -> KeyDtype:
    """Return the dtype of the keys of a generator.

    Parameters
    ----------
    impl_spec : str, optional
        The generator; only ``"threefry2x32"`` is available.

    Returns
    -------
    dtype
        The dtype of keys.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.key_dtype() == xp.random.key(0).dtype
    True
    """
    _check_implementation(impl_spec, "key_dtype")
    return KEY_DTYPE


@public(operands="key", last=0)
def clone(key: Key) -> Array:
    """Return a copy of a key, to mark that it is reused on purpose.

    Parameters
    ----------
    key

    Returns
    -------
    Array
        The same key.

    Examples
    --------
    >>> import supremum as xp
    >>> k = xp.random.key(0)
    >>> xp.random.clone(k) == k
    Array(True, dtype=bool)
    """
    return _like(key, words_of(key, "clone").copy())


def integer_of(x: object, function: str) -> int:
    """Return an argument that has to be one integer."""
    try:
        return as_integer(x, "x")
    except TypeError:
        raise TypeError(f"{function}: an integer is needed, got {describe(x)}") from None
