"""`--recipe FILE`: whatever is wrong with the file, the catalog and the options is said in one run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from command import groundswell

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "apiVersion: groundswell.dev/v1alpha1\nkind: Recipe\nmetadata: {name: mine}\n"


def found(tmp_path: Path, text: str, *options: str) -> list[tuple[str, int]]:
    """Code and line of each finding; line 0 for one without a place."""
    (tmp_path / "mine.yaml").write_text(text)
    done = groundswell("resolve", "--recipe", "mine.yaml", "--diagnostics", "json", *options, cwd=tmp_path)
    return sorted((item["code"], item["line"] or 0) for item in json.loads(done.err or "[]"))


TEN = (
    HEAD
    + """\
spec:
  base: bsae
  critera: {service: metal}
  mixins: [os-taloss]
  constraints:
    - {name: K8s.server.version, value: ">= one"}
  componentRefs:
    - name: nfdd
    - name: nfd
      dependencyRefs: [cert-managr]
      valuesFiles: [components/nfd/values-none.yaml]
      enabled: 1
      overrides: {debug: no, x: 1, x: 2}
"""
)


def test_ten_mistakes_are_ten_findings(tmp_path: Path) -> None:
    assert found(tmp_path, TEN) == [
        ("M101", 6),
        ("M103", 15),
        ("M202", 14),
        ("M203", 5),
        ("M203", 7),
        ("M203", 11),
        ("M203", 13),
        ("M209", 9),
        ("S107", 16),
        ("S110", 16),
    ]


def test_what_resolve_prints_is_told_from_a_recipe(tmp_path: Path) -> None:
    printed = groundswell("resolve", "--service", "kind", "--intent", "inference").out
    assert found(tmp_path, printed) == [("M105", printed.splitlines().index("appliedOverlays:") + 1)]


def test_options_and_a_file_that_cannot_be_parsed_are_judged_together(tmp_path: Path) -> None:
    assert found(tmp_path, "a: [\n", "--set", "nfd", "--service", "eks") == [("R303", 0), ("R304", 0), ("S104", 2)]


def test_a_text_field_keeps_its_text_without_a_warning(tmp_path: Path) -> None:
    text = HEAD + "spec: {criteria: {service: metal}, constraints: [{name: Lab.version, value: 1.30}]}\n"
    assert found(tmp_path, text) == []


@pytest.mark.parametrize("key", ["patch", "replace"])
def test_a_recipe_of_a_query_patches_nothing(tmp_path: Path, key: str) -> None:
    text = HEAD.replace("mine}", f"mine, {key}: true}}") + "spec: {criteria: {service: metal}}\n"
    assert found(tmp_path, text) == [("M207", 3)]


def test_a_name_that_the_catalog_has_hides_no_other_mistake(tmp_path: Path) -> None:
    text = HEAD.replace("mine", "metal") + "spec: {criteria: {service: metal}, mixins: [os-taloss]}\n"
    assert found(tmp_path, text) == [("M201", 3), ("M203", 4)]


def test_a_resolved_recipe_with_a_fault_of_its_text_is_held_against_its_model_too(tmp_path: Path) -> None:
    text = HEAD.replace("Recipe", "ResolvedRecipe") + "spec: {debug: no}\n"
    codes = [code for code, _ in found(tmp_path, text)]
    assert {"S110", "M101", "M102"} <= set(codes)


def test_a_recipe_without_criteria_is_told_where_they_belong(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(HEAD + "spec: {}\n")
    done = groundswell("resolve", "--recipe", "mine.yaml", cwd=tmp_path)
    assert done.code == 1
    assert "error[R101]: the recipe `mine` states no criteria" in done.err
    assert "mine.yaml:3:18" in done.err
    assert "--service" not in done.err
