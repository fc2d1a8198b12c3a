"""Every public name of JAX 0.10.2's modules is there; those that cannot work say so when they are called."""

import importlib
import json
from pathlib import Path

import pytest

import supremum
from supremum.jax import _absent

RECORDED = json.loads((Path(__file__).parents[2] / "conformance/jax/module_names.json").read_text())
#: Modules of JAX's insides that happen to be attributes, and an abbreviation for kernels.
INSIDES = {"jax": {"ad", "ds", "memory"}}


def module_of(name):
    return importlib.import_module(f"supremum.{name}")


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_every_public_name_is_there(name):
    found = module_of(name)
    missing = {each for each in RECORDED[name] if not hasattr(found, each)}
    assert missing - INSIDES.get(name, set()) == set()


def test_names_that_jax_does_not_have():
    for name in ("jax.numpy", "jax.lax", "jax", "jax.debug", "jax.sharding", "jax.experimental"):
        with pytest.raises(AttributeError, match="no_such_name"):
            _ = module_of(name).no_such_name
    with pytest.raises(AttributeError):
        _ = supremum.jax.numpy.trace_promotions


@pytest.mark.parametrize("module", sorted(_absent.ABSENT))
def test_absent_names_say_what_they_need(module):
    found = module_of(module)
    for name in _absent.absent_names(module):
        value = getattr(found, name)
        if isinstance(value, type) or callable(value):
            with pytest.raises(NotImplementedError, match="JAX runs the same script"):
                value()


def test_kinds_of_axes_of_meshes():
    assert [kind.name for kind in module_of("jax.sharding").AxisType] == ["Auto", "Explicit", "Manual"]


@pytest.mark.parametrize("name", ["grad", "value_and_grad", "jacfwd", "jacrev", "jacobian", "hessian"])
def test_derivatives_are_refused_at_the_call(name):
    derivative = getattr(supremum.jax, name)(abs, argnums=0)
    with pytest.raises(NotImplementedError, match=f"jax.{name}: it needs derivatives"):
        derivative(1.0)
    with pytest.raises(TypeError):
        getattr(supremum.jax, name)(3)


@pytest.mark.parametrize("name", ["jvp", "vjp", "linearize", "make_jaxpr", "pmap", "shard_map"])
def test_transformations_that_need_more_are_refused(name):
    with pytest.raises(NotImplementedError, match=f"jax.{name}"):
        getattr(supremum.jax, name)(abs, (1.0,))


def test_functions_with_rules_are_called_as_they_are():
    jax = supremum.jax

    @jax.custom_jvp
    def double(x):
        return 2 * x

    @double.defjvp
    def _rule(primals, tangents):
        raise AssertionError

    class Model:
        @jax.custom_vjp
        def apply(self, x):
            return x + 1

    Model.apply.defvjp(None, None)
    assert (double(3), double.__name__, Model().apply(1)) == (6, "double", 2)


@pytest.mark.parametrize("name", sorted(_absent.NAMES_OF_SETTINGS))
def test_settings_without_meaning_are_contexts_and_decorators(name):
    setting = getattr(supremum.jax, name)
    with setting(True):
        pass
    assert setting(True)(lambda: 3)() == 3
