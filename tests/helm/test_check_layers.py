"""`groundswell check` on both layers: Pod Security, the hosts of a Cluster file, values that a chart does not have."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import talos_kit
from command import groundswell
from helm.check_site import CHARTS, archives, check, findings, write_catalog
from helm_binaries import helm_binaries

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.helm

TALOS = ", os: talos"
NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: %s\n"
OPEN = """\
preManifestFiles: [components/agent/manifests/namespace.yaml]
talos: {privileged: true}
"""
PRE = "preManifestFiles: [components/driver/manifests/namespace.yaml]\n"
HOSTS = """
- name: control
  role: controlplane
- name: disk
  role: worker
  cpus: 16
  cpuVendor: amd
  numaNodes: 1
  prep:
    hugepages: {2Mi: [512]}
    housekeepingCPUs: 0-1
    vfio: [{address: "0000:41:00.0", kind: nvme, iommuGroup: 52}]
    instances: [{name: one, cpus: "2-15"}]
"""


@pytest.fixture(scope="module", params=["3", "4"])
def helm(request: pytest.FixtureRequest) -> Path:
    return helm_binaries()[request.param]


def values(text: str) -> str:
    return f"    overrides: {text}\n"


def catalog(root: Path, component: str, spec: str = "", recipe: str = "", more: str = TALOS) -> Path:
    """A catalog with one component, and its Namespace for those that want to bring it."""
    written = write_catalog(root, {component: spec}, recipe=recipe, criteria=more)
    manifest = written / "components" / component / "manifests" / "namespace.yaml"
    manifest.parent.mkdir()
    if spec:
        manifest.write_text(NAMESPACE % component)
    return written


def on_talos(helm: Path, root: Path, *options: str | Path) -> list[dict[str, Any]]:
    return findings(root, helm, "--os", "talos", *options)


def with_hosts(helm: Path, root: Path, *words: str | Path) -> list[dict[str, Any]]:
    """The findings with the hosts of the Cluster file, the hints about the hosts themselves left out."""
    file = root / "cluster.yaml"
    file.write_text(talos_kit.text(HOSTS, more="criteria: {service: small}"))
    done = check(helm, *words, "--cluster", file, "--catalog", root, "--charts", CHARTS, "--format", "json")
    return [item for item in json.loads(done.out) if item["code"] not in {"K111", "T124"}]


def test_without_the_label_the_pods_of_a_privileged_chart_are_refused(tmp_path: Path, helm: Path) -> None:
    (found,) = on_talos(helm, catalog(tmp_path / "a", "agent"))
    assert (found["code"], found["severity"]) == ("K401", "error")
    assert found["file"].endswith("components/agent/component.yaml")
    assert "`DaemonSet agent/agent` in `001-agent`" in found["message"]
    assert "`spec.template.spec.containers[0].securityContext.privileged`" in found["message"]
    assert found["help"].endswith("change what its template reads: `privileged`, `hostPath`")
    assert on_talos(helm, catalog(tmp_path / "b", "agent", OPEN)) == []
    dropped = values('{privileged: false, hostPath: ""}')
    assert on_talos(helm, catalog(tmp_path / "c", "agent", recipe=dropped)) == []
    assert findings(catalog(tmp_path / "d", "agent", more=""), helm) == []


def test_a_namespace_that_is_opened_for_nothing_is_a_warning(tmp_path: Path, helm: Path) -> None:
    (found,) = on_talos(helm, catalog(tmp_path, "driver", PRE))
    assert (found["code"], found["severity"]) == ("K402", "warning")
    assert found["file"].endswith("components/driver/component.yaml")
    assert "leave the Namespace out" in found["help"]


WRONG = [
    ("{resources: {limits: {hugepages-2Mi: 2Gi, memory: 1Gi}}}", "K511"),
    ("{resources: {limits: {groundswell.dev/worker-nvme: 2}}}", "K511"),
    ("{resources: {limits: {cpu: 15}}}", "K511"),
    ("{replicas: 2, resources: {limits: {groundswell.dev/worker-nvme: 1}}}", "K511"),
    ("{nodeSelector: {groundswell.dev/host: dsk}}", "K511"),
    ("{resources: {limits: {cpu: 4, hugepages-2Mi: 1Gi}, requests: {memory: 1Gi}}}", "K512"),
    ("{command: [sh, -c, modprobe nbd && /pause]}", "K516"),
    ("{image: 'registry.k8s.io/pause-arm64:3.10', nodeSelector: {groundswell.dev/host: disk}}", "K517"),
    ("{replcas: 2}", "K601"),
    ("{resorces: {limits: {cpu: 1, memory: 1Gi}}}", "K601"),
]
RIGHT = """{replicas: 1, nodeSelector: {groundswell.dev/host: disk}, resources: {limits: {cpu: 14, memory: 1Gi,
        hugepages-2Mi: 1Gi, groundswell.dev/worker-nvme: 1}}}"""
# The plugin that gives out the hosts' devices is the shipped catalog's.
LEFT_OUT = ("--without", "generic-device-plugin")


@pytest.mark.parametrize(("overrides", "code"), WRONG, ids=[f"{code}-{at}" for at, (_, code) in enumerate(WRONG)])
def test_each_wrong_catalog_gives_just_that_finding_at_the_right_place(
    overrides: str, code: str, *, tmp_path: Path, helm: Path
) -> None:
    found = with_hosts(helm, catalog(tmp_path, "driver", recipe=values(overrides)), *LEFT_OUT)
    assert [item["code"] for item in found] == [code], found
    assert found[0]["file"].endswith("recipes/small.yaml")


@pytest.mark.parametrize(
    ("overrides", "code"),
    [("{capabilities: [SYS_MODULE]}", "K515"), ("{state: /data}", "K513"), ("{state: /dev/nvidia-caps}", "K514")],
)
def test_what_talos_withholds_is_found_where_pods_are_privileged(
    overrides: str, code: str, *, tmp_path: Path, helm: Path
) -> None:
    spec = f"{PRE}talos: {{privileged: true}}\n"
    assert [item["code"] for item in on_talos(helm, catalog(tmp_path, "driver", spec, values(overrides)))] == [code]


def test_pods_that_fit_the_hosts_have_no_findings_and_the_summary_says_what_is_not_known(
    tmp_path: Path, helm: Path
) -> None:
    root = catalog(tmp_path, "driver", recipe=values(RIGHT))
    assert with_hosts(helm, root, *LEFT_OUT) == []
    file = root / "cluster.yaml"
    done = check(helm, "--cluster", file, "--catalog", root, "--charts", CHARTS, *LEFT_OUT)
    assert done.code == 0
    assert "for Kubernetes 1.36.0 (the newest that Talos v1.13.2 runs" in done.out
    assert "not known: the architectures of 1 of 1 images" in done.out


def test_a_bundle_on_disk_is_held_against_the_hosts_too(tmp_path: Path, helm: Path) -> None:
    root = catalog(tmp_path / "catalog", "driver", recipe=values("{replicas: 2, resources: {limits: {cpu: 8}}}"))
    bundle = tmp_path / "bundle"
    query = ("--catalog", root, "--service", "small", "--os", "talos")
    assert groundswell("bundle", *query, "--talos-version", "v1.13.2", "-o", bundle).code == 0
    (found,) = with_hosts(helm, root, bundle)
    assert found["code"] == "K511"
    assert "16 of `cpu` on `disk`" in found["message"]


def test_a_bundle_for_something_else_does_not_fit_the_file(tmp_path: Path, helm: Path) -> None:
    root = catalog(tmp_path / "catalog", "driver", more="")
    bundle = tmp_path / "bundle"
    assert groundswell("bundle", "--catalog", root, "--service", "small", "-o", bundle).code == 0
    assert [item["code"] for item in with_hosts(helm, root, bundle)] == ["R303"]


def test_a_value_that_the_chart_does_not_have_is_shown_where_it_was_written(tmp_path: Path, helm: Path) -> None:
    root = catalog(tmp_path / "catalog", "agent", recipe=values("{privleged: true, image: x}"), more="")
    for charts in (CHARTS, archives(tmp_path / "archives", helm)):
        (found,) = findings(root, helm, charts=charts)
        assert (found["code"], found["severity"]) == ("K601", "warning")
        assert found["message"] == "`privleged` of `agent` is no value of the chart `agent 1.0.0`"
        assert found["help"] == "did you mean `privileged`?"
        assert (found["file"].rpartition("/")[2], found["line"]) == ("small.yaml", 8)


def test_a_node_selector_at_a_path_that_the_chart_never_reads_is_named(tmp_path: Path, helm: Path) -> None:
    spec = "scheduling: {accelerated: {nodeSelectorPaths: [nodeSelector, daemonsets.nodeSelector]}}\n"
    root = catalog(tmp_path, "driver", more="")
    component = root / "components/driver/component.yaml"
    component.write_text(component.read_text() + "".join(f"  {line}\n" for line in spec.splitlines()))
    assert findings(root, helm) == []
    (found,) = findings(root, helm, "--accelerated-node-selector", "pool=gpu")
    assert found["code"] == "K601"
    assert "`daemonsets` of `driver`" in found["message"]


def test_usage(tmp_path: Path, helm: Path) -> None:
    root = catalog(tmp_path, "driver")
    assert [item["code"] for item in with_hosts(helm, root, "--service", "small")] == ["R304"]
    done = check(helm, "--cluster", tmp_path / "gone.yaml")
    assert done.code == 1
    assert "M212" in done.out
