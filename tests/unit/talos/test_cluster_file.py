"""Wrong Cluster files: each has its own finding, at the place that is wrong."""

from __future__ import annotations

import re

import pytest

import talos_kit

STORAGE = """\
- name: w1
  numaNodes: 2
  cpus: 64
  memoryGiB: 64
  installDisk: /dev/disk/by-path/pci-0000:01:00.0-nvme-1
  installDiskController: "0000:02:00.0"
  managementNIC: "0000:03:00.0"
  prep:
"""

# The text at fault stands between « and ».
WRONG: dict[str, tuple[str, str, str]] = {
    "a function of two digits": (
        STORAGE + '    vfio: [{address: «"0000:04:00.00"», kind: network}]',
        "T210",
        "`0000:04:00.00` is not the PCI address of a device",
    ),
    "capital letters in an address": (
        STORAGE + '    vfio: [{address: «"0000:3B:00.0"», kind: network}]',
        "T210",
        "`0000:3B:00.0` is not the PCI address of a device",
    ),
    "an address without a domain": (
        STORAGE + '    vfio: [{address: «"04:00.0"», kind: network}]',
        "T210",
        "`04:00.0` is not the PCI address of a device",
    ),
    "a bad address of a controller": (
        '- {name: w1, installDiskController: «"01:00.0"»}',
        "T210",
        "`01:00.0` is not the PCI address of a controller",
    ),
    "two sizes of hugepages in arguments": (
        STORAGE + "    kernelArgs: [hugepagesz=1G, hugepages=4, «hugepagesz=2M», hugepages=4]",
        "T121",
        "`hugepagesz=1G` and `hugepagesz=2M` are grouped by key, so their pages get the wrong size",
    ),
    "hugepages in arguments beside 1Gi": (
        STORAGE + "    hugepages: {1Gi: 4}\n    kernelArgs: [hugepagesz=1G, «hugepages=8»]",
        "T121",
        "`hugepages=4` and `hugepages=8` are grouped by key, so their pages get the wrong size",
    ),
    "a number of pages before their size": (
        STORAGE + "    kernelArgs: [«hugepages=4», hugepagesz=1G]",
        "T121",
        "`hugepages=4` stands before `hugepagesz=1G`, so it counts pages of the default size",
    ),
    "isolated CPUs that overlap housekeeping": (
        STORAGE + "    isolatedCPUs: 2-7\n    housekeepingCPUs: «0-3»",
        "T202",
        "the housekeeping CPUs and the isolated CPUs share CPUs 2-3",
    ),
    "instances that share CPUs": (
        STORAGE + "    housekeepingCPUs: 0-1\n    instances: [{name: a, cpus: 2-5}, {name: b, cpus: «4-9»}]",
        "T202",
        "instance `b` and instance `a` share CPUs 4-5",
    ),
    "an instance on CPUs that are not isolated": (
        STORAGE + "    housekeepingCPUs: 0-1\n    isolatedCPUs: 4-7\n    instances: [{name: a, cpus: «6-9»}]",
        "T203",
        "CPUs 8-9 of instance `a` are not isolated",
    ),
    "CPUs that are not there": (
        STORAGE + "    housekeepingCPUs: 0-1\n    isolatedCPUs: «60-66»",
        "T203",
        "host `w1` has no CPUs 64-66",
    ),
    "no list of CPUs": (STORAGE + "    housekeepingCPUs: «0..3»", "T201", "`0..3` is not a list of CPUs"),
    "isolated CPUs without housekeeping": (
        STORAGE + "    isolatedCPUs: «2-7»",
        "T204",
        "host `w1` isolates CPUs and names no housekeeping CPUs",
    ),
    "the install disk's controller on vfio": (
        STORAGE + '    vfio: [{address: «"0000:02:00.0"», kind: network}]',
        "T212",
        "`0000:02:00.0` is the install disk's controller of host `w1`",
    ),
    "the controller named by the install disk's path": (
        STORAGE + '    vfio: [{address: «"0000:01:00.0"», kind: network}]',
        "T212",
        "`0000:01:00.0` is the install disk's controller of host `w1`",
    ),
    "the management card on vfio": (
        STORAGE + '    vfio: [{address: «"0000:03:00.0"», kind: network}]',
        "T212",
        "`0000:03:00.0` is the management network card of host `w1`",
    ),
    "a device twice": (
        STORAGE + '    vfio: [{address: "0000:04:00.0", kind: network}, {address: «"0000:04:00.0"», kind: network}]',
        "T211",
        "host `w1` names the device `0000:04:00.0` twice",
    ),
    "an install disk that is none": (
        "- {name: w1, installDisk: «sda»}",
        "M104",
        "`spec.hosts[0].installDisk` must be a disk's path, such as /dev/sda or /dev/disk/by-id/nvme-eui.01, not 'sda'",
    ),
    "an unknown extension": (
        STORAGE + "    extensions: [siderolabs/gvisor, «siderolabs/iscsi-tool»]",
        "T110",
        "the Image Factory has no extension `siderolabs/iscsi-tool`",
    ),
    "1 GiB pages beyond memory": (
        STORAGE + "    hugepages: {1Gi: «64»}",
        "T206",
        "64 GiB of hugepages leave nothing of the 64 GiB of host `w1`",
    ),
    "pages of both sizes beyond memory": (
        STORAGE + "    hugepages: {2Mi: [8192, 8192], 1Gi: «40»}",
        "T206",
        "72 GiB of hugepages leave nothing of the 64 GiB of host `w1`",
    ),
    "pages of a NUMA node that is not there": (
        STORAGE + "    hugepages: {2Mi: [1, 1, «1»]}",
        "T205",
        "host `w1` has no NUMA node 2 for these pages",
    ),
    "an instance on a NUMA node that is not there": (
        STORAGE + "    instances: [{name: a, numaNode: «2»}]",
        "T205",
        "host `w1` has no NUMA node 2",
    ),
    "global pages beside pages per node": (
        STORAGE + "    hugepages: {2Mi: [8, 8]}\n    sysctls: {vm.nr_hugepages: «16»}",
        "T207",
        "`vm.nr_hugepages`, which host `w1` asks for, counts pages that are counted elsewhere too",
    ),
    "global pages where the default size is 1 GiB": (
        STORAGE + "    kernelArgs: [default_hugepagesz=1G]\n    sysctls: {vm.nr_hugepages: «16»}",
        "T207",
        "`vm.nr_hugepages`, which host `w1` asks for, counts pages that are counted elsewhere too",
    ),
    "global pages in the sysctl's other spelling, where the default size is 1 GiB in MiB": (
        STORAGE + "    kernelArgs: [default_hugepagesz=1024M]\n    sysctls: {vm/nr_hugepages: «16»}",
        "T207",
        "`vm/nr_hugepages`, which host `w1` asks for, counts pages that are counted elsewhere too",
    ),
    "a count of pages before the default size": (
        STORAGE + "    kernelArgs: [«hugepages=300», default_hugepagesz=1G]",
        "T206",
        "300 GiB of hugepages leave nothing of the 64 GiB of host `w1`",
    ),
    "every other CPU isolated by a kernel argument": (
        STORAGE + "    housekeepingCPUs: 0-3\n    kernelArgs: [«'isolcpus=domain,1-30:1/2,2-2'»]",
        "T202",
        "`isolcpus=domain,1-30:1/2,2-2` and the housekeeping CPUs share CPUs 1-3",
    ),
    "all CPUs isolated by a kernel argument": (
        STORAGE + "    housekeepingCPUs: 62-63\n    kernelArgs: [«isolcpus=4-N»]",
        "T202",
        "`isolcpus=4-N` and the housekeeping CPUs share CPUs 62-63",
    ),
    "a kernel argument with a blank": (
        STORAGE + "    kernelArgs: [«quiet splash»]",
        "T120",
        "the kernel argument `quiet splash` is not one word",
    ),
    "an argument that Talos needs to boot": (
        STORAGE + "    kernelArgs: [«-slab_nomerge»]",
        "T122",
        "`-slab_nomerge` removes an argument that Talos checks at boot",
    ),
    "isolcpus with the flag nohz": (
        STORAGE + '    kernelArgs: [«"isolcpus=nohz,domain,2-7"»]',
        "T125",
        "the kernel of Talos v1.13.2 drops `isolcpus=nohz,domain,2-7` as a whole because of its flag `nohz`",
    ),
    "isolcpus beside isolatedCPUs": (
        STORAGE + "    housekeepingCPUs: 0-1\n    isolatedCPUs: 2-7\n    kernelArgs: [«isolcpus=2-6»]",
        "T220",
        "the kernel argument `isolcpus` is `isolcpus=2-6` for host `w1` and `isolcpus=2-7` for host `w1`",
    ),
    "a text without a settled form": (
        STORAGE + '    kernelArgs: [«"on"»]',
        "T101",
        "the kernel argument `on` is spelled differently by factories before and after version 0.9",
    ),
    "a name twice": ("- {name: w1}\n- {name: «w1»}", "T230", "two hosts have the name `w1`"),
    "an address twice": (
        "- {name: w1, address: 10.0.0.1}\n- {name: w2, address: «10.0.0.1»}",
        "T230",
        "two hosts have the address `10.0.0.1`",
    ),
    "a group that does not exist": ("- {name: w1, groups: [«storrage»]}", "T231", "there is no group `storrage`"),
    "a label that a worker may not set": (
        '- {name: w1, nodeLabels: {node-role.kubernetes.io/storage: «""»}}',
        "T234",
        "worker `w1` may not give itself the label `node-role.kubernetes.io/storage`",
    ),
    "pages by kernel arguments beyond memory": (
        STORAGE + "    kernelArgs: [hugepagesz=1G, «hugepages=64»]",
        "T206",
        "64 GiB of hugepages leave nothing of the 64 GiB of host `w1`",
    ),
    "pages of the default size by node beyond memory": (
        STORAGE + "    kernelArgs: [«'hugepages=0:16384,1:16384'»]",
        "T206",
        "64 GiB of hugepages leave nothing of the 64 GiB of host `w1`",
    ),
    "housekeeping CPUs isolated by a kernel argument": (
        STORAGE + "    housekeepingCPUs: 0-3\n    kernelArgs: [«'isolcpus=managed_irq,domain,2-7'»]",
        "T202",
        "`isolcpus=managed_irq,domain,2-7` and the housekeeping CPUs share CPUs 2-3",
    ),
    "an IOMMU that is off beside devices": (
        """- {name: w1, cpuVendor: amd,
   prep: {vfio: [{address: "0000:05:00.0", kind: network}], kernelArgs: [«amd_iommu=off»]}}""",
        "T213",
        "`amd_iommu=off` switches off what `0000:05:00.0` needs",
    ),
    "a label without a name": (
        '- {name: w1, role: controlplane, nodeLabels: {example.test/: «"a"»}}',
        "T237",
        "`example.test/` is not the key of a label",
    ),
    "a label's value with a blank": (
        '- {name: w1, nodeLabels: {example.test/a: «"a b"»}}',
        "T237",
        "`a b` is not a value that the label `example.test/a` can have",
    ),
    "the label by which pods find hosts": (
        "- {name: w1, nodeLabels: {groundswell.dev/host: «w2»}}",
        "T238",
        "host `w1` states the label `groundswell.dev/host`",
    ),
    "a module that is a path": (
        STORAGE + "    kernelModules: [«../a»]",
        "M104",
        "`spec.hosts[0].prep.kernelModules[0]` must be the name of a kernel module, such as nvme_tcp",
    ),
    "parameters of an option": (
        STORAGE + "    «kernelModuleParameters»: {-r: [a=1]}",
        "M104",
        "`spec.hosts[0].prep.kernelModuleParameters` must name kernel modules, not `-r`",
    ),
    "an address that is an option": (
        "- {name: w1, address: «--insecure»}",
        "M104",
        "`spec.hosts[0].address` must be an IP address or a host name",
    ),
    "an address with a part beyond 255": (
        "- {name: w1, address: «10.0.0.300»}",
        "M104",
        "`spec.hosts[0].address` must be an IP address or a host name",
    ),
    "an unknown key": (STORAGE + "    «hugepage»: {1Gi: 4}", "M101", "unknown key `spec.hosts[0].prep.hugepage`"),
    "a role that Talos does not have": (
        "- {name: w1, role: «master»}",
        "M104",
        "`spec.hosts[0].role` must be 'controlplane' or 'worker', not 'master'",
    ),
    "a negative number of pages": (
        STORAGE + "    hugepages: {2Mi: [«-1»]}",
        "M104",
        "`spec.hosts[0].prep.hugepages.2Mi[0]` must not be negative",
    ),
}


