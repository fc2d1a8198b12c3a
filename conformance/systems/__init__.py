"""Promotion recorded from the packages that have the systems."""
