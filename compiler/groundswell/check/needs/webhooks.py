"""An object needs the webhook that must answer before it is admitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.needs.need import Need
from groundswell.check.objects import mapping, sequence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.objects import KubeObject
    from groundswell.check.rendering import Rendering
    from groundswell.source.located import Json

_KINDS = frozenset({"ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"})
_NAME_LABEL = "kubernetes.io/metadata.name"
_GROUP = "admissionregistration.k8s.io"


def needs(rendering: Rendering) -> Iterator[Need]:
    """One need for each object that a webhook of another folder admits, unless its failure is ignored.

    The order of the two must be fixed. Conditions in CEL are not evaluated: a webhook that has some is passed over.
    """
    namespaces = {item.name: item.labels for item in rendering.objects if item.kind == "Namespace" and not item.group}
    for configuration in rendering.objects:
        if configuration.group != _GROUP or configuration.kind not in _KINDS:
            continue
        for webhook in map(mapping, sequence(configuration.data.get("webhooks"))):
            if webhook.get("failurePolicy", "Fail") != "Fail" or webhook.get("matchConditions"):
                continue
            for item in rendering.objects:
                if item.folder != configuration.folder and _admits(webhook, item, namespaces, rendering):
                    what = f"the webhook {webhook.get('name')} of {configuration.name}"
                    yield Need(item, (configuration.folder,), what, either=True)


def _admits(
    webhook: Mapping[str, Json], item: KubeObject, namespaces: Mapping[str, Mapping[str, Json]], rendering: Rendering
) -> bool:
    if item.group == _GROUP or not any(
        _covers(mapping(rule), item, rendering) for rule in sequence(webhook.get("rules"))
    ):
        return False
    if not selects(mapping(webhook.get("objectSelector")), item.labels):
        return False
    if not item.namespace:
        return True
    labels = {**namespaces.get(item.namespace, {}), _NAME_LABEL: item.namespace}
    return selects(mapping(webhook.get("namespaceSelector")), labels)


def _covers(rule: Mapping[str, Json], item: KubeObject, rendering: Rendering) -> bool:
    scope = {"Namespaced": bool(item.namespace), "Cluster": not item.namespace}.get(str(rule.get("scope", "*")), True)
    return (
        scope
        and _listed(rule, "apiGroups", item.group)
        and _listed(rule, "apiVersions", item.version)
        and _listed(rule, "operations", "CREATE")
        and (_listed(rule, "resources", _plural(item, rendering)) or "*/*" in sequence(rule.get("resources")))
    )


def _listed(rule: Mapping[str, Json], field: str, value: str) -> bool:
    return bool({value, "*"} & {text for text in sequence(rule.get(field)) if isinstance(text, str)})


def _plural(item: KubeObject, rendering: Rendering) -> str:
    """What the API calls the objects of a kind: as its definition says, else by the rule that built-in kinds follow."""
    for crd in rendering.crds.get((item.group, item.kind), ()):
        return crd.plural
    name = item.kind.lower()
    if name.endswith("endpoints"):
        return name
    if name.endswith(("s", "x", "ch")):
        return f"{name}es"
    return f"{name[:-1]}ies" if name.endswith("y") and not name.endswith(("ay", "ey")) else f"{name}s"


def selects(selector: Mapping[str, Json], labels: Mapping[str, Json]) -> bool:
    """Whether a label selector matches labels; an empty one matches all."""
    exact = mapping(selector.get("matchLabels"))
    if any(labels.get(key) != value for key, value in exact.items()):
        return False
    return all(_holds(mapping(term), labels) for term in sequence(selector.get("matchExpressions")))


def _holds(term: Mapping[str, Json], labels: Mapping[str, Json]) -> bool:
    key, values = str(term.get("key")), sequence(term.get("values"))
    return {
        "In": key in labels and labels[key] in values,
        "NotIn": key not in labels or labels[key] not in values,
        "Exists": key in labels,
        "DoesNotExist": key not in labels,
    }.get(str(term.get("operator")), True)
