"""Rotations: turns by right angles and other exact values, dtypes, layouts and errors."""

import math

import numpy as np
import pytest
from behaviour import check_dtypes, check_layouts, check_narrow
from common import for_each

import supremum as xp
from supremum.scipy.spatial.transform import Rotation, Slerp

#: A quarter turn about z.
QUARTER = [0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5)]
MATRIX = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
MADE = {
    "from_quat": lambda: Rotation.from_quat(xp.asarray(QUARTER)),
    "from_matrix": lambda: Rotation.from_matrix(xp.asarray(MATRIX)),
    "from_rotvec": lambda: Rotation.from_rotvec(xp.asarray([0.0, 0.0, 90.0]), degrees=True),
    "from_euler": lambda: Rotation.from_euler("z", 90.0, degrees=True),
    "from_mrp": lambda: Rotation.from_mrp(xp.asarray([0.0, 0.0, math.tan(math.pi / 8)])),
}


@pytest.mark.parametrize("name", MADE)
def test_a_quarter_turn(name):
    turn = MADE[name]()
    for found, expected in (
        (turn.as_quat(), QUARTER), (turn.as_matrix(), MATRIX), (turn.as_rotvec(), [0, 0, math.pi / 2]),
        (turn.as_mrp(), [0, 0, math.tan(math.pi / 8)]), (turn.as_euler("xyz", degrees=True), [0, 0, 90]),
        (turn.apply(xp.asarray([1.0, 2.0, 3.0])), [-2, 1, 3]), (turn.magnitude(), math.pi / 2),
        (turn.apply(xp.asarray([1.0, 2.0, 3.0]), inverse=True), [2, -1, 3]),
        (turn.as_quat(scalar_first=True), [QUARTER[3], *QUARTER[:3]]),
        (turn.inv().as_rotvec(degrees=True), [0, 0, -90]), ((turn * turn).as_rotvec(degrees=True), [0, 0, 180]),
    ):  # fmt: skip
        np.testing.assert_allclose(np.asarray(found), expected, atol=3e-5 if np.max(expected) > 4 else 1e-6)
    assert turn.single


@pytest.mark.parametrize("seq", ["xyz", "XYZ", "zyx", "ZXZ", "yxy", "zx", "Y"])
def test_angles_there_and_back(seq):
    angles = [0.25, 0.5, -1.0][: len(seq)]
    turn = Rotation.from_euler(seq, xp.asarray(angles) if len(seq) > 1 else angles[0])
    back = Rotation.from_euler("xyz", turn.as_euler("xyz"))
    np.testing.assert_allclose(np.asarray(back.as_matrix()), np.asarray(turn.as_matrix()), atol=1e-6)
    # A rotation is the product of those about its axes: extrinsic ones from the left.
    parts = [Rotation.from_euler(axis, angle).as_matrix() for axis, angle in zip(seq, angles, strict=True)]
    product = np.linalg.multi_dot([np.eye(3), *map(np.asarray, parts if seq.isupper() else parts[::-1])])
    np.testing.assert_allclose(np.asarray(turn.as_matrix()), product, atol=1e-6)


@pytest.mark.filterwarnings("ignore:Gimbal lock")
def test_results_are_scipys():
    theirs = pytest.importorskip("scipy.spatial.transform", reason="SciPy is not installed").Rotation
    random = np.random.default_rng(6)
    quat = random.normal(size=(40, 4))
    quat[:3] = np.eye(4)[:3]
    quat[3] = quat[4] = [0, math.sqrt(0.5), 0, math.sqrt(0.5)]  # where two axes fall together
    vectors = random.normal(size=(40, 3))
    with xp.config.use(x64="on"):
        ours, expected = Rotation.from_quat(xp.asarray(quat)), theirs.from_quat(quat)
        for name, *arguments in (
            ("as_matrix",), ("as_rotvec",), ("as_mrp",), ("magnitude",), ("as_quat",), ("as_quat", True),
            ("apply", vectors), ("apply", vectors, True),
        ):  # fmt: skip
            given = [xp.asarray(x) if isinstance(x, np.ndarray) else x for x in arguments]
            found, value = np.asarray(getattr(ours, name)(*given)), getattr(expected, name)(*arguments)
            np.testing.assert_allclose(found[5:], value[5:], atol=1e-13, err_msg=name)  # before: signs of half turns
        for seq in ("xyz", "ZYX", "zxz", "YXY"):
            angles = ours.as_euler(seq)
            np.testing.assert_allclose(np.asarray(angles)[5:], expected.as_euler(seq)[5:], atol=1e-12)
            back = Rotation.from_euler(seq, angles).as_matrix()
            np.testing.assert_allclose(np.asarray(back), expected.as_matrix(), atol=1e-7)
            made = theirs.from_euler(seq, vectors)
            np.testing.assert_allclose(
                np.asarray(Rotation.from_euler(seq, xp.asarray(vectors)).as_matrix()), made.as_matrix(), atol=1e-13
            )
        np.testing.assert_allclose(
            np.asarray((ours * ours[::-1]).as_matrix()), (expected * expected[::-1]).as_matrix(), atol=1e-13
        )
        found = Rotation.from_rotvec(xp.asarray(vectors * np.logspace(-9, 0, 40)[:, None]))
        value = theirs.from_rotvec(vectors * np.logspace(-9, 0, 40)[:, None])
        np.testing.assert_allclose(np.asarray(found.quat), value.as_quat(), rtol=1e-14)
        np.testing.assert_allclose(np.asarray(found.as_rotvec()), value.as_rotvec(), rtol=1e-14)
        one = Rotation.from_rotvec(xp.asarray([0.1, 0.2, 0.3]))
        np.testing.assert_allclose(
            np.asarray(one.apply(xp.asarray(vectors))), theirs.from_rotvec([0.1, 0.2, 0.3]).apply(vectors), atol=1e-14
        )
        np.testing.assert_allclose(
            np.asarray((one * ours).as_matrix()), (theirs.from_rotvec([0.1, 0.2, 0.3]) * expected).as_matrix(), atol=1e-13
        )


