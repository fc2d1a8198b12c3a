"""Distributions built from a checkout: an sdist, wheels with the native engine, and wheels without if it does not compile.

All are built offline, by setuptools' hooks in separate processes, as pip does.
"""

import importlib.metadata
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
HOOK = "import sys; from setuptools import build_meta; print(getattr(build_meta, sys.argv[1])(sys.argv[2]))"
WHICH = "import supremum; print(supremum.__file__); print(supremum.__engine__); print(supremum.arange(3) + supremum.ones(3))"
LEFT_OUT = (
    ".git",
    ".venv",
    "build",
    "dist",
    "__pycache__",
    ".*_cache",
    ".hypothesis",
    "*.egg-info",
    "*.so",
    "*.pyd",
    "_build",
)


def setuptools_version():
    try:
        return int(importlib.metadata.version("setuptools").partition(".")[0])
    except importlib.metadata.PackageNotFoundError:
        return 0


def compiler():
    return os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"


pytestmark = [
    pytest.mark.skipif(setuptools_version() < 77, reason="the build needs setuptools 77 or later, as the extra dev installs"),
    pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="there is no checkout to build from"),
]
needs_compiler = pytest.mark.skipif(
    not (Path(sysconfig.get_path("include")) / "Python.h").exists()
    or not (Path(np.get_include()) / "numpy" / "arrayobject.h").exists()
    or (sys.platform != "win32" and shutil.which(compiler().split()[0]) is None),
    reason="a C compiler or the headers of Python or NumPy are not installed",
)
chooses_compiler = pytest.mark.skipif(sys.platform == "win32", reason="setuptools looks for Microsoft's compiler, not for CC")


def run(*args, cwd, fails=False, **variables):
    """Run this Python in a folder with environment variables, and return its output, with stderr if it must fail."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("SUPREMUM_", "PYTHON"))}
    done = subprocess.run(
        [sys.executable, *args], cwd=cwd, env={**env, **variables}, capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode != 0) is fails, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout + done.stderr if fails else done.stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    checkout = tmp_path_factory.mktemp("checkout") / "supremum"
    shutil.copytree(ROOT, checkout, ignore=shutil.ignore_patterns(*LEFT_OUT))
    out = tmp_path_factory.mktemp("sdist")
    return out / run("-c", HOOK, "build_sdist", str(out), cwd=checkout).splitlines()[-1]


@pytest.fixture
def source(sdist, tmp_path):
    """Unpack the sdist in a folder whose name has special characters."""
    folder = tmp_path / "two words, größer"
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.iterdir())


def wheel(source, **variables):
    """Build a wheel, and return its path and the names of its files."""
    name = run("-c", HOOK, "build_wheel", str(source.parent), cwd=source, **variables).splitlines()[-1]
    with zipfile.ZipFile(source.parent / name) as archive:
        return source.parent / name, archive.namelist()


def engine(path, **variables):
    """Return the engine that the package of a wheel uses."""
    folder = path.parent / "installed here"
    shutil.unpack_archive(path, folder, "zip")
    file, name, result = run(
        "-c", WHICH, cwd=folder, PYTHONPATH=str(folder), PYTHONIOENCODING="utf-8", **variables
    ).splitlines()
    assert Path(file).is_relative_to(folder)
    assert result == "[1. 2. 3.]"
    return name


def extensions(names):
    return [name for name in names if name.startswith("supremum/_native.") and name.endswith((".so", ".pyd"))]


def test_the_sdist_holds_what_building_and_testing_need(sdist):
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = [path for folder in ("native", "tests", "conformance", "benchmarks") for path in (ROOT / folder).rglob("*.*")]
    needed = [path for path in needed if path.suffix in (".c", ".h", ".py", ".json", ".txt", ".md")]
    assert len(needed) > 100
    assert {path.relative_to(ROOT).as_posix() for path in needed} <= names
    assert {"pyproject.toml", "setup.py", ".ci/run", "LICENSE", "src/supremum/_native.pyi"} <= names
    assert not [name for name in names if name.endswith((".so", ".pyd", ".pyc"))]


@needs_compiler
def test_a_wheel_holds_the_engine_and_no_source_of_it(source):
    setup = (source / "setup.py").read_text(encoding="utf-8")
    assert '"-O3"' in setup
    # Optimising takes most of the time, and what is in a wheel does not depend on it.
    (source / "setup.py").write_text(setup.replace('"-O3"', '"-O0"').replace('"/O2"', '"/Od"'), encoding="utf-8")
    path, names = wheel(source, SUPREMUM_NATIVE="1")
    assert len(extensions(names)) == 1
    assert {"supremum/_native.pyi", "supremum/py.typed"} <= set(names)
    assert not [name for name in names if name.endswith((".c", ".h", ".o")) or name.startswith(("native", "tests"))]
    assert not path.name.endswith("-none-any.whl")
    assert engine(path) == "native"
    assert engine(path, SUPREMUM_PURE="1") == "reference"


@chooses_compiler
def test_without_a_compiler_the_engine_is_left_out(source):
    path, names = wheel(source, CC="false")
    assert path.name.endswith("-py3-none-any.whl")
    assert extensions(names) == []
    assert engine(path) == "reference"


@chooses_compiler
def test_who_builds_wheels_can_insist(source):
    said = run("-c", HOOK, "build_wheel", str(source.parent), cwd=source, fails=True, CC="false", SUPREMUM_NATIVE="1")
    assert "SUPREMUM_NATIVE=1 requires the engine in C, which was not built" in said
    assert "false" in said


#: A compiler that makes empty files after a while, and writes down when it began and ended; its arguments are flags.
COMPILER = """#!{python} -IS
import os, sys, time
sources = [each for each in sys.argv[1:] if each.endswith(".c")]
if sources:
    running = os.path.join({folder!r}, sources[0].replace("/", "-"))
    with open(running + ".running", "w") as file:
        file.write(" ".join(sys.argv))
    seen = 0
    for _ in range(20):
        seen = max(seen, sum(name.endswith(".running") for name in os.listdir({folder!r})))
        time.sleep(0.005)
    os.rename(running + ".running", running + f".{{seen}}")
    if sources[0] == {fails!r}:
        sys.exit("there is an error in it")
