"""The law of `vmap` for every public function: values, dtypes, weak types and errors are those of a loop over the positions.

Calls are generated from the signatures: operands of several shapes and dtypes, which fit or not, mapped or not, and for other
parameters the values that `CHOICES` has for their names. `ARGUMENTS` has calls whose arguments depend on each other.
"""

import collections
import inspect
import itertools

import numpy as np
import pytest
from batches import Operand, arguments_at, called_at, compare, operands, outcome, subsets
from common import for_each

import supremum as xp
from supremum import jax
from supremum._base.functions import Function
from supremum.jax import _batch_rules, _batching, lax
from supremum.jax.errors import ConcretizationTypeError, TracerIntegerConversionError

#: Functions of functions, of files and of texts, those that write into their operands, and one whose numbers have no key.
LEFT_OUT = """
    apply_along_axis apply_over_axes array_repr array_str explain frompyfunc fromfile fromfunction fromstring piecewise save
    savez savez_compressed set_printoptions vectorize load place put fill_diagonal create_token after_all printoptions fromiter
    from_dlpack frombuffer custom_root custom_linear_solve mask_indices rng_uniform
"""
#: Operands that are numbers of Python.
NUMBERS = {"1": 1, ".": 0.5}
#: The operands of calls, by the number of those that a function has; the last one stands for more.
KINDS = {
    0: "",
    1: "s v m t u i j n b c x y z p q o d",
    2: """
        ss vv mm tt vs sv mv vm tm tv vu um mr rm ii vi iv ib bi mi in nn jj xx xv xi zz zb yi cc cv vp pv mp pm qv vq qm mq lm
        ml vo ov ol qq pp qp pq s1 s. 1s .s v. 1v d1 d. .d b1 j. .j y1 z. x1
    """,
    3: "sss vvv mmm vss svs ssv vvs mvs mvv mmv vuv uvv iii bvv bvs bii bxi xxx ivv vpp pvp v.1 s.1 .s1 d.1 dss .ys",
}
AXES = (0, 1, -1, -2, 3, (0,), (0, 1), (0, 0), (-1, -2), (), [0], None, True, 0.5, "0", np.int32(0), np.int32(-5))
SHAPES = (3, 9, -1, (3,), (9,), (3, 3), (1, 3), (2, 3, 3), (-1, 3), (), (3, 0), 0.5, None)
#: Those of calls with a value for another parameter.
PLAIN = {0: "", 1: "s v m t n x y z", 2: "vv mm nn tt", 3: "vvv mmm"}
#: What parameters are given, by their names; the first ones are given where a parameter has no default.
CHOICES = {
    "axis": AXES,
    "axes": (*AXES, ((0,), (0,)), ((-1,), (0,)), ((0, 1), (0, 1)), 2),
    "axis1": (0, 1, -1, 3, None, (0,)),
    "axis2": (1, 0, -2, -4, None, (0,)),
    "axisa": (0, -1, 1), "axisb": (0, -1, 1), "axisc": (0, -1, 1),
    "source": (0, -1, 2, (0, 1), (0,), None), "destination": (1, 0, -3, (1, 0), (0,), None),
    "dimension": (0, 1, -1, 3, None, (0,)), "reduction_dimension": (0, -1, 1, 3),
    "dimensions": ((0,), 0, (1,), (0, 1), (3,), (0, 0), None),
    "start_dimension": (0, 1, -1, 3), "stop_dimension": (1, 0, -1, 3),
    "start": (0, 1, -1, 5),
    "shape": SHAPES, "newshape": SHAPES, "new_shape": SHAPES, "new_sizes": SHAPES, "sizes": SHAPES,
    "size": (2, 9, 0), "length": (3, 9), "minlength": (9, -1), "total_repeat_length": (4, 9),
    "broadcast_dimensions": ((0,), (1,), (0, 1), (3,), ()),
    "slice_sizes": ((1,), (2,), (1, 2), (9,)), "slice_size": (1, 2, 9),
    "start_index": (0, 1, -1), "limit_index": (1, 2, 5), "index": (0, -1, 4),
    "limit_indices": ((2,), (2, 2), (9,), ()), "strides": ((1,), (2,), (1, 2), None), "stride": (1, 2, 0),
    "num": (3, 0, -1), "num_classes": (3, 0, -1), "indices_or_sections": (3, (1, 2), 1, 2, (9,), None),
    "repeats": (2, 0, -1, (1, 2, 0)), "reps": (2, (2, 1), (2, 1, 2), 0, -1),
    "shift": (1, -2, (1, 2), 0.5), "rank": (1, 2, 3, 0),
    "pad_width": (1, (1, 2), ((1, 2), (0, 1)), ((1, 1), (1, 1), (1, 1)), -1),
    "padding_config": (((1, 1, 0),), ((1, 0, 0), (0, 1, 1)), ()),
    "dtype": ("float32", "int32", "bool", "complex64", "bfloat16", "none"), "new_dtype": ("float32", "int32", "uint32"),
    "index_dtype": ("int32", "float32"), "out_sharding": (), "sharding": (), "device": ("cpu", "gpu"), "out": (),
    "precision": (None,), "preferred_element_type": (None, "float32"), "kind": ("stable", "none"), "order": ("C", "F", "K"),
    "mode": ("clip", "wrap", "fill", "constant", "reduced", "full", "none"), "method": ("linear", "nearest", "none"),
    "n": (2, 4, 1, 0, -1), "N": (2, 0, 4), "M": (3, 0), "s": ((2,), (2, 2), (4, 2), 4, (0,)), "norm": ("ortho", "none"),
    "k": (1, -1, 0, 5, 0.5), "kth": (1, 0, -1, 5), "offset": (1, -1, 5), "decimals": (1, 0, -1), "bins": (2, 4),
    "ord": (1, 2, np.inf, "fro", "none"), "UPLO": ("U", "L", "X"),
    "side": ("left", "right", "none"), "fft_type": ("fft", "rfft"),
    "fft_lengths": ((3,), (4,), (3, 3), ()), "lengths": ((3,), (4,)), "deg": (True, 1), "ddof": (1,), "correction": (1.0, 0),
    "rcond": (0.1,), "rtol": (0.1,), "atol": (0.1,), "initial": (0.5,), "value": (1.0,), "fill_value": (1.5, 2, True),
    "subscripts": ("i", "i,i", "i,i->i", "ij->ji", "ij,j", "...i->...", "ij,jk->ik", "q"),
    "ndmin": (0, 1, 3), "copy": (True, None),
    "exponent_bits": (5, 0), "mantissa_bits": (3, -1), "like": (), "ndim": (2,), "num_keys": (1, 2), "operand_shape": ((3,),),
    "window_dimensions": ((2,), (2, 1), ()), "window_strides": ((1,), (2, 1)), "padding": ("SAME", "VALID", "none"),
    "lwork": (), "overwrite_a": (), "debug": (), "type": (), "ind": (1, 2, 0), "edge_order": (1, 2), "indexing": ("ij", "xy"),
    "impl": (), "approximate": (False, True), "rounding_method": (), "algorithm": (), "batch": ((2,),), "optimize": (True,),
}  # fmt: skip
#: The names of parameters that are lists of operands.
SEQUENCES = ("arrays", "tup", "operands", "choices", "choicelist", "condlist", "multi_index")


