"""Answers kept in a directory, and taken from there again.

One directory per machine; in it `get/TYPE.json`, `read/PATH`, `list/PATH.txt` and `version.txt`, so that a dump reads
like the machine itself. Where there was no answer, a file with `.problem` at its end says why.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos_client as codes
from groundswell.diagnostics.codes.files import FILE_NOT_WRITTEN
from groundswell.talos_client.question import GET, LIST, READ, Answer

if TYPE_CHECKING:
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos_client.question import Ask, Question

_PROBLEM = ".problem"
_MODE = "maintenance"


@dataclass(slots=True)
class Recorder:
    """Passes questions on, and remembers every answer in order to write them down."""

    inner: Ask
    answers: dict[tuple[str, Question], Answer] = field(default_factory=dict)
    insecure: set[str] = field(default_factory=set)

    def __call__(self, node: str, question: Question, *, insecure: bool = False) -> Answer:
        """The answer of the one inside."""
        answer = self.inner(node, question, insecure=insecure)
        self.answers[node, question] = answer
        if insecure:
            self.insecure.add(node)
        return answer

    def dump(self, directory: Path) -> tuple[Diagnostic, ...]:
        """Write what was answered so far."""
        try:
            for (node, question), answer in self.answers.items():
                path = directory / node / _path(question)
                if answer.problem:
                    path = path.with_name(path.name + _PROBLEM)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(answer.problem + "\n" if answer.problem else answer.text, encoding="utf-8")
            for node in self.insecure:
                (directory / node / _MODE).write_text("", encoding="utf-8")
        except OSError as error:
            return (FILE_NOT_WRITTEN(f"the answers cannot be kept in `{directory}`: {error.strerror}"),)
        return ()


@dataclass(frozen=True, slots=True)
class Replay:
    """Answers from a directory. Nothing is asked."""

    directory: Path

    def __call__(self, node: str, question: Question, *, insecure: bool = False) -> Answer:  # noqa: ARG002  as kept
        """The answer as it was kept."""
        path = self.directory / node / _path(question)
        try:
            return Answer(path.read_text(encoding="utf-8", errors="replace"))
        except OSError:
            pass
        try:
            return Answer(
                "", path.with_name(path.name + _PROBLEM).read_text(encoding="utf-8", errors="replace").strip()
            )
        except OSError:
            return Answer("", "no answer was kept")


def saved_machines(directory: Path) -> tuple[dict[str, bool], tuple[Diagnostic, ...]]:
    """The machines of a dump, each with whether it was asked in maintenance mode."""
    try:
        nodes = sorted(path.name for path in directory.iterdir() if (path / GET).is_dir())
    except OSError as error:
        return {}, (codes.NO_ANSWERS(f"`{directory}` cannot be read: {error.strerror}"),)
    if not nodes:
        return {}, (codes.NO_ANSWERS(f"`{directory}` holds no answers of machines"),)
    return {node: (directory / node / _MODE).exists() for node in nodes}, ()


def _path(question: Question) -> Path:
    subject = question.subject.lstrip("/")
    if question.verb == GET:
        return Path(GET, f"{subject}.json")
    if question.verb == LIST:
        return Path(LIST, f"{subject}.txt")
    if question.verb == READ:
        return Path(READ, subject)
    return Path(f"{question.verb}.txt")
