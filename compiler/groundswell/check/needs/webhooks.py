"""An object needs the webhook that must answer before it, or what is made of it, is admitted.

https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#matching-requests-rules; the
tests of `tests/e2e` hold it against a real API server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.needs.need import Need
from groundswell.check.needs.requests import requests_of
from groundswell.check.objects import mapping, sequence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.needs.requests import Request
    from groundswell.check.rendering import Rendering
    from groundswell.source.located import Json

_KINDS = frozenset({"ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"})
_NAME_LABEL = "kubernetes.io/metadata.name"
_GROUP = "admissionregistration.k8s.io"


def needs(rendering: Rendering) -> Iterator[Need]:
    """One need for each creation that a webhook of another folder admits, unless its failure is ignored.

    The order of the two must be fixed. Conditions in CEL are not evaluated: a webhook that has some is passed over.
    """
    namespaces = {item.name: item.labels for item in rendering.objects if item.kind == "Namespace" and not item.group}
    for configuration in rendering.objects:
        if configuration.group != _GROUP or configuration.kind not in _KINDS or not configuration.installed:
            continue
        for webhook in map(mapping, sequence(configuration.data.get("webhooks"))):
            if (webhook.get("failurePolicy") or "Fail") != "Fail" or webhook.get("matchConditions"):
                continue
            what = f"the webhook {webhook.get('name') or 'without a name'} of {configuration.name}"
            for request in requests_of(rendering):
                other = request.user.folder != configuration.folder
                if other and _asks(webhook, request, rendering) and _selected(webhook, request, namespaces):
                    made = f" for {request.made}" if request.made else ""
                    yield Need(request.user, (configuration.folder,), f"{what}{made}", either=True)


def _asks(webhook: Mapping[str, Json], request: Request, rendering: Rendering) -> bool:
    """Whether the rules name what is created; no webhook is asked about the configuration of webhooks."""
    if request.group == _GROUP:
        return False
    exact = webhook.get("matchPolicy") == "Exact"
    return any(_covers(mapping(rule), request, rendering, exact=exact) for rule in sequence(webhook.get("rules")))


def _selected(webhook: Mapping[str, Json], request: Request, namespaces: Mapping[str, Mapping[str, Json]]) -> bool:
    """Whether the selectors take the object and its namespace; a Namespace counts as the one that it is in itself."""
    if not selects(mapping(webhook.get("objectSelector")), request.labels):
        return False
    own = (request.group, request.kind) == ("", "Namespace")
    name = request.user.name if own else request.namespace
    if not name:
        return True
    labels = {**namespaces.get(name, {}), _NAME_LABEL: name}
    return selects(mapping(webhook.get("namespaceSelector")), labels)


def _covers(rule: Mapping[str, Json], request: Request, rendering: Rendering, *, exact: bool) -> bool:
    """Whether a rule names a creation; what is found out fastest is asked first, since most name a few kinds."""
    scope = rule.get("scope") or "*"
    return (
        _listed(rule, "apiGroups", request.group)
        and scope in ("*", "Namespaced" if request.namespace else "Cluster")
        and _listed(rule, "operations", "CREATE")
        and _names(rule, {_plural(request, rendering), "*"})
        and any(_listed(rule, "apiVersions", version) for version in _versions(rule, request, rendering, exact=exact))
    )


def _names(rule: Mapping[str, Json], plurals: set[str]) -> bool:
    """Whether resources of a rule are those, and not parts of theirs."""
    texts = (str(text).partition("/") for text in sequence(rule.get("resources")))
    return any(name in plurals and part in {"", "*"} for name, _, part in texts)


def _versions(rule: Mapping[str, Json], request: Request, rendering: Rendering, *, exact: bool) -> set[str]:
    """The versions of a kind that a rule may name for it: unless it must fit exactly, any that the server knows.

    Of the built-in kinds those are the stable ones: servers from 1.32 on have no other unless they are told to. Of
    others those in the definition, served or not.
    """
    if exact:
        return {request.version}
    for crd in rendering.crds.get((request.group, request.kind), ()):
        versions = map(mapping, sequence(mapping(crd.definition.data.get("spec")).get("versions")))
        return {request.version, *(str(version.get("name")) for version in versions)}
    listed = {str(version) for version in sequence(rule.get("apiVersions"))}
    return {request.version, *(version for version in listed if version.removeprefix("v").isdigit())}


def _listed(rule: Mapping[str, Json], field: str, value: str) -> bool:
    return bool({value, "*"} & {text for text in sequence(rule.get(field)) if isinstance(text, str)})


def _plural(item: Request, rendering: Rendering) -> str:
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
