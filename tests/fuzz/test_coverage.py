"""Every public function, method and operator is in a table of fuzzed functions, or in a list that gives the reason."""

import functools
import operator

from test_functions import SUBJECTS

import supremum as xp

NAMESPACES = ("", "linalg", "fft", "random", "nn", "scipy.special")

#: Names that take and return no array, or that other tests cover, with those tests.
REASONS = {
    "Array": "the class; its methods have rows",
    "ndarray": "the class",
    "ComplexWarning": "a warning",
    "TypePromotionError": "an error",
    "ufunc": "the class; its methods have rows",
    "__array_namespace_info__": "no arguments; tests/functions/test_inspection.py",
    "enable_x64": "a setting; tests/core/test_settings.py",
    "numpy_dtype_promotion": "a setting; tests/core/test_settings.py",
    "get_printoptions": "settings of printing; tests/functions/test_printing.py",
    "set_printoptions": "settings of printing; tests/functions/test_printing.py",
    "printoptions": "settings of printing; tests/functions/test_printing.py",
    "explain": "text about promotion; tests/promotion",
    "forbid": "observes promotion; tests/test_tracing.py",
    "trace_promotions": "observes promotion; tests/test_tracing.py",
    "precision_lens": "observes errors; tests/lens, tests/fuzz/test_lens.py",
    "index_exp": "returns its key; tests/core/test_index_keys.py",
    "s_": "returns its key; tests/core/test_index_keys.py",
    "dtype": "NumPy's class",
    "nn.get_scaled_dot_general_config": "returns options; tests/nn/test_scaled.py",
    "random.key_dtype": "returns a dtype; tests/random/test_keys.py",
    **dict.fromkeys(
        (
            *(
                "scipy.special.betainc",
                "scipy.special.comb",
                "scipy.special.dawsn",
                "scipy.special.erfcx",
                "scipy.special.exp1",
            ),
            *("scipy.special.expi", "scipy.special.expn", "scipy.special.fresnel", "scipy.special.gammainc"),
            *("scipy.special.gammaincc", "scipy.special.hyp1f1", "scipy.special.hyp2f1", "scipy.special.i1"),
            *("scipy.special.i1e", "scipy.special.owens_t", "scipy.special.poch", "scipy.special.sici"),
            *("scipy.special.spence", "scipy.special.zeta"),
        ),
        "beside SciPy's values; tests/scipy/test_references.py",
    ),
    **dict.fromkeys(
        (
            *("scipy.special.bernoulli", "scipy.special.bessel_jn", "scipy.special.beta", "scipy.special.gammasgn"),
            *("scipy.special.multigammaln", "scipy.special.polygamma", "scipy.special.sph_harm_y", "scipy.special.wofz"),
        ),
        "beside JAX's values; conformance/jax/specs/scipy_special.py",
    ),
}
#: Attributes of Array without numbers.
ATTRIBUTES = {
    "addressable_data": "JAX's devices",
    "addressable_shards": "JAX's devices",
    "aval": "JAX's types",
    "committed": "JAX's devices",
    "copy_to_host_async": "JAX's devices",
    "device": "always the CPU",
    "devices": "always the CPU",
    "global_shards": "JAX's devices",
    "is_deleted": "False until delete()",
    "is_fully_addressable": "always True",
    "is_fully_replicated": "always True",
    "is_ready": "always True",
    "on_device_size_in_bytes": "nbytes",
    "platform": "always the CPU",
    "sharding": "JAX's devices",
    "traceback": "always None",
    "unsafe_buffer_pointer": "an address",
    "delete": "refused",
    "flat": "refused",
    "itemsize": "an attribute of the dtype",
    "nbytes": "size times itemsize",
    "node": "the dtype and the weak type",
    "dtype": "compared in every case",
    "ndim": "compared in every case",
    "shape": "compared in every case",
    "size": "compared in every case",
    "weak_type": "compared in every case",
    "at": "the row Array.at",
    "T": "a row",
}

COVERED = {row.name.split()[0] for row in SUBJECTS}


def public():
    for namespace in NAMESPACES:
        module = functools.reduce(getattr, filter(None, namespace.split(".")), xp)
        for name in module.__all__:
            value = getattr(module, name)
            if callable(value) or type(value).__name__.startswith("_"):
                yield f"{namespace}.{name}".lstrip("."), value


def scalar_type(value):
    return isinstance(value, type) or type(value).__name__ == "ScalarType"


def test_every_function_is_fuzzed():
    names = {}
    for name, value in public():
        names.setdefault(id(value), (value, set()))[1].add(name)
    functions = [others for value, others in names.values() if not scalar_type(value)]
    assert [others for others in functions if not others & COVERED and not others <= REASONS.keys()] == []


def test_every_method_is_fuzzed():
    names = {name for name in dir(xp.ones(1)) if not name.startswith("_")}
    covered = {name.removeprefix("Array.") for name in COVERED if name.startswith("Array.")}
    assert names - covered - set(ATTRIBUTES) == set()


def test_every_operator_is_fuzzed():
    operators = {name.strip("_") for name in operator.__all__ if hasattr(xp.Array, f"__{name.strip('_')}__")}
    others = {
        "setitem",
        "delitem",
        "contains",
        "index",
        "inv",
        "call",
    }  # in test_indexing_keys.py and test_array.py; another name of invert; and attributes of every class
    assert "add" in operators
    in_place = {name for name in operators if name.startswith("i") and name[1:] in operators}  # in test_authorities.py
    covered = {name.removeprefix("operator.").strip("_") for name in COVERED if name.startswith("operator.")} | {"getitem"}
    assert operators - covered - others - in_place == set()


def test_no_reason_is_left_over():
    names = {name for name, _ in public()}
    assert set(REASONS) - names == set()
    assert set(ATTRIBUTES) - set(dir(xp.Array)) == set()


def test_types_are_fuzzed_as_dtypes():
    from arrays import DTYPES

    types = {name for name, value in public() if type(value).__name__ == "ScalarType"}
    assert {str(getattr(xp, name).dtype) for name in types} == set(DTYPES)
