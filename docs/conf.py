"""Configure Sphinx: ``sphinx-build -W --keep-going -b html docs docs/_build``."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
# Use the sources, not an installed package.
sys.path[:0] = [str(HERE / "_extensions"), str(HERE.parent / "src")]

from supremum import __version__  # noqa: E402 - the line above adds its folder

project = "supremum"
author = "the authors of supremum"
copyright = author
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "explorer",
    "reference",
    "repository",
]
exclude_patterns = ["_build"]
nitpicky = False  # docstrings put parameters and dtypes into single backticks, like functions

# A name in single backticks is a link if the reference has an entry of that name, and code otherwise.
default_role = "py:obj"
add_module_names = False
autodoc_typehints = "none"  # the docstrings describe types in words
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
toc_object_entries_show_parents = "hide"

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
pygments_style = "tango"
pygments_dark_style = "github-dark"

html_theme = "furo"
html_title = "supremum"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
