"""Rules on kinds and their definitions: served versions, kinds that nothing defines, what schemas leave open."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from groundswell.check.alone import shapes_of
from groundswell.check.chart_facts import Facts
from groundswell.check.rule import judge
from groundswell.check.rules import RULES
from groundswell.check.schema import kubernetes
from groundswell.check.schema.kubernetes import builtin
from groundswell.check.schema_limits import limits
from groundswell.check.target import Target
from unit.check.kit import crd, found_by, messages, rendering, resource, written

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CONFIG = written("v1", "ConfigMap", "c", "data: {}")


def test_a_version_that_the_definition_in_the_bundle_does_not_serve_is_told() -> None:
    newer = resource().replace("test.dev/v1", "test.dev/v2")
    (found,) = found_by("api-versions", rendering({"a": crd(), "b": newer}))
    assert found.diagnostic.message == (
        "`Widget b/one` is written in `test.dev/v2`, which its definition `widgets.test.dev` does not serve"
    )
    assert found.diagnostic.help == "write `test.dev/v1`"
    assert not messages("api-versions", rendering({"a": crd(), "b": resource()}))
    unserved = crd().replace("served: true", "served: false")
    assert [
        found.diagnostic.help for found in found_by("api-versions", rendering({"a": unserved, "b": resource()}))
    ] == [""]


def test_a_kind_counts_as_undefined_only_when_every_folder_was_looked_at() -> None:
    sample = rendering({"a": crd(), "b": resource()})
    assert not messages("undefined-kinds", sample)
    alone = replace(sample, folders={name: item for name, item in sample.folders.items() if name.endswith("b")})
    assert not messages("undefined-kinds", alone)
    assert messages("undefined-kinds", rendering({"b": resource()}))


@pytest.mark.parametrize(("line", "lacks"), [("kind: ConfigMap", "apiVersion"), ("apiVersion: v1", "kind")])
def test_an_object_that_does_not_say_what_it_is_gets_one_finding(line: str, lacks: str) -> None:
    sample = rendering({"a": f"---\n{line}\nmetadata: {{name: x}}\n"})
    title = "ConfigMap a/x" if lacks == "apiVersion" else "object a/x"
    (found,) = judge(sample, RULES)
    assert found.diagnostic.message == f"`001-a` has an object without `{lacks}`: `{title}`"


def test_a_folder_without_objects_is_told() -> None:
    assert messages("empty-folders", rendering({"a": "# nothing\n", "b": CONFIG})) == [
        "K207 helm renders `001-a` to no object at all"
    ]
    for api, unnamed, told in (("a.dev/v1", False, 0), ("networking.k8s.io/v1", False, 1), ("apps/v1", True, 0)):
        facts = {"a": Facts(asks=True, apis=((api, "templates/a.yaml"),), asks_unnamed=unnamed)}
        assert len(messages("empty-folders", rendering({"a": "# nothing\n"}, facts=facts))) == told


def test_a_definition_is_held_against_what_the_api_server_asks_of_one() -> None:
    (name,) = messages("schemas", rendering({"a": crd().replace("widgets.test.dev", "widget.test.dev")}))
    assert "`metadata.name` must be `widgets.test.dev`, the plural and the group of what it defines" in name
    (schema,) = messages("schemas", rendering({"a": crd(schema="type: object, properties: {spec: {}}")}))
    assert "`spec.versions[0].schema.openAPIV3Schema.properties.spec` has no `type`" in schema


SPEC = "type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}"


def test_what_only_server_side_apply_refuses_depends_on_the_deployers() -> None:
    def found(spec: str, *deployers: str) -> list[tuple[str, str, str]]:
        sample = replace(rendering({"a": crd(schema=SPEC), "b": resource(spec=spec)}), deployers=deployers)
        listed = [item.diagnostic for item in found_by("schemas", sample)]
        return [(str(item.code), item.severity.value, item.help) for item in listed]

    refused = "Argo CD cannot apply the object, since it does so on the server's side"
    assert found("{size: null}", "argocd") == [("K201", "error", refused)]
    assert found("{size: null}", "argocd", "helm") == [
        ("K201", "error", f"{refused}; with Helm the API server drops the null")
    ]
    assert found("{size: null}", "helm") == []
    assert found("{sise: 1}", "argocd") == [("K202", "error", refused)]
    assert found("{sise: 1}", "helm") == [("K202", "warning", "the API server drops the field")]
    assert found("{size: x}", "helm") == [("K201", "error", "")]


RULED = SPEC.replace("type: integer", "type: integer, x-kubernetes-validations: [{rule: 'self > 1'}]")


def test_rules_in_cel_are_counted_for_nobody_evaluates_them() -> None:
    sample = rendering({"a": crd(schema=RULED) + crd("Gadget"), "b": resource(spec="{size: 0}") + resource("Gadget")})
    assert limits(sample).rules == "whether one object keeps the rules in CEL of its definition"
    two = rendering({"a": crd(schema=RULED), "b": resource(name="x") + resource(name="y")})
    assert limits(two).rules == "whether 2 objects of one kind keep the rules in CEL of their definitions"
    assert limits(rendering({"a": crd(schema=RULED)})).rules == ""


@pytest.fixture
def folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[dict[int, Path]]:
    """The versions that there are schemas of, with none in the beginning."""
    found: dict[int, Path] = {}
    (tmp_path / "_definitions.json").write_text('{"$defs": {}}')
    monkeypatch.setattr(kubernetes, "_folders", lambda: found)
    builtin.cache_clear()
    shapes_of.cache_clear()
    yield found
    builtin.cache_clear()
    shapes_of.cache_clear()


NOT_HELD = "objects of built-in kinds were not held against schemas"


@pytest.mark.parametrize(
    ("there", "minor", "summary", "message"),
    [
        ((), 35, "not judged", f"{NOT_HELD}: there are none here"),
        (
            (33, 35),
            30,
            "not judged",
            f"{NOT_HELD}: there are none of 1.30 here, only of 1.33 and later",
        ),
        (
            (33, 35),
            99,
            "of 1.35",
            "objects were held against the schemas of Kubernetes 1.35: there are none of 1.99 here",
        ),
        ((33, 35), 35, "", ""),
    ],
)
def test_schemas_of_another_version_or_none_are_told(
    there: tuple[int, ...], minor: int, summary: str, message: str, *, folders: dict[int, Path], tmp_path: Path
) -> None:
    folders.update(dict.fromkeys(there, tmp_path))
    found = limits(rendering({"a": CONFIG}, target=Target(f"1.{minor}.0", "")))
    assert found.schemas == summary
    assert [finding.message for finding in found.findings] == ([message] if message else [])
