"""Questions to a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question to a person. `check` says what is wrong with an answer, "" when it can be used."""

    text: str
    default: str
    check: Callable[[str], str]


Respond: TypeAlias = "Callable[[Prompt], str]"
"""Asks the person until the answer can be used; the default may be the answer."""
