"""`groundswell bundle`: compile a bundle into a directory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groundswell.cli.findings import report_or_stop, stop
from groundswell.cli.options import diagnostics_option, query_options, take_inputs

if TYPE_CHECKING:
    from groundswell.bundle.files import File
    from groundswell.deploy.deployer import Deployer
    from groundswell.plan.plan import Plan


@click.command("bundle")
@query_options
@click.option("-o", "--output", required=True, metavar="DIR", type=click.Path(path_type=Path), help="The bundle's own directory.")
@click.option("--deployer", "deployers", multiple=True, metavar="NAME", help="argocd, helm, …; may be repeated. [default: both]")
@click.option("--repo", metavar="URL", help="The Git repository that will hold the bundle (Argo CD).")
@click.option("--revision", default="main", show_default=True, metavar="REF", help="The branch that the root follows.")
@click.option("--path", default="", metavar="FOLDER", help="The bundle's folder in the repository.  [default: its root]")
@click.option("--name", metavar="NAME", help="The root Application's name, then also a prefix of its children.  [default: groundswell]")
@click.option("--project", default="default", show_default=True, metavar="NAME", help="The AppProject.")
@click.option("--argocd-namespace", default="argocd", show_default=True, metavar="NS", help="Where Argo CD runs.")
@click.option("--destination", metavar="URL", help="The cluster to install into.  [default: the one Argo CD runs in]")
@click.option("--cascade-delete", is_flag=True, help="Deleting an Application deletes what it installed.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="The form of the summary on stdout.")
@diagnostics_option
def command(
    output: Path, deployers: tuple[str, ...], form: str, diagnostics: str, name: str | None, destination: str | None, **rest: Any
) -> None:
    """Compile a bundle into a directory."""
    from groundswell.bundle.assemble import assemble  # noqa: PLC0415  start-up time
    from groundswell.bundle.write import write  # noqa: PLC0415  start-up time
    from groundswell.cli.resolving import resolve_inputs  # noqa: PLC0415  start-up time
    from groundswell.deploy.deployer import Settings  # noqa: PLC0415  start-up time
    from groundswell.plan.build import build_plan  # noqa: PLC0415  start-up time

    chosen = _deployers(deployers)
    resolved = resolve_inputs(take_inputs(rest))
    if resolved.resolution is None:
        stop(resolved.findings, resolved.sources, diagnostics)
    plan, found = build_plan(resolved.resolution)
    findings = (*resolved.findings, *found)
    if plan is None:
        stop(findings, resolved.sources, diagnostics)
    settings = Settings(named=name is not None, **{"name": name} if name is not None else {}, **_given(rest, destination))
    files, more = assemble(plan, chosen, settings)
    findings = (*findings, *more)
    if not files:
        stop(findings, resolved.sources, diagnostics)
    report_or_stop((*findings, *write(files, output)), resolved.sources, diagnostics)
    click.echo(_json(plan, files, output) if form == "json" else _text(plan, files, output, [item.name for item in chosen]))


def _given(rest: dict[str, Any], destination: str | None) -> dict[str, Any]:
    """The settings among the command's arguments."""
    return {**rest, **({"destination": destination} if destination is not None else {})}


def _deployers(names: tuple[str, ...]) -> list[Deployer]:
    """The deployers to use; an unknown name is a usage error."""
    from groundswell.deploy.registry import BUILT_IN, deployer_names, load_deployer  # noqa: PLC0415  start-up time
    from groundswell.diagnostics.suggest import nearest  # noqa: PLC0415  start-up time

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


def _text(plan: Plan, files: tuple[File, ...], output: Path, deployers: list[str]) -> str:
    waves = len({folder.wave for folder in plan.folders})
    lines = [
        f"wrote {output}: {len(plan.folders)} folders in {waves} waves, {len(files)} files",
        *(f"  wave {folder.wave:>3}  {folder.name}" for folder in plan.folders),
        "next:",
        f"  read {output / 'README.md'}: what must be in place first, and how to deploy",
    ]
    if "helm" in deployers:
        lines.append(f"  with Helm alone:  {output / 'install.sh'} --check, then without --check")
    if "argocd" in deployers:
        lines.append("  with Argo CD:     commit the directory, then apply its argocd/ patch and app-of-apps.yaml (README, Argo CD)")
    lines.append(f"  later:            groundswell verify {output}")
    return "\n".join(lines)


def _json(plan: Plan, files: tuple[File, ...], output: Path) -> str:
    document = {
        "output": str(output),
        "files": [file.path for file in files],
        "folders": [{"name": folder.name, "wave": folder.wave} for folder in plan.folders],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)
