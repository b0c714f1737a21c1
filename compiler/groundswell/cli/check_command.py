"""`groundswell check`: render what will run, and judge the objects."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from groundswell.cli.findings import EXIT_FINDINGS, rendered, report, stop
from groundswell.cli.options import DIAGNOSTIC_FORMATS, PathType, query_options

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.check.check import Report
    from groundswell.check.lock import Lock
    from groundswell.check.subject import Subject
    from groundswell.cli.sources import RunSources
    from groundswell.diagnostics.diagnostic import Diagnostic


@click.command("check")
@click.argument("directory", required=False, type=PathType())
@query_options
@click.option("--charts", metavar="DIR", type=PathType(), help="Take charts from archives or folders in DIR first.")
@click.option("--pull", is_flag=True, help="Allow the network: pull charts that are neither in DIR nor in the cache.")
@click.option("--lock", metavar="FILE", type=PathType(), help="Keep the SHA-256 of each chart's archive in FILE.")
@click.option("--locked", is_flag=True, help="Refuse charts that are not in the lock file.")
@click.option("--kube-version", metavar="X.Y.Z", help="The Kubernetes version.  [default: the lowest allowed]")
@click.option("--suppress", metavar="FILE", type=PathType(), help="Findings that are accepted, each with a reason.")
@click.option(
    "--format",
    "form",
    type=click.Choice(DIAGNOSTIC_FORMATS),
    default="text",
    show_default=True,
    help="The form on stdout.",
)
@click.pass_context
def command(  # noqa: PLR0917  click hands options over by name
    context: click.Context,
    directory: Path | None,
    charts: Path | None,
    pull: bool,
    lock: Path | None,
    locked: bool,
    kube_version: str | None,
    suppress: Path | None,
    form: str,
    **rest: Any,
) -> None:
    """Render every folder of a bundle in DIRECTORY, or of a query, with Helm, and judge the objects.

    Exits with 1 when a finding is an error. Nothing is written into the bundle.
    """
    from groundswell.check.charts import Sources
    from groundswell.check.check import check
    from groundswell.check.helm import find_helm
    from groundswell.check.suppress import read_suppressions
    from groundswell.check.target import target_version
    from groundswell.diagnostics.codes import kubernetes as codes
    from groundswell.diagnostics.diagnostic import failed

    if locked and lock is None:
        raise click.UsageError("--locked needs --lock FILE.")
    subject, findings, sources = _subject(context, directory, rest)
    target = target_version(kube_version, subject.plan.resolution.constraints if subject else ())
    if target is None:
        raise click.BadParameter(f"{kube_version!r} is no version.", param_hint="'--kube-version'")
    locks, problems = _lock(lock, strict=locked)
    suppressions, wrong = read_suppressions(suppress) if suppress else ((), ())
    findings = (*findings, *problems, *wrong)
    helm = find_helm(os.environ)
    if helm is None:
        findings = (*findings, codes.NO_HELM("there is no `helm` on PATH, and `GROUNDSWELL_HELM` names none"))
    if subject is None or helm is None or locks is None or failed(findings):
        click.echo(rendered(findings, sources, form).rstrip("\n"))
        sys.exit(EXIT_FINDINGS)
    progress = _Progress(len(subject.plan.folders))
    given = Sources(helm, os.environ, locks, charts, pull)
    result = check(subject, target, given, suppressions, progress)
    progress.clear()
    findings = (*findings, *result.findings)
    if lock is not None and not locked and not failed(findings):
        _write_lock(lock, locks, result)
    _show(findings, sources, form, result)
    if failed(findings):
        sys.exit(EXIT_FINDINGS)
