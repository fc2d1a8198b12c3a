"""Comparisons of supremum with the standard, with JAX and with other libraries: `python -m conformance`, in the repository."""
