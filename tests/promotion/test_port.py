"""`promotion.port`: the lines of a program that differ under two systems, their causes, and what to write instead."""

import numpy as np
from common import for_each

import supremum as xp
from supremum.promotion import port
from supremum.promotion._nodes import NODES
from supremum.promotion._port import Step, first_difference


def changes(report):
    return [(change.operation, change.first.rstrip("*"), change.second.rstrip("*"), change.is_cause) for change in report]


def test_a_change_is_a_cause_if_the_operands_are_the_same():
    def program():
        x = xp.asarray([1, 2])
        return xp.sin(x) + 1

    report = port("numpy", "jax", program)
    assert changes(report) == [
        ("asarray", "int64", "int32", True),
        ("sin", "float64", "float32", False),
        ("add", "float64", "float32", False),
    ]
    assert [change.line - program.__code__.co_firstlineno for change in report] == [1, 2, 2]
    assert report.changes[0].advice == "to keep int64, write dtype='int64' in asarray"
    assert not report.changes[1].advice


@for_each(
    ("before", "after"),
    [
        ("xp.mean(i)", "xp.mean(i, dtype='float64')"),
        ("xp.sum(i)", "xp.sum(i, dtype='int64')"),
        ("xp.sin(i)", "xp.sin(i.astype('float64'))"),
        ("i / 2", "i.astype('float64') / 2"),
        ("i * 1.5", "i.astype('float64') * 1.5"),
        ("i * h", "i.astype('float64') * h"),
        ("xp.argmax(i)", "xp.argmax(i).astype('int64')"),
        ("xp.ones(2)", "xp.ones(2, dtype='float64')"),
        ("xp.linalg.norm(i)", "xp.linalg.norm(i.astype('float64'))"),
        ("xp.fft.fft(i).real", "xp.fft.fft(i.astype('complex128')).real"),
    ],
)
def test_who_follows_the_advice_has_no_change(before, after):
    x = {"i": xp.asarray([1, 2], dtype="int32"), "h": xp.asarray([1, 2], dtype="float16"), "xp": xp}
    report = port("numpy", "jax", lambda: eval(before, dict(x)))  # noqa: S307 - of the table above
    advice = next(change.advice for change in report if change.is_cause)
    dtype = advice.split("'")[1]
    assert f"'{dtype}'" in after
    assert ("dtype=" in advice) == ("dtype=" in after)
    assert len(port("numpy", "jax", lambda: eval(after, dict(x)))) == 0  # noqa: S307 - likewise


def test_values_that_differ_beyond_rounding_are_told():
    x = xp.asarray([2**20, 3], dtype="int32")
    report = port("numpy", "jax", lambda: xp.prod(x) * xp.prod(x))
    assert report.changes[0].values == ""
    assert report.changes[1].values == "9895604649984 and 0"  # (3 * 2**20)**2, and that modulo 2**32
    report = port("numpy", "jax", lambda: xp.asarray([1, 3]) / 7)
    assert all(not change.values for change in report)  # float64 and float32, of which only the rounding differs


def test_equal_dtypes_with_other_values_are_a_change():
    x = xp.asarray([300, 5], dtype="int32")
    report = port("numpy", "mlx", lambda: xp.vecdot(xp.asarray([100, 100], dtype="int8"), xp.ones(2, dtype="int8")) + x)
    assert ("vecdot", "int8", "int32", True) in changes(report)
    assert [change.values for change in report if change.operation == "add"] == ["[0] 244 and 500"]


def test_shapes_that_differ_are_told():
    x = xp.asarray([200, 100], dtype="uint8")

    def program():
        total = xp.asarray([1, 2]).dtype.itemsize  # a program that depends on dtypes
        return xp.reshape(xp.ones(8, dtype="uint8"), (total, -1)) + x[:1]

    report = port("numpy", "jax", program)
    assert ("reshape", "uint8[8, 1]", "uint8[4, 2]", True) in changes(report)


def test_an_error_ends_the_comparison():
    x, y = xp.ones(2, dtype="int32"), xp.ones(2)

    def program():
        z = x + y
        return xp.sum(z) * 2

    report = port("jax", "array_api", program)
    assert changes(report) == [("add", "float32", "error", True)]
    assert report.changes[0].advice == "cast an operand first, with .astype('float32')"
    assert isinstance(report.outcomes[1], xp.TypePromotionError)
    assert "array_api: TypePromotionError" in str(report)


def test_a_loop_is_counted():
    def program():
        x = xp.asarray([1, 2], dtype="int8")
        for _ in range(3):
            xp.sin(x)

    report = port("numpy", "jax", program)
    assert [(change.operation, change.times) for change in report] == [("sin", 3)]
    assert "3 times" in str(report)


def test_what_a_branch_leaves_out_is_nothing():
    def program():
        if xp.asarray(1).dtype == xp.int64:
            xp.ones(2, dtype="int8")

    assert ("ones", "int8", "nothing", True) in changes(port("numpy", "jax", program))


@for_each(
    ("first", "second", "expected"),
    [
        (["float32", 1.0, np.nan, np.inf], ["float32", 1.0, np.nan, np.inf], ""),
        (["float32", 1.0, 0.1], ["float64", 1.0, 0.1], ""),
        (["float32", 0.0], ["float32", -0.0], ""),
        (["float32", 1.0, 2.0], ["float32", 1.0, 2.25], "[1] 2.0 and 2.25"),
        (["float16", 1.0, 2.0], ["float64", 1.0, 2.01], ""),  # some units in the last place of float16
        (["float32", np.nan], ["float32", 0.0], "[0] nan and 0.0"),
        (["float32", np.inf], ["float32", 1.0], "[0] inf and 1.0"),
        (["complex64", 1 + 1j], ["complex64", 1 - 1j], "[0] (1+1j) and (1-1j)"),
        (["uint64", 2**64 - 1], ["int64", -1], "[0] 18446744073709551615 and -1"),
        (["int64", 2**53 + 1], ["int64", 2**53], "[0] 9007199254740993 and 9007199254740992"),
        (["bool", True], ["int32", 1], ""),
    ],
)
def test_results_are_compared_up_to_rounding(first, second, expected):
    def step(dtype, *values):
        return Step("", 1, "f", (), NODES[dtype], (len(values),), np.asarray(values, dtype))

    assert first_difference(step(*first), step(*second)) == expected


def test_large_arrays_are_compared_by_some_of_their_elements():
    sizes = iter([0, 1])
    report = port("jax", "jax_strict", lambda: xp.arange(100_000) + next(sizes))
    assert report.changes[0].values == "[0] 0 and 1"


def test_the_page_has_the_source_beside(tmp_path):
    script = tmp_path / "program.py"
    script.write_text("import supremum as xp\nx = xp.asarray([1, 2])  # <first>\n")
    code = compile(script.read_text(), str(script), "exec")
    report = port("numpy", "jax", lambda: exec(code, {}))  # noqa: S102 - the program above
    page = report.to_html()
    assert page.startswith("<!doctype html>")
    assert "x = xp.asarray([1, 2])  # &lt;first&gt;" in page
    assert "int64 \u2192 int32" in page
    assert "write dtype=&#x27;int64&#x27; in asarray" in page
    assert "http" not in page  # nothing is loaded
    assert report._repr_html_() in page
    assert repr(report) == "<port from numpy to jax: 1 lines differ>"
