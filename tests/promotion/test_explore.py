"""The explorer: its data are those of the systems and of `explain`, and the page is a file of its own."""

import json
import random
import re
import tomllib
from fnmatch import fnmatch
from html.parser import HTMLParser
from pathlib import Path

import pytest
from common import for_each

import supremum as xp
from supremum import explaining
from supremum.__main__ import main
from supremum._cli import exploring
from supremum._core.dtype_objects import ScalarType
from supremum.promotion import systems
from supremum.promotion._explain import hazards_of
from supremum.promotion._explore import explorer_page
from supremum.promotion._nodes import COMMON, NODES, as_node
from supremum.promotion._roles import Rule

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "src/supremum/promotion").glob("_explore*.*"))
SYSTEMS = [name for name, system in systems.items() if name == system.name]
LATTICES = [name for name in SYSTEMS if systems[name].lattice is not None]


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


@for_each("name", LATTICES)
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


@for_each(
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


@for_each(
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
    assert Rule(rule).words == words


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
