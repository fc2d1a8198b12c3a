"""Clients are optional: each file skips itself where its client is not installed."""

import os

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # SciPy asks for it before it is first imported
os.environ.setdefault("MPLBACKEND", "Agg")
