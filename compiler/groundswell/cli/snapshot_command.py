"""`groundswell snapshot`: a cluster's facts, read through its API."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import click

from groundswell.cli.command import Command
from groundswell.cli.findings import report_or_stop, stop
from groundswell.cli.options import PathType, diagnostics_option

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.snapshot.answers import Answers
    from groundswell.snapshot.snapshot import Snapshot

_EXIT_INCOMPLETE = 3
_TIMEOUT = 30.0


@click.command("snapshot", cls=Command)
@click.option("-o", "--output", metavar="FILE", type=PathType(), help="Where to write it.  [default: stdout]")
@click.option("--kubeconfig", metavar="FILE", type=PathType(), help="As kubectl takes it.  [default: $KUBECONFIG, …]")
@click.option("--context", metavar="NAME", help="The context.  [default: the current one]")
@click.option("--dump-dir", metavar="DIR", type=PathType(), help="Also keep the API's answers there.")
@click.option("--replay", metavar="DIR", type=PathType(), help="Take the answers from there; nothing is asked.")
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), default=_TIMEOUT, show_default=True, metavar="SECONDS",
    help="How long to wait for one answer.",
)  # fmt: skip
@click.option(
    "--format",
    "form",
    type=click.Choice(["yaml", "json"]),
    default="yaml",
    show_default=True,
    help="The form of the snapshot.",
)
@diagnostics_option
def command(  # noqa: PLR0917  one for each option; click hands them over by name
    output: Path | None,
    kubeconfig: Path | None,
    context: str | None,
    dump_dir: Path | None,
    replay: Path | None,
    timeout: float,
    form: str,
    diagnostics: str,
) -> None:
    """Read a cluster's facts through its API, without an agent.

    Reads /version and the nodes, changes nothing. Exits with 3 when a fact could not be read; the snapshot is written
    all the same.
    """
    from groundswell.cli.sources import RunSources
    from groundswell.diagnostics.codes.files import INCOMPLETE
    from groundswell.snapshot.answers import dump
    from groundswell.snapshot.facts import measure

    if replay is not None and (kubeconfig is not None or context is not None):
        raise click.UsageError("--replay asks no cluster: leave out --kubeconfig and --context")
    answers, findings = _answers(replay, kubeconfig, context, timeout)
    if answers is None:
        stop(findings, RunSources(), diagnostics)
    if dump_dir is not None:
        findings = (*findings, *dump(answers, dump_dir))
    snapshot, found = measure(answers)
    findings = (*findings, *found, *_write(snapshot, output, form))
    report_or_stop(findings, RunSources(), diagnostics)
    if any(finding.code == INCOMPLETE.code for finding in findings):
        sys.exit(_EXIT_INCOMPLETE)


def _answers(
    replay: Path | None, kubeconfig: Path | None, context: str | None, timeout: float
) -> tuple[Answers | None, tuple[Diagnostic, ...]]:
    if replay is not None:
        from groundswell.snapshot import answers

        return answers.replay(replay)
    from groundswell.diagnostics.codes.files import NO_ACCESS
    from groundswell.snapshot.access import AccessError
    from groundswell.snapshot.kubeconfig import find_access

    try:
        access = find_access(kubeconfig, context, os.environ)
    except AccessError as error:
        return None, (NO_ACCESS(str(error), help=error.help),)
    from groundswell.snapshot.client import ask

    return ask(access, os.environ, timeout=timeout, terminal=sys.stdin.isatty())


def _write(snapshot: Snapshot, output: Path | None, form: str) -> tuple[Diagnostic, ...]:
    from groundswell.diagnostics.codes.files import FILE_NOT_WRITTEN
    from groundswell.snapshot.document import to_document

    document = to_document(snapshot)
    if form == "json":
        text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    else:
        from groundswell.source.emitter import emit

        text = emit(document)
    if output is None:
        click.echo(text, nl=False)
        return ()
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        return (FILE_NOT_WRITTEN(f"`{output}` cannot be written: {error.strerror}"),)
    return ()
