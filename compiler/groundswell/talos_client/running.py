"""What a running machine has now, as far as it decides what a definition would change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundswell.diagnostics.diagnostic import failed
from groundswell.source.reader import Dialect, read
from groundswell.talos_client import answers
from groundswell.talos_client.question import VERSION, Question, get

if TYPE_CHECKING:
    from groundswell.source.located import Json
    from groundswell.talos_client.answers import Resource
    from groundswell.talos_client.question import Ask

_ACTIVE = "v1alpha1"
_EXTENSION = "schematic"


@dataclass(frozen=True, slots=True)
class Running:
    """A machine's version, the schematic of its image ("" for one from no factory), and its configuration's documents.

    `problem` says why these are not known.
    """

    version: str = ""
    schematic: str = ""
    configuration: tuple[Json, ...] = ()
    problem: str = ""


def running(ask: Ask, node: str) -> Running:
    """Ask a configured machine for what it runs."""
    told = ask(node, Question(VERSION))
    version = answers.version(told.text)
    if told.problem or not version:
        return Running(problem=told.problem or "it does not tell its version")
    extensions, problem = _resources(ask, node, "extensions")
    configurations, refused = _resources(ask, node, "machineconfig")
    if problem or refused:
        return Running(version, problem=problem or refused)
    active = [item for item in configurations if item.id == _ACTIVE] or list(configurations)
    text = active[0].spec if active else None
    if not isinstance(text, str):
        return Running(version, problem="it does not tell its machine configuration")
    documents, findings = read(text.encode(), node, Dialect.GO_V3)
    if failed(findings):
        return Running(version, problem=f"its machine configuration cannot be read: {findings[0].message}")
    return Running(
        version, _schematic(extensions), tuple(item.data for item in documents if isinstance(item.data, dict))
    )


def _resources(ask: Ask, node: str, kind: str) -> tuple[tuple[Resource, ...], str]:
    answer = ask(node, get(kind))
    found = answers.resources(answer.text) if not answer.problem else None
    return found or (), answer.problem or ("" if found is not None else f"its {kind} cannot be read")


def _schematic(extensions: tuple[Resource, ...]) -> str:
    """The schematic's ID: an image from a factory has it as the version of an extension of that name."""
    for item in extensions:
        metadata = item.spec.get("metadata") if isinstance(item.spec, dict) else None
        if isinstance(metadata, dict) and metadata.get("name") == _EXTENSION:
            return str(metadata.get("version", ""))
    return ""
