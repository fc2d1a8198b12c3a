"""Names and arguments that do not exist here: each has a sentence, whose code runs."""

import inspect
import io
import pickle
import pydoc
import re
import sys
import traceback
import warnings

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum._base.absent import rows, sentence, table
from supremum._core.array import Array

#: NumPy's namespaces, and ours of the same names.
NAMESPACES = {"numpy": (np, xp), "random": (np.random, xp.random), "linalg": (np.linalg, xp.linalg), "fft": (np.fft, xp.fft)}
#: What NumPy's namespaces show of its inside, and what only some platforms have.
INSIDE = {"numpy": {"matrixlib"}, "random": set(), "linalg": {"linalg"}, "fft": {"helper"}}


def public(namespace):
    """Return the public names of one of NumPy's modules; deprecated ones are not in its `dir`."""
    return {name for name in {*dir(namespace), *getattr(namespace, "__all__", ())} if not name.startswith("_")}


@pytest.mark.parametrize("kind", NAMESPACES)
def test_every_name_of_numpy_exists_or_has_a_sentence(kind):
    theirs, ours = NAMESPACES[kind]
    assert len(public(theirs)) > 15
    lacking = {name for name in public(theirs) if not hasattr(ours, name)} - INSIDE[kind]
    assert {name for name in lacking if not sentence(kind, name)} == set()


@pytest.mark.parametrize("kind", NAMESPACES)
def test_the_table_has_no_name_that_exists(kind):
    assert [name for name in rows(kind) if hasattr(NAMESPACES[kind][1], name)] == []


def test_every_attribute_of_numpys_arrays_exists_or_has_a_sentence():
    x = xp.ones((2, 2))
    lacking = {name for name in dir(np.ndarray) if not name.startswith("_") and not hasattr(x, name)}
    assert lacking <= rows("Array").keys()
    assert [name for name in rows("Array") if hasattr(x, name) or name in dir(x)] == []
    for name in rows("Array"):
        with pytest.raises(AttributeError, match=rf"^Array has no attribute '{name}': write "):
            getattr(x, name)
        assert sentence("Array", name) in pydoc.render_doc(xp.Array)


def test_names_of_pytorch_and_of_lists_have_sentences():
    x = xp.ones(2)
    assert not rows("Array").keys() & rows("Tensor").keys()
    assert not rows("list").keys() & (rows("Array").keys() | rows("Tensor").keys())
    for kind, name in [*(("Tensor", name) for name in rows("Tensor")), *(("list", name) for name in rows("list"))]:
        with pytest.raises(AttributeError) as caught:
            getattr(x, name)
        assert str(caught.value) == f"Array has no attribute {name!r}: {sentence(kind, name)}"
        assert not hasattr(x, name)
        assert name not in dir(x)
    for kind, home in {"torch": xp, "nn": xp.nn}.items():
        for name in rows(kind):
            with pytest.raises(AttributeError) as caught:
                getattr(home, name)
            assert str(caught.value) == f"{home.__name__}.{name} does not exist: {sentence(kind, name)}"
    for name in rows("dtype"):
        with pytest.raises(TypeError) as caught:
            x.astype(name)
        assert str(caught.value) == f"astype: dtype={name!r} is not a dtype of this namespace; {sentence('dtype', name)}"


class dtype:
    """As a dtype of PyTorch is printed."""

    __module__ = "torch"

    def __repr__(self):
        return "torch.bfloat16"


def test_dtypes_of_pytorch_have_a_sentence():
    with pytest.raises(TypeError, match=r"^ones: dtype=torch\.bfloat16 is not .*; write dtype='bfloat16'$"):
        xp.ones(2, dtype=dtype())


def test_names_of_inner_namespaces_are_found():
    for name, home in {"softmax": "nn", "norm": "linalg", "erf": "scipy.special", "save_safetensors": "io"}.items():
        with pytest.raises(AttributeError, match=rf"^supremum\.{name} does not exist: write supremum\.{home}\.{name}$"):
            getattr(xp, name)


def parameters(function):
    if isinstance(function, np.ufunc):
        return {"out", "where", "casting", "order", "dtype", "subok", "signature"} | (
            {"axes"} if function.signature else set()
        )
    try:
        every = inspect.signature(function).parameters.items()
        return {name for name, each in every if each.kind is each.KEYWORD_ONLY or each.default is not each.empty}
    except (TypeError, ValueError):
        return set()


def test_every_argument_of_numpys_functions_exists_or_has_a_sentence():
    """Of those with a default; arguments without one have other names in the standard."""
    lacking = {}
    for name in public(np) & set(xp.__all__):
        theirs, ours = getattr(np, name), getattr(xp, name)
        if callable(theirs) and not inspect.isclass(theirs) and not inspect.isclass(ours):
            taken = inspect.signature(ours).parameters
            if not any(each.kind is each.VAR_KEYWORD for each in taken.values()):
                for word in parameters(theirs) - taken.keys():
                    lacking.setdefault(word, []).append(name)
    assert "casting" in lacking
    private = {"einsum_call"}
    assert {word: names for word, names in lacking.items() if not sentence("argument", word)}.keys() == private


