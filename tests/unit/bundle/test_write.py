from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from bundle_trees import NEW, OLD, expected, names, tree
from groundswell.bundle import swap
from groundswell.bundle.checksums import checksums
from groundswell.bundle.files import File
from groundswell.bundle.verify import verify
from groundswell.bundle.write import write


@pytest.fixture
def out(tmp_path: Path) -> Path:
    directory = tmp_path / "out, ü b"
    assert write(OLD, directory) == ()
    return directory


def refused(out: Path, code: str, *named: str) -> None:
    """Writing is refused with one finding of this code that names these things, and changes nothing."""
    before = tree(out.parent)
    findings = write(NEW, out)
    assert [finding.code for finding in findings] == [code]
    assert [name for name in named if f"`{name}`" not in findings[0].message] == []
    assert findings[0].help
    assert tree(out.parent) == before


def test_an_absent_directory_is_made_with_all_above_it(tmp_path: Path) -> None:
    out = tmp_path / "x" / "y" / "out"
    assert write(NEW, out) == ()
    assert tree(out) == expected(NEW)
    assert names(out.parent) == ["out"]
    assert stat.S_IMODE(out.stat().st_mode) == 0o755


def test_modes_do_not_depend_on_the_umask(tmp_path: Path) -> None:
    for mask in (0o077, 0o000):
        before = os.umask(mask)
        try:
            assert write(NEW, tmp_path / "out") == ()
        finally:
            os.umask(before)
        assert tree(tmp_path / "out") == expected(NEW)


def test_an_earlier_bundle_is_replaced_as_a_whole(out: Path) -> None:
    assert write(NEW, out) == ()
    assert tree(out) == expected(NEW)
    assert verify(out) == ()
    assert names(out.parent) == [out.name]


def test_the_same_bundle_again_changes_nothing(out: Path) -> None:
    assert write(OLD, out) == ()
    assert tree(out) == expected(OLD)


def test_the_directory_itself_stays(out: Path) -> None:
    out.chmod(0o2770)
    before = out.stat()
    assert write(NEW, out) == ()
    assert (out.stat().st_ino, out.stat().st_mode) == (before.st_ino, before.st_mode)


@pytest.mark.parametrize("kind", ["directory", "file"])
def test_git_at_the_root_is_not_touched(out: Path, kind: str) -> None:
    git = out / ".git"
    if kind == "file":
        git.write_text("gitdir: ../x")
    else:
        (git / "objects").mkdir(parents=True)
        (git / "HEAD").write_text("ref: refs/heads/main")
    before = git.stat()
    assert write(NEW, out) == ()
    after = git.stat()
    assert (after.st_ino, after.st_mtime_ns, after.st_ctime_ns) == (
        before.st_ino,
        before.st_mtime_ns,
        before.st_ctime_ns,
    )
    assert verify(out) == ()


def test_a_repository_sees_the_replacement_as_ordinary_changes(tmp_path: Path) -> None:
    out = tmp_path / "clone"
    git = ["git", "-C", str(out), "-c", "user.name=n", "-c", "user.email=e@example.test"]
    subprocess.run(["git", "init", "-q", str(out)], check=True)
    assert write(OLD, out) == ()
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "old"], check=True)
    assert write(NEW, out) == ()
    assert write(OLD, out) == ()
    status = subprocess.run([*git, "status", "--porcelain"], check=True, capture_output=True, text=True)
    assert status.stdout == ""


def test_the_working_directory_itself_can_be_the_output(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(out)
    assert write(NEW, Path()) == ()
    assert Path("bundle.yaml").read_text() == "new\n"
    assert tree(Path.cwd()) == expected(NEW)


def test_a_directory_above_the_working_directory_is_refused(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(out / "002-a")
    refused(out, "I102", str(out))
    assert [finding.code for finding in write(NEW, Path(".."))] == ["I102"]
    assert [finding.code for finding in write(NEW, Path("/"))] == ["I102"]


def test_links_and_files_are_refused(tmp_path: Path, out: Path) -> None:
    (tmp_path / "link").symlink_to(out)
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "file").write_text("mine")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "dangling", "file", "pipe"):
        refused(tmp_path / name, "I101", str(tmp_path / name))


