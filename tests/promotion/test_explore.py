"""The explorer: its data are those of the systems and of `explain`, and it does in a browser what it says."""

import itertools
import json
import random
import re
import subprocess
import tomllib
from fnmatch import fnmatch
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs

import browser as browsers
import pytest

import supremum as xp
from supremum import explaining
from supremum.__main__ import main
from supremum._cli import exploring
from supremum._core.dtypes import ScalarType
from supremum.promotion import compare, systems
from supremum.promotion._explain import hazards_of
from supremum.promotion._explore import explorer_page, rule_in_words
from supremum.promotion._nodes import COMMON, NODES, as_node
from supremum.promotion._roles import Rule

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "src/supremum/promotion").glob("_explore*.*"))
SYSTEMS = [name for name, system in systems.items() if name == system.name]
LATTICES = [name for name in SYSTEMS if systems[name].lattice is not None]


@pytest.fixture(scope="module")
def page():
    return exploring.page()


@pytest.fixture(scope="module")
def data(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])


def names(data):
    return [one["name"] for one in data["types"]]


# -- data -----------------------------------------------------------------------------------------------------------------


def test_every_system_is_there(data):
    assert [system["name"] for system in data["systems"]] == SYSTEMS
    assert {one for system in data["systems"] for one in (system["name"], *system["others"])} == set(systems)
    for system in data["systems"]:
        assert system["title"] == systems[system["name"]].data.title
        assert system["notes"] == systems[system["name"]].data.notes


def test_every_type_is_there(data):
    assert set(names(data)) >= {node.name for name in SYSTEMS for node in systems[name].nodes} | set(NODES)
    for one in data["types"]:
        node = as_node(one["name"])
        assert (one["code"], one["kind"], one["bits"], one["weak"]) == (node.code, node.kind, node.bits, node.weak)
    assert {one["name"] for one in data["types"] if one["common"]} >= COMMON


def test_the_tables_are_those_of_the_systems(data):
    known = names(data)
    for found in data["systems"]:
        system = systems[found["name"]]
        nodes = [as_node(known[i]) for i in found["types"]]
        assert nodes == list(system.nodes)
        for a, row in zip(nodes, found["cells"], strict=True):
            for b, cell in zip(nodes, row, strict=True):
                met = system.lookup(a, b)
                if met is not None:
                    assert cell >= 0
                    assert known[cell] == met.name
                else:
                    reason = found["refusals"][-1 - cell].replace("{a}", a.name).replace("{b}", b.name)
                    assert str(system.error(a, b)).endswith(f"Promotion system {system.name!r}: {reason}")


def test_weak_types_stand_for_those_of_the_system(data):
    known = names(data)
    for found in data["systems"]:
        system = systems[found["name"]]
        for i, name in enumerate(known):
            own = system.own_node(as_node(name))
            place = i if i in found["types"] else found["own"].get(str(i))
            assert (None if place is None else known[place]) == (None if own is None else own.name)


def test_hazards_are_those_of_explain(data):
    known = names(data)
    for found in data["systems"]:
        system = systems[found["name"]]
        for key, texts in found["hazards"].items():
            a, result = (as_node(known[int(i)]) for i in key.split())
            expected = [f"{one.kind}: {one.text}" for one in hazards_of((a,), result, system) if one.operand is not None]
            assert [data["hazards"][i] for i in texts] == [one for one in expected if not one.startswith("memory")]
    jax = data["systems"][0]
    cast = jax["hazards"][f"{known.index('int32')} {known.index('float32')}"]
    assert [data["hazards"][i] for i in cast] == ["precision: float32 cannot hold all of int32 from 16777217 on"]


