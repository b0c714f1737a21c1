"""`groundswell check`: render what will run, and judge the objects."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from groundswell.cli.command import Command
from groundswell.cli.findings import EXIT_FINDINGS, rendered
from groundswell.cli.options import PathType, findings_format, query_options

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from groundswell.check.check import Report
    from groundswell.check.helm import Helm
    from groundswell.check.lock import Lock
    from groundswell.check.target import Target
    from groundswell.cli.check_subject import Checked
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Constraint, Resolution
    from groundswell.talos.version import TalosVersion


_SWITCH = 0.0005
"""Seconds after which a thread lets others go on: those that start helm and write its files need little time, but
often, and would each time wait ten times as long for one that reads YAML."""


@click.command("check", cls=Command)
@click.argument("directory", required=False, type=PathType())
@query_options
@click.option(
    "--cluster", metavar="FILE", type=PathType(), help="A Cluster file: hold what pods ask for against its hosts."
)
@click.option("--charts", metavar="DIR", type=PathType(), help="Take charts from archives or folders in DIR first.")
@click.option("--pull", is_flag=True, help="Allow the network: pull charts that are neither in DIR nor in the cache.")
@click.option("--lock", metavar="FILE", type=PathType(), help="Keep the SHA-256 of each chart's archive in FILE.")
@click.option("--locked", is_flag=True, help="Refuse charts that are not in the lock file.")
@click.option(
    "--kube-version",
    metavar="X.Y.Z",
    help="The Kubernetes version.  [default: the Cluster file's, or the lowest allowed]",
)
@click.option("--suppress", metavar="FILE", type=PathType(), help="Findings that are accepted, each with a reason.")
@findings_format
@click.pass_context
def command(context: click.Context, /, directory: Path | None, form: str, **options: Any) -> None:
    """Render the folders of the bundle in DIRECTORY, or of a query, with Helm, and judge the objects.

    Exits with 1 when a finding is an error. Nothing is written into the bundle.
    """
    gc.disable()  # nearly all that a check makes lives to its end, so looking for garbage is for nothing
    context.call_on_close(gc.enable)
    sys.setswitchinterval(_SWITCH)
    from groundswell.check.helm import Running
    from groundswell.check.helm_release import helm_meanwhile
    from groundswell.cli.check_subject import checked_subject
    from groundswell.cli.signals import ended_in_order
    from groundswell.diagnostics.diagnostic import failed

    running = Running()
    leave_when_ended = context.with_resource(ended_in_order(running.stop))
    own = {name: options.pop(name) for name in ("charts", "pull", "lock", "locked", "kube_version", "suppress")}
    cluster = options.pop("cluster")
    if own["locked"] and own["lock"] is None:
        raise click.UsageError("--locked needs --lock FILE.")
    with helm_meanwhile(os.environ, running) as helm:  # it tells what it is while the folders are put together
        checked = checked_subject(context, directory, cluster, options)
        found = helm()
    report, more = _checked(checked, found, own)
    leave_when_ended()
    findings = (*checked.findings, *more, *(report.findings if report else ()))
    if findings or form != "text":
        color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        click.echo(rendered(findings, checked.sources, form, color=color).rstrip("\n"))
    if report is not None:
        click.echo("\n".join(_summary(report)), err=form != "text")
    if failed(findings):
        sys.exit(EXIT_FINDINGS)


def _checked(
    checked: Checked, found: tuple[Helm | None, tuple[Diagnostic, ...]], options: dict[str, Any]
) -> tuple[Report | None, tuple[Diagnostic, ...]]:
    """The report, or None and why nothing could be checked."""
    from groundswell.check.charts import Sources
    from groundswell.check.check import check
    from groundswell.check.lock import read_lock
    from groundswell.check.suppress import read_suppressions
    from groundswell.check.target import target_version
    from groundswell.diagnostics.diagnostic import failed

    subject, cluster = checked.subject, checked.cluster
    constraints = subject.plan.resolution.constraints if subject else ()
    talos = cluster.target.version if cluster else _talos(subject.plan.resolution) if subject else None
    target = target_version(options["kube_version"], constraints, talos, hosts=cluster is not None)
    if target is None:
        msg = f"{options['kube_version']!r} is no version of Kubernetes, such as 1.35."
        raise click.BadParameter(msg, param_hint="'--kube-version'")
    lock, findings = read_lock(options["lock"], strict=options["locked"])
    suppressions, wrong = read_suppressions(options["suppress"])
    helm, missing = found
    findings = (*findings, *wrong, *missing, *_excluded(target, constraints))
    if subject is None or helm is None or lock is None or failed(findings):
        return None, findings
    sources = Sources(helm, os.environ, lock, options["charts"], options["pull"])
    progress = _Progress(len(subject.plan.folders))
    report = check(subject, target, sources, suppressions, progress=progress, cluster=cluster)
    progress.clear()
    if options["lock"] is not None and not options["locked"]:
        findings = (*findings, *_write_lock(options["lock"], lock, report))
    return report, findings


def _excluded(target: Target, constraints: Iterable[Constraint]) -> tuple[Diagnostic, ...]:
    """A warning when the version that was asked for is none that the constraints allow."""
    from groundswell.check.target import excluded_by
    from groundswell.diagnostics.codes import kubernetes as codes

    condition = excluded_by(target, constraints)
    message = f"the objects are judged for Kubernetes {target.version}, which the constraint `{condition}` excludes"
    return (codes.TARGET_EXCLUDED(message),) if condition else ()


def _talos(resolution: Resolution) -> TalosVersion | None:
    """The version of Talos that the query's recipes state, which bounds that of Kubernetes."""
    from groundswell.talos.version import parse_version

    version, _ = parse_version(resolution.talos_version)
    return version if resolution.criteria.get("os") == "talos" else None


def _write_lock(path: Path, lock: Lock, report: Report) -> tuple[Diagnostic, ...]:
    """Add the charts that were used; what is locked already stays, since one file can serve several bundles."""
    from groundswell.check.lock import write_lock
    from groundswell.diagnostics.codes import kubernetes as codes

    digests = {**report.digests, **lock.digests}
    if digests == lock.digests:
        return ()
    try:
        write_lock(path, digests)
    except OSError as error:
        return (codes.LOCK_UNREADABLE(f"the lock file `{path}` cannot be written: {error.strerror}"),)
    return ()


def _summary(report: Report) -> list[str]:
    total = _number(len(report.judged) + len(report.unjudged), "folder")
    target = f"Kubernetes {report.target.version} ({report.target.reason})"
    lines = [f"judged {len(report.judged)} of {total}, {_number(report.objects, 'object')}, for {target}"]
    lines += [f"  not judged: {', '.join(report.unjudged)}"] if report.unjudged else []
    lines += [f"  schemas: {report.schemas}"] if report.schemas else []
    lines += [f"  suppressed: {_number(report.suppressed, 'finding')}"] if report.suppressed else []
    lines += [f"  not known: {phrase}" for phrase in report.unknown]
    return lines


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


class _Progress:
    """A line on stderr that says how far rendering is; nothing unless that is a terminal."""

    def __init__(self, total: int) -> None:
        """Count up to `total`."""
        self._done = 0
        self._total = total
        self._shown = sys.stderr.isatty()

    def __call__(self, name: str) -> None:
        """One more folder is done."""
        self._done += 1
        if self._shown:
            click.echo(f"\r\x1b[Krendered {self._done} of {self._total}: {name}", nl=False, err=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            click.echo("\r\x1b[K", nl=False, err=True)