#: Parameters of distributions, by their names in NumPy; the size comes last.
PARAMETERS = {
    "beta": (2.0, 3.0), "binomial": (10, 0.25), "chisquare": (3.0,), "choice": (5,), "dirichlet": ((1.0, 2.0),),
    "exponential": (2.0,), "f": (3.0, 9.0), "gamma": (3.0, 2.0), "geometric": (0.25,), "gumbel": (1.0, 2.0),
    "laplace": (1.0, 2.0), "logistic": (1.0, 2.0), "lognormal": (0.5, 0.25), "normal": (1.0, 2.0), "pareto": (5.0,),
    "multivariate_normal": ((1.0, 2.0), ((2.0, 1.0), (1.0, 3.0))), "poisson": (3.0,), "randint": (2, 9), "rayleigh": (2.0,),
    "triangular": (0.0, 1.0, 4.0), "uniform": (2.0, 9.0), "wald": (2.0, 3.0),
}  # fmt: skip
#: Samplers whose results are compared in other tests: of one draw, or of an order.
ONE = {"multinomial": (10, (0.25, 0.75)), "permutation": (5,)}


@for_each("name", rows("sampler"))
def test_what_numpys_samplers_are_has_their_distribution(name):
    """The mean of many draws is that of NumPy's function, for the arguments in its order."""
    code, note = rows("sampler")[name]
    words = note.split(", ")
    size = (40_000,)
    given = {"replace": True, "p": None, "size": size} | dict(zip(words, PARAMETERS.get(name, ONE.get(name)), strict=False))
    theirs = np.asarray(getattr(np.random.RandomState(0), name)(*[given[word] for word in words]), "float64")
    arrays = {
        word: xp.asarray(value) if isinstance(value, tuple) and word != "size" else value for word, value in given.items()
    }
    ours = np.asarray(eval(code, {"xp": xp, "key": xp.random.key(0), **arrays}), "float64")  # noqa: S307 - code of the table
    assert theirs.shape == ours.shape
    if name not in ONE:
        error = np.sqrt(theirs.var(0) / size[0])
        assert (np.abs(theirs.mean(0) - ours.mean(0)) < 7 * error).all()
        assert theirs.std(0) == pytest.approx(ours.std(0), rel=0.1)


def test_numpys_calls_of_samplers_say_what_they_are():
    key, sentences = xp.random.key(0), r"; numpy\.random\.{0}\(.*\) is .*supremum\.random\.{0}\(key, .*with key = supremum"
    for name, calls in {
        "randint": [(key, 0, 10, (2,)), (0, 10, 5), (10,)],
        "permutation": [(5,)],
        "choice": [(5, 3)],
        "normal": [(key, 0, 1, (3,)), (0, 1, 3)],
        "uniform": [(key, (2,), 0, 10), (0, 1, 5)],
    }.items():
        for call in calls:
            with pytest.raises(TypeError, match=sentences.format(name)) as caught:
                getattr(xp.random, name)(*call)
            assert "asarray" not in str(caught.value)
    with pytest.raises(TypeError, match=r"got tuple at position 3;"):
        xp.random.randint(key, 0, 10, (2,))
    with pytest.raises(TypeError, match=r"^choice: .*got 3; write shape=\(3,\)$"):
        xp.random.choice(key, 5, 3)
    with pytest.raises(TypeError, match=r"^normal: dtype='flaot32' .*; did you mean float32"):
        xp.random.normal(key, (3,), "flaot32")


def names(tmp_path):
    path = tmp_path / "numbers.txt"
    path.write_text("1 2 3\n")
    x = xp.asarray([3.0, 1.0, 2.0])
    return {
        "xp": xp, "np": np, "sys": sys, "pickle": pickle, "file": io.BytesIO(), "path": path, "f": xp.sin, "x": x,
        "y": xp.asarray([1.0, 5.0, 2.0]), "z": xp.zeros(3), "n": 1, "M": xp.eye(2), "mask": x > 1, "key": xp.random.key(0),
    }  # fmt: skip


ROWS = sorted({(kind, *row) for kind in table().keys() - {"sampler"} for row in rows(kind).values()})


@for_each("kind, code, note", ROWS)
def test_the_code_runs(kind, code, note, tmp_path, capsys):
    """It runs, and nothing warns; a row without code says what to do."""
    given = names(tmp_path)
    functions = {"precision": xp.set_printoptions, "axis": xp.sum, "keepdims": xp.sum, "ddof": xp.std}
    if code.startswith("f("):
        given["f"] = next((function for word, function in functions.items() if word in code), xp.sin)
    if kind == "Array" and code == "np.asarray(x).ctypes" and sys.byteorder == "big":
        pytest.skip("NumPy's ctypes are of little-endian processors")
    assert code or len(note) > 20
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        before = np.get_printoptions()
        exec(code, given)  # noqa: S102 - the code of the table
        np.set_printoptions(**before)


