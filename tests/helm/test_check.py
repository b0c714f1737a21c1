"""`groundswell check` with real Helm: catalogs that are wrong in one way each, and the same ones put right."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from command import groundswell, tree
from groundswell.check.helm import Running
from helm.check_site import archives, check, copy_chart, findings, run_check, write_catalog
from helm_binaries import helm_binaries

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Sequence
    from pathlib import Path

pytestmark = pytest.mark.helm


@pytest.fixture(scope="module", params=["3", "4"])
def helm(request: pytest.FixtureRequest) -> Path:
    return helm_binaries()[request.param]


def codes(found: list[dict[str, Any]]) -> list[str]:
    return [item["code"] for item in found]


def values(text: str) -> str:
    """A ref's overrides in the recipe."""
    return f"    overrides: {text}\n"


WIDGETS = {"widgets": "", "widget-user": ""}
AFTER = {"widgets": "", "widget-user": "dependencyRefs: [widgets]\n"}


def test_a_sound_catalog_has_no_findings(tmp_path: Path, helm: Path) -> None:
    catalog = write_catalog(tmp_path, AFTER | {"agent": "", "labels": "", "classes": "", "gadgets": ""})
    assert findings(catalog, helm) == []
    done = run_check(catalog, helm)
    assert done.code == 0
    assert "judged 6 of 6 folders" in done.out


WRONG = [
    (WIDGETS, "", "K301", "widget-user"),
    (AFTER, values("{size: 0}"), "K201", "widget-user"),
    (AFTER, values("{size: three}"), "K201", "widget-user"),
    ({"gadgets": ""}, values("{sample: true}"), "K304", "gadgets"),
    ({"password": ""}, "", "K501", "password"),
    ({"labels": ""}, values("{label: app}"), "K109", "labels"),
    ({"labels": ""}, values("{budget: policy/v1beta1}"), "K203", "labels"),
    ({"labels": ""}, values("{namespaceOverride: elsewhere}"), "K307", "labels"),
    ({"classes": "", "labels": ""}, values("{priorityClass: urgent}"), "K301", "labels"),
    ({"widget-user": ""}, "", "K205", "widget-user"),
    ({"widgets": "", "widget-user": ""}, values("{optional: true}"), "K305", "widget-user"),
    ({"labels": ""}, values("{extra: '{{ fail \"no\" }}'}"), "K107", "labels"),
    ({"agent": "", "labels": "dependencyRefs: [agent]\n"}, "", "K302", "labels"),
]


@pytest.mark.parametrize(
    ("components", "overrides", "code", "component"),
    WRONG,
    ids=[f"{line[2]}-{line[3]}-{at}" for at, line in enumerate(WRONG)],
)
def test_each_wrong_catalog_gives_just_that_finding_at_the_right_place(
    components: dict[str, str], overrides: str, code: str, component: str, *, tmp_path: Path, helm: Path
) -> None:
    catalog = write_catalog(tmp_path, components, recipe=overrides)
    found = findings(catalog, helm, "--kube-version", "1.33")
    assert codes(found) == [code]
    decided = overrides if code in {"K201", "K203", "K301", "K307"} else ""
    assert found[0]["file"].endswith("recipes/small.yaml" if decided else f"components/{component}/component.yaml")
    assert found[0]["line"] > 1


def test_an_object_of_two_folders_names_both(tmp_path: Path, helm: Path) -> None:
    second = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: labels, namespace: labels}\n"
    manifests = "manifestFiles: [components/labels/manifests/again.yaml]\n"
    catalog = write_catalog(tmp_path, {"labels": manifests})
    (catalog / "components/labels/manifests").mkdir()
    (catalog / "components/labels/manifests/again.yaml").write_text(second)
    (found,) = findings(catalog, helm)
    assert found["code"] == "K306"
    assert found["message"] == "`ConfigMap labels/labels` is in `001-labels` and in `002-labels-post`"
    assert len(found["related"]) == 1


def test_a_folder_sees_the_apis_of_earlier_waves(tmp_path: Path, helm: Path) -> None:
    catalog = write_catalog(tmp_path, AFTER, recipe=values("{optional: true, size: 0}"))
    assert codes(findings(catalog, helm)) == ["K201"]


ASKING = """\
{{ if and .Values.labels.monitored (.Capabilities.APIVersions.Has "charts.test/v1/Widget") }}
apiVersion: v1
kind: ConfigMap
metadata: {name: monitored}
{{ end }}
"""


@pytest.mark.parametrize("monitored", ["true", "false"])
@pytest.mark.parametrize("component", ["labels", "zebra"])
def test_an_api_that_may_come_later_matters_only_where_the_values_let_the_chart_ask(
    tmp_path: Path, helm: Path, monitored: str, component: str
) -> None:
    # By its name one of the two is installed first, the other one last; no dependency says so.
    text = ASKING.replace("labels", component)
    asking = {component: f"manifestFiles: [components/{component}/manifests/asking.yaml]\n"}
    catalog = write_catalog(tmp_path, {"widgets": "", **asking}, recipe="")
    path = catalog / f"components/{component}"
    if component == "zebra":
        document = (path / "component.yaml").read_text().replace("chart: zebra", "chart: labels")
        (path / "component.yaml").write_text(document)
    (path / "values.yaml").write_text(f"monitored: {monitored}\n")
    (path / "manifests").mkdir()
    (path / "manifests/asking.yaml").write_text(text)
    assert codes(findings(catalog, helm)) == (["K305"] if monitored == "true" else [])


