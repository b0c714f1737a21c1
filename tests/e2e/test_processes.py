from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from typing import TYPE_CHECKING

import pytest

from e2e.processes import Running, free_ports

if TYPE_CHECKING:
    from pathlib import Path


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _pid(file: Path) -> int:
    deadline = time.monotonic() + 10
    while not (file.exists() and file.read_text().endswith("\n")):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return int(file.read_text())


def test_a_program_runs_until_its_context_is_left(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    with Running(["sh", "-c", f"echo $$ > {file}; exec sleep 60"], tmp_path / "sleep.log") as running:
        running.wait_until(file.exists)
        pid = _pid(file)
        assert _alive(pid)
    assert not _alive(pid)


def test_a_program_that_ends_at_once_is_reported_with_its_last_words(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    failing = ["sh", "-c", "echo no such flag >&2; exit 3"]
    last_words = r"(?s)server ended with 3.*no such flag"
    with Running(failing, log) as running, pytest.raises(AssertionError, match=last_words):
        running.wait_until(lambda: False)


def test_a_program_ends_with_the_session_even_where_that_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    session = textwrap.dedent(f"""
        import pathlib, time
        from e2e.processes import Running
        with Running(["sh", "-c", "echo $$ > {file}; exec sleep 60"], pathlib.Path("{tmp_path}/sleep.log")):
            time.sleep(60)
    """)
    paths = os.pathsep.join(sys.path)
    with subprocess.Popen([sys.executable, "-c", session], env={**os.environ, "PYTHONPATH": paths}) as killed:
        pid = _pid(file)
        killed.kill()
    deadline = time.monotonic() + 10
    while _alive(pid):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_free_ports_differ() -> None:
    assert len(set(free_ports(20))) == 20
