"""The exceptions of ``jax.errors``, for programs that catch them; only a few are ever raised here."""

from __future__ import annotations

from supremum._base.exceptions import (
    ConcretizationTypeError,
    JAXIndexError,
    JAXTypeError,
    TracerArrayConversionError,
    TracerBoolConversionError,
    TracerIntegerConversionError,
)

__all__ = [
    "ConcretizationTypeError", "InconclusiveDimensionOperation", "JAXIndexError", "JAXTypeError", "JaxRuntimeError",
    "JaxprTypeError", "KeyReuseError", "NonConcreteBooleanIndexError", "TracerArrayConversionError",
    "TracerBoolConversionError", "TracerIntegerConversionError", "UnexpectedTracerError",
]  # fmt: skip


class NonConcreteBooleanIndexError(JAXIndexError):
    """The use of a traced condition as an index."""


class StaticArgumentError(ConcretizationTypeError, TracerIntegerConversionError, ValueError):
    """An operand in place of a number that has to be known: JAX raises one of these."""


class UnexpectedTracerError(JAXTypeError):
    """A traced value that outlives its function."""


def escaped(function: str, x: object) -> UnexpectedTracerError:
    """Return the error for a call with an operand that a program kept."""
    return UnexpectedTracerError(
        f"{function}: {x!r} is used after the call of the function for which it was made; return what is needed, and do not "
        "keep operands elsewhere"
    )


class KeyReuseError(RuntimeError):
    """A random key that was used twice."""


class JaxprTypeError(TypeError):
    """A program of a compiler with wrong types."""


class JaxRuntimeError(RuntimeError):
    """An error of a compiled program."""


class CallbackError(JaxRuntimeError, ValueError):
    """A function that was called back and does not return what was declared."""


class InconclusiveDimensionOperation(Exception):
    """A comparison of unknown lengths."""


class PaddingError(ValueError, RuntimeError):
    """A padding that does not exist: a RuntimeError in JAX."""


class ReverseError(ValueError):
    """What is differentiated backward has a derivative forward alone."""


class NonlinearError(ReverseError, NotImplementedError):
    """What is to be transposed is not linear."""
