import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum._functions.linear_algebra import einsums

CASES = [
    ("ij,jk->ik", (2, 3), (3, 4)), ("ij,jk", (2, 3), (3, 4)), ("ij->ji", (2, 3)), ("ji", (2, 3)), ("ij->", (2, 3)),
    ("ij->i", (2, 3)), ("ii", (3, 3)), ("ii->i", (3, 3)), ("iij->ij", (3, 3, 2)), ("i,i", (3,), (3,)), ("i,j->ij", (3,), (4,)),
    ("i,j->ji", (3,), (4,)), ("...j,j->...", (2, 3), (3,)), ("...ij->...ji", (2, 2, 3)), ("i...->...", (2, 3)),
    ("ij,ji->", (2, 3), (3, 2)), ("ij,kl->ijkl", (2, 3), (3, 2)), ("ij,jk,kl->il", (2, 3), (3, 4), (4, 2)),
    ("bij,bjk->bik", (5, 2, 3), (5, 3, 4)), ("bij,bjk->kib", (5, 2, 3), (5, 3, 4)), ("i,i,i->i", (3,), (3,), (3,)),
    ("ij,ij->j", (2, 3), (2, 3)), ("...i,...i->...", (4, 1, 3), (5, 3)), ("ab,bc,cd,de->ae", (2, 3), (3, 4), (4, 5), (5, 2)),
    ("ijk,ijk->", (2, 3, 4), (2, 3, 4)), ("iij,jk->ik", (3, 3, 2), (2, 4)), (",i->i", (), (3,)), ("i,ij,j", (2,), (2, 3),
    (3,)),
    ("ij,jk->ik", (2, 1), (3, 4)), ("a...,b...->ab...", (2, 3), (4, 3)), ("ij,jk->ik", (0, 3), (3, 2)), ("ij,jk", (2, 0),
    (0, 3)),
    ("i , i -> i", (3,), (3,)), ("ab,cd,ef->", (2, 2), (2, 2), (2, 2)),
]  # fmt: skip


@pytest.mark.combinations
@pytest.mark.parametrize("dtype", ["int8", "int32", "float32", "float64", "complex64"])
@pytest.mark.parametrize("subscripts, shapes", [(case[0], case[1:]) for case in CASES], ids=str)
def test_as_numpy(subscripts, shapes, dtype):
    rng = np.random.default_rng(0)
    arrays = [rng.integers(-3, 4, shape).astype(dtype) for shape in shapes]
    expected = np.einsum(subscripts, *arrays)
    for optimize in (True, False, "greedy"):
        result = xp.einsum(subscripts, *[xp.asarray(x) for x in arrays], optimize=optimize)
        assert result.dtype == dtype
        assert result.shape == expected.shape
        assert np.array_equal(np.asarray(result), expected)


def test_any_character_is_a_subscript():
    x = xp.ones((2, 3))
    assert xp.einsum("i1", x).shape == (3, 2)
    assert xp.einsum("д1,1ж->жд", x, xp.ones((3, 4))).shape == (4, 2)


def test_lists_of_subscripts():
    x, y = xp.ones((2, 3)), xp.ones((3, 4))
    assert xp.einsum(x, [0, 1], y, [1, 2], [0, 2]).shape == (2, 4)
    assert xp.einsum(x, [0, 1], y, [1, 2]).shape == (2, 4)
    assert xp.einsum(x, [..., 0], [0, ...]).shape == (3, 2)


def test_narrow_floats_accumulate_in_float32():
    ones = xp.ones(1000, dtype="bfloat16")
    assert xp.einsum("i,i", ones, ones).tolist() == 1000
    assert xp.einsum("i->", ones).dtype == "bfloat16"
    assert xp.einsum("i,i,i->", ones, ones, ones).tolist() == 1000


def test_integers_of_int8_wrap_and_preferred_ones_do_not():
    x = xp.full((40, 40), 100, dtype="int8")
    total = 40 * 100 * 100
    assert xp.einsum("ij,jk->ik", x, x)[0, 0].tolist() == (total + 128) % 256 - 128
    assert xp.einsum("ij,jk->ik", x, x, preferred_element_type="int32")[0, 0].tolist() == total


