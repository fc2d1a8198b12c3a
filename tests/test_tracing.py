import inspect
import subprocess
import sys
import threading

import numpy as np
import pytest

import supremum as xp
from supremum import config


def here() -> int:
    return inspect.currentframe().f_back.f_lineno


def test_a_promotion_is_recorded_with_its_place_count_and_bytes():
    a, b = xp.ones(100, dtype="int32"), xp.ones(100, dtype="bfloat16")
    with xp.trace_promotions() as log:
        line = here() + 2
        for _ in range(3):
            a * b
    (record,) = log.records
    assert record.operands == ("int32", "bfloat16")
    assert record.result == "bfloat16"
    assert record.operation == "multiply"
    assert (record.file, record.line) == (__file__, line)
    assert record.count == 3
    assert record.nbytes == 3 * 100 * 2
    assert any("257" in hazard for hazard in record.hazards)  # the first integer that bfloat16 does not represent
    assert f"{__file__}:{line}" in str(log)


def test_a_promotion_is_recorded_with_the_function_that_was_called():
    x, y = xp.ones(2), xp.ones(2, dtype="int8")
    with xp.trace_promotions() as log:
        xp.where(xp.asarray([True, False]), x, y)
        xp.stack([x, y])
        xp.vdot(x, y)
        xp.equal(x, y)
    assert {record.operation for record in log.records} == {"where", "stack", "vdot", "equal"}


def test_what_keeps_its_dtype_is_no_promotion():
    x = xp.ones(3)
    with xp.trace_promotions() as log:
        x + x
        x * 2.5
        2 - x
        x > 1
        xp.sin(x)
        xp.asarray([1], dtype="int8") + 1
    assert len(log) == 0
    assert str(log) == "no implicit promotions"
    assert repr(log) == "<0 implicit promotions>"
    with xp.trace_promotions() as log:
        xp.arange(3) + xp.ones(3)
    assert repr(log) == "<1 implicit promotion>"


def test_a_python_scalar_may_promote_an_array():
    with xp.trace_promotions() as log:
        xp.arange(4) * 1.5
        xp.ones(4, dtype="bfloat16") * 2
    (record,) = log.records
    assert (record.operands, record.result, record.nbytes) == (("int32", "float*"), "float32*", 16)
    with xp.forbid(), pytest.raises(xp.TypePromotionError, match=r"multiply of int32 and float\* promotes to float32\*"):
        xp.arange(4) * 1.5


@pytest.mark.parametrize(
    ("compute", "operands", "result"),
    [
        (lambda i, f: i + 2.5, ("int32", "float*"), "float32*"),
        (lambda i, f: i / i, ("int32", "int32"), "float32"),
        (lambda i, f: xp.sin(i), ("int32",), "float32"),
        (lambda i, f: xp.where(f > 0, i, f), ("int32", "float32"), "float32"),
        (lambda i, f: xp.concat([i, f]), ("int32", "float32"), "float32"),
        (lambda i, f: i @ f, ("int32", "float32"), "float32"),
        (lambda i, f: np.ones(2) + f, ("float64", "float32"), "float64"),
    ],
)
def test_operators_and_functions_alike(compute, operands, result):
    i, f = xp.asarray([1, 2]), xp.asarray([1.0, 2.0])
    with xp.trace_promotions() as log:
        compute(i, f)
    assert [(sorted(record.operands), record.result) for record in log] == [(sorted(operands), result)]


def test_nothing_is_recorded_outside():
    i, f = xp.asarray([1]), xp.asarray([1.0])
    with xp.trace_promotions() as log:
        pass
    i + f
    thread_log = []

    def work():
        i + f
        thread_log.append(len(log))

    with xp.trace_promotions() as log:
        f + f
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    # From Python 3.14 on, threads of free-threaded builds inherit the context of the thread that starts them.
    assert thread_log == [getattr(sys.flags, "thread_inherit_context", 0)]


def test_records_are_sorted_by_bytes():
    small, large = xp.ones(2, dtype="int32"), xp.ones(1000, dtype="int32")
    with xp.trace_promotions() as log:
        small + 0.5
        large + 0.5
    assert [record.nbytes for record in log] == [4000, 8]


def test_forbid_raises_at_the_line_and_leaves_the_rest_alone():
    f, d = xp.ones(2), xp.ones(2, dtype="float64")
    with xp.forbid("float64"):
        f * 2.0
        d * d  # no operand is promoted: one has the result's dtype
        with pytest.raises(xp.TypePromotionError, match=r"test_tracing.py:\d+: multiply of float32 and float64"):
            f * d
    assert (f * d).dtype == "float64"


def test_forbid_without_dtypes_forbids_every_promotion():
    with xp.forbid(), pytest.raises(xp.TypePromotionError, match="float32"):
        xp.asarray([1]) + 0.5


def test_forbid_refuses_what_is_no_dtype():
    with pytest.raises(TypeError), xp.forbid("float65"):
        pass


def test_port_lists_the_lines_that_change():
    def program(x):
        y = x + 0.5
        return y * 2

    x = xp.asarray([1, 2], dtype="int16")
    report = xp.promotion.port("numpy", "jax", program, x)
    assert [(c.operation, c.first, c.second) for c in report] == [
        ("add", "float64", "float32*"),
        ("multiply", "float64", "float32*"),
    ]
    assert [c.line for c in report] == [program.__code__.co_firstlineno + 1, program.__code__.co_firstlineno + 2]
    assert [outcome.dtype.name for outcome in report.outcomes] == ["float64", "float32"]
    assert "numpy" in str(report)
    assert len(xp.promotion.port("jax", "jax", program, x)) == 0


def test_port_shows_an_error_under_one_system():
    report = xp.promotion.port("jax", "jax_strict", lambda x, y: x + y, xp.ones(1), xp.ones(1, dtype="int8"))
    assert [change.second for change in report] == ["error"]
    assert isinstance(report.outcomes[1], xp.TypePromotionError)


def test_tracing_follows_the_system_in_force():
    with config.use(promotion="numpy"), xp.trace_promotions() as log:
        xp.asarray([1], dtype="int32") + xp.asarray([1], dtype="float16")
    assert [record.result for record in log] == ["float64"]


def test_a_whole_program_is_traced(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import sys, supremum as xp\nprint(sys.argv[1:])\nxp.asarray([1, 2]) + 0.5\n")
    done = subprocess.run(
        [sys.executable, "-m", "supremum", "trace", str(script), "-x", "1"], capture_output=True, text=True, check=True
    )
    assert "['-x', '1']" in done.stdout
    assert "script.py:3" in done.stdout
