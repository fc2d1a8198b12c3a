"""Clients are optional: each file is skipped if its client is not installed."""

import os

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # SciPy reads it when it is imported
os.environ.setdefault("MPLBACKEND", "Agg")
