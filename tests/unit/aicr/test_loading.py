"""What a directory of the layout may hold, what is an error at once, what `catalog check` tells, and who else does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from aicr_kit import API, BASE, REGISTRY, load_aicr_texts, overlay, resolution, sound, texts, told
from catalog_kit import resolve_in
from groundswell.catalog.files import Layer, Layout, layers_of, read_files
from groundswell.cli.app import app

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

EKS = "criteria: {service: eks}\n"


def write(root: Path, content: dict[str, str]) -> Path:
    for path, text in content.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, list(map(str, words)), catch_exceptions=False)


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    files = {"README.md": "", "LICENSE": "", "checks/app/health-check.yaml": "- no overlay\n"}
    return write(tmp_path / "aicr", texts({"eks": EKS}, files=files))


def test_a_directory_of_the_layout_is_known_by_its_registry_or_overlays(catalog: Path) -> None:
    assert Layer("x", catalog).layout is Layout.AICR
    (catalog / "registry.yaml").unlink()
    assert Layer("x", catalog).layout is Layout.AICR
    (catalog / "recipes").mkdir()
    assert Layer("x", catalog).layout is Layout.OWN


def test_it_stands_alone(catalog: Path, tmp_path: Path) -> None:
    assert [layer.name for layer in layers_of([catalog])] == ["catalog"]
    own = write(tmp_path / "own", {"recipes/x.yaml": "a: 1\n"})
    for directories in ([catalog, own], [own, catalog], [catalog, catalog]):
        outcome = run("resolve", "--service", "eks", *(word for item in directories for word in ("--catalog", item)))
        assert outcome.exit_code == 1
        assert "error[M401]" in outcome.stderr
        assert "has the AICR layout and stands alone" in outcome.stderr


def test_no_recipe_file_goes_over_it(catalog: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "mine.yaml"
    recipe.write_text(
        "apiVersion: groundswell.dev/v1alpha1\nkind: Recipe\nmetadata: {name: mine}\nspec: {criteria: {service: eks}}\n"
    )
    outcome = run("resolve", "--catalog", catalog, "--recipe", recipe)
    assert outcome.exit_code == 1
    assert "error[M401]" in outcome.stderr


def test_all_its_yaml_files_bear_on_the_digest(catalog: Path) -> None:
    before, _ = read_files(layers_of([catalog]))
    (catalog / "checks/app/health-check.yaml").write_text("- changed\n")
    after, findings = read_files(layers_of([catalog]))
    assert not findings
    assert before.digest() != after.digest()


def test_commands_read_it(catalog: Path) -> None:
    assert "app        1.10.0   The app" in run("catalog", "list", "--catalog", catalog).stdout
    assert "001-app" in run("plan", "--catalog", catalog, "--service", "eks").stdout
    assert "the-app" in run("explain", "app", "--catalog", catalog, "--service", "eks").stdout


def test_a_link_out_of_the_catalog_is_refused(catalog: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.yaml").write_text(overlay("out", EKS))
    (catalog / "overlays/out.yaml").symlink_to(tmp_path / "outside.yaml")
    _, findings = read_files(layers_of([catalog]))
    assert [(item.code, item.span and item.span.file) for item in findings] == [("M212", "catalog/overlays/out.yaml")]


def test_overlays_may_lie_in_folders_and_need_no_kind() -> None:
    content = texts(files={"overlays/deep/eks.yaml": overlay("eks", EKS).replace("kind: RecipeMetadata\n", "")})
    found, findings = resolve_in(sound(content), "--service eks")
    assert found is not None
    assert found.applied == ("base", "eks")
    assert [item.code for item in findings] == ["M416"]


@pytest.mark.parametrize("kind", ["[a, b]", "{}", "[]", "7", "true"])
def test_a_kind_of_any_type_is_a_finding_and_no_crash(kind: str) -> None:
    loaded = load_aicr_texts(texts(files={"overlays/eks.yaml": overlay("eks", EKS).replace("RecipeMetadata", kind)}))
    assert loaded.findings or loaded.remarks


def test_null_and_empty_text_count_as_left_out() -> None:
    spec = f"base: ''\n{EKS}mixins: null\nconstraints:\nvalidation:\ncomponentRefs:\n"
    spec += "  - {name: app, type: '', overrides: null, manifestFiles: null}"
    assert resolution(texts({"eks": spec})).applied == ("base", "eks")


def test_validation_and_health_checks_are_accepted_and_carried_nowhere() -> None:
    def spec(checks: str) -> str:
        refs = "componentRefs: [{name: app, healthCheckSkip: true, cleanup: true}]"
        return f"{EKS}validation: {{performance: {{{checks}timeout: 5m}}}}\n{refs}"

    cleared, absent = (resolution(texts({"eks": spec(checks)})) for checks in ("checks: [], ", ""))
    assert cleared.components[0].values == absent.components[0].values == {}
    assert cleared.components[0].field_origins.keys() == absent.components[0].field_origins.keys()


ERRORS: dict[str, tuple[dict[str, str | None], list[tuple[str, int, str]]]] = {
    "no registry": ({"registry.yaml": None}, [("M402", 0, "the catalog has no registry.yaml")]),
    "no root": ({"overlays/base.yaml": None}, [("M402", 0, "the catalog has no overlays/base.yaml")]),
    "a missing values file": (
        {
            "overlays/eks.yaml": overlay(
                "eks", EKS + "componentRefs:\n  - name: app\n    valuesFile: components/app/none.yaml"
            )
        },
        [("M202", 8, "the catalog has no file `components/app/none.yaml`")],
    ),
    "a missing manifest": (
        {"overlays/eks.yaml": overlay("eks", EKS + "componentRefs:\n  - name: app\n    manifestFiles: [../x.yaml]")},
        [("M202", 8, "the catalog has no file `../x.yaml`")],
    ),
    "an unknown base": (
        {"overlays/eks.yaml": overlay("eks", "base: esk")},
        [("M203", 5, "the catalog has no recipe `esk`")],
    ),
    "an unknown mixin": (
        {"overlays/eks.yaml": overlay("eks", "mixins: [x]")},
        [("M203", 5, "the catalog has no mixin `x`")],
    ),
    "an unknown dependency": (
        {"overlays/eks.yaml": overlay("eks", "componentRefs: [{name: app, dependencyRefs: [x]}]")},
        [("M203", 5, "the catalog has no component `x`")],
    ),
    "a cycle": (
        {
            "overlays/a.yaml": overlay("a", "base: b"),
            "overlays/b.yaml": overlay("b", "base: a"),
            "overlays/c.yaml": overlay("c", "base: a"),
        },
        [("M204", 5, "bases go round in a circle: `a` -> `b` -> `a`")],
    ),
    "its own base": (
        {"overlays/a.yaml": overlay("a", "base: a")},
        [("M204", 5, "bases go round in a circle: `a` -> `a`")],
    ),
    "a wrong type": (
        {"overlays/eks.yaml": overlay("eks", "componentRefs: {app: {}}")},
        [("M103", 5, "`spec.componentRefs` must be a list, not a map")],
    ),
    "a wrong type in what is carried nowhere": (
        {"overlays/eks.yaml": overlay("eks", "validation: {conformance: {checks: x}}")},
        [("M103", 5, "`spec.validation.conformance.checks` must be a list, not text")],
    ),
    "a bare v": (
        {"overlays/eks.yaml": overlay("eks", "componentRefs: [{name: app, version: v}]")},
        [("M104", 5, "`spec.componentRefs[0].version` must be a version, not `v` alone")],
    ),
    "a key twice": (
        {"overlays/eks.yaml": overlay("eks", "base: base\nbase: base")},
        [("S107", 6, "the key `base` stands twice in one map")],
    ),
    "an unknown key in a mixin": (
        {"mixins/m.yaml": overlay("m", "componentRefs: [{name: app, nampespace: x}]", "RecipeMixin")},
        [("M101", 5, "unknown key `nampespace`")],
    ),
    "a misspelt key of a ref": (
        {"overlays/eks.yaml": overlay("eks", EKS + "componentRefs:\n  - name: app\n    dependancyRefs: [lib]")},
        [("M101", 8, "unknown key `dependancyRefs`")],
    ),
    "a misspelt key of the spec": (
        {"overlays/eks.yaml": overlay("eks", "criterai: {service: eks}\nComponentRefs: []")},
        [("M101", 5, "unknown key `criterai`"), ("M101", 6, "unknown key `ComponentRefs`")],
    ),
    "a misspelt criterion": (
        {"overlays/eks.yaml": overlay("eks", "criteria: {servce: eks}")},
        [("M101", 5, "unknown key `servce`")],
    ),
    "a misspelt key that must be there": (
        {"overlays/eks.yaml": overlay("eks", EKS).replace("name:", "nam:")},
        [("M102", 3, "`metadata.name` is missing"), ("M101", 3, "unknown key `nam`")],
    ),
    "misspelt keys of the document": (
        {"overlays/eks.yaml": overlay("eks", EKS).replace("spec:", "sepc:")},
        [("M102", 1, "`spec` is missing"), ("M101", 4, "unknown key `sepc`")],
    ),
    "a misspelt kind": (
        {"overlays/eks.yaml": overlay("eks", EKS).replace("RecipeMetadata", "RecipeMetdata")},
        [("M105", 2, "`kind` must be `RecipeMetadata`, not `RecipeMetdata`")],
    ),
    "a misspelt key of the registry": (
        {"registry.yaml": REGISTRY.replace("defaultVersion: 1", "defaultVersoin: 1")},
        [("M101", 10, "unknown key `defaultVersoin`")],
    ),
    "a mixin of another kind": (
        {"mixins/m.yaml": overlay("m", "constraints: []")},
        [("M105", 2, "`kind` must be 'RecipeMixin', not 'RecipeMetadata'")],
    ),
    "two mixins of one name": (
        {"mixins/m.yaml": overlay("m", "", "RecipeMixin"), "mixins/n.yaml": overlay("m", "", "RecipeMixin")},
        [("M201", 3, "`m` is already the name of another mixin")],
    ),
    "a reserved name": (
        {"registry.yaml": REGISTRY + "  - {name: other, valueOverrideKeys: [deployer]}\n"},
        [("M403", 18, "no component can be called `deployer`")],
    ),
    "values that are no map": (
        {
            "overlays/eks.yaml": overlay("eks", "componentRefs: [{name: app, valuesFile: components/app/values.yaml}]"),
            "components/app/values.yaml": "[1]\n",
        },
        [("M214", 1, "the values must be a map")],
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_is_told_at_its_place_and_fails_the_catalog(name: str) -> None:
    changes, expected = ERRORS[name]
    content = {path: text for path, text in {**texts(), **changes}.items() if text is not None}
    loaded = load_aicr_texts(content)
    assert loaded.catalog is None
    assert told(loaded.findings) == expected


REMARKS: dict[str, tuple[dict[str, str], list[tuple[str, int, str]]]] = {
    "an unknown key": (
        {"overlays/eks.yaml": overlay("eks", EKS + "componentRef: []\ncomponentRefs: [{name: app, values: {a: 1}}]")},
        [("M411", 6, "nothing reads the key `componentRef`"), ("M411", 7, "nothing reads the key `values`")],
    ),
    "an unknown key of the registry": (
        {"registry.yaml": REGISTRY + "    testTier: deploy\n"},
        [("M411", 18, "nothing reads the key `testTier`")],
    ),
    "another kind": (
        {"validators/catalog.yaml": "kind: ValidatorCatalog\nvalidators: []\n"},
        [("M412", 1, "a document of kind `ValidatorCatalog` is no overlay")],
    ),
    "other files": (
        {"overlays/eks.yml": "a: 1\n", "overlays/empty.yaml": "# nothing\n", "notes.yaml": "a: 1\n"},
        [
            ("M412", 1, "a document without kind, metadata and spec is no overlay"),
            ("M412", 1, "`overlays/eks.yml` is not read"),
            ("M412", 1, "the file holds no document"),
        ],
    ),
    "no kind": (
        {"overlays/eks.yaml": overlay("eks", EKS).replace("kind: RecipeMetadata\n", "")},
        [("M416", 1, "without `kind` this is taken for an overlay")],
    ),
    "a second document": (
        {"overlays/eks.yaml": overlay("eks", EKS) + "---\n" + overlay("gke", "criteria: {service: gke}")},
        [("M412", 7, "only the first document of a file is read")],
    ),
    "a name twice": (
        {"overlays/eks.yaml": overlay("eks", EKS), "overlays/fks.yaml": overlay("eks", EKS)},
        [("M413", 3, "`eks` is overwritten")],
    ),
    "a second root": (
        {"overlays/root.yaml": overlay("base", EKS)},
        [("M412", 3, "only overlays/base.yaml is the root recipe")],
    ),
    "a component twice": (
        {"registry.yaml": REGISTRY + "  - {name: lib, helm: {defaultNamespace: x}}\n"},
        [("M413", 14, "`lib` is overwritten")],
    ),
    "criteria that no query states": (
        {
            "overlays/a.yaml": overlay("a", "criteria: {service: EKS}"),
            "overlays/b.yaml": overlay("b", "criteria: {service: openshift}"),
        },
        [
            ("M414", 3, "`a` never applies: no query has the service `EKS`"),
            ("M414", 3, "`b` never applies: no query has the service `openshift`"),
        ],
    ),
    "a weakened constraint": (
        {
            "overlays/a.yaml": overlay("a", "constraints: [{name: K, value: '>= 1.34'}]"),
            "overlays/b.yaml": overlay("b", "base: a\ncriteria: {os: ol}\nconstraints: [{name: K, value: '>= 1.30'}]"),
            "overlays/c.yaml": overlay(
                "c", "base: a\ncriteria: {os: ubuntu}\nconstraints: [{name: K, value: '>= 1.35'}]"
            ),
        },
        [("M415", 7, "`b` asks for K `>= 1.30`, its base `a` for `>= 1.34`")],
    ),
    "a constraint that cannot be read": (
        {"overlays/a.yaml": overlay("a", "criteria: {os: ol}\nconstraints: [{name: K, value: '>= new'}]")},
        [("M209", 6, "`K` has the value '>= new', which cannot be read")],
    ),
    "a switch that switches nothing": (
        {
            "overlays/a.yaml": overlay(
                "a", "criteria: {os: ol}\ncomponentRefs: [{name: app, overrides: {enabled: 'false'}}]"
            )
        },
        [("M416", 6, "`enabled` of `app` is not true or false, so it switches nothing")],
    ),
    "criteria of the root": (
        {"overlays/base.yaml": overlay("base", "criteria: {os: ol}\nmixins: []")},
        [("M416", 5, "`criteria` of the root recipe has no effect")],
    ),
    "an entry twice": (
        {"overlays/a.yaml": overlay("a", "criteria: {os: ol}\ncomponentRefs: [{name: app}, {name: app}]")},
        [("M413", 6, "the component `app` has two entries in this document")],
    ),
    "an unregistered component": (
        {"overlays/a.yaml": overlay("a", "criteria: {os: ol}\ncomponentRefs: [{name: new}]")},
        [("M203", 6, "the registry has no component `new`")],
    ),
    "an alias twice": (
        {"registry.yaml": REGISTRY + "    valueOverrideKeys: [plain, theapp]\n"},
        [("M215", 18, "`theapp` already stands for `app`")],
    ),
    "base values that are missing": (
        {
            "overlays/a.yaml": overlay(
                "a", "criteria: {os: ol}\ncomponentRefs: [{name: app, valuesFile: components/app/ol.yaml}]"
            ),
            # Nothing of its own is missing where the file is another component's, or where there are manifests alone.
            "overlays/b.yaml": overlay(
                "b", "criteria: {os: cos}\ncomponentRefs: [{name: lib, valuesFile: components/app/ol.yaml}]"
            ),
            "components/app/ol.yaml": "a: 1\n",
            "components/plain/manifests/m.yaml": "a: 1\n",
        },
        [("M417", 6, "`app` has no components/app/values.yaml for this file to lie on top of")],
    ),
    "a missing health check": (
        {"registry.yaml": REGISTRY + "    healthCheck: {assertFile: checks/none.yaml}\n"},
        [("M202", 18, "the catalog has no file `checks/none.yaml`")],
    ),
}


@pytest.mark.parametrize("name", REMARKS)
def test_what_is_accepted_in_silence_is_told_as_a_warning(name: str) -> None:
    changes, expected = REMARKS[name]
    loaded = load_aicr_texts({**texts(), **changes})
    assert loaded.catalog is not None
    assert loaded.findings == ()
    assert told(loaded.remarks) == expected
    assert {item.severity.value for item in loaded.remarks} == {"warning"}


def test_what_no_bundle_may_hold_is_an_error_of_the_catalog_check_alone(tmp_path: Path) -> None:
    path = "components/app/manifests/m.yaml"
    spec = EKS + f"componentRefs: [{{name: app, version: '1.2', manifestFiles: [{path}]}}]"
    content = texts({"eks": spec}, files={path: "# first\n- a list\n"})
    content["registry.yaml"] = content["registry.yaml"].replace("v2.0.0", "latest")
    root = write(tmp_path, content)
    outcome = run("catalog", "check", "--catalog", root)
    assert outcome.exit_code == 1
    assert "error[M104]: `app` has the version `1.2`, which Helm takes for a range" in outcome.stdout
    assert "error[M104]: `lib` has the version `latest`" in outcome.stdout
    assert "m.yaml:2:1" in outcome.stdout
    assert run("resolve", "--catalog", root, "--service", "eks").exit_code == 0
    bundled = run("bundle", "--catalog", root, "--service", "eks", "-o", tmp_path / "out")
    assert bundled.exit_code == 1
    assert all(f"error[{code}]" in bundled.stderr for code in ("D114", "D117"))


CYCLE = "componentRefs: [{name: app, dependencyRefs: [lib]}, {name: lib, dependencyRefs: [app]}]"


def test_components_of_one_overlay_that_wait_for_each_other_fail_the_catalog_check(tmp_path: Path) -> None:
    root = write(tmp_path, texts({"eks": EKS, "gke": f"criteria: {{service: gke, intent: training}}\n{CYCLE}"}))
    outcome = run("catalog", "check", "--catalog", root)
    assert outcome.exit_code == 1
    assert "error[P102]: components wait for each other: `app` -> `lib` -> `app`" in outcome.stdout
    assert "overlays/gke.yaml:6:" in outcome.stdout
    # For training no overlay asks alone, so the query is the overlay's own.
    assert "the query --service gke --intent training shows it" in outcome.stdout


def test_overlays_for_a_number_of_nodes_are_checked_too(tmp_path: Path) -> None:
    root = write(tmp_path, texts({"eks": f"criteria: {{service: eks, nodes: 4}}\n{CYCLE}"}))
    outcome = run("catalog", "check", "--catalog", root)
    assert outcome.exit_code == 1
    assert "the query --service eks --nodes 4 shows it" in outcome.stdout


def test_an_error_hides_no_warning(tmp_path: Path) -> None:
    spec = EKS + "componentRefs: [{name: app, values: x}]"
    bad = "base: gone\ncriteria: {service: GKE}\nconstraints: [{name: K, value: '>= new'}]"
    files = {"notes.yaml": "a: 1\n", "overlays/old.yml": "a: 1\n"}
    root = write(tmp_path, texts({"eks": spec, "gke": bad}, files=files))
    outcome = run("catalog", "check", "--catalog", root)
    assert outcome.exit_code == 1
    told_codes = ("error[M203]", "warning[M411]", "warning[M412]", "warning[M414]", "warning[M209]")
    assert [code for code in told_codes if code not in outcome.stdout] == []
    assert "overlays and mixins end in `.yaml`" in outcome.stdout


def test_without_a_root_the_warnings_are_told_as_well() -> None:
    content = texts({"eks": EKS + "parts: []\nconstraints: [{name: K, value: '>= 1.30'}]"})
    del content["overlays/base.yaml"]
    loaded = load_aicr_texts(content)
    assert loaded.catalog is None
    assert [item.code for item in loaded.remarks] == ["M411"]


def test_what_no_overlay_carries_leads_to_the_nearest_queries_that_one_answers() -> None:
    overlays = {
        "eks": EKS,
        "eks-h100": "base: eks\ncriteria: {service: eks, accelerator: h100, os: ubuntu}",
        "gke": "criteria: {service: gke, accelerator: h100}",
        "five": "criteria: {service: aks, nodes: 5}",
    }
    catalog = sound(texts(overlays))
    found, findings = resolve_in(catalog, "--service esk --accelerator h100")
    assert found is None
    hint = findings[0].help
    assert "nearest complete queries: --service eks --accelerator h100 --os ubuntu | --service gke --acc" in hint
    for query in hint.partition("nearest complete queries: ")[2].split(" | "):
        found, findings = resolve_in(catalog, query)
        assert found is not None, findings


def test_catalog_check_tells_remarks_and_exits_with_0(tmp_path: Path) -> None:
    spec = EKS + "componentRefs: [{name: app, values: x}]"
    root = write(tmp_path, texts({"eks": spec}, files={"components/app/values.yaml": "a: 1\n"}))
    outcome = run("catalog", "check", "--catalog", root)
    assert outcome.exit_code == 0
    assert "warning[M411]: nothing reads the key `values`" in outcome.stdout
    assert "did you mean `valuesFile`?" in outcome.stdout
    assert "warning[M301]: nothing names `components/app/values.yaml`" in outcome.stdout


# What is lost, and in which of `--service eks`, `--service gke` it takes part.
LOSSES: dict[str, tuple[dict[str, str], str, str]] = {
    "a key of an overlay": ({"overlays/eks.yaml": overlay("eks", EKS + "parts: []")}, "M411", "eks"),
    "a key of a base": (
        {
            "overlays/low.yaml": overlay("low", "parts: []"),
            "overlays/eks.yaml": overlay("eks", f"base: low\n{EKS}"),
        },
        "M411",
        "eks",
    ),
    "a key of the root": ({"overlays/base.yaml": overlay("base", "parts: []\n" + BASE)}, "M411", "eks gke"),
    "a key of a component in the plan": (
        {"registry.yaml": REGISTRY.replace("displayName", "testTier")},
        "M411",
        "eks gke",
    ),
    "a key of a component that is in one plan": (
        {
            "registry.yaml": REGISTRY.replace("{defaultRepository: oci", "{parts: [], defaultRepository: oci"),
            "overlays/eks.yaml": overlay("eks", EKS + "componentRefs: [{name: lib}]"),
        },
        "M411",
        "eks",
    ),
    "a second document": (
        {"overlays/eks.yaml": overlay("eks", EKS) + "---\n" + overlay("more", EKS)},
        "M412",
        "eks",
    ),
    "a second document of a values file": (
        {
            "overlays/eks.yaml": overlay(
                "eks", EKS + "componentRefs: [{name: app, valuesFile: components/app/eks.yaml}]"
            ),
            "components/app/eks.yaml": "a: 1\n---\nb: 1\n",
            "components/app/values.yaml": "",
        },
        "M412",
        "eks",
    ),
    "base values below a values file": (
        {
            "overlays/eks.yaml": overlay(
                "eks", EKS + "componentRefs: [{name: app, valuesFile: components/app/eks.yaml}]"
            ),
            "components/app/eks.yaml": "a: 1\n",
        },
        "M417",
        "eks",
    ),
    "an overlay that another overwrites": (
        {"overlays/aks.yaml": overlay("eks", "criteria: {service: aks}"), "overlays/eks.yaml": overlay("eks", EKS)},
        "M413",
        "eks",
    ),
    "an entry of a component that is there twice": (
        {
            "registry.yaml": REGISTRY
            + "  - {name: app, helm: {defaultRepository: https://c.test/x, defaultVersion: 1.0.0}}\n"
        },
        "M413",
        "eks gke",
    ),
    "a switch that switches nothing": (
        {"overlays/eks.yaml": overlay("eks", EKS + "componentRefs: [{name: app, overrides: {enabled: 'false'}}]")},
        "M416",
        "eks",
    ),
    "a constraint that cannot be read": (
        {"overlays/eks.yaml": overlay("eks", EKS + "constraints: [{name: K, value: '>= new'}]")},
        "M209",
        "eks",
    ),
    "a file that nothing reads": ({"overlays/eks.yml": "a: 1\n"}, "M412", ""),
    "a weaker constraint": (
        {
            "overlays/low.yaml": overlay("low", "constraints: [{name: K, value: '>= 1.34'}]"),
            "overlays/eks.yaml": overlay("eks", f"base: low\n{EKS}constraints: [{{name: K, value: '>= 1.30'}}]"),
        },
        "M415",
        "",
    ),
}


@pytest.mark.parametrize("name", LOSSES)
def test_what_is_lost_is_told_wherever_it_takes_part(name: str) -> None:
    changes, code, services = LOSSES[name]
    content = {**texts({"eks": EKS, "gke": "criteria: {service: gke}"}), **changes}
    loaded = load_aicr_texts(content)
    assert code in {item.code for item in loaded.remarks}
    for service in ("eks", "gke"):
        found, findings = resolve_in(loaded.catalog, f"--service {service}")
        assert found is not None
        assert [item.code for item in findings] == ([code] if service in services.split() else []), service


@pytest.mark.parametrize("command", ["resolve", "plan", "bundle"])
def test_every_command_with_a_result_tells_what_is_lost(tmp_path: Path, command: str) -> None:
    root = write(tmp_path / "aicr", texts({"eks": EKS + "parts: []"}))
    more = ["-o", str(tmp_path / "out")] if command == "bundle" else []
    for _ in range(2):  # the second one from the cache
        outcome = run(command, "--catalog", root, "--service", "eks", *more)
        assert outcome.exit_code == 0
        assert "warning[M411]: nothing reads the key `parts`" in outcome.stderr
        assert "overlays/eks.yaml:6:3" in outcome.stderr


def test_a_sound_catalog_leaves_no_remarks() -> None:
    assert load_aicr_texts(texts({"eks": EKS})).remarks == ()
    assert sound(texts({"eks": EKS})).digest


def test_the_api_version_of_catalog_files_is_not_judged() -> None:
    content = {path: text.replace(API, "apiVersion: aicr.example/v9\n") for path, text in texts({"eks": EKS}).items()}
    assert resolution(content).applied == ("base", "eks")
