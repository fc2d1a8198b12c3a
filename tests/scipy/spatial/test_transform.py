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


def test_derivatives():  # values of JAX 0.10.2
    quaternions, vectors = xp.asarray([[1.0, 2, 3, 4], [-2, 1, 0.5, 1]]), xp.asarray([[1.0, 0, 2], [0.5, 1, -1]])
    times, turn = xp.asarray([0.0, 1.0]), Rotation.from_quat
    for case, function, expected in (
        ("matrix", lambda q: turn(q).as_matrix(),
         [1.3866668, -0.69333303, 0.42666674, -0.31999993, 6.8607998, -5.9904003, -2.9952002, 21.209599]),
        ("from_matrix", lambda q: Rotation.from_matrix(turn(q).as_matrix()).as_rotvec(),
         [0.26666662, 0.53333324, 0.79999983, -0.93333304, 4.0476084, 5.0595107, 6.0714126, 0]),
        ("product", lambda q: (Rotation.from_mrp(q[:, :3]) * Rotation.from_rotvec(vectors)).as_euler("xyz"),
         [0.54094148, 0.79404747, -0.039709091, 0, -3.7238777, -5.2171063, 1.7458215, 0]),
        ("from_euler", lambda q: Rotation.from_euler("ZXZ", q[:, :3], degrees=True).apply(vectors),
         [0.034865212, -0.070130408, 0.03540786, 0, -0.024127159, 0.19504899, -0.022081733, 0]),
        ("inverse", lambda q: turn(q).inv().as_euler("YXY"),
         [-0.41143823, -0.98856187, 0.76568544, 0.022876399, -2.4304762, -7.3323808, -0.39238101, 2.6676190]),
        ("magnitude", lambda q: turn(q).magnitude(),
         [0.071269669, 0.14253934, 0.21380901, -0.24944383, -0.5586378, 0.2793189, 0.13965945, -1.4664241]),
        ("mean", lambda q: xp.abs(turn(q).mean(xp.asarray([1.0, 2.0])).as_quat(True)),
         [-0.082180545, 0.0024403818, 0.010345578, 0.011565782, 0.681548, 0.15721832, 0.75151259, 0.83012182]),
        ("between", lambda q: Slerp.init(times, turn(q))(xp.asarray([0.25, 0.5])).as_mrp(),
         [0.36904544, 0.31939864, 0.42613101, -0.57155901, 0.42776805, 0.85254973, 0.97991484, -0.48697114]),
    ):  # fmt: skip

        def weighted(q, function=function):
            y = function(q)
            return xp.sum(y * xp.arange(1.0, y.size + 1).reshape(y.shape))

        found = xp.jax.jit(xp.jax.grad(weighted))(quaternions)
        np.testing.assert_allclose(np.ravel(found), expected, rtol=2e-5, atol=2e-6, err_msg=case)


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
