"""Validation: what is wrong stands where it is written, and text stays what its author wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from groundswell.model.authored import ComponentDocument, MixinDocument, RecipeDocument
from groundswell.model.cluster import ClusterDocument  # noqa: F401  its models are among those that are looked at
from groundswell.model.fields import DISK_PATTERN, Authored
from groundswell.model.parse import _FORMS, field_keys, validate
from groundswell.source.reader import read_one

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundswell.source.located import Located

HEAD = "apiVersion: groundswell.dev/v1alpha1\nkind: Recipe\nmetadata: {name: r}\n"
COMPONENT = """\
apiVersion: groundswell.dev/v1alpha1
kind: Component
metadata: {name: c}
spec:
  description: Text
  namespace: c
  helm: {repository: https://charts.example.test, chart: c, version: 1.10}
"""


def located(text: str) -> Located:
    document, _ = read_one(text.encode(), "f.yaml")
    assert document is not None
    return document


def wrong(text: str) -> list[tuple[str, int, int, str, str]]:
    model, findings, _ = validate(RecipeDocument, located(HEAD + text))
    assert (model is None) == bool(findings)
    return [(f.code, f.span.line, f.span.column, f.message, f.help) for f in findings if f.span]


def test_misspelt_keys_are_found_with_what_was_meant() -> None:
    found = wrong(
        "spec:\n"
        "  critera: {service: eks}\n"
        "  componentRefs:\n"
        "  - {name: a, dependencyRef: [b]}\n"
        "  - {name: b, overides: {x: 1}}\n"
    )
    assert sorted(item[:3] for item in found) == [("M101", 5, 3), ("M101", 7, 15), ("M101", 8, 15)]
    assert {item[4] for item in found} == {
        "did you mean `criteria`?",
        "did you mean `dependencyRefs`?",
        "did you mean `overrides`?",
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("spec: {base: [x]}", ("M103", 4, 8, "`spec.base` must be text, not a list")),
        ("spec: {mixins: x}", ("M103", 4, 16, "`spec.mixins` must be a list, not text")),
        ("spec: []", ("M103", 4, 1, "`spec` must be a map, not a list")),
        ("spec: {base: null}", ("M103", 4, 14, "`spec.base` must not be null; leave the key out")),
        ("spec: {criteria: null}", ("M103", 4, 18, "`spec.criteria` must not be null; leave the key out")),
        (
            "spec:\n  componentRefs: [{name: a, version: null}]",
            ("M103", 5, 38, "`spec.componentRefs[0].version` must not be null"),
        ),
        ("spec:\n  componentRefs: [{name: a, enabled: 'yes'}]", ("M103", 5, 38, "must be true or false, not text")),
        ("spec:\n  componentRefs: [{version: '1.0.0'}]", ("M102", 5, 19, "`spec.componentRefs[0].name` is missing")),
        ("spec: {base: Upper}", ("M104", 4, 14, "lower-case")),
        ("spec:\n  componentRefs: [{name: a, version: '>= 1.0'}]", ("M104", 5, 38, "no range")),
        ("spec:\n  componentRefs: [{name: a, version: 1.x || 2}]", ("M104", 5, 38, "no range")),
        ("spec:\n  componentRefs: [{name: a, repository: 'https://x/'}]", ("M104", 5, 41, "a URL")),
        ("spec:\n  componentRefs: [{name: a, repository: 'https://x\"'}]", ("M104", 5, 41, "a URL")),
        ("spec:\n  componentRefs: [{name: a, chart: -x}]", ("M104", 5, 36, "the name of a chart")),
        (
            "spec:\n  componentRefs: [{name: a, valuesFiles: [../x.yaml]}]",
            ("M104", 5, 43, "must be a path inside the catalog"),
        ),
        (
            "spec:\n  componentRefs: [{name: a, valuesFiles: [/x.yaml]}]",
            ("M104", 5, 43, "must be a path inside the catalog"),
        ),
        ("spec:\n  criteria: {service: EKS}", ("M104", 5, 23, "lower-case")),
        (f"spec: {{base: {'n' * 54}}}", ("M104", 4, 14, "at most 53 characters (a Helm release's limit), has 54")),
    ],
)
def test_each_fault_has_its_place_and_says_what_is_expected(text: str, expected: tuple[str, int, int, str]) -> None:
    (found,) = wrong(text)
    assert found[:3] == expected[:3]
    assert expected[3] in found[3]


def test_kind_and_version_of_the_format_are_checked() -> None:
    text = "apiVersion: groundswell.dev/v1\nkind: Mixin\nmetadata: {name: r}\nspec: {}\n"
    _, findings, _ = validate(RecipeDocument, located(text))
    assert [(f.code, f.span and f.span.line) for f in findings] == [("M105", 1), ("M105", 2)]


def test_text_fields_keep_the_text_that_was_written() -> None:
    text = HEAD + "spec:\n  criteria: {accelerator: 100, service: 1e3}\n"
    text += "  componentRefs: [{name: 007x, version: 1.10.0, namespace: 42}]\n"
    model, findings, kept = validate(RecipeDocument, located(text))
    assert not findings
    assert model is not None
    assert model.spec.criteria is not None
    assert (model.spec.criteria.accelerator, model.spec.criteria.service) == ("100", "1e3")
    (ref,) = model.spec.component_refs
    assert (ref.name, ref.version, ref.namespace) == ("007x", "1.10.0", "42")
    assert {span.line for span in kept} == {5, 6}


def test_values_keep_their_types_and_nulls() -> None:
    text = HEAD + "spec:\n  componentRefs: [{name: a, overrides: {x: 1.5, q: null, l: [null], t: true}}]\n"
    model, findings, _ = validate(RecipeDocument, located(text))
    assert not findings
    assert model is not None
    assert model.spec.component_refs[0].overrides == {"x": 1.5, "q": None, "l": [None], "t": True}


def test_fields_of_the_model_are_not_their_names_in_python() -> None:
    assert wrong("spec: {component_refs: []}")[0][0] == "M101"


def test_create_and_enforce_belong_to_mixins() -> None:
    ref = "spec: {componentRefs: [{name: a, create: true, enforce: {x: 1}}]}\n"
    assert [item[0] for item in wrong(ref)] == ["M101", "M101"]
    model, _, _ = validate(MixinDocument, located(HEAD.replace("Recipe", "Mixin") + ref))
    assert model is not None


def test_keys_of_fields_are_found_at_any_depth_but_not_inside_values() -> None:
    document = located(COMPONENT + "  talos:\n    nodes:\n    - on: all\n      sysctls: {on: '1'}\n")
    lines = {(span.line, span.column) for span in field_keys(ComponentDocument, document)}
    assert {(1, 1), (4, 1), (8, 3), (9, 5), (10, 7), (11, 7)} <= lines
    assert (11, 17) not in lines


def test_a_document_that_is_no_map_is_refused() -> None:
    model, findings, _ = validate(RecipeDocument, located("- a\n"))
    assert model is None
    assert [finding.code for finding in findings] == ["M103"]


def test_every_pattern_that_a_field_can_fail_is_told_in_words() -> None:
    patterns = {found for model in _models(Authored) for found in _patterns(model)}
    assert DISK_PATTERN in patterns
    assert not {pattern for pattern in patterns if pattern not in _FORMS}


def _models(base: type[Authored]) -> Iterator[type[Authored]]:
    for model in base.__subclasses__():
        yield model
        yield from _models(model)


def _patterns(model: type[Authored]) -> Iterator[str]:
    """The patterns that pydantic holds texts of a model against."""
    model.model_rebuild()
    pending: list[Any] = [model.__pydantic_core_schema__]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            if part.get("type") == "str" and "pattern" in part:
                yield part["pattern"]
            pending += part.values()
        elif isinstance(part, list | tuple):
            pending += part
