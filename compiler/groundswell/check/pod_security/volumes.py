"""The control over kinds of volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.pod_security.control import Control, Revision
from groundswell.check.pod_security.levels import Level
from groundswell.check.pod_security.pod import mapping, sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.pod_security.pod import Finding, Pod

# The kinds that mount a host's directory, or storage that nobody but the pod's author has chosen. A volume of no known
# kind is none of them: the API server makes an emptyDir of it. Servers before 1.33 also refuse `image`, whatever the
# policy's version.
_RESTRICTED = (
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "gitRepo",
    "nfs",
    "iscsi",
    "glusterfs",
    "rbd",
    "flexVolume",
    "cinder",
    "cephfs",
    "flocker",
    "fc",
    "azureFile",
    "azureDisk",
    "vsphereVolume",
    "quobyte",
    "portworxVolume",
    "photonPersistentDisk",
    "scaleIO",
    "storageos",
)


def _restricted_volumes(pod: Pod) -> Iterator[Finding]:
    for index, volume in enumerate(sequence(pod.spec.get("volumes"))):
        fields = mapping(volume)
        for kind in _RESTRICTED:
            if fields.get(kind) is not None:
                name = fields.get("name", index)
                yield pod.spec.finding(("volumes", index, kind), f"has the volume `{name}` of the kind `{kind}`")


CONTROLS = (
    Control(
        "restrictedVolumes",
        Level.RESTRICTED,
        "volumes are configMap, csi, downwardAPI, emptyDir, ephemeral, image, persistentVolumeClaim, projected, secret",
        (Revision(0, _restricted_volumes),),
        overrides="hostPathVolumes",
    ),
)
