"""Include pages of the repository in the site, and rebase links between the site and the repository.

``{include} ../x.md`` shows that page, without its heading if the including page has one of its own. A relative link to a file
of the repository becomes a link to the page of the site that includes the file; else a link to the file in the repository that
``pyproject.toml`` names; else plain text.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

DOCS = Path(__file__).resolve().parents[1]
ROOT = DOCS.parent
INCLUDE = re.compile(r"^```\{include\} (\S+)\n```$", re.MULTILINE)
HEADING = re.compile(r"# .*\n")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")
IMAGE = re.compile(r"!\[([^\]]*)\]\((?!https?:)([^)\s]+)\)")

URLS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"].get("urls", {})
REPOSITORY = next((URLS[name] for name in ("Source", "Repository", "source", "repository") if name in URLS), None)


def _included() -> dict[Path, Path]:
    """Return the files of the repository that the site includes, each with its page."""
    found = {page: INCLUDE.search(page.read_text(encoding="utf-8")) for page in DOCS.glob("*.md")}
    return {(page.parent / match[1]).resolve(): page for page, match in found.items() if match}


def rebased(text: str, source: Path, page: Path, shown: dict[Path, Path]) -> str:
    """Return the text of the file `source`, with its links rewritten for the page `page`."""

    def relative(file: Path) -> str:
        return Path(os.path.relpath(file, page.parent)).as_posix()

    def link(match: re.Match[str]) -> str:
        words, target, anchor = match[1], match[2], match[3] or ""
        file = (source.parent / target).resolve()
        file = shown.get(file, file)
        if file.is_relative_to(DOCS):
            return f"[{words}]({relative(file)}{anchor})"
        if REPOSITORY is None:
            return words
        return f"[{words}]({REPOSITORY}/blob/main/{file.relative_to(ROOT).as_posix()}{anchor})"

    text = IMAGE.sub(lambda match: f"![{match[1]}]({relative((source.parent / match[2]).resolve())})", text)
    return LINK.sub(link, text)


def _read(app: Sphinx, docname: str, content: list[str]) -> None:
    shown, page = _included(), DOCS / f"{docname}.md"
    match = INCLUDE.search(content[0])
    if match is None:
        content[0] = rebased(content[0], page, page, shown)
        return
    source = (DOCS / match[1]).resolve()
    app.env.note_dependency(str(source))
    text = rebased(source.read_text(encoding="utf-8"), source, page, shown)
    before = rebased(content[0][: match.start()], page, page, shown)
    content[0] = before + (HEADING.sub("", text, count=1) if HEADING.match(before) else text)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the function that rewrites links in each page."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
