"""What must hold for every bundle that Argo CD is to sync in waves, checked on an emitted one without a cluster."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
import yaml

from groundswell.deploy.argocd.gate import PATCH_FILE
from groundswell.deploy.deployer import Settings
from plan_factory import component, plan
from unit.deploy.argocd_sample import (
    CLUSTER_POLICY,
    REPOSITORY,
    applications,
    built_folders,
    emitted,
    root,
    sample_plan,
    texts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

CRD = Path(__file__).resolve().parents[4] / "shared" / "argocd" / "application-crd.yaml"

NESTED = Settings(repo=REPOSITORY, path="clusters/eu-1", name="blue", named=True, cascade_delete=True, project="gpu")
EVERYWHERE = pytest.mark.parametrize("settings", [Settings(repo=REPOSITORY), NESTED], ids=["root", "nested"])

# Fields of the Application CRD of Argo CD 3.2. Applications are applied with strict field validation: one unknown field
# in one child fails the sync of the root.
FIELDS = frozenset(
    f"{parent}{name}"
    for parent, names in {
        "": ("apiVersion", "kind"),
        "metadata.": ("name", "namespace", "labels.*", "annotations.*", "finalizers[]"),
        "spec.": ("project", "revisionHistoryLimit", "destination.server", "destination.namespace"),
        "spec.source.": ("repoURL", "path", "chart", "targetRevision"),
        "spec.source.helm.": ("releaseName", "values", "skipCrds"),
        "spec.source.helm.parameters[].": ("name", "value", "forceString"),
        "spec.ignoreDifferences[].": ("group", "kind", "name", "namespace", "jsonPointers[]", "jqPathExpressions[]"),
        "spec.syncPolicy.": ("automated.prune", "automated.selfHeal", "syncOptions[]"),
        "spec.syncPolicy.retry.": ("limit", "refresh"),
        "spec.syncPolicy.retry.backoff.": ("duration", "factor", "maxDuration"),
    }.items()
    for name in names
)


def everything(settings: Settings) -> list[Any]:
    """The children and the root."""
    result = emitted(settings=settings)
    return [*applications(result).values(), root(result)]


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every scalar and empty collection with its path; keys of labels and annotations are written as a star."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            inside = "*" if path in {"metadata.labels", "metadata.annotations"} else key
            yield from leaves(item, f"{path}.{inside}" if path else inside)
    elif isinstance(value, list) and value:
        for item in value:
            yield from leaves(item, f"{path}[]")
    else:
        yield path, value


# 1, 2: waves
@EVERYWHERE
def test_every_wave_is_a_quoted_integer_that_the_plan_says(settings: Settings) -> None:
    result = emitted(settings=settings)
    waves = {
        name: item["metadata"]["annotations"]["argocd.argoproj.io/sync-wave"]
        for name, item in applications(result).items()
    }
    assert all(isinstance(wave, str) for wave in waves.values())
    assert {name: int(wave) for name, wave in waves.items()} == {f.name: f.wave for f in sample_plan().folders}
    assert len(set(waves.values())) > 1
    for text in texts(result).values():
        assert not re.search(r"sync-wave: [^\"]", text)


def test_a_single_wave_is_warned_about_and_two_are_not() -> None:
    one = emitted(plan(component("a"), component("b")))
    two = emitted(plan(component("a"), component("b", dependencies=("a",))))
    assert [finding.code for finding in one.findings] == ["D209"]
    assert two.findings == ()


# 3, 4, 5: sync options and retries
@EVERYWHERE
def test_the_root_applies_children_client_side_and_whole(settings: Settings) -> None:
    item = root(emitted(settings=settings))
    assert item["metadata"]["annotations"]["argocd.argoproj.io/compare-options"] == "ServerSideDiff=false"
    assert "syncOptions" not in item["spec"]["syncPolicy"]


@EVERYWHERE
def test_the_root_retries_for_ever_and_afresh_the_children_do_not(settings: Settings) -> None:
    result = emitted(settings=settings)
    assert root(result)["spec"]["syncPolicy"]["retry"] == {
        "limit": -1,
        "refresh": True,
        "backoff": {"duration": "10s", "factor": 2, "maxDuration": "3m"},
    }
    for item in applications(result).values():
        assert item["spec"]["syncPolicy"]["retry"] == {
            "limit": 10,
            "backoff": {"duration": "5s", "factor": 2, "maxDuration": "3m"},
        }


# 6, 12, 13: sources (what the root chart makes of them is tested with Helm)
@EVERYWHERE
def test_every_source_names_one_revision(settings: Settings) -> None:
    for item in everything(settings):
        source = item["spec"]["source"]
        assert "sources" not in item["spec"]
        assert source["targetRevision"] not in {"", "HEAD"}
        assert isinstance(source["targetRevision"], str)
        assert "oci://" not in source["repoURL"]
        assert ("chart" in source) != ("path" in source)


def test_commits_elsewhere_leave_the_children_alone_unless_the_bundle_is_the_repository() -> None:
    annotation = "argocd.argoproj.io/manifest-generate-paths"
    assert annotation not in root(emitted(settings=Settings(repo=REPOSITORY)))["metadata"]["annotations"]
    nested = emitted(settings=NESTED)
    assert root(nested)["metadata"]["annotations"][annotation] == "."
    assert root(nested)["spec"]["source"]["path"] == "clusters/eu-1"
    assert not [item for item in applications(nested).values() if annotation in item["metadata"]["annotations"]]


# 7, 8: content and revision (children differ only in what changed)
def test_only_the_changed_components_application_changes() -> None:
    def children(version: str) -> dict[str, Any]:
        return applications(emitted(plan(component("a", values={"v": version}), component("b", dependencies=("a",)))))

    before, after = children("1"), children("2")
    assert {name for name in before if before[name] != after[name]} == {"001-a"}


# 9, 10: names
@EVERYWHERE
def test_names_are_unique_valid_and_not_the_roots(settings: Settings) -> None:
    result = emitted(settings=settings)
    names = [item["metadata"]["name"] for item in applications(result).values()]
    releases = [item["spec"]["source"]["helm"]["releaseName"] for item in applications(result).values()]
    assert len({*names, root(result)["metadata"]["name"]}) == len(names) + 1
    for name in (*names, *releases):
        assert re.fullmatch(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?", name)
    assert max(map(len, releases)) <= 53
    assert not re.search(r"\d{3}-", "".join(names))


# 11: namespaces
@EVERYWHERE
def test_each_namespace_has_one_owner(settings: Settings) -> None:
    of = sample_plan()
    owners = {name: [folder.name for folder in of.folders if name in folder.owns] for name in of.namespaces_owned}
    assert owners == {"privileged-gpu-operator": ["003-gpu-operator-pre"]}
    for item in applications(emitted(of, settings)).values():
        policy = item["spec"]["syncPolicy"]
        assert "managedNamespaceMetadata" not in policy
        assert ("CreateNamespace=true" in policy["syncOptions"]) != (item["spec"]["destination"]["namespace"] in owners)


def test_namespaces_survive_the_applications_that_hold_them() -> None:
    found = [
        file.data.decode()
        for built in built_folders(sample_plan()).values()
        for file in built.files
        if b"kind: Namespace\n" in file.data and "/templates/" in file.path
    ]
    assert len(found) == 1
    annotations = yaml.safe_load(found[0])["metadata"]["annotations"]
    assert set(annotations["argocd.argoproj.io/sync-options"].split(",")) >= {"Prune=false", "Delete=false"}
    assert annotations["argocd.argoproj.io/compare-options"] == "IgnoreExtraneous"


# 14: fields
@EVERYWHERE
def test_every_field_is_one_of_the_oldest_supported_crd(settings: Settings) -> None:
    for item in everything(settings):
        assert {path for path, _ in leaves(item)} <= FIELDS


@pytest.mark.skipif(not CRD.exists(), reason="the CRD of Argo CD is not at hand")
@EVERYWHERE
def test_every_application_fits_the_schema_with_unknown_fields_forbidden(settings: Settings) -> None:
    crd = yaml.load(CRD.read_text(encoding="utf-8"), yaml.CSafeLoader)
    validator = jsonschema.Draft202012Validator(_closed(crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]))
    for item in everything(settings):
        assert [error.message for error in validator.iter_errors(item)] == []
    unknown = everything(settings)[0]
    unknown["spec"]["source"]["helm"]["valuesFile"] = "x"
    assert list(validator.iter_errors(unknown))


def _closed(schema: Any, *, top: bool = True) -> Any:
    """The schema with unknown fields forbidden. `metadata` is left open: its type is Kubernetes' own."""
    if isinstance(schema, dict):
        closed = {key: _closed(value, top=False) for key, value in schema.items()}
        if "properties" in schema and not schema.get("x-kubernetes-preserve-unknown-fields"):
            closed["additionalProperties"] = False
        if top:
            closed["properties"]["metadata"] = {"type": "object"}
        return closed
    return [_closed(item, top=False) for item in schema] if isinstance(schema, list) else schema


