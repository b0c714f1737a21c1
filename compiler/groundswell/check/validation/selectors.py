"""Selectors of labels and of nodes, and whether they match.

https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.check.objects import mapping, sequence
from groundswell.check.validation.demands import shown
from groundswell.check.validation.fault import Fault
from groundswell.check.validation.forms import QUALIFIED, VALUE, label_value, qualified
from groundswell.check.validation.metadata import annotation_faults, label_faults
from groundswell.diagnostics.codes import validation as codes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from groundswell.check.validation.fault import Context
    from groundswell.source.located import Json

_LISTED = ("In", "NotIn")
_PLAIN = ("Exists", "DoesNotExist")
_COMPARED = ("Gt", "Lt")


def label_selector(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """The labels that a selector names."""
    yield from label_faults(value.get("matchLabels"), "matchLabels")
    for index, part in enumerate(sequence(value.get("matchExpressions"))):
        yield from (fault.below("matchExpressions", index) for fault in operands(mapping(part)))


def required_node_selector(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """The terms of a selector of nodes, whose values must be ones that a label can have."""
    yield from _terms(sequence(value.get("nodeSelectorTerms")), ("nodeSelectorTerms",), strict=True)


def preferred_node(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """A preference for nodes, where values that no label can have do no harm."""
    yield from _terms([value.get("preference")], ("preference",), strict=False)


def _terms(terms: list[Json], path: tuple[str, ...], *, strict: bool) -> Iterator[Fault]:
    for index, term in enumerate(terms):
        place = (*path, str(index)) if strict else path
        for at, part in enumerate(sequence(mapping(term).get("matchExpressions"))):
            found = mapping(part)
            key = found.get("key")
            if isinstance(key, str) and not qualified(key):
                yield Fault((*place, "matchExpressions", str(at), "key"), _wanted(QUALIFIED, key), codes.BAD_NAME)
            yield from (fault.below(*place, "matchExpressions", at) for fault in operands(found, strict=strict))


def operands(part: Mapping[str, Json], *, strict: bool = True) -> Iterator[Fault]:
    """Whether an operator has the values that it needs."""
    operator, values = part.get("operator"), sequence(part.get("values"))
    if operator in _LISTED and not values:
        yield Fault((), f"needs `values` with the operator `{operator}`")
    elif operator in _PLAIN and values:
        yield Fault(("values",), f"must not be there with the operator `{operator}`")
    elif operator in _COMPARED and len(values) != 1:
        yield Fault((), f"needs one value with the operator `{operator}`")
    for index, value in enumerate(values if strict else ()):
        if isinstance(value, str) and not label_value(value):
            yield Fault(("values", str(index)), _wanted(VALUE, value), codes.BAD_NAME)


def _wanted(form: str, value: str) -> str:
    return f"must be {form}, not {shown(value)}"


def template_metadata(value: Mapping[str, Json], _: Context) -> Iterator[Fault]:
    """The labels and annotations that pods of a template get; a name that stands there is not used."""
    metadata = mapping(value.get("metadata"))
    yield from (fault.below("metadata") for fault in label_faults(metadata.get("labels"), "labels"))
    yield from (fault.below("metadata") for fault in annotation_faults(metadata.get("annotations")))


def matches(selector: Mapping[str, Json], labels: Mapping[str, Json]) -> bool:
    """Whether a selector selects what has these labels. One with an operator that there is not selects anything."""
    plain = all(labels.get(key) == value for key, value in mapping(selector.get("matchLabels")).items())
    return plain and all(_match(mapping(part), labels) for part in sequence(selector.get("matchExpressions")))


def _match(part: Mapping[str, Json], labels: Mapping[str, Json]) -> bool:
    key = str(part.get("key"))
    there, values = key in labels, sequence(part.get("values"))
    return {
        "In": there and labels[key] in values,
        "NotIn": not there or labels[key] not in values,
        "Exists": there,
        "DoesNotExist": not there,
    }.get(str(part.get("operator")), True)
