"""What the pages show is what happens: every `console` block runs, and its output is compared.

Blocks whose first line is a comment with a path are files; they are written where the path says before later commands
run. `--update-golden` writes the present output into the pages.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from command import ROOT
from docs.pages import PAGES, Block, blocks, name_of
from docs.sessions import Workshop, matches, renewed, steps

if TYPE_CHECKING:
    from pathlib import Path

DEPLOYERS = "docs/deployers.md"
"""The page whose example has to be installed first."""
TUTORIAL = "docs/tutorial.md"
"""The page that one follows in a directory of one's own."""


def shows_commands(page: Path) -> bool:
    return any("console" in block.words for block in blocks(page.read_text(encoding="utf-8")))


SHOWING = [page for page in PAGES if shows_commands(page) and name_of(page) not in {DEPLOYERS, TUTORIAL}]


@pytest.mark.parametrize("page", SHOWING, ids=name_of)
def test_a_page_shows_what_happens(page: Path, tmp_path: Path, update_golden: bool) -> None:
    check(page, Workshop(tmp_path), update=update_golden)


def test_the_tutorial_shows_what_happens_in_an_empty_directory(tmp_path: Path, update_golden: bool) -> None:
    check(page_of(TUTORIAL), Workshop(tmp_path / "mine", empty=True), update=update_golden)


def test_the_tutorial_shows_what_happens_where_a_wheel_is_installed(tmp_path: Path) -> None:
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    wheels, packages = tmp_path / "wheels", tmp_path / "packages"
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", wheels, ROOT], check=True)
    (wheel,) = wheels.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--no-index", "--target", packages, wheel], check=True)
    workshop = Workshop(tmp_path / "mine", python_path=str(packages), empty=True)
    where = Block(
        ("console",), ('$ groundswell explain nfd.worker.tolerations --os talos | grep -o "/.*/packages/"',), 0
    )
    assert workshop.run(where) == [[f"{packages}/"]]
    check(page_of(TUTORIAL), workshop, update=False)


def test_the_example_of_a_deployer_is_found_once_it_is_installed(tmp_path: Path, update_golden: bool) -> None:
    page = page_of(DEPLOYERS)
    packages = tmp_path / "packages"
    workshop = Workshop(tmp_path / "checkout", python_path=str(packages))
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.file_name:
            workshop.write(block)
    offline = ("--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet")
    pip = (sys.executable, "-m", "pip", "install", *offline, "--target", packages, "./release-list")
    subprocess.run(pip, cwd=workshop.root, check=True)
    check(page, workshop, update=update_golden)


def page_of(name: str) -> Path:
    return next(page for page in PAGES if name_of(page) == name)


def check(page: Path, workshop: Workshop, *, update: bool) -> None:
    """Go through a page; with `update`, write the outputs that differ into it."""
    lines = page.read_text(encoding="utf-8").split("\n")
    shift = 0
    for block in blocks("\n".join(lines)):
        if block.file_name:
            workshop.write(block)
        if "console" not in block.words:
            continue
        shown = steps(block)
        outputs = workshop.run(block)
        if update:
            new = [line for step, output in zip(shown, outputs, strict=True) for line in renewed(step, output)]
            start = block.start + shift
            lines[start : start + len(block.lines)] = new
            shift += len(new) - len(block.lines)
            continue
        for step, output in zip(shown, outputs, strict=True):
            assert matches(step.expected, output), f"{step.command}\n" + "\n".join(output)
    if update:
        page.write_text("\n".join(lines), encoding="utf-8")


def test_left_out_lines_stand_for_any_number_of_lines() -> None:
    assert matches(["a", "…", "d"], ["a", "b", "c", "d"])
    assert matches(["a", "…", "d"], ["a", "d"])
    assert matches(["…"], [])
    assert not matches(["a", "…", "d"], ["a", "b", "c"])
    assert not matches(["a", "…"], ["b"])
    assert not matches(["a"], ["a", "b"])


def test_within_a_line_they_stand_for_any_text() -> None:
    assert matches(["[…/values.yaml:1]", "…"], ["[/somewhere/values.yaml:1]", "more"])
    assert not matches(["[…/values.yaml:1]"], ["[/somewhere/values.yaml:2]"])
