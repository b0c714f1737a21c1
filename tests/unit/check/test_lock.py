"""The lock file: what stands in it counts or is a finding, and it is written whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from groundswell.check.lock import lock_text, read_lock, write_lock
from groundswell.resolve.resolution import Chart

if TYPE_CHECKING:
    from pathlib import Path

ONE = Chart("https://charts.example.test", "one", "1.10")
TWO = Chart("oci://registry.example.test/charts", "two", "2.0.0")
DIGESTS = {ONE: "1" * 64, TWO: "2" * 64}


def messages(path: Path, text: str) -> list[str]:
    path.write_text(text)
    lock, findings = read_lock(path, strict=False)
    assert (lock is None) is bool(findings)
    return [f"{item.code} {item.message}" for item in findings]


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "charts.lock"
    write_lock(path, DIGESTS)
    lock, findings = read_lock(path, strict=True)
    assert not findings
    assert lock is not None
    assert lock.digests == DIGESTS
    assert lock.places.keys() == DIGESTS.keys()


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("spec:", "speck: 1\nspec:", "speck"),
        ("  charts:", "  chart: []\n  charts:", "chart"),
        ("      version: ", "      Version: 1\n      version: ", "Version"),
        ("  name: charts", "  name: charts\n  labels: {}", "labels"),
    ],
)
def test_a_key_that_a_lock_does_not_have_is_an_error(tmp_path: Path, old: str, new: str, key: str) -> None:
    text = lock_text({ONE: DIGESTS[ONE]})
    assert old in text
    assert messages(tmp_path / "lock", text.replace(old, new, 1)) == [f"K106 `{key}` is no key of a lock of charts"]


def test_a_chart_that_is_locked_twice_is_an_error_whatever_the_digests(tmp_path: Path) -> None:
    text = lock_text(DIGESTS)
    entry = text[text.index("    - repository") :].split("    - ")[1]
    for again in (entry, entry.replace("1" * 64, "3" * 64)):
        (message,) = messages(tmp_path / "lock", f"{text}    - {again}")
        assert message == "K106 the chart `one 1.10` of `https://charts.example.test` is locked twice"


def test_a_lock_that_cannot_be_written_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "charts.lock"
    write_lock(path, {ONE: DIGESTS[ONE]})
    text = path.read_text()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(OSError, match="No space"):
        write_lock(path, DIGESTS)
    assert path.read_text() == text
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_and_the_rights_of_the_file_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    write_lock(target, {})
    target.chmod(0o640)
    link.symlink_to(target)
    write_lock(link, DIGESTS)
    assert link.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640
    assert target.read_text() == lock_text(DIGESTS)