def functions():
    """Return the public functions by their names."""
    stats = [getattr(xp.scipy.stats, name) for name in dir(xp.scipy.stats)]
    homes = (
        xp, xp.linalg, xp.fft, xp.nn, xp.random, lax, lax.linalg, xp.scipy.special, xp.scipy.linalg, xp.scipy.signal,
        xp.scipy.ndimage, xp.scipy.stats, *[x for x in stats if inspect.ismodule(x)],
    )  # fmt: skip
    found = {}
    for home in homes:
        for name in set(dir(home)).difference(LEFT_OUT.split()):
            function = getattr(home, name)
            if not name.startswith("_") and isinstance(function, Function) and function.name:
                found[f"{home.__name__}.{name}".removeprefix("supremum.")] = function
    return dict(sorted({id(function): (name, function) for name, function in sorted(found.items())}.values()))


def argument(kind, name=""):
    kind = "key" if "key" in name else kind
    return NUMBERS[kind] if kind in NUMBERS else Operand(kind, sequence=name in SEQUENCES)


def calls(name, function):
    """Yield calls: arguments by position and by name, some of which are operands."""
    parameters = inspect.signature(function).parameters.values()
    required = [p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = required or [p for p in parameters if p.kind is p.VAR_POSITIONAL] * 2
    words = [p.name for p in parameters if p.default is p.empty and p.kind is p.KEYWORD_ONLY]
    arrays = [p for p in required if p.name not in CHOICES or "Array" in str(p.annotation)]
    choices = [CHOICES[p.name] for p in required if p not in arrays] + [CHOICES.get(word, (1,)) for word in words]

    def arguments(kinds, values):
        letters, others = iter(kinds + kinds[-1] * len(arrays)), iter(values)
        by_position = [argument(next(letters), p.name) if p in arrays else next(others) for p in required]
        return by_position, dict(zip(words, others, strict=True))

    yield from ARGUMENTS.get(name, ())
    count = min(len(arrays), 3)
    for kinds in KINDS[count].split():
        for values in itertools.islice(itertools.product(*choices), 30):
            yield arguments(kinds, values)
    for kinds, p in itertools.product(PLAIN[count].split(), parameters):
        for choice in choices_of(p) if p.default is not p.empty else ():
            by_position, by_name = arguments(kinds, [values[0] for values in choices])
            yield by_position, {**by_name, p.name: choice}


def choices_of(parameter):
    """Return what an optional parameter is given."""
    if parameter.name in CHOICES:
        return CHOICES[parameter.name]
    if "bool" in str(parameter.annotation):
        return True, False
    return [Operand(kind) for kind in "svibm"] if "Array" in str(parameter.annotation) else ()


V, M, T, S, I, J, N, B, D = map(Operand, "vmtsijnbd")  # noqa: E741 - the letters of the operands
P, Q, U, L, C, O, G, E, H, K = map(Operand, "pqulcogehk")  # noqa: E741 - the same
_SCATTERED = [
    ([M, G, E, lax.ScatterDimensionNumbers((1,), (0,), (0,))], {}),
    ([M, G, V, lax.ScatterDimensionNumbers((1,), (0,), (0,))], {}),
    ([M, G, E, lax.ScatterDimensionNumbers((1,), (5,), (0,))], {}),
    ([M, G, E, lax.ScatterDimensionNumbers((1,), (0,), (0,))], {"mode": "wrap"}),
]
_LENGTHS = [([J], {}), ([I], {}), ([S], {"dtype": "none"})]


def _each(*calls):
    return [(list(call), {}) for call in calls]


#: Calls of functions whose arguments depend on each other.
ARGUMENTS = {
    "clip": [
        *_each((M, S, None), (M, None, V), (V, U), (V, U, 1.0), (C, S), (I, 0, 1), (B, S, S), (V, V, M), (S, V, V), ()),
        ([V], {"min": S}), ([V], {"max": U}), ([V, 0.2], {"max": V}), ([V], {"a_min": S}),
    ],
    "einsum": _each(
        ("i,i", V, V), ("ij,jk", M, M), ("ij->ji", M), ("...i,i->...", T, V), ("i,i", V, U), ("ij,j", V, V), ("ii->i", M),
        ("i,j", V, V), ("ij,j->i", M, O), ("i->ij", V), ("ii", L), ("ij,j", L, V), ("i, i -> i", V, V), (V, [0], V, [0]),
        ("i", S),
    ),
    "angle": _each((V, D), (C, D), (C, True)),
    "full_like": _each((np.float32(2), S), (np.ones(3, np.float32), V), (np.ones(3, np.float32), U), (2, J)),
    "nn.gelu": _each((V, D), (V, S), (V, True), (1.0, D)),
    "take": _each((P, I), (P, N), (V, I, 0), (M, I, 1), (M, I, -1), (M, J, 0), (M, N, 1), (Q, I, 0), (V, D), (S, J)),
    "take_along_axis": _each((P, I), (P, I, 0), (V, I), (M, N, 0), (M, N, 1), (Q, N, 0), (Q, N, 1), (M, I, 0), (M, I, None)),
    "round": _each((2, J), (V, J), (2.5, J), (V, S), (V, I)),
    **dict.fromkeys(("arange", "empty", "eye", "identity", "ones", "tri", "zeros"), _LENGTHS),
    "jax.lax.conv_with_general_padding": _each(
        (H, K, (1, 1), "VALID", None, None), (H, K, (1,), "VALID", None, None), (H, H, (1, 1), "SAME", None, None),
    ),
    "jax.lax.conv_general_dilated": _each(
        (H, K, (1, 1), "SAME"), (H, K, (1, 1), "none"), (H, K, (1,), "SAME"), (H, H, (1, 1), "SAME"), (T, K, (1, 1), "SAME"),
    ),
    "jax.lax.dot_general": _each(
        (M, M, (((1,), (0,)), ((), ()))), (T, T, (((2,), (2,)), ((0,), (0,)))), (V, U, (((0,), (0,)), ((), ()))),
        (M, M, (((5,), (0,)), ((), ()))), (M, V, (((1,), (0,)), ((), ()))), (M, L, (((0,), (0,)), ((), ()))), (M, M, ()),
        (M, P, (((), ()), ((0,), (0,)))), (S, V, (((0,), (0,)), ((), ()))), (M, M, (((-1,), (0,)), ((), ()))),
    ),
    "jax.lax.dynamic_slice": _each(
        (M, (J, J), (2, 2)), (M, [0, J], (2, 3)), (V, (J,), (2,)), (M, (J,), (2,)), (V, (J,), (5,)), (V, (J,), (-1,)),
        (M, (S, J), (2, 2)), (V, (J,), (2, 2)), (M, (1, 1), (2, 2)),
    ),
    "jax.lax.dynamic_update_slice": _each(
        (M, L, (J, J)), (V, P, (J,)), (V, M, (J,)), (V, U, (J,)), (M, L, (J,)), (M, L, (0, 0)), (V, I, (J,)),
    ),
    "jax.lax.gather": [
        ([M, E if floats else G, lax.GatherDimensionNumbers((1,), (0,), (axis,)), sizes], {})
        for floats, axis, sizes in (
            (False, 0, (1, 3)), (False, 0, (1,)), (False, 0, (9, 3)), (False, 5, (1, 3)), (True, 0, (1, 3)),
        )
    ],
    "jax.lax.conv_general_dilated_patches": _each(
        (H, (2, 2), (1, 1), "SAME"), (H, (2, 2), (2, 1), "VALID"), (H, (2, 2), (1, 1), "none"), (M, (2,), (1,), "SAME")
    ),
    "jax.lax.conv_general_dilated_local": _each(
        (H, np.ones((2, 12, 3, 3), np.float32), (1, 1), "VALID", (2, 2)), (H, K, (1, 1), "VALID", (2, 2)),
    ),
    "jax.lax.ragged_dot": _each(
        (M, T, np.array([1, 0, 2, 0])), (E, T, np.array([1, 0, 2, 1])), (M, T, I), (M, M, N), (V, T, N)
    ),
    "jax.lax.reduce": _each(
        (M, 0.0, lax.add, (0,)), (M, 1.0, lax.mul, (1, 0)), (M, 0.0, lambda x, y: x + 2 * y, (1,)), (M, 0, lax.add, (0,)),
        (M, 0.0, lax.max, (5,)), (I, 0, lax.add, (0,)),
    ),
    "jax.lax.sort_key_val": _each((V, I), (M, M), (M, M, 0), (M, M, 5), (V, M), (I, V)),
    "jax.lax.reduce_window": _each(
        (M, 0.0, xp.add, (2, 2)), (M, 0.0, lax.add, (2,)), (M, -np.inf, lax.max, (2, 1), (1, 1), "SAME"),
        (M, 0.0, lax.add, (2, 2), (1, 1), "none"), (M, 0.0, lax.add, (2, 2), (1,)), (V, 0.0, lax.add, (9,)),
    ),
    **dict.fromkeys(
        [f"jax.lax.scatter{name}" for name in ("", "_add", "_sub", "_mul", "_min", "_max")], _SCATTERED
    ),
    "jax.lax.select_n": _each((B, V, V), (D, V, V), (D, S, S), (S, V, V), (B, V, U), (B, S, V), (B, V), (D, V, I), (V, V, V)),
    "jax.lax.slice": _each(
        (M, (0, 1), (2, 3)), (M, (0,), (2,)), (M, (0, 1), (9, 3)), (M, (0, 1), (2, 3), (1, 2)), (M, (0, 1), (2, 3), (1,)),
        (M, (2, 1), (0, 3)), (V, (-1,), (3,)), (M, (0, 0), (2, 2), (0, 1)),
    ),
    "jax.lax.squeeze": _each((L, (0,)), (O, (0,)), (M, (0,)), (L, (5,)), (L, (0, 0)), (L, (-2,)), (S, (0,)), (L, ())),
    "jax.lax.transpose": _each((M, (1, 0)), (T, (2, 0, 1)), (M, (0,)), (M, (0, 0)), (V, (0,)), (M, (-1, 0)), (M, (0, 5))),
    "jax.lax.linalg.lu_pivots_to_permutation": _each((I, 3), (I, 2), (I, 5), (J, 3), (V, 3)),
    "scipy.linalg.cho_solve": _each(((M, False), V), ((M, True), M), ((M, False), U), ((V, False), V), ((M, False), S)),
    "nn.dot_product_attention": _each((K, K, K), (T, T, T), (K, H, H), (M, M, M)),
    "scipy.linalg.lu_solve": _each(((M, I), V), ((M, I), M), ((M, I), U), ((V, I), V), (M, V)),
}  # fmt: skip


def examine(name, function):
    """Return how many calls were compared, by what came out, and the differences."""
    given, rule = operands(), _batching._rule_of(function)
    counts, wrong = collections.Counter(), []
    # Those that are called for each position anyway need fewer calls, and distributions, which have one rule.
    step = 7 if rule is None and function.kind != "composed" else 3 if name.startswith("scipy.stats") else 1
    for call in itertools.islice(calls(name, function), 0, None, step):
        first = called_at(0, function, call, (), given)
        for mapped in subsets(call):
            what, difference = compare(function, call, mapped, given, rule is _batch_rules.of_lengths, first)
            counts[what] += 1
            if difference:
                wrong.append((call, mapped, difference[:300]))
    return counts, wrong


FUNCTIONS = functions()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_function(name):
    function = FUNCTIONS[name]
    with xp.config.use(x64="off", mutable=False, out_of_range="clip" if name.startswith("jax.") else "raise"):
        counts, wrong = examine(name, function)
    assert not wrong, wrong[:5]
    rule, parameters = _batching._rule_of(function), inspect.signature(function).parameters
    if rule is None:  # called for each position
        assert counts or not any("Array" in str(p.annotation) for p in parameters.values() if p.default is p.empty)
    else:
        assert counts["refused" if rule is _batch_rules.of_lengths else "value"] > 0, counts
    if rule is not None and {"axis", "axes", "dimension", "dimensions", "shape"}.intersection(parameters):
        assert counts["error"] + counts["refused"] > 0, counts


@for_each("name", functions())
def test_abstract_results_have_the_shapes_of_all_functions(name):
    function, given = functions()[name], operands()
    for call in itertools.islice(calls(name, function), 6):
        args, kwargs = arguments_at(0, call, (), given, ())
        leaves, structure = jax.tree.flatten((args, kwargs), is_leaf=lambda x: not isinstance(x, list | tuple | dict))
        places = [i for i, x in enumerate(leaves) if isinstance(x, xp.Array)]

        def of_arrays(*arrays, leaves=leaves, structure=structure, places=places):
            found = dict(zip(places, arrays, strict=True))
            by_position, by_name = structure.unflatten([found.get(i, x) for i, x in enumerate(leaves)])
            return [x for x in jax.tree.leaves(function(*by_position, **by_name)) if isinstance(x, xp.Array)]

        arrays = [leaves[i] for i in places]
        results = outcome(lambda: of_arrays(*arrays))  # noqa: B023 - called at once
        if isinstance(results, Exception):
            continue
        try:
            found = jax.eval_shape(of_arrays, *arrays)
        except (ConcretizationTypeError, TracerIntegerConversionError, IndexError):
            continue  # it depends on the elements
        assert [(x.shape, x.dtype, x.weak_type) for x in found] == [(x.shape, x.dtype, x.weak_type) for x in results[0]], call