@pytest.mark.parametrize(("marked", "code", "message"), WRONG.values(), ids=list(WRONG))
def test_a_wrong_cluster_file_has_one_finding_at_its_place(marked: str, code: str, message: str) -> None:
    marked_text = talos_kit.text(marked, more="groups: {storage: {}}" if "storrage" in marked else "")
    source = marked_text.replace("«", "").replace("»", "")
    files, findings = talos_kit.rendered(source)
    found = [finding for finding in findings if finding.code not in {"T124", "T232"}]
    assert [(finding.code, finding.message) for finding in found] == [(code, message)]
    span = found[0].span
    assert span is not None
    lines = marked_text.split("\n")
    (line,) = [number for number, text in enumerate(lines, start=1) if "«" in text]
    assert (span.line, span.column) == (line, lines[line - 1].index("«") + 1)
    at_fault = re.search("«(.*)»", lines[line - 1])
    assert at_fault is not None
    assert span.end_column - span.column == len(at_fault[1])
    assert bool(files) == (found[0].code == "T204")


@pytest.mark.parametrize(
    ("talos", "more", "version", "code", "message"),
    [
        ("", "", "1.13", "T103", "`1.13` is not a full Talos version"),
        ("", "", "v1.9.5", "T103", "Talos v1.9.5 is older than v1.10"),
        ("", "criteria: {os: ubuntu}", "v1.13.2", "T233", "the criteria state `os: ubuntu`"),
        ("", "groups: {idle: {role: worker}}", "v1.13.2", "T232", "no host is in the group `idle`"),
        (
            "baseConfig: legacy\nsetHostnames: true",
            "",
            "v1.14.0",
            "T235",
            "host names cannot be set on a configuration that an earlier Talos wrote",
        ),
        (
            "factoryURL: factory.example.test",
            "",
            "v1.13.2",
            "M104",
            "`spec.talos.factoryURL` must be the URL of an Image Factory without a path, such as https://factory.talos.dev",
        ),
        (
            "platform: metall",
            "",
            "v1.13.2",
            "M104",
            (
                "`spec.talos.platform` must be 'metal', 'akamai', 'aws', 'azure', 'cloudstack', 'digital-ocean', "
                "'equinixMetal', 'exoscale', 'gcp', 'hcloud', 'nocloud', 'opennebula', 'openstack', 'oracle', "
                "'scaleway', 'upcloud', 'vmware' or 'vultr', not 'metall'"
            ),
        ),
        (
            "podSecurityExemptions: [kube-system]",
            "",
            "v1.13.2",
            "M104",
            "`spec.talos.podSecurityExemptions[0]` must not hold kube-system, which is exempt already",
        ),
    ],
)
def test_findings_about_the_cluster_as_a_whole(talos: str, more: str, version: str, code: str, message: str) -> None:
    _, findings = talos_kit.rendered(talos_kit.text("- {name: w1}", version=version, talos=talos, more=more))
    assert [(finding.code, finding.message) for finding in findings] == [(code, message)]
    assert findings[0].span is not None
    assert "metall" not in talos or findings[0].help == "did you mean `metal`?"


