"""Calls recorded from `jax.numpy` and its kin, and their replay."""