@pytest.mark.parametrize("name", LATTICES)
def test_the_drawings_have_the_edges_of_the_lattice(data, name):
    known, lattice = names(data), systems[name].lattice
    (found,) = [one for one in data["systems"] if one["name"] == name]
    shown = {"all": lattice, "common": lattice.restricted(one for one in lattice.nodes if one in COMMON or one not in NODES)}
    for which, expected in shown.items():
        layout = found["layouts"][which]
        assert [known[box[0]] for box in layout["boxes"]] == list(expected.nodes)
        assert len({tuple(box[1:]) for box in layout["boxes"]}) == len(expected.nodes)
        edges = [(known[low], known[high]) for low, high, _ in layout["edges"]]
        assert edges == [(low, high) for low in expected.nodes for high in expected.covers[low]]
        spots = {box[0]: box[1:] for box in layout["boxes"]}
        for low, high, between in layout["edges"]:
            assert between[0] == spots[low]
            assert between[-1] == spots[high]
            assert [spot[0] for spot in between] == list(range(between[0][0], between[-1][0] + 1))


def test_systems_without_a_lattice_have_a_counterexample_or_none(data):
    found = {one["name"]: one for one in data["systems"]}
    assert found["numpy"]["layouts"] is None
    assert found["numpy"]["broken"] == "(int8 + uint8) + float16 is float32, but int8 + (uint8 + float16) is float16"
    assert found["jax"]["broken"] == ""


def answer(data, function, system, dtype):
    """Return the text of the page for a function of a dtype under a system."""
    functions = data["functions"]
    (one,) = [one for one in functions["names"] if one["name"] == function]
    row, rule = functions["tables"][one["table"]][SYSTEMS.index(system)]
    place = functions["rows"][row][functions["dtypes"].index(dtype)]
    return None if place is None else functions["texts"][place], functions["rules"][rule]


def test_every_function_and_dtype_is_there(data):
    expected = set()
    for name in explaining.known():
        try:
            function = explaining._function(name)
        except ValueError:
            continue
        if not isinstance(function, ScalarType):
            expected.add(name)
    found = [one["name"] for one in data["functions"]["names"]]
    assert len(found) > 350
    assert sorted(found) == sorted(expected)
    assert data["functions"]["dtypes"] == list(NODES)
    assert {len(row) for row in data["functions"]["rows"]} == {len(NODES)}
    assert {len(table) for table in data["functions"]["tables"]} == {len(SYSTEMS)}


@pytest.mark.parametrize(
    ("function", "system", "dtype", "expected"),
    [
        # As NumPy and torch themselves answer.
        ("sin", "numpy", "int8", "float16"),
        ("mean", "numpy", "int32", "float64"),
        ("sum", "numpy", "uint8", "uint64"),
        ("divide", "torch", "int64", "float32"),
        ("argmax", "torch", "float32", "int64"),
        ("fft.fft", "numpy", "float32", "complex64"),
        ("sin", "jax", "int8", "float32"),
        ("argmax", "jax", "float32", "int32"),
        ("sin", "array_api", "bfloat16", None),
    ],
)
def test_functions(data, function, system, dtype, expected):
    assert answer(data, function, system, dtype)[0] == expected


def test_functions_answer_as_explain_does(data):
    choose = random.Random(0)
    for _ in range(50):
        function = choose.choice(data["functions"]["names"])["name"]
        dtype, system = choose.choice(list(NODES)), choose.choice(SYSTEMS)
        # By its private parts, because add, divide and other operations of `explain` need two operands.
        call = explaining._call(function, (None,))
        expected = explaining._results(explaining._function(function), call, (explaining.operand(dtype),), systems[system])
        found, _ = answer(data, function, system, dtype)
        if isinstance(expected, Exception):
            assert found is None if as_node(dtype) not in systems[system] else found.startswith("!")
        else:
            assert found == (", ".join(dict.fromkeys(node.name for node in expected)) or "!no array")


def test_functions_of_explain_itself(data):
    for function, dtype in (
        ("sin", "int8"),
        ("mean", "uint16"),
        ("linalg.norm", "int64"),
        ("fft.rfft", "float16"),
        ("sort", "bool"),
    ):
        why = xp.explain(dtype, op=function, system="numpy")
        for name, node in {**why.others, "numpy": why.result}.items():
            found = answer(data, function, name, dtype)[0]
            assert (None if found is None or found.startswith("!") else found) == (None if node is None else node.name)


