"""From directories to files: what is read, what looks as if it were, and what cannot be."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from catalog_kit import codes, texts
from groundswell.catalog import files as module
from groundswell.catalog.files import CatalogFiles, Layer, layers_of, read_files, shipped_root
from groundswell.catalog.misplaced import misplaced

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.diagnostics.diagnostic import Diagnostic

CATALOG = texts(components={"a": ""}, files={"components/a/manifests/m.yaml": "a: 1\n"})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "catalog", CATALOG)
    return tmp_path / "catalog"


def write(root: Path, content: dict[str, str]) -> None:
    for path, text in content.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def read(root: Path) -> tuple[CatalogFiles, tuple[Diagnostic, ...]]:
    return read_files([Layer("x", root)])


def test_all_files_of_the_format_are_read_and_nothing_else(root: Path) -> None:
    write(
        root,
        {
            "README.md": "",
            "docs/x.yaml": "a: 1\n",
            "recipes/notes.txt": "",
            "recipes/.hidden.yaml": "",
            ".git/x.yaml": "",
        },
    )
    files, findings = read(root)
    assert not findings
    assert {name: text.decode() for name, text in files.content.items()} == {
        f"x/{path}": text for path, text in CATALOG.items()
    }


@pytest.mark.parametrize(
    "path",
    [
        "recipes/eks.yml",
        "recipes/eks.YAML",
        "recipes/eks.json",
        "recipes/deep/eks.yaml",
        "components/a.yaml",
        "components/a/deep/x.yaml",
        "components/a/manifests/deep/x.yaml",
        "mixins/x.yml",
    ],
)
def test_a_file_that_would_silently_be_missing_is_reported(root: Path, path: str) -> None:
    write(root, {path: "a: 1\n"})
    _, findings = read(root)
    assert [(finding.code, finding.span and finding.span.file) for finding in findings] == [("M206", f"x/{path}")]


def test_what_only_has_another_ending_is_told_so(root: Path) -> None:
    meant = {
        "recipes/x.yml": "recipes/x.yaml",
        "mixins/x.json": "mixins/x.yaml",
        "components/nfd/component.yml": "components/nfd/component.yaml",
        "components/nfd/manifests/x.YAML": "components/nfd/manifests/x.yaml",
        "recipes/deep/x.yml": "",
    }
    for path, name in meant.items():
        write(root, {path: "a: 1\n"})
        _, (finding,) = read(root)
        (root / path).unlink()
        assert finding.help == (f"rename it to `{name}`" if name else "")
        assert ("its ending is not `.yaml`" in finding.message) is bool(name)


def test_a_missing_directory_and_one_without_a_catalog_are_reported(tmp_path: Path) -> None:
    assert codes(read(tmp_path / "none")[1]) == ["M212"]
    assert codes(read(tmp_path)[1]) == ["M212"]
    (tmp_path / "file").write_text("")
    assert codes(read(tmp_path / "file")[1]) == ["M212"]


def test_a_link_may_stay_inside_the_catalog_and_not_leave_it(root: Path) -> None:
    (root / "recipes/inside.yaml").symlink_to("base.yaml")
    assert not read(root)[1]
    (root.parent / "outside.yaml").write_text("a: 1\n")
    (root / "recipes/outside.yaml").symlink_to("../../outside.yaml")
    (root / "recipes/nowhere.yaml").symlink_to("nowhere-at-all.yaml")
    findings = read(root)[1]
    assert [(f.code, f.span and f.span.file) for f in findings] == [
        ("M212", "x/recipes/nowhere.yaml"),
        ("M212", "x/recipes/outside.yaml"),
    ]


def test_a_link_to_a_directory_is_not_silently_passed_over(root: Path) -> None:
    (root / "components/b").symlink_to("a")
    findings = read(root)[1]
    assert [(f.code, f.span and f.span.file) for f in findings] == [("M212", "x/components/b")]


def test_what_is_no_regular_file_is_not_opened(root: Path) -> None:
    os.mkfifo(root / "recipes/pipe.yaml")
    assert codes(read(root)[1]) == ["M212"]


def test_a_file_beyond_the_limit_is_not_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 10)
    assert codes(read(root)[1]) == ["M212"] * 2


def test_a_name_that_is_no_text_is_reported(root: Path) -> None:
    (root / "recipes" / os.fsdecode(b"\xff.yaml")).write_text("a: 1\n")
    files, (finding,) = read(root)
    assert finding.code == "M212"
    assert "\\udcff" in finding.message
    assert files.digest()


def test_a_directory_that_cannot_be_looked_into_is_reported(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scan = os.scandir

    def refusing(path: Path) -> object:
        if path.name == "a":
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
    _, findings = read(root)
    assert [(f.code, f.message) for f in findings] == [
        ("M212", "the directory `components/a` cannot be read: Permission denied")
    ]


def test_layers_are_named_in_order_above_the_shipped_one(tmp_path: Path) -> None:
    layers = layers_of([tmp_path / "one", tmp_path / "two"])
    assert [layer.name for layer in layers] == ["groundswell", "catalog", "catalog-2"]
    assert layers[0].root == shipped_root()
    assert (shipped_root() / "recipes/base.yaml").is_file()


def test_files_are_looked_up_from_their_layer_downwards() -> None:
    files = CatalogFiles(("a", "b", "c"), {"a/x": b"", "b/x": b"", "c/y": b""})
    assert [files.lookup("x", layer) for layer in "abc"] == ["a/x", "b/x", "b/x"]
    assert [files.lookup("y", layer) for layer in "abc"] == [None, None, "c/y"]


def test_a_catalog_with_misspelt_folders_alone_is_an_error_that_guesses(tmp_path: Path) -> None:
    write(tmp_path, {"recipe/eks.yaml": "a: 1\n", "Components/a/component.yaml": "a: 1\n"})
    _, (finding,) = read(tmp_path)
    assert finding.code == "M212"
    assert finding.help == "did you mean `components` where there is `Components`, `recipes` where there is `recipe`?"


@pytest.mark.parametrize("folder", ["recipe", "recepies", "mixin", "Mixins", "component", "componnents", "recipes_"])
def test_a_folder_of_nearly_the_name_is_reported_at_its_first_file(root: Path, folder: str) -> None:
    write(root, {f"{folder}/x/deep.yaml": "a: 1\n", f"{folder}/x/a.txt": ""})
    (finding,) = misplaced([Layer("x", root)])
    assert (finding.code, finding.span and finding.span.file) == ("M308", f"x/{folder}/x/deep.yaml")


def test_other_folders_and_files_beside_a_catalog_are_nobodys_business(root: Path) -> None:
    write(
        root,
        {
            "charts/a/values.yaml": "kind: Recipe\n",
            "compiler/x.yaml": "",
            "recipe/README.md": "",
            "mkdocs.yml": "site_name: x\n",
            "cluster.yaml": "apiVersion: groundswell.dev/v1alpha1\nkind: Cluster\n",
            "resolved.yaml": "apiVersion: groundswell.dev/v1alpha1\nkind: ResolvedRecipe\n",
            ".hidden.yaml": texts()["recipes/base.yaml"],
        },
    )
    os.mkfifo(root / "pipe.yaml")
    assert misplaced([Layer("x", root)]) == ()


def test_a_recipe_of_the_query_may_stand_anywhere(root: Path) -> None:
    write(root, {"mine.yaml": texts()["recipes/base.yaml"], "other.yaml": texts()["recipes/base.yaml"]})
    found = misplaced([Layer("x", root)], root / "../catalog/mine.yaml")
    assert [finding.span and finding.span.file for finding in found] == ["x/other.yaml"]


def test_folders_of_the_other_layout_are_reported(root: Path) -> None:
    write(root, {"overlays/eks.yaml": "a: 1\n", "registry.yaml": "a: 1\n"})
    found = misplaced([Layer("x", root)])
    assert [finding.span and finding.span.file for finding in found] == ["x/overlays/eks.yaml", "x/registry.yaml"]
