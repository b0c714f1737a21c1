"""`groundswell talos`: the node layer. Each command is imported when it runs or shows its own help."""

from __future__ import annotations

from importlib import import_module

import click

_COMMANDS = {
    "configure": "Describe discovered machines in a Cluster file.",
    "discover": "Ask machines for their hardware.",
    "prepare": "Bring running machines to their definition, or compare them.",
    "render": "Write the patches and schematics of a Cluster file.",
    "schematic": "Print the schematics of a Cluster file, and post them.",
}


class _Lazy(click.Group):
    """A group whose commands live in modules of their own name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  click's
        if cmd_name not in _COMMANDS:
            return None
        found = import_module(f"groundswell.cli.talos.{cmd_name}").command
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  click's
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group("talos", cls=_Lazy)
def command() -> None:
    """The machines under a cluster: their hardware, and what they are prepared for."""
