"""What is read of a chart is what Helm sees of it."""

from __future__ import annotations

import gzip
import io
import tarfile
from typing import TYPE_CHECKING, Literal

import pytest

from groundswell.check.chart_files import UnreadableChartError, archive_problem, chart_digest, chart_files

if TYPE_CHECKING:
    from pathlib import Path

ABOUT = {"app/Chart.yaml": b"name: app\nversion: 1.0.0\n", "app/templates/a.yaml": b"kind: A\n" * 500}


def packed(files: dict[str, bytes], mode: Literal["w:gz", "w:bz2"] = "w:gz") -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return data.getvalue()


FORMATS = (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT)
LONG = f"app/{'folder/' * 12}{'x' * 40}.yaml"


def members(files: dict[str, bytes], form: int) -> bytes:
    """An archive, not compressed, in which folders and a link stand, too."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=form) as archive:
        for name, kind in (("app", tarfile.DIRTYPE), ("app/link", tarfile.SYMTYPE)):
            member = tarfile.TarInfo(name)
            member.type = kind
            archive.addfile(member)
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return data.getvalue()


def halves(data: bytes) -> tuple[bytes, bytes]:
    return data[:1000], data[1000:]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (packed(ABOUT), ""),
        (packed({f"./{name}": content for name, content in ABOUT.items()}), ""),
        (b"<html>log in first</html>", "not a gzip file"),
        (b"", "empty file"),
        (packed(ABOUT, "w:bz2"), "not a gzip file"),
        (packed(ABOUT)[:150], "it ends too early"),
        (packed(ABOUT)[:-1], "it ends too early"),
        (gzip.compress(gzip.decompress(packed(ABOUT))[:2000]), "it ends too early"),
        (packed(ABOUT) + bytes(512), ""),
        (b"".join(map(gzip.compress, halves(gzip.decompress(packed(ABOUT))))), ""),
        (packed({"app/big": bytes(101 << 20)}), "it is larger than 100 MiB unpacked"),
        (packed({"app/other": b""}), "it holds no `Chart.yaml`"),
        (packed({"app/charts/sub/Chart.yaml": b""}), "it holds no `Chart.yaml`"),
    ],
)
def test_an_archive_is_one_or_the_reason_is_told_in_one_line(data: bytes, problem: str) -> None:
    assert archive_problem(data) == problem


def test_a_damaged_archive_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.tgz").write_bytes(b"broken")
    with pytest.raises(UnreadableChartError) as caught:
        list(chart_files(tmp_path / "a.tgz"))
    assert str(caught.value) == f"`{tmp_path / 'a.tgz'}`: not a gzip file"


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", ["app/a.yaml", LONG, "app/größer.yaml", f"app/{'ü' * 30}/{'ü' * 30}", "./app/a.yaml"])
def test_files_are_read_whatever_the_form_of_the_archive(tmp_path: Path, form: int, name: str) -> None:
    unpacked = members({"app/Chart.yaml": b"name: app\n", name: b"a" * 513, "app/z": b""}, form)
    (tmp_path / "a.tgz").write_bytes(gzip.compress(unpacked))
    files = [("Chart.yaml", b"name: app\n"), (name.removeprefix("./").partition("/")[2], b"a" * 513), ("z", b"")]
    assert list(chart_files(tmp_path / "a.tgz")) == files


def test_paths_with_backslashes_are_those_of_folders(tmp_path: Path) -> None:
    files = {"app\\Chart.yaml": b"name: app\n", "app\\templates\\a.yaml": b"", "app/b\\c\\d": b""}
    (tmp_path / "a.tgz").write_bytes(packed(files))
    assert archive_problem((tmp_path / "a.tgz").read_bytes()) == ""
    assert [name for name, _ in chart_files(tmp_path / "a.tgz")] == ["Chart.yaml", "templates/a.yaml", "c/d"]


def test_links_are_followed_and_what_they_lead_to_is_in_the_digest(tmp_path: Path) -> None:
    chart, shared = tmp_path / "app", tmp_path / "shared"
    for folder in (chart, shared / "inner"):
        folder.mkdir(parents=True)
    (chart / "Chart.yaml").write_text("name: app\n")
    (shared / "inner" / "a.yaml").write_text("a: 1\n")
    (chart / "templates").symlink_to(shared)
    before = chart_digest(chart)
    assert dict(chart_files(chart)) == {"Chart.yaml": b"name: app\n", "templates/inner/a.yaml": b"a: 1\n"}
    (shared / "inner" / "a.yaml").write_text("a: 2\n")
    assert chart_digest(chart) != before


def test_a_link_to_a_folder_above_ends_and_two_links_to_one_folder_are_both_followed(tmp_path: Path) -> None:
    chart, shared = tmp_path / "app", tmp_path / "shared"
    chart.mkdir()
    shared.mkdir()
    (shared / "x").write_text("")
    for name in ("one", "two"):
        (chart / name).symlink_to(shared)
    (shared / "up").symlink_to(chart)
    (shared / "self").symlink_to("self")
    assert [name for name, _ in chart_files(chart)] == ["one/x", "two/x"]
