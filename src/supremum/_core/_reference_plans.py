"""The engine in Python, its lower part: what `dtype=` arguments mean, and the plans that states own; see `_reference`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.functions import Node, State, check_registered


def register_dtypes(pairs: Sequence[tuple[Any, Node | type]]) -> None:
    """Register, once, what `dtype=` arguments may be, with the strong nodes that they mean.

    In place of a node, the type of a Python scalar means the default node of its kind. Names are known by their text, all
    other objects by identity.
    """
    for spelling, meaning in pairs:
        if meaning not in _KINDS:
            check_registered(meaning)
        _spellings[spelling if type(spelling) is str else id(spelling)] = spelling, meaning


#: The types of Python scalars, in the order of default nodes.
_KINDS: Final = (bool, int, float, complex)
#: What is registered, which is kept alive, and its meaning.
_spellings: Final[dict[str | int, tuple[Any, Node | type]]] = {}


def find_dtype(current: State, dtype: object) -> Node | None:
    """Return the strong node that a `dtype=` argument means in a State.

    None is returned for other spellings, for what is no dtype, and for a dtype of 64 bits that the state does not allow.
    """
    _, meaning = _spellings.get(dtype if type(dtype) is str else id(dtype), (None, None))
    if meaning is None and isinstance(dtype, np.dtype) and dtype.isnative:  # another object of the same dtype
        _, meaning = _spellings.get(id(dtype.type), (None, None))
    node: Node | None = current._defaults[_KINDS.index(meaning)] if meaning in _KINDS else meaning
    wide = node is not None and node.dtype.itemsize >= 8 and node.dtype.char != "F"
    return None if wide and current.x64_off else node


class Plan:
    """What an operation does for given nodes.

    Parameters
    ----------
    node : Node
        The node of the result.
    call : callable, optional
        Computes an ndarray (or a NumPy scalar) from ndarrays of the operands' own dtypes. It runs without floating-point
        warnings.
    ufunc, dtype : optional
        A ufunc whose loop from inputs of `dtype` to the dtype of `node` does the same; for an engine that calls loops
        directly, which converts operands of other dtypes first.
    convert : callable, optional
        Makes a 0-d ndarray of a Python scalar, of which `call` takes it.
    low, high, floats : optional
        The Python integers, and whether the floats and complex numbers, that become elements of `dtype` as C converts
        numbers; an engine need not call `convert` for those.
    fold : bool
        Whether the plan is of a fold: the loop is from `dtype` to `dtype`, and the end result is converted to the dtype of
        `node`.
    """

    __slots__ = ("call", "convert", "dtype", "looped", "node")

    def __init__(
        self,
        node: Node,
        call: Callable[..., Any] | None = None,
        *,
        ufunc: np.ufunc | None = None,  # noqa: ARG002 - for the engine in C
        dtype: np.dtype[Any] | None = None,
        convert: Callable[[Any], Buffer] | None = None,
        low: int = 0,  # noqa: ARG002 - for the engine in C
        high: int = -1,  # noqa: ARG002 - for the engine in C
        floats: bool = False,  # noqa: ARG002 - for the engine in C
        fold: bool = False,  # noqa: ARG002 - for the engine in C
    ) -> None:
        check_registered(node)
        self.node: Final = node
        self.call: Final = call
        self.convert: Final = convert
        self.dtype: Final = dtype
        #: Whether a loop of NumPy's is called directly: not by this engine.
        self.looped: Final = False
