"""What is judged: the folders of a plan, or those of a bundle on disk, in one form."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundswell.bundle.files import File
from groundswell.check.objects import mapping, sequence
from groundswell.deploy.deployer import BuiltFolder
from groundswell.deploy.digests import folder_digest
from groundswell.deploy.folders import build_folders
from groundswell.deploy.helm.table import rows
from groundswell.deploy.registry import BUILT_IN
from groundswell.diagnostics.codes import kubernetes as codes
from groundswell.diagnostics.diagnostic import failed
from groundswell.plan.build import build_plan

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from groundswell.deploy.helm.table import Row
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.plan.plan import Folder, Plan

_APPLICATION = "application.yaml"


class Subject(NamedTuple):
    """A plan, the files of its folders, and how Helm installs each: release, namespace, chart, flags.

    `deployers` are the tools that will deploy it: those of the bundle, else those that a bundle gets by default.
    """

    plan: Plan
    folders: Mapping[str, BuiltFolder]
    rows: tuple[Row, ...]
    deployers: tuple[str, ...] = BUILT_IN


def of_plan(plan: Plan) -> tuple[Subject | None, tuple[Diagnostic, ...]]:
    """The folders that a plan leads to; None when a finding is an error."""
    folders, findings = build_folders(plan)
    return _subject(plan, folders, findings)


def of_bundle(directory: Path) -> tuple[Subject | None, tuple[Diagnostic, ...]]:
    """The folders of a bundle with their files as they are on disk; None when a finding is an error.

    Order, namespaces and charts come from the bundle's `recipe.yaml`, which leads to the same plan again.
    """
    from groundswell.model.resolved import parse_resolved  # noqa: PLC0415  a plan needs no validation of models
    from groundswell.source.reader import read_one  # noqa: PLC0415  as above

    recipe = directory / "recipe.yaml"
    try:
        data = recipe.read_bytes()
    except OSError as error:
        return None, (_no_bundle(directory, f"`recipe.yaml` cannot be read: {error.strerror}"),)
    document, findings = read_one(data, recipe.as_posix())
    if document is None or failed(findings):
        return None, findings
    resolution, found = parse_resolved(document)
    if resolution is None:
        return None, (*findings, *found)
    plan, problems = build_plan(resolution)
    findings = (*findings, *found, *problems)
    if plan is None:
        return None, findings
    folders = {}
    for folder in plan.folders:
        if not (directory / folder.name / "values.yaml").is_file():
            return None, (*findings, _no_bundle(directory, f"there is no `{folder.name}/values.yaml`"))
        folders[folder.name] = _from_disk(directory, folder, plan)
    subject, findings = _subject(plan, folders, findings)
    return (subject._replace(deployers=_deployers(directory)) if subject else None), findings


def _deployers(directory: Path) -> tuple[str, ...]:
    """The tools that the bundle says it is for."""
    from groundswell.source.reader import read_one  # noqa: PLC0415  as above

    try:
        document, _ = read_one((directory / "bundle.yaml").read_bytes(), "bundle.yaml")
    except OSError:
        return BUILT_IN
    spec = mapping(mapping(document.data if document else None).get("spec"))
    return tuple(map(str, sequence(spec.get("deployers")))) or BUILT_IN


def _subject(
    plan: Plan, folders: Mapping[str, BuiltFolder], findings: tuple[Diagnostic, ...]
) -> tuple[Subject | None, tuple[Diagnostic, ...]]:
    lines, problems = rows(plan, folders)
    findings = (*findings, *problems)
    return (None if failed(findings) else Subject(plan, folders, lines)), findings


def _from_disk(directory: Path, folder: Folder, plan: Plan) -> BuiltFolder:
    root = directory / folder.name
    inside = [
        (path.relative_to(root).as_posix(), path.read_bytes())
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.relative_to(root).as_posix() != _APPLICATION
    ]
    digest = folder_digest(inside, None if folder.local else plan.components[folder.component].chart)
    return BuiltFolder(folder, tuple(File(f"{folder.name}/{path}", data) for path, data in inside), digest)


def _no_bundle(directory: Path, why: str) -> Diagnostic:
    return codes.NOT_A_BUNDLE(
        f"`{directory}` is no bundle: {why}", help="give a directory that `groundswell bundle` wrote"
    )
