"""The command group: commands are imported when they run or show their own help."""

from __future__ import annotations

from importlib import import_module

import click

from groundswell import __version__

_COMMANDS = {
    "bundle": "Compile a bundle into a directory.",
    "catalog": "List, check and write catalogs.",
    "check": "Render every folder with Helm, and judge the objects.",
    "explain": "Say where a value came from, or what a code means.",
    "plan": "Show the waves and folders of a query.",
    "resolve": "Show the recipe that a query leads to.",
    "snapshot": "Read a cluster's facts through its API, without an agent.",
    "talos": "The machines under a cluster: what they are and what they are prepared for.",
    "verify": "Check that a bundle is exactly what was written.",
}


class _Lazy(click.Group):
    """A group whose commands live in modules of their own name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  click's
        if cmd_name not in _COMMANDS:
            return None
        command = import_module(f"groundswell.cli.{cmd_name}_command").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  click's
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from groundswell.diagnostics.suggest import nearest

            guess = nearest(args[0], _COMMANDS)
            hint = f" Did you mean {guess!r}?" if guess else ""
            raise click.UsageError(error.message + hint, ctx) from None


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="groundswell %(version)s")
def app() -> None:
    """Compile recipes into GitOps bundles for Argo CD and plain Helm."""
