"""What describes an elementwise function: accepted kinds, rule for the result dtype, and kernels; see `Elementwise`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final, NamedTuple

from supremum._core.dtype_objects import complex_of, to_inexact
from supremum.promotion._nodes import NODES, Node

Kernel = Callable[..., Any]
_BOOL: Final = NODES["bool"]
_INT32: Final = NODES["int32"]
_UINT8: Final = NODES["uint8"]


def _inexact(node: Node) -> tuple[Node, Node]:
    inexact = to_inexact(node)
    return inexact, inexact


def _number(node: Node) -> tuple[Node, Node]:
    number = _INT32 if node.kind == "b" else node
    return number, number


def _predicate(node: Node) -> tuple[Node, Node]:
    return node, _BOOL


def _strong(node: Node) -> tuple[Node, Node]:
    inexact = to_inexact(node)
    return inexact, inexact.strong


def _strong_if_complex(node: Node) -> tuple[Node, Node]:
    inexact = to_inexact(node)
    return inexact, inexact.strong if inexact.kind == "c" else inexact


def _complex(node: Node) -> tuple[Node, Node]:
    inexact = to_inexact(node)
    return inexact, complex_of(inexact).strong


class Result(Enum):
    """The rule for dtypes: from the common node of the operands to (node computed in, node returned)."""

    SAME = (lambda node: (node, node),)
    #: bool and integers compute in floating point.
    INEXACT = (_inexact, "inexact")
    #: As INEXACT, for true division.
    QUOTIENT = (_inexact, "quotient")
    #: As INEXACT, but never weak.
    STRONG = (_strong, "inexact", "strong")
    #: As INEXACT, but weak only if it is real.
    STRONG_IF_COMPLEX = (_strong_if_complex, "inexact", "strong if complex")
    #: The complex dtype of a real operand; never weak.
    COMPLEX = (_complex, "inexact", "complex")
    #: bool computes as int32, as in JAX.
    NUMBER = (_number, "number")
    #: A truth value about the operands.
    PREDICATE = (_predicate,)
    #: A number of bits.
    COUNT = (lambda node: (_number(node)[0], _UINT8),)
    #: The real dtype of a complex operand.
    PART = (lambda node: (node, node.real),)
    #: As NUMBER, but strong if JAX's powers are.
    POWER = (_number, "number", "power")
    #: A truth value of two operands, exact for integers of any signedness.
    COMPARISON = (_predicate, "", "comparison")

    def __init__(self, follow: Callable[[Node], tuple[Node, Node]], role: str = "", note: str = "") -> None:
        self.follow = follow
        #: The name by which promotion systems say what an operand becomes.
        self.role = role
        self.note = note


class Elementwise(NamedTuple):
    """The facts of an elementwise function, which are the arguments of the decorator of its definition."""

    #: The function.
    name: str
    #: The number of operands.
    nin: int
    #: The kinds of dtypes that it takes: ``b`` bool, ``i`` signed, ``u`` unsigned, ``f`` floating, ``c`` complex.
    accepts: str
    result: Result
    #: Computes.
    kernel: Kernel
    #: Own kernels, by the kind of the node computed in or by the name of its dtype. A kernel for "k" makes keys accepted.
    special: Mapping[str, Kernel] = {}
    #: Whether narrow floats may compute in float32 and round once; else the kernel gets them unchanged.
    widen: bool = True
    #: The exception for a kind that is not accepted; JAX raises either class.
    error: type[Exception] = TypeError
    #: Kinds of results that are weak only if they are 0-d: JAX combines the operands with constant arrays.
    strong_arrays: str = ""
    #: The least width of dtypes that it takes.
    least_bits: int = 0
    #: Whether operands promote by the tables that some systems have for elementwise functions.
    variants: bool = True

    def kernel_for(self, node: Node) -> Kernel:
        """Return the kernel for operands of `node`."""
        return self.special.get(node.strong.name) or self.special.get(node.kind, self.kernel)
