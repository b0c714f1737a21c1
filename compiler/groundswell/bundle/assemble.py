"""A plan becomes the files of a bundle: folders, what each deployer adds, and the files about them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell import __version__
from groundswell.bundle.checksums import checksums
from groundswell.bundle.files import File
from groundswell.bundle.readme import readme
from groundswell.bundle.recipe_file import provenance_json, recipe_yaml
from groundswell.deploy.digests import content_digest
from groundswell.deploy.folders import build_folders
from groundswell.diagnostics.codes import files as codes
from groundswell.diagnostics.diagnostic import Diagnostic, failed, ordered
from groundswell.source.emitter import Quoted, emit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundswell.deploy.deployer import BuiltFolder, Deployer, Emitted, Settings
    from groundswell.plan.plan import Folder, Plan
    from groundswell.source.located import Json


def assemble(
    plan: Plan, deployers: Sequence[Deployer], settings: Settings, node_layer: Sequence[File] = ()
) -> tuple[tuple[File, ...], tuple[Diagnostic, ...]]:
    """Make every file of a bundle, sorted by path, checksums.txt included. `node_layer` are the files under `talos/`.

    Returns:
        The files (none when a finding is an error) and every finding.
    """
    folders, findings = build_folders(plan)
    emitted = {deployer.name: deployer.emit(plan, folders, settings) for deployer in deployers}
    findings += tuple(finding for item in emitted.values() for finding in item.findings)
    files = [file for built in folders.values() for file in built.files]
    files += [file for item in emitted.values() for file in item.files]
    files += node_layer
    findings += _clashes(files)
    if failed(findings):
        return (), ordered(findings)
    files += _about(plan, folders, emitted, settings, node_layer=bool(node_layer))
    files.append(File("checksums.txt", checksums(files).encode()))
    return tuple(sorted(files, key=lambda file: file.path)), ordered(findings)


def _about(
    plan: Plan,
    folders: Mapping[str, BuiltFolder],
    emitted: Mapping[str, Emitted],
    settings: Settings,
    *,
    node_layer: bool,
) -> list[File]:
    """The files that describe the bundle as a whole."""
    texts = {
        "bundle.yaml": emit(_bundle(plan, folders, sorted(emitted), settings)),
        "recipe.yaml": recipe_yaml(plan.resolution),
        "provenance.json": provenance_json(plan.resolution),
        "README.md": readme(plan, folders, list(emitted.values()), settings, node_layer=node_layer),
        # Line ends that a checkout changes would change every checksum.
        ".gitattributes": "* -text\n",
    }
    return [File(path, text.encode()) for path, text in texts.items()]


def _clashes(files: Sequence[File]) -> tuple[Diagnostic, ...]:
    """Paths that two deployers both write."""
    seen: set[str] = set()
    twice = [file.path for file in files if file.path in seen or seen.add(file.path)]  # type: ignore[func-returns-value]
    return tuple(codes.PATH_CLASH(f"two deployers write `{path}`") for path in twice)


def _bundle(
    plan: Plan, folders: Mapping[str, BuiltFolder], deployers: Sequence[str], settings: Settings
) -> dict[str, Json]:
    resolution = plan.resolution
    spec: dict[str, Json] = {"criteria": dict(resolution.criteria)}
    if resolution.nodes is not None:
        spec["nodes"] = resolution.nodes
    spec |= {
        "catalogDigest": f"sha256:{resolution.catalog_digest}",
        "toolVersion": Quoted(__version__),
        "contentDigest": f"sha256:{content_digest(folders.values())}",
        "deployers": list(deployers),
        "folders": [_folder(plan, folder, folders[folder.name]) for folder in plan.folders],
    }
    return {
        "apiVersion": "groundswell.dev/v1alpha1",
        "kind": "Bundle",
        "metadata": {"name": settings.name},
        "spec": spec,
    }


def _folder(plan: Plan, folder: Folder, built: BuiltFolder) -> dict[str, Json]:
    document: dict[str, Json] = {
        "name": folder.name,
        "component": folder.component,
        "phase": folder.phase.name.lower(),
        "wave": folder.wave,
        "kind": "local" if folder.local else "chart",
        "namespace": folder.namespace,
        "digest": f"sha256:{built.digest}",
    }
    chart = plan.components[folder.component].chart
    if chart and not folder.local:
        document["chart"] = {
            "repository": chart.repository,
            "name": chart.name,
            "version": Quoted(chart.version),
        }
    return document
