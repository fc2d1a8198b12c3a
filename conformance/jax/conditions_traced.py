"""Where programs that do not know a number differ from JAX's on purpose, and when a reason for it holds."""

from __future__ import annotations

from collections.abc import Callable

from conformance.jax.compare import Mismatch


def _place(mismatch: Mismatch) -> str:
    """Return the place of the number among the arguments."""
    place: str = mismatch.call[1][0]
    return place


def _in_a_list(mismatch: Mismatch) -> bool:
    return _place(mismatch)[0] in "01"


def _is_free(mismatch: Mismatch) -> bool:
    return _place(mismatch) in ("fill_value", "ddof") or "choose" in mismatch.target or "ravel" in mismatch.target


def _is_cutoff_or_window(mismatch: Mismatch) -> bool:
    return _place(mismatch) in ("rcond", "local_window_size.0", "local_window_size.1")


#: The arguments of `deviations.Deviation`: a reason, targets, the kinds of mismatch, the condition.
REASONS: tuple[tuple[str, tuple[str, ...], frozenset[str], Callable[[Mismatch], bool]], ...] = (
    (
        "The shapes and lengths of lists with operands in them are known, as those of operands are.",
        tuple([f"traced jnp.{name}" for name in ("ndim", "shape", "size", "trim_zeros", "unique*")]),
        frozenset({"exception"}),
        _in_a_list,
    ),
    (
        "A filler, an index and a number of degrees of freedom may be an operand in every function.",
        ("traced *",),
        frozenset({"exception"}),
        _is_free,
    ),
    (
        "Lists of subscripts of einsum are taken for operands where a program traces them.",
        ("traced jnp.einsum",),
        frozenset({"exception", "class"}),
        lambda _mismatch: True,
    ),
    (
        "The cutoff of least squares and the sizes of windows are known when a program is recorded.",
        ("traced *",),
        frozenset({"exception"}),
        _is_cutoff_or_window,
    ),
)
