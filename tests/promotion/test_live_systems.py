"""Every system measured from the installed package; the summary of the run lists the packages."""

import importlib.metadata
import os
import subprocess
import sys
import warnings
from itertools import product

import numpy as np
import pytest
from versions import beyond_numpy

from supremum.promotion import systems
from supremum.promotion._nodes import node_of_dtype

pytestmark = pytest.mark.live

SCALARS = {"int*": 1, "float*": 1.0, "complex*": 1j}


def installed(*names):
    """Skip the test if a package is not installed under any of its names."""
    for name in names:
        try:
            importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        return
    pytest.skip(f"{names[0]} is not installed, so there is nothing to measure")


def check(system, answer, *, but=()):
    """Compare every cell of a system with the result of `answer`: a name, or None for an error."""
    wrong = {}
    for a, b in product(system.nodes, repeat=2):
        if (a.name, b.name) in but or a.name in but or b.name in but:
            continue
        met = system.lookup(a, b)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            live = answer(a, b)
        if (met and met.name) != live:
            wrong[a.name, b.name] = (met and met.name, live)
    assert wrong == {}


def attempt(call, *errors):
    try:
        return call()
    except errors:
        return None


@pytest.mark.parametrize(
    "name, x64, mode", [("jax", True, "standard"), ("jax_x32", False, "standard"), ("jax_strict", True, "strict")]
)
def test_jax(name, x64, mode):
    installed("jax")
    import jax
    from jax._src import dtypes

    def given(node):
        return type(SCALARS[node.name]) if node.weak else node.dtype

    def answer(a, b):
        with jax.enable_x64(x64), jax.numpy_dtype_promotion(mode):
            met = attempt(
                lambda: dtypes._least_upper_bound(jax.config.jax_numpy_dtype_promotion, x64, given(a), given(b)), ValueError
            )
        if isinstance(met, type):
            return f"{met.__name__}*"
        return met and str(met)

    # JAX has no 32-bit complex dtype.
    check(systems[name], answer, but={"complex32", "bcomplex32"})


def test_jax_lax():
    installed("jax")
    import jax

    def operand(node):
        with jax.enable_x64(True):
            if node.weak:
                return jax.lax.convert_element_type(jax.numpy.asarray(SCALARS[node.family.name]), node.dtype)
            return jax.numpy.ones((), node.dtype)

    def weak(node):
        # A weak array of the node's width; with 64-bit types, Python scalars have 64 bits.
        from jax._src.lax.lax import _convert_element_type

        with jax.enable_x64(True):
            return _convert_element_type(SCALARS[node.family.name], node.dtype, weak_type=True)

    def answer(a, b):
        with jax.enable_x64(True):
            x, y = (weak(node) if node.weak else operand(node) for node in (a, b))
            add = jax.lax.bitwise_or if a.kind == b.kind == "b" else jax.lax.add
            met = attempt(lambda: add(x, y), TypeError)
            return met if met is None else f"{met.dtype}{'*' if met.weak_type else ''}"

    skipped = {node.name for node in systems["jax_lax"].nodes if 0 < node.bits < 8 or node.name in {"complex32", "bcomplex32"}}
    check(systems["jax_lax"], answer, but=skipped)


def test_numpy():
    def given(node):
        return SCALARS[node.name] if node.weak else node.dtype

    def name(dtype):
        return node_of_dtype(dtype).name

    # The format of long double depends on the platform.
    numpy = systems["numpy"]
    wide = {"float128", "complex256"}
    wide |= {(a.name, b.name) for a, b in product(numpy.nodes, repeat=2) if beyond_numpy((a, b))}
    check(numpy, lambda a, b: attempt(lambda: name(np.result_type(given(a), given(b))), TypeError), but=wide)
    arrays = {
        node: SCALARS[node.name] if node.weak else np.ones(2, node.dtype) for node in numpy.nodes if node.name not in wide
    }
    check(numpy.variant("ufunc"), lambda a, b: attempt(lambda: name(np.add(arrays[a], arrays[b]).dtype), TypeError), but=wide)


