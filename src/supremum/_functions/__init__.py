"""The functions of the namespace: a module or package for each section of the standard or theme of jax.numpy."""
