"""The command line as a user runs it: in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


def groundswell(*arguments: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> Outcome:
    """Run the command; no outcome may ever hold a traceback."""
    words = [sys.executable, "-m", "groundswell", *map(str, arguments)]
    done = subprocess.run(words, cwd=cwd, env={**os.environ, **(env or {})}, capture_output=True, check=False)
    outcome = Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in outcome.err, outcome.err
    return outcome


def tree(directory: Path) -> dict[str, bytes]:
    """Every file below a directory by its path, executable bits included."""
    return {
        f"{path.relative_to(directory).as_posix()}{'*' if path.stat().st_mode & 0o100 else ''}": path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }
