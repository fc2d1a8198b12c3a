"""`explain` of functions: what it says is what happens, for every name of the namespace."""

import json
from itertools import product
from pathlib import Path

import pytest
from common import for_each

import supremum as xp
from supremum import config, explain, explaining, promotion
from supremum.promotion import systems

FUNCTIONS = Path(__file__).parents[1] / "conformance" / "systems" / "functions"
CALLABLE = [
    name
    for name in explaining.known()
    if name.isidentifier()
    and not name.startswith("_")
    and callable(getattr(xp, name, None))
    and not isinstance(getattr(xp, name), type)
]


def names_of(explanation):
    return ",".join(node.strong.name for node in explanation.results)


@pytest.mark.parametrize("system", ["numpy", "torch", "mlx", "jax_x64"])
def test_functions_of_one_array_are_explained_as_recorded(system):
    """The recordings are of the package; cells that differ from it are tested elsewhere."""
    found = json.loads((FUNCTIONS / f"{system}.json").read_text())
    compared = wrong = 0
    for call, line in found["functions"].items():
        name = call.removesuffix("(x)")
        if not call.endswith("(x)") or name in explaining.OPERATIONS or name in ("logsumexp", "histogram"):
            continue
        for dtype, expected in zip(found["dtypes"], line.split(), strict=True):
            if expected != "-" and dtype in ("int8", "uint32", "float16", "float32"):
                why = explain(dtype, op=name, system=system)
                compared += 1
                wrong += names_of(why) != expected
    assert compared > 150
    assert wrong <= 6  # those of listed.txt: eigenvalues, ranks


@for_each("name", CALLABLE)
def test_every_function_of_the_namespace_is_explained_or_has_no_dtype(name, monkeypatch):
    monkeypatch.setattr(explaining, "SYSTEMS", {name: systems[name] for name in ("jax", "jax_x32", "numpy", "torch")})
    operands = ["float32", "float32"] if name in explaining.OPERATIONS else ["float32"]
    if not explaining._makes_arrays(getattr(xp, name)):
        with pytest.raises(ValueError, match="makes no array of others"):
            explain(*operands, op=name)
        return
    why = explain(*operands, op=name)
    assert (why.result is None) == (why.error is not None)
    assert str(why).startswith(f"{name}(float32")
    assert " in the promotion system 'jax'" in str(why)


def test_a_function_is_explained_with_rule_hazards_and_the_other_systems():
    why = explain("int32", op="mean")
    assert str(why.result) == "float32"
    assert why.operands[0].path[0] == "int32"
    assert "precision" in {hazard.kind for hazard in why.hazards}
    assert str(why.others["numpy"]) == "float64"
    assert set(why.others) == set(systems) - {"jax", "cupy"}
    both = explain("int8", "float32", op="mean")
    assert (both.result.name, both.others["numpy"].name, both.others["jax_strict"]) == ("float32", "float32", None)
    assert "mean has one operand: those given are stacked first, and promote" in str(both)
    assert "stacked" not in str(explain("int8", "float32", op="atan2")) + str(explain("int8", op="mean"))
    assert "rule of 'numpy' for mean: bool and integers become float64" in str(explain("int32", op="mean", system="numpy"))
    assert "rule of JAX for means: bools and integers become floats" in str(why)
    assert repr(why) == "<explanation: mean(int32) is float32>"
    assert why._repr_html_().startswith("<pre>mean(int32) is float32")


def test_values_given_are_counted():
    why = explain(xp.asarray([1, 2**24 + 1, 3]), op="sin")
    (precision,) = [hazard for hazard in why.hazards if hazard.kind == "precision"]
    assert (precision.at, precision.affected) == (2**24 + 1, 1)


def test_several_results_are_all_there():
    why = explain("float64", op="unique_counts", system="numpy")
    assert [str(node) for node in why.results] == ["float64", "int64"]
    assert "results: float64, int64" in str(why)


def test_positions_have_no_hazards():
    assert explain("float64", op="argmax").hazards == ()