def test_dask():
    installed("dask")
    import dask.array as da

    builtin = [node for node in systems["dask"].nodes if node.dtype is not None and node.dtype.num < 256]
    for a, b in product(builtin, repeat=2):
        assert da.result_type(a.dtype, b.dtype) == systems["dask"].lookup(a, b).dtype


def test_torch():
    installed("torch")
    import torch

    system = systems["torch"]

    def dtype(node):
        return getattr(torch, node.name)

    def name(found):
        return str(found).removeprefix("torch.")

    def answer(a, b):
        if not a.weak and not b.weak:
            return attempt(lambda: name(torch.promote_types(dtype(a), dtype(b))), RuntimeError)
        x, y = (SCALARS[node.name] if node.weak else torch.ones(2).to(dtype(node)) for node in (a, b))
        return attempt(lambda: name(torch.result_type(x, y)), RuntimeError)

    def tiered(a, b):
        x = SCALARS[a.name] if a.weak else torch.ones(2).to(dtype(a))
        y = SCALARS[b.name] if b.weak else torch.ones(()).to(dtype(b))
        return attempt(lambda: name(torch.result_type(x, y)), RuntimeError)

    check(system, answer)
    # If the scalar is first, both operands of the table have another tier.
    weak = {(w, node.name) for w in SCALARS for node in system.nodes if not node.weak}
    check(system.variant("zero_dim"), tiered, but=weak)


TENSORFLOW = """
import os, sys, json
os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
import tensorflow as tf
from tensorflow.python.framework.weak_tensor import WeakTensor
import tensorflow.experimental.numpy as tnp
mode, function, names = sys.argv[1], sys.argv[2], sys.argv[3:]
if mode != "default":
    tnp.experimental_enable_numpy_behavior(dtype_conversion_mode=mode)
scalars = {"int*": 1, "float*": 1.0, "complex*": 1j}
def operand(name):
    if name in scalars:
        return scalars[name]
    x = tf.cast(tf.ones((2,)), name.rstrip("*"))
    return WeakTensor(x) if name.endswith("*") else x
def answer(a, b):
    x, y = operand(a), operand(b)
    try:
        if a in scalars and b in scalars and mode == "legacy":
            met = tnp.add(x, y)
        elif a in scalars and b in scalars and mode == "default" and function == "operator":
            met = tf.add(x, y) if a == b else tf.no_such_thing
        elif a == b == "bool":
            met = tf.logical_or(x, y)
        elif function == "operator":
            met = x + y
        else:
            met = tf.add(x, y)
    except Exception:
        return None
    return met.dtype.name + "*" * isinstance(met, WeakTensor)
print(json.dumps([[answer(a, b) for b in names] for a in names]))
"""


@pytest.mark.parametrize(
    "name, mode, function",
    [
        ("tensorflow", "default", "operator"),
        ("tensorflow", "default", "add"),
        ("tensorflow_legacy", "legacy", "operator"),
        ("tensorflow_all", "all", "operator"),
        ("tensorflow_safe", "safe", "operator"),
    ],
)
def test_tensorflow(name, mode, function):
    installed("tensorflow", "tensorflow-cpu")
    import json

    system = systems[name] if function == "operator" else systems[name].variant(function)
    names = [node.name for node in system.nodes]
    # The mode applies to the process, and cannot be reset.
    done = subprocess.run(
        [sys.executable, "-c", TENSORFLOW, mode, function, *names], capture_output=True, text=True, check=True, env=os.environ
    )
    rows = json.loads(done.stdout.splitlines()[-1])
    live = {(a, b): met for a, row in zip(names, rows, strict=True) for b, met in zip(names, row, strict=True)}
    check(system, lambda a, b: live[a.name, b.name])


KERAS = """
import os, sys, json
os.environ.update(KERAS_BACKEND=sys.argv[1], TF_CPP_MIN_LOG_LEVEL="3")
import keras
names = sys.argv[2:]
python = {"int*": int, "float*": float}
def answer(a, b):
    try:
        return keras.backend.result_type(python.get(a, a), python.get(b, b))
    except ValueError:
        return None
print(json.dumps([[answer(a, b) for b in names] for a in names]))
"""


