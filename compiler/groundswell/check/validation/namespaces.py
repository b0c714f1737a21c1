"""Namespaces: what their labels ask of pods.

https://github.com/kubernetes/kubernetes/blob/master/plugin/pkg/admission/security/podsecurity/admission.go
https://kubernetes.io/docs/concepts/security/pod-security-admission/#pod-security-admission-labels-for-namespaces
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from groundswell.check.digits import whole
from groundswell.check.objects import mapping
from groundswell.check.validation.demands import one_of, shown
from groundswell.check.validation.fault import Fault
from groundswell.check.validation.forms import label_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.validation.fault import Context
    from groundswell.source.located import Json

_PREFIX = "pod-security.kubernetes.io/"
_LEVEL = one_of(("privileged", "baseline", "restricted"))
_VERSION = re.compile(r"v1\.(0|[1-9][0-9]*)")
_HIGHEST = 2**63


def namespace(value: Mapping[str, Json], context: Context) -> Iterator[Fault]:
    """The levels of Pod Security and their versions, of which a namespace that is made must have no other."""
    labels = mapping(mapping(value.get("metadata")).get("labels"))
    for mode in ("enforce", "audit", "warn"):
        for key, judge in ((f"{_PREFIX}{mode}", _LEVEL), (f"{_PREFIX}{mode}-version", _version)):
            text = (labels[key] or "") if key in labels else None  # null stands for no text
            if isinstance(text, str) and label_value(text) and (problem := judge(text, context.minor)):
                yield Fault(("metadata", "labels", key), problem)


def _version(value: Json, _: int) -> str:
    found = _VERSION.fullmatch(str(value))
    if value == "latest" or (found and whole(found[1]) < _HIGHEST):
        return ""
    return f"must be `latest` or a version such as `v1.35`, not {shown(value)}"
