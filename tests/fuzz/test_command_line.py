"""The command line with bad arguments: a result, or exit status 2 with one line on stderr, never a traceback."""

import os
import random
import subprocess
import sys

from supremum.__main__ import main

#: Calls in the plain run.
CALLS = 300
COMMANDS = ["table", "explain", "lattice", "compare", "laws", "systems", "info", "trace", "tabel", "", "-", "help", "--"]
WORDS = [
    "jax", "numpy", "torch", "nunpy", "JAX", "", " ", "-", "--", "-1", "1", "1e999", "nan", "2**3", "1j", "None", "True",
    "int8", "bfloat16", "float*", "int*", "int7", "float32*", "object", "datetime64[s]", "i4", "<i4", "V5", "é",
    "\0",
    "a" * 5000, "(" * 300, "[" * 90 + "]" * 90, "{1: 2}", "9" * 400, "{}", "%s", "../..", "/", "/nonexistent/file.py", ".",
]  # fmt: skip
FLAGS = [
    "--vs", "--all", "--html", "--json", "--csv", "--system", "--op", "-o", "--output", "--join", "--help", "-h", "--no", "-x",
    "--system=", "--op=divide", "--vs=numpy", "--system=torch", "--output=/nonexistent/x",
]  # fmt: skip


def called(words, capsys):
    """Return the exit status and the messages on stderr."""
    try:
        status = main(words)
    except SystemExit as end:  # argparse's own messages
        status = end.code or 0
    return status, capsys.readouterr().err


def test_bad_arguments_end_with_one_clear_line(budget, seed, count, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = random.Random(f"{seed}/command line")
    for _ in range(CALLS * budget):
        words = [rng.choice(COMMANDS)] if rng.random() < 0.95 else []
        words += [rng.choice(FLAGS) if rng.random() < 0.3 else rng.choice(WORDS) for _ in range(rng.randrange(5))]
        status, complaint = called(words, capsys)
        assert status in (0, 2), words
        assert "Traceback" not in complaint, words
        if status == 2:
            said = complaint.rstrip("\n").splitlines()
            assert said, words
            assert said[-1].startswith("supremum"), (words, complaint)
            usage = ("usage:", " ")  # argparse prints the usage first
        assert all(line.startswith(usage) for line in said[:-1]), (words, complaint)
        count("command line")
        for written in tmp_path.iterdir():  # so that no image is taken for a script
            written.unlink()


def test_bytes_that_are_no_text_end_with_one_clear_line():
    words = [sys.executable, "-m", "supremum", "table", os.fsdecode(b"\xff")]
    done = subprocess.run(words, capture_output=True, timeout=120, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"supremum: ")
    assert b"Traceback" not in done.stderr