@pytest.mark.parametrize("name, backend", [("keras", "jax"), ("keras_tf", "tensorflow")])
def test_keras(name, backend):
    installed("keras")
    installed(*(("jax",) if backend == "jax" else ("tensorflow", "tensorflow-cpu")))
    import json

    names = [node.name for node in systems[name].nodes]
    done = subprocess.run([sys.executable, "-c", KERAS, backend, *names], capture_output=True, text=True, check=True)
    rows = json.loads(done.stdout.splitlines()[-1])
    live = {(a, b): met for a, row in zip(names, rows, strict=True) for b, met in zip(names, row, strict=True)}
    check(systems[name], lambda a, b: live[a.name, b.name])


def test_array_api_strict():
    installed("array-api-strict")
    import array_api_strict as strict

    def name(dtype):
        return str(dtype).removeprefix("array_api_strict.")

    def answer(a, b):
        if a.weak or b.weak:
            x, y = (SCALARS[node.name] if node.weak else strict.ones(2, dtype=getattr(strict, node.name)) for node in (a, b))
            return attempt(lambda: name((x + y).dtype), TypeError)
        return attempt(lambda: name(strict.result_type(getattr(strict, a.name), getattr(strict, b.name))), TypeError)

    # The standard does not specify operations on two Python scalars.
    check(systems["array_api"], answer, but=set(product(SCALARS, repeat=2)))


def test_tinygrad():
    installed("tinygrad")
    from tinygrad.dtype import dtypes, least_upper_dtype

    spelled = {
        "int*": "weakint",
        "float*": "weakfloat",
        "float8_e4m3fn": "fp8e4m3",
        "float8_e5m2": "fp8e5m2",
        "float8_e4m3fnuz": "fp8e4m3fnuz",
        "float8_e5m2fnuz": "fp8e5m2fnuz",
    }
    ours = {getattr(dtypes, spelled.get(node.name, node.name)): node.name for node in systems["tinygrad"].nodes}
    theirs = {name: dtype for dtype, name in ours.items()}
    check(systems["tinygrad"], lambda a, b: ours[least_upper_dtype(theirs[a.name], theirs[b.name])])


def test_mlx():
    installed("mlx")
    import mlx.core as mx

    def dtype(node):
        return mx.bool_ if node.kind == "b" else getattr(mx, node.name)

    def operand(node):
        return mx.array(SCALARS[node.name]) if node.weak else mx.ones((2,), dtype=dtype(node))

    def answer(a, b):
        if a.weak and b.weak:
            return str(mx.result_type(operand(a), operand(b))).removeprefix("mlx.core.")
        x, y = (SCALARS[node.name] if node.weak else operand(node) for node in (a, b))
        return str((x + y).dtype).removeprefix("mlx.core.")

    check(systems["mlx"], answer)


def test_ndonnx():
    installed("ndonnx")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import ndonnx as ndx

    def dtype(node):
        return getattr(ndx, node.name)

    def answer(a, b):
        if a.weak and b.weak:
            return str(ndx.result_type(ndx.asarray(SCALARS[a.name]), ndx.asarray(SCALARS[b.name])))
        if a.weak or b.weak:
            x, y = (SCALARS[node.name] if node.weak else ndx.asarray(np.ones(2, node.dtype)) for node in (a, b))
            return str((x + y).dtype)
        return attempt(lambda: str(ndx.result_type(dtype(a), dtype(b))), TypeError, ValueError)

    check(systems["ndonnx"], answer)


def test_max():
    installed("max")
    from max.dtype import DType
    from max.graph import DeviceRef, Graph, TensorType, ops

    def dtype(node):
        return DType.bool if node.kind == "b" else getattr(DType, node.name)

    def answer(a, b):
        strong = [node for node in (a, b) if not node.weak]
        if not strong:
            return None
        types = [TensorType(dtype(node), (2,), device=DeviceRef.CPU()) for node in strong]

        def build():
            with Graph("pair", input_types=types) as graph:
                inputs = iter(graph.inputs)
                x, y = (SCALARS[node.name] if node.weak else next(inputs) for node in (a, b))
                return ops.add(x, y).dtype.name

        return attempt(build, ValueError, TypeError)

    check(systems["max"], answer)
