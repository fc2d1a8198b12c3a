"""The extension module is used where it was compiled and NumPy has what it relies on; else the reason is said."""

import os
import subprocess
import sys

import pytest

from supremum._base.buffers import native, why_not

compiled = pytest.mark.skipif(native is None, reason="the extension module is not compiled, or was not chosen")
RESULTS = """
import supremum as xp
from supremum._base.buffers import native, why_not
print(xp.__engine__, native is None, why_not, sep="|")
print((xp.arange(3) + xp.ones(3, dtype="bfloat16")).dtype, xp.sort(xp.asarray([3, 1, 2])).tolist())
"""


def run(code, **variables):
    """Run code in a Python process, and return its lines."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SUPREMUM_")}
    done = subprocess.run(
        [sys.executable, "-c", code], env={**environment, **variables}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_the_reason_is_that_of_this_process():
    assert (native is None) == bool(why_not)


@pytest.mark.parametrize("value", ["1", "yes"])
def test_the_reference_engine_is_chosen(value):
    assert run(RESULTS, SUPREMUM_PURE=value) == [f"reference|True|SUPREMUM_PURE={value} chose it", "bfloat16 [1, 2, 3]"]


def test_an_installation_without_the_module():
    hide = "import sys; sys.modules['supremum._native'] = None\n"
    (first, second) = run(hide + RESULTS)
    assert first == "reference|True|none in C was compiled: with a C compiler, install again"
    assert second == "bfloat16 [1, 2, 3]"


@compiled
def test_the_engine_in_c():
    assert run(RESULTS) == ["native|False|", "bfloat16 [1, 2, 3]"]


#: Changes NumPy while the extension module is imported, as another version of it might be, and then back.
CHANGED = """
import sys, numpy as np
class Change:
    def find_spec(self, name, *_):
        if name == "supremum._native":
            self.kept = vars(np).copy(), np.lib.tracemalloc_domain
            exec({change!r})
        elif hasattr(self, "kept"):
            kept, np.lib.tracemalloc_domain = self.kept
            vars(np).update(kept)
sys.meta_path.insert(0, Change())
"""


@compiled
@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("np.add = np.multiply", "the loop of numpy.add for int8"),
        ("np.add = None", "the loop of numpy.add for bool"),
        ("np.add = np.frompyfunc(lambda a, b: a + b, 2, 1)", "the loop of numpy.add for bool"),
        ("del np.sin", "the name of numpy.sin"),
        ("np.sin = np.cos", "the name of numpy.sin"),
        ("np.maximum = np.minimum", "the name of numpy.maximum"),
        ("np.lib.tracemalloc_domain = 5", "the number of numpy.lib.tracemalloc_domain"),
        ("np.lib.tracemalloc_domain = '5'", "the number of numpy.lib.tracemalloc_domain"),
    ],
)
def test_numpy_does_not_have_what_the_engine_relies_on(change, what):
    code = CHANGED.format(change=change)
    reason = f"the engine in C relies on what NumPy does not have: {what}"
    results, values, *rows = run(code + RESULTS + "\nimport supremum.__main__ as m\nm.main(['info'])")
    assert (results, values) == (f"reference|True|{reason}", "bfloat16 [1, 2, 3]")
    assert f"reference, in Python, slower than the one in C ({reason})" in [row.partition(" ")[2].strip() for row in rows]


@pytest.mark.parametrize("popped", ["supremum._native", "supremum", "numpy", "supremum._core.engine"])
def test_python_ends_well_after_a_module_is_removed(popped):
    code = f"import sys, supremum as xp; x = xp.ones(3) + 1; sys.modules.pop({popped!r}, None); y = x * 2"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
