from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundswell.bundle.checksums import MalformedChecksumsError, checksums, parse_checksums
from groundswell.bundle.files import File
from groundswell.bundle.paths import check_paths

if TYPE_CHECKING:
    from pathlib import Path

NAMES = st.text(
    st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="/\\"), min_size=1, max_size=8
).filter(lambda name: name not in {".", "..", ".git"})
DIGEST = "0" * 64


def test_coreutils_accepts_the_list(tmp_path: Path) -> None:
    files = [File("b, c/ü 模型.yaml", b"x"), File("a b", b""), File("-z", b"\x00\r\n"), File(" lead*", b"y")]
    for file in files:
        (tmp_path / file.path).parent.mkdir(exist_ok=True)
        (tmp_path / file.path).write_bytes(file.data)
    (tmp_path / "checksums.txt").write_text(checksums(files), encoding="utf-8")
    command = ["sha256sum", "--strict", "--quiet", "-c", "checksums.txt"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    (tmp_path / "a b").write_bytes(b"changed")
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 1


def test_the_list_is_sorted_by_bytes() -> None:
    paths = ["a/b", "a-b", "a.b", "B", "é", "z"]
    text = checksums(File(path, b"") for path in sorted(paths))
    assert [line[66:] for line in text.splitlines()] == ["B", "a-b", "a.b", "a/b", "z", "é"]


@given(st.dictionaries(NAMES, st.binary(max_size=4), max_size=4))
def test_a_written_list_reads_back_whatever_the_names(contents: dict[str, bytes]) -> None:
    files = [File(f"{number}/{name}", data) for number, (name, data) in enumerate(contents.items())]
    text = checksums(files)
    assert checksums(reversed(files)) == text
    if files:
        assert set(parse_checksums(text.encode())) == {file.path for file in files}


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/etc/x",
        "../x",
        "a/../x",
        "a//b",
        "./a",
        "a/",
        "a\\b",
        "a\nb",
        "a\rb",
        "a\x1b",
        "\udcff",
        ".git",
        ".GIT/hooks/x",
    ],
)
def test_a_path_that_leaves_the_bundle_or_breaks_the_list_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match=r"^(not a plain relative path|inside of the repository|a backslash)"):
        checksums([File(path, b"")])


@pytest.mark.parametrize(
    "paths",
    [["a", "a"], ["a", "A"], ["x/a", "X/b"], ["é", "e\u0301"], ["straße", "STRASSE"], ["a", "a/b"], ["a/b", "a"]],
)
def test_paths_that_some_file_system_takes_for_one_are_refused(paths: list[str]) -> None:
    with pytest.raises(ValueError, match=r"^(two files|only the case|both a file and a folder)"):
        check_paths(paths)


def test_paths_that_only_look_alike_are_fine() -> None:
    check_paths(["a", "a.b", "b/a", "b/c/a", "b/c/d", ".gitattributes", "x/.git", "checksums.txt"])


def test_the_list_does_not_list_itself() -> None:
    with pytest.raises(ValueError, match=r"checksums\.txt"):
        checksums([File("checksums.txt", b"")])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        (f"{DIGEST}  a", 1),
        (f"{DIGEST}  a\n\n", 2),
        (f"{DIGEST}  a\n{DIGEST} *b\n", 2),
        (f"{DIGEST}  a\r\n", 1),
        (f"{DIGEST}  a\n{DIGEST}  a\n", 2),
        (f"{DIGEST}  ../a\n", 1),
        (f"{DIGEST}  /a\n", 1),
        (f"{DIGEST}  .git/config\n", 1),
        (f"{DIGEST}  checksums.txt\n", 1),
        (f"\\{DIGEST}  a\\nb\n", 1),
        (f"{DIGEST.replace('0', 'A')}  a\n", 1),
        (f"{DIGEST[1:]}  a\n", 1),
        (f"# comment\n{DIGEST}  a\n", 1),
        (f"\ufeff{DIGEST}  a\n", 1),
        (f"{DIGEST}  \udcff\n", 1),
    ],
)
def test_a_list_that_was_not_written_so_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(MalformedChecksumsError) as caught:
        parse_checksums(text.encode(errors="surrogateescape"))
    assert caught.value.line == line
