"""Tables as text, HTML, JSON and CSV have the same content as the system."""

import csv
import html.parser
import io
import json
import re
import sys

import pytest
from common import code, for_each

import supremum as xp
from supremum.promotion import compare, systems
from supremum.promotion._nodes import COMMON

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def cells(text):
    """Parse a text table."""
    columns, *rows = [line.split() for line in text.splitlines() if "differs from" not in line]
    return {(row, column): cell for row, *line in rows for column, cell in zip(columns, line, strict=True)}


@for_each("name", systems)
def test_text_reads_back_as_the_table(name):
    system = systems[name]
    assert cells(system.table().to_text(color=False)) == {
        (a.code, b.code): code(system.lookup(a, b)) for a in system.nodes for b in system.nodes
    }


@for_each("name", systems)
def test_text_is_aligned(name):
    lines = systems[name].table().to_text(color=False).splitlines()
    starts = [[match.start() for match in re.finditer(r"\S+", line)] for line in lines]
    assert all(start[1:] == starts[0] for start in starts[1:])


def test_document_001_is_the_table_of_common_types(golden):
    text = systems["jax"].table(nodes="common").to_text(color=False)
    assert cells(text) == golden("document_001")


def test_cells_that_differ_are_marked_without_colour_and_green_with_it():
    table = systems["jax"].table(vs="jax_x32", nodes="common")
    plain = table.to_text(color=False)
    assert cells(plain)["u4", "i1"] == "i8!"
    assert plain.count("i8!") == 6
    assert plain.splitlines()[-1] == "! differs from jax_x32"
    coloured = table.to_text(color=True)
    assert coloured.count("\x1b[30;42mi8") == 6
    assert "!" not in coloured
    assert cells(ESCAPES.sub("", coloured)) == cells(systems["jax"].table(nodes="common").to_text(color=False))


def test_colour_is_for_terminals_that_want_it(monkeypatch):
    table = systems["jax_strict"].table(nodes="common")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" not in table.to_text()
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "\x1b[90m-" in table.to_text()
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in table.to_text()
    assert "\x1b" not in str(table)


class Reader(html.parser.HTMLParser):
    """Collect the cells of rows, and whether every tag is closed."""

    def __init__(self):
        super().__init__()
        self.rows, self.open, self.classes = [], [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.rows[-1].append("")
            self.classes.append(dict(attrs).get("class") or "")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in {"td", "th"}:
            self.rows[-1][-1] += data


@for_each("name", systems)
def test_html_reads_back_as_the_table(name):
    system = systems[name]
    reader = Reader()
    reader.feed(system.table(vs="numpy").to_html())
    assert reader.open == []
    (_, *columns), *rows = reader.rows
    assert columns == [node.code for node in system.nodes]
    for a, (head, *line) in zip(system.nodes, rows, strict=True):
        assert head == a.code
        assert line == [code(system.lookup(a, b)).replace("-", "–") for b in system.nodes]
    numpy = systems["numpy"]
    shared = [node for node in system.nodes if node in numpy]
    expected = sum(system.lookup(a, b) is not numpy.lookup(a, b) for a in shared for b in shared)
    assert sum("differs" in one for one in reader.classes) == expected


def test_html_says_what_each_cell_means():
    page = systems["jax"].table(vs="numpy", nodes="common").to_html()
    assert "title='int32 + float32: float32 (numpy: float64)'" in page
    assert "<caption>jax: jax.numpy with 64-bit types (the default), highlighted where it differs from numpy</caption>" in page
    assert systems["jax"].table(nodes="common")._repr_html_() == systems["jax"]._repr_html_()
    assert "title='float32 + int32: error'" in systems["jax_strict"].table().to_html()


@for_each("name", systems)
def test_json_has_names_and_provenance(name):
    system = systems[name]
    found = json.loads(system.table(vs="jax").to_json())
    assert found["types"] == [node.name for node in system.nodes]
    for a in system.nodes:
        for b in system.nodes:
            met = system.lookup(a, b)
            assert found["table"][a.name][b.name] == (met.name if met else None)
    assert (found["system"], found["package"], found["notes"]) == (system.name, system.package, system.notes)
    for a, b, other in found["differs"]:
        assert found["table"][a][b] != other
    assert "vs" not in json.loads(system.table().to_json())


def test_csv_has_names():
    rows = list(csv.reader(io.StringIO(systems["array_api"].table().to_csv())))
    assert rows[0] == ["", *(node.name for node in systems["array_api"].nodes)]
    table = {(row[0], column): cell for row in rows[1:] for column, cell in zip(rows[0][1:], row[1:], strict=True)}
    assert table["uint8", "int8"] == "int16"
    assert table["uint64", "int8"] == ""


def test_types_to_show_may_be_chosen():
    table = systems["jax"].table(nodes=["int8", "f4", float])
    assert [node.name for node in table.nodes] == ["int8", "float32", "float*"]
    assert [node.name for node in systems["jax"].table(nodes="int8").nodes] == ["int8"]
    common = {node.name for node in systems["jax"].table(nodes="common").nodes}
    assert common == COMMON | {"int*", "float*", "complex*"}
    assert "index" in {node.name for node in systems["max_graph"].table(nodes="common").nodes}
    with pytest.raises(ValueError, match="'python' has no int8"):
        systems["python"].table(nodes=["int8"])
    with pytest.raises(TypeError, match="names no dtype"):
        systems["jax"].table(nodes=["int7"])
    with pytest.raises(KeyError, match="no promotion system 'nump'; did you mean numpy"):
        systems["jax"].table(vs="nump")


def test_repr():
    assert repr(systems["jax"].table(vs="numpy")) == f"<table of 'jax' against 'numpy': {len(systems['jax'].nodes)} types>"
    assert repr(systems["python"].table()) == "<table of 'python': 3 types>"


def test_a_legend_names_every_code_of_the_table():
    table = systems["torch"].table(vs="jax", nodes="common")
    legend = table.legend()
    codes = dict(entry.strip().split(" ", 1) for entry in legend.replace("\n", " ").split(","))
    shown = {cell.rstrip("!") for line in str(table).splitlines()[:-1] for cell in line.split()}
    assert shown <= set(codes)
    assert codes["u2"] == "uint16"
    assert codes["c4"] == "complex32"  # a result that is no row
    assert codes["-"] == "is an error"
    assert max(map(len, legend.splitlines())) <= 100


def test_the_systems_print_as_a_line_each():
    lines = str(systems).splitlines()
    assert [line.split()[0] for line in lines] == list(systems)


def test_html_for_notebooks():
    """Each is a table, or several, and nothing of it is read as HTML."""
    with xp.trace_promotions() as log:
        xp.ones(3, dtype="int8") + xp.ones(3)
    shown = [log, systems["numpy"].laws(), systems, compare("jax", "torch"), xp.config, systems["jax"].table(vs="numpy")]
    for one in shown:
        html = one._repr_html_()
        assert html.count("<table") == html.count("</table>") >= 1
        assert html.count("<td") == html.count("</td>")
    assert "int8, float32" in log._repr_html_()
    assert "monotonicity" in systems["numpy"].laws()._repr_html_()
    assert compare("jax", "torch")._repr_html_().count("<details>") == 2
