"""Manipulation functions: the standard's and the further ones of jax.numpy, a module for each theme."""

# ruff: noqa: F403 - each module's __all__ is the list of what it gives

from supremum.manipulation import axes, editing, joining, padding, repeating, shapes, splitting
from supremum.manipulation.axes import *
from supremum.manipulation.editing import *
from supremum.manipulation.joining import *
from supremum.manipulation.padding import *
from supremum.manipulation.repeating import *
from supremum.manipulation.shapes import *
from supremum.manipulation.splitting import *

_MODULES = (axes, editing, joining, padding, repeating, shapes, splitting)
__all__ = sorted(name for module in _MODULES for name in module.__all__)  # noqa: PLE0605 - a list all the same