def test_quaternions_of_other_lengths_scale():
    # JAX 0.10.2: the constructor does not normalize.
    assert Rotation(xp.asarray([0.0, 0.0, 0.0, 2.0])).as_matrix().tolist() == [[4, 0, 0], [0, 4, 0], [0, 0, 4]]
    assert np.isnan(np.asarray(Rotation.from_quat(xp.zeros(4)).as_matrix())).all()


def test_stacks():
    turns = Rotation.from_rotvec(xp.asarray([[0.0, 0.0, 0.5], [0.0, 0.0, 1.5]]))
    assert (len(turns), turns.single, turns[1].single) == (2, False, True)
    np.testing.assert_allclose(np.asarray(turns.mean().as_rotvec()), [0, 0, 1], atol=1e-6)
    np.testing.assert_allclose(np.asarray(turns.mean(xp.asarray([1.0, 0.0])).as_rotvec()), [0, 0, 0.5], atol=1e-6)
    joined = Rotation.concatenate([turns, turns])
    assert len(joined) == 4
    np.testing.assert_allclose(np.asarray(Rotation.identity().as_matrix()), np.eye(3))
    between = Slerp.init(xp.asarray([0.0, 2.0]), turns)
    np.testing.assert_allclose(np.asarray(between(xp.asarray([0.5, 1.0])).as_rotvec()), [[0, 0, 0.75], [0, 0, 1]], atol=1e-6)
    assert Rotation.from_quat(xp.ones((0, 4))).as_matrix().shape == (0, 3, 3)


def test_dtypes_and_layouts():
    def matrix(x):
        return Rotation.from_quat(x).as_matrix()

    kinds = ("bfloat16", "float32")
    table = {"weak": "float32", "bool": "float32", "int32": "float32", **{kind: kind for kind in kinds}}  # JAX 0.10.2
    check_dtypes(matrix, table, [1, 0, 1, 1])
    check_layouts(matrix, np.array([[1, 2, 3, 4], [4, 0, 1, 2]], np.float32))
    check_narrow(lambda x: Rotation.from_quat(x).quat, [1, 2, 3, 4])
    assert np.isnan(np.asarray(matrix(xp.asarray([np.nan, 0, 0, 1.0])))).any()


@for_each(
    ("call", "error", "words"),
    [
        (lambda: Rotation.from_matrix(xp.zeros((2, 3))), ValueError, r"shape \(..., 3, 3\)"),
        (lambda: Rotation.from_euler("xq", xp.zeros(2)), ValueError, "letters of 'xyz'"),
        (lambda: Rotation.from_euler("xX", xp.zeros(2)), ValueError, "letters of 'xyz'"),
        (lambda: Rotation.from_euler("xx", xp.zeros(2)), ValueError, "consecutive axes"),
        (lambda: Rotation.from_euler("xy", xp.zeros(3)), ValueError, "2 angles"),
        (lambda: Rotation.from_quat(QUARTER), TypeError, "Rotation"),
        (lambda: Rotation.identity(3), NotImplementedError, "num must be None"),
        (lambda: Rotation.random(xp.random.key(0)), NotImplementedError, "not supported"),
        (lambda: MADE["from_quat"]()[0], TypeError, "cannot be indexed"),
        (lambda: len(MADE["from_quat"]()), TypeError, "no length"),
        (lambda: Slerp.init(xp.zeros(2), MADE["from_quat"]()), ValueError, "at least 2"),
        (lambda: Slerp.init(xp.zeros(2), "a"), TypeError, "must be a Rotation"),
        (lambda: Slerp.init(xp.zeros(3), Rotation.from_quat(xp.ones((2, 4)))), ValueError, "the times must have shape"),
    ],
)
def test_errors(call, error, words):
    with pytest.raises(error, match=words):
        call()
