"""What a lens reports: text, a page, and verdicts on other dtypes."""

import json
import re
import subprocess
import sys
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import browser as browsers
import lens_gallery as gallery
import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum.__main__ import main


@pytest.fixture(scope="module")
def lens():
    with xp.precision_lens() as found:
        for program in (gallery.variance, gallery.running_sum, gallery.softmax, gallery.attention, gallery.mandelbrot):
            program(xp, gallery.DTYPES[program])
    return found


def test_text(lens):
    lines = str(lens).splitlines()
    assert re.fullmatch(r"\d+ places with [\d,]+ results, reference float64: \d+ with losses beyond rounding", lines[0])
    assert any(re.fullmatch(r"the first NaN came up in matmul at .*lens_gallery.py:\d+", line) for line in lines)
    assert any(re.fullmatch(r"the first infinity came up in exp at .*lens_gallery.py:\d+", line) for line in lines)
    header = next(i for i, line in enumerate(lines) if line.startswith("where"))
    assert header + 12 == len(lines)  # ten rows, and how many more there are
    assert re.fullmatch(r"and \d+ more, in lens.rows", lines[-1])
    assert repr(lens).startswith("<precision lens: ")
    with xp.precision_lens() as empty:
        pass
    assert str(empty) == "the lens has seen no floating result"


def test_rows_are_sorted(lens):
    rows = lens.rows
    beyond = [row for row in rows if {"nan", "overflow"} & set(row.kinds)]
    assert rows[: len(beyond)] == beyond
    for some in (beyond, rows[len(beyond) :]):
        assert [row.lost for row in some] == sorted((row.lost for row in some), reverse=True)
    assert {row.file for row in rows} == {gallery.__file__}
    [row] = [row for row in rows if row.dtype == "bfloat16" and row.function == "add"]
    assert str(row) == f"{row.file}:{row.line}: add of bfloat16: absorption"
    assert row.count == 2000
    assert 64 <= len(row.history) <= 128
    assert row.ranges["result"].highest == 496.25
    assert sum(row.ranges["result"].counts.values()) == 64 + 121


# -- verdicts --------------------------------------------------------------------------------------------------------------


def verdicts_of(call, *dtypes, **options):
    with xp.precision_lens() as lens:
        call()
    found = lens.suggest(*dtypes, **options)
    return {one.function: one.verdicts for one in found}, found


def test_verdicts_are_about_range_and_precision():
    dtypes = ("bfloat16", "float16", "float8_e4m3fn", "float32")
    verdicts, found = verdicts_of(lambda: xp.asarray([1e5, 3.0]) * 2, *dtypes)
    assert verdicts["multiply"] == {
        "bfloat16": "", "float16": "overflow: 2e+05 is above 6.6e+04", "float8_e4m3fn": "overflow: 2e+05 is above 4.5e+02",
        "float32": "",
    }  # fmt: skip
    assert found.fits == ("bfloat16", "float32")
    assert found[0].fits == ("bfloat16", "float32")
    assert len(found) == 2
    verdicts, _ = verdicts_of(lambda: xp.asarray([1e-9, 2e-9]) * 2, *dtypes)
    assert verdicts["multiply"]["float16"] == "underflow: 100% become 0"
    assert verdicts["multiply"]["bfloat16"] == ""
    verdicts, found = verdicts_of(lambda: gallery.variance(xp, "float32"), *dtypes)
    assert verdicts["subtract"]["bfloat16"] == "precision: error above 1"
    assert verdicts["subtract"]["float32"].startswith("precision")
    verdicts, _ = verdicts_of(lambda: xp.asarray([1.0]) * 3, "bfloat16", tolerance=1e-3)
    assert verdicts["multiply"]["bfloat16"] == "precision: error about 0.004"
    assert "fits" in str(found)
    assert repr(found).startswith("<suggestions: none of the dtypes would do at all")


