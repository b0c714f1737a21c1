"""`docs/cli.md` has every option of every command. Its tables are made from the command line itself.

`--update-golden` writes them anew; a new command needs a section with its two marks first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from command import ROOT
from groundswell.cli.app import app
from groundswell.cli.options import query_options

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = ROOT / "docs" / "cli.md"
SHARED = "shared"
_REGION = re.compile(r"<!-- options: ([a-z -]+) -->\n(.*?)<!-- end of options -->\n", re.DOTALL)


@click.command()
@query_options
def shared() -> None:
    """The options that several commands share."""


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, by the words that call it, and the shared options in the form of one."""
    yield SHARED, shared
    pending: list[tuple[str, click.Command]] = [("", app)]
    while pending:
        name, command = pending.pop()
        if not isinstance(command, click.Group):
            yield name, command
            continue
        context = click.Context(command)
        for word in command.list_commands(context):
            found = command.get_command(context, word)
            assert found is not None
            pending.append((f"{name} {word}".strip(), found))


def table(name: str, command: click.Command) -> str:
    """The options of a command as a Markdown table, the shared ones only where they belong."""
    common = {parameter.name for parameter in shared.params}
    options = [item for item in command.params if isinstance(item, click.Option)]
    own = [item for item in options if name == SHARED or item.name not in common]
    lines = ["| Option | What it does |", "| --- | --- |", *map(row, own)]
    if len(own) < len(options) and common <= {item.name for item in options}:
        lines.append("| all of [the shared options](#what-to-resolve) | |")
    elif len(own) < len(options):
        names = ", ".join(f"`{item.opts[0]}`" for item in options if item not in own)
        lines.append(f"| {names} | as in [the shared options](#what-to-resolve) |")
    return "\n".join(lines) + "\n"


def row(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    text = re.sub(r"\s+", " ", option.help or "")
    default = f" Default: `{option.default}`." if option.show_default else ""
    return f"| {names} {values(option)}".rstrip() + f" | {text}{default} |"


def values(option: click.Option) -> str:
    if option.is_flag:
        return ""
    if isinstance(option.type, click.Choice):
        return " or ".join(f"`{choice}`" for choice in option.type.choices)
    return f"`{option.metavar}`"


def regions(text: str) -> dict[str, str]:
    return dict(_REGION.findall(text))


def test_every_command_has_a_table_of_its_options(update_golden: bool) -> None:
    text = PAGE.read_text(encoding="utf-8")
    wanted = {name: table(name, command) for name, command in commands()}
    assert regions(text).keys() == wanted.keys()
    if update_golden:
        text = _REGION.sub(
            lambda found: f"<!-- options: {found[1]} -->\n{wanted[found[1]]}<!-- end of options -->\n", text
        )
        PAGE.write_text(text, encoding="utf-8")
    for name, rows in regions(text).items():
        assert rows == wanted[name]
