"""Each row of the table of settings takes effect everywhere: a new row is tested as soon as it is there."""

import json
import os
import subprocess
import sys

import pytest
from common import for_each

from supremum import config
from supremum._core import engine
from supremum._core.config import Config
from supremum._core.setting_rows import DEFAULTS, OWN, SETTINGS, ProcessSetting, Settings
from supremum._core.settings import State, state

#: Two values of each setting whose values are not listed in its row.
EXAMPLES = {"promotion": ("numpy", "jax"), "threads": (2, 3), "pool": (1 << 20, 1 << 21)}
OF_CONTEXTS = [name for name, row in SETTINGS.items() if not isinstance(row, ProcessSetting)]


def examples(name):
    """Return the values to try: as they are given, each with what users read then."""
    row = SETTINGS[name]
    values = EXAMPLES[name] if callable(row.values) else list(row.values)
    assert len(set(values)) > 1
    return [(value, "warn" if value == "error" else value) for value in values]  # of the aliases, one has a synonym


def read(name):
    value = getattr(config, name)
    assert config.read(name) is value
    return getattr(value, "name", value)


@pytest.fixture(autouse=True)
def _explicit():
    kept = {row.name: row.value() for row in OWN}
    yield
    for name, value in kept.items():
        config.update(name, value)
    for row in SETTINGS.values():
        if row.default is not ...:
            config.update(row.name, row.default)


def test_the_table_is_the_only_list():
    """What users can set, what states combine, and the attributes of `config` are its rows, and no others."""
    assert {name for name in vars(Config) if isinstance(vars(Config)[name], property)} == {"values", "x64_enabled"}
    assert set(SETTINGS) == {name for name in vars(Settings) if not name.startswith("__")}
    assert {SETTINGS[name].of for name in OF_CONTEXTS} <= set(DEFAULTS)
    assert all(hasattr(State, name) for name in DEFAULTS)
    hidden = [name for name in State.__slots__ if name != "__weakref__" and hasattr(engine.State, name)]
    assert not hidden, "the engine would not see them"
    assert all(row.__doc__ for row in SETTINGS.values())
    for name in DEFAULTS:
        assert name in State.__annotations__, f"State has no type for {name}"


@for_each("name", OF_CONTEXTS)
def test_each_takes_effect_in_use(name):
    before = read(name)
    for value, shown in examples(name):
        with config.use(**{name: value}):
            assert read(name) == shown
            found = state()
        with config.use(**{name: value}):
            assert state() is found
        assert read(name) == before


@for_each("name", SETTINGS)
def test_each_takes_effect_in_update_and_as_an_attribute(name):
    for value, shown in examples(name):
        config.update(name, value)
        assert read(name) == shown
    config.update(name, examples(name)[0][0])
    for value, shown in examples(name):
        setattr(config, name, value)
        assert read(name) == shown


@for_each("name", [row.name for row in SETTINGS.values() if row.default is not ...])
def test_each_makes_another_state(name):
    states = set()
    for value, _ in examples(name):
        with config.use(**{name: value}):
            states.add(state())
    assert len(states) == len(examples(name))


@pytest.mark.parametrize("name", [row.name for row in OWN if not isinstance(row, ProcessSetting)])
def test_each_is_in_the_representation(name):
    for value, _ in examples(name):
        with config.use(**{name: value}):
            assert f"{name}={value!r}" in repr(config)


@for_each("name", SETTINGS)
def test_each_refuses_other_values(name):
    for value in (None, "no such value", -1, [], 1.5):
        with pytest.raises((TypeError, ValueError), match=f"^config: ({name} must be|.* is no promotion system|there is no)"):
            config.update(name, value)


def word(name, value):
    assert SETTINGS[name].parse(str(value)) == value
    return str(value)


@pytest.mark.parametrize("last", [False, True])
def test_each_is_read_from_the_environment_and_from_the_command_line(last):
    """All at once, for each call starts a process: once with the first value of each, once with the last."""
    chosen = {name: examples(name)[-1 if last else 0] for name in SETTINGS if SETTINGS[name].own}
    clean = {key: text for key, text in os.environ.items() if not key.startswith(("SUPREMUM_", "JAX_"))}
    clean |= {key: text for key, text in os.environ.items() if key == "SUPREMUM_PURE"}
    given = {f"SUPREMUM_{name.upper()}": word(name, value) for name, (value, _) in chosen.items()}
    names = [row.name for row in OWN]
    code = (
        f"import json, supremum; print(json.dumps([getattr(supremum.config, n) for n in {names}], default=lambda s: s.name))"
    )
    seen = run([sys.executable, "-c", code], clean | given)
    assert dict(zip(names, json.loads(seen), strict=True)) == {name: shown for name, (_, shown) in chosen.items()}
    options = [text for name, (value, _) in chosen.items() for text in (f"--{name.replace('_', '-')}", word(name, value))]
    seen = run([sys.executable, "-m", "supremum", *options, "info"], clean)
    for name, (_, shown) in chosen.items():
        assert f"config.{name} {shown}" in [" ".join(line.split()) for line in seen.splitlines()]


def run(command, environment):
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_jaxs_names_are_read_from_jaxs_environment_where_programs_of_jax_run(tmp_path):
    script = tmp_path / "program.py"
    jaxs = [name for name in SETTINGS if name.startswith("jax_") and name != "jax_explicit_x64_dtypes"]
    script.write_text(f"import jax\nprint([getattr(jax.config, name) for name in {jaxs}])\n")
    chosen = [examples(name)[-1][0] if name != "jax_enable_x64" else True for name in jaxs]
    given = {name.upper(): str(value) for name, value in zip(jaxs, chosen, strict=True)}
    assert run([sys.executable, "-m", "supremum", "run", str(script)], os.environ | given).strip() == str(chosen)
    failed = [sys.executable, "-m", "supremum", "run", str(script)]
    done = subprocess.run(failed, env=os.environ | {"JAX_DEBUG_NANS": "?"}, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "JAX_DEBUG_NANS" in done.stderr


def test_an_option_wins_over_the_settings_of_jax(tmp_path):
    script = tmp_path / "program.py"
    script.write_text("import jax\nprint(jax.config.x64, jax.config.out_of_range, jax.config.mutable)\n")
    command = [sys.executable, "-m", "supremum", "--out-of-range", "raise", "--x64", "on", "run", str(script)]
    assert run(command, dict(os.environ)).strip() == "on raise False"


def test_an_option_with_a_bad_value_ends_the_command():
    command = [sys.executable, "-m", "supremum", "--x64", "maybe", "info"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "supremum: config: x64 must be 'explicit', 'on' or 'off', got 'maybe'\n"


def test_true_is_a_word_for_64_bits():
    with pytest.raises(ValueError, match=r"^config: x64 must be 'explicit', 'on' or 'off', got True; True is 'on'$"):
        config.x64 = True
    with pytest.raises(ValueError, match=r"got False; False is 'off'$"):
        config.update("x64", False)
