"""What findings show of the files that they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from command import groundswell
from groundswell.cli.sources import RunSources

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_link_is_shown_under_its_own_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.yaml").write_text("one: 1\n")
    (tmp_path / "link.yaml").symlink_to("a.yaml")
    monkeypatch.chdir(tmp_path)
    sources = RunSources()
    assert [sources.display(name) for name in ("a.yaml", "link.yaml", str(tmp_path / "link.yaml"))] == [
        "a.yaml",
        "link.yaml",
        "link.yaml",
    ]
    assert sources.line("link.yaml", 1) == "one: 1"
    assert not RunSources(follow=False).line("link.yaml", 1)


def test_verify_names_an_added_link_and_quotes_nothing_that_it_leads_to(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert groundswell("bundle", "--service", "kind", "--intent", "inference", "-o", out).code == 0
    (tmp_path / "secret").write_text("password: hidden\n")
    (out / "l").symlink_to(tmp_path / "secret")
    (out / "m").symlink_to("README.md")
    done = groundswell("verify", "out", cwd=tmp_path)
    assert done.code == 3
    assert "--> out/l:1:1" in done.out
    assert "--> out/m:1:1" in done.out
    assert "hidden" not in done.out