def test_the_rule_that_decided(data):
    assert (
        answer(data, "mean", "numpy", "int8")[1]
        == "{system} has a rule for the role “mean”: bool and integers become float64."
    )
    assert answer(data, "cumulative_sum", "mlx", "int8")[1].startswith(
        "{system} has a rule for {function}: bool becomes int32;"
    )
    assert answer(data, "sin", "jax", "int8")[1].startswith("{system} has no rule for {function}: the row of its definition")


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("biu: float64", "bool and integers become float64"),
        ("b: int8", "bool becomes int8"),
        ("b i: int64, u: uint64", "bool and signed integers become int64; unsigned integers become uint64"),
        ("biuf: float64, c: complex128", "bool, floats and integers become float64; complex numbers become complex128"),
        ("biu bfloat16: float64", "bool, integers and bfloat16 become float64"),
        ("b: float64, iu8: float16, iu: int8",
         "bool becomes float64; integers of up to 8 bits become float16; other integers become int8"),
        ("each b iu8: float16, iu: int8",
         "bool and integers of up to 8 bits become float16; other integers become int8, each operand before they promote"),
        ("same", "operands are computed in their own dtype"),
        ("same b: int8", "bool becomes int8; all others are computed in their own dtype"),
        ("*: float32", "all types become float32"),
        ("join iu: float64", "integers become float64, where this is the dtype to which operands promote"),
        ("first b: int8", "bool becomes int8, each operand before they promote"),
        ("alike bf: float32", "bool and floats become float32, if all operands have one dtype"),
        ("of iu: float64, c: own", "integers give float64; complex numbers give their own dtype"),
    ],
)  # fmt: skip
def test_rules_in_words(rule, words):
    assert rule_in_words(Rule(rule)) == words


# -- the page -----------------------------------------------------------------------------------------------------------------

VOID = {"meta", "input", "br", "link", "img", "hr"}


class Page(HTMLParser):
    """Collects what has to hold of a page."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.references, self.problems, self.addresses, self.named = [], [], [], [], [], []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if len(given) < len(attributes):
            self.problems.append(f"<{tag}> has an attribute twice")
        self.ids += [given["id"]] if "id" in given else []
        for name in ("aria-labelledby", "aria-controls", "for"):
            self.references += given.get(name, "").split()
        self.addresses += [given[name] for name in ("src", "href", "action", "data", "srcset") if name in given]
        if tag in ("input", "select") and "label" not in self.open and "aria-label" not in given:
            self.problems.append(f"<{tag} id={given.get('id')}> has no label")
        if tag == "button" and given.get("type") != "button":
            self.problems.append("a button would send a form")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes another element")


def test_the_page_is_valid_html(page):
    found = Page()
    found.feed(page)
    found.close()
    assert page.startswith("<!DOCTYPE html>\n<html lang=")
    assert "{{" not in page.partition('id="data">')[0]
    assert found.problems == []
    assert found.open == []
    assert len(found.ids) == len(set(found.ids))
    assert set(found.references) <= set(found.ids)
    assert page.count("<title>") == page.count("<h1>") == page.count("<main") == 1


def test_the_page_refers_to_nothing_outside(page):
    found = Page()
    found.feed(page)
    assert found.addresses == []
    scripts = page.replace('"http://www.w3.org/2000/svg"', "")  # a name of the standard for SVG, which is not loaded
    for word in (
        "http:",
        "https:",
        "//cdn",
        "url(",
        "@import",
        "fetch(",
        "XMLHttpRequest",
        "import(",
        "WebSocket",
        "sendBeacon",
    ):
        assert word not in scripts


def test_the_page_is_small(page):
    assert len(page.encode()) < 600_000


def test_names_cannot_end_the_script(data):
    page = explorer_page({**data["functions"], "names": [{"name": "</script><b>", "about": "<!--", "role": "", "table": 0}]})
    assert "</script><b>" not in page
    assert "<!--" not in page
    text = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1]
    assert json.loads(text)["functions"]["names"][0]["name"] == "</script><b>"


@pytest.mark.skipif(not (ROOT / "pyproject.toml").exists(), reason="there is no checkout, whose pyproject.toml is read")
def test_the_parts_of_the_page_are_in_the_wheel():
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["supremum.promotion"]
    parts = [file.name for file in FILES if file.suffix != ".py"]
    assert {Path(part).suffix for part in parts} == {".html", ".css", ".js"}
    assert all(any(fnmatch(part, pattern) for pattern in patterns) for part in parts)


@pytest.fixture
def quick(monkeypatch, tmp_path):
    """Make the commands call no functions, and keep no page."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(exploring, "page", lambda: "<!DOCTYPE html>")


