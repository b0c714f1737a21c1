"""`groundswell talos`: the node layer. Each command is imported when it runs or shows its own help."""

from __future__ import annotations

import click

from groundswell.cli.lazy import LazyGroup

_COMMANDS = {
    "configure": "Describe discovered machines in a Cluster file.",
    "discover": "Ask machines for their hardware.",
    "prepare": "Bring running machines to their definition, or compare them.",
    "render": "Write the patches and schematics of a Cluster file.",
    "schematic": "Print the schematics of a Cluster file, and post them.",
}


@click.group("talos", cls=LazyGroup, summaries=_COMMANDS, modules="groundswell.cli.talos.{}")
def command() -> None:
    """The machines under a cluster: their hardware, and what they are prepared for."""