@for_each("dtype", ["float16", "float8_e4m3fn", "float8_e5m2"])
@for_each("values", [[1.0, 20.0], [1.0, -20.0], [20.0, -20.0], [20.0], [-20.0], [1.0, xp.inf]])
def test_what_the_range_of_a_dtype_loses_says_nothing_of_the_digits_of_others(dtype, values):
    x = xp.asarray(values if len(values) > 1 else values[0], dtype=dtype)  # which may have no dimensions
    verdicts, _ = verdicts_of(lambda: xp.exp(x) * 3, "bfloat16", "float32", tolerance=0.02)
    assert verdicts == {name: {"bfloat16": "", "float32": ""} for name in ("exp", "multiply")}
    verdicts, _ = verdicts_of(lambda: xp.exp(xp.asarray(values, dtype="bfloat16")), "float16")
    lost = np.exp(np.asarray([x for x in values if x != xp.inf]))
    assert bool(verdicts["exp"]["float16"]) == bool((lost > 65520).any() or (lost < 2.0**-25).any())


def test_overflow_ranks_above_every_loss_of_digits():
    with xp.precision_lens() as lens:
        one = xp.asarray([1e4 + 1, 5.0]) - xp.asarray([1e4, 5.1]) * (1 + 1e-7)
        xp.asarray([0.1]) * 3 == xp.asarray([0.3])
        xp.asarray([200.0, 7.0]).astype("float16") * 500
        xp.asarray([100.0, 7.0]).astype("float8_e4m3fn") * 5
        one.sum()
    assert [(row.function, row.kinds[0]) for row in lens.rows[:2]] == [("multiply", "overflow")] * 2
    assert "cancellation" in {kind for row in lens.rows[2:] for kind in row.kinds}


def test_a_cast_that_counts_as_a_loss_has_a_hint():
    with xp.precision_lens() as lens:
        x = xp.asarray([0.1, 0.2]).astype("bfloat16")
        xp.asarray([0.5]).astype("bfloat16")
        xp.asarray([0.3, 1e-9]).astype("float8_e4m3fn")  # of which one becomes 0
        xp.asarray([500.0]).astype("float8_e4m3fn")
    hint = (
        r"^the cast to float8_e4m3fn at .* counts as a loss; if it is meant, write supremum.quantized\(x, 'float8_e4m3fn'\)$"
    )
    assert re.search(hint, str(lens), re.MULTILINE)
    with xp.precision_lens() as lens:
        xp.quantized(xp.asarray([0.1]), "bfloat16")
        x.astype("float32")
    assert "meant" not in str(lens)


def test_verdicts_on_what_is_no_floating_dtype_are_refused(lens):
    for dtypes in ((), ("int8",), ("complex64",)):
        with pytest.raises(ValueError, match="suggest: expected real floating dtypes"):
            lens.suggest(*dtypes)
    with pytest.raises(ValueError, match="tolerance must be positive"):
        lens.suggest("bfloat16", tolerance=0)


# -- notebooks -------------------------------------------------------------------------------------------------------------


def test_notebooks_show_tables(lens):
    found = lens.suggest("bfloat16", "float16")
    with xp.precision_lens() as empty:
        pass
    with xp.precision_lens() as one:
        xp.asarray([0.1]) * 3 - 0.25
    for shown, text in ((lens, str(lens)), (one, str(one)), (found, str(found))):
        links = Links()
        links.feed(shown._repr_html_())
        assert (links.loaded, links.open) == ([], [])
        for word in text.split():
            assert escape(word) in shown._repr_html_()
    assert lens._repr_html_().count("<tr>") == 11
    assert found._repr_html_().count("<tr>") == len(found) + 1
    assert found._repr_html_().count("rgba(66,133,244,0.30)") == sum(
        map(bool, (v for s in found for v in s.verdicts.values()))
    )
    assert "no floating result" in empty._repr_html_()
    assert repr(one) == "<precision lens: 3 rows, 3 calls, reference float64>"
    x = xp.asarray([0.1])
    with xp.precision_lens() as one:
        x.astype("float16")
    assert repr(one) == "<precision lens: 1 row, 1 call, reference float64>"
    assert str(one).startswith("1 place with 1 result, reference float64")
    assert repr(one.suggest("float32")) == "<suggestions: float32 would do at the only line>"


# -- the page --------------------------------------------------------------------------------------------------------------


