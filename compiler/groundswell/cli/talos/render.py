"""`groundswell talos render`: the node layer alone, without a network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from groundswell.cli.command import Command
from groundswell.cli.findings import report_or_stop, stop
from groundswell.cli.options import PathType, diagnostics_option
from groundswell.cli.talos.layer import layer_options, layer_or_stop
from groundswell.cli.talos.validation import validate_patches, validation_options

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.cli.talos.layer import Layer

_FOLDER = "talos/"


@click.command("render", cls=Command)
@layer_options
@click.option("-o", "--output", required=True, metavar="DIR", type=PathType(), help="A directory of its own.")
@click.option(
    "--talos-schema", metavar="DIR", type=PathType(), help="Also hold the patches against the JSON schemas there."
)
@validation_options
@diagnostics_option
def command(  # noqa: PLR0917  one for each option; click hands them over by name
    file: Path,
    catalogs: tuple[Path, ...],
    recipe: Path | None,
    output: Path,
    talos_schema: Path | None,
    base: Path | None,
    validate: bool | None,
    diagnostics: str,
) -> None:
    """Write the patches and schematics of a Cluster file.

    What components ask of machines is in them when the file's criteria, or --recipe, lead to components. Where
    `talosctl` is on PATH it validates each patch on a configuration first.
    """
    from groundswell.bundle.checksums import CHECKSUMS, checksums
    from groundswell.bundle.files import File
    from groundswell.bundle.paths import INDEX
    from groundswell.cli.output import write_outside_catalogs
    from groundswell.diagnostics.diagnostic import failed

    layer = layer_or_stop(file, catalogs, recipe, diagnostics, talos_schema)
    files = [File(item.path.removeprefix(_FOLDER), item.data) for item in layer.files]
    findings = (*layer.findings, *validate_patches(layer.cluster, files, base, validate, diagnostics))
    if failed(findings):
        stop(findings, layer.sources, diagnostics)
    files.append(File(INDEX, _index(layer).encode()))
    files.append(File(CHECKSUMS, checksums(files).encode()))
    findings = (*findings, *write_outside_catalogs(files, output, layer.sources))
    report_or_stop(findings, layer.sources, diagnostics)
    ids = {machine.schematic.id for machine in layer.machines}
    click.echo(f"wrote {output}: {_written(len(layer.machines), len(ids))}")
    click.echo(f"next:\n  read {output / 'README.md'}: which file belongs to which machine, and how to use it")


def _written(patches: int, schematics: int) -> str:
    of_patches = "1 patch" if patches == 1 else f"{patches} patches"
    return f"{of_patches}, " + ("1 schematic" if schematics == 1 else f"{schematics} schematics")


def _index(layer: Layer) -> str:
    """What the directory holds for which host, for programs; its place also says that the directory is ours."""
    from groundswell import __version__
    from groundswell.source.emitter import Quoted, emit

    target = layer.cluster.target
    hosts = [
        {
            "name": machine.name,
            "patch": f"patches/{machine.name}.yaml",
            "schematic": machine.schematic.id,
            "image": target.installer(machine.schematic),
        }
        for machine in layer.machines
    ]
    return emit(
        {
            "apiVersion": "groundswell.dev/v1alpha1",
            "kind": "Bundle",
            "metadata": {"name": layer.cluster.name},
            "spec": {
                "toolVersion": Quoted(__version__),
                "talosVersion": Quoted(str(target.version)),
                "criteria": dict(layer.cluster.criteria),
                "hosts": hosts,
            },
        }
    )
