"""Explanations: the paths, the hazards, and the results of other systems."""

import warnings
from fractions import Fraction
from itertools import pairwise, product

import ml_dtypes
import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum.promotion import TypePromotionError, as_node, explain, systems
from supremum.promotion._explain import component, first_lost, hazards_of, limits, significant_bits
from supremum.promotion._nodes import COMMON, NODES


def kinds(explanation):
    return {hazard.kind for hazard in explanation.hazards}


@for_each("name", [name for name, system in systems.items() if system.lattice is not None])
def test_paths_climb_from_each_operand_to_the_result(name):
    system = systems[name]
    for a, b in product([node for node in system.nodes if node.name in COMMON or node.weak], repeat=2):
        why = explain(a, b, system=name)
        assert why.result is system.lookup(a, b)
        for one, node in zip(why.operands, (a, b), strict=True):
            if why.result is None:
                assert one.path == ()
            else:
                assert (one.path[0], one.path[-1]) == (node.name, why.result.name)
                assert all(high in system.lattice.covers[low] for low, high in pairwise(one.path))


def test_a_matrix_has_no_path_but_a_cell():
    why = explain("int32", "float32", system="numpy")
    assert str(why.result) == "float64"
    assert [one.path for one in why.operands] == [(), ()]
    assert "a cell of its table" in str(why)


def test_an_error_is_explained_too():
    why = explain("float8_e5m2", "float16")
    assert why.result is None
    assert isinstance(why.error, TypePromotionError)
    assert str(why.error) in " ".join(str(why).split())
    assert max(map(len, str(why).splitlines())) <= 100
    assert why.hazards == ()
    assert str(why.others["tinygrad"]) == "float16"
    assert repr(why) == "<explanation: float8_e5m2 + float16 is an error>"


def test_others_answer_for_every_system_but_this_one():
    why = explain("int32", "float32")
    assert set(why.others) == set(systems) - {"jax", "cupy"}
    for name, answer in why.others.items():
        assert answer is systems[name].lookup(as_node("int32"), as_node("float32"))


@for_each(
    "operands, system, expected",
    [
        (("int32", "float32"), "jax", {"precision"}),
        (("int64", "float16"), "jax", {"precision", "magnitude", "memory"} - {"memory"}),
        (("int8", "uint8"), "jax", {"wider", "memory"}),
        (("float16", "bfloat16"), "jax", {"wider", "memory"}),
        (("float16", "bfloat16"), "max_graph", {"precision"}),
        (("float64", "complex64"), "jax", {"memory"}),
        (("uint32", "int32"), "jax_x32", {"magnitude"}),
        (("uint64", "int64"), "jax", {"precision"}),
        (("uint64", "int64"), "numpy", {"precision"}),
        (("int32", "float32"), "numpy", {"wider", "memory"}),
        (("bool", "float32"), "jax", {"memory"}),
        (("float32", "float32"), "jax", set()),
        (("int16", int), "jax", set()),
        (("int16", float), "jax", {"wider", "memory"}),
        (("complex64", "float64"), "mlx", {"precision", "magnitude"}),
        (("int64", "int64"), "keras", {"magnitude"}),
        (("int16", "float8_e5m2"), "jax", {"precision"}),
        (("int8", "float8_e8m0fnu"), "jax", {"precision", "magnitude"}),
    ],
)
def test_hazards_of_dtypes(operands, system, expected):
    assert kinds(explain(*operands, system=system)) == expected


CASTS = sorted(
    {
        (a.name, met.name)
        for system in systems.values()
        for a, b in product(system.nodes, repeat=2)
        if (met := system.lookup(a, b)) and not {a.kind, met.kind} & {"c"} and not a.weak and not met.weak
        if a.dtype is not None and met.dtype is not None
    }
)


@for_each("source", sorted({source for source, _ in CASTS}))
def test_a_cast_has_a_hazard_of_its_numbers_exactly_where_it_loses_one(source):
    numbers = sample(as_node(source))
    if as_node(source).bits < 8 and as_node(source).kind in "iu":
        numbers = numbers.astype(np.float32)  # some versions of ml_dtypes lack the cast to its floats
    for target in [target for one, target in CASTS if one == source]:
        met = as_node(target)
        found = hazards_of((as_node(source),), met, systems["jax"])
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            survives = exact(numbers.astype(met.dtype)) == exact(numbers)
        assert survives == (not {hazard.kind for hazard in found} & {"magnitude", "precision"}), target


