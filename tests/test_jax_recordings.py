"""Replay the recordings of JAX, function by function, for the groups that are declared complete."""

import sys
from pathlib import Path

import numpy as np
import pytest

JAX_DIRECTORY = Path(__file__).parents[1] / "conformance" / "jax"
sys.path.insert(0, str(JAX_DIRECTORY))

import calls  # noqa: E402 - its folder is added to sys.path above
import compare  # noqa: E402 - likewise
import deviations  # noqa: E402 - likewise
import replay  # noqa: E402 - likewise

COMPLETE = [
    (group, target)
    for group in deviations.COMPLETE
    for target in sorted(replay.recordings(group))
    if target not in deviations.OPEN.get(group, ())
]


@pytest.mark.parametrize("group, target", COMPLETE)
def test_answers_as_jax_does_or_deviates_for_a_reason(group, target):
    result = replay.replay_target(replay.recordings(group)[target], replay.SupremumBackend())
    assert result.absent == 0
    first = "\n".join(line for mismatch in result.unexplained[:3] for line in mismatch.lines())
    assert not result.unexplained, f"{len(result.unexplained)} of {result.total} calls differ, among them\n{first}"


def test_there_are_recordings():
    assert "operators" in replay.groups()


@pytest.mark.parametrize(
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
    ids=repr,
)
def test_arguments_survive_the_language(value):
    decoded = calls.decode(calls.encode(value), replay.SupremumBackend())
    assert type(decoded) is type(value)
    assert np.array_equal(decoded, value) if isinstance(value, np.ndarray) else decoded == value


@pytest.mark.parametrize(
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


def test_every_reason_is_used_once():
    reasons = [deviation.reason for deviation in deviations.DEVIATIONS]
    assert len(reasons) == len(set(reasons))
