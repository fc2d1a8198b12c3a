"""Random numbers of tests: a generator that every test finds as it is here, whichever tests ran before.

Modules draw from it in functions alone: what they draw when they are imported depends on what was imported before.
"""

import numpy as np

RNG = np.random.default_rng(0)
_START = RNG.bit_generator.state


def restart():
    """Set the generator back; tests/conftest.py does it before each test."""
    RNG.bit_generator.state = _START
