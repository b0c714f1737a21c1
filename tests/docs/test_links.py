"""Links between the pages lead to files and headings that exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from docs.pages import PAGES, anchors, links, name_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for link in links(text):
        if link.startswith("https://"):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), link


def test_the_index_leads_to_every_page() -> None:
    index = next(page for page in PAGES if name_of(page) == "docs/index.md")
    linked = {(index.parent / link.partition("#")[0]).resolve() for link in links(index.read_text(encoding="utf-8"))}
    assert linked >= {page for page in PAGES if page.parent == index.parent and page != index}
