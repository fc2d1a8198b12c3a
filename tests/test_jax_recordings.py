"""Replay the recordings of JAX, function by function."""

import numpy as np
import pytest
from common import for_each

import supremum as xp
from conformance.jax import calls, compare, deviations, replay

RECORDED = [(group, target) for group in replay.groups() for target in replay.targets(group)]


@for_each("pair", RECORDED)
def test_answers_as_jax_does_or_deviates_for_a_reason(pair):
    group, target = pair
    result = replay.replay_target(replay.recordings(group)[target], replay.SupremumBackend())
    assert result.absent == 0
    first = "\n".join(line for mismatch in result.unexplained[:3] for line in mismatch.lines())
    assert not result.unexplained, f"{len(result.unexplained)} of {result.total} calls differ, among them\n{first}"


def test_there_are_recordings():
    assert "operators" in replay.groups()


@for_each(
    "value",
    [
        None,
        True,
        3,
        2.5,
        "a",
        1 + 2j,
        (1, [2, 3.0]),
        slice(1, None, 2),
        ...,
        {"a": 1},
        np.arange(6, dtype=np.int8).reshape(2, 3),
        np.float32(0.1),
    ],
    identity=repr,
)
def test_arguments_survive_the_language(value):
    decoded = calls.decode(calls.encode(value), replay.SupremumBackend())
    assert type(decoded) is type(value)
    assert np.array_equal(decoded, value) if isinstance(value, np.ndarray) else decoded == value


@for_each(
    "dtype", ["bool", "int8", "uint64", "int4", "bfloat16", "float8_e4m3fn", "float16", "float32", "float64", "complex64"]
)
def test_elements_survive_the_language(dtype):
    target = calls.dtype_named(dtype)
    data = (
        np.array([0, 1, 1, 0]).astype(target)
        if dtype == "bool"
        else (np.arange(1, 7) / (1 if calls.ml_dtypes_kind(target) in "iu" else 3)).astype(target)
    )
    back = calls.array_data(dtype, calls.flat_values(data), data.shape)
    assert back.dtype == data.dtype
    assert back.tobytes() == data.tobytes()


@pytest.mark.parametrize(
    "wanted, actual, equal",
    [
        ([1.0, np.nan, np.inf], [1.0, np.nan, np.inf], True),
        ([1.0], [1.0 + 3e-7], True),
        ([1.0], [1.0 + 1e-4], False),
        ([np.inf], [-np.inf], False),
        ([np.nan], [1.0], False),
        ([np.inf], [3e38], False),
    ],
)
def test_floats_are_compared_to_rounding(wanted, actual, equal):
    found = compare.equal_elements(np.array(actual, np.float32), np.array(wanted, np.float32), "jnp.sin")
    assert bool(found.all()) is equal


def recorded(function, matrix):
    """Return a call and its outcome in the language of recordings."""
    call = [f"jnp.{function}", [calls.encode_outcome(xp.asarray(matrix))], {}]
    return call, {"r": calls.encode_outcome(calls.run(call, replay.SupremumBackend()))}


def with_columns(result, order, *, scale=1):
    """Return eigenvalues, or those and vectors, in another order, the latter with other phases."""
    order = np.array(order)
    if isinstance(result, tuple):
        return type(result)(result[0][order], result[1][:, order] * scale)
    return result[order]


@pytest.mark.parametrize("function", ["linalg.eig", "linalg.eigvals", "roots"])
def test_eigenvalues_are_compared_in_any_order(function):
    matrix = np.array([3.0, -1, 2, 5, 1]) if function == "roots" else np.arange(16.0).reshape(4, 4) % 7 - [[3], [1], [0], [1]]
    call, expected = recorded(function, matrix.astype(np.float32))
    found = calls.run(call, replay.SupremumBackend())
    assert not compare.mismatches(call, expected, found, None)
    assert not compare.mismatches(call, expected, with_columns(found, [2, 0, 3, 1], scale=-1), None)
    for wrong in (with_columns(found, [0, 1, 2, 2]), with_columns(found, [0, 1, 2])):
        assert compare.mismatches(call, expected, wrong, None)
    if function == "linalg.eig":  # vectors of other values
        assert compare.mismatches(call, expected, type(found)(found[0], found[1][:, [2, 0, 3, 1]]), None) == ["value"]


@pytest.mark.parametrize(
    "matrix, theirs, ours, excused",
    [
        ([[np.nan, 1.0], [1.0, 2.0]], [[np.nan, np.nan], [-1.0, 1.0]], [[np.nan] * 2] * 2, True),
        ([[1.0, 2.0], [2.0, 4.0]], [[np.inf, np.inf], [np.nan, np.inf]], [[np.nan] * 2] * 2, True),
        ([[1.0, 2.0], [2.0, 4.0]], [[3.0, 3.0], [3.0, 3.0]], [[3.0, 3.0], [3.0, 4.0]], False),
        ([[1.0, 2.0], [3.0, 4.0]], [[-2.0, 1.0], [1.5, -0.5]], [[np.nan] * 2] * 2, False),
    ],
)
def test_what_lapack_leaves_open_of_singular_matrices(matrix, theirs, ours, excused):
    call = ["jnp.linalg.inv", [calls.encode_outcome(xp.asarray(matrix))], {}]
    expected, found = {"r": calls.encode_outcome(xp.asarray(theirs))}, xp.asarray(ours)
    differences = compare.mismatches(call, expected, found, None)
    assert differences == ["value"]
    reason = deviations.reason_for(compare.Mismatch(call, "on", expected, found, None, differences))
    assert (reason is not None) is excused


def test_every_reason_is_used_once():
    reasons = [deviation.reason for deviation in deviations.DEVIATIONS]
    assert len(reasons) == len(set(reasons))