def test_truth_values_are_or_of_and():
    x = xp.asarray([[True, False], [True, True]])
    assert xp.einsum("ij,jk->ik", x, x).tolist() == [[True, False], [True, True]]
    assert xp.einsum("ij->j", x).tolist() == [True, True]


def test_weak_and_mixed_operands():
    weak = xp.reshape(xp.asarray(2), (1,))
    assert xp.einsum("i,i", weak, weak).weak_type
    assert xp.einsum("i,i", weak, xp.ones(1, dtype="int8")).dtype == "int8"
    assert xp.einsum(",i->i", 0.1, xp.ones(1, dtype="float64")).tolist() == [0.1]


@for_each(
    "subscripts, operands",
    [
        ("ij,jk", (xp.ones((2, 3)),)), ("ij", (xp.ones(3),)), ("i", (xp.ones((3, 3)),)), ("ij,jk->iz", (xp.ones((2, 2)),) * 2),
        ("ij->ii", (xp.ones((2, 2)),)), ("ij,jk->ik", (xp.ones((2, 3)), xp.ones((2, 3)))),
        ("i->j->k", (xp.ones(2),)), ("i....", (xp.ones(2),)),
    ],
)  # fmt: skip
def test_subscripts_that_do_not_fit(subscripts, operands):
    with pytest.raises(ValueError, match="einsum"):
        xp.einsum(subscripts, *operands)


def test_other_errors():
    x = xp.ones(2)
    with pytest.raises(TypeError, match="einsum"):
        xp.einsum("i,i", [1, 2], x)
    with pytest.raises(TypeError, match="einsum"):
        xp.einsum(x)
    with pytest.raises(NotImplementedError, match="einsum"):
        xp.einsum("i", x, out=x)
    for optimize in ("nonsense", [(0, 5)], [(0,), (0,)], [(0, 0)]):
        with pytest.raises(ValueError, match="einsum"):
            xp.einsum("i,i,i", x, x, x, optimize=optimize)


def test_paths():
    x, y, z = xp.ones((2, 100)), xp.ones((100, 100)), xp.ones(100)
    path, info = xp.einsum_path("ij,jk,k->i", x, y, z)
    assert sorted(map(len, path)) == [2, 2]
    assert "ij,jk,k->i" in repr(info)
    assert xp.einsum("ij,jk,k->i", x, y, z, optimize=path).tolist() == [10000, 10000]
    assert xp.einsum_path("ij,jk,k->i", x, y, z, optimize=False)[0] == [(0, 1), (0, 1)]


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int8", "complex64"])
def test_plans_are_kept_by_shapes_and_not_by_values(dtype):
    draw = np.random.default_rng(0)
    for subscripts in ("ij,jk->ik", "i j , jk", "ij,jk->ki", "ii,ij->j", "...j,jk->k...", "ij,jk->"):
        for length in (3, 9, 1, 9, 3):
            for _ in range(2):
                data = [draw.integers(-2, 3, (length, length)) for _ in range(2)]
                found = xp.einsum(subscripts, *[xp.asarray(x.astype("float32")).astype(dtype) for x in data])
                np.testing.assert_array_equal(np.asarray(found).astype("complex64"), np.einsum(subscripts, *data))


def test_what_is_kept_is_bounded_and_errors_are_not_kept():
    for length in range(1, 2 * einsums._KEPT):
        xp.einsum("i,i->", xp.ones(length), xp.ones(length))
    kept = (einsums.parsed, einsums._check_sizes, einsums._found_path, einsums._planned, einsums._planned_at_once)
    assert all(function.cache_info().maxsize == einsums._KEPT for function in kept)
    for _ in range(2):
        with pytest.raises(ValueError, match="has lengths 70 and 80"):
            xp.einsum("i,i->", xp.ones(70), xp.ones(80))
