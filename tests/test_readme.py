"""The pages of the project: their examples give what they say, and their links lead somewhere."""

import re
from pathlib import Path

import pytest

import examples

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "conformance").glob("*.md"))]
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples(page):
    examples.check(examples.of_markdown(page))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files(page):
    links = LINK.findall(page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_first_shell_block_of_the_readme_is_the_two_commands():
    block = re.search(r"^```(\w+)\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert block.groups() == (
        "sh",
        "python -m pip install . && python -m supremum\npython -m pip install '.[test]' && python -m pytest\n",
    )
