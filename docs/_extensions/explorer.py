"""Build the explorer of promotion into the site, and define the directive ``explorer``: links to some of its states."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

#: The page in the site; pages of the documentation are in the folder above.
PAGE = "_static/promotion-explorer.html"
#: Links that the directive shows, each with its state.
LINKS = (
    ("Open the explorer", ""),
    ("int8 + uint8 in JAX", "#view=types&system=jax&a=int8&b=uint8"),
    ("int32 + float16 in NumPy", "#view=types&system=numpy&a=int32&b=float16"),
    ("JAX and NumPy", "#view=systems&system=jax&with=numpy&a=int32&b=float32"),
    ("sin of integers", "#view=function&function=sin&system=numpy&a=int8&base=jax"),
)


class Explorer(Directive):
    """A paragraph of links to the explorer, which only the HTML site has."""

    def run(self) -> list[nodes.Node]:
        """Return the paragraph."""
        links = "".join(f'<li><a href="{PAGE}{state}">{text}</a></li>' for text, state in LINKS)
        return [nodes.raw("", f'<ul class="explorer">{links}</ul>'.replace("&", "&amp;"), format="html")]


def _build(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        from supremum._cli.exploring import page

        file = Path(app.outdir) / PAGE
        file.parent.mkdir(exist_ok=True)
        file.write_text(page(), encoding="utf-8")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive, and the function that makes the page when the site is built."""
    app.add_directive("explorer", Explorer)
    app.connect("build-finished", _build)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
