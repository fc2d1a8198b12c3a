"""Every public name of JAX 0.10.2's modules is there; those that cannot work say so when they are called."""

import importlib
import json
import pickle
import re
from pathlib import Path

import pytest
from common import for_each

import supremum
from supremum.jax import _modules

RECORDED = json.loads((Path(__file__).parents[2] / "conformance/jax/module_names.json").read_text())
#: Modules of JAX's insides that happen to be attributes, and an abbreviation for kernels.
INSIDES = {"jax": {"ad", "ds", "memory"}}


def module_of(name):
    return importlib.import_module(f"supremum.{name}")


@for_each("name", sorted(RECORDED))
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


@for_each("module", sorted(_modules.TABLE))
def test_names_of_the_table(module):
    found = importlib.import_module(_modules.module_name(module))
    for kind, words in _modules.TABLE[module].items():
        for word in words:
            if kind == "like":
                importlib.import_module(_modules.home_of(word))
                continue
            value = getattr(found, word.partition("=")[0].removesuffix("()"))
            if kind in _modules.REASONS:
                assert isinstance(value, type) == word.endswith("()")
                with pytest.raises(NotImplementedError, match="JAX runs the same script"):
                    value()


def test_kinds_of_rows():
    util = module_of("jax._src.traceback_util")
    assert util.api_boundary(abs) is abs
    assert util.register_exclusion("file.py") is None
    assert util.include_frame(None) is True
    assert util._exclude_paths == []
    assert util._exclude_paths is util._exclude_paths
    assert module_of("jax.interpreters.batching").axis_primitive_batchers == {}
    kind = module_of("jax.experimental.layout").Format
    assert isinstance(kind(1, a=2), kind)

    class Own(kind):
        pass

    assert isinstance(Own(), kind)
    assert module_of("jax._src.core").Primitive is module_of("jax.extend.core").Primitive
    assert module_of("jax._src.tree_util").tree_map is supremum.jax.tree_util.tree_map


def test_kinds_of_axes_of_meshes():
    assert [kind.name for kind in module_of("jax.sharding").AxisType] == ["Auto", "Explicit", "Manual"]


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


@for_each("name", _modules.TABLE["jax"]["context"])
def test_settings_without_meaning_are_contexts_and_decorators(name):
    setting = getattr(supremum.jax, name)
    with setting(True):
        pass
    assert setting(True)(lambda: 3)() == 3


def test_functions_of_classes_that_are_missing_say_so():
    sparse = module_of("jax.experimental.sparse")
    with pytest.raises(NotImplementedError, match=r"jax\.experimental\.sparse\.BCOO\.fromdense: it is missing in supremum"):
        sparse.BCOO.fromdense([[1.0]])
    assert not hasattr(sparse.BCOO, "_private")
    assert not isinstance(3, sparse.BCOO)


@for_each("stub", sorted((Path(supremum.jax.__file__).parent).glob("*.pyi")), identity=lambda path: path.stem)
def test_names_of_stubs(stub):
    """What type checkers read of modules that are made of the table has the names of these."""
    found = re.findall(r" as (\w+)|^(\w+) = ", stub.read_text(encoding="utf-8"), re.MULTILINE)
    names = {first or second for first, second in found} - {"_util"}
    assert {name for name in names if not hasattr(module_of(f"jax.{stub.stem}"), name)} == set()


def test_enumerations_and_records_are_those_of_jax():  # values of JAX
    lax = supremum.jax.lax
    assert [(x.name, x.value) for x in lax.Precision] == [("DEFAULT", 0), ("HIGH", 1), ("HIGHEST", 2)]
    assert lax.DotAlgorithmPreset.F64_F64_F64.value == len(lax.DotAlgorithmPreset) == 16
    assert lax.linalg.SvdAlgorithm("divide_and_conquer") is lax.linalg.SvdAlgorithm.DIVIDE_AND_CONQUER
    assert pickle.loads(pickle.dumps(lax.AccuracyMode.HIGHEST)) is lax.AccuracyMode.HIGHEST
    assert (lax.Tolerance(rtol=0.5).rtol, lax.Tolerance().ulps) == (0.5, 0)
    assert lax.DotAlgorithm("f4", "f4", "f8").num_primitive_operations == 1
    assert module_of("jax.sharding").AbstractDevice("cpu").num_cores is None
