"""Drawings of lattices contain every node and edge; nothing overlaps, and no edge crosses a box."""

import functools
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from common import for_each

from supremum.promotion import Lattice, LatticeError, systems
from supremum.promotion._drawing import _HEIGHT, draw
from supremum.promotion._nodes import COMMON

LATTICES = {name: system.lattice for name, system in systems.items() if system.lattice is not None}
SVG = "{http://www.w3.org/2000/svg}"


def common(lattice):
    return [name for name in lattice.nodes if name in COMMON or name.endswith("*")]


ROOT = Path(__file__).parents[2]


@functools.cache
def drawings():
    found = []
    for name, lattice in LATTICES.items():
        found.append((name, draw(lattice, None, (), ()), lattice))
        if len(common(lattice)) < len(lattice.nodes):
            shown = lattice.restricted(common(lattice))
            found.append((f"{name}, common", draw(lattice, common(lattice), (), ()), shown))
    return found


def along(curve, steps=24):
    """Return points on a curve of cubic Bézier segments with vertical tangents at the ends."""
    for (x0, y0), (x1, y1) in pairwise(curve.points):
        middle = (y0 + y1) / 2
        for i in range(steps + 1):
            t = i / steps
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            yield (
                sum(w * x for w, x in zip(weights, (x0, x0, x1, x1), strict=True)),
                sum(w * y for w, y in zip(weights, (y0, middle, middle, y1), strict=True)),
            )


@for_each("name, drawing, lattice", drawings)
def test_every_node_and_every_cover_is_drawn_once(name, drawing, lattice):
    assert sorted(box.name for box in drawing.boxes) == sorted(lattice.nodes)
    tops = {(box.x, box.y - _HEIGHT / 2): box.name for box in drawing.boxes}
    bottoms = {(box.x, box.y + _HEIGHT / 2): box.name for box in drawing.boxes}
    drawn = sorted((tops[curve.points[0]], bottoms[curve.points[-1]]) for curve in drawing.curves)
    assert drawn == sorted((low, high) for low, above in lattice.covers.items() for high in above)


@for_each("name, drawing, lattice", drawings)
def test_boxes_do_not_overlap_and_are_inside(name, drawing, lattice):
    for one, two in combinations(drawing.boxes, 2):
        apart = abs(one.y - two.y) >= _HEIGHT + 6 or abs(one.x - two.x) >= (one.width + two.width) / 2 + 6
        assert apart, (one.name, two.name)
    for box in drawing.boxes:
        assert box.width / 2 <= box.x <= drawing.width - box.width / 2
        assert _HEIGHT / 2 <= box.y <= drawing.height - _HEIGHT / 2
        assert box.width >= 7.9 * len(box.name) + 10  # the text fits


@for_each("name, drawing, lattice", drawings)
def test_edges_lead_up_and_pass_no_box(name, drawing, lattice):
    for curve in drawing.curves:
        assert curve.points[0][1] > curve.points[-1][1]
        for x, y in along(curve):
            for box in drawing.boxes:
                inside = abs(x - box.x) < box.width / 2 + 3 and abs(y - box.y) < _HEIGHT / 2 - 0.01
                assert not inside, (curve.points, box.name)


@for_each("name", LATTICES)
def test_svg_is_well_formed_and_needs_nothing_else(name):
    text = LATTICES[name].to_svg()
    assert text == LATTICES[name]._repr_svg_()
    root = ET.fromstring(text)  # noqa: S314  # our own
    assert root.tag == f"{SVG}svg"
    names = {one.text for one in root.iter(f"{SVG}text")}
    assert set(LATTICES[name].nodes) <= names
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    weak = [node for node in LATTICES[name].nodes if node.endswith("*")]
    dashed = [one for one in root.iter(f"{SVG}rect") if one.get("stroke-dasharray")]
    assert len(dashed) == len(weak)
    assert ("dashed: weak types" in text) == bool(weak)


def test_the_picture_of_the_readme_is_legible_on_a_phone_and_what_the_command_draws():
    lattice = LATTICES["jax"]
    text = lattice.to_svg(nodes=common(lattice), join=["uint8", "int8"])
    assert text == (ROOT / "docs" / "images" / "lattice.svg").read_text(encoding="utf-8")
    assert draw(lattice, common(lattice), ("uint8", "int8"), ()).width <= 400  # so that it is not scaled down


def test_a_join_is_lit_with_the_ways_to_it():
    lattice = LATTICES["jax"]
    drawing = draw(lattice, common(lattice), ("int8", "uint16"), ())
    assert {box.name for box in drawing.boxes if box.lit} == {"int8", "uint16", "int16", "int32"}
    assert sum(curve.lit for curve in drawing.curves) == 3
    assert "int8 + uint16 is int32" in lattice.to_svg(join=["int8", "uint16"])


def test_a_path_is_lit():
    drawing = draw(LATTICES["python"], None, (), ("int*", "complex*"))
    assert all(box.lit for box in drawing.boxes)
    assert all(curve.lit for curve in drawing.curves)
    with pytest.raises(ValueError, match="two ends, not 1"):
        LATTICES["python"].to_svg(path=["int*"])


def test_what_cannot_be_drawn_is_said():
    with pytest.raises(LatticeError, match="'int7' is not a node"):
        LATTICES["jax"].to_svg(nodes=["int7"])
    with pytest.raises(LatticeError, match="no upper bound"):
        LATTICES["jax"].to_svg(join=["int4", "int8"])


def test_any_lattice_may_be_drawn():
    assert ET.fromstring(Lattice({}).to_svg()) is not None  # noqa: S314  # our own
    text = Lattice({"<a&b>": [("tu", "ple")], 3: [("tu", "ple")]}).to_svg()
    names = [one.text for one in ET.fromstring(text).iter(f"{SVG}text")]  # noqa: S314  # our own
    assert sorted(names) == ["('tu', 'ple')", "3", "<a&b>"]


def test_plot_draws_the_same_with_matplotlib():
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib (the extra 'plot') is not installed")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    ax = LATTICES["jep9407"].plot(join=["int8", "uint8"])
    assert {text.get_text() for text in ax.texts} == set(LATTICES["jep9407"].nodes)
    edges = sum(len(above) for above in LATTICES["jep9407"].covers.values())
    assert len(ax.patches) == edges + len(LATTICES["jep9407"].nodes)
    _, own = plt.subplots()
    assert LATTICES["python"].plot(own) is own
    plt.close("all")


def test_plot_without_matplotlib_says_what_to_install():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from supremum.promotion import systems\n"
        "try: systems['python'].lattice.plot()\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "plot needs matplotlib: pip install 'supremum[plot]'; to_svg() and .svg files do without it\n"
