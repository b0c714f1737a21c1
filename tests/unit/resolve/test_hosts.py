"""The hosts of a Cluster file as a layer: above mixins, below the command line, each value with its line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import talos_kit
from catalog_kit import document, sound, texts
from groundswell.bundle.recipe_file import recipe_yaml
from groundswell.model.cluster_document import read_cluster
from groundswell.model.resolved import parse_resolved
from groundswell.resolve.hosts import other_hosts
from groundswell.resolve.layers import unplaced
from groundswell.resolve.query import HostValues, Query, Setting
from groundswell.resolve.resolver import resolve
from groundswell.source.reader import read_one
from groundswell.source.span import Span
from groundswell.talos.pools_values import GENERIC_PLUGIN, host_values

if TYPE_CHECKING:
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Component, Resolution

FILE = "cluster/lab.yaml"
QUERY = {"service": "metal"}
HOSTS = """\
- name: s1
  prep:
    housekeepingCPUs: 0-3
    vfio: [{address: "0000:41:00.0", kind: nvme, iommuGroup: 17}]
    instances: [{name: a, cpus: 4-7}]
"""
RECIPE = "criteria: {service: metal}\ncomponentRefs: [{name: storage}]"
PLUGIN = f"componentRefs: [{{name: {GENERIC_PLUGIN}, create: true, MORE}}]"


def catalog(recipe: str = RECIPE, more: str = "overrides: {hosts: {}}", mixin: str = GENERIC_PLUGIN) -> dict[str, str]:
    return texts(
        {"all": recipe},
        {mixin: PLUGIN.replace("MORE", more)},
        {"storage": "instancePaths: [pods.here]", GENERIC_PLUGIN: ""},
    )


def hosts(text: str = HOSTS) -> HostValues:
    described, findings = read_cluster(talos_kit.text(text).encode(), "lab.yaml")
    assert described is not None
    assert not findings
    return host_values(described, FILE)


def resolved(
    files: dict[str, str], asked: HostValues | None = None, **query: Any
) -> tuple[Resolution | None, tuple[Diagnostic, ...]]:
    return resolve(sound(files), Query(QUERY, hosts=asked or hosts(), **query))


def component(name: str, files: dict[str, str], asked: HostValues | None = None, **query: Any) -> Component:
    resolution, findings = resolved(files, asked, **query)
    assert not findings
    assert resolution is not None
    return next(item for item in resolution.components if item.name == name)


def setting(path: str, value: Any) -> Setting:
    name, _, below = path.partition(":")
    return Setting(f"--set {path}", name, tuple(below.split(".")), unplaced(value))


def test_devices_pull_in_the_mixin_of_their_plugin() -> None:
    resolution, findings = resolved(catalog())
    assert resolution is not None
    assert not findings
    assert resolution.mixins == (GENERIC_PLUGIN,)
    plugin = component(GENERIC_PLUGIN, catalog())
    assert plugin.values == {"hosts": {"s1": {"worker-nvme": [17]}}}
    resolution, _ = resolve(sound(catalog()), Query(QUERY))
    assert resolution is not None
    assert resolution.mixins == ()


def test_every_value_has_the_line_of_the_cluster_file() -> None:
    lines = talos_kit.text(HOSTS).splitlines()
    written = component(GENERIC_PLUGIN, catalog()).origins["hosts", "s1", "worker-nvme"][-1]
    assert (written.layer, written.file, written.reason) == ("cluster lab", FILE, "its hosts are prepared for it")
    assert lines[written.line - 1][written.column - 1 :].startswith("17")
    cpu = component("storage", catalog()).origins["pods", "here", "s1", "a", "resources", "limits", "cpu"][-1]
    assert lines[cpu.line - 1][cpu.column - 1 :].startswith("4-7")


def test_instances_reach_the_paths_that_components_have_for_them() -> None:
    pods = component("storage", catalog()).values["pods"]["here"]["s1"]
    assert pods["a"]["resources"]["requests"] == {"cpu": 4, "groundswell.dev/worker-nvme": 1}


def test_hosts_win_over_recipes_and_mixins_and_the_command_line_over_hosts() -> None:
    path = f"{GENERIC_PLUGIN}:hosts.s1.worker-nvme"
    files = catalog(more="overrides: {hosts: {s1: {worker-nvme: [1]}}}")
    assert component(GENERIC_PLUGIN, files).values["hosts"]["s1"] == {"worker-nvme": [17]}
    plugin = component(GENERIC_PLUGIN, files, settings=(setting(path, [3]),))
    assert plugin.values["hosts"]["s1"] == {"worker-nvme": [3]}
    layers = [origin.layer for origin in plugin.origins["hosts", "s1", "worker-nvme"]]
    assert layers == [f"mixin {GENERIC_PLUGIN}", "cluster lab", f"--set {path}"]


def test_what_a_mixin_enforces_no_host_changes() -> None:
    resolution, findings = resolved(catalog(more="enforce: {hosts: {s1: {worker-nvme: [1]}}}"))
    assert resolution is None
    assert [item.message for item in findings] == [
        f"cluster lab changes {GENERIC_PLUGIN}.hosts.s1.worker-nvme, which mixin {GENERIC_PLUGIN} enforces"
    ]


def test_a_plugin_that_is_left_out_is_left_out() -> None:
    plugin = component(GENERIC_PLUGIN, catalog(), without=(GENERIC_PLUGIN,))
    assert not plugin.enabled
    assert not plugin.values["hosts"]


def test_a_catalog_without_the_mixin_is_told() -> None:
    _, findings = resolved(catalog(mixin="another"))
    assert [(item.code, item.span and item.span.file) for item in findings] == [("T253", FILE)]


def test_hosts_settle_a_tie_of_recipes() -> None:
    values = f"componentRefs: [{{name: {GENERIC_PLUGIN}, overrides: {{hosts: {{s1: {{worker-nvme: [NUMBER]}}}}}}}}]"
    files = catalog(more="enabled: true") | {
        f"recipes/{name}.yaml": document(
            "Recipe", name, f"criteria: {{service: metal}}\n{values.replace('NUMBER', number)}"
        )
        for name, number in (("one", "1"), ("two", "2"))
    }
    assert component(GENERIC_PLUGIN, files).values["hosts"]["s1"] == {"worker-nvme": [17]}


def read_back(resolution: Resolution) -> Resolution:
    place, _ = read_one(recipe_yaml(resolution).encode(), "recipe/recipe.yaml")
    assert place is not None
    again, findings = parse_resolved(place)
    assert again is not None
    assert not findings
    return again


PATH = f"{GENERIC_PLUGIN}:hosts.s1.worker-nvme"


@pytest.mark.parametrize(
    "query", [{}, {"settings": (setting(PATH, [3]),)}, {"without": (GENERIC_PLUGIN,)}], ids=["plain", "set", "without"]
)
def test_a_resolved_recipe_fits_the_hosts_that_it_was_resolved_for(query: dict[str, Any]) -> None:
    resolution, _ = resolved(catalog(), **query)
    assert resolution is not None
    assert not list(other_hosts(hosts(), read_back(resolution), Span("f", 1, 1, 1, 1)))


CHANGED = {
    "another group": (HOSTS.replace("17", "18"), [GENERIC_PLUGIN]),
    "other CPUs": (HOSTS.replace("4-7", "4-8"), ["storage"]),
    "another host": (HOSTS.replace("s1", "s2"), [GENERIC_PLUGIN, "storage"]),
    "one more host": (HOSTS + HOSTS.replace("s1", "s2"), [GENERIC_PLUGIN, "storage"]),
    "no devices": ("- {name: s1}", [GENERIC_PLUGIN, "storage"]),
}


@pytest.mark.parametrize("change", CHANGED)
def test_a_resolved_recipe_for_other_hosts_is_refused(change: str) -> None:
    text, names = CHANGED[change]
    resolution, _ = resolved(catalog())
    assert resolution is not None
    found = list(other_hosts(hosts(text), read_back(resolution), Span("f", 1, 1, 1, 1)))
    assert [item.message.split("`")[1] for item in found] == names


def test_a_recipe_resolved_without_hosts_does_not_fit_hosts_with_devices() -> None:
    resolution, _ = resolve(sound(catalog()), Query(QUERY))
    assert resolution is not None
    found = other_hosts(hosts()._replace(instances=None), resolution, Span("f", 1, 1, 1, 1))
    assert [item.code for item in found] == ["T254"]
