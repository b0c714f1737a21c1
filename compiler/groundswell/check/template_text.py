"""The actions of Go templates as statements and tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# `}}` inside a string does not end an action; comments hold anything.
_ACTION = r"""\{\{-?\s*(/\*.*?\*/\s*|(?>[^"`'}]+|"(?>\\.|[^"\\\n])*"|`[^`]*`|'(?>\\.|[^'\\\n])*'|\}(?!\}))*+)-?\}\}"""
_PART = r"""
    "(?:\\.|[^"\\])*" | `[^`]*` | '(?:\\.|[^'\\])*'   # a string
    | :=
    | \)(?:\.\w+)*                                    # what is in parentheses, and fields of it
    | \$\w*(?:\.\w+)*                                 # a variable, and fields of it
    | (?:\.\w+)+ | \.                                 # fields of the dot, or the dot
    | [(|,=]
    | [^\s()|,=".`$:]+                                # a word or a number
"""
_OPENING = frozenset({"if", "with", "range", "define", "block"})
_KEYWORDS = _OPENING | {"else", "end", "template"}


class Statement(NamedTuple):
    """An action: its keyword (`if`, `with`, `range`, `else`, `end`, `template`), "" for an expression, and the rest."""

    keyword: str
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Templates:
    """The statements of files, and by name those of the templates that they define."""

    files: list[list[Statement]] = field(default_factory=list)
    named: dict[str, list[list[Statement]]] = field(default_factory=dict)


def templates_of(texts: Iterable[str]) -> Templates:
    """What each text holds. What is faulty, which Helm would refuse, is read as far as it goes."""
    found = Templates()
    for text in texts:
        found.files.append(_body(_statements(text), found))
    return found


def literal(token: str) -> str | None:
    """The text of a string token; None for any other token."""
    return token[1:-1] if token[:1] in ('"', "`") and len(token) > 1 else None


def _statements(text: str) -> Iterator[Statement]:
    """Every action but those that no value takes part in."""
    for inside in re.compile(_ACTION, re.DOTALL).findall(text):
        statement = _statement(inside)
        if statement:
            yield statement


@lru_cache(maxsize=8192)
def _statement(inside: str) -> Statement | None:
    """An action by what is between its braces; charts repeat most of theirs."""
    if inside.startswith("/*"):
        return None
    tokens = tuple(re.compile(_PART, re.VERBOSE).findall(inside))
    keyword = tokens[0] if tokens and tokens[0] in _KEYWORDS else ""
    if keyword or "." in inside or "$" in inside:
        return Statement(keyword, tokens[1:] if keyword else tokens)
    return None


def _body(statements: Iterator[Statement], found: Templates) -> list[Statement]:
    """The statements up to the `end` of a named template, or all; named templates in them are put aside."""
    body, depth = [], 0
    for statement in statements:
        if statement.keyword in {"define", "block"}:
            name = literal(statement.tokens[0]) if statement.tokens else None
            inside = _body(statements, found)
            found.named.setdefault(name or "", []).append(inside)
            if statement.keyword == "block":
                body.append(Statement("template", statement.tokens))
            continue
        depth += (statement.keyword in _OPENING) - (statement.keyword == "end")
        if depth < 0:
            break
        body.append(statement)
    return body
