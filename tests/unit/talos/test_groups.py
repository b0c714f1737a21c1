"""Defaults, groups and hosts: what each adds, replaces and may not contradict."""

from __future__ import annotations

import talos_kit

GROUPS = """\
defaults:
  cpuVendor: intel
  prep: {kernelModules: [dm_crypt], sysctls: {a.b: "1", a.c: "1"}}
groups:
  storage:
    nodeLabels: {example.test/storage: "yes"}
    prep: {kernelModules: [nvme_tcp], kernelArgs: [quiet], hugepages: {2Mi: [8, 8]}, sysctls: {a.b: "2"}}
  fast:
    prep: {kernelModules: [nvme_tcp, raid1], kernelArgs: [mitigations=off], sysctls: {a.d: "4"}}
"""


def test_lists_of_what_is_asked_for_add_up_and_all_else_is_replaced_by_the_nearer() -> None:
    source = talos_kit.text(
        "- name: w1\n  groups: [storage, fast]\n  cpuVendor: amd\n"
        "  prep: {kernelArgs: [splash], hugepages: {2Mi: [4]}, sysctls: {a.c: 3}}\n- {name: w2}\n",
        more=GROUPS,
    )
    (machine,) = [document["machine"] for document in talos_kit.patch_of(source, "w1")]
    assert [module["name"] for module in machine["kernel"]["modules"]] == ["dm_crypt", "nvme_tcp", "raid1"]
    assert machine["sysctls"] == {"a.b": "2", "a.c": "3", "a.d": "4"}
    assert list(machine["sysfs"].values()) == ["4"]
    assert machine["nodeLabels"] == {"example.test/storage": "yes"}
    assert talos_kit.schematic_of(source, "w1") == {
        "extraKernelArgs": ["quiet", "mitigations=off", "splash"],
        "systemExtensions": {"officialExtensions": ["siderolabs/amd-ucode"]},
    }
    (other,) = [document["machine"] for document in talos_kit.patch_of(source, "w2")]
    assert other["sysctls"] == {"a.b": "1", "a.c": "1"}
    assert "sysfs" not in other


def test_two_groups_that_set_one_thing_differently_are_shown_both() -> None:
    more = "groups:\n  one: {prep: {sysctls: {a.b: 1}}}\n  two: {prep: {sysctls: {a.b: 2}}}\n"
    _, findings = talos_kit.rendered(talos_kit.text("- {name: w1, groups: [one, two]}", more=more))
    (finding,) = findings
    assert finding.code == "T220"
    assert finding.message == "group `one` and group `two` of host `w1` set `prep.sysctls.a.b` to two values"
    assert finding.span is not None
    assert (finding.span.line, [place.span.line for place in finding.related]) == (10, [9])


def test_the_host_decides_between_its_groups_and_equal_values_are_no_dispute() -> None:
    more = "groups:\n  one: {cpus: 8, prep: {sysctls: {a.b: 1}}}\n  two: {cpus: 8, prep: {sysctls: {a.b: 2}}}\n"
    source = talos_kit.text("- {name: w1, groups: [one, two], prep: {sysctls: {a.b: 3}}}", more=more)
    _, findings = talos_kit.rendered(source)
    assert findings == ()
    assert talos_kit.patch_of(source, "w1")[0]["machine"]["sysctls"] == {"a.b": "3"}


def test_two_spellings_of_one_sysctl_with_two_values_are_a_contradiction_wherever_they_are_stated_together() -> None:
    twice = "prep: {sysctls: {vm.max_map_count: 1, vm/max_map_count: 2}}"
    hosts = "- {name: w1}\n- {name: w2}\n"
    grouped = hosts.replace("}", ", groups: [g]}")
    for by, source in {
        "host `w1`": talos_kit.text(f"- {{name: w1, {twice}}}\n- {{name: w2}}\n"),
        "the defaults": talos_kit.text(hosts, more=f"defaults: {{{twice}}}\n"),
        "group `g`": talos_kit.text(grouped, more=f"groups:\n  g: {{{twice}}}\n"),
    }.items():
        (finding,) = talos_kit.rendered(source)[1]
        assert finding.code == "T220"
        assert finding.message == f"`prep.sysctls.vm/max_map_count` is set to two values by {by}"
        assert [item.label for item in finding.related] == ["also set as `vm.max_map_count`"]
        assert talos_kit.rendered(source.replace("map_count: 2", "map_count: 1"))[1] == ()


def test_values_keep_their_text() -> None:
    source = talos_kit.text(
        "- name: w1\n"
        "  nodeLabels: {example.test/gpu: true, example.test/zone: 1.10}\n"
        "  prep: {sysctls: {vm.nr_hugepages: 1024, a.b: 1}}\n"
    )
    machine = talos_kit.patch_of(source, "w1")[0]["machine"]
    assert machine["nodeLabels"] == {"example.test/gpu": "true", "example.test/zone": "1.10"}
    assert machine["sysctls"] == {"vm.nr_hugepages": "1024", "a.b": "1"}
    files, _ = talos_kit.rendered(source)
    assert b'a.b: "1"' in files["talos/patches/w1.yaml"].data
