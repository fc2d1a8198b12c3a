"""Every NumPy function that dispatches to our arrays: those of numpy.linalg, numpy.fft and the main namespace, and ufuncs."""

from copy import deepcopy

import numpy as np
import pytest
from common import for_each

import supremum as xp

M = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 4.0]], np.float32)  # a symmetric, positive definite matrix
V = np.array([0.5, 1.0, 2.0], np.float32)
I = np.array([3, 1, 2], np.int32)  # noqa: E741 - as in the tables below
C = (V + 1j * V[::-1]).astype(np.complex64)
#: NumPy's dtypes → the dtypes of our results: the default dtypes have 32 bits.
SAME = {"float64": "float32", "int64": "int32", "complex128": "complex64"}


def leaves(x):
    return [leaf for item in x for leaf in leaves(item)] if isinstance(x, list | tuple) else [x]


def ours(x):
    return (
        type(x)(map(ours, x)) if isinstance(x, list | tuple) else xp.asarray(x, copy=True) if isinstance(x, np.ndarray) else x
    )


def check(call, *arguments, dtypes=True):
    """Check that a call with our arrays returns ours, with NumPy's values."""
    expected, found = leaves(call(*deepcopy(arguments))), leaves(call(*ours(arguments)))  # some write into an argument
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        if not isinstance(b, np.ndarray | np.generic):
            assert a == b
            continue
        assert type(a) is xp.Array
        assert not dtypes or a.dtype == SAME.get(str(b.dtype), b.dtype)
        np.testing.assert_allclose(np.asarray(a), b, rtol=1e-4, atol=1e-5)


LINALG = {
    "cholesky": (M,), "cond": (M,), "cross": (V, V[::-1]), "det": (M,), "diagonal": (M,), "eig": (np.diag(V),), "eigh": (M,),
    "eigvals": (np.diag(V),), "eigvalsh": (M,), "inv": (M,),
    "lstsq": (np.concatenate([M, M]), np.concatenate([V, 2 * V])), "matmul": (M, V), "matrix_norm": (M,),
    "matrix_power": (M, 3), "matrix_rank": (M,), "matrix_transpose": (M,), "multi_dot": ([M, M, V],), "norm": (M,),
    "outer": (V, V), "pinv": (M,), "qr": (M,), "slogdet": (M,), "solve": (M, V), "svd": (M,), "svdvals": (M,),
    "tensordot": (M, M), "tensorinv": (np.eye(4, dtype=np.float32).reshape(4, 2, 2), 1), "tensorsolve": (M, V), "trace": (M,),
    "vecdot": (M, V), "vector_norm": (V,),
}  # fmt: skip
FFT = dict.fromkeys(("fft", "ifft", "hfft", "irfft", "fftshift", "ifftshift"), (C,)) | {
    "ihfft": (V,), "rfft": (V,), "rfft2": (M,), "rfftn": (M,),
    **dict.fromkeys(("fft2", "fftn", "ifft2", "ifftn", "irfft2", "irfftn"), (M.astype(np.complex64),)),
}  # fmt: skip
#: Functions of NumPy without array arguments, and arguments that the entries above lack.
WITHOUT_ARRAYS = {"fftfreq", "rfftfreq"}


def functions(module):
    return {name for name in module.__all__ if not isinstance(getattr(module, name), type)} - WITHOUT_ARRAYS


def test_no_function_is_left_out():
    assert LINALG.keys() == functions(np.linalg)
    assert FFT.keys() == functions(np.fft)


@for_each("name", LINALG)
def test_linalg(name):
    # eigenvalues are complex in the standard and in JAX; NumPy returns real ones if possible
    check(getattr(np.linalg, name), *LINALG[name], dtypes=name not in {"eig", "eigvals"})


@for_each("name", FFT)
def test_fft(name):
    check(getattr(np.fft, name), *FFT[name])


@pytest.mark.parametrize("name", ["inv", "det", "norm", "solve", "svdvals", "matmul"])
def test_linalg_of_narrow_floats_stays_narrow(name):
    found = getattr(np.linalg, name)(*[xp.asarray(x, dtype="bfloat16") for x in LINALG[name]])
    assert found.dtype == "bfloat16"
    np.testing.assert_allclose(np.asarray(found, np.float32), getattr(np.linalg, name)(*LINALG[name]), rtol=0.03, atol=0.01)


