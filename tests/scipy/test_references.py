"""Special functions and distributions in float64, compared with SciPy's results."""

import contextlib
import json
from pathlib import Path

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum.scipy import special, stats

REFERENCES = json.loads((Path(__file__).parent / "references.json").read_text())
#: Results that SciPy itself, or a logarithm near 0, has with fewer digits.
LOOSE = {"beta.logcdf": 1e-8, "hyp2f1": 1e-10, "expi": 1e-12, "gammainc": 3e-12, "gammaincc": 3e-12}


def check(function, calls, name):
    *arguments, expected = map(list, zip(*calls, strict=True))
    with xp.config.use(x64="on"):
        found = function(*[xp.asarray(x) for x in arguments])
        values = np.stack([np.asarray(part) for part in found], -1) if isinstance(found, tuple) else np.asarray(found)
    assert values.dtype == np.float64
    np.testing.assert_allclose(values, np.array(expected), rtol=LOOSE.get(name, 2e-13), atol=1e-300)


@for_each("name", sorted(REFERENCES["special"]))
def test_special_function(name):
    check(getattr(special, name), REFERENCES["special"][name], name)


@for_each("name", sorted(REFERENCES["stats"]))
def test_distribution(name):
    module, _, function = name.partition(".")
    check(getattr(getattr(stats, module), function), REFERENCES["stats"][name], name)


@pytest.mark.combinations
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("name", sorted(REFERENCES["stats"]))
def test_distribution_rounds_once(name, dtype):
    module, _, function = name.partition(".")
    if module == "truncnorm" or (module == "norm" and "pdf" not in function):
        with pytest.raises(TypeError, match="float32") if dtype != "float32" else contextlib.nullcontext():
            getattr(getattr(stats, module), function)(xp.ones(2, dtype=dtype), *[0.5, 1.5][: 2 * (module == "truncnorm")])
        return
    compute = getattr(getattr(stats, module), function)
    *arguments, _ = zip(*REFERENCES["stats"][name], strict=True)
    with xp.config.use(x64="on"):
        given = [xp.asarray(list(x), dtype=dtype) for x in arguments]
        found, wide = compute(*given), compute(*[x.astype("float64") for x in given])
        assert found.dtype == dtype
        np.testing.assert_array_equal(np.asarray(found).astype(float), np.asarray(wide.astype(dtype)).astype(float))