# 15: normalisation
@EVERYWHERE
def test_nothing_is_lost_in_a_round_trip_through_the_api_types(settings: Settings) -> None:
    for item in everything(settings):
        assert [path for path, value in leaves(item) if value in (None, False, "", 0, [], {})] == []
        assert item["spec"]["project"]
        assert item["spec"]["destination"]["server"]


# 16: values
@EVERYWHERE
def test_values_are_text(settings: Settings) -> None:
    for item in everything(settings):
        assert "valuesObject" not in item["spec"]["source"]["helm"]
        assert item["spec"].get("revisionHistoryLimit", 3) == 3


# 17, 18: the tree
@EVERYWHERE
def test_nothing_in_the_tree_gets_in_the_root_charts_way(settings: Settings) -> None:
    paths = [file.path for file in emitted(settings=settings).files]
    paths += [file.path for built in built_folders(sample_plan()).values() for file in built.files]
    assert len(set(paths)) == len(paths)
    assert not [path for path in paths if path.startswith(("charts/", "crds/")) or ".argocd-source" in path]
    assert {path for path in paths if path.startswith("templates/")} == {"templates/applications.yaml"}
    assert {path for path in paths if "/" not in path} == {
        "app-of-apps.yaml",
        "Chart.yaml",
        "values.yaml",
        ".helmignore",
    }
    assert not [text for text in texts(emitted(settings=settings)).values() if "+argocd:skip-file-rendering" in text]


