"""A folder in the path of programs under ``python -m supremum run``, and so in that of the processes that they start.

In processes that multiprocessing spawns, which are plain Python, ``import jax`` finds the package `jax` in this folder.
"""
