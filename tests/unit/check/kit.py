"""Rendered folders for tests, from the text that helm would print."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING, Any

import plan_factory
from groundswell.check.alone import alone
from groundswell.check.chart_facts import Facts
from groundswell.check.objects import objects_of
from groundswell.check.rendering import RenderedFolder, Rendering, scoped
from groundswell.check.rules import RULES
from groundswell.check.target import Target
from groundswell.deploy.folders import build_folders
from groundswell.deploy.helm.table import rows
from groundswell.diagnostics.diagnostic import failed
from groundswell.model.cluster_document import read_cluster

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundswell.check.rule import Found
    from groundswell.talos.cluster import Cluster

TARGET = Target("1.32.0", "for the test")


def rendering(
    texts: Mapping[str, str],
    *,
    waits: Mapping[str, tuple[str, ...]] | None = None,
    again: Mapping[str, str] | None = None,
    facts: Mapping[str, Facts] | None = None,
    criteria: Mapping[str, str] | None = None,
    target: Target = TARGET,
    cluster: str | None = None,
    **fields: Any,
) -> Rendering:
    """A rendering of components that have a chart each, in a namespace of its own; `texts` by release.

    A release that ends in `-pre` or `-post` belongs to the component before the suffix. `waits` are the dependencies,
    `again` the second renderings, `cluster` the text of a Cluster file, `fields` those of every component.
    """
    names = dict.fromkeys(release.removesuffix("-pre").removesuffix("-post") for release in texts)
    sample = (plan_factory.manifest("kind: ConfigMap\n"),)
    components = [
        plan_factory.component(
            name,
            dependencies=(waits or {}).get(name, ()),
            pre_manifests=sample if f"{name}-pre" in texts else (),
            manifests=sample if f"{name}-post" in texts else (),
            **fields,
        )
        for name in names
    ]
    plan = plan_factory.plan(*components, criteria=criteria)
    folders, _ = build_folders(plan)
    lines, _ = rows(plan, folders)
    found = {}
    for row in lines:
        folder = folders[row.folder].folder
        if row.release in texts:
            text = dedent(texts[row.release])
            objects, problems = objects_of(text.encode(), row.folder, row.namespace)
            assert not problems
            second = dedent((again or {}).get(row.release, text)).encode()
            found[row.folder] = RenderedFolder(
                folder,
                row,
                plan.components[row.component],
                None,
                (facts or {}).get(row.release, Facts()),
                (),
                text.encode(),
                objects,
                alone(objects, target.minor, own=True),
                (objects, objects_of(second, row.folder, row.namespace)[0]),
            )
    return Rendering(plan, target, scoped(found), described(cluster) if cluster else None)


def described(text: str) -> Cluster:
    """The cluster of a Cluster file's text, which must have no errors."""
    found, findings = read_cluster(text.encode(), "lab.yaml")
    assert found is not None
    assert not failed(findings), findings
    return found


def found_by(name: str, sample: Rendering) -> list[Found]:
    """What one rule finds."""
    rule = next(rule for rule in RULES if rule.name == name)
    return list(rule.judge(sample))


def messages(name: str, sample: Rendering) -> list[str]:
    """The findings of one rule as `CODE message`."""
    return [f"{item.diagnostic.code} {item.diagnostic.message}" for item in found_by(name, sample)]


def crd(kind: str = "Widget", group: str = "test.dev", schema: str = "type: object", scope: str = "Namespaced") -> str:
    """The text of a definition; `schema` is that of the whole resource, in one line of JSON or YAML flow style."""
    plural = f"{kind.lower()}s"
    return dedent(f"""\
        ---
        # Source: sample/crds/{plural}.yaml
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {{name: {plural}.{group}}}
        spec:
          group: {group}
          scope: {scope}
          names: {{kind: {kind}, plural: {plural}}}
          versions: [{{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{{schema}}}}}}}]
        """)


def resource(kind: str = "Widget", name: str = "one", spec: str = "{}", group: str = "test.dev", more: str = "") -> str:
    """The text of a custom resource; `more` adds to its metadata."""
    return f"---\napiVersion: {group}/v1\nkind: {kind}\nmetadata: {{name: {name}{more}}}\nspec: {spec}\n"


def written(version: str, kind: str, name: str, rest: str = "") -> str:
    """The text of an object; `rest` are its other fields in one line of flow style: `spec: {}`."""
    return f"---\napiVersion: {version}\nkind: {kind}\nmetadata: {{name: {name}}}\n{rest}\n"
