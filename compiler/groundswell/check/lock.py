"""The user's lock file: the SHA-256 of each chart's archive, so that a version can never mean other bytes."""

from __future__ import annotations

import os
import re
import shutil
from typing import TYPE_CHECKING, NamedTuple

from groundswell.diagnostics.codes import kubernetes as codes
from groundswell.diagnostics.diagnostic import Related, failed
from groundswell.resolve.resolution import Chart
from groundswell.source.bounded import read_bounded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json, Located
    from groundswell.source.span import Span

_KIND = {"apiVersion": "groundswell.dev/v1alpha1", "kind": "ChartLock"}
_DIGEST = re.compile(r"[0-9a-f]{64}")
_FIELDS = ("repository", "name", "version", "sha256")


class Lock(NamedTuple):
    """Digests by chart, and where each stands. `strict` (`--locked`) admits no chart that is not listed."""

    digests: Mapping[Chart, str] = {}
    places: Mapping[Chart, Span] = {}
    strict: bool = False


def read_lock(path: Path | None, *, strict: bool) -> tuple[Lock | None, tuple[Diagnostic, ...]]:
    """The lock in a file; an empty one where none is named or, unless it is `strict`, there is no file yet."""
    if path is None or not (strict or path.exists()):
        return Lock(), ()
    from groundswell.source.reader import read_one  # noqa: PLC0415  most runs have no lock, and need no YAML so early

    try:
        data = read_bounded(path)
    except OSError as error:
        message = f"the lock file `{path}` cannot be read: {error.strerror}"
        return None, (codes.LOCK_UNREADABLE(message, help="run once without `--locked` to write it"),)
    document, findings = read_one(data, path.as_posix())
    if document is None or failed(findings):
        return None, findings
    entries = _entries(document)
    if entries is None:
        advice = "give another file, or remove it to have it written anew"
        return None, (*findings, codes.LOCK_UNREADABLE(f"`{path}` is no lock of charts", document.span, help=advice))
    findings = (*findings, *_strange(document), *_twice(entries))
    digests = {chart: entry["sha256"].data for chart, entry in entries}
    places = {chart: entry["sha256"].span for chart, entry in entries}
    return None if failed(findings) else Lock(digests, places, strict), findings


def write_lock(path: Path, digests: Mapping[Chart, str]) -> None:
    """Write the file that keeps these digests, so that nobody ever sees half of it. A link stays one.

    Raises:
        OSError: It cannot be written.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        target.write_text(lock_text(digests), encoding="utf-8")
        return
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_text(lock_text(digests), encoding="utf-8")
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def lock_text(digests: Mapping[Chart, str]) -> str:
    """The file that keeps these digests, sorted."""
    from groundswell.source.emitter import Quoted, emit  # noqa: PLC0415  as above

    listed = [
        {"repository": c.repository, "name": c.name, "version": Quoted(c.version), "sha256": Quoted(digests[c])}
        for c in sorted(digests, key=lambda chart: (chart.name, chart.version, chart.repository))
    ]
    return emit({**_KIND, "metadata": {"name": "charts"}, "spec": {"charts": listed}})


def _strange(document: Located) -> Iterator[Diagnostic]:
    """Every key that a lock does not have: it may be a mistyped one that has."""
    spec = document["spec"]
    nodes = [(document, (*_KIND, "metadata", "spec")), (spec, ("charts",))]
    nodes += [(entry, _FIELDS) for entry in spec["charts"].elements()]
    nodes += [(document["metadata"], ("name",))] if "metadata" in document else []
    for node, known in nodes:
        for key, _ in node.items() if isinstance(node.data, dict) else ():
            if key not in known:
                message = f"`{key}` is no key of a lock of charts"
                yield codes.LOCK_UNREADABLE(message, node.key_span(key), help="remove it, or correct its name")


def _twice(entries: list[tuple[Chart, Located]]) -> Iterator[Diagnostic]:
    """Every entry of a chart that has one already."""
    first: dict[Chart, Located] = {}
    for chart, entry in entries:
        if chart in first:
            message = f"the chart `{chart.name} {chart.version}` of `{chart.repository}` is locked twice"
            related = [Related(first[chart].span, "also here")]
            yield codes.LOCK_UNREADABLE(message, entry.span, related=related, help="remove one of the entries")
        first.setdefault(chart, entry)


def _entries(document: Located) -> list[tuple[Chart, Located]] | None:
    """Each chart with the node that speaks of it; None when the document is something else."""
    data: Json = document.data
    try:
        if {key: data[key] for key in _KIND} != _KIND or not isinstance(data["spec"]["charts"], list):
            return None
        nodes = list(document["spec"]["charts"].elements())
        texts = [[node.data[name] for name in _FIELDS] for node in nodes]
    except (KeyError, TypeError):
        return None
    if not all(isinstance(text, str) for fields in texts for text in fields):
        return None
    if not all(_DIGEST.fullmatch(fields[-1]) for fields in texts):
        return None
    return [(Chart(*fields[:3]), node) for fields, node in zip(texts, nodes, strict=True)]
