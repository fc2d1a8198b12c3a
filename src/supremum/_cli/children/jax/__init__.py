"""What ``import jax`` finds in the processes that a program under ``python -m supremum run`` spawns: `supremum.jax`."""

import sys

from supremum.jax import install

if __name__ == "jax":
    del sys.modules["jax"]  # this module, which `install` would take for another jax
    install()
