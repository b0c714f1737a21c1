"""What can be asked of a machine, and how it answers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

GET, READ, LIST, VERSION = "get", "read", "list", "version"

_ABSENT = re.compile(r"no such file|not found|does not exist", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Question:
    """One question that changes nothing. `subject` is a type of resource or a path; `depth` counts for lists alone."""

    verb: str
    subject: str = ""
    depth: int = 1

    @property
    def words(self) -> tuple[str, ...]:
        """The words of `talosctl` for it."""
        if self.verb == GET:
            return (GET, self.subject, "--output", "json")
        if self.verb == LIST:
            return (LIST, self.subject, "--depth", str(self.depth))
        return (self.verb, self.subject) if self.subject else (self.verb,)


@dataclass(frozen=True, slots=True)
class Answer:
    """What `talosctl` printed. `problem` says in one line why there is no answer, "" when there is one."""

    text: str
    problem: str = ""

    @property
    def absent(self) -> bool:
        """Whether there is no answer because the machine has no such thing."""
        return bool(_ABSENT.search(self.problem))


class Ask(Protocol):
    """Puts a question to a machine. `insecure`: the machine is in maintenance mode and knows no certificates."""

    def __call__(self, node: str, question: Question, *, insecure: bool = False) -> Answer:
        """The answer, or what kept it away."""
        ...


def get(kind: str) -> Question:
    """All resources of a type."""
    return Question(GET, kind)


def read(path: str) -> Question:
    """The content of a regular file."""
    return Question(READ, path)


def listing(path: str, depth: int = 1) -> Question:
    """The names below a directory."""
    return Question(LIST, path, depth)