def sample(node):
    """Return numbers of a type: all of a narrow one, the limits and the neighbours of powers of two of a wide one."""
    if node.kind == "f" and node.bits <= 16:
        every = np.arange(2**node.bits, dtype=np.uint16 if node.bits > 8 else np.uint8).view(node.dtype)
        with np.errstate(invalid="ignore"):
            return every[np.isfinite(every.astype(np.float64))]
    low, high = limits(node)
    if node.kind in "biu":
        around = [2**k + d for k in range(65) for d in (-1, 0, 1)]
        chosen = sorted({low, high} | {s * n for n in around for s in (-1, 1) if low <= s * n <= high})
        return np.array(chosen, dtype=node.dtype)
    bits = ml_dtypes.finfo(node.dtype).nmant + 1
    return np.array([0, low, high, 1, 2**bits - 1, *(2**k + 1 for k in range(1, bits))], dtype=node.dtype)


def exact(numbers):
    """Return a Python number, which compares exactly."""
    return numbers.astype(object if as_node(numbers.dtype).kind in "biu" else np.float64).tolist()


@pytest.mark.parametrize(
    "values, other, kind, affected",
    [
        (np.array([1, 2**24 + 1, 2**24 + 2], "int32"), "float32", "precision", 1),
        (np.array([1, 300, 70000, 2049], "int32"), "float16", "magnitude", 1),
        (np.array([1, 300, 70000, 2049], "int32"), "float16", "precision", 1),
        (np.array([1, 2, 3], "int32"), "float16", "precision", 0),
        (np.array([2**53, 2**53 + 1, -(2**53) - 1], "int64"), "float64", "precision", 2),
        (np.array([2**64 - 1, 2**63, 2**64 - 2**11], "uint64"), "float64", "precision", 1),
        (np.array([0, -1, 1, 2], "int8"), "float8_e8m0fnu", "magnitude", 2),
    ],
)
def test_hazards_of_values_are_counted(values, other, kind, affected):
    found = [hazard for hazard in explain(values, other).hazards if hazard.kind == kind]
    assert [hazard.affected for hazard in found] == [affected]
    assert found[0].operand == 0


def test_infinities_and_nans_are_not_counted_as_lost():
    values = np.array([np.inf, np.nan, -np.inf, 1], "float64")
    why = explain(values, np.ones(4, "complex64"), system="mlx")
    assert {hazard.kind: hazard.affected for hazard in why.hazards} == {"magnitude": 0, "precision": 0}


def test_complex_values_are_counted_by_component():
    values = np.array([1 + (2**24 + 1) * 1j, 2**24 + 1], "complex128")
    why = explain(values, "complex64", system="mlx" if "complex128" in systems["mlx"] else "keras")
    assert [hazard.affected for hazard in why.hazards if hazard.kind == "precision"] == [2]


@for_each(
    "scalar, other, system, text",
    [
        (1000, "int8", "jax", "1000 does not fit int8 and wraps"),
        (1000, "int8", "numpy", "1000 does not fit int8 and is refused"),
        (-1, "uint8", "max", "-1 does not fit uint8 and is refused"),
        (1e300, "float32", "jax", "1e+300 does not fit float32 and overflows"),
        (10**400, "float32", "jax", "does not fit float32 and is refused"),
        (10**50, "float32", "numpy", "does not fit float32 and overflows"),
        (2**24 + 1, "float32", "jax", "16777217 is not a number of float32, the nearest is 16777216"),
        (257, "bfloat16", "jax", "257 is not a number of bfloat16, the nearest is 256"),
    ],
)
def test_hazards_of_python_scalars(scalar, other, system, text):
    (hazard,) = explain(scalar, other, system=system).hazards
    assert text in hazard.text
    assert (hazard.operand, hazard.at, hazard.affected) == (0, scalar, 1)


@pytest.mark.parametrize("scalar", [1, 0.1, float("inf"), float("nan"), True, 1j, 2**24])
def test_python_scalars_without_a_hazard(scalar):
    assert explain(scalar, "complex64").hazards == ()


def test_a_result_larger_than_its_operands_is_counted_in_bytes():
    why = explain(np.ones((1000, 1), "int8"), np.ones(1000, "float32"))
    (hazard,) = [hazard for hazard in why.hazards if hazard.kind == "memory"]
    assert hazard.text == "the result has 4000000 bytes, the largest operand 4000"
    assert "memory" not in kinds(explain(np.ones(4, "float32"), np.ones(4, "float32")))


def test_arrays_of_the_namespace_are_understood_weak_ones_too():
    x = xp.asarray(2)
    assert x.weak_type
    why = explain(x, xp.ones(3, dtype=xp.int8))
    assert why.operands[0].node is as_node("int32*")
    assert str(why.result) == "int8"
    assert "weak" in str(why)


def test_systems_whose_weak_types_have_widths():
    why = explain(xp.asarray(2.5), "int8", system="tensorflow_all")
    assert str(why.result) == "float64*"


