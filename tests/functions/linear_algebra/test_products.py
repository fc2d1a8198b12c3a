import numpy as np
import pytest
from common import for_each

import supremum as xp

A = np.arange(6).reshape(2, 3)
B = np.arange(6).reshape(3, 2) - 2


@pytest.mark.combinations
@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "bfloat16", "float64", "complex64"])
@pytest.mark.parametrize(
    "function, args",
    [
        ("dot", (A, B)), ("dot", (A, B[:, 0])), ("dot", (np.ones((4, 2, 3), int), np.ones((5, 3, 2), int))),
        ("dot", (np.array(2), A)),
        ("inner", (A, B.T)), ("inner", (A, np.array(3))), ("outer", (A, B)), ("vdot", (A, B)), ("kron", (A, B)),
        ("kron", (A, np.array([1, -1]))), ("kron", (np.array(2), A)), ("cross", (A, B.T)), ("cross", (A[:, :2], B.T)),
        ("cross", (A[:, :2], B.T[:, :2])), ("cross", (A, B.T[:, 1:])), ("trace", (A,)), ("trace", (A, 1)), ("trace", (A, -1)),
        ("matvec", (A, A[0])), ("vecmat", (A[0], B)),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)  # fmt: skip
def test_as_numpy_on_whole_numbers(function, args, dtype):
    ours = [xp.asarray(x).astype(dtype) if isinstance(x, np.ndarray) else x for x in args]
    numpys = [x.astype(np.int64) if isinstance(x, np.ndarray) else x for x in args]
    if function == "cross":
        # NumPy no longer accepts vectors of two elements, whose third is zero.
        flat = all(x.shape[-1] == 2 for x in numpys)
        numpys = [np.pad(x, ((0, 0), (0, 3 - x.shape[-1]))) for x in numpys]
        expected = np.cross(*numpys)[..., 2] if flat else np.cross(*numpys)
    else:
        expected = getattr(np, function)(*numpys)
    result = getattr(xp, function)(*ours)
    assert result.shape == expected.shape
    assert result.tolist() == expected.tolist()
    widens = function == "trace" and dtype == "int8"
    assert result.dtype == ("int32" if widens else dtype)


def test_conjugates():
    z, one = xp.asarray([1j, 2.0]), xp.ones(2)
    assert complex(xp.vdot(z, one)) == 2 - 1j
    assert complex(xp.dot(z, one)) == 2 + 1j
    assert xp.vecmat(z, xp.ones((2, 1))).tolist() == [2 - 1j]
    assert xp.matvec(xp.ones((1, 2)), z).tolist() == [2 + 1j]


def test_shapes_that_do_not_match():
    x = xp.ones((2, 3))
    for call in (
        lambda: xp.dot(x, x), lambda: xp.inner(x, xp.ones(2)), lambda: xp.vdot(x, xp.ones(2)),
        lambda: xp.matvec(x, xp.ones(2)),
        lambda: xp.matvec(xp.ones(3), xp.ones(3)), lambda: xp.vecmat(xp.ones(3), x), lambda: xp.vecmat(xp.asarray(1.0), x),
        lambda: xp.cross(xp.ones(4), xp.ones(4)), lambda: xp.cross(xp.ones((2, 3)), xp.ones((3, 3))),
        lambda: xp.trace(xp.ones(3)),
        lambda: xp.trace(x, axis1=0, axis2=0), lambda: xp.matvec(xp.ones((2, 3, 3)), xp.ones((3, 3))),
    ):  # fmt: skip
        with pytest.raises((ValueError, TypeError), match=r"dot|inner|matvec|vecmat|cross|trace"):
            call()


def test_cross_products_along_axes():
    x = xp.asarray([[1, 0], [0, 1], [0, 0]])
    assert xp.cross(x, x[:, ::-1], axis=0).tolist() == [[0, 0], [0, 0], [1, -1]]
    assert xp.cross(x, x[:, ::-1], axisa=0, axisb=0).tolist() == [[0, 0, 1], [0, 0, -1]]
    assert xp.cross(x, x[:, ::-1], axisa=0, axisb=0, axisc=0).shape == (3, 2)
    with pytest.raises(TypeError, match="bool"):
        xp.cross(xp.asarray([True] * 3), xp.asarray([True] * 3))


@pytest.mark.parametrize(("other", "dtype"), [("float32", "float32"), ("int16", "int16"), ("bfloat16", "bfloat16")])
def test_cross_products_of_unsigned_integers_have_the_signs_of_both_dtypes(other, dtype):
    three, two = xp.arange(1, 4, dtype="uint8"), xp.asarray([3, 4], dtype=other)
    found = xp.cross(three, two)
    assert (found.tolist(), found.dtype) == ([-12, 9, -2], dtype)
    assert xp.cross(two, three).tolist() == [12, -9, 2]


def test_traces():
    x = xp.reshape(xp.arange(24), (2, 3, 4))
    assert xp.trace(x, axis1=1, axis2=2).tolist() == [0 + 5 + 10, 12 + 17 + 22]
    assert xp.trace(x, axis1=-1, axis2=0).tolist() == np.trace(np.arange(24).reshape(2, 3, 4), axis1=-1, axis2=0).tolist()
    assert xp.trace(xp.ones((300, 300), dtype="bfloat16")).tolist() == 300
    assert xp.trace(xp.ones((2, 2)), dtype="int8").dtype == "int8"
    with pytest.raises(ValueError, match="offset"):
        xp.trace(x, offset=0.5)


def test_kron_of_truth_values():
    with pytest.raises(TypeError, match="bool"):
        xp.kron(xp.asarray([True]), xp.asarray([True]))


def test_precision_is_a_name_of_jaxs():
    x = xp.ones(2)
    for call in (xp.matmul, xp.dot, xp.inner, xp.vdot, xp.vecdot, xp.convolve, xp.linalg.matmul):
        assert call(x, x, precision="highest").tolist() == call(x, x).tolist()
        with pytest.raises(ValueError, match="precision"):
            call(x, x, precision="nonsense")


def test_numbers_keep_their_digits():
    x = xp.asarray([1.0], dtype="float64")
    assert xp.outer(x, 0.1).tolist() == [[0.1]]
    assert xp.dot(x, 0.1).tolist() == [0.1]
    assert xp.kron(0.1, x).tolist() == [0.1]
    assert xp.inner(x, 0.1).dtype == "float64"
    assert xp.dot(2.5, 2).weak_type
    assert xp.dot(2.5, 3, preferred_element_type="int8").tolist() == 6


PROMOTED = {
    "matmul": xp.matmul,
    "@": lambda x, y: x @ y,
    "matrices": lambda x, y: (x[None] @ y[:, None])[0, 0],
    "dot": xp.dot,
    "inner": xp.inner,
    "vdot": xp.vdot,
    "vecdot": xp.vecdot,
    "linalg.vecdot": xp.linalg.vecdot,
    "tensordot": lambda x, y: xp.tensordot(x, y, 1),
    "einsum": lambda x, y: xp.einsum("i,i", x, y),
    "matvec": lambda x, y: xp.matvec(x[None], y)[0],
    "vecmat": lambda x, y: xp.vecmat(x, y[:, None])[0],
    "multi_dot": lambda x, y: xp.linalg.multi_dot([x, y]),
    "correlate": lambda x, y: xp.correlate(x, y)[0],
    "convolve": lambda x, y: xp.convolve(x, y[::-1], mode="valid")[0],
    "polymul": lambda x, y: xp.polymul(x, y[::-1])[1],
    "sum of products": lambda x, y: (x * y).sum(),
}


@for_each("name", PROMOTED)
@for_each("dtype", ["bfloat16", "float8_e4m3fn"])
@for_each("integer", ["int16", "int32"])
def test_integers_promote_to_narrow_floats_before_they_are_multiplied(name, dtype, integer):
    # 257 rounds to 256 in both dtypes, as JAX has it.
    x, y = xp.asarray([257, -256], dtype=integer), xp.ones(2, dtype=dtype)
    for result in (PROMOTED[name](x, y), PROMOTED[name](y, x)):
        assert result.dtype == dtype
        assert float(result) == 0


def test_single_products_of_integers_and_narrow_floats():
    x, y = xp.asarray([257, -256], dtype="int16"), xp.full(2, 3, dtype="bfloat16")
    products = [xp.outer(x, y)[:, 0], xp.kron(x, y)[::2], xp.dot(x, y[0]), xp.inner(x, y[0]), xp.outer(257, y)[0]]
    assert [np.asarray(p.astype("float32")).tolist() for p in products] == [[768, -768]] * 4 + [[768, 768]]
    assert float(xp.polyval(xp.ones(2, dtype="bfloat16"), x)[1]) == -255
    assert float(xp.polyadd(x, y * 0 + 1)[0]) == 256  # 256 + 1 rounds to even; 257 + 1 would be 258
    assert float(xp.average(x, weights=y)) == 0
    a, b = xp.asarray([2049, 2048], dtype="uint16"), xp.ones(2, dtype="float16")
    assert float(xp.cross(a, b)) == 0  # 2049 rounds to 2048


@pytest.mark.parametrize(
    "function", [xp.dot, xp.matmul, xp.vdot, xp.inner, xp.vecdot, lambda *a, **k: xp.einsum("i,i", *a, **k)]
)
def test_products_of_doubles_are_rounded_to_preferred_dtypes_once(function):  # values of JAX
    x, ones = xp.asarray([1.0000000001, -1.0], dtype="float64"), xp.ones(2, dtype="float64")
    expected = np.float32(1.0000000001 - 1.0)
    assert function(x, ones, preferred_element_type="float32").item() == expected
    assert function(x, ones * 1j, preferred_element_type="complex64").item() == np.complex64(1j * (1.0000000001 - 1.0)) != 0


def test_preferred_dtypes_of_mixed_products():
    x, y = xp.asarray([257, -256], dtype="int16"), xp.ones(2, dtype="bfloat16")
    for function in (xp.matmul, xp.dot, xp.inner, xp.vdot, xp.vecdot):
        assert float(function(x, y, preferred_element_type="float32")) == 1
        assert float(function(x, x * 0 + 1, preferred_element_type="bfloat16")) == 0
    assert float(xp.einsum("i,i", x, y, preferred_element_type="float32")) == 1
    assert float(xp.einsum("i,i", x, y.astype("float32"), preferred_element_type="bfloat16")) == 0
    assert np.asarray(xp.convolve(x, y, preferred_element_type="float32")).tolist() == [256, 0, -256]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_products_with_vectors_are_rounded_as_those_of_matrices(dtype):
    rng = np.random.default_rng(4)
    matrix = xp.asarray(rng.random((40, 40)), dtype=dtype)
    vector = xp.asarray(rng.random(80), dtype=dtype)
    for v in (vector[:40], vector[:40][::-1], vector[::2], xp.broadcast_to(vector[0], (40,))):
        for m in (matrix, matrix.T, matrix[::-1]):
            assert xp.array_equal(xp.vecmat(v, m), xp.matmul(v[None, :], m)[0])
            assert xp.array_equal(xp.matvec(m, v), xp.matmul(m, v[:, None])[:, 0])
