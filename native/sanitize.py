"""Run the tests of the engine under AddressSanitizer and UndefinedBehaviorSanitizer.

    python native/sanitize.py                # the tests named below
    python native/sanitize.py -k sizes       # with arguments for pytest
    CC=clang python native/sanitize.py

The package is copied into a temporary folder, where the engine is built with both sanitizers; the checkout and the installed
packages do not change. The exit status is pytest's, or 77 if the compiler has no sanitizers and nothing was tested.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
_OF_LOOPS = (
    "blocked_reductions",
    "bounds",
    "casts",
    "counting",
    "distinct",
    "extremes",
    "matmul",
    "narrow_loops",
    "order",
    "pointwise",
    "special_functions",
    "threefry",
)
TESTS = [
    *sorted((ROOT / "tests" / "core").glob("test_engine*.py")),
    *(ROOT / "tests" / "kernels" / f"test_{name}.py" for name in _OF_LOOPS),
    *(ROOT / "tests" / name for name in ("array/test_at.py", "functions/test_closeness.py", "random/test_samplers.py")),
    *(ROOT / "tests" / name for name in ("base/test_exceptions.py", "core/test_index_keys.py", "fuzz/test_writers.py")),
    *(
        ROOT / "tests" / name
        for name in ("supremum_jax/test_compiling.py", "supremum_jax/test_loops.py", "fuzz/test_programs.py")
    ),
    *(ROOT / "tests" / "functions" / name for name in ("test_searching.py", "test_sorting.py")),
]
NOT_RUN = 77
FLAGS = ["-std=c11", "-O1", "-g", "-fno-omit-frame-pointer", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off",
         "-fno-math-errno", "-fno-strict-aliasing", "-pthread", "-fsanitize=address,undefined",
         "-fno-sanitize-recover=all"]  # fmt: skip
if platform.machine() == "s390x":
    FLAGS += ["-fexcess-precision=fast"]
#: The name of AddressSanitizer's library, which must be loaded before all others, and the flags to use it, by compiler.
RUNTIMES = {
    f"libclang_rt.asan-{platform.machine()}.so": ["-shared-libasan"],
    "libclang_rt.asan.so": ["-shared-libasan"],
    "libasan.so": [],  # GCC's library, which clang finds too
}
#: Measures resident memory, and so runs by itself, where AddressSanitizer does not hold freed memory back.
GROWTH = "tests/core/test_engine_memory.py::test_many_rounds"
RELEASING = ":quarantine_size_mb=0:thread_local_quarantine_size_kb=0"


class NotRunError(Exception):
    """The tests cannot be run on this machine."""


def library(compiler: list[str], name: str) -> Path | None:
    """Return the path of a library of the compiler, or None."""
    try:
        command = [*compiler, f"-print-file-name={name}"]
        path = Path(subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip())
    except OSError as error:
        raise NotRunError(f"no compiler {compiler[0]}: {error}") from error
    return path if path.is_absolute() and path.exists() else None


def runtime(compiler: list[str]) -> tuple[Path, list[str]]:
    """Return the library of AddressSanitizer and the flags with which extensions use it."""
    for name, flags in RUNTIMES.items():
        if found := library(compiler, name):
            return found, flags
    raise NotRunError(f"{' '.join(compiler)} has no shared library of AddressSanitizer")


def build(compiler: list[str], flags: list[str], folder: Path) -> None:
    """Copy the package into a folder, and build its engine in the copy."""
    ignored = shutil.ignore_patterns("*.so", "__pycache__")
    shutil.copytree(ROOT / "src" / "supremum", folder / "supremum", ignore=ignored)
    sources = [str(path) for path in sorted((ROOT / "native").rglob("*.c"))]
    headers = [f"-I{sysconfig.get_path('include')}", f"-I{np.get_include()}"]
    target = folder / "supremum" / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    subprocess.run([*compiler, *FLAGS, *flags, *headers, *sources, "-o", str(target)], check=True)


def environment(preloaded: list[Path], folder: Path) -> dict[str, str]:
    """Return the environment of a Python process that imports the copy and stops at the first error."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("SUPREMUM_", "PYTEST_"))}
    return env | {
        "LD_PRELOAD": " ".join(map(str, preloaded)),
        # Python frees little when it ends; other tests count references. Some tests request sizes that are refused.
        "ASAN_OPTIONS": f"detect_leaks=0:allocator_may_return_null=1:halt_on_error=1:log_path={folder / 'report'}",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        "PYTHONMALLOC": "malloc",  # makes every object a separate allocation
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def run(folder: Path, args: list[str]) -> int:
    """Build and test in a folder, and return pytest's exit status."""
    if not sys.platform.startswith("linux"):
        raise NotRunError("the sanitizers are set up for Linux")
    compiler = (os.environ.get("CC") or "cc").split()
    asan, flags = runtime(compiler)
    standard = library(compiler, "libstdc++.so.6")  # ml_dtypes throws C++ exceptions, which AddressSanitizer intercepts
    build(compiler, flags, folder)
    env = environment([asan, *([standard] if standard else [])], folder)
    check = "import supremum, supremum._native as engine; print(engine.__file__)"
    imported = subprocess.run([sys.executable, "-c", check], env=env, capture_output=True, text=True, check=False)
    if not imported.stdout.startswith(str(folder)):
        print(imported.stdout, imported.stderr, *reports(folder), "sanitize: the built engine was not imported", sep="\n")
        return 1
    # UndefinedBehaviorSanitizer writes to the standard error of the process, which pytest does not capture.
    pytest = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-n",
        "0",
        "--capture=sys",
        "-k",
        "not [reference",
    ]
    rest = args or ["--deselect", GROWTH]
    status = subprocess.run([*pytest, *map(str, TESTS), *rest], env=env, cwd=ROOT, check=False).returncode
    if not args:
        env["ASAN_OPTIONS"] += RELEASING
        status = subprocess.run([*pytest, GROWTH], env=env, cwd=ROOT, check=False).returncode or status
    found = reports(folder)
    status = status or (1 if found else 0)
    print(*found, "sanitize: FAILED" if status else f"sanitize: passed, built by {' '.join(compiler)}", sep="\n")
    return status


def reports(folder: Path) -> list[str]:
    """Return what the sanitizers wrote, without warnings about refused sizes."""
    texts = [path.read_text(errors="replace") for path in sorted(folder.glob("report*"))]
    return [text for text in texts if re.sub(r"==\d+==WARNING: AddressSanitizer failed to allocate .*\n", "", text)]


def main() -> int:
    """Run the tests; print a notice if they cannot be run."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return run(Path(folder), sys.argv[1:])
        except NotRunError as error:
            print(f"\n*** SANITIZERS NOT RUN: {error}\n*** status {NOT_RUN}: nothing was tested.\n")
            return NOT_RUN


if __name__ == "__main__":
    sys.exit(main())
