"""The user's cache of charts and renderings: what is used stays."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from groundswell.check import cache

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_what_nobody_used_for_longest_is_dropped_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cache, "_KEPT", 2)
    paths = [cache.folder("rendered") / name for name in "abcd"]
    for age, path in enumerate(paths):
        cache.store(path, path.name.encode())
        os.utime(path, (1000 + age, 1000 + age))
    assert cache.load(paths[0]) == b"a"
    cache.prune()
    assert sorted(path.name for path in paths if path.exists()) == ["a", "d"]


def test_what_was_changed_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = cache.folder("rendered") / "a"
    cache.store(path, b"text")
    path.write_bytes(path.read_bytes() + b"more")
    assert cache.load(path) is None
