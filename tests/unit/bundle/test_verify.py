from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bundle_trees import NEW
from groundswell.bundle.verify import verify
from groundswell.bundle.write import write
from groundswell.diagnostics.codes import files as codes

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def out(tmp_path: Path) -> Path:
    directory = tmp_path / "a bundle, ü"
    assert write(NEW, directory) == ()
    return directory


def seen(out: Path) -> list[tuple[str, str]]:
    return [(finding.code, finding.message) for finding in verify(out)]


def remove(path: Path) -> None:
    path.unlink()


def edit(path: Path) -> None:
    path.write_text("edited")


def link(path: Path) -> None:
    path.rename(path.with_name("moved"))
    path.symlink_to("moved")


def test_a_fresh_bundle_is_as_it_was_written(out: Path) -> None:
    assert seen(out) == []


def test_git_at_the_root_does_not_count_but_below_it_does(out: Path) -> None:
    (out / ".git" / "objects").mkdir(parents=True)
    (out / "002-b" / ".git").write_text("gitdir: elsewhere")
    assert seen(out) == [("I205", "the file `002-b/.git` is not in the bundle")]


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        (lambda out: remove(out / "002-b/values.yaml"), codes.MISSING, "`002-b/values.yaml` is missing"),
        (lambda out: remove(out / "checksums.txt"), codes.MISSING, "`checksums.txt` is missing"),
        (lambda out: edit(out / "bundle.yaml"), codes.CHANGED, "`bundle.yaml` was changed"),
        (lambda out: edit(out / "002-b/x.yaml"), codes.ADDED, "the file `002-b/x.yaml` is not in the bundle"),
        (lambda out: edit(out / ".hidden"), codes.ADDED, "the file `.hidden` is not in the bundle"),
        (lambda out: (out / "e/f").mkdir(parents=True), codes.ADDED, "the empty directory `e/f/` is not in the bundle"),
        (lambda out: (out / "l").symlink_to("/etc/hostname"), codes.LINKED, "`l` is a symbolic link"),
        (lambda out: (out / "l").symlink_to("002-b"), codes.LINKED, "`l` is a symbolic link"),
        (lambda out: (out / "l").symlink_to("nowhere"), codes.LINKED, "`l` is a symbolic link"),
        (lambda out: os.mkfifo(out / "pipe"), codes.LINKED, "`pipe` is a special file"),
        (lambda out: link(out / "checksums.txt"), codes.LINKED, "`checksums.txt` is a link or a special file"),
        (lambda out: (out / "install.sh").chmod(0o644), codes.MODE, "`install.sh` is no longer executable"),
        (lambda out: (out / "bundle.yaml").chmod(0o755), codes.MODE, "`bundle.yaml` was made executable"),
        (lambda out: (out / "checksums.txt").chmod(0o755), codes.MODE, "`checksums.txt` was made executable"),
        (lambda out: edit(out / "checksums.txt"), codes.MALFORMED, "`checksums.txt` is not as it was written: "),
    ],
)
def test_each_change_is_found_and_named(
    out: Path, change: Callable[[Path], object], code: Callable[[str], object], message: str
) -> None:
    change(out)
    findings = verify(out)
    assert [(finding.code, finding.message.startswith(message)) for finding in findings] == [(code("").code, True)]  # type: ignore[attr-defined]
    assert findings[0].code in codes.CHANGES
    assert findings[0].span is not None
    assert findings[0].help


def test_all_changes_are_found_in_one_run(out: Path) -> None:
    edit(out / "bundle.yaml")
    edit(out / "z")
    remove(out / "install.sh")
    link(out / "002-b/values.yaml")
    assert {code for code, _ in seen(out)} == {"I203", "I204", "I205", "I206"}
    assert len(seen(out)) == 5


def test_a_missing_file_points_at_its_line_in_the_list(out: Path) -> None:
    lines = (out / "checksums.txt").read_text().splitlines()
    remove(out / "bundle.yaml")
    (finding,) = verify(out)
    assert finding.span is not None
    assert finding.span.file.endswith("ü/checksums.txt")
    assert lines[finding.span.line - 1].endswith("  bundle.yaml")


def test_a_directory_in_the_place_of_a_file_is_found(out: Path) -> None:
    remove(out / "bundle.yaml")
    (out / "bundle.yaml").mkdir()
    assert seen(out) == [
        ("I205", "the empty directory `bundle.yaml/` is not in the bundle"),
        ("I203", "`bundle.yaml` is missing"),
    ]


def test_a_directory_that_became_a_link_hides_nothing(out: Path) -> None:
    (out / "002-b").rename(out.parent / "elsewhere")
    (out / "002-b").symlink_to(out.parent / "elsewhere")
    assert {code for code, _ in seen(out)} == {"I203", "I206"}


def test_a_name_that_is_no_text_is_reported(out: Path) -> None:
    Path(os.fsdecode(os.fsencode(out) + b"/\xff\n")).write_text("")
    assert [code for code, _ in seen(out)] == ["I205"]


def test_a_converted_list_says_so(out: Path) -> None:
    path = out / "checksums.txt"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    ((code, message),) = seen(out)
    assert (code, "CR LF" in message) == ("I208", True)


def test_what_is_no_bundle_gets_a_code_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    for name in ("absent", "file", "empty"):
        (finding,) = verify(tmp_path / name)
        assert finding.code == codes.NOT_A_BUNDLE.code
        assert finding.code not in codes.CHANGES
        assert name in finding.message


def test_what_cannot_be_read_is_reported_and_not_taken_for_missing(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir

    def refuse(path: Path) -> object:
        if path == out / "002-b":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert seen(out) == [("I202", f"`{out}/002-b` cannot be read: Permission denied")]
    assert codes.UNREADABLE.code not in codes.CHANGES
