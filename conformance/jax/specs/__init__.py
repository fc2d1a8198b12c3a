"""List the calls to record: one module for each family of functions, each with ``calls()``, in the order of recording."""

GROUPS = [
    "operators",
    "elementwise",
    "reductions",
    "creation",
    "manipulation",
    "indexing",
    "searching",
    "linear_algebra",
    "fourier",
    "dtypes",
    "methods",
    "ufunc_methods",
    "remainder",
    "random_numbers",
    "neural",
    "sampling",
    "narrow",
    "narrow_mixed",
    "narrow_functions",
    "scipy_stats",
]