@for_each(
    "operands, system, result",
    [
        (("int8", "int8"), "jax", "float32"),
        (("int64", "int64"), "jax", "float64"),
        (("int64", "int64"), "jax_x32", "float32"),
        ((int, int), "jax", "float*"),
        (("float16", "int8"), "jax", "float16"),
        (("int8", "int8"), "numpy", "float64"),
        (("int32", "int32"), "torch", "float32"),
        (("int16", "int8"), "tensorflow_legacy", "float32"),
        (("int32", "int32"), "array_api", None),
    ],
)
def test_division_of_integers(operands, system, result):
    why = explain(*operands, system=system, op="divide")
    assert (why.result and str(why.result)) == result
    assert set(why.others) < set(systems)


def test_comparisons_give_bool():
    why = explain("int32", "float32", op="less")
    assert (str(why.met), str(why.result)) == ("float32", "bool")
    assert why.hazards == ()
    assert str(why).startswith("less(int32, float32) is bool in the promotion system 'jax'")
    assert "they promote to float32, of which less makes bool" in str(why)
    assert str(explain(1, "int8", op="<")).startswith("1 < int8 is bool")


def test_the_result_is_the_one_that_the_text_names():
    why = explain("int8", "int8", op="divide")
    assert (str(why.met), str(why.result)) == ("int8", "float32")
    assert str(why).startswith("divide(int8, int8) is float32 in")
    why = explain("int8", "int8", op="divide", system="array_api")
    assert (why.result, str(why.error)) == (None, "divide of int8 is not defined in the promotion system 'array_api'")
    assert str(why).startswith("divide(int8, int8) is an error in")


@pytest.mark.parametrize(
    "operands, op, text",
    [
        (("int8",), "siin", "op='siin' is not known here; did you mean sin or sinh or sinc"),
        (("int8",), "Array", "Array makes no array of others"),
        (("int8",), "save", "save makes no array of others"),
        (("int8", "int8"), "nope", "op='nope' is not known here"),
        (("int8",), "add", "add takes two operands, got 1"),
        (("bool", "bool"), "subtract", "the result of subtracting bools is not known"),
    ],
)
def test_operations_that_are_not_known_are_refused(operands, op, text):
    with pytest.raises(ValueError, match=f"explain: {text}"):
        explain(*operands, op=op)


def test_divisions_of_integers_that_are_not_known_are_refused():
    with pytest.raises(ValueError, match="what divide makes of int8 is not known of the promotion system 'tinygrad'"):
        explain("int8", "int8", op="divide", system="tinygrad")
    assert str(explain("float16", "float16", op="divide", system="tinygrad").result) == "float16"
    assert str(explain("float16", "float16", op="divide").others["tinygrad"]) == "float16"
    assert not {"tinygrad", "jax_lax"} & explain("bool", "bool", op="divide").others.keys()


def test_scalars_that_a_system_refuses_are_errors():
    """NumPy 2.4 raises OverflowError for ``np.int8(1) + 300``; JAX 0.10.2 wraps it, and raises for integers beyond int64."""
    why = explain("int8", 300, system="numpy")
    assert why.result is None
    assert isinstance(why.error, OverflowError)
    assert "is an error in the promotion system 'numpy'" in str(why)
    assert {"numpy", "mlx"} <= {name for name, answer in explain("int8", 300).others.items() if answer is None}
    assert str(explain("int8", 300, op="divide", system="numpy").result) == "float64"
    assert str(explain("int8", 300, op="less", system="numpy").result) == "bool"
    assert str(explain("int8", 300).result) == "int8"
    assert explain("int8", 2**63).result is None
    assert str(explain("int8", 2**31).result) == "int8"
    assert explain("int8", 2**31, system="jax_x32").result is None
    assert str(explain(10**30, 1).result) == "int*"


@pytest.mark.parametrize("system", ["jax", "numpy", "mlx", "max", "array_api"])
def test_what_is_explained_is_what_happens(system):
    numbers = (1, -1, 300, 2**40, 2**63, -(2**64), 10**400, 0.1, 1e300, float("nan"), True, 1j)
    for dtype, number, op in product(("bool", "uint8", "int64", "bfloat16", "float32"), numbers, ("add", "less", "maximum")):
        if op == "less" and type(number) is complex:
            continue
        why = explain(dtype, number, op=op, system=system)
        with xp.promotion.use(system):
            x = xp.ones(1, dtype=dtype)
            if why.result is None:
                with pytest.raises((TypeError, ValueError, OverflowError)):
                    getattr(xp, op)(x, number)
            else:
                result = getattr(xp, op)(x, number)
                assert result.weak_type == why.result.weak
                assert why.result.dtype in (None, result.dtype)


