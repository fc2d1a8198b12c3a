"""``python -m supremum run`` and `supremum.jax.install`: a JAX program runs as it stands, and as Python would run it."""

import os
import re
import subprocess
import sys

import pytest

PROGRAM = """\
import pickle
import sys
from functools import partial

import jax
import jax.numpy as jnp
import jax.scipy.special as jsp
from jax import jit, lax, random, vmap
from jax.experimental import io_callback
from jax.numpy import linalg
from jax.sharding import Mesh, PartitionSpec as P


class Own:
    pass


@partial(jit, static_argnums=0)
def scale(n, x):
    return n * x


a = jnp.arange(3)
b = a
b += 10
print(a, b, scale(3, a), jnp.asarray([1.5]).dtype, isinstance(a, jax.Array), jax.__version__)
print(type(pickle.loads(pickle.dumps(Own()))).__module__, sys.argv[1:], __name__)
"""


UPDATE = 'jax.config.update("jax_enable_x64", True)'


def run(*arguments, cwd, expect=0, given=None, **environment):
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd, env={**os.environ, **environment}, input=given, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == expect, done.stderr
    return done


def test_a_script_runs_as_it_stands(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    done = run("-m", "supremum", "run", "program.py", "a", "--flag", "-m", cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "[0 1 2] [10 11 12] [0 3 6] float32 True 0.10.2",
        "__main__ ['a', '--flag', '-m'] __main__",
    ]


def test_x64_by_jaxs_environment_variable(tmp_path):
    (tmp_path / "program.py").write_text("import jax.numpy as jnp\nprint(jnp.arange(2.0).dtype)\n")
    assert run("-m", "supremum", "run", "program.py", cwd=tmp_path, JAX_ENABLE_X64="1").stdout == "float64\n"


def test_a_module_and_a_package_run_by_name(tmp_path):
    package = tmp_path / "tools"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text("import jax, sys\nprint(__package__, jax.device_count(), sys.argv[1:])\n")
    (package / "part.py").write_text("from . import __name__ as parent\nprint(parent, __name__, __spec__.name)\n")
    assert run("-m", "supremum", "run", "-m", "tools", "x", cwd=tmp_path).stdout == "tools 1 ['x']\n"
    assert run("-m", "supremum", "run", "-m", "tools.part", cwd=tmp_path).stdout == "tools __main__ tools.part\n"
    done = run("-m", "supremum", "run", "-m", "no_such_module", cwd=tmp_path, expect=1)
    assert "No module named no_such_module" in done.stderr


def test_a_folder_and_standard_input(tmp_path):
    (tmp_path / "__main__.py").write_text("import jax\nprint(jax.default_backend())\n")
    assert run("-m", "supremum", "run", str(tmp_path), cwd=tmp_path).stdout == "cpu\n"
    assert run("-m", "supremum", "run", "-", cwd=tmp_path, given="import jax\nprint(__name__)\n").stdout == "__main__\n"


def test_the_exit_status_is_the_scripts(tmp_path):
    (tmp_path / "program.py").write_text("import sys\nsys.exit(7)\n")
    run("-m", "supremum", "run", "program.py", cwd=tmp_path, expect=7)
    assert "no script" in run("-m", "supremum", "run", "absent.py", cwd=tmp_path, expect=2).stderr


@pytest.mark.parametrize("text", ["def f():\n    raise ValueError('own')\n\nf()\n", "x = (\n", "import jax.no_such_module\n"])
def test_tracebacks_are_the_scripts(tmp_path, text):
    (tmp_path / "program.py").write_text(text)
    error = run("-m", "supremum", "run", "program.py", cwd=tmp_path, expect=1).stderr
    assert "running.py" not in error
    if "jax" not in text:
        expected = run("program.py", cwd=tmp_path, expect=1).stderr
        assert error.replace(str(tmp_path) + os.sep, "") == expected.replace(str(tmp_path) + os.sep, "")


RAISING = """
import jax, jax.numpy as jnp, numpy as np
def inner(x):
    return {inner}
def outer():
    return {outer}
outer()
"""
ERRORS = {
    "vmap": ("x + jnp.ones(5)", "jax.jit(jax.vmap(inner))(jnp.ones((2, 3)))", ["<module>", "outer", "inner"]),
    "psum": ("jax.lax.psum(x, 'i')[7, 7]", "jax.vmap(inner, axis_name='i')(jnp.ones((2, 3)))", ["<module>", "outer", "inner"]),
    "scan": ("1 // 0", "jax.lax.scan(lambda c, x: (c, inner(x)), 0, jnp.ones(3))", ["<module>", "outer", "<lambda>", "inner"]),
    "function": ("x", "inner(jnp.sum(jnp.ones(2), axis=2))", ["<module>", "outer"]),
    "callback": ("np.linalg.inv(np.ones(x))", "jnp.vectorize(inner)(3)", ["<module>", "outer", "inner"]),
}  # fmt: skip


@pytest.mark.parametrize("case", ERRORS)
def test_tracebacks_are_without_frames_of_the_package(tmp_path, case):
    inner, outer, frames = ERRORS[case]
    (tmp_path / "program.py").write_text(RAISING.format(inner=inner, outer=outer))
    error = run("-m", "supremum", "run", "program.py", cwd=tmp_path, expect=1).stderr
    assert re.findall(r'File "[^"]*program.py", line \d+, in (\S+)', error) == frames
    assert "supremum" + os.sep not in error
    assert error.count("Traceback") == 1
    if case == "vmap":  # one setting for all
        unfiltered = run("-m", "supremum", "run", "program.py", cwd=tmp_path, expect=1, JAX_TRACEBACK_FILTERING="off").stderr
        assert "supremum" + os.sep in unfiltered


def test_errors_that_the_program_raises_from_others_stay(tmp_path):
    text = "import jax.numpy as jnp\ntry:\n    jnp.ones(2) + jnp.ones(3)\nexcept ValueError as e:\n    raise KeyError from e\n"
    (tmp_path / "program.py").write_text(text)
    error = run("-m", "supremum", "run", "program.py", cwd=tmp_path, expect=1).stderr
    assert re.findall(r"line (\d+), in <module>", error) == ["3", "5"]
    assert "direct cause" in error


def test_install_is_refused_where_another_jax_was_imported(tmp_path):
    (tmp_path / "jax.py").write_text("")
    done = run("-c", "import jax, supremum.jax\nsupremum.jax.install()", cwd=tmp_path, expect=1)
    assert "ImportError: supremum.jax.install: the real jax has been imported" in done.stderr


def test_install_in_a_session(tmp_path):
    code = """
import supremum.jax
supremum.jax.install()
supremum.jax.install()
import sys
assert "jax.tree_util" in sys.modules
import jax, jax.numpy, jax.random, jax.nn, jax.scipy.special, jax.numpy.linalg, jax.tree_util, jax.lax.linalg, jax.export
import jax.scipy.stats.norm
import supremum
print(jax is supremum.jax, jax.random is supremum.random, jax.numpy.linalg is supremum.linalg, supremum.jax.installed())
print(supremum.config.x64, supremum.config.mutable, jax.numpy.__spec__.name)
"""
    lines = run("-c", code, cwd=tmp_path).stdout.splitlines()
    assert lines == ["True True True True", "off False supremum.jax.numpy"]


def test_imports_change_no_setting(tmp_path):
    code = """
import importlib, pkgutil, warnings
import numpy, supremum
def settings():
    config = supremum.config
    ours = [getattr(config, name) for name in dir(config) if not name.startswith("_") and not callable(getattr(config, name))]
    return ours, numpy.geterr(), numpy.get_printoptions(), warnings.filters[:]
before = settings()
import supremum.jax.numpy, supremum.jax.numpy.linalg
for found in pkgutil.walk_packages(supremum.jax.__path__, "supremum.jax."):
    importlib.import_module(found.name)
for name in dir(supremum.jax):
    getattr(supremum.jax, name)
print(settings() == before, supremum.jax.installed())
"""
    assert run("-c", code, cwd=tmp_path).stdout == "True False\n"


UPDATES = {
    "before": ("import jax", UPDATE, "import jax.numpy as jnp"),
    "after": ("import jax", "import jax.numpy as jnp", UPDATE),
    "before an import in a module": ("from jax import config", UPDATE.removeprefix("jax."), "from used import jnp"),
}


@pytest.mark.parametrize("order", UPDATES)
@pytest.mark.parametrize("installed", [False, True], ids=["run", "install"])
def test_x64_by_jaxs_setting(tmp_path, order, installed):
    (tmp_path / "used.py").write_text("import supremum.jax\nsupremum.jax.install()\nimport jax.numpy as jnp\n")
    program = "\n".join((*UPDATES[order], "print(jnp.arange(2.0).dtype, jnp.sin(1).dtype)\n"))
    install = "import supremum.jax\nsupremum.jax.install()\n" if installed else ""
    (tmp_path / "program.py").write_text(install + program)
    command = [] if installed else ["-m", "supremum", "run"]
    assert run(*command, "program.py", cwd=tmp_path).stdout == "float64 float64\n"


def test_import_of_the_package_loads_none_of_it(tmp_path):
    code = "import sys, supremum\nprint([name for name in sys.modules if name.startswith('supremum.jax')])"
    assert run("-c", code, cwd=tmp_path).stdout == "[]\n"


def test_spawned_processes_have_jax_too(tmp_path):
    (tmp_path / "program.py").write_text(
        "import multiprocessing\n"
        "import jax.numpy as jnp\n\n\n"
        "def work(x):\n"
        "    import jax\n"
        "    import jax.scipy.special\n\n"
        "    return jax.jit(lambda v: v + 1)(x), isinstance(x, jax.Array), jnp.arange(9)[99]\n\n\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
        "        print(pool.map(work, [jnp.ones(2)]))\n"
    )
    done = run("-m", "supremum", "run", "program.py", cwd=tmp_path)
    assert done.stdout == "[(Array([2., 2.], dtype=float32), True, Array(8, dtype=int32))]\n"


#: What NumPy's functions and operators return of arrays of JAX 0.10.2: a type, a dtype and a shape.
OF_NUMPY = {
    "np.zeros_like(x)": "ndarray float32 (3,)",
    "np.stack([x, x])": "ndarray float32 (2, 3)",
    "np.concatenate([b, b])": "ndarray bfloat16 (4,)",
    "np.exp(x)": "ndarray float32 (3,)",
    "np.exp(x) * np.float64(2)": "ndarray float64 (3,)",
    "np.exp(b)": "ndarray bfloat16 (2,)",
    "np.add(np.ones(3), x)": "ndarray float64 (3,)",
    "np.add(x, 1, out=np.zeros(3))": "ndarray float64 (3,)",
    "np.add.reduce(x)": "float32 float32 ()",
    "np.multiply.outer(x, x)": "ndarray float32 (3, 3)",
    "np.allclose(x, x)": "bool",
    "np.array_equal(x, x)": "bool",
    "np.linalg.inv(jnp.eye(2))": "ndarray float32 (2, 2)",
    "np.linalg.norm(x)": "float32 float32 ()",
    "np.fft.fft(x)": "ndarray complex64 (3,)",
    "np.where(x > 1, x, 0)": "ndarray float32 (3,)",
    "np.einsum('i,i', x, x)": "float32 float32 ()",
    "np.argsort(x)": "ndarray int64 (3,)",
    "np.histogram(x)[0]": "ndarray int64 (10,)",
    "np.sum(x)": "Array float32 ()",  # of functions that call methods
    "np.argmax(x)": "Array int32 ()",
    "np.float64(2) * x": "Array float32 (3,)",
    "np.ones(3) * x": "Array float32 (3,)",
    "np.ones(3) == x": "Array bool (3,)",
    "np.array([1, 2, 3]) @ x": "Array float32 ()",
    "operator.iadd(np.ones(3), x)": "Array float32 (3,)",
}


def test_functions_of_numpy_return_arrays_of_numpy(tmp_path):
    (tmp_path / "program.py").write_text(
        "import operator\n"
        "import numpy as np\n"
        "import jax\n"
        "import jax.numpy as jnp\n"
        "x, b = jnp.arange(3.0), jnp.ones(2, 'bfloat16')\n"
        "def kind_of(v):\n"
        "    name = 'Array' if isinstance(v, jax.Array) else type(v).__name__\n"
        "    return f'{name} {v.dtype} {v.shape}' if hasattr(v, 'dtype') else name\n"
        f"for expression in {list(OF_NUMPY)}:\n"
        "    print(kind_of(eval(expression)))\n"
        "z = np.zeros_like(x)\n"
        "z[0] = 1\n"
        "z[1:] = x[1:]\n"
        "np.copyto(z[2:], x[:1])\n"
        "print(z, [hasattr(x, f'__array_{name}__') for name in ('ufunc', 'function', 'namespace')])\n"
    )
    installing = "import supremum.jax\nsupremum.jax.install()\nimport program"
    for how in (("-m", "supremum", "run", "program.py"), ("-c", installing)):
        *found, last = run(*how, cwd=tmp_path).stdout.splitlines()
        assert dict(zip(OF_NUMPY, found, strict=True)) == OF_NUMPY
        assert last == "[1. 1. 0.] [False, False, True]"
