"""Build the engine for other processors, and run tests of supremum on them in an emulator.

    python -m conformance processors                                   # aarch64 and s390x, which is big-endian
    python -m conformance processors s390x --tests tests/test_io.py -k npy
    python -m conformance processors aarch64 -- --maxfail=1            # with arguments for pytest

Debian has a cross compiler and an emulator for each of them; where these are missing, the script prints the command that
installs them, and its exit status is 77. It fetches all else at the first run into the user's cache folder, and installs
nothing: Debian's Python with its headers, and the wheels that PyPI has for the processor, else Debian's packages. It needs no
privileges. The exit status is 0 if every test passed, 1 if one failed, and 77 if a processor could not be tested. With
SUPREMUM_PURE=1 in the environment, supremum runs on its reference engine.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOT_RUN = 77
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
#: What the tests read of the source.
COPIED = (".ci", ".github", "benchmarks", "conformance", "docs", "examples", "native", "src", "tests")
#: What is tested by default: what depends on the processor. It takes about 20 minutes of processor time.
TESTS = (
    *("tests/array", "tests/core", "tests/functions", "tests/kernels", "tests/nn", "tests/random"),
    *("tests/supremum_jax/test_compiling.py", "tests/supremum_jax/test_programs.py", "tests/supremum_jax/test_recorded.py"),
    *("tests/test_fft.py", "tests/test_io.py", "tests/test_narrow_dtypes.py"),
)
#: What is left out of them, unless it is named: tests of memory, threads and new processes, which take as long as all others.
LEFT_OUT = (
    *("tests/core/test_array_lifetime.py", "tests/core/test_config.py", "tests/core/test_engine_collector.py"),
    *("tests/core/test_engine_memory.py", "tests/core/test_engine_pool.py", "tests/core/test_engine_threads.py"),
    "tests/core/test_setting_rows.py",
)


@dataclass(frozen=True)
class Processor:
    """A processor, and where its packages come from."""

    #: As the emulator and the wheels name it.
    name: str
    #: As Debian names it.
    debian: str
    #: The model that is emulated.
    model: str
    #: What Debian's packages are taken for, and what PyPI's files are taken for.
    packages: tuple[str, ...]
    wheels: tuple[str, ...]

    @property
    def compiler(self) -> str:
        """The cross compiler."""
        return f"{self.name}-linux-gnu-gcc"

    @property
    def emulators(self) -> tuple[str, ...]:
        """The names that the emulator has in versions of Debian."""
        return f"qemu-{self.name}-static", f"qemu-{self.name}"

    def missing(self) -> list[str]:
        """Return the packages of this machine's Debian that are not installed."""
        needed = {
            "apt": bool(shutil.which("apt-get")),
            "debian-archive-keyring": KEYRING.exists(),
            "dpkg": bool(shutil.which("dpkg-deb")),
            f"gcc-{self.name}-linux-gnu": bool(shutil.which(self.compiler)),
            "python3-pip": importlib.util.find_spec("pip") is not None,
            "qemu-user-static": any(map(shutil.which, self.emulators)),
        }
        return [name for name, there in needed.items() if not there]


#: What is needed in addition to the requirements of supremum.
TOOLS = ("hypothesis", "pytest", "pytest-xdist", "scipy", "setuptools")
PROCESSORS = {
    processor.name: processor
    for processor in (
        # The emulator's own choice of a model computes authentications of pointers, and Python takes 25 times as long on it.
        Processor("aarch64", "arm64", "neoverse-n1", ("libstdc++6",), ("array-api-compat", "ml_dtypes", "numpy", *TOOLS)),
        # No wheels are made for it; Debian's array-api-compat is too old, and the file of PyPI is for all processors.
        Processor(
            "s390x", "s390x", "max", tuple(f"python3-{name}" for name in ("ml-dtypes", "numpy", *TOOLS)), ("array-api-compat",)
        ),
    )
}


class NotRunError(Exception):
    """A processor cannot be tested on this machine."""


