"""The command line: the output of each command, and the errors for bad names."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

import supremum as xp
from supremum.__main__ import main
from supremum._cli import checking
from supremum._cli.tour import TOUR
from supremum.promotion import compare, explain, systems


@pytest.fixture
def run(capsys):
    """Run the command line in this process; return exit status, stdout and stderr."""

    def call(*words):
        try:
            status = main(words)
        except SystemExit as end:  # argparse exits
            status = end.code
        out, err = capsys.readouterr()
        return status, out, err

    return call


def test_tour_fits_a_screen_and_shows_what_it_claims(run):
    status, out, err = run()
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) <= 45
    assert max(map(len, lines)) <= 110
    for claim, shown in TOUR:
        assert claim in lines
        assert all(f">>> {line}" in lines for line in shown)
    after = dict(pairwise(lines))
    assert after[">>> 2 * x + 1"] == "Array([1, 3, 5, 7, 9], dtype=int8)"
    assert after['>>> x + xp.ones(5, dtype="uint8")'] == "Array([1, 2, 3, 4, 5], dtype=int16)"
    assert after['>>> x + xp.ones(5, dtype="bfloat16")'] == "Array([1, 2, 3, 4, 5], dtype=bfloat16)"
    assert after['>>> xp.ones(1000, dtype="bfloat16").sum()'] == "Array(1000, dtype=bfloat16)"
    assert after['>>> with xp.promotion.use("numpy"): print((x + xp.ones(5)).dtype)'] == "float64"
    assert after['>>> with xp.numpy_dtype_promotion("strict"): x + xp.ones(5)'].startswith("TypePromotionError: Input dtypes")
    assert str(explain("int32", "float32")) in out
    assert "Traceback" not in out


def test_table(run):
    for words, table in (
        ((), systems["jax"].table(nodes="common")),
        (("torch", "--all"), systems["torch"].table()),
        (("jax", "--vs", "numpy"), systems["jax"].table(vs="numpy", nodes="common")),
    ):
        assert run("table", *words) == (0, f"{table.to_text(color=False)}\n\n{table.legend()}\n", "")
    assert json.loads(run("table", "mlx", "--json")[1])["system"] == "mlx"
    assert run("table", "mlx", "--csv")[1] == systems["mlx"].table(nodes="common").to_csv()
    assert run("table", "mlx", "--html")[1].startswith("<style>")
    assert run("table", "mlx", "--html", "--csv")[0] == 2


def test_explain(run):
    assert run("explain", "int32", "float32") == (0, f"{explain('int32', 'float32')}\n", "")
    assert run("explain", "int8", "1000")[1] == f"{explain('int8', 1000)}\n"
    assert run("explain", "int8", "-1.5")[1] == f"{explain('int8', -1.5)}\n"
    assert run("explain", "int8", "float*", "2j", "True")[1] == f"{explain('int8', float, 2j, True)}\n"
    assert run("explain", "i1", "u1", "--op", "divide")[1] == f"{explain('int8', 'uint8', op='divide')}\n"
    assert "is float64 in the promotion system 'numpy'" in run("explain", "i4", "f4", "--system", "numpy")[1]
    assert "index: index -> uint64" in run("explain", "index", "uint8", "--system", "max_graph")[1]
    assert run("explain", "float8_e5m2", "float16")[0] == 0
    status, _, err = run("explain", "int8", "int8", "--op", "nope")
    assert status == 2
    assert "op='nope' is not known here" in err


def test_lattice(run, tmp_path):
    status, out, _ = run("lattice")
    assert status == 0
    names = {one.text for one in ET.fromstring(out).iter("{http://www.w3.org/2000/svg}text")}  # noqa: S314  # our own
    assert {"int8", "bfloat16", "float*"} <= names
    assert "float8_e5m2" not in names
    assert "float8_e5m2" in run("lattice", "jax", "--all")[1]
    assert "index" in run("lattice", "max_graph")[1]
    target = tmp_path / "out.svg"
    status, out, _ = run("lattice", "jax", "-o", str(target), "--join", "i1", "u1")
    assert (status, out) == (0, f"{target}: the lattice of jax\n")
    assert "int8 + uint8 is int16" in target.read_text(encoding="utf-8")


def test_a_picture_without_matplotlib_is_one_line(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    status, out, err = run("lattice", "jax", "-o", str(tmp_path / "l.png"))
    assert (status, out) == (2, "")
    assert err.startswith("supremum: plot needs matplotlib: pip install 'supremum[plot]'")
    assert err.count("\n") == 1


@pytest.mark.parametrize("printed", [0, 100_000])
@pytest.mark.parametrize("command", ["lens", "trace"])
def test_a_reader_that_closes_the_pipe_loses_no_report(tmp_path, command, printed):
    script = tmp_path / "script.py"
    script.write_text(
        f"import supremum as xp\nx = xp.ones(3, dtype='int8') + xp.asarray([0.1] * 3)\nfor i in range({printed}): print(i)\n",
        encoding="utf-8",
    )
    words = [command, *(["-o", "r.html"] if command == "lens" else []), "script.py"]
    with subprocess.Popen(
        [sys.executable, "-m", "supremum", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, text=True
    ) as process:
        process.stdout.close()
        err = process.stderr.read()
    assert err.count("Traceback") == bool(printed)  # the script's own, as without the command
    assert "Exception ignored" not in err
    assert process.returncode == bool(printed)
    if command == "lens":
        assert "xp.asarray([0.1] * 3)" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_lattice_of_what_is_none(run, tmp_path):
    status, out, err = run("lattice", "numpy")
    assert (status, out) == (2, "")
    assert err.startswith("supremum: numpy is a table, not a lattice; there are drawings of jax, ")
    status, _, err = run("lattice", "jax", "-o", str(tmp_path / "no" / "such" / "place.svg"))
    assert status == 2
    assert "place.svg" in err


def test_compare_laws_systems(run):
    assert run("compare", "jax", "numpy", "--all") == (0, f"{compare('jax', 'numpy')}\n", "")
    assert run("compare", "jax", "numpy") == (0, f"{compare('jax', 'numpy', nodes='common')}\n", "")
    assert "float8_e5m2" not in run("compare", "jax", "numpy")[1]
    status, out, _ = run("laws", "numpy")
    assert status == 0
    assert "(int8 + uint8) + float16 is float32, but int8 + (uint8 + float16) is float16" in out
    assert out.startswith(str(systems["numpy"].laws()))
    status, out, _ = run("systems")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == list(systems)
    assert "the same as numpy" in out


def test_info(run, monkeypatch):
    monkeypatch.setenv("SUPREMUM_PROMOTION", "jax")
    with xp.promotion.use("torch"):
        status, out, _ = run("info")
    printed = dict(line.split(None, 1) for line in out.splitlines())
    assert status == 0
    assert printed["supremum"] == xp.__version__
    assert printed["config.promotion"] == "torch"
    assert printed["config.x64"] == "explicit"
    assert printed["SUPREMUM_PROMOTION"] == "jax"
    assert {"numpy", "ml_dtypes", "python", "platform"} <= set(printed)


def test_check(run, monkeypatch):
    with xp.promotion.use("torch"), xp.enable_x64(False):  # the settings of the process do not matter
        status, out, err = run("check")
    first, *lines, last = out.splitlines()
    assert (status, err) == (0, "")
    assert first.startswith(f"supremum {xp.__version__}, NumPy ")
    assert first.endswith(f"engine: {xp.__engine__}")
    assert len(lines) == 2 + len(checking.CHECKS)
    assert all(line.endswith(" checks, passed") or line.startswith("SciPy") for line in lines)
    assert last.startswith("passed in ")
    monkeypatch.setattr(checking.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setitem(
        checking.CHECKS, "linear algebra", [["xp.ones(2) * 3", "[3, 4]", "float32"], ["xp.nothing", "0", "int8"]]
    )
    status, out, _ = run("check")
    assert status == 1
    assert "linear algebra       2 checks, 2 FAILED\n  xp.ones(2) * 3: expected [3, 4] of float32, got " in out
    assert "  xp.nothing: expected 0 of int8, got " in out
    assert "\nSciPy           not installed" in out
    assert out.splitlines()[-1].startswith("FAILED in ")


SCRIPT = """
import sys
import supremum as xp
x = xp.arange(1000, dtype="int16") + xp.ones(1000)
print("argument", sys.argv[1], __name__)
"""


def test_trace(run, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    argv, path = sys.argv[:], sys.path[:]
    status, out, err = run("trace", str(script), "--all")
    assert (status, err) == (0, "")
    assert out.startswith("argument --all __main__\n")
    assert "script.py:4" in out
    assert "int16, float32  float32" in out
    assert (sys.argv, sys.path) == (argv, path)


@pytest.mark.parametrize("command", ["trace", "lens"])
@pytest.mark.parametrize(("end", "status"), [("sys.exit(3)", 3), ("raise ValueError('mine')", 1)])
def test_a_script_that_ends_badly(command, end, status, tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT + end + "\n")
    done = module(command, "script.py", "a", cwd=tmp_path)
    assert done.returncode == status
    assert "script.py:4" in done.stdout
    if status == 1:  # as Python ends it: the script's own frame, no other
        frames = re.findall(r'File "(.*)", line (\d+)', done.stderr)
        assert frames == [("script.py", str(SCRIPT.count("\n") + 1))]
        assert done.stderr.endswith("ValueError: mine\n")


@pytest.mark.parametrize("command", ["trace", "lens", "port"])
def test_scripts_that_import_jax_run(command, tmp_path):
    (tmp_path / "script.py").write_text("import jax.numpy as jnp\nprint(jnp.arange(3) + 1.5)\n")
    done = module(command, "script.py", cwd=tmp_path)
    assert done.returncode == 0
    assert "[1.5 2.5 3.5]" in done.stdout + done.stderr


DRAWING = """
import sys
import supremum as xp
key = xp.random.key(0)
x = xp.random.normal(key, (3,))
n = xp.random.randint(key, (3,), 0, 100)
e = xp.random.choice(key, 5, (3,))
print(sys.argv[1:], x.dtype)
"""


def test_port_draws_the_same_numbers_in_both_runs(run, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(DRAWING, encoding="utf-8")
    status, out, err = run("port", str(script), "--", "--steps", "3")
    assert (status, err) == (0, f"{script} prints, under numpy:\n['--steps', '3'] float64\n\n")
    assert [line.split()[1:] for line in out.splitlines()[1:4]] == [
        ["normal", "float64", "float32"], ["randint", "int64", "int32"], ["choice", "int64", "int32"],
    ]  # fmt: skip
    assert "values" not in out
    key = xp.random.key(0)

    def draw():
        return xp.random.normal(key, (3,)), xp.random.randint(key, (3,), 0, 100), xp.random.normal(key, (3,), "float64")

    wide, narrow = xp.promotion.port("numpy", "jax", draw).outcomes
    for a, b, dtypes in zip(wide, narrow, (("float64", "float32"), ("int64", "int32"), ("float64", "float64")), strict=True):
        assert (a.dtype, b.dtype) == dtypes
        assert a.tolist() == b.tolist()
    assert narrow[0].tolist() == xp.random.normal(key, (3,)).tolist()


def test_port_fails_where_a_run_does(run, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import supremum as xp\nxp.ones(1, dtype='int8')\nraise ValueError('mine')\n", encoding="utf-8")
    status, out, _ = run("port", str(script))
    assert status == 1
    assert out.splitlines() == ["no line differs between numpy and jax", "numpy: ValueError: mine", "jax: ValueError: mine"]
    script.write_text("import missing_module\n", encoding="utf-8")
    status, out, _ = run("port", str(script))
    assert status == 1
    assert out.splitlines()[0] == "the function ended with an error before it called supremum, so there is nothing to compare"
    assert "numpy: ModuleNotFoundError: No module named 'missing_module'" in out
    script.write_text("import supremum as xp\nx = (1,\n", encoding="utf-8")
    status, out, _ = run("port", str(script))
    assert status == 1
    assert out.splitlines()[0] == "the function ended with an error before it called supremum, so there is nothing to compare"
    assert "numpy: SyntaxError: '(' was never closed (script.py, line 2)" in out


@pytest.mark.parametrize(
    "words, complaint",
    [
        (("tabel",), "there is no command 'tabel'; did you mean table"),
        (("frobnicate",), "there is no command 'frobnicate'; there are table, explain, "),
        (("table", "nunpy"), "there is no promotion system 'nunpy'; did you mean numpy"),
        (("table", "jax", "--vs", "torsh"), "there is no promotion system 'torsh'; did you mean torch?"),
        (("compare", "jax", "tf"), "there is no promotion system 'tf'"),
        (("laws", "mlxx"), "did you mean mlx"),
        (("explain", "int7", "int8"), "'int7' names no dtype that promotion knows; did you mean int8"),
        (("explain", "int8", "--system", "keras_jax"), "did you mean keras"),
        (("lattice", "jax", "--join", "int8", "flot16"), "did you mean float16"),
        (("trace", "no_such_script.py"), "there is no script 'no_such_script.py'"),
    ],
)
def test_bad_names_get_the_nearest(words, complaint, run):
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert err.startswith("supremum: ")
    assert complaint in err
    assert err.count("\n") == 1


def test_help_and_usage_errors(run):
    status, out, _ = run("--help")
    assert status == 0
    assert all(
        command in out for command in ("table", "explain", "lattice", "compare", "laws", "systems", "trace", "info", "check")
    )
    assert run("explain")[0] == 2
    assert run("table", "jax", "--colour")[0] == 2


def module(*words, **options):
    return subprocess.run([sys.executable, "-m", "supremum", *words], capture_output=True, text=True, check=False, **options)


def test_as_a_module(tmp_path):
    done = module("table", "python")
    assert (done.returncode, done.stderr) == (0, "")
    table = systems["python"].table()
    assert done.stdout == f"{table.to_text(color=False)}\n\n{table.legend()}\n"
    assert module("table", "nunpy").returncode == 2
    assert module("check", cwd=tmp_path).returncode == 0
    env = {**os.environ, "SUPREMUM_PROMOTION": "numpy"}
    assert "numpy" in module("info", env=env).stdout


@pytest.mark.skipif(os.name == "nt", reason="there is no shell pipe to close on Windows")
def test_a_reader_that_has_seen_enough_is_no_error():
    command = f"{sys.executable} -m supremum table --all --html | head -c 10"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == "<style>\n.s"
    assert done.stderr == ""


PORTED = """
import supremum as xp
x = xp.asarray([1, 2, 3])
y = xp.mean(x)
z = xp.sin(xp.zeros(2, dtype="int8"))
print(y)
"""


def test_port_lists_lines_and_what_to_write(run, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(PORTED, encoding="utf-8")
    status, out, err = run("port", str(script), "--from", "numpy", "--to", "jax")
    assert (status, err) == (0, f"{script} prints, under numpy:\n2.0\n\n")
    rows = [line.split()[0].rpartition(":")[2] for line in out.splitlines()[1:4]]
    assert rows == ["3", "4", "5"]  # the first cause first
    assert f"{script}:3: to keep int64, write dtype='int64' in asarray" in out
    assert f"{script}:4: to keep" not in out  # it follows from line 3
    assert f"{script}:5: to keep float16, write .astype('float16') after an operand of sin" in out
    assert "no line differs" in run("port", str(script), "--from", "jax", "--to", "jax")[1]


def test_port_shows_how_a_script_ends(run, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import supremum as xp\nxp.ones(1, dtype='int8') + xp.ones(1)\n", encoding="utf-8")
    out = run("port", str(script), "--from", "jax", "--to", "array_api")[1]
    assert "cast an operand first" in out
    assert "array_api: TypePromotionError" in out


@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("import numpy as np", "import supremum as np"),
        ("from numpy import sin as np", "from supremum import sin as np"),
        ("np = None", None),
    ],
)
@pytest.mark.parametrize("command", ["port", "trace"])
def test_a_script_that_never_calls_supremum(command, line, new, run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", type(sys)("jax"))
    monkeypatch.setitem(sys.modules, "jax.numpy", type(sys)("jax.numpy"))
    script = tmp_path / "script.py"
    script.write_text(f"import os\n{line}\n", encoding="utf-8")
    status, out, err = run(command, str(script))
    assert (status, out) == (2, "")
    advice = f"change line 2, {line}, to {new}" if new else "import supremum as np in place of NumPy"
    assert err == f"supremum: {command}: {script} never calls supremum, so there is nothing to compare or to trace; {advice}\n"


def test_a_script_without_differences_is_no_script_without_calls(run, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import supremum as xp\nxp.ones(2, dtype='int8')\n", encoding="utf-8")
    assert run("port", str(script))[:2] == (0, "no line differs between numpy and jax\n")
    assert run("trace", str(script))[:2] == (0, "\nno implicit promotions\n")
    assert "never calls supremum" in str(xp.promotion.port("numpy", "jax", lambda: 3))


def test_trace_of_a_module(run, tmp_path, monkeypatch):
    (tmp_path / "traced_module.py").write_text(PORTED, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    status, out, _ = run("trace", "-m", "traced_module")
    assert status == 0
    assert "traced_module.py:4  mean" in out


def test_help_has_every_command_and_examples(run):
    out = run("--help")[1]
    said = run()[1]
    for command in (
        "table",
        "explain",
        "lattice",
        "compare",
        "laws",
        "systems",
        "trace",
        "port",
        "explore",
        "run",
        "info",
        "check",
    ):
        assert re.search(rf"^    {command}\b", out, re.MULTILINE), command
        assert command in said
    for example in re.findall(r"^  python -m supremum (\w.*?)  ", out, re.MULTILINE):
        command, *words = example.split()
        if "script.py" in words or command in ("explore", "check"):
            assert run(command, "--help")[0] == 0
        else:
            status, out, err = run(command, *words)
            assert (status, err) == (0, "")
            assert "error in" not in out


@pytest.mark.parametrize("command", ["trace", "lens", "run", "port"])
def test_a_script_is_required(run, command):
    status, _, err = run(command)
    assert status == 2
    assert err.splitlines()[-1] == f"supremum {command}: error: the following arguments are required: SCRIPT"


@pytest.mark.parametrize(
    ("pure", "words"), [("1", "reference, in Python, slower .*SUPREMUM_PURE=1 chose it"), ("0", "native|install")]
)
def test_the_tour_and_info_name_the_engine(pure, words):
    environment = {**os.environ, "SUPREMUM_PURE": pure}
    for command in ((), ("info",)):
        done = module(*command, env=environment)
        [line] = [line for line in done.stdout.splitlines() if line.startswith("engine")]
        assert re.search(words, line)


def test_version(run):
    assert run("--version") == (0, f"supremum {xp.__version__}\n", "")


def test_lattice_says_what_it_can_make(run, tmp_path):
    assert "it makes files ending in .svg and, with matplotlib, .png" in run("lattice", "-o", str(tmp_path / "x.gif"))[2]


def test_explain_of_functions(run):
    assert run("explain", "int8", "--op", "sin", "--system", "numpy")[1] == f"{explain('int8', op='sin', system='numpy')}\n"


def test_port_writes_a_page(run, tmp_path):
    script = tmp_path / "program.py"
    script.write_text("import supremum as xp\nx = xp.asarray([1, 2])\nprint('not in the report')\n")
    page = tmp_path / "report.html"
    status, out, _ = run("port", str(script), "--from", "numpy", "--to", "jax", "-o", str(page))
    assert status == 0
    assert "program.py:2: to keep int64, write dtype='int64' in asarray" in out
    assert "not in the report" not in out
    assert "x = xp.asarray([1, 2])" in page.read_text(encoding="utf-8")
    status, _, error = run("port", str(script), "-o", str(tmp_path / "report.pdf"))
    assert (status, "it makes files ending in .html" in error) == (2, True)
