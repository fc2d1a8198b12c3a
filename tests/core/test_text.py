"""The text of arrays."""

import pytest

import supremum as xp


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: xp.asarray(2), "Array(2, dtype=int32, weak_type=True)"),
        (lambda: xp.asarray([1.5, 2]), "Array([1.5, 2. ], dtype=float32)"),
        (lambda: xp.zeros((0, 3)), "Array([], shape=(0, 3), dtype=float32)"),
        (lambda: xp.bfloat16(1.5), "Array(1.5, dtype=bfloat16)"),
        (lambda: xp.asarray([True]), "Array([ True], dtype=bool)"),
        (lambda: xp.asarray(1, dtype="complex64"), "Array(1.+0.j, dtype=complex64)"),
    ],
)
def test_repr_is_jax_s(make, text):
    # Printed by JAX 0.10.2.
    assert repr(make()) == text


def test_repr_wraps_as_jax_s():
    # Printed by JAX 0.10.2, but for the new line of a dtype that does not fit into the last line.
    expected = (
        "Array([       0,  1000000,  2000000,  3000000,  4000000,  5000000,\n"
        "        6000000,  7000000,  8000000,  9000000, 10000000, 11000000,\n"
        "       12000000, 13000000, 14000000, 15000000, 16000000, 17000000,\n"
        "       18000000, 19000000, 20000000, 21000000, 22000000, 23000000,\n"
        "       24000000, 25000000, 26000000, 27000000, 28000000, 29000000],\n"
        "      dtype=int32)"
    )
    assert repr(xp.arange(30) * 1000000) == expected


def test_str_and_format():
    assert str(xp.asarray([1.0, 2.0])) == "[1. 2.]"
    assert f"{xp.float32(1.5):.2f}" == "1.50"
    assert f"{xp.asarray(3):4d}" == "   3"
    with pytest.raises(TypeError):
        f"{xp.ones(2):.2f}"
