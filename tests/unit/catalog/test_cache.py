from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from groundswell.catalog import cache
from groundswell.catalog.files import Layer, read_files

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.catalog.entries import Loaded

HEAD = "apiVersion: groundswell.dev/v1alpha1\n"
COMPONENT = f"""\
{HEAD}kind: Component
metadata: {{name: sample}}
spec:
  description: a sample
  helm: {{repository: https://charts.example.test/stable, chart: sample, version: 1.0.0}}
  namespace: sample
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    texts = {
        "recipes/base.yaml": f"{HEAD}kind: Recipe\nmetadata: {{name: base}}\nspec: {{}}\n",
        "components/sample/component.yaml": COMPONENT,
        "components/sample/values.yaml": "replicas: 1\n",
    }
    for path, text in texts.items():
        (tmp_path / "catalog" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "catalog" / path).write_text(text)
    return tmp_path / "catalog"


def loaded(root: Path) -> Loaded:
    files, findings = read_files([Layer("catalog", root)])
    assert findings == ()
    return cache.load_cached(files, root.parent / "cache")


def replicas(loaded: Loaded) -> int:
    assert loaded.catalog is not None
    (values,) = loaded.catalog.components["sample"].defaults.values
    return int(values.data["replicas"])


def test_the_second_load_comes_from_the_cache_and_is_equal(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = loaded(root)
    monkeypatch.setattr("groundswell.catalog.load.load", None)
    assert loaded(root) == first


def test_a_change_that_leaves_size_and_time_alone_is_seen(root: Path) -> None:
    values = root / "components/sample/values.yaml"
    before = values.stat()
    assert replicas(loaded(root)) == 1
    values.write_text("replicas: 2\n")
    os.utime(values, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert values.stat().st_size == before.st_size
    assert replicas(loaded(root)) == 2


def test_other_code_does_not_use_what_this_code_cached(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded(root)
    monkeypatch.setattr(cache, "__version__", "0.0.0-other")
    monkeypatch.setattr("groundswell.catalog.load.load", lambda files: "loaded anew")  # noqa: ARG005  a stand-in
    with pytest.raises(AttributeError):
        loaded(root)


@pytest.mark.parametrize("damage", [b"", b"junk", b"\0" * 100])
def test_a_damaged_cache_is_done_without(root: Path, damage: bytes) -> None:
    loaded(root)
    (file,) = (root.parent / "cache").glob("catalog-*.pickle")
    whole = file.read_bytes()
    for content in (damage, whole[:-1], whole[:-1] + bytes([whole[-1] ^ 1])):
        file.write_bytes(content)
        assert replicas(loaded(root)) == 1


def test_a_cache_that_cannot_be_written_is_done_without(root: Path) -> None:
    (root.parent / "cache").write_text("a file where the directory should be")
    assert replicas(loaded(root)) == 1


def test_old_entries_are_removed(root: Path) -> None:
    for number in range(20):
        (root / "components/sample/values.yaml").write_text(f"replicas: {number}\n")
        assert replicas(loaded(root)) == number
    assert len(list((root.parent / "cache").glob("catalog-*.pickle"))) == 16
