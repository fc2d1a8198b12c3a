"""Scalar types: the arrays that they make, equality, and use as dtypes."""

import pickle

import ml_dtypes
import numpy as np
from common import for_each

import supremum as xp
from supremum.promotion._nodes import NODES

ALIASES = {
    "bool_": "bool", "int_": "int64", "uint": "uint64", "float_": "float64", "complex_": "complex128", "single": "float32",
    "double": "float64", "csingle": "complex64", "cdouble": "complex128",
}  # fmt: skip


@for_each("name", NODES)
def test_types_make_arrays_and_are_dtypes(name):
    scalar = getattr(xp, name)
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    one = -1 if name == "int1" else 1
    assert repr(scalar(one)) == repr(xp.asarray(one, dtype=dtype))
    assert not scalar(one).weak_type
    assert scalar == dtype
    assert dtype == scalar
    assert hash(scalar) == hash(dtype.type)
    assert np.dtype(scalar) == dtype
    assert {dtype.type: 1}[scalar] == {scalar: 1}[dtype.type] == 1
    assert pickle.loads(pickle.dumps(scalar)) is scalar
    assert (scalar.name, scalar.itemsize) == (dtype.name, dtype.itemsize)
    assert xp.zeros(1, dtype=scalar).dtype == scalar


@for_each("name", NODES)
def test_scalars_of_numpy_are_instances_as_in_jax(name):
    scalar, dtype = getattr(xp, name), np.dtype(getattr(ml_dtypes, name, name))
    assert isinstance(dtype.type(1), scalar)
    assert not isinstance(np.timedelta64(1, "s"), scalar)
    assert not isinstance(scalar(0), scalar)  # an array is not a dtype
    other = "float32" if name == "float64" else "float64"
    assert not isinstance(dtype.type(1), getattr(xp, other))
    assert isinstance(1.5, scalar) == isinstance(1.5, dtype.type)


def test_the_hash_is_that_of_numpys_class():
    """As in JAX 0.10.2. Scalar types equal NumPy's classes and dtypes, which have different hashes."""
    assert np.float32 == xp.float32 == np.dtype("float32")
    assert hash(np.float32) != hash(np.dtype("float32"))
    assert {np.float32: 1}.get(xp.float32) == {xp.float32: 1}.get(np.float32) == 1
    assert {np.dtype("float32"): 1}.get(xp.float32) is None
    assert {np.dtype("float32"): 1}.get(xp.float32.dtype) == 1
    assert len({np.float32, xp.float32, xp.single, np.float64, xp.float64}) == 2


@for_each("alias", ALIASES)
def test_aliases(alias):
    assert getattr(xp, alias) is getattr(xp, ALIASES[alias])


ABSTRACT = [
    "generic", "number", "integer", "signedinteger", "unsignedinteger", "inexact", "floating", "complexfloating", "flexible",
    "character",
]  # fmt: skip


@for_each("name", ABSTRACT)
def test_abstract_types_are_numpys(name):
    assert getattr(xp, name) is getattr(np, name)


def test_the_rest():
    assert xp.object_ is np.object_
    assert xp.dtype is np.dtype
    assert xp.ComplexWarning is np.exceptions.ComplexWarning
    assert xp.dtype("bfloat16") == xp.bfloat16
    assert xp.int8 != xp.uint8
    assert xp.int8 != "nonsense"
    assert xp.int8 is not None