def test_a_cluster_without_hosts() -> None:
    _, findings = talos_kit.rendered(talos_kit.text("- x").replace("hosts:\n    - x\n", "hosts: []\n"))
    assert [(finding.code, finding.message) for finding in findings] == [("M104", "`spec.hosts` must not be empty")]


def test_everything_wrong_is_found_in_one_run() -> None:
    hosts = """\
- name: w1
  groups: [none]
  memoryGiB: 4
  prep:
    vfio: [{address: "4:0.0"}]
    hugepages: {1Gi: 8}
    isolatedCPUs: x
    extensions: [siderolabs/xyzzy]
"""
    _, findings = talos_kit.rendered(talos_kit.text(hosts, version="v1.9.0", more="criteria: {os: rhel}"))
    codes = {finding.code for finding in findings}
    assert codes >= {"T103", "T201", "T206", "T210", "T231", "T233"}
    assert not codes & {"T202", "T203"}


def test_an_unquoted_address_that_is_a_number_to_some_readers_is_refused_beside_all_else() -> None:
    source = talos_kit.text("- {name: w1, memory: 4, prep: {vfio: [{address: 0000:04:00.0}], extensions: [x/y]}}")
    _, findings = talos_kit.rendered(source)
    assert [finding.code for finding in findings] == ["S110", "M101"]


def test_what_an_alias_repeats_is_repeated() -> None:
    device = 'prep: {vfio: [&one {address: "0000:04:00.0", kind: network}, *one]}'
    _, findings = talos_kit.rendered(talos_kit.text(f"- &host {{name: w1, {device}}}\n- *host\n"))
    assert [finding.code for finding in findings] == ["T230", "T211"]


def test_no_file_comes_out_of_a_wrong_cluster() -> None:
    files, findings = talos_kit.rendered(talos_kit.text('- {name: w1, prep: {vfio: [{address: "x", kind: network}]}}'))
    assert not files
    assert [finding.code for finding in findings] == ["T210"]