def test_the_command_writes_a_file(quick, tmp_path, capsys):
    file = tmp_path / "page.html"
    assert main(["explore", "-o", str(file)]) == 0
    assert file.read_text(encoding="utf-8") == "<!DOCTYPE html>"
    assert capsys.readouterr().out == f"{file}: the explorer; open it in a browser\n"
    assert main(["explore", "-o", str(tmp_path / "no" / "page.html")]) == 2
    assert "No such file" in capsys.readouterr().err


@pytest.mark.parametrize("there", [True, False])
def test_the_command_opens_a_browser(quick, monkeypatch, capsys, there):
    opened = []
    monkeypatch.setattr(exploring.webbrowser, "open", lambda address: opened.append(address) or there)
    assert main(["explore"]) == 0
    out = capsys.readouterr().out
    file = Path(out.partition(": the explorer")[0])
    assert opened == [file.as_uri()]
    assert file.read_text(encoding="utf-8") == "<!DOCTYPE html>"
    assert ("no browser was found" in out) is not there
    file.unlink()
    file.parent.rmdir()


def test_the_page_is_made_once(quick, monkeypatch, tmp_path, capsys):
    assert main(["explore", "-o", str(tmp_path / "first.html")]) == 0
    monkeypatch.setattr(exploring, "page", None)
    assert main(["explore", "-o", str(tmp_path / "second.html")]) == 0
    assert (tmp_path / "second.html").read_bytes() == (tmp_path / "first.html").read_bytes()
    assert capsys.readouterr().err.count("once; the page is kept") == 1


def test_the_help_says_what_happens_without_a_file(capsys):
    with pytest.raises(SystemExit):
        main(["explore", "--help"])
    assert "open the page in a browser" in " ".join(capsys.readouterr().out.split())


# -- in a browser ---------------------------------------------------------------------------------------------------------

in_browser = pytest.mark.skipif(browsers.CHROMIUM is None, reason="no Chromium is installed to show the page")


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    if subprocess.run([browsers.CHROMIUM, "--version"], capture_output=True, check=False).returncode:
        pytest.skip("the installed Chromium does not start, as the stub of a distribution does not")
    found = browsers.Browser(tmp_path_factory.mktemp("profile"))
    yield found
    found.close()


@pytest.fixture(scope="module")
def address(page, tmp_path_factory):
    file = tmp_path_factory.mktemp("explorer") / "explorer.html"
    file.write_text(page, encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def tab(chromium, address):
    """Open the page in a state; nothing may go wrong in it, and nothing else may be loaded."""

    def show(fragment="", width=1400, height=900):
        chromium.size(width, height)
        chromium.open(address + fragment)
        return chromium

    chromium.events.clear()
    chromium.scheme("light")
    yield show
    chromium.run("localStorage.clear()")
    assert chromium.errors() == []
    assert {sent.partition("#")[0] for sent in chromium.requests()} <= {address, "about:blank"}


def text(tab, selector):
    return tab.run(f"document.querySelector({json.dumps(selector)}).innerText.replace(/\\s+/g, ' ').trim()")


def texts(tab, selector):
    return tab.run(
        f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent.replace(/\\s+/g, ' ').trim())"
    )


