"""What `dtype=` arguments mean: names, dtypes, classes of scalars and Python's types, by one look-up in each engine."""

import copy
import pickle

import ml_dtypes
import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum._core import engine as seam
from supremum._core.dtype_objects import requested
from supremum.promotion._nodes import NODES


def spelled(name):
    """Return a name that is no constant of the source."""
    return "".join(list(name))


def state(engine, *, narrow=False):
    """Return a state of an engine with default nodes."""
    made = engine.module.State()
    defaults = [NODES[name] for name in ("bool", "int32", "float32", "complex64")]
    made.set_defaults(defaults, [node.weak_form for node in defaults])
    made.x64_off = narrow
    return made


@for_each("name", NODES)
def test_spellings_of_a_dtype(engine, name):
    node = NODES[name]
    copied = pickle.loads(pickle.dumps(node.dtype)), copy.deepcopy(node.dtype), node.dtype.newbyteorder("=")
    for spelling in (name, spelled(name), node.dtype, node.dtype.type, *copied):
        if name == "bool" and isinstance(spelling, str):
            continue  # Python's type
        assert engine.find_dtype(state(engine), spelling) is node
        wide = None if name in ("int64", "uint64", "float64", "complex128") else node
        assert engine.find_dtype(state(engine, narrow=True), spelling) is wide


def test_types_of_python_mean_the_defaults(engine):
    for python, name in {bool: "bool", int: "int32", float: "float32", complex: "complex64"}.items():
        assert engine.find_dtype(state(engine), python) is NODES[name]
        assert engine.find_dtype(engine.module.State(), python) is None  # which has none


@for_each(
    "dtype",
    [
        *(
            "int33",
            "",
            "float32 ",
            "\ud800",
            "datetime64",
            "O",
            "object",
            None,
            3,
            2.5,
            [],
            {},
            (),
            object,
            str,
            type,
            int.__add__,
        ),
        *(
            np.dtype("M8[s]"),
            np.dtype("S3"),
            np.dtype(object),
            np.dtype([("a", "i4")]),
            np.dtype(("i4", 3)),
            np.dtypes.StringDType(),
        ),
        *(
            np.dtype("i4").newbyteorder(),
            np.dtype("c8").newbyteorder(),
            np.int8(1),
            np.zeros(3),
            np.str_("int8"),
            np.floating,
            np.dtype(np.longdouble),
        ),
    ],
    identity=repr,
)
def test_what_an_engine_does_not_know(engine, dtype):
    assert engine.find_dtype(state(engine), dtype) is None


def test_dtypes_with_metadata(engine):
    assert engine.find_dtype(state(engine), np.dtype("int8", metadata={"unit": "m"})) is NODES["int8"]


def test_arguments_are_checked(engine):
    for arguments in ((), (state(engine),), (state(engine), "int8", 1)):
        with pytest.raises(TypeError, match="find_dtype"):
            engine.find_dtype(*arguments)


# -- the spellings of the package


SPELLINGS = {
    "float32": ["f4", "<f4" if np.little_endian else ">f4", "f", "single", np.single, np.float32, xp.float32],
    "float16": ["f2", "half", "e", np.half, xp.float16],
    "int32": ["i4", "int", int, "i", "intc", np.intc],
    "int8": ["i1", "|i1", "b", "byte", np.byte, np.int8, xp.int8],
    "bool": ["b1", "|b1", "?", "bool_", "bool", bool, np.bool_, np.bool, xp.bool],
    "uint16": ["u2", "ushort", "H", np.ushort],
    "complex64": ["c8", "csingle", "F", np.csingle, "complex", complex],
    "bfloat16": ["bf", ml_dtypes.bfloat16, xp.bfloat16, np.dtype(ml_dtypes.bfloat16)],
    "int4": ["i4b", ml_dtypes.int4, xp.int4],
}


@for_each("name, spelling", [(name, each) for name, found in SPELLINGS.items() for each in found])
def test_spellings_are_found_by_the_look_up(name, spelling):
    assert seam.find_dtype(seam.state(), spelling) is NODES[name]
    assert requested(spelling, "f") is NODES[name]
    assert xp.zeros(2, dtype=spelling).dtype == NODES[name].dtype
    assert xp.ones(2).astype(spelling).dtype == NODES[name].dtype


def test_every_name_of_numpy_means_what_it_means_there():
    with xp.enable_x64(True):
        for name in np.sctypeDict:
            if name not in ("bool", "int", "float", "complex", "a"):  # Python's types, and a deprecated one
                expected = np.dtype(name)
                found = seam.find_dtype(seam.state(), name)
                assert (found is None) == (expected.name not in NODES)
                assert found is None or found.dtype == expected


def test_names_of_64_bits_are_truncated_with_a_warning():
    for spelling in ("float64", "f8", "double", np.float64, xp.float64, np.dtype("float64")):
        with xp.config.use(x64="off"):
            assert seam.find_dtype(seam.state(), spelling) is None
            with pytest.warns(UserWarning, match="will be truncated to dtype float32"):
                assert xp.zeros(2, dtype=spelling).dtype == "float32"


@pytest.mark.parametrize(
    "system, names", [("jax", ("int32", "float32", "complex64")), ("numpy", ("int64", "float64", "complex128"))]
)
def test_defaults_are_those_of_the_system_and_mode(system, names):
    with xp.enable_x64(True), xp.promotion.use(system):
        expected = names if system == "numpy" else ("int64", "float64", "complex128")
        assert [str(xp.zeros(1, dtype=python).dtype) for python in (int, "float", complex)] == list(expected)
    with xp.trace_promotions():  # a state without defaults in the engine
        assert xp.zeros(1, dtype=int).dtype == xp.zeros(1, dtype="int").dtype == "int32"
