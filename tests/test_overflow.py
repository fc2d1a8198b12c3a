"""`forbid("overflow")`, traces and the pytest plugin find integers that wrap; exact values are Python's."""

import os
import subprocess
import sys

import pytest
from common import for_each

import supremum as xp

NAMES = {
    "xp": xp,
    "i": xp.full(3, 2**30),
    "u": xp.asarray([200, 100], dtype="uint8"),
    "s": xp.asarray([-128, 7], dtype="int8"),
    "n": xp.asarray([7], dtype="int4"),
    "w": xp.full(3, 2**62, dtype="int64"),
    "m": xp.full((2, 2), 2**20),
}
WRAPS = [
    ("xp.arange(100000) ** 2", "pow", "int32", 46341**2),
    ("i + i", "add", "int32", 2**31),
    ("i * 4", "multiply", "int32", 2**32),
    ("u + 300", "add", "uint8", 500),
    ("u - xp.asarray([201, 0], dtype='uint8')", "subtract", "uint8", -1),
    ("-s", "negative", "int8", 128),
    ("abs(s)", "abs", "int8", 128),
    ("n + 1", "add", "int4", 8),
    ("w * 4", "multiply", "int64", 2**64),
    ("w + w", "add", "int64", 2**63),
    ("xp.square(i)", "square", "int32", 2**60),
    ("xp.sum(i)", "sum", "int32", 3 * 2**30),
    ("i.sum()", "sum", "int32", 3 * 2**30),
    ("xp.prod(xp.full(40, 2))", "prod", "int32", 2**40),
    ("xp.cumsum(i)", "cumsum", "int32", 2**31),
    ("i @ i", "matmul", "int32", 3 * 2**60),
    ("xp.linalg.matmul(m, m)", "matmul", "int32", 2**41),
    ("xp.dot(i, i)", "matmul", "int32", 3 * 2**60),
    ("i.astype('int16')", "astype", "int16", 2**30),
    ("s.astype('uint8')", "astype", "uint8", -128),
    ("i.__iadd__(i)", "add", "int32", 2**31),
    ("(i * -2).__isub__(i)", "sub", "int32", -3 * 2**30),
    ("xp.jax.lax.mul(i, i)", "mul", "int32", 2**60),
    ("xp.matvec(m, m[0])", "matmul", "int32", 2**41),
    ("xp.linalg.multi_dot([m, m])", "matmul", "int32", 2**41),
    ("xp.jax.lax.convert_element_type(i, 'int16')", "convert_element_type", "int16", 2**30),
]
FITS = [
    "xp.arange(1000) ** 2", "i + 5", "i // 2", "xp.mean(i)", "xp.sin(i)", "i > 3",
    "w + 5", "w // 3 * 3", "xp.sum(i, dtype='int64')", "i.astype('int64') * 8", "u.astype('int32') + 300",
    "i.astype('float32')",
    "xp.sort(s)", "xp.ones(3) * 1e30", "s & 3", "xp.sum(xp.asarray([True, True]))", "xp.prod(xp.full(30, 2))",
    "i // 0", "i % 0", "xp.jax.lax.div(i, i * 0)",
    "xp.gcd(i, 6)", "xp.where(i > 0, i, 0)", "xp.maximum(i, -i)",
    "xp.bitwise_invert(i)", "i.view('float32')", "xp.take(i, 0)", "xp.argmax(i)",
    "xp.clip(i, 0, 5)", "xp.max(i)", "xp.sign(i)", "xp.fft.fft(i)",
]  # fmt: skip


@for_each(("code", "operation", "dtype", "exact"), WRAPS)
def test_what_wraps_is_forbidden_at_its_line(code, operation, dtype, exact):
    given = {**NAMES, "i": NAMES["i"].copy()}
    with xp.forbid("overflow"), pytest.raises(OverflowError) as caught:
        eval(compile(code, "user.py", "eval"), given)  # noqa: S307 - the table
    assert str(caught.value).startswith(f"user.py:1: {operation} overflows {dtype}: {float(exact):.17g} became ")
    with xp.trace_promotions() as log:
        eval(compile(code, "user.py", "eval"), given)  # noqa: S307 - the table
    assert ("user.py", 1, operation, dtype) in log.overflows
    assert f"user.py:1: {operation} overflows {dtype}" in str(log)


@for_each("code", FITS)
def test_what_fits_is_not(code):
    with xp.forbid("overflow"), xp.trace_promotions() as log:
        eval(code, dict(NAMES))  # noqa: S307 - the table
    assert log.overflows == {}


def test_an_overflow_is_no_promotion_and_the_other_way_round():
    i = NAMES["i"]
    with xp.forbid("float64"):
        i + i
    with xp.forbid("overflow"):
        i * 1.5
    with xp.forbid("overflow", "float32"):
        with pytest.raises(xp.TypePromotionError):
            i * 1.5
        with pytest.raises(OverflowError):
            i + i


def test_the_trace_counts():
    with xp.trace_promotions() as log:
        for _ in range(3):
            xp.sum(NAMES["i"])
    assert str(log).endswith("sum overflows int32: 3221225472 became -1073741824 (3 times)")
    assert "overflows of integers" in log._repr_html_()


def test_the_plugin(tmp_path):
    (tmp_path / "test_it.py").write_text("import supremum as xp\ndef test_sum():\n    xp.sum(xp.full(3, 2**30))\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "supremum.pytest_plugin"]
    alone = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = [
        subprocess.run([*command, *options], env=alone, cwd=tmp_path, capture_output=True, text=True, check=False)
        for options in ((), ("--supremum-forbid", "overflow"))
    ]
    assert [one.returncode for one in done] == [0, 1]
    assert "test_it.py:3: sum overflows int32" in done[1].stdout
