"""Python's own numbers: what document 002 begins with."""

from supremum.promotion._system import SystemData

SYSTEMS = {
    "python": SystemData(
        edges={"int*": ["float*"], "float*": ["complex*"]},
        title="Python's int, float and complex",
        package="python",
        version="3",
        date="2021",
        fold="join",
        inexact={"int*": "float*"},
        notes="Document 002 leaves bool out, which adds as an int in Python: True + True is 2.",
    ),
}
