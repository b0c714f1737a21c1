"""Runs that are killed, and runs that meet: after the next run the output is one bundle or the other."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from typing import TYPE_CHECKING

from bundle_trees import SMALL_NEW as NEW
from bundle_trees import SMALL_OLD as OLD
from bundle_trees import bundle, expected, names, tree
from groundswell.bundle.verify import verify
from groundswell.bundle.write import write

if TYPE_CHECKING:
    from pathlib import Path

# Kills a run at its nth step that changes a file system, for n = 1, 2, ... until it comes to its end; one directory for
# each n. What it finds there: nothing, a bundle, or a bundle whose replacement was killed half-way.
_KILL_AT_EVERY_STEP = """
import os, sys
from pathlib import Path
from bundle_trees import SMALL_NEW as NEW, SMALL_OLD as OLD
from groundswell.bundle.write import write

STEPS = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod"}
armed = []

def step(event, arguments):
    if armed and (event in STEPS or (event == "open" and arguments[1] in ("w", "xb"))):
        armed[0] -= 1
        if armed[0] == 0:
            os._exit(9)

def killed_at(number):
    child = os.fork()
    if not child:
        armed.append(number)
        os._exit(1 if write(NEW, out) else 0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

sys.addaudithook(step)
number, status = 0, 9
while status == 9:
    number += 1
    out = Path(sys.argv[1], str(number), "out")
    if sys.argv[2] != "absent":
        write(OLD, out)
        (out / ".git").mkdir()
        (out / ".git" / "HEAD").write_text("ref")
    out.parent.mkdir(exist_ok=True)
    if sys.argv[2] == "interrupted":
        killed_at(int(sys.argv[3]))
    status = killed_at(number)
sys.exit(status)
"""


def _kill_at_every_step(root: Path, *start: str) -> list[Path]:
    root.mkdir(exist_ok=True)
    command = [sys.executable, "-c", _KILL_AT_EVERY_STEP, str(root), *start]
    subprocess.run(command, check=True, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}, timeout=60)
    return sorted(root.iterdir(), key=lambda path: int(path.name))


def _state(run: Path) -> str:
    found = {path: what for path, what in tree(run / "out").items() if not path.startswith(".git")}
    return "old" if found == expected(OLD) else "new" if found == expected(NEW) else "between"


def test_after_a_kill_at_any_step_the_next_run_puts_everything_right(tmp_path: Path) -> None:
    runs = _kill_at_every_step(tmp_path, "present")
    assert [state for state, _ in groupby(map(_state, runs))] == ["old", "between", "new"]
    for run in runs:
        out = run / "out"
        last = OLD if int(run.name) % 2 else NEW
        assert write(last, out) == ()
        assert verify(out) == ()
        assert names(run) == ["out"]
        assert (out / ".git" / "HEAD").read_text() == "ref"


def test_a_run_that_is_killed_while_it_undoes_another_one_can_be_undone_as_well(tmp_path: Path) -> None:
    first = [_state(run) for run in _kill_at_every_step(tmp_path / "first", "present")]
    last_between = first.index("new")  # counted from 1, as steps are
    runs = _kill_at_every_step(tmp_path / "second", "interrupted", str(last_between))
    assert [state for state, _ in groupby(map(_state, runs))] == ["between", "old", "between", "new"]
    for run in runs:
        assert write(NEW, run / "out") == ()
        assert verify(run / "out") == ()
        assert names(run) == ["out"]


def test_after_a_kill_an_absent_output_is_absent_or_complete(tmp_path: Path) -> None:
    runs = _kill_at_every_step(tmp_path, "absent")
    for run in runs:
        out = run / "out"
        assert not out.exists() or tree(out) == expected(NEW)
        assert write(NEW, out) == ()
        assert tree(out) == expected(NEW)
        assert names(run) == ["out"]
    assert len(runs) > 10


def test_an_interrupted_output_that_the_user_removed_is_written_afresh(tmp_path: Path) -> None:
    for run in _kill_at_every_step(tmp_path, "present"):
        (run / "out").rename(tmp_path / f"removed-{run.name}")
        assert write(NEW, run / "out") == ()
        assert tree(run / "out") == expected(NEW)
        assert names(run) == ["out"]


def test_runs_that_meet_leave_one_whole_bundle(tmp_path: Path) -> None:
    out = tmp_path / "out"
    bundles = [bundle(f"run {number}", f"00{number}-x") for number in range(4)]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda number: write(bundles[number % 4], out), range(120)))
    assert {finding.code for findings in results for finding in findings} <= {"I105"}
    assert () in results
    assert tree(out) in [expected(files) for files in bundles]
    assert names(tmp_path) == ["out"]