def test_a_link_above_the_output_is_fine(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert write(NEW, tmp_path / "link" / "out") == ()
    assert tree(tmp_path / "real" / "out") == expected(NEW)


def test_a_directory_without_a_bundle_is_refused_and_at_most_five_files_are_named(tmp_path: Path) -> None:
    for name in "gfedcba":
        (tmp_path / name).write_text(name)
    before = tree(tmp_path)
    (finding,) = write(NEW, tmp_path)
    assert finding.message == f"`{tmp_path}` is not empty and holds no bundle: `a`, `b`, `c`, `d`, `e` and 2 more"
    assert tree(tmp_path) == before


def test_foreign_files_are_refused_by_name(out: Path) -> None:
    (out / "notes.txt").write_text("mine")
    (out / "002-a" / "link").symlink_to("values.yaml")
    (out / "empty").mkdir()
    (out / "002-a" / ".git").mkdir()
    refused(out, "I103", "notes.txt", "002-a/link", "empty/", "002-a/.git/")


def test_edited_and_removed_files_are_refused_by_name(out: Path) -> None:
    (out / "bundle.yaml").write_text("edited")
    (out / "002-a" / "values.yaml").unlink()
    refused(out, "I104", "bundle.yaml", "002-a/values.yaml")


def test_foreign_and_edited_files_are_reported_together(out: Path) -> None:
    (out / "bundle.yaml").write_text("edited")
    (out / "mine").write_text("")
    assert [finding.code for finding in write(NEW, out)] == ["I103", "I104"]


def test_someone_elses_list_of_checksums_makes_no_bundle(tmp_path: Path) -> None:
    release = File("app.tar.gz", b"binary")
    out = tmp_path / "dist"
    out.mkdir()
    (out / release.path).write_bytes(release.data)
    (out / "checksums.txt").write_text(checksums([release]))
    refused(out, "I103", str(out), "app.tar.gz")
    (out / "checksums.txt").write_text("SHA256 (app.tar.gz) = 0\n")
    refused(out, "I103", str(out))


def test_a_lost_executable_bit_is_no_reason_to_refuse(out: Path) -> None:
    (out / "install.sh").chmod(0o644)
    assert write(NEW, out) == ()


@pytest.mark.parametrize(
    "files",
    [
        [File("../x", b"")],
        [File("/x", b"")],
        [File(".git/config", b"")],
        [File("a", b""), File("A", b"")],
        [File("data", b"", executable=True)],
        [File("install.sh", b"#!/bin/sh")],
    ],
)
def test_files_that_no_bundle_may_hold_are_the_callers_mistake(tmp_path: Path, files: list[File]) -> None:
    with pytest.raises(ValueError, match=r"path|repository|case|executable bit"):
        write(files, tmp_path / "out")
    assert names(tmp_path) == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
@pytest.mark.parametrize("step", ["mkdir", "open"])
def test_a_refusal_of_the_system_is_a_finding_and_leaves_the_old_tree(
    out: Path, monkeypatch: pytest.MonkeyPatch, number: int, step: str
) -> None:
    original = getattr(Path, step)

    def refuse(path: Path, *args: str, **options: object) -> object:
        if path.name == "002-b" or path.parent.name == "002-b":
            raise OSError(number, os.strerror(number), str(path))
        return original(path, *args, **options)

    with monkeypatch.context() as patched:
        patched.setattr(Path, step, refuse)
        (finding,) = write(NEW, out)
    assert finding.code == "I106"
    assert os.strerror(number) in finding.message
    assert "002-b" in finding.message
    assert tree(out) == expected(OLD)
    assert names(out.parent) == [out.name]


def test_a_file_in_the_place_of_a_directory_above_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert [finding.code for finding in write(NEW, tmp_path / "file" / "out")] == ["I106"]


@pytest.mark.parametrize("lasting", [False, True])
def test_whichever_rename_fails_the_old_tree_is_left_or_comes_back(
    out: Path, monkeypatch: pytest.MonkeyPatch, *, lasting: bool
) -> None:
    (out / ".git").write_text("gitdir: elsewhere")
    rename = Path.rename
    for failing in range(100):
        calls = 0

        def refuse(path: Path, target: Path, failing: int = failing) -> Path:
            nonlocal calls
            calls += 1
            if calls > failing and (lasting or calls == failing + 1):
                raise OSError(errno.EIO, "Input/output error", str(path))
            return rename(path, target)

        with monkeypatch.context() as patched:
            patched.setattr(Path, "rename", refuse)
            findings = write(NEW, out)
        if not findings:
            break
        assert [finding.code for finding in findings] == ["I106"]
        if not lasting:
            assert tree(out).items() - {(".git", tree(out)[".git"])} == expected(OLD).items()
            assert names(out.parent) == [out.name]
        assert write(OLD, out) == ()
        assert verify(out) == ()
        assert names(out.parent) == [out.name]
    assert failing > 8
    assert verify(out) == ()


def test_what_links_in_an_old_tree_lead_to_stays(out: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("")
    folder = tmp_path / ".out.groundswell" / "old" / "folder"
    folder.mkdir(parents=True)
    (folder / "to-folder").symlink_to(kept)
    (folder / "to-file").symlink_to(kept / "file")
    swap.clean(folder.parents[1])
    assert not folder.parent.exists()
    assert (kept / "file").exists()
    assert write(NEW, out) == ()


def test_an_old_tree_that_cannot_be_removed_is_only_a_warning(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as patched:
        patched.setattr("groundswell.bundle.swap._remove", refuse)
        (finding,) = write(NEW, out)
    assert (finding.code, finding.severity.value) == ("I108", "warning")
    assert tree(out) == expected(NEW)
    assert write(OLD, out) == ()
    assert names(out.parent) == [out.name]


def test_an_interrupted_swap_is_not_undone_over_files_that_came_since(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.rename

    def refuse(path: Path, target: Path) -> Path:
        if (out / "001-a-pre").exists():
            return rename(path, target)
        raise OSError(errno.EIO, "Input/output error", str(path))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", refuse)
        (finding,) = write(NEW, out)
    assert (finding.code, "next run" in finding.help) == ("I106", True)
    (out / "001-a-pre").mkdir()
    (out / "001-a-pre" / "mine").write_text("mine")
    (finding,) = write(NEW, out)
    assert finding.code == "I107"
    assert f"`{out / '001-a-pre'}`" in finding.message
    assert (out / "001-a-pre" / "mine").read_text() == "mine"
    shutil.rmtree(out / "001-a-pre")
    assert write(NEW, out) == ()
    assert tree(out) == expected(NEW)
    assert names(out.parent) == [out.name]


def test_a_directory_that_cannot_have_a_neighbour_is_replaced_from_inside(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os.path, "ismount", lambda path: path == out)
    before = out.parent.stat().st_mtime_ns
    assert write(NEW, out) == ()
    assert out.parent.stat().st_mtime_ns == before
    assert tree(out) == expected(NEW)


def test_a_second_run_is_refused_while_the_first_one_writes(out: Path) -> None:
    with swap.locked(swap.workspace_for(out)):
        refused(out, "I105", str(out))
    assert write(NEW, out) == ()


def test_a_link_in_the_place_of_the_workspace_is_not_followed(tmp_path: Path, out: Path) -> None:
    (tmp_path / "precious" / "new").mkdir(parents=True)
    swap.workspace_for(out).symlink_to(tmp_path / "precious")
    refused(out, "I106", str(swap.workspace_for(out)))