# 19: the gate
@EVERYWHERE
def test_the_patch_has_the_rule_for_applications_and_those_of_components(settings: Settings) -> None:
    result = emitted(settings=settings)
    patch = yaml.safe_load(texts(result)[PATCH_FILE])
    assert patch.keys() == {"data"}
    assert list(patch["data"]) == [
        "resource.customizations.health.argoproj.io_Application",
        "resource.customizations.health.nvidia.com_ClusterPolicy",
    ]
    rule, policy = patch["data"].values()
    assert 'annotations or {})["groundswell.dev/wave-gate"] ~= "strict"' in rule
    assert policy == CLUSTER_POLICY
    for item in applications(result).values():
        assert item["metadata"]["annotations"]["groundswell.dev/wave-gate"] == "strict"


# 20: hooks and confirmations
@EVERYWHERE
def test_no_application_is_a_hook_or_waits_for_a_person(settings: Settings) -> None:
    for item in everything(settings):
        assert not {"argocd.argoproj.io/hook", "helm.sh/hook"} & item["metadata"]["annotations"].keys()
        assert "confirm" not in json.dumps(item["metadata"])


def test_the_readers_of_kubernetes_and_of_python_agree(tmp_path: Path) -> None:
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        pytest.skip("no kubectl")
    for path, text in texts(emitted(settings=NESTED)).items():
        if not path.endswith("application.yaml") and path != "app-of-apps.yaml":
            continue
        file = tmp_path / path.replace("/", "-")
        file.write_text(text, encoding="utf-8")
        command = [kubectl, "label", "--local", "--dry-run=client", "-f", str(file), "-o", "json", "q=w"]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        read = json.loads(run.stdout)
        del read["metadata"]["labels"]["q"]
        expected = yaml.safe_load(text)
        assert read["metadata"].pop("labels") == expected["metadata"].pop("labels", {})
        assert read == expected
