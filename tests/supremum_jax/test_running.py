"""``python -m supremum run`` and `supremum.jax.install`: a JAX program runs as it stands, and as Python would run it."""

import os
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


def test_install_is_refused_where_another_jax_was_imported(tmp_path):
    (tmp_path / "jax.py").write_text("")
    done = run("-c", "import jax, supremum.jax\nsupremum.jax.install()", cwd=tmp_path, expect=1)
    assert "ImportError: supremum.jax.install: the real jax has been imported" in done.stderr


def test_install_in_a_session(tmp_path):
    code = """
import supremum.jax
supremum.jax.install()
supremum.jax.install()
import jax, jax.numpy, jax.random, jax.nn, jax.scipy.special, jax.numpy.linalg, jax.tree_util, jax.lax.linalg, jax.export
import jax.scipy.stats.norm
import supremum
print(jax is supremum.jax, jax.random is supremum.random, jax.numpy.linalg is supremum.linalg, supremum.jax.installed())
print(supremum.config.x64, supremum.config.mutable, jax.numpy.__spec__.name)
"""
    lines = run("-c", code, cwd=tmp_path).stdout.splitlines()
    assert lines == ["True True True True", "off False supremum.jax.numpy"]


def test_settings_change_with_jax_numpy_alone(tmp_path):
    code = """
import supremum
before = repr(supremum.config)
import supremum.jax
from supremum.jax import lax, tree, vmap, jit
print(repr(supremum.config) == before)
import supremum.jax.numpy
print(supremum.config.x64, supremum.config.mutable)
"""
    assert run("-c", code, cwd=tmp_path).stdout.splitlines() == ["True", "off False"]


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
