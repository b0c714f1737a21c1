"""A command group whose commands are imported when they run or show their own help: start-up time."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Mapping


class LazyGroup(click.Group):
    """A group that knows its commands' names and summaries; `modules` gives a command's module, `{}` being its name."""

    def __init__(self, *args: Any, summaries: Mapping[str, str], modules: str, **attributes: Any) -> None:
        """Make a group as click does, with the commands of `summaries`."""
        super().__init__(*args, **attributes)
        self._summaries = summaries
        self._modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's
        """The names of all commands."""
        return sorted(self._summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  click's
        """A command by name, imported now."""
        if cmd_name not in self._summaries:
            return None
        command = import_module(self._modules.format(cmd_name)).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  click's
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._summaries.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the name that a mistyped one is nearest to."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from groundswell.diagnostics.suggest import nearest

            guess = nearest(args[0], self._summaries)
            hint = f" Did you mean {guess!r}?" if guess else ""
            raise click.UsageError(error.message + hint, ctx) from None
