"""A notebook that a kernel runs: what its cells show, and what is completed."""

import pytest

nbclient = pytest.importorskip("nbclient", reason="nbclient, which runs notebooks, is not installed")
nbformat = pytest.importorskip("nbformat", reason="nbformat, which comes with nbclient, is not installed")
pytest.importorskip("ipykernel", reason="ipykernel, the kernel of the notebook, is not installed")

CELLS = {
    "import supremum as xp\nx = xp.asarray([[0.041, 1.5], [100.3, 2]], dtype='bfloat16')\nx": "Array of bfloat16, shape",
    "print(x)": "[[0.041   1.5]\n [100.5     2]]\n",
    "with xp.trace_promotions() as log:\n    x + xp.ones(2)\nlog": "1 implicit promotion<",
    "xp.promotion.systems['numpy'].laws()": "laws of numpy",
    "xp.promotion.systems": "26 promotion systems",
    "xp.promotion.compare('jax', 'torch', nodes='common')": "<details>",
    "xp.config": "supremum.config",
    "xp.promotion.port('numpy', 'jax', lambda a: a * 0.5, xp.arange(3))": "text-align: left",
    "a = xp.asarray([3.0, 1.0])\na.sort()\n_ = 1": "PortingWarning: Array.sort",
    "x.sum(axis=7)": "sum: axis 7 is out of bounds for array of dimension 2",
}


@pytest.fixture(scope="module")
def notebook():
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    nbclient.NotebookClient(book, timeout=120, allow_errors=True, kernel_name="python3").execute()
    return book


@pytest.mark.parametrize("number", range(len(CELLS)), ids=lambda number: list(CELLS)[number].splitlines()[-1])
def test_cells(notebook, number):
    [output] = notebook.cells[number].outputs
    data = output.get("data", {})
    shown = output.get("text") or data.get("text/html") or "\n".join(output.get("traceback", ()))
    assert list(CELLS.values())[number] in shown


def test_the_traceback_is_of_the_cell(notebook):
    [output] = notebook.cells[-1].outputs
    assert output.ename == "AxisError"
    assert "normalize_axis" not in "\n".join(output.traceback)
