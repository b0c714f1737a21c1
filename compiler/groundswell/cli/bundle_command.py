"""`groundswell bundle`: compile a bundle into a directory."""

from __future__ import annotations

import json
from itertools import chain
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from groundswell.cli.command import Command
from groundswell.cli.findings import report_or_stop, stop
from groundswell.cli.options import PathType, diagnostics_option, query_options
from groundswell.cli.talos.validation import validation_options

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.bundle.files import File
    from groundswell.cli.sources import RunSources
    from groundswell.deploy.deployer import Deployer, Settings
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Plan
    from groundswell.talos.cluster import Cluster


@click.command("bundle", cls=Command)
@query_options
@click.option("-o", "--output", required=True, metavar="DIR", type=PathType(), help="The bundle's own directory.")
@click.option(
    "--deployer", "deployers", multiple=True, metavar="NAME", help="argocd, helm, …; may be repeated. [default: both]"
)
@click.option(
    "--cluster", metavar="FILE", type=PathType(), help="A Cluster file: its criteria, and the node layer of its hosts."
)
@click.option(
    "--talos-version", metavar="VERSION", help="What the node layer is compiled for.  [default: the catalog's]"
)
@click.option(
    "--talos-schema", metavar="DIR", type=PathType(), help="Also hold the node layer against the JSON schemas there."
)
@validation_options
@click.option("--repo", metavar="URL", help="The Git repository that will hold the bundle (Argo CD).")
@click.option("--revision", default="main", show_default=True, metavar="REF", help="The branch that the root follows.")
@click.option(
    "--path", default="", metavar="FOLDER", help="The bundle's folder in the repository.  [default: its root]"
)
@click.option(
    "--name",
    metavar="NAME",
    help="The root Application's name, then also a prefix of its children.  [default: groundswell]",
)
@click.option("--project", default="default", show_default=True, metavar="NAME", help="The AppProject.")
@click.option("--argocd-namespace", default="argocd", show_default=True, metavar="NS", help="Where Argo CD runs.")
@click.option("--destination", metavar="URL", help="The cluster to install into.  [default: the one Argo CD runs in]")
@click.option("--cascade-delete", is_flag=True, help="Deleting an Application deletes what it installed.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The form of the summary on stdout.",
)
@diagnostics_option
def command(output: Path, deployers: tuple[str, ...], form: str, diagnostics: str, **rest: Any) -> None:
    """Compile a bundle into a directory."""
    from groundswell.bundle.assemble import assemble
    from groundswell.cli.node_layer import cluster_file, node_layer, read_schema_files, take_criteria
    from groundswell.cli.output import write_outside_catalogs
    from groundswell.cli.planning import plan_or_stop
    from groundswell.cli.talos.validation import validate_patches
    from groundswell.deploy.deployer import Settings
    from groundswell.diagnostics.diagnostic import failed

    chosen = _deployers(deployers)
    file, version, schema = (rest.pop(option) for option in ("cluster", "talos_version", "talos_schema"))
    base, validate = rest.pop("base"), rest.pop("validate")
    read = cluster_file(file) if file else None
    cluster = read.cluster if read else None
    given = {name: rest[name] for name in Settings._fields if rest.get(name) is not None}
    names = tuple(deployer.name for deployer in chosen)
    settings = Settings(named="name" in given, cluster=file is not None, deployers=names, **given)
    before = take_criteria(read, rest, version) if read else _without_cluster(base, validate)
    before = (*before, *_unread(given, chosen))
    beside = _Beside(cluster, schema, settings, chosen, output)
    planned = plan_or_stop(
        rest, diagnostics, talos_version=version, cluster=read, before=before, without_plan=beside.wrong
    )
    schemas, unusable = read_schema_files(schema)
    layer, found = node_layer(planned, cluster, schemas) if cluster or not read else ((), ())
    if cluster is not None and not failed(found):
        found = (*found, *validate_patches(cluster, layer, base, validate, diagnostics))
    files, built = assemble(planned.plan, chosen, settings, layer)
    findings = (*planned.findings, *unusable, *found, *built)
    if failed(findings):
        stop(findings, planned.sources, diagnostics)
    findings = (*findings, *write_outside_catalogs(files, output, planned.sources))
    report_or_stop(findings, planned.sources, diagnostics)
    click.echo(_json(planned.plan, files, output) if form == "json" else _text(planned.plan, files, output, settings))


