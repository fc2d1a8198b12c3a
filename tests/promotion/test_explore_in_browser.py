"""The page of the explorer, in a browser: what it shows and does."""

import itertools
import json
import subprocess
from urllib.parse import parse_qs

import browser as browsers
import pytest
from common import for_each

import supremum as xp
from supremum._cli import exploring
from supremum.promotion import compare, systems
from supremum.promotion._nodes import COMMON, NODES

SYSTEMS = [name for name, system in systems.items() if name == system.name]
LATTICES = [name for name in SYSTEMS if systems[name].lattice is not None]


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
    show.press("ArrowUp", "Enter")
    assert fragment(show) == {"view": "types", "system": "jax", "a": "int16"}
    show.press("Escape")
    assert fragment(show) == {"view": "types", "system": "jax", "a": "int8", "b": "uint8"}
    show.press("Enter")
    show.press("ArrowUp", " ")
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
@for_each("scheme", ["light", "dark"])
@for_each("view", ["types&a=int32&b=float32", "types&a=float8_e5m2&b=int4", "systems", "function"])
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
