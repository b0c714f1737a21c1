"""Commands that the pages show but that no test runs are at least commands that exist."""

from __future__ import annotations

import re
import shlex
import subprocess
from typing import TYPE_CHECKING

import click
import pytest

from command import ROOT
from docs.pages import PAGES, blocks, name_of, prose
from groundswell.cli.app import app

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SCRIPTS = ROOT / "bundles" / "metal-h100-talos-training"


def shell_blocks(page: Path) -> Iterator[str]:
    yield from (block.text for block in blocks(page.read_text(encoding="utf-8")) if "sh" in block.words)


def shell_lines(page: Path) -> Iterator[list[str]]:
    """The words of each command in `sh` blocks and in the text's code spans."""
    text = page.read_text(encoding="utf-8")
    spans = re.findall(r"`((?:groundswell|make|\./(?:un)?install\.sh) [^`]*)`", prose(text).replace("\n", " "))
    for line in ("".join(shell_blocks(page)).replace("\\\n", " ") + "\n".join(spans)).split("\n"):
        yield shlex.split(line, comments=True)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_shell_blocks_are_shell(page: Path) -> None:
    for text in shell_blocks(page):
        subprocess.run(["bash", "-n"], input=text.encode(), check=True)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_and_options_exist(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for words in shell_lines(page):
        program, *rest = words or [""]
        options = {word.partition("=")[0] for word in rest if word.startswith("-")}
        if program.rpartition("/")[2] == "groundswell":
            assert options <= options_of(rest), words
        elif "/" in program and program.rpartition("/")[2] in {"install.sh", "uninstall.sh"}:
            script = SCRIPTS / program.rpartition("/")[2]
            usage = subprocess.run([script, "--help"], capture_output=True, check=True).stdout.decode()
            assert all(re.search(rf"(?m)^  {option}\b", usage) for option in options), words
        elif program == "make":
            targets = [word for word in rest if "=" not in word]
            assert all(re.search(rf"(?m)^{target}:", makefile) for target in targets), words


def options_of(words: list[str]) -> set[str]:
    """The options of the command that these words name."""
    command: click.Command = app
    context = click.Context(app)
    for word in words:
        if not isinstance(command, click.Group):
            break
        if not word.startswith("-"):
            found = command.get_command(context, word)
            assert found is not None, word
            command = found
    return {option for parameter in command.get_params(context) for option in parameter.opts}
