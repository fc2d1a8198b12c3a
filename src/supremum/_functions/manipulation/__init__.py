"""Manipulation functions: the standard's and the further ones of jax.numpy, a module for each theme."""
