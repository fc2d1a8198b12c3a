"""Reductions, averages and quantiles."""
