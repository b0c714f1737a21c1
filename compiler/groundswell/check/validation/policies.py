"""Objects that say how others are reached, scaled, disrupted and allowed.

https://github.com/kubernetes/kubernetes/blob/master/pkg/apis, in the `validation` of each group
"""

from __future__ import annotations

from ipaddress import ip_network
from typing import TYPE_CHECKING

from groundswell.check.objects import mapping, sequence
from groundswell.check.validation.containers import exactly_one
from groundswell.check.validation.demands import shown
from groundswell.check.validation.fault import Fault
from groundswell.check.validation.forms import FORMS, subdomain
from groundswell.check.validation.resources import referring
from groundswell.diagnostics.codes import validation as codes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from ipaddress import IPv4Network, IPv6Network

    from groundswell.check.validation.fault import Context
    from groundswell.source.located import Json

_RBAC = "rbac.authorization.k8s.io"
_NOT_IN_PATH = ("//", "/./", "/../", "%2f", "%2F")
_NOT_LAST = ("/..", "/.")


def disruption_budget(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A PodDisruptionBudget says how many may be missing, or how many must be there."""
    if value.get("minAvailable") is not None and value.get("maxUnavailable") is not None:
        yield Fault((), "must not have both `minAvailable` and `maxUnavailable`")


def ingress(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """An Ingress leads somewhere."""
    if not value.get("rules") and value.get("defaultBackend") is None:
        yield Fault((), "needs `rules` or a `defaultBackend`")


def ingress_path(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A path, absolute where it is compared, and without parts that servers resolve."""
    kind, path = value.get("pathType"), value.get("path") or ""
    if not isinstance(path, str) or kind not in ("Exact", "Prefix", "ImplementationSpecific"):
        return
    compared = kind != "ImplementationSpecific"
    if not path.startswith("/") and (path or compared):
        yield Fault(("path",), f"must begin with `/`, not be {shown(path)}")
    elif compared and (any(part in path for part in _NOT_IN_PATH) or path.endswith(_NOT_LAST)):
        yield Fault(("path",), f"must have no empty part, `.`, `..` or encoded slash: {shown(path)}")


def ingress_backend(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A backend is a port of a Service, or another object."""
    yield from exactly_one(value, ("service", "resource"))
    if isinstance(other := value.get("resource"), dict):
        yield from (fault.below("resource") for fault in referring(other))
    service = value.get("service")
    if isinstance(service, dict):
        port = mapping(service.get("port"))
        if bool(port.get("name")) == bool(port.get("number")):
            yield Fault(("service", "port"), "must have either `name` or `number`")


def network_peer(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A peer is a network, or what selectors select."""
    selected = value.get("podSelector") is not None or value.get("namespaceSelector") is not None
    network = value.get("ipBlock") is not None
    if selected and network:
        yield Fault((), "must not have both `ipBlock` and selectors")
    elif not selected and not network:
        yield Fault((), "must have `ipBlock`, `podSelector` or `namespaceSelector`")


def network_block(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """What is left out of a network is a part of it."""
    whole = _network(value.get("cidr"))
    for index, text in enumerate(sequence(value.get("except"))):
        part = _network(text)
        inside = whole and part and part.network_address in whole and part.prefixlen > whole.prefixlen
        if whole and part and not inside:
            yield Fault(("except", str(index)), f"must be a part of `cidr`, not {shown(text)}")


def _network(text: Json) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(text, strict=False) if isinstance(text, str) else None
    except ValueError:
        return None


def network_port(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A range of ports has a beginning."""
    first, last = value.get("port"), value.get("endPort")
    if isinstance(last, int) and (not isinstance(first, int) or first > last):
        yield Fault(("endPort",), "must only be there beside a `port` with a number that is no higher")


def role(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A Role, which has no part in what is not in a namespace."""
    for index, rule in enumerate(sequence(value.get("rules"))):
        if mapping(rule).get("nonResourceURLs"):
            yield Fault(("rules", str(index), "nonResourceURLs"), "must not be there in a Role")


def policy_rule(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A rule is about resources, or about paths."""
    groups, resources = value.get("apiGroups"), value.get("resources")
    if value.get("nonResourceURLs"):
        if groups or resources or value.get("resourceNames"):
            yield Fault((), "must not have both resources and `nonResourceURLs`")
        return
    for field, found in (("apiGroups", groups), ("resources", resources)):
        if not found:
            yield Fault((), f"needs `{field}`")


def role_binding(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A RoleBinding refers to a role of either kind."""
    yield from _role_reference(value, ("Role", "ClusterRole"))


def cluster_role_binding(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A ClusterRoleBinding refers to what the whole cluster has."""
    yield from _role_reference(value, ("ClusterRole",))
    for index, entry in enumerate(sequence(value.get("subjects"))):
        subject = mapping(entry)
        if subject.get("kind") == "ServiceAccount" and not subject.get("namespace"):
            yield Fault(("subjects", str(index)), "needs a `namespace`")


def _role_reference(value: Mapping[str, Json], kinds: tuple[str, ...]) -> Iterator[Fault]:
    kind = mapping(value.get("roleRef")).get("kind")
    if isinstance(kind, str) and kind not in kinds:
        listed = ", ".join(f"`{known}`" for known in kinds)
        yield Fault(("roleRef", "kind"), f"must be one of {listed}, not {shown(kind)}")


def subject(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """Who is bound. The group of an account is that of the core; that of users and groups is filled in."""
    name, group, account = value.get("name"), value.get("apiGroup"), value.get("kind") == "ServiceAccount"
    if account and isinstance(name, str) and name and not subdomain(name):
        yield Fault(("name",), f"must be {FORMS['subdomain'].wanted}, not {shown(name)}", codes.BAD_NAME)
    if isinstance(group, str) and group and group != ("" if account else _RBAC):
        yield Fault(("apiGroup",), f"must be `{'' if account else _RBAC}`, not {shown(group)}")


def admission_policy(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A policy of admission says what it is about, and does something."""
    if value.get("matchConstraints") is None:
        yield Fault((), "`matchConstraints` is missing")
    elif not mapping(value.get("matchConstraints")).get("resourceRules"):
        yield Fault(("matchConstraints",), "`resourceRules` is missing")
    for index, validation in enumerate(sequence(value.get("validations"))):
        expression = mapping(validation).get("expression")
        if isinstance(expression, str) and not expression.strip():
            yield Fault(("validations", str(index), "expression"), "must not be empty")
    if not value.get("validations") and not value.get("auditAnnotations"):
        yield Fault((), "needs `validations` or `auditAnnotations`")


def api_service(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """An APIService is called like what it serves."""
    spec, name = mapping(value.get("spec")), mapping(value.get("metadata")).get("name")
    version, group = spec.get("version"), spec.get("group") or ""
    if isinstance(version, str) and isinstance(group, str) and isinstance(name, str) and name != f"{version}.{group}":
        yield Fault(("metadata", "name"), f"must be `{version}.{group}`, the version and the group", codes.BAD_NAME)
    if spec.get("insecureSkipTLSVerify") is True and spec.get("caBundle"):
        yield Fault(("spec", "insecureSkipTLSVerify"), "must not be true beside a `caBundle`")