# -- ufuncs -------------------------------------------------------------------------------------------------------------------

UFUNCS = {name: ufunc for name, ufunc in vars(np).items() if isinstance(ufunc, np.ufunc) and ufunc.__name__ == name}
#: Operands of ufuncs that do not take positive floats.
OPERANDS = {
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift", "gcd", "lcm"), (I, I[::-1])),
    **dict.fromkeys(("invert", "bitwise_count"), (I,)),
    **dict.fromkeys(("arccos", "arcsin", "arctanh"), (V / 4,)),
    "arccosh": (V + 1,), "ldexp": (V, I), "matvec": (M, V), "vecmat": (V, M), "matmul": (M, M),
}  # fmt: skip
NOT_OF_NUMBERS = {"isnat"}  # operands are dates


def operands_of(name):
    return OPERANDS.get(name, (V, V[::-1])[: UFUNCS[name].nin])


@for_each("name", sorted(UFUNCS.keys() - NOT_OF_NUMBERS))
def test_ufunc(name):
    check(UFUNCS[name], *operands_of(name))


@for_each("name", sorted(UFUNCS.keys() - NOT_OF_NUMBERS))
def test_out_where_and_dtype(name):
    ufunc, arguments = UFUNCS[name], operands_of(name)
    expected = ufunc(*arguments)
    many = expected if ufunc.nout > 1 else (expected,)
    for make in (np.zeros, xp.zeros):
        outs = tuple(make(x.shape, dtype=x.dtype) for x in many)
        found = ufunc(*ours(arguments), out=outs)
        for a, b, out in zip(found if ufunc.nout > 1 else (found,), many, outs, strict=True):
            assert a is out
            np.testing.assert_allclose(np.asarray(a), b, rtol=1e-5)
    if ufunc.signature is None:
        mask = np.array([True, False, True])
        out = tuple(xp.zeros(x.shape, dtype=x.dtype) for x in many)
        ufunc(*ours(arguments), out=out, where=ours(mask))
        for a, b in zip(out, many, strict=True):
            np.testing.assert_allclose(np.asarray(a), np.where(mask, b, 0), rtol=1e-5)
    if "ff->f" in ufunc.types or "f->f" in ufunc.types:
        wide = ufunc(*ours(arguments), dtype=np.float64)
        assert (type(wide), wide.dtype) == (xp.Array, np.float64)
        np.testing.assert_allclose(np.asarray(wide), ufunc(*arguments, dtype=np.float64), rtol=1e-12)


METHODS = {
    "reduce": lambda f, x: f.reduce(x, axis=0),
    "reduce with keepdims": lambda f, x: f.reduce(x, axis=1, keepdims=True),
    "accumulate": lambda f, x: f.accumulate(x, axis=1),
    "reduceat": lambda f, x: f.reduceat(x, [0, 2], axis=0),
    "outer": lambda f, x: f.outer(x, x[0]),
}


@for_each("method", METHODS)
@for_each("name", ["add", "multiply", "maximum", "logaddexp", "hypot", "subtract"])
def test_methods(name, method):
    if name == "hypot" and method == "reduce with keepdims":
        name = "minimum"  # NumPy reduces over several axes only if the ufunc is reorderable
    check(lambda x: METHODS[method](UFUNCS[name], x), M)


@pytest.mark.parametrize("name", ["add", "multiply", "minimum"])
def test_at(name):
    a, x = M.copy(), xp.asarray(M)
    UFUNCS[name].at(a, ([0, 0, 2], [1, 1, 2]), V)
    UFUNCS[name].at(x, (xp.asarray([0, 0, 2]), xp.asarray([1, 1, 2])), xp.asarray(V))
    np.testing.assert_allclose(np.asarray(x), a, rtol=1e-6)


# -- the main namespace -------------------------------------------------------------------------------------------------------