def run(*command: str, env: dict[str, str] | None = None, cwd: Path | None = None) -> str:
    """Run a command and return its output; a failure raises NotRunError with what it printed last."""
    done = subprocess.run(command, env=env, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        said = "\n".join((done.stdout + done.stderr).strip().splitlines()[-12:])
        raise NotRunError(f"{' '.join(command)} ended with status {done.returncode}:\n{said}")
    return done.stdout.strip()


def bounds(names: Iterable[str]) -> list[str]:
    """Return the requirements of these names with the versions that pyproject.toml allows."""
    content = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = content["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values(), content["build-system"]["requires"]]
    found = {entry.partition(">=")[0]: entry for entries in reversed(lists) for entry in entries if ">=" in entry}
    return [found[name] for name in names]


# ------------------------------------------------------------------------------------------------- a system of the processor


def mirror_of_this_machine() -> str:
    """Return the address from which this machine takes Debian's packages."""
    sites = run("apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", "Origin: Debian").split()
    if not sites:
        raise NotRunError("apt knows no mirror of Debian on this machine; pass one with --mirror, or run: apt-get update")
    return sites[0]


def sources(mirror: str, suite: str) -> str:
    """Return the line that tells apt where packages are."""
    return f"deb [signed-by={KEYRING}] {mirror} {suite} main\n"


@dataclass
class System:
    """The files of a system of the processor, in a folder of their own."""

    processor: Processor
    folder: Path

    @property
    def root(self) -> Path:
        """The root of the system's files."""
        return self.folder / "root"

    @property
    def python(self) -> str:
        """The script that starts Python in the emulator, which is `sys.executable` there."""
        return str(self.root / "usr" / "bin" / "emulated-python")

    @property
    def source(self) -> Path:
        """The copy of the source in which the engine is built."""
        return self.folder / "source"

    def say(self, text: str) -> None:
        """Print a line of progress."""
        print(f"== {self.processor.name}: {text}", flush=True)

    def make(self, mirror: str, suite: str) -> None:
        """Unpack packages of Debian and PyPI, unless they are there; the folder appears only when it is complete."""
        recipe = "\n".join(
            (sources(mirror, suite), self.processor.model, *self.processor.packages, *bounds(self.processor.wheels))
        )
        written = self.folder / "recipe.txt"
        if written.exists() and written.read_text(encoding="utf-8") == recipe:
            return
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.folder.parent) as parent:
            made = System(self.processor, Path(parent) / "system")
            self.say(f"Debian's packages of {suite}")
            made.unpack(made.download(mirror, suite))
            made.write_script()
            self.say("files of PyPI")
            made.take_wheels()
            made.root.with_name("recipe.txt").write_text(recipe, encoding="utf-8")
            if self.folder.exists():
                shutil.rmtree(self.folder)
            made.folder.rename(self.folder)

    def download(self, mirror: str, suite: str) -> list[Path]:
        """Download the packages, with what they depend on, by an apt that knows nothing of this machine's packages."""
        apt = self.folder / "apt"
        for name in ("lists/partial", "archives/partial"):
            (apt / name).mkdir(parents=True)
        (apt / "status").touch()
        (apt / "sources.list").write_text(sources(mirror, suite), encoding="utf-8")
        options = {
            "Dir::Etc::sourcelist": apt / "sources.list",
            "Dir::Etc::sourceparts": os.devnull,
            "Dir::Etc::preferences": os.devnull,
            "Dir::Etc::preferencesparts": os.devnull,
            "Dir::State": apt,
            "Dir::State::status": apt / "status",
            "Dir::Cache": apt,
            "APT::Architecture": self.processor.debian,
            "APT::Architectures": self.processor.debian,
            "APT::Install-Recommends": "false",
            "APT::Sandbox::User": "",
        }
        command = ["apt-get", "--quiet", "--yes", *(f"--option={name}={value}" for name, value in options.items())]
        run(*command, "update")
        run(*command, "install", "--download-only", "libpython3-dev", "python3", *self.processor.packages)
        return sorted((apt / "archives").glob("*.deb"))

    def unpack(self, packages: list[Path]) -> None:
        """Unpack packages, without the scripts that would configure them."""
        (self.root / "usr" / "lib").mkdir(parents=True)
        (self.root / "lib").symlink_to("usr/lib")
        for package in packages:
            run("dpkg-deb", "--extract", str(package), str(self.root))
        for library in self.root.glob("usr/lib/*-linux-gnu/*/*.so.3"):
            if library.parent.name in ("blas", "lapack"):  # one of several, which such a script would choose
                (library.parents[1] / library.name).symlink_to(f"{library.parent.name}/{library.name}")
        shutil.rmtree(self.folder / "apt")

    def write_script(self) -> None:
        """Write the script that starts Python; a process that Python starts by it is emulated too."""
        emulator = f"{next(filter(shutil.which, self.processor.emulators))} -cpu {self.processor.model}"
        script = Path(self.python)
        text = f'#!/bin/sh\nhere="${{0%/*}}"\nexec {emulator} -L "${{here%/usr/bin}}" -0 "$0" "$here/python3" "$@"\n'
        script.write_text(text, encoding="utf-8")
        script.chmod(0o755)

    def take_wheels(self) -> None:
        """Unpack wheels for the processor where Debian's Python looks for packages."""
        (include,) = self.root.glob("usr/include/python3.*")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:"]
        command += ["--target", str(self.root / "usr/lib/python3/dist-packages"), "--implementation", "cp"]
        command += ["--python-version", include.name.removeprefix("python")]
        for system in ("manylinux_2_28", "manylinux2014"):
            command += ["--platform", f"{system}_{self.processor.name}"]
        run(*command, *bounds(self.processor.wheels))

    def start(self, *args: str) -> str:
        """Run Python in the emulator, and return what it prints."""
        return run(self.python, *args, env=environment())

    def check(self) -> None:
        """Raise NotRunError where a package is older than supremum allows."""
        code = (
            "import importlib.metadata as m, sys; from packaging.requirements import Requirement as R\n"
            "for r in map(R, sys.argv[1:]):\n"
            "    v = m.version(r.name)\n"
            "    if not r.specifier.contains(v, prereleases=True): sys.exit(f'{r.name} {v} is there, and {r} is needed')"
        )
        self.start("-c", code, *bounds(("array-api-compat", "ml_dtypes", "numpy", *TOOLS)))

    def copy_source(self) -> None:
        """Copy the source, without what was built of it before."""
        self.source.mkdir(exist_ok=True)
        ignored = shutil.ignore_patterns("*.so", "*.pyd", "*.egg-info", "__pycache__", "_build")
        for name in COPIED:
            shutil.rmtree(self.source / name, ignore_errors=True)
            shutil.copytree(ROOT / name, self.source / name, ignore=ignored)
        for path in ROOT.iterdir():
            if path.is_file():
                shutil.copy2(path, self.source)

    def build(self) -> str:
        """Build the engine by setup.py, which runs in the emulator and starts the cross compiler, and return the versions."""
        where = "import numpy, sysconfig; print(numpy.get_include(), sysconfig.get_path('include'), '/usr/include', sep='\\n')"
        inside = [
            path if path.startswith(str(self.root)) else f"{self.root}{path}" for path in self.start("-c", where).split()
        ]
        compiler = f"{self.processor.compiler} --sysroot={self.root}"
        # The folders of headers come first: those that setup.py names may exist on this machine, for its own processor.
        env = {
            **environment(),
            "CC": " ".join([compiler, *(f"-I{path}" for path in inside[:2])]),
            "LDSHARED": f"{compiler} -shared",
        }
        self.compile(env | {"SUPREMUM_NATIVE": "1"})
        (self.root / "usr/lib/python3/dist-packages/supremum.pth").write_text(f"{self.source / 'src'}\n", encoding="utf-8")
        code = (
            "import importlib.metadata as m, platform, sys, supremum\n"
            "print(f'Python {platform.python_version()}, {sys.byteorder}-endian, NumPy {m.version(\"numpy\")}, '\n"
            "      f'ml_dtypes {m.version(\"ml_dtypes\")}, {supremum.__engine__} engine')"
        )
        return self.start("-c", code)

    def compile(self, env: dict[str, str]) -> None:
        """Run setup.py in the copy of the source, and print how many files are compiled."""
        command = [self.python, "-u", "setup.py", "egg_info", "build_ext", "--inplace"]
        files, lines = len(list((self.source / "native").rglob("*.c"))), []
        with subprocess.Popen(
            command, env=env, cwd=self.source, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as process:
            for line in process.stdout or ():
                lines.append(line)
                count = sum(" -c native/" in line for line in lines)
                if " -c native/" in line and count % 10 == 0:
                    self.say(f"{count} of {files} files compiled")
        if process.returncode:
            raise NotRunError(f"the engine was not built:\n{''.join(lines[-12:])}")

    def test(self, args: argparse.Namespace) -> Counter[str]:
        """Run the tests, and return how many had each outcome."""
        junit = self.folder / "junit.xml"
        junit.unlink(missing_ok=True)
        command = [
            self.python,
            "-m",
            "pytest",
            "-q",
            "--no-header",
            "-p",
            "no:cacheprovider",
            f"--junitxml={junit}",
            "-rN",
            "--tb=short",
        ]
        command += ["-n", str(args.jobs), "--dist", "loadfile"] if args.jobs > 1 else ["-n", "0"]
        command += ["-k", args.k] if args.k else []
        command += [f"--ignore={name}" for name in LEFT_OUT if name not in args.tests]
        done = subprocess.run([*command, *args.pytest_args, *args.tests], cwd=self.source, env=environment(), check=False)
        counts = read_junit(junit) if junit.exists() else Counter()
        if done.returncode > 1:  # a failure is 1
            self.say(f"pytest ended with status {done.returncode}")
            counts["errors"] += 1
        return counts


def environment() -> dict[str, str]:
    """Return the environment of tests: the engine under test, and no other setting of ours."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("SUPREMUM_", "PYTEST_", "PYTHON"))} | {
        name: os.environ[name] for name in ("SUPREMUM_PURE",) if name in os.environ
    }


def read_junit(path: Path) -> Counter[str]:
    """Return the counts of outcomes in pytest's XML report."""
    counts: Counter[str] = Counter()
    for suite in ET.parse(path).getroot().iter("testsuite"):  # noqa: S314  # pytest wrote the file
        found = Counter({name: int(suite.get(name, "0")) for name in ("failures", "errors", "skipped")})
        counts += found
        counts["passed"] += int(suite.get("tests", "0")) - found.total()
    return counts


# ---------------------------------------------------------------------------------------------------------------- the command


def parse(argv: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("processors", nargs="*", metavar="PROCESSOR", help=f"{', '.join(PROCESSORS)} (default: all)")
    parser.add_argument(
        "--tests", nargs="+", default=list(TESTS), metavar="TEST", help=f"files and folders (default: {' '.join(TESTS)})"
    )
    parser.add_argument("-k", default="", metavar="EXPRESSION", help="only the tests whose names match")
    parser.add_argument("--suite", default="testing", help="the version of Debian (default: testing)")
    parser.add_argument(
        "--mirror", metavar="ADDRESS", help="where Debian's packages are (default: where this machine has them from)"
    )
    parser.add_argument("--fresh", action="store_true", help="fetch the packages again")
    jobs = min(2, os.cpu_count() or 1)
    parser.add_argument("--jobs", type=int, default=jobs, metavar="N", help=f"processes (default {jobs})")
    given = sys.argv[1:] if argv is None else argv
    end = given.index("--") if "--" in given else len(given)
    args = parser.parse_args(given[:end])
    args.pytest_args = given[end + 1 :]
    if unknown := [name for name in args.processors if name not in PROCESSORS]:
        parser.error(f"unknown processor {unknown[0]}; there are {', '.join(PROCESSORS)}")
    return args


def main(argv: list[str]) -> int:
    """Test each processor and return the exit status."""
    args = parse(argv)
    processors = [PROCESSORS[name] for name in args.processors or PROCESSORS]
    if missing := sorted({name for processor in processors for name in processor.missing()}):
        print(f"\n*** NOT RUN: install what is missing: apt-get install {' '.join(missing)}\n", file=sys.stderr)
        return NOT_RUN
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "supremum" / "processors"
    lines, statuses = [], set()
    for processor in processors:
        system, start = System(processor, cache / processor.name), time.monotonic()
        try:
            if args.fresh:
                shutil.rmtree(system.folder, ignore_errors=True)
            system.make(args.mirror or mirror_of_this_machine(), args.suite)
            system.check()
            system.say("building the engine, which takes a minute or two")
            system.copy_source()
            versions = system.build()
            system.say(versions)
        except NotRunError as error:
            lines.append(f"{processor.name}: NOT RUN: {error}")
            statuses.add(NOT_RUN)
            continue
        counts = system.test(args)
        named = ", ".join(f"{counts[name]:,} {name}" for name in ("passed", "failures", "errors", "skipped"))
        lines.append(f"{processor.name}: {named} in {time.monotonic() - start:.0f} s; {versions}")
        statuses.add(0 if counts["passed"] and not counts["failures"] + counts["errors"] else 1)
    print(*(f"== {line}" for line in lines), sep="\n")
    return 1 if 1 in statuses else max(statuses)
