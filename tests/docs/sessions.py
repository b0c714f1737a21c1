"""`console` blocks as sessions: commands after `$ `, each followed by what it prints."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from command import ROOT
from helm_binaries import helm_binaries

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from docs.pages import Block

LEFT_OUT = "…"
"""A line of expected output that stands for any lines; within a line it stands for any text, before `/` for a place."""

_MARK = "\x1e"


@dataclass(frozen=True)
class Step:
    """One command as shown (`shown` holds its `$ ` and continuation lines) and the output that the page promises."""

    shown: tuple[str, ...]
    expected: tuple[str, ...]

    @property
    def command(self) -> str:
        return "\n".join(self.shown).removeprefix("$ ")


def steps(block: Block) -> list[Step]:
    found: list[Step] = []
    shown: list[str] = []
    expected: list[str] = []
    for line in block.lines:
        if shown and not expected and shown[-1].endswith("\\"):
            shown.append(line)
        elif line.startswith("$ "):
            if shown:
                found.append(Step(tuple(shown), tuple(expected)))
            shown, expected = [line], []
        else:
            assert shown, "a console block begins with a command"
            expected.append(line)
    return [*found, Step(tuple(shown), tuple(expected))]


class Workshop:
    """A directory as after `git clone`, reduced to what the commands of the pages touch, and their environment.

    An `empty` one is a directory anywhere, and its output is compared as it is.
    """

    def __init__(self, root: Path, *, python_path: str = "", empty: bool = False) -> None:
        self.root = root
        self._empty = empty
        programs = root.parent / "programs" if empty else root / ".venv" / "bin"
        programs.mkdir(parents=True)
        shim = programs / "groundswell"
        shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m groundswell "$@"\n')
        shim.chmod(0o755)
        if empty:
            root.mkdir()
        else:
            for name in ("Makefile", "requirements.txt", "pyproject.toml"):
                shutil.copy2(ROOT / name, root)
            (root / ".venv" / ".ready").touch()
        path = f"{programs}:{os.environ['PATH']}"
        parts = [part for part in (python_path, os.environ.get("PYTHONPATH", "")) if part]
        # The tests may run inside of make, which would tell another one below it to say where it works.
        outer = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
        self._env = {
            **outer,
            "PATH": path,
            "COLUMNS": "80",
            "LC_ALL": "C.UTF-8",
            **({"PYTHONPATH": ":".join(parts)} if parts else {}),
        }

    def write(self, block: Block) -> None:
        """Put a block that names a file there, as the reader sees it."""
        path = self.root / block.file_name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")

    def run(self, block: Block) -> list[list[str]]:
        """Run a block in one shell and return each command's output; a failure must be shown with `echo $?`."""
        commands = [step.command for step in steps(block)]
        helm = next((major for major in ("3", "4") if f"helm{major}" in block.words), "")
        env = dict(self._env)
        if helm:
            env["PATH"] = f"{helm_binaries()[helm].parent}:{env['PATH']}"
        mark = f"s=$?; printf '{_MARK}%s{_MARK}' $s; (exit $s)"
        script = "".join(f"{command}\n{mark}\n" for command in commands)
        done = subprocess.run(
            ["bash", "-c", f"exec 2>&1\n{script}"], cwd=self.root, env=env, stdout=subprocess.PIPE, check=False
        )
        pieces = done.stdout.decode().split(_MARK)
        outputs, codes = pieces[:-1:2], pieces[1::2]
        assert len(outputs) == len(commands), done.stdout.decode()
        for index, (command, code) in enumerate(zip(commands, codes, strict=True)):
            told = commands[index + 1 : index + 2] == ["echo $?"]
            assert code == "0" or told, f"{command}: exit {code}\n{outputs[index]}"
        return [self._lines(output) for output in outputs]

    def _lines(self, output: str) -> list[str]:
        plain = output if self._empty else output.replace(f"{ROOT}/", "").replace(f"{self.root}/", "")
        return [line.rstrip() for line in plain.rstrip("\n").split("\n")] if plain.strip() else []


def matches(expected: Sequence[str], actual: Sequence[str]) -> bool:
    """Whether the output is what the page shows. Of the lines that stand for left-out ones, the first match counts."""
    wanted = list(expected)
    while wanted and not wanted[-1]:
        wanted.pop()
    if LEFT_OUT not in wanted:
        return len(wanted) == len(actual) and all(map(_same, wanted, actual))
    at = wanted.index(LEFT_OUT)
    head, rest = wanted[:at], wanted[at + 1 :]
    if len(actual) < at or not all(map(_same, head, actual)):
        return False
    return any(matches(rest, actual[start:]) for start in range(at, len(actual) + 1))


def _same(wanted: str, line: str) -> bool:
    """Whether a line is what the page shows, with any text where something is left out of it."""
    pattern = re.escape(wanted).replace(f"{LEFT_OUT}/", "(?:.*/)?").replace(LEFT_OUT, ".*")
    return re.fullmatch(pattern, line) is not None


def renewed(step: Step, actual: Sequence[str]) -> list[str]:
    """The lines of a step with its present output; what was left out stays left out, by the number of lines around."""
    expected = list(step.expected)
    if matches(expected, actual):
        return [*step.shown, *expected]
    shortened = [line for line in expected if LEFT_OUT in line and line != LEFT_OUT]
    actual = [next((short for short in shortened if _same(short, line)), line) for line in actual]
    if LEFT_OUT not in expected:
        return [*step.shown, *actual]
    at = expected.index(LEFT_OUT)
    tail = len(expected) - at - 1
    return [*step.shown, *actual[:at], LEFT_OUT, *(actual[-tail:] if tail else [])]
