"""`catalog new` writes files that `catalog check` accepts, or none at all."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from catalog_kit import catalog_files, component, texts
from command import ROOT, groundswell, tree
from groundswell.catalog.files import CatalogFiles
from groundswell.catalog.scaffold import Draft, drafted, proved
from groundswell.model.fields import NAME_PATTERN
from groundswell.source.reader import read_one

if TYPE_CHECKING:
    from pathlib import Path

CHART = ("--repository", "oci://registry.example.test/charts", "--version", "1.10.0")
COMMANDS = {
    "a recipe": ("recipe", "lab"),
    "a full recipe": (
        *("recipe", "lab", "--base", "metal", "--service", "Metal", "--os", "talos", "--mixin", "argo-cd"),
        *("--component", "gpu-operator", "--component", "nfd"),
    ),
    "a recipe's patch": ("recipe", "metal", "--patch", "--component", "nfd"),
    "a mixin": ("mixin", "site"),
    "a mixin on a component": ("mixin", "site", "--component", "gpu-operator"),
    "a mixin's patch": ("mixin", "os-talos", "--patch"),
    "a component of manifests": ("component", "web"),
    "a component of a chart": (
        "component",
        "web",
        *CHART,
        "--chart",
        "Web",
        "--namespace",
        "front",
        "--description",
        "it: is",
    ),
    "a component's patch": ("component", "nfd", "--patch", "--version", "0.18.2"),
    "an empty patch": ("component", "nfd", "--patch"),
}
# Something new that nothing names yet is told, and is no error.
UNUSED = {"a mixin": ["M302"], "a mixin on a component": ["M302"]}
UNUSED |= {name: ["M303"] for name in ("a component of manifests", "a component of a chart")}


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_written_passes_the_check_and_its_schema(name: str, tmp_path: Path) -> None:
    done = groundswell("catalog", "new", *COMMANDS[name], "--catalog", "mine", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    written = re.findall(r"^wrote (.*)$", done.out, re.MULTILINE)
    assert sorted(written) == sorted(f"mine/{path}" for path in tree(tmp_path / "mine"))
    assert done.out.splitlines()[-1].endswith("then run `groundswell catalog check --catalog mine`")
    checked = groundswell("catalog", "check", "--catalog", "mine", "--format", "json", cwd=tmp_path)
    assert checked.code == 0
    assert [finding["code"] for finding in json.loads(checked.out)] == UNUSED.get(name, [])
    path = tmp_path / written[0]
    first, _, text = path.read_text(encoding="utf-8").partition("\n")
    schema = json.loads((path.parent / first.removeprefix("# yaml-language-server: $schema=")).read_text())
    document, findings = read_one(text.encode(), "file")
    assert document is not None
    assert not findings
    assert list(Draft202012Validator(schema).iter_errors(document.data)) == []


def test_a_new_component_and_a_recipe_that_names_it_make_a_bundle(tmp_path: Path) -> None:
    for words in (("component", "web"), ("recipe", "web", "--platform", "web", "--component", "web")):
        assert groundswell("catalog", "new", *words, "--catalog", "mine", cwd=tmp_path).code == 0
    assert groundswell("catalog", "check", "--catalog", "mine", cwd=tmp_path).out.startswith("the catalog is sound")
    query = ("--service", "kind", "--platform", "web", "--catalog", "mine")
    assert groundswell("bundle", *query, "-o", "out", cwd=tmp_path).code == 0
    (manifest,) = (tmp_path / "out").glob("*-web/manifests/web.yaml")
    assert "kind: ConfigMap" in manifest.read_text()


def test_without_a_catalog_the_working_directory_gets_the_files(tmp_path: Path) -> None:
    done = groundswell("catalog", "new", "recipe", "lab", cwd=tmp_path)
    assert done.out.startswith("wrote recipes/lab.yaml\nwrote .schemas/recipe.json\n")
    assert groundswell("catalog", "check", "--catalog", ".", cwd=tmp_path).code == 0


def test_the_last_catalog_gets_the_files_and_the_others_lie_below_it(tmp_path: Path) -> None:
    assert groundswell("catalog", "new", "component", "web", "--catalog", "low", cwd=tmp_path).code == 0
    low = tree(tmp_path / "low")
    words = ("recipe", "lab", "--component", "web", "--catalog", "low", "--catalog", "a high one")
    done = groundswell("catalog", "new", *words, cwd=tmp_path)
    assert done.out.splitlines()[-1].endswith("`groundswell catalog check --catalog low --catalog 'a high one'`")
    assert tree(tmp_path / "low") == low
    assert set(tree(tmp_path / "a high one")) == {"recipes/lab.yaml", ".schemas/recipe.json"}


def test_a_schema_that_is_there_already_stays(tmp_path: Path) -> None:
    (tmp_path / ".schemas").mkdir()
    (tmp_path / ".schemas" / "recipe.json").write_text("{}")
    assert groundswell("catalog", "new", "recipe", "lab", cwd=tmp_path).code == 0
    assert (tmp_path / ".schemas" / "recipe.json").read_text() == "{}"


REFUSED = {
    "a name in capitals": (("recipe", "Lab"), "M104", "`Lab` is no name"),
    "a path for a name": (("component", "../../web"), "M104", "is no name"),
    "a name that is too long": (("mixin", "x" * 54), "M104", "at most 53 characters"),
    "the place of the support list": (("recipe", "support"), "M104", "the support list"),
    "a name of the shipped catalog": (("component", "nfd"), "M201", "`--patch` merges"),
    "a patch of nothing": (("mixin", "lab", "--patch"), "M207", "`lab`"),
    "an unknown base": (("recipe", "lab", "--base", "metall"), "M203", "did you mean `metal`?"),
    "an unknown component": (("mixin", "lab", "--component", "gpu"), "M203", "`gpu`"),
    "a criterion that cannot be": (("recipe", "lab", "--os", "a b"), "M104", "'a b'"),
    "a range for a version": (("component", "web", *CHART[:3], ">= 1"), "M104", "no range"),
    "a text of two lines": (("component", "web", "--description", "a\nb: c"), "M104", "one line of text"),
    "a base for a patch": (("recipe", "metal", "--patch", "--base", "managed"), "M104", "a patch keeps the base"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_nothing_is_written_when_the_catalog_would_not_be_sound(name: str, tmp_path: Path) -> None:
    words, code, text = REFUSED[name]
    done = groundswell("catalog", "new", *words, "--catalog", "mine", cwd=tmp_path)
    assert done.code == 1
    assert f"error[{code}]" in done.err
    assert text in done.err
    assert tree(tmp_path) == {}


def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "recipes").mkdir()
    (tmp_path / "recipes" / "lab.yaml").symlink_to("nowhere")
    done = groundswell("catalog", "new", "recipe", "lab", cwd=tmp_path)
    assert done.code == 1
    assert "`recipes/lab.yaml` is there already" in done.err
    assert (tmp_path / "recipes" / "lab.yaml").is_symlink()


def test_a_place_that_cannot_be_written_and_another_layout_are_errors(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = groundswell("catalog", "new", "recipe", "lab", "--catalog", "file", cwd=tmp_path)
    assert (done.code, "cannot be written" in done.err) == (1, True)
    (tmp_path / "aicr" / "overlays").mkdir(parents=True)
    done = groundswell("catalog", "new", "recipe", "lab", "--catalog", "aicr", cwd=tmp_path)
    assert (done.code, "error[M401]" in done.err) == (1, True)
    assert groundswell("catalog", "new", "component", "web", "--version", "1.0.0", cwd=tmp_path).code == 2


def test_what_is_wrong_already_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "recipes").mkdir()
    (tmp_path / "recipes" / "old.yaml").write_text("kind: Recipe\n")
    done = groundswell("catalog", "new", "recipe", "lab", cwd=tmp_path)
    assert done.code == 1
    assert "--> recipes/old.yaml:1:1" in done.err
    assert not (tmp_path / "recipes" / "lab.yaml").exists()


def test_in_the_checkout_the_files_use_the_schemas_of_the_documentation() -> None:
    text = drafted(Draft("mixin", "site", patch=False, stated={"components": ()}), "docs/schemas")[0][
        "mixins/site.yaml"
    ]
    shipped = (ROOT / "mixins" / "os-talos.yaml").read_text(encoding="utf-8")
    assert text.partition("\n")[0] == shipped.partition("\n")[0]


anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@settings(deadline=None, max_examples=150)
@given(st.from_regex(NAME_PATTERN, fullmatch=True), anything, anything)
def test_whatever_is_stated_the_files_say_just_that_or_are_refused(name: str, description: str, version: str) -> None:
    helm = {"repository": "https://charts.example.test", "chart": name, "version": version}
    stated = {"helm": helm, "namespace": name, "description": description or "-"}
    written, findings = drafted(Draft("component", name, patch=False, stated=stated), ".schemas")
    if findings:
        assert len(name) > 53
        return
    document, doubts = read_one(written[f"components/{name}/component.yaml"].encode(), "file")
    assert document is not None
    assert not doubts
    spec = document.data["spec"]
    assert (document.data["metadata"]["name"], spec["description"], spec["namespace"]) == (
        name,
        description or "-",
        name,
    )
    assert spec["helm"] == helm


def test_findings_in_new_files_have_no_place_and_warnings_do_not_count() -> None:
    files = catalog_files(texts(components={"a": ""}))
    assert proved(files, "catalog", {"mixins/lost.yaml": "nonsense"})[0].span is None
    files = CatalogFiles(files.layers, files.content)
    assert proved(files, "catalog", {"components/b/component.yaml": component("b")}) == ()