def labels(tab, selector):
    return tab.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.getAttribute('aria-label'))")


def fragment(tab):
    return {name: values[0] for name, values in parse_qs(tab.run("location.hash.slice(1)")).items()}


@in_browser
def test_two_clicks_in_the_lattice(tab):
    show = tab()
    assert text(show, "#types-answer .equation") == "int8 + uint8 = int16"
    show.click("#lattice [aria-label^='int32,']")
    assert text(show, "#types-answer").startswith("int32 + ? Choose the second type.")
    assert fragment(show) == {"view": "types", "system": "jax", "a": "int32"}
    show.click("#lattice [aria-label^='float16,']")
    assert text(show, "#types-answer .equation") == "int32 + float16 = float16"
    assert texts(show, "#types-answer .path") == ["int32→int64→float*→float16", "float16stays"]
    assert [label.partition(",")[0] for label in labels(show, "#lattice .node.lit")] == ["int32", "int64", "float*", "float16"]
    assert show.run("document.querySelectorAll('#lattice .edge.lit').length") == 3
    assert "int32 may be promoted to float16, so the result is float16." in text(show, "#types-answer")
    hazards = [f"{one.kind}: {one.text}" for one in xp.explain("int32", "float16", system="jax").hazards if one.operand == 0]
    assert texts(show, "#types-answer .hazards li") == [one for one in hazards if not one.startswith("memory")]
    assert fragment(show) == {"view": "types", "system": "jax", "a": "int32", "b": "float16"}
    assert text(show, "#types-table td[aria-selected]") == "f2"


@in_browser
def test_other_systems_are_those_of_explain(tab):
    show = tab("#view=types&system=numpy&a=int32&b=float16")
    assert text(show, "#types-answer .equation") == "int32 + float16 = float64"
    assert "It is no lattice, so there is no path." in text(show, "#types-answer")
    others = dict(zip(texts(show, "#types-more dt"), texts(show, "#types-more dd"), strict=True))
    expected = xp.explain("int32", "float16", system="numpy").others
    for word, found in others.items():
        assert all(name in expected and str(expected[name]) == word for name in found.split(", ")) or word in (
            "error",
            "no such type",
        )
    refused = ", ".join(found for word, found in others.items() if word in ("error", "no such type")).split(", ")
    assert sorted(refused) == sorted(name for name, node in expected.items() if node is None)


@in_browser
def test_a_link_to_another_system(tab):
    show = tab("#view=types&system=jax&a=int32&b=float32")
    show.run("[...document.querySelectorAll('#types-more .link')].find(e => e.textContent == 'torch').click()")
    assert fragment(show)["system"] == "torch"
    show.run("history.back()")
    show.wait("location.hash.includes('system=jax')")
    assert text(show, "#types-table-title") == "Table of jax"


@in_browser
def test_errors_say_why(tab):
    show = tab("#view=types&system=jax&a=float8_e4m3fn&b=float8_e5m2")
    assert show.run("document.querySelector('#types-all').checked")  # narrow types are shown where one is chosen
    assert text(show, "#types-answer .equation") == "float8_e4m3fn + float8_e5m2 = error"
    with pytest.raises(xp.TypePromotionError) as error:
        systems["jax"].promote("float8_e4m3fn", "float8_e5m2")
    assert str(error.value).partition("'jax': ")[2] in text(show, "#types-answer")
    show.click("#types-all")
    assert fragment(show) == {"view": "types", "system": "jax", "a": "int8", "b": "uint8"}


