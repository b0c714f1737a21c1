"""The page `docs/rules.md`, made from the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.rule import Rule

_INTRODUCTION = """\
# Rules

`groundswell check` renders every folder with Helm and holds the objects against these rules.
This page is generated from the source: `make docs` writes it.
"""


def rules_markdown() -> str:
    """One section per rule: what it demands, where to read about it, and the kinds of findings it makes."""
    return "\n".join([_INTRODUCTION, *(part for rule in RULES for part in _section(rule))])


def _section(rule: Rule) -> Iterator[str]:
    yield f"## {rule.name}\n"
    yield f"{rule.demand}\n"
    for code in rule.codes:
        yield f"**{code.code}** ({code.severity.value}): {code.title}. {code.why} Fix: {code.fix}\n"
    if rule.link:
        yield f"More: <{rule.link}>\n"