class _Beside(NamedTuple):
    """What a bundle is made of and for besides the plan."""

    cluster: Cluster | None
    schemas: Path | None
    settings: Settings
    deployers: list[Deployer]
    output: Path

    def wrong(self, sources: RunSources) -> tuple[Diagnostic, ...]:
        """The errors in it that can be seen without a plan."""
        from groundswell.cli.node_layer import hosts_alone, read_schema_files
        from groundswell.cli.output import refused
        from groundswell.deploy.deployer import ChecksSettings
        from groundswell.diagnostics.diagnostic import failed

        hosts = hosts_alone(self.cluster) if self.cluster else ()
        unusable = [
            deployer.check(self.settings) for deployer in self.deployers if isinstance(deployer, ChecksSettings)
        ]
        findings = (*hosts, *read_schema_files(self.schemas)[1], *chain(*unusable), *refused(self.output, sources))
        return tuple(finding for finding in findings if failed([finding]))


def _without_cluster(base: Path | None, validate: bool | None) -> tuple[Diagnostic, ...]:
    """Errors for options on patches of hosts where there are no hosts."""
    from groundswell.diagnostics.codes.resolve import NO_EFFECT

    given = {"--base": base, "--validate": validate, "--no-validate": None if validate is None else not validate}
    return tuple(
        NO_EFFECT(f"`{name}` without --cluster: there are no hosts whose patches could be validated")
        for name, value in given.items()
        if value
    )


def _unread(given: dict[str, Any], deployers: list[Deployer]) -> tuple[Diagnostic, ...]:
    """Errors for options that none of the deployers reads. The name is the bundle's, too."""
    from groundswell.diagnostics.codes.resolve import NO_EFFECT

    read = frozenset({"name"}).union(*(deployer.reads for deployer in deployers))
    source = click.get_current_context().get_parameter_source
    names = ", ".join(deployer.name for deployer in deployers)
    return tuple(
        NO_EFFECT(f"`--{option.replace('_', '-')}` is of no use to the deployer {names}")
        for option in given
        if option not in read and source(option) is not click.core.ParameterSource.DEFAULT
    )


def _deployers(names: tuple[str, ...]) -> list[Deployer]:
    """The deployers to use; an unknown name is a usage error."""
    from groundswell.deploy.registry import BUILT_IN, deployer_names, load_deployer
    from groundswell.diagnostics.suggest import nearest

    found = []
    for name in dict.fromkeys(names or BUILT_IN):
        deployer = load_deployer(name)
        if deployer is None:
            guess = nearest(name, deployer_names())
            hint = f" Did you mean {guess!r}?" if guess else ""
            msg = f"{name!r} is none of {', '.join(deployer_names())}.{hint}"
            raise click.BadParameter(msg, param_hint="'--deployer'")
        found.append(deployer)
    return found


def _text(plan: Plan, files: tuple[File, ...], output: Path, settings: Settings) -> str:
    waves = len({folder.wave for folder in plan.folders})
    lines = [
        f"wrote {output}: {len(plan.folders)} folders in {waves} waves, {len(files)} files",
        *(f"  wave {folder.wave:>3}  {folder.name}" for folder in plan.folders),
        "next:",
        f"  read {quote(str(output / 'README.md'))}: what must be in place first, and how to deploy",
    ]
    if "helm" in settings.deployers:
        lines.append(f"  with Helm alone:  {quote(str(output / 'install.sh'))} --check, then without --check")
    if "argocd" in settings.deployers:
        bring = "push" if (settings.repo or "").startswith("oci://") else "commit"
        then = "apply its argocd/ patch, then app-of-apps.yaml (README, Argo CD)"
        lines.append(f"  with Argo CD:     {bring} the directory, {then}")
    lines.append(f"  later:            groundswell verify {quote(str(output))}")
    return "\n".join(lines)


def _json(plan: Plan, files: tuple[File, ...], output: Path) -> str:
    document = {
        "output": str(output),
        "files": [file.path for file in files],
        "folders": [{"name": folder.name, "wave": folder.wave} for folder in plan.folders],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)