@in_browser
def test_paths_and_differences_are_those_of_the_package(tab):
    show = tab()
    for name in LATTICES:
        found = show.run(
            f"(() => {{ const s = explorer.systemOf.get({name!r}), r = [], n = (i) => explorer.data.types[i].name;"
            " for (const a of s.types) for (const b of s.types) { const m = explorer.promote(s, a, b).type;"
            " if (m !== undefined) r.push([n(a), n(b), explorer.path(s.layouts.all, a, m).map(n)]); } return r; })()"
        )
        system = systems[name]
        assert found == [
            [a.name, b.name, list(system.lattice.path(a.name, system.lookup(a, b).name))]
            for a, b in itertools.product(system.nodes, repeat=2)
            if system.lookup(a, b) is not None
        ]
    for first, second in [("jax", "numpy"), ("numpy", "jax"), ("torch", "jax_lax"), ("array_api", "mlx"), ("jax", "jax_x32")]:
        for every in (True, False):
            pair = f"{json.dumps([first, second])}.map((name) => explorer.systemOf.get(name))"
            found = show.run(
                f"explorer.differences(...{pair}, {json.dumps(every)})"
                ".found.map((one) => [one.a, one.b].map((i) => explorer.data.types[i].name))"
            )
            if every:
                assert found == [[one.a.name, one.b.name] for one in compare(first, second)]
            else:
                shown = [
                    [one.a.name, one.b.name]
                    for one in compare(first, second)
                    if all(node.name in COMMON or node.name not in NODES for node in one[:2])
                ]
                assert found == shown


@in_browser
def test_the_chosen_cell_is_in_sight(tab):
    show = tab("#view=types&system=jax&a=int8&b=complex128", width=390, height=800)
    cell, host = (f"document.querySelector('{one}').getBoundingClientRect()" for one in ("td[aria-selected]", "#types-table"))
    assert show.run(f"{cell}.right <= {host}.right && {cell}.left > {host}.left + 30")
    show.run("document.querySelector('td[aria-selected]').focus()")
    show.press("Home")
    assert text(show, "#types-answer .equation") == "int8 + bool = int8"
    assert show.run(f"{cell}.left >= {host}.left + 30")


@in_browser
def test_two_systems(tab):
    show = tab("#view=systems&system=jax&with=jax_x32&a=uint32&b=int8")
    assert "They differ in 3 of the 171 pairs of the 18 common types that both have." in text(show, "#systems-summary")
    assert sorted(labels(show, "#systems-table td.differs")) == sorted(
        f"{a} + {b} = int64 in jax, int32 in jax_x32"
        for other in ("int8", "int16", "int32")
        for a, b in (("uint32", other), (other, "uint32"))
    )
    assert texts(show, "#systems-more .rows button") == [f"uint32 + {one}int64int32" for one in ("int8", "int16", "int32")]
    show.click("#systems-more .rows button:nth-child(3)")
    assert fragment(show) == {"view": "systems", "system": "jax", "with": "jax_x32", "a": "uint32", "b": "int32"}
    assert texts(show, "#systems-answer dd") == ["int64", "int32"]
    show.click("#swap-systems")
    assert texts(show, "#systems-answer dd") == ["int32", "int64"]


@in_browser
def test_a_function(tab):
    show = tab("#view=function&function=sin&system=numpy&a=int8&base=jax")
    assert text(show, "#function-answer .equation") == "sin(int8) = float16"
    assert "numpy has a rule for the role “inexact”" in text(show, "#function-answer")
    expected = xp.explain("int8", op="sin", system="numpy").others
    column = list(COMMON & set(NODES))
    assert "int8" in column
    found = labels(show, "#function-table td")
    for name, node in expected.items():
        assert f"sin(int8) in {name} = {node or ('no such type' if 'int8' not in systems[name] else 'error')}" in found
    assert "sin(int16) in numpy = float32" not in labels(show, "#function-table td.differs")
    assert "sin(int32) in numpy = float64" in labels(show, "#function-table td.differs")
    show.run("[...document.querySelectorAll('#function-chips button')].find(e => e.textContent == 'mean').click()")
    assert text(show, "#function-answer .equation") == "mean(int8) = float64"
    show.click("#function-table td[aria-label^='mean(complex64) in mlx']")
    assert fragment(show) == {"view": "function", "function": "mean", "system": "mlx", "a": "complex64", "base": "jax"}


