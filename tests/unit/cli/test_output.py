"""Where `-o` may lead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from catalog_kit import texts
from command import groundswell, tree
from groundswell.catalog.files import Layer

if TYPE_CHECKING:
    from pathlib import Path

CATALOG = texts({"lab": "criteria: {service: lab}\ncomponentRefs: [{name: web}]"}, components={"web": ""})


def written(root: Path) -> Path:
    for path, text in CATALOG.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    (root / "recipes" / "base.yaml").unlink()  # the shipped catalog has it
    return root


@pytest.mark.parametrize("output", ["mine/components/out", "mine/recipes", "link/out"])
def test_a_bundle_never_goes_into_a_catalog(tmp_path: Path, output: str) -> None:
    mine = written(tmp_path / "mine")
    (tmp_path / "link").symlink_to("mine/mixins")
    (mine / "mixins").mkdir()
    before = tree(tmp_path)
    done = groundswell("bundle", "--catalog", "mine", "--service", "lab", "-o", output, cwd=tmp_path)
    assert done.code == 1
    assert "error[I110]" in done.err
    assert tree(tmp_path) == before


def test_a_bundle_may_stand_beside_the_folders_of_a_catalog(tmp_path: Path) -> None:
    written(tmp_path)
    for _ in range(2):
        done = groundswell("bundle", "--catalog", ".", "--service", "lab", "-o", "out", cwd=tmp_path)
        assert done.code == 0, done.err


def test_a_catalog_of_the_other_layout_is_read_whole_but_for_what_is_hidden(tmp_path: Path) -> None:
    (tmp_path / "overlays").mkdir()
    layer = Layer("catalog", tmp_path)
    inside = {path: layer.reads(tmp_path / path) for path in ("", "out", "out/.x", ".out", ".git/x", "../out")}
    assert inside == {"": True, "out": True, "out/.x": True, ".out": False, ".git/x": False, "../out": False}
