"""What each child Application says, folder by folder."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from catalog_kit import planned
from catalog_kit import texts as catalog_texts
from groundswell.deploy.argocd.application import SIZE_LIMIT
from groundswell.deploy.deployer import Settings
from groundswell.diagnostics.diagnostic import Diagnostic, Severity
from groundswell.resolve.resolution import Chart, Component
from plan_factory import chart, component, manifest, namespace_manifest, plan
from unit.deploy.argocd_sample import (
    CONFIG_MAP,
    HOSTILE,
    REPOSITORY,
    applications,
    built_folders,
    emitted,
    sample_plan,
    texts,
)

PRE = "003-gpu-operator-pre"


def child(folder: str, settings: Settings | None = None) -> Any:
    return applications(emitted(settings=settings) if settings else emitted())[folder]


def findings_for(*components: Component, settings: Settings | None = None) -> list[Diagnostic]:
    lone = component("zz-last", dependencies=tuple(item.name for item in components))
    result = emitted(plan(*components, lone), settings or Settings(repo=REPOSITORY))
    return list(result.findings)


def options(application: Any) -> set[str]:
    return set(application["spec"]["syncPolicy"]["syncOptions"])


def test_there_is_one_application_per_folder() -> None:
    assert list(applications(emitted())) == [folder.name for folder in sample_plan().folders]


def test_a_chart_of_an_http_repository() -> None:
    found = [folder.name for folder in sample_plan().folders if folder.release == "cert-manager"]
    source = child(found[0])["spec"]["source"]
    assert source.pop("helm").keys() == {"releaseName", "values"}
    assert source == {
        "repoURL": "https://charts.example.test/stable",
        "chart": "cert-manager",
        "targetRevision": "v1.18.2",
    }


def test_values_arrive_as_the_very_text_of_the_folder() -> None:
    of = sample_plan()
    for name, built in built_folders(of).items():
        helm = applications(emitted(of))[name]["spec"]["source"]["helm"]
        text = built.text("values.yaml")
        assert helm.get("values") == (None if built.folder.local or text.strip() == "{}" else text)
    assert yaml.safe_load(applications(emitted(of))["001-cert-manager"]["spec"]["source"]["helm"]["values"]) == HOSTILE


def test_an_oci_repository_has_no_scheme_and_its_chart_is_named_once() -> None:
    source = next(item for item in applications(emitted()).values() if item["metadata"]["name"] == "kai-scheduler")
    assert source["spec"]["source"] == {
        "repoURL": "ghcr.example.test/kai-scheduler",
        "chart": "kai-scheduler",
        "targetRevision": "104.1.0+up4.9.0",
        "helm": {"releaseName": "kai-scheduler"},
    }


@pytest.mark.parametrize(("path", "want"), [("", PRE), ("clusters/a", f"clusters/a/{PRE}"), ("./a//b/", f"a/b/{PRE}")])
def test_a_local_chart_is_a_path_in_the_repository(path: str, want: str) -> None:
    source = child(PRE, Settings(repo=REPOSITORY, revision="master", path=path))["spec"]["source"]
    assert source == {
        "repoURL": REPOSITORY,
        "path": want,
        "targetRevision": "master",
        "helm": {"releaseName": "gpu-operator-pre"},
    }


def test_exactly_the_local_sources_are_marked() -> None:
    of = sample_plan()
    for path, text in texts(emitted(of)).items():
        if path.endswith("/application.yaml"):
            marked = [line for line in text.splitlines() if line.endswith("  # bundle revision")]
            local = next(folder.local for folder in of.folders if path.startswith(folder.name + "/"))
            assert [line for line in marked if line.startswith("    targetRevision: ")] == (
                ["    targetRevision: main  # bundle revision"] if local else []
            )


def test_waves_and_versions_are_quoted() -> None:
    result = texts(emitted(plan(component("a", chart=chart("a", "1.10.0")), component("b", dependencies=("a",)))))
    assert 'argocd.argoproj.io/sync-wave: "1"\n' in result["001-a/application.yaml"]
    assert 'argocd.argoproj.io/sync-wave: "5"\n' in result["002-b/application.yaml"]
    assert 'targetRevision: "1.10.0"\n' in result["001-a/application.yaml"]


def test_a_namespace_is_created_by_argo_cd_only_where_no_folder_owns_it() -> None:
    created = {name for name, item in applications(emitted()).items() if "CreateNamespace=true" in options(item)}
    owned = {folder.name for folder in sample_plan().folders if folder.namespace == "privileged-gpu-operator"}
    assert created == applications(emitted()).keys() - owned
    assert any(name.endswith("kai-scheduler-pre") for name in created)


def test_a_guest_of_an_owned_namespace_does_not_create_it() -> None:
    owner = component("owner", namespace="shared", pre_manifests=(namespace_manifest("shared"),))
    guest = component("guest", namespace="shared", dependencies=("owner",))
    assert "CreateNamespace=true" not in options(applications(emitted(plan(owner, guest)))["003-guest"])


def test_every_child_applies_its_content_server_side_and_itself_client_side() -> None:
    for item in applications(emitted()).values():
        assert {"ServerSideApply=true", "SkipDryRunOnMissingResource=true"} <= options(item)
        assert item["metadata"]["annotations"]["argocd.argoproj.io/sync-options"] == "ServerSideApply=false"


def test_ignored_differences_are_respected_and_hold_no_empty_fields() -> None:
    for name, item in applications(emitted()).items():
        mine = "gpu-operator" in name
        assert ("RespectIgnoreDifferences=true" in options(item)) is mine
        wanted = [{"kind": "Secret", "name": "ca", "jsonPointers": ["/data"]}] if mine else None
        assert item["spec"].get("ignoreDifferences") == wanted


def test_crds_are_skipped_only_when_another_component_has_them() -> None:
    skipping = {
        name for name, item in applications(emitted()).items() if item["spec"]["source"]["helm"].get("skipCrds")
    }
    assert skipping == {"004-gpu-operator"}


def test_children_carry_the_bundle_label_and_ask_for_the_gate() -> None:
    for item in applications(emitted(settings=Settings(name="blue", named=True, repo=REPOSITORY))).values():
        assert item["metadata"]["labels"] == {"groundswell.dev/bundle": "blue"}
        assert item["metadata"]["annotations"]["groundswell.dev/wave-gate"] == "strict"


def test_a_chosen_name_stands_before_applications_but_not_before_releases() -> None:
    plain, named = emitted(), emitted(settings=Settings(name="blue", named=True, repo=REPOSITORY))
    for folder, item in applications(plain).items():
        other = applications(named)[folder]
        assert item["metadata"]["name"] == item["spec"]["source"]["helm"]["releaseName"]
        assert other["metadata"]["name"] == "blue-" + item["metadata"]["name"]
        assert other["spec"]["source"]["helm"] == item["spec"]["source"]["helm"]


def test_two_named_bundles_share_no_application() -> None:
    blue, green = (emitted(settings=Settings(name=name, named=True, repo=REPOSITORY)) for name in ("blue", "green"))
    first, second = ({item["metadata"]["name"] for item in applications(each).values()} for each in (blue, green))
    assert not first & second


def test_names_do_not_depend_on_numbers() -> None:
    more = plan(component("aaa"), component("b", dependencies=("aaa",)))
    less = plan(component("b"))
    assert (
        applications(emitted(more))["002-b"]["metadata"]["name"]
        == applications(emitted(less))["001-b"]["metadata"]["name"]
    )


@pytest.mark.parametrize("cascade", [True, False])
def test_the_finalizer_is_there_only_when_asked_for(*, cascade: bool) -> None:
    for item in applications(emitted(settings=Settings(repo=REPOSITORY, cascade_delete=cascade))).values():
        assert item["metadata"].get("finalizers") == (["resources-finalizer.argocd.argoproj.io"] if cascade else None)


def test_a_component_called_like_the_root_is_an_error() -> None:
    codes = [finding.code for finding in findings_for(component("groundswell"))]
    assert codes == ["D203"]
    assert findings_for(component("groundswell"), settings=Settings(name="x", named=True, repo=REPOSITORY)) == []


def test_a_component_called_like_the_root_is_told_where_it_is_first_spoken_of() -> None:
    path = "components/groundswell/component.yaml"
    recipes = {"eks": "criteria: {service: eks}\ncomponentRefs: [{name: groundswell, namespace: other}]"}
    of = planned(catalog_texts(recipes, components={"groundswell": ""}), "--service eks")
    (finding,) = [item for item in emitted(of).findings if item.code == "D203"]
    assert finding.span is not None
    assert finding.span.file == f"catalog/{path}"


def test_an_application_above_the_limit_is_an_error_with_its_size() -> None:
    def large(text: str) -> list[Diagnostic]:
        return findings_for(component("a", values={"text": text}))

    assert large("x" * (SIZE_LIMIT - 2048)) == []
    (finding,) = large("x" * SIZE_LIMIT)
    assert (finding.code, finding.severity) == ("D204", Severity.ERROR)
    assert "`a` is 200." in finding.message
    assert "more than 200 KiB" in finding.message
    # In the annotation each of these takes six bytes.
    assert [finding.code for finding in large("<" * (SIZE_LIMIT // 6))] == ["D204"]


def test_the_size_is_that_of_the_stored_annotation() -> None:
    item = applications(emitted(plan(component("a", values={"text": "é\n" * 100_000}), component("b"))))["001-a"]
    stored = json.dumps(item, ensure_ascii=False, separators=(",", ":")).encode()
    (finding,) = findings_for(component("a", values={"text": "é\n" * 100_000}))
    assert f"{len(stored) / 1024:.1f} KiB" in finding.message


@pytest.mark.parametrize(("host", "codes"), [("10.0.0.7:5000", ["D206"]), ("localhost:5000", []), ("ghcr.io", [])])
def test_an_oci_registry_by_address_needs_a_secret(host: str, codes: list[str]) -> None:
    repository = Chart(f"oci://{host}/charts", "a", "1.0.0")
    assert [finding.code for finding in findings_for(component("a", chart=repository))] == codes


def test_a_manifest_only_component_is_a_local_chart_without_inlined_values() -> None:
    only = component("quota", chart=None, manifests=(manifest(CONFIG_MAP),), values={"a": 1})
    source = applications(emitted(plan(only)))["001-quota"]["spec"]["source"]
    assert source["path"] == "001-quota"
    assert source["helm"] == {"releaseName": "quota"}


def test_equal_input_gives_equal_files() -> None:
    assert emitted() == emitted()