@in_browser
def test_every_view_shows_every_system_and_function(tab):
    show = tab("#view=function&function=divmod")
    options = "[...document.querySelector('{}').options].map(o => o.value)"
    assert sorted(show.run(options.format("#types-system"))) == sorted(SYSTEMS)
    assert len(show.run(options.format("#function-name"))) == len(exploring.function_names())
    assert len(texts(show, "#function-table tbody th")) == len(SYSTEMS)
    # Each system and each function can be shown; the fixture looks for exceptions.
    go = "const go = (hash) => { location.hash = hash; dispatchEvent(new Event('hashchange')); };"
    show.run(
        f"{{ {go} for (const name of {json.dumps(SYSTEMS)}) for (const all of ['', '&all=1'])"
        " go(`view=types&system=${name}&a=int8&b=float32${all}`); }"
    )
    show.run(f"{{ {go} for (const name of explorer.functionOf.keys()) go(`view=function&function=${{name}}&a=int8`); }}")
    show.run("new Promise((done) => setTimeout(done, 300))")


@in_browser
def test_search(tab):
    show = tab()
    show.press("/")
    assert show.run("document.activeElement.id") == "search"
    show.type("linalg.nor")
    assert texts(show, "#found li span:first-child")[0] == "linalg.norm"
    show.press("Enter")
    assert fragment(show)["function"] == "linalg.norm"
    assert text(show, "#function-table-title") == "What every system makes of linalg.norm"
    show.press("/")
    show.type("bf")  # the code of a type
    assert texts(show, "#found li span:first-child")[0] == "bfloat16"
    show.press("Enter")
    assert fragment(show)["a"] == "bfloat16"
    show.press("/")
    show.type("cupy")  # another name of a system
    show.press("Enter")
    assert fragment(show)["system"] == "numpy"
    show.press("/")
    show.type("int")
    show.press("ArrowDown", "ArrowDown", "ArrowUp")
    assert show.run("document.querySelector('#search').getAttribute('aria-activedescendant')") == "found-1"
    show.press("Escape")
    assert show.run("document.querySelector('#found').hidden && document.activeElement.id != 'search'")
    show.press("/")
    show.type("no such name")
    assert texts(show, "#found li") == ["Nothing has that name."]
    show.press("Escape")


@in_browser
def test_keys_in_the_table_and_the_tabs(tab):
    show = tab()
    show.run("document.querySelector('#types-table td[tabindex=\"0\"]').focus()")
    show.press("ArrowRight", "ArrowDown")
    assert text(show, "#types-answer .equation") == "int16 + uint16 = int32"
    assert show.run("document.activeElement.ariaSelected") == "true"
    show.press("Home", "ArrowUp", "ArrowUp")
    assert text(show, "#types-answer .equation") == "uint64 + bool = uint64"
    show.press("End")
    assert text(show, "#types-answer .equation") == "uint64 + complex* = complex*"
    assert show.run("document.querySelectorAll('#types-table td[tabindex=\"0\"]').length") == 1
    show.run("document.querySelector('#tab-types').focus()")
    show.press("ArrowRight")
    assert fragment(show)["view"] == "systems"
    assert show.run("document.activeElement.id") == "tab-systems"
    show.press("ArrowLeft", "ArrowLeft")
    assert fragment(show)["view"] == "function"


@in_browser
def test_keys_in_the_lattice(tab):
    show = tab()
    show.run("document.querySelector('#lattice .node[tabindex=\"0\"]').focus()")
    assert show.run("document.activeElement.getAttribute('aria-label')").startswith("int8,")
    show.press("ArrowDown", "Enter")
    assert fragment(show) == {"view": "types", "system": "jax", "a": "int16"}
    show.press("Escape")
    assert fragment(show) == {"view": "types", "system": "jax", "a": "int8", "b": "uint8"}
    show.press("Enter")
    show.press("ArrowDown", " ")
    assert fragment(show) == {"view": "types", "system": "jax", "a": "int16", "b": "int32"}
    assert text(show, "#types-answer .equation") == "int16 + int32 = int32"


