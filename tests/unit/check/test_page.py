from __future__ import annotations

import re
from pathlib import Path

from groundswell.check.page import rules_markdown
from groundswell.check.rules import RULES

PAGE = Path(__file__).parents[3] / "docs" / "rules.md"


def test_the_page_of_rules_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == rules_markdown(), "run `make docs`"


def test_the_page_has_every_rule_and_every_code_of_it() -> None:
    text = rules_markdown()
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == [rule.name for rule in RULES]
    for rule in RULES:
        assert all(f"**{code.code}**" in text for code in rule.codes)
