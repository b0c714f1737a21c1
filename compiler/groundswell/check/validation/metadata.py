"""The metadata of objects: names as their kind allows them, labels, annotations, finalizers.

https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.objects import mapping, sequence
from groundswell.check.validation.demands import shown
from groundswell.check.validation.fault import Fault
from groundswell.check.validation.forms import (
    FORMS,
    QUALIFIED,
    VALUE,
    label_value,
    masked,
    qualified,
)
from groundswell.diagnostics.codes import validation as codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.check.objects import KubeObject
    from groundswell.check.validation.fault import Context
    from groundswell.source.located import Json

_RBAC = "rbac.authorization.k8s.io"
_FORM_OF_KIND = {
    ("", "Event"): "",
    ("", "Namespace"): "label",
    ("", "Service"): "service-name",
    ("apps", "StatefulSet"): "label",
    ("apiregistration.k8s.io", "APIService"): "path-segment",
    ("certificates.k8s.io", "CertificateSigningRequest"): "",
    ("certificates.k8s.io", "ClusterTrustBundle"): "path-segment",
    ("networking.k8s.io", "IPAddress"): "path-segment",
    ("policy", "PodDisruptionBudget"): "path-segment",
    **{(_RBAC, kind): "path-segment" for kind in ("Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding")},
}
"""The form of the names of kinds that have another one than the name of a host; "" where any text will do."""
_NAMELESS = frozenset({"authentication.k8s.io", "authorization.k8s.io"})
"""The groups whose objects are questions, answered and not kept."""
_LONGEST = {("batch", "CronJob"): 52, ("batch", "Job"): 63}
"""The longest names of kinds that make objects, or label them, with their name."""
_MOST_ANNOTATIONS = 256 * 1024
_KEPT, _ADDED = 58, "x" * 5
"""Of the beginning of a name the API server keeps this much, and adds this many characters."""


def metadata_faults(item: KubeObject, context: Context) -> Iterator[Fault]:
    """What is wrong with the metadata of an object of any kind."""
    metadata = item.metadata
    name, prefix = metadata.get("name"), metadata.get("generateName")
    if item.group in _NAMELESS:
        pass
    elif name:
        yield from _name(item, name, ("metadata", "name"), context)
    elif isinstance(prefix, str) and prefix:
        generated = prefix[:_KEPT] + _ADDED
        judged = generated if _fits(item, masked(prefix), context) else masked(prefix)
        yield from _name(item, judged, ("metadata", "generateName"), context, given=prefix)
    else:
        yield Fault(("metadata",), "has neither `name` nor `generateName`", codes.BAD_NAME)
    yield from (fault.below("metadata") for fault in label_faults(metadata.get("labels"), "labels"))
    yield from (fault.below("metadata") for fault in annotation_faults(metadata.get("annotations")))
    for index, finalizer in enumerate(sequence(metadata.get("finalizers"))):
        finalizer = "" if finalizer is None else finalizer  # noqa: PLW2901  as the API server reads it
        if isinstance(finalizer, str) and not qualified(finalizer):
            path = ("metadata", "finalizers", str(index))
            yield Fault(path, f"must be {QUALIFIED}, not {shown(finalizer)}", codes.BAD_NAME)


def _form(item: KubeObject) -> str:
    return _FORM_OF_KIND.get((item.group, item.kind), "subdomain")


def _fits(item: KubeObject, name: str, context: Context) -> bool:
    form = _form(item)
    return not form or FORMS[form].fits(name, context.minor)


def _name(item: KubeObject, name: Json, path: tuple[str, ...], context: Context, *, given: str = "") -> Iterator[Fault]:
    """What is wrong with a name; `given` is the beginning that it was made from."""
    if not isinstance(name, str):
        return
    if not _fits(item, name, context):
        wanted = FORMS[_form(item)].wanted
        if _form(item) == "service-name" and FORMS["label"].fits(name, context.minor):
            wanted = f"{wanted}, a letter first"
        yield Fault(path, f"must be {wanted}, not {shown(given or name)}", codes.BAD_NAME)
    elif len(name) > _LONGEST.get((item.group, item.kind), len(name)):
        most = _LONGEST[item.group, item.kind]
        yield Fault(path, f"has {len(name)} characters, at most {most} are allowed", codes.BAD_NAME)


def label_faults(labels: Json, field: str) -> Iterator[Fault]:
    """What is wrong with labels, or with a map that selects by them, which stand in a field."""
    for key, value in mapping(labels).items():
        if not qualified(str(key)):
            yield Fault((field, str(key)), f"must be {QUALIFIED}", codes.BAD_NAME)
        if isinstance(value, str) and not label_value(value):
            yield Fault((field, str(key)), f"must be {VALUE}, not {shown(value)}", codes.BAD_NAME)


def annotation_faults(annotations: Json) -> Iterator[Fault]:
    """What is wrong with annotations, whose keys are like those of labels, in any case."""
    size = 0
    for key, value in mapping(annotations).items():
        size += len(str(key).encode()) + (len(value.encode()) if isinstance(value, str) else 0)
        if not qualified(str(key).lower()):
            yield Fault(("annotations", str(key)), f"must be {QUALIFIED}", codes.BAD_NAME)
    if size > _MOST_ANNOTATIONS:
        yield Fault(("annotations",), f"have {size} bytes, at most {_MOST_ANNOTATIONS} are allowed")