#: Functions whose result follows JAX or the standard and not NumPy: arguments, and the reason.
OTHERWISE = {
    "bincount": ((I, I), "counts with integer weights stay integers"),
    "convolve": ((I, I), "returns floats for integers"),
    "correlate": ((I, I), "returns floats for integers"),
    "einsum_path": (("ij,j->i", M, V), "the path has no leading name"),
    "histogram": ((V,), "counts are floats"),
    "histogram2d": ((V, V), "counts are integers"),
    "histogramdd": ((M,), "counts are integers, and samples a matrix"),
    "poly": ((M,), "complex for a matrix"),
    "polydiv": ((M[0], V[:2]), "keeps leading zeros"),
    "polyder": ((I,), "returns floats for integers"),
    "polymul": ((I, I), "returns floats for integers"),
    "unique_values": ((I,), "in ascending order, which NumPy does not promise"),
}
#: Functions that write into arrays or files, or return uninitialized elements.
OTHERS = {
    "copyto", "empty_like", "fill_diagonal", "place", "put", "put_along_axis", "putmask", "save", "savetxt", "savez",
    "savez_compressed",
}  # fmt: skip
#: Functions with arguments other than arrays.
CALLS = {
    "apply_along_axis": lambda x, v, i: np.apply_along_axis(lambda row: row * 2, 0, x),
    "apply_over_axes": lambda x, v, i: np.apply_over_axes(lambda a, axis: a.sum(axis), x, [0]),
    "array_repr": lambda x, v, i: np.array_repr(x).lower(),
    "astype": lambda x, v, i: np.astype(x, np.int8),
    "broadcast_to": lambda x, v, i: np.broadcast_to(v, (2, 3)),
    "can_cast": lambda x, v, i: np.can_cast(np.float32, np.float64),
    "choose": lambda x, v, i: np.choose(i - 1, [v, v * 2, v * 3]),
    "dsplit": lambda x, v, i: np.dsplit(x[None], [1]),
    "einsum": lambda x, v, i: np.einsum("ij,j->i", x, v),
    "insert": lambda x, v, i: np.insert(v, 1, 5),
    "interp": lambda x, v, i: np.interp(v + 1, v, v * 2),
    "moveaxis": lambda x, v, i: np.moveaxis(x, 0, 1),
    "piecewise": lambda x, v, i: np.piecewise(v, [v < 1, v >= 1], [-1, 1]),
    "polyfit": lambda x, v, i: np.polyfit(v, v * 2, 1),
    "nanquantile": lambda x, v, i: np.nanquantile(x, 0.25, axis=0),
    "quantile": lambda x, v, i: np.quantile(x, 0.25, axis=0),
    "ravel_multi_index": lambda x, v, i: np.ravel_multi_index((i, i), (4, 4)),
    "reshape": lambda x, v, i: np.reshape(x, (9,)),
    "roots": lambda x, v, i: abs(np.roots(v)),
    "select": lambda x, v, i: np.select([v < 1, v >= 1], [v, -v]),
    "swapaxes": lambda x, v, i: np.swapaxes(x, 0, 1),
    "take_along_axis": lambda x, v, i: np.take_along_axis(v, i - 1, 0),
    "trim_zeros": lambda x, v, i: np.trim_zeros(v - v[0]),
    "unpackbits": lambda x, v, i: np.unpackbits(np.packbits(v > 0)),
    "unravel_index": lambda x, v, i: np.unravel_index(i, (3, 3)),
}
SEQUENCES = {"block", "column_stack", "concat", "concatenate", "dstack", "hstack", "stack", "vstack"}
ARGUMENTS = ((M,), (V,), (I,), (M, 1), (V, V), (I, I), (M, M))
DISPATCHED = type(np.concatenate)
FUNCTIONS = [
    name
    for name in sorted(set(np.__all__) - OTHERWISE.keys() - OTHERS)
    if isinstance(getattr(np, name), DISPATCHED) and name in xp.__all__
]


@for_each("name", FUNCTIONS)
def test_function(name):
    if name in CALLS:
        check(CALLS[name], M, V, I)
        return
    function, answered = getattr(np, name), 0
    for arguments in (([V, V],), ([M, M],)) if name in SEQUENCES else ARGUMENTS:
        try:
            function(*deepcopy(arguments))
        except (TypeError, ValueError, IndexError, DeprecationWarning):
            continue  # NumPy refuses it, or deprecates it
        try:
            check(function, *arguments)
        except (TypeError, ValueError):
            continue  # fewer arguments than NumPy's function; a test below checks that the call works
        answered += 1
    assert answered


@for_each("name", OTHERWISE)
def test_functions_that_answer_otherwise(name):
    found = leaves(getattr(np, name)(*ours(OTHERWISE[name][0])))
    assert any(type(x) is xp.Array for x in found) is (name != "einsum_path")