class Links(HTMLParser):
    """Collect what a page loads, and its tags that are not closed."""

    def __init__(self):
        super().__init__()
        self.loaded, self.open = [], []

    def handle_starttag(self, tag, attributes):
        self.loaded += [value for name, value in attributes if name in ("src", "href")]
        if tag not in ("meta", "br", "!doctype"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_whole_and_loads_nothing(lens):
    page = lens.to_html()
    links = Links()
    links.feed(page)
    assert (links.loaded, links.open) == ([], [])
    data = json.loads(re.search(r'<script id="rows" type="application/json">(.*?)</script>', page, re.DOTALL)[1])
    assert [(row["line"], row["function"]) for row in data] == [(row.line, row.function) for row in lens.rows]
    assert "return xp.mean(x**2) - xp.mean(x) ** 2" in page


def test_names_and_sources_are_escaped(tmp_path):
    script = tmp_path / "a&b<c>.py"
    script.write_text("import supremum as xp\ny = '<b>&amp;</b>'; x = xp.asarray([0.1, 2]) * 3\n", encoding="utf-8")
    page = tmp_path / "page.html"
    assert main(["lens", str(script), "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "a&amp;b&lt;c&gt;.py" in text
    assert "&lt;b&gt;&amp;amp;&lt;/b&gt;" in text
    assert "<b>&amp;</b>" not in text


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    if browsers.CHROMIUM is None:
        pytest.skip("there is no Chromium")
    page = browsers.Browser(tmp_path_factory.mktemp("chromium"))
    yield page
    page.close()


@pytest.mark.parametrize("size", [(1400, 900), (390, 844)])
def test_the_page_in_a_browser(lens, browser, tmp_path, size):
    file = tmp_path / "lens.html"
    lens.save(file)
    browser.size(*size)
    browser.scheme("dark")
    browser.open(file.as_uri())
    assert browser.run("document.documentElement.dataset.theme") == "dark"
    [row] = [row for row in lens.rows if row.dtype == "bfloat16" and row.function == "add"]
    browser.click(f'button.line[data-line="{row.line}"]')
    panel = browser.run("document.getElementById('panel').textContent")
    assert "absorption" in panel
    assert "2,000" in panel
    assert browser.run("document.querySelectorAll('#panel svg').length") >= 3
    assert browser.run("document.querySelector('.line[aria-current=true]').dataset.line") == str(row.line)
    # The same line is marked everywhere, and the curve is drawn for all calls.
    marked = "[...document.querySelectorAll('button[data-row][aria-current=true]')].map((one) => rows[one.dataset.row].line)"
    assert set(browser.run(marked)) <= {row.line}
    assert browser.run("document.querySelector('#panel .inherited').points.length") == len(row.history)
    right = browser.run("document.querySelector('#panel svg').textContent.includes('2,000')")
    assert right
    browser.click("button[data-row='0']")
    assert 0 in browser.run(
        "[...document.querySelectorAll('button[data-row][aria-current=true]')].map((one) => +one.dataset.row)"
    )
    bars = (
        "[...document.querySelectorAll('.worst li')].map((one) => [one.querySelector('.bar i').style.width, one.textContent])"
    )
    shown = [(float(width[:-1]), "overflow" in text) for width, text in browser.run(bars)]
    assert shown == sorted(shown, key=lambda one: (not one[1], -one[0]))
    assert lens.rows[0].function in browser.run("document.querySelector('#panel h3').textContent")
    before = browser.run("getComputedStyle(document.body).backgroundColor")
    browser.click("#theme")
    assert browser.run("getComputedStyle(document.body).backgroundColor") != before
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    assert browser.errors() == []
    assert {url.partition(":")[0] for url in browser.requests()} <= {"file", "about"}


def test_calls_without_error_are_drawn_too(browser, tmp_path):
    with xp.precision_lens() as lens:
        for i in range(300):
            x = xp.asarray(float(i))
            x * 0.1 if i % 40 == 3 else x * 0.5
    [row] = [row for row in lens.rows if row.function == "multiply"]
    assert row.count == 300
    assert 64 <= len(row.history) <= 128
    assert max(one.introduced for one in row.history) == row.introduced
    assert [one.call for one in row.history if one.introduced] == list(range(4, 300, 40))
    lens.save(tmp_path / "lens.html")
    browser.size(1280, 900)
    browser.open((tmp_path / "lens.html").as_uri())
    browser.click(f'button.line[data-line="{row.line}"]')
    ends = browser.run("[...document.querySelector('#panel .inherited').points].map((one) => one.x)")
    assert len(ends) == len(row.history)
    assert (min(ends), max(ends)) == pytest.approx((40, 374), abs=5)
    assert browser.run("[...document.querySelectorAll('#panel svg text')].map((one) => one.textContent).includes('0')")


# -- the command line ------------------------------------------------------------------------------------------------------

SCRIPT = """\
import sys
import supremum as xp
x = xp.asarray([4.0, 7.0, 13.0]) + 12345.0
v = xp.mean(x**2) - xp.mean(x) ** 2
print(sys.argv[1:], v.dtype)
"""


def run(*words, folder):
    done = subprocess.run(
        [sys.executable, "-m", "supremum", "lens", *words], capture_output=True, text=True, check=False, cwd=folder
    )
    return done.returncode, done.stdout, done.stderr


def test_scripts_are_run_without_changes(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    status, out, err = run("script.py", "one", "--reference", "float64", "-o", "page.html", "--", "-v", folder=tmp_path)
    assert (status, err) == (0, "")
    assert out.startswith("['one', '-v'] float32\n")
    assert re.search(r"script.py:4 +subtract +float32 .*cancellation", out)
    assert "page.html: the report with the source" in out
    assert "xp.mean(x**2)" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert run("-m", "script", folder=tmp_path)[1].startswith("[] float32")


#: Errors depend on the last digits of sums, which differ between processors.
NUMBERS = re.compile(r"\b\d\.\d+e-\d+|\d+\.\d+|\b\d+e-\d+")


def test_the_documentation_shows_what_is_printed(tmp_path):
    page = Path(__file__).parents[2].joinpath("docs/precision-lens.md").read_text(encoding="utf-8")
    script = re.search(r"```python\n(# readings.py.*?)```", page, re.DOTALL)[1]
    command, shown = re.search(r"```console\n\$ python -m supremum lens (.*?)\n(.*?)```", page, re.DOTALL).groups()
    (tmp_path / "readings.py").write_text(script, encoding="utf-8")
    _, out, _ = run(*command.split(), folder=tmp_path)
    assert [NUMBERS.sub("#", line).split() for line in out.strip().splitlines()] == [
        NUMBERS.sub("#", line).split() for line in shown.strip().splitlines()
    ]


def test_programs_of_jax_are_run_too(tmp_path):
    program = "import jax.numpy as jnp\nx = jnp.ones(3, jnp.bfloat16) + 1e-4\nprint(type(x).__module__)\n"
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    status, out, _ = run("program.py", folder=tmp_path)
    assert status == 0
    assert out.startswith("supremum")
    assert re.search(r"program.py:2 +add +bfloat16 .*absorption", out)
    (tmp_path / "indirect.py").write_text("import program\n", encoding="utf-8")
    assert "absorption" in run("indirect.py", "--jax", folder=tmp_path)[1]


def test_the_report_comes_if_a_script_fails(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT + "1 / 0\n", encoding="utf-8")
    status, out, err = run("script.py", folder=tmp_path)
    assert status == 1
    assert "cancellation" in out
    assert "ZeroDivisionError" in err


def test_what_is_wrong_is_said_before_the_script_runs(tmp_path, capsys):
    script = tmp_path / "script.py"
    script.write_text("print('runs')\n", encoding="utf-8")
    for words, message in (
        (("nowhere.py",), "there is no script 'nowhere.py'"),
        ((str(script), "--reference", "float16"), "the reference is float64 or float32, not 'float16'"),
        ((str(script), "-o", "page.txt"), "it makes files ending in .html"),
    ):
        assert main(["lens", *words]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert message in err


def test_the_progress_is_shown_where_a_program_takes_long(capsys):
    from supremum._cli.commands import _Progress

    progress = _Progress()
    progress(256, 1.0)
    assert capsys.readouterr().err == ""
    progress(512, 6.0)
    progress(768, 7.0)
    assert capsys.readouterr().err == "lens: 512 calls in 6 s\n"
    assert Path(gallery.__file__).exists()
