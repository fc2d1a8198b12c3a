"""`grad` and its kin, which raise because there are no derivatives; functions with rules for theirs, called as they are."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from supremum.jax._modules import named, refusal
from supremum.jax._table import DERIVATIVES
from supremum.jax._values import wraps


def _transformation(name: str) -> Callable[..., Any]:
    refuse = refusal("jax", name, DERIVATIVES)

    def transform(fun: Callable[..., Any], *_args: object, **_options: object) -> Callable[..., Any]:
        if not callable(fun):
            raise TypeError(f"Expected a callable value, got {fun!r}")
        return wraps(fun)(lambda *_args, **_kwargs: refuse())

    words = "Return a function that raises NotImplementedError when it is called: it would be the derivative."
    return named(transform, "jax", name, words)


grad = _transformation("grad")
value_and_grad = _transformation("value_and_grad")
jacfwd = _transformation("jacfwd")
jacrev = _transformation("jacrev")
jacobian = _transformation("jacobian")
hessian = _transformation("hessian")


class Custom:
    """A function that has a rule of its own; those for derivatives are not used."""

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: Any = (), **_options: object) -> None:
        wraps(fun)(self)
        self.fun = fun
        self.nondiff_argnums = nondiff_argnums

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.fun(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("def"):  # of a function with another rule
            return getattr(self.fun, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)


class custom_jvp(Custom):
    """A function with a rule for its forward derivative; it is called as it is."""

    def defjvp(self, jvp: Callable[..., Any], symbolic_zeros: bool = False) -> Callable[..., Any]:
        """Take the rule, which is not used, and return it."""
        return jvp

    def defjvps(self, *jvps: Callable[..., Any] | None) -> None:
        """Take the rules for each argument, which are not used."""


class custom_vjp(Custom):
    """A function with a rule for its backward derivative; it is called as it is."""

    def defvjp(self, fwd: Callable[..., Any], bwd: Callable[..., Any], **_options: object) -> None:
        """Take the rules, which are not used."""


def custom_gradient(fun: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that gives the first of the two results of `fun`, of which the second computes the derivative."""

    @wraps(fun)
    def value(*args: Any, **kwargs: Any) -> Any:
        return fun(*args, **kwargs)[0]

    return value


def closure_convert(fun: Callable[..., Any], *_example_args: object) -> tuple[Callable[..., Any], list[Any]]:
    """Return the function itself and no further arguments: nothing in its closure is traced."""
    return fun, []
