"""What the API answered, as it was answered: kept in a directory, and taken from there again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import files as codes

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json

VERSION, NODES, TAKEN = "version.json", "nodes.json", "taken.json"


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to `GET /version` and `GET /api/v1/nodes`, None where there was none.

    `taken` is when they were given (RFC 3339), empty when nobody knows. `missing` says for each answer that there was
    none why not.
    """

    version: Json | None
    nodes: tuple[Json, ...] | None
    taken: str = ""
    missing: tuple[str, ...] = ()


def dump(answers: Answers, directory: Path) -> tuple[Diagnostic, ...]:
    """Write the answers into a directory, which is made when it is not there."""
    documents = {VERSION: answers.version, TAKEN: {"time": answers.taken} if answers.taken else None}
    if answers.nodes is not None:
        documents[NODES] = {"kind": "NodeList", "apiVersion": "v1", "items": list(answers.nodes)}
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name in (VERSION, NODES, TAKEN):
            if documents.get(name) is None:
                (directory / name).unlink(missing_ok=True)
            else:
                (directory / name).write_text(json.dumps(documents[name], indent=1) + "\n", encoding="ascii")
    except OSError as error:
        return (codes.FILE_NOT_WRITTEN(f"the answers cannot be kept in `{directory}`: {error.strerror}"),)
    return ()


def replay(directory: Path) -> tuple[Answers | None, tuple[Diagnostic, ...]]:
    """Take the answers that `dump` wrote, or that `kubectl get --raw` printed, from a directory."""
    if not directory.is_dir():
        return None, (codes.BAD_ANSWERS(f"`{directory}` is no directory"),)
    found: dict[str, Json] = {}
    missing, findings = [], []
    for name, kind in ((VERSION, "version"), (NODES, "node list"), (TAKEN, "")):
        path = directory / name
        try:
            found[name] = json.loads(path.read_bytes())
        except FileNotFoundError:
            missing += [f"the {kind} is not there: `{path}` does not exist"] if kind else []
        except OSError as error:
            findings.append(codes.BAD_ANSWERS(f"`{path}` cannot be read: {error.strerror}"))
        except (ValueError, RecursionError):
            findings.append(codes.BAD_ANSWERS(f"`{path}` is not JSON"))
    if NODES in found and not is_node_list(found[NODES]):
        findings.append(codes.BAD_ANSWERS(f"`{directory / NODES}` is no list of nodes"))
    if VERSION in found and not isinstance(found[VERSION], dict):
        findings.append(codes.BAD_ANSWERS(f"`{directory / VERSION}` is not the answer to /version"))
    if not findings and VERSION not in found and NODES not in found:
        findings.append(codes.BAD_ANSWERS(f"`{directory}` holds neither `{VERSION}` nor `{NODES}`"))
    if findings:
        return None, tuple(findings)
    nodes = tuple(found[NODES]["items"]) if NODES in found else None
    taken = found.get(TAKEN)
    time = taken.get("time") if isinstance(taken, dict) else None
    return Answers(found.get(VERSION), nodes, time if isinstance(time, str) else "", tuple(missing)), ()


def is_node_list(answer: Json) -> bool:
    """Whether an answer is a list of objects under `items`."""
    items = answer.get("items") if isinstance(answer, dict) else None
    return isinstance(items, list) and all(isinstance(item, dict) for item in items)