@in_browser
def test_what_tab_reaches_has_a_name(tab):
    for view in ("types", "systems", "function"):
        show = tab(f"#view={view}")
        reached = []
        for _ in range(80):
            show.press("Tab")
            reached.append(show.run("document.activeElement.id || document.activeElement.closest('.scroll')?.id"))
            if f"{view}-table" in reached:
                break
        order = ["skip", "search", "theme", f"tab-{view}", f"{view}-table"]
        assert [one for one in reached if one in order] == order
    show.call("Accessibility.enable")
    widgets = {"button", "combobox", "checkbox", "tab", "gridcell", "grid", "textbox", "searchbox", "listbox"}
    nodes = show.call("Accessibility.getFullAXTree")["nodes"]
    found = [
        (one["role"]["value"], one["name"]["value"]) for one in nodes if not one["ignored"] and one["role"]["value"] in widgets
    ]
    assert len(found) > 100
    assert [one for one in found if not one[1].strip()] == []


@in_browser
def test_the_address_holds_the_state(tab):
    show = tab("#view=types&system=nothing&a=int99&b=uint8")
    assert text(show, "#notice") == "The address names what is not here: system “nothing” and type “int99”."
    assert text(show, "#types-answer .equation") == "int8 + uint8 = int16"
    show.run("location.hash = 'view=function&function=sum&system=torch&a=uint8'")
    show.wait("document.querySelector('#view-types').hidden")
    assert text(show, "#function-answer .equation") == "sum(uint8) = int64"
    assert text(show, "#notice") == ""


@in_browser
def test_colours(tab):
    show = tab()
    paper = "getComputedStyle(document.body).backgroundColor"
    light = show.run(paper)
    show.scheme("dark")
    show.wait("document.documentElement.dataset.theme == 'dark'")
    dark = show.run(paper)
    assert dark != light
    show.click("#theme")
    assert (show.run(paper), show.run("document.querySelector('#theme').ariaLabel")) == (light, "Colours: light")
    show.click("#theme")
    assert show.run(paper) == dark


#: Finds texts whose contrast with what is behind them is less than 4.5, the limit of WCAG's level AA.
CONTRAST = """
(() => {
  const part = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const numbers = (c) => c.match(/[\\d.]+/g).map(Number);
  const bright = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const behind = (e) => { for (; e; e = e.parentElement) { const c = numbers(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
  const found = new Set();
  for (const e of document.querySelectorAll('body *')) {
    if (![...e.childNodes].some((n) => n.nodeType == 3 && n.data.trim()) || !e.getClientRects().length) continue;
    if (e.closest('svg, script, option')) continue;
    const [x, y] = [bright(numbers(getComputedStyle(e).color)), bright(behind(e))].sort((p, q) => q - p);
    const ratio = (x + 0.05) / (y + 0.05);
    if (ratio < 4.5) found.add(`${e.tagName} .${e.className}: ${ratio.toFixed(2)}`);
  }
  return [...found];
})()
"""


@in_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ["types&a=int32&b=float32", "types&a=float8_e5m2&b=int4", "systems", "function"])
def test_texts_have_contrast(tab, view, scheme):
    show = tab()
    show.scheme(scheme)
    show = tab(f"#view={view}")
    show.run("new Promise((done) => setTimeout(done, 250))")  # transitions of colours
    assert show.run(CONTRAST) == []


@in_browser
@pytest.mark.parametrize("width", [360, 768, 1024, 1400])
def test_the_page_fits_the_screen(tab, width):
    for state in ("types", "types&system=numpy", "types&system=jax_strict", "types&all=1", "systems", "function"):
        show = tab(f"#view={state}", width=width, height=740)
        assert show.run("document.documentElement.scrollWidth") <= width, state
        wide = "[...document.querySelectorAll('.controls *, .answer *, header *')].filter(e => e.getClientRects().length &&"
        assert show.run(f"{wide} e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML)") == [], state