def test_names_that_do_not_exist():
    with pytest.raises(
        AttributeError, match=r"^supremum\.loadtxt does not exist: write supremum\.asarray\(numpy\.loadtxt\(path\)\)"
    ):
        xp.loadtxt
    with pytest.raises(
        AttributeError, match=r"^supremum\.random\.default_rng does not exist: write key = supremum\.random\.key\(0\)"
    ):
        xp.random.default_rng
    with pytest.raises(ImportError, match=r"^supremum\.random\.seed does not exist: write key"):
        from supremum.random import seed  # noqa: F401 - the import is what is tested
    with pytest.raises(AttributeError, match=r"^module 'supremum\.linalg' has no attribute 'slove'") as caught:
        xp.linalg.slove
    assert caught.value.name == "slove"
    with pytest.raises(AttributeError, match=r"numpy\.asarray\(x\)\.flags"):
        xp.ones(2).flags.writeable = False
    with pytest.raises(AttributeError, match=r"numpy\.asarray\(x\)\.strides"):
        xp.ones(2).strides = (4,)


CALLS = [
    (lambda x: xp.sin(x, out=x), r"sin\(\) got an unexpected keyword argument 'out'; write z\[\.\.\.\] = sin\(\.\.\.\)"),
    (lambda x: xp.clip(x, 0, 1, out=x), r"clip\(\) got an unexpected keyword argument 'out'; write z\[\.\.\.\] = clip"),
    (lambda x: xp.add(x, x, casting="no"), r"add\(\) got an unexpected keyword argument 'casting'; .*leave it out"),
    (lambda x: xp.exp(x, where=x > 1), r"exp\(\) got an unexpected keyword argument 'where'; write supremum\.where\(mask"),
    (lambda x: xp.zeros(3, dytpe="int8"), r"zeros\(\) got an unexpected keyword argument 'dytpe'; did you mean dtype\?"),
    (lambda x: xp.sum(x, axsi=0), r"sum\(\) got an unexpected keyword argument 'axsi'; did you mean axis\?"),
    (
        lambda x: xp.random.normal(size=3),
        r"normal\(\) got an unexpected keyword argument 'size'; write supremum\.random\.norm",
    ),
    (lambda x: xp.linalg.inv(x, wrong=1), r"inv\(\) got an unexpected keyword argument 'wrong'; the arguments are a"),
]


@for_each(("call", "message"), CALLS)
def test_arguments_that_do_not_exist(call, message):
    with pytest.raises(TypeError, match=f"^{message}"):
        call(xp.ones(2))


def test_names_of_jax_are_in_supremum_jax():
    from supremum import jax

    assert [name for name in rows("jax") if not hasattr(jax, name)] == []
    assert {*jax.__all__} - {*dir(xp)} <= rows("jax").keys()


def frames(error):
    """Return the files of a traceback."""
    return [frame.filename for frame in traceback.extract_tb(error.__traceback__)]


@for_each(
    "read",
    [
        lambda: xp.meen,
        lambda: xp.loadtxt,
        lambda: xp.linalg.slove,
        lambda: xp.ones(2).flags,
        lambda: xp.ones(2).flat,
        lambda: setattr(xp.ones(2), "strides", (4,)),
        lambda: xp.ones(2).mT,
        lambda: xp.ones(2).meen,
    ],
)
def test_tracebacks_of_absent_names_end_in_the_users_line(read):
    with pytest.raises(AttributeError) as caught:
        read()
    # The reference engine keeps the frame of its own call.
    allowed = ("functions.py", __file__)
    assert [name for name in frames(caught.value) if "supremum" in name and not name.endswith(allowed)] == []


@pytest.mark.parametrize("x", [xp.ones(3), xp.asarray(1j), xp.asarray(True), xp.ones((2, 2), dtype="int4"), xp.random.key(0)])
def test_members_are_listed_by_inspect(x):
    """`inspect.getmembers` catches AttributeError alone."""
    found = dict(inspect.getmembers(x))
    assert "shape" in found
    assert not {"flat", "flags"} & found.keys()
    assert not hasattr(x, "flat")


def test_absent_attributes_have_the_classes_of_numpy_and_jax():
    with pytest.raises(NotImplementedError, match=r"write x\.ravel\(\)"):  # JAX's
        xp.ones(2).flat
    with pytest.raises(ValueError, match="mT needs at least 2 dimensions"):  # NumPy's and JAX's
        xp.ones(2).mT


def test_errors_of_singular_matrices_are_caught():
    try:
        np.linalg.inv(np.zeros((2, 2)))
    except xp.linalg.LinAlgError as error:
        caught = error
    assert re.search("Singular", str(caught))
    assert bool(xp.isinf(xp.linalg.inv(xp.zeros((2, 2)))).any() | xp.isnan(xp.linalg.inv(xp.zeros((2, 2)))).any())
    assert type(xp.ones(2)) is Array