def test_prints_as_a_text():
    assert str(explain("int32", "float32")).splitlines()[:5] == [
        "int32 + float32 is float32 in the promotion system 'jax'",
        "  int32: int32 -> int64 -> float* -> bfloat16 -> float32",
        "  float32: float32 stays",
        "  hazards",
        "    precision: float32 cannot hold all of int32 from 16777217 on",
    ]


def test_rules_in_force_are_the_default():
    with xp.promotion.use("numpy"):
        assert explain("int32", "float32").system is systems["numpy"]
    assert explain("int32", "float32").system is systems["jax"]


def test_what_cannot_be_explained():
    with pytest.raises(TypeError, match="at least one operand"):
        explain()
    with pytest.raises(TypeError, match="promotion knows no dtype datetime64"):
        explain(np.zeros(2, "M8[s]"), "int8")
    with pytest.raises(TypeError, match="'integer' names no dtype"):
        explain("integer", "int8")


def test_component_of_symbolic_types_is_itself():
    assert kinds(explain("index", "int8", system="max_graph")) <= {"magnitude", "precision", "wider", "memory"}
    assert component(as_node("index")) is as_node("index")


REAL = [node for node in NODES.values() if node.kind != "c"]
NARROW = [node for node in REAL if node.bits <= 8]


def numbers(node):
    """Return every finite number of a narrow type, exactly."""
    if node.kind in "biu":
        low, high = limits(node)
        return {Fraction(i) for i in range(low, high + 1)}
    every = np.arange(2**node.bits, dtype=np.uint8).view(node.dtype).astype(np.float64)
    return {Fraction(float(one)) for one in every[np.isfinite(every)]}


@pytest.mark.combinations
@pytest.mark.parametrize("source, target", list(product(NARROW, repeat=2)), ids=lambda node: node.name)
def test_narrow_types_number_by_number(source, target):
    low, high = limits(target)
    held = numbers(target)
    assert (min(held), max(held)) == (Fraction(low), Fraction(high))
    lost = {one for one in numbers(source) if one > 0 and low <= one <= high and one not in held}
    integers = {one for one in lost if one.denominator == 1}
    expected = min(integers or lost, default=None)
    found = first_lost(source, target)
    assert (found if found is None else Fraction(found)) == expected


@for_each(
    "source, target, lost",
    [
        ("int32", "float32", 2**24 + 1),
        ("uint32", "float64", None),
        ("int64", "float64", 2**53 + 1),
        ("uint64", "float32", 2**24 + 1),
        ("int64", "float16", 2049),
        ("int32", "bfloat16", 257),
        ("uint16", "float16", 2049),
        ("int16", "float32", None),
        ("float16", "bfloat16", 257),
        ("bfloat16", "float16", 2.0**-133),
        ("float16", "float32", None),
        ("float64", "float32", 2**24 + 1),
        ("complex128", "complex64", 2**24 + 1),
        ("complex64", "complex128", None),
        ("float64", "complex64", 2**24 + 1),
        ("int64", "uint64", None),
        ("int64", "float4_e2m1fn", 5),
        ("int8", "float8_e8m0fnu", 3),
        ("bool", "int8", None),
    ],
)
def test_first_number_that_is_lost(source, target, lost):
    assert first_lost(as_node(source), as_node(target)) == lost
    if lost is not None:
        target_dtype = component(as_node(target)).dtype
        source_dtype = component(as_node(source)).dtype
        assert np.asarray(lost).astype(source_dtype).astype(object) == lost
        assert float(np.asarray(lost).astype(target_dtype)) != Fraction(lost)
        if lost > 1:
            below = np.arange(1, min(lost, 5000))
            assert (below.astype(target_dtype).astype(np.float64) == below).all()


def test_limits_and_bits():
    assert limits(as_node("bool")) == (0, 1)
    assert limits(as_node("int4")) == (-8, 7)
    assert limits(as_node("uint64")) == (0, 2**64 - 1)
    assert limits(as_node("complex64")) == limits(as_node("float32"))
    assert limits(as_node("float8_e8m0fnu"))[0] > 0
    assert significant_bits(as_node("bfloat16")) == 8
    assert significant_bits(as_node("int16")) == 15
    assert significant_bits(as_node("uint16")) == 16
    for node in REAL:
        if node.kind == "f":
            assert significant_bits(node) == ml_dtypes.finfo(node.dtype).nmant + 1


def test_component():
    assert component(as_node("complex128")) is as_node("float64")
    assert component(as_node("complex64*")) is as_node("float32")
    assert component(as_node("int8*")) is as_node("int8")
    assert component(as_node("float*")) is as_node("float*")