open(sys.argv[sys.argv.index("-o") + 1], "w").close()
"""


def compiled(source, jobs, fails="", **variables):
    """Build the extension with a compiler that writes down what it compiles; return the output and its notes."""
    folder = source.parent / "notes"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    compiler = source.parent / "compiler"
    compiler.write_text(COMPILER.format(python=sys.executable, folder=str(folder), fails=fails), encoding="utf-8")
    compiler.chmod(0o755)
    shutil.rmtree(source / "build", ignore_errors=True)
    command = ["setup.py", "build_ext", *([f"-j{jobs}"] if jobs else [])]
    (source.parent / "cc").unlink(missing_ok=True)
    (source.parent / "cc").symlink_to(compiler)
    path = f"{source.parent}{os.pathsep}{os.environ['PATH']}"
    said = run(*command, cwd=source, CC="cc", PATH=path, fails=variables.pop("raises", False), **variables)
    return said, {path.stem: (int(path.suffix[1:]), path.read_text(encoding="utf-8")) for path in folder.iterdir()}


@chooses_compiler
def test_files_are_compiled_at_the_same_time_with_the_right_flags(source):
    sources = {path.relative_to(source).as_posix().replace("/", "-") for path in (source / "native").rglob("*.c")}
    _, notes = compiled(source, 4)
    assert set(notes) == sources
    assert max(seen for seen, _ in notes.values()) in (2, 3, 4)
    for _, command in notes.values():  # flags that results depend on
        flags = command.split()
        assert {"-std=c11", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing"} <= set(flags)
        assert not {"-ffast-math", "-march=native", "-fstrict-aliasing", "-fno-wrapv"} & set(flags)
    few = sorted(sources)[:8]  # are enough to see which run at the same time
    for name in sources - set(few):
        (source / name.replace("-", "/")).unlink()
    _, notes = compiled(source, 1)
    assert set(notes) == set(few)
    assert {seen for seen, _ in notes.values()} == {1}
    if len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count())) > 1:
        _, notes = compiled(source, None)
        assert max(seen for seen, _ in notes.values()) > 1


@chooses_compiler
def test_an_error_in_one_file_leaves_the_extension_out(source):
    said, notes = compiled(source, 2, fails="native/loops/casts.c")
    assert not list((source / "build").rglob("_native*"))
    assert len(notes) < 10  # what had not begun was left out
    said, _ = compiled(source, 2, fails="native/loops/casts.c", raises=True, SUPREMUM_NATIVE="1")
    assert "SUPREMUM_NATIVE=1 requires the engine in C, which was not built" in said
    assert "native/loops/casts.c" in said


def test_a_wheel_of_pure_python(source):
    path, names = wheel(source, SUPREMUM_NATIVE="0")
    assert path.name.endswith("-py3-none-any.whl")
    assert extensions(names) == []
    assert engine(path) == "reference"


def test_other_wishes_are_refused(source):
    said = run("-c", HOOK, "build_wheel", str(source.parent), cwd=source, fails=True, SUPREMUM_NATIVE="yes")
    assert "SUPREMUM_NATIVE is 0, 1 or not set, got 'yes'" in said
