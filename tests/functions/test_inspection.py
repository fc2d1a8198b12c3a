"""Inspection of the namespace by the standard, and shapes of any object as in JAX 0.10.2."""

import expressions
import pytest
from common import for_each

import supremum as xp


@for_each("case", expressions.cases("inspection"), expressions.identity)
def test_as_jax(case):
    expressions.check(case)


STANDARD = {
    "bool": ["bool"],
    "signed integer": ["int8", "int16", "int32", "int64"],
    "unsigned integer": ["uint8", "uint16", "uint32", "uint64"],
    "real floating": ["float32", "float64"],
    "complex floating": ["complex64", "complex128"],
}
STANDARD["integral"] = STANDARD["signed integer"] + STANDARD["unsigned integer"]
STANDARD["numeric"] = STANDARD["integral"] + STANDARD["real floating"] + STANDARD["complex floating"]
WIDE = {"int64", "uint64", "float64", "complex128"}
info = xp.__array_namespace_info__()


@for_each("mode", ["explicit", "on", "off"])
@for_each("kind", STANDARD)
def test_dtypes_of_a_kind(kind, mode):
    with xp.config.use(x64=mode):
        found = info.dtypes(kind=kind)
        assert set(found) == set(STANDARD[kind]) - (WIDE if mode == "off" else set())
        assert all(xp.zeros(1, dtype=dtype).dtype == name for name, dtype in found.items())
        assert info.dtypes(kind=(kind, "bool")) == {**found, **info.dtypes(kind="bool")}


def test_all_dtypes():
    assert set(info.dtypes()) == {"bool", *STANDARD["numeric"]}
    assert info.dtypes(device="cpu") == info.dtypes()


@pytest.mark.parametrize("mode, bits", [("explicit", 32), ("on", 64), ("off", 32)])
def test_default_dtypes(mode, bits):
    with xp.config.use(x64=mode):
        defaults = info.default_dtypes(device="cpu")
        assert defaults["real floating"] == xp.ones(1).dtype == f"float{bits}"
        assert defaults["integral"] == xp.arange(1).dtype == f"int{bits}"
        assert defaults["complex floating"] == xp.asarray([1j]).dtype == f"complex{2 * bits}"
        assert defaults["indexing"] == xp.argmax(xp.ones(1)).dtype == f"int{bits}"


def test_devices_and_capabilities():
    assert info.devices() == ("cpu",)
    assert info.default_device() == xp.ones(1).device == "cpu"
    assert info.capabilities() == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}
    assert xp.ones((1,) * 64).ndim == 64


@pytest.mark.parametrize("ask", [info.dtypes, info.default_dtypes])
def test_another_device_is_an_error(ask):
    with pytest.raises(ValueError, match="cpu"):
        ask(device="gpu")


def test_an_unknown_kind_is_an_error():
    with pytest.raises(ValueError, match="'nonsense' is not a kind"):
        info.dtypes(kind="nonsense")
