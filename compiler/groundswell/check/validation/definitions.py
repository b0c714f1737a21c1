"""CustomResourceDefinitions: how what they define is called, beyond the form of each name. `check/schema` has the rest.

https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.objects import mapping
from groundswell.check.validation.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.validation.fault import Context
    from groundswell.source.located import Json

_APPROVED = "api-approved.kubernetes.io"
_PROTECTED = (".k8s.io", ".kubernetes.io")


def definition(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A definition in a group of the Kubernetes project says who approved it, or that nobody did."""
    group = mapping(value.get("spec")).get("group")
    if not isinstance(group, str) or not f".{group}".endswith(_PROTECTED):
        return
    if not mapping(mapping(value.get("metadata")).get("annotations")).get(_APPROVED):
        yield Fault(("metadata",), f"needs the annotation `{_APPROVED}`, since `{group}` is a group of Kubernetes")


def names(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """The names of what is defined: a list of it is of another kind."""
    if value.get("kind") and value.get("kind") == value.get("listKind"):
        yield Fault(("listKind",), "must not be that of `kind`")
