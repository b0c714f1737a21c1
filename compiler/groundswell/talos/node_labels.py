"""Node labels, by the rules of Kubernetes (https://kubernetes.io/docs/concepts/overview/working-with-objects/labels)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.diagnostics.codes import talos as codes
from groundswell.talos.pools import HOST_LABEL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.talos.cluster import Host

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?")
_DNS_LABEL = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
_PREFIX = re.compile(rf"(?=.{{1,253}}\Z){_DNS_LABEL}(?:\.{_DNS_LABEL})*")

# Labels under kubernetes.io and k8s.io that NodeRestriction lets a kubelet set on its own node.
_KUBERNETES_LABEL = re.compile(r"(?:[a-z0-9.-]+\.)?(?:kubernetes|k8s)\.io/.*")
_OWN_LABEL = re.compile(
    r"(?:[a-z0-9.-]+\.)?(?:kubelet|node)\.kubernetes\.io/.*"
    r"|kubernetes\.io/(?:hostname|arch|os)|beta\.kubernetes\.io/(?:arch|os|instance-type)"
    r"|(?:topology|failure-domain\.beta)\.kubernetes\.io/(?:zone|region)"
)


def label_findings(host: Host) -> Iterator[Diagnostic]:
    """Labels that no node can have, that this program sets itself, or that a worker may not give itself."""
    for label, placed in host.labels.items():
        if not _is_key(label):
            yield codes.BAD_LABEL(f"`{label}` is not the key of a label", placed.span)
        elif placed.value and not _NAME.fullmatch(placed.value):
            yield codes.BAD_LABEL(f"`{placed.value}` is not a value that the label `{label}` can have", placed.span)
        elif label == HOST_LABEL:
            yield codes.OWN_LABEL(f"host `{host.name.value}` states the label `{label}`", placed.span)
        elif not host.control_plane and _KUBERNETES_LABEL.fullmatch(label) and not _OWN_LABEL.fullmatch(label):
            text = f"worker `{host.name.value}` may not give itself the label `{label}`"
            yield codes.RESTRICTED_LABEL(text, placed.span)


def _is_key(label: str) -> bool:
    prefix, slash, name = label.rpartition("/")
    return bool(_NAME.fullmatch(name)) and (not slash or bool(_PREFIX.fullmatch(prefix)))