def test_a_chart_that_asks_for_a_kind_of_kubernetes_itself_is_answered(tmp_path: Path, helm: Path) -> None:
    asks = '.Capabilities.APIVersions.Has "policy/v1/PodDisruptionBudget"'
    version = f"{{{{ if {asks} }}}}policy/v1{{{{ else }}}}policy/v1beta1{{{{ end }}}}"
    budget = f"apiVersion: {version}\nkind: PodDisruptionBudget\nmetadata: {{name: b}}\nspec: {{minAvailable: 1}}\n"
    catalog = write_catalog(tmp_path, {"labels": "manifestFiles: [components/labels/manifests/budget.yaml]\n"})
    (catalog / "components/labels/manifests").mkdir()
    (catalog / "components/labels/manifests/budget.yaml").write_text(budget)
    assert findings(catalog, helm) == []


def test_a_chart_that_cannot_be_had_is_an_error_and_counted(tmp_path: Path, helm: Path) -> None:
    catalog = write_catalog(tmp_path, {"agent": "", "missing": ""})
    done = run_check(catalog, helm)
    assert done.code == 1
    assert "error[K102]: the chart `missing 1.0.0`" in done.out
    assert "judged 1 of 2 folders" in done.out
    assert "not judged: 002-missing" in done.out


def test_a_folder_with_another_version_is_not_that_chart(tmp_path: Path, helm: Path) -> None:
    chart = copy_chart("agent", tmp_path / "charts")
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: agent\nversion: 1.0.1\n")
    catalog = write_catalog(tmp_path / "catalog", {"agent": ""})
    assert codes(findings(catalog, helm, charts=tmp_path / "charts")) == ["K102"]


def test_the_values_of_the_bundle_reach_the_chart_and_a_local_chart_is_rendered_too(tmp_path: Path, helm: Path) -> None:
    manifest = (
        "apiVersion: charts.test/v1\nkind: Widget\nmetadata: {name: x}\nspec: {size: {{ .Values.widgets.wanted }}}\n"
    )
    catalog = write_catalog(
        tmp_path, {"widgets": "manifestFiles: [components/widgets/manifests/w.yaml]\n"}, recipe=values("{wanted: 0}")
    )
    (catalog / "components/widgets/manifests").mkdir()
    (catalog / "components/widgets/manifests/w.yaml").write_text(manifest)
    (found,) = findings(catalog, helm)
    assert found["message"] == "`Widget widgets/x`: `spec.size` must be at least 1, not 0"


def test_a_bundle_on_disk_is_judged_as_it_lies_there_and_left_alone(tmp_path: Path, helm: Path) -> None:
    catalog = write_catalog(tmp_path / "catalog", AFTER)
    bundle = tmp_path / "bundle"
    assert groundswell("bundle", "--catalog", catalog, "--service", "small", "-o", bundle).code == 0
    (bundle / "002-widget-user/values.yaml").write_text('"size": 0\n')
    before = tree(bundle)
    done = check(helm, bundle, "--charts", archives(tmp_path / "archives", helm), "--format", "json")
    assert done.code == 1
    assert [item["code"] for item in json.loads(done.out) if item["code"] != "K111"] == ["K201"]
    assert "judged 2 of 2 folders" in done.err
    assert tree(bundle) == before


def test_a_suppression_needs_a_reason_and_something_to_suppress(tmp_path: Path, helm: Path) -> None:
    catalog = write_catalog(tmp_path / "catalog", {"password": ""})
    file = tmp_path / "suppress.yaml"
    head = "apiVersion: groundswell.dev/v1alpha1\nkind: Suppressions\nmetadata: {name: s}\nspec:\n  suppress:\n"
    entry = "    - {code: K501, component: password, object: Secret password/password, reason: rotated by hand}\n"
    file.write_text(head + entry)
    assert findings(catalog, helm, "--suppress", file) == []
    assert "suppressed: 1 finding" in run_check(catalog, helm, "--suppress", file).out
    file.write_text(head + entry + entry.replace("K501", "K306"))
    (found,) = findings(catalog, helm, "--suppress", file)
    assert (found["code"], found["severity"], found["line"]) == ("K901", "warning", 7)
    file.write_text(head + "    - {code: K501, component: password}\n")
    assert codes(findings(catalog, helm, "--suppress", file)) == ["K902"]


def test_a_second_run_starts_helm_for_nothing(tmp_path: Path, helm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    catalog = write_catalog(tmp_path / "catalog", AFTER | {"password": ""})
    starts: list[str] = []
    start = Running.start

    def counted(running: Running, command: Sequence[str], *others: Any) -> subprocess.Popen[bytes]:
        starts.append(command[2])
        return start(running, command, *others)

    monkeypatch.setattr(Running, "start", counted)
    first = findings(catalog, helm)
    assert sorted(starts) == ["about", *["password"] * 3, "widget-user", "widgets"]
    assert findings(catalog, helm) == first
    assert len(starts) == 6
    write_catalog(tmp_path / "catalog", AFTER | {"password": ""}, recipe=values("{existingSecret: mine}"))
    assert "K501" not in codes(findings(catalog, helm))
    assert starts[6:] == ["password"] * 3


def test_without_helm_the_error_says_what_to_do(tmp_path: Path) -> None:
    catalog = write_catalog(tmp_path, {"agent": ""})
    done = run_check(catalog, tmp_path / "no-helm")
    assert done.code == 1
    assert "K101" in done.out


def test_usage_errors(tmp_path: Path, helm: Path) -> None:
    catalog = write_catalog(tmp_path, {"agent": ""})
    assert run_check(catalog, helm, "--locked").code == 2
    assert run_check(catalog, helm, "--kube-version", "newest").code == 2
    assert check(helm, tmp_path, "--service", "small").code == 2
    assert "K110" in check(helm, tmp_path).out
