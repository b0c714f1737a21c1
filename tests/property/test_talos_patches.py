"""Laws of patches and schematics over random clusters, for every version and base."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import talos_kit
from groundswell.source.reader import read
from plan_factory import plan

MODULES = ["vfio_pci", "nvme-tcp", "nvme_tcp", "dm_crypt"]
ADDRESSES = ["0000:04:00.0", "0001:01:00.0", "0000:81:00.0", "0000:3b:00.7"]

preps = st.fixed_dictionaries(
    {},
    optional={
        "hugepages": st.fixed_dictionaries(
            {}, optional={"2Mi": st.lists(st.integers(0, 99), max_size=2), "1Gi": st.integers(1, 9)}
        ),
        "housekeepingCPUs": st.sampled_from(["0-1", "1"]),
        "isolatedCPUs": st.sampled_from(["2-5", "7,9"]),
        "vfio": st.lists(st.sampled_from(ADDRESSES), unique=True).map(lambda found: [{"address": a} for a in found]),
        "kernelModules": st.lists(st.sampled_from(MODULES)),
        "kernelArgs": st.lists(st.sampled_from(["quiet", "a=1", "iommu=pt"])),
        "extensions": st.lists(st.sampled_from(["siderolabs/zfs", "siderolabs/iscsi-tools"])),
        "sysctls": st.dictionaries(st.sampled_from(["a.b", "c.d"]), st.sampled_from(["1", "on", "0x1", "1 2"])),
    },
)
hosts = st.lists(
    st.fixed_dictionaries(
        {
            "role": st.sampled_from(["controlplane", "worker"]),
            "accelerated": st.booleans(),
            "prep": preps,
            "installDisk": st.sampled_from(["/dev/sda", "/dev/disk/by-id/nvme-A"]),
        },
        optional={"cpuVendor": st.sampled_from(["intel", "amd"])},
    ),
    min_size=1,
    max_size=4,
).map(lambda found: [{"name": f"h{index}", **host} for index, host in enumerate(found)])
versions = st.sampled_from(["v1.10.0", "v1.11.6", "v1.12.0", "v1.13.9", "v1.14.1", "v1.15.0"])
bases = st.sampled_from(["generated", "legacy"])


def source(described: list[dict[str, Any]], version: str, base: str) -> str:
    listed = "\n".join(f"- {json.dumps(host)}" for host in described)
    return talos_kit.text(listed, version=version, talos=f"baseConfig: {base}")


@settings(max_examples=60, deadline=None)
@given(hosts, versions, bases)
def test_patch_and_schematic_of_every_host_fit_together(
    described: list[dict[str, Any]], version: str, base: str
) -> None:
    files, findings = talos_kit.rendered(source(described, version, base), plan(talos_kit.gpus()))
    assert files, findings
    digests = {hashlib.sha256(file.data).hexdigest() for path, file in files.items() if "schematics" in path}
    used = set()
    for host in described:
        data = files[f"talos/patches/{host['name']}.yaml"].data
        documents = list(yaml.safe_load_all(data))
        assert [item.data for item in read(data, "patch.yaml")[0]] == documents
        identities = [(document.get("kind"), document.get("name")) for document in documents]
        assert len(set(identities)) == len(identities)
        (image,) = re.findall(r"/metal-installer/([0-9a-f]{64}):(v[0-9.]+)", data.decode())
        assert image[0] in digests
        assert image[1] == version
        used.add(image[0])
        assert ("nvidia_uvm" in data.decode()) == host["accelerated"]
        rebinds = [document["name"] for document in documents if document.get("kind") == "PCIDriverRebindConfig"]
        assert rebinds == [device["address"] for device in host["prep"].get("vfio", [])]
    assert used == digests


@settings(max_examples=25, deadline=None)
@given(hosts, bases)
def test_a_newer_version_changes_forms_and_tags_but_no_schematic(described: list[dict[str, Any]], base: str) -> None:
    schematics = []
    for version in ("v1.13.9", "v1.14.1"):
        files, _ = talos_kit.rendered(source(described, version, base))
        schematics.append({path: file for path, file in files.items() if "schematics" in path})
    assert schematics[0]
    assert schematics[0] == schematics[1]