def test_python_scalars_raise_where_they_raise():
    assert isinstance(explain("int8", 300, op="clip", system="numpy").error, OverflowError | type(None))
    why = explain("uint8", 300, op="bitwise_or", system="numpy")
    assert why.result is None
    assert isinstance(why.error, OverflowError)
    with promotion.use("numpy"), pytest.raises(OverflowError):
        xp.bitwise_or(xp.zeros(1, dtype="uint8"), 300)


def test_a_refusal_is_the_functions_own():
    why = explain("complex64", op="argmax")
    assert why.result is None
    assert isinstance(why.error, TypeError)
    assert "complex numbers have no order" in str(why)
    assert repr(why) == "<explanation: argmax(complex64) is an error>"


def test_functions_of_namespaces_are_known_by_dotted_names():
    assert str(explain("int64", op="linalg.norm").result) == "float64"
    assert str(explain("float32", op="fft.fft").result) == "complex64"
    assert str(explain("int8", op="scipy.special.logsumexp").result) == "float32"


def test_unknown_names_have_suggestions():
    with pytest.raises(ValueError, match=r"op='linalg.nrom' is not known here; did you mean linalg.norm"):
        explain("int8", op="linalg.nrom")


def test_the_setting_of_x64_counts_and_nothing_is_traced():
    with config.use(x64="on"), xp.trace_promotions() as log:
        assert str(explain("bool", op="sum").result) == "int64"
    assert len(log) == 0


def test_explaining_leaves_the_settings_alone():
    before = (config.x64, config.promotion, config.mutable)
    explain("int8", op="sin")
    assert (config.x64, config.promotion, config.mutable) == before


@for_each("system", ["jax", "numpy", "torch", "tensorflow_all", "tensorflow_safe", "keras_tf", "mlx", "array_api"])
@for_each("op", ["add", "maximum"])
def test_what_operands_meet_at_is_what_the_function_gives(op, system):
    names = ("bool", "uint8", "uint64", "int32", "bfloat16", "float16", "float64", "complex64")
    arrays = {name: xp.asarray([1, 0], dtype=name) for name in names}
    for a, b in product(names, repeat=2):
        why = explain(a, b, op=op, system=system).result
        with config.use(promotion=system):
            try:
                found = getattr(xp, op)(arrays[a], arrays[b])
            except TypeError:
                assert why is None, (a, b)
                continue
        assert why is not None, (a, b)
        weak = why.dtype is None  # of the default width
        assert why.kind == "f" if weak else why.strong.name == found.dtype.name, (a, b)


def test_all_given_operands_take_part():
    assert str(explain("int8", 2.5, op="clip", system="torch").result) == "float32"
    assert str(explain("int8", op="clip", system="torch").result) == "int8"


def test_where_selects_and_so_has_hazards():
    why = explain("uint64", "int64", op="where", system="numpy")
    assert (str(why.result), {hazard.kind for hazard in why.hazards}) == ("float64", {"precision"})


def test_positions_have_no_path_from_the_operands():
    why = explain("uint8", op="argmax")
    assert (why.operands[0].path, why.hazards) == ((), ())
    assert "rule of JAX for positions and counts: they are of the default integer dtype" in str(why)


@pytest.mark.parametrize(
    ("operands", "op", "system", "line"),
    [
        (
            ["int8"],
            "sin",
            "numpy",
            "rule of 'numpy' for functions that need floats: bool and integers of up to 8 bits become float16",
        ),
        (["float16"], "fft.irfft", "numpy", "rule of 'numpy' for results of fft.irfft: float16 gives float16"),
        (["uint8"], "all", "torch", "rule of 'torch' for results of all: uint8 gives its own dtype"),
        (["bool"], "reciprocal", "numpy", "rule of 'numpy' for reciprocal: bool becomes int8; all others are computed in"),
        (["int8"], "matmul", "keras", "rule of 'keras' for matmul: int8 becomes int32, if all operands have one dtype"),
    ],
)
def test_the_rule_that_decided_is_said_in_words(operands, op, system, line):
    text = str(explain(*operands, op=op, system=system))
    assert line in text
    assert max(map(len, text.splitlines())) <= 108
