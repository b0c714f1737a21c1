"""A resolved recipe is read back to the very resolution that it was written from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from catalog_kit import codes, resolve_texts, texts
from groundswell.bundle.recipe_file import recipe_yaml
from groundswell.diagnostics.diagnostic import failed
from groundswell.model.resolved import parse_resolved
from groundswell.source.reader import read_one

if TYPE_CHECKING:
    from groundswell.resolve.resolution import Resolution

COMPONENT = """
aliases: [z-alias]
dependencyRefs: [b]
constraints: [{name: K8s.server.version, value: '>= 1.30'}]
crds: crds-dir
ignoreDifferences: [{group: apps, kind: Deployment, jsonPointers: [/spec/replicas], jqPathExpressions: ['.x["y"]']}]
argocdHealth: {example.com_Kind: "return {}"}
nodeCountPaths: [nodes]
talos:
  privileged: true
  nodes: [{on: all, kernelArgs: [a=b], sysctls: {vm.nr_hugepages: '1'}}]
cluster: {cni: none, kubeProxy: true, kubeProxyReplacementPath: 'x.a\\.b'}
"""
CATALOG = texts(
    {
        "base": "componentRefs: [{name: a, overrides: {gone: 1, m: {x: 1, l: [1]}}}, {name: b, enabled: false}]",
        "eks": """
            criteria: {service: eks, accelerator: 100}
            mixins: [mix]
            constraints: [{name: K8s.server.version, value: "< 1.40"}]
            componentRefs:
            - name: a
              version: 1.10.0
              unset: [probe.httpGet]
              manifestFiles: [components/a/manifests/m.yaml]
              preManifestFiles: [components/a/manifests/m.yaml]
              overrides: {gone: null, m: null, "no": "yes", "1.10": 1.5, empty: {}, deep: {"a.b/c": "0644"}}
            """,
    },
    mixins={"mix": "componentRefs: [{name: a, enforce: {held: 1}}]"},
    components={"a": COMPONENT, "b": ""},
    files={
        "components/a/manifests/m.yaml": "a: '{{ .Values.x }}'\n# end\n",
        "components/a/values.yaml": "v: |\n  two\n  lines\n",
    },
)


def written() -> tuple[Resolution, str]:
    options = [
        "--service",
        "eks",
        "--accelerator",
        "100",
        "--nodes",
        "3",
        "--set-json",
        'a:list=[{"k": null}]',
        "--set",
        "a:s=x",
    ]
    resolution, findings = resolve_texts(CATALOG, options)
    assert resolution is not None, findings
    return resolution, recipe_yaml(resolution)


def read(text: str) -> tuple[Resolution | None, list[str]]:
    document, findings = read_one(text.encode(), "recipe.yaml")
    assert document is not None
    assert not failed(findings)
    resolution, found = parse_resolved(document)
    return resolution, codes(found)


def test_it_is_read_back_to_an_equal_resolution_and_written_to_the_same_bytes() -> None:
    resolution, text = written()
    again, found = read(text)
    assert not found
    assert again == resolution
    assert again is not None
    assert recipe_yaml(again) == text


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("kind: ResolvedRecipe", "kind: Recipe", "M105"),
        ("name: resolved", "name: mine", "M104"),
        ("  nodes: 3", "  nodes: three", "M103"),
        ("  mixins:", "  mixin:", "M101"),
        ("privileged: true", "privileged: 1", "M103"),
        ("enabled: false", "enabled: null", "M103"),
        ("crds: crds-dir", "crds: somewhere", "M104"),
        ("name: b\n", "name: a\n", "M208"),
    ],
)
def test_a_file_that_was_changed_by_hand_is_checked(old: str, new: str, code: str) -> None:
    _, text = written()
    assert old in text
    resolution, found = read(text.replace(old, new, 1))
    assert resolution is None
    assert code in found


def test_constraints_keep_the_rules_by_which_they_are_compared() -> None:
    resolution, _ = written()
    foreign = resolution._replace(constraints=tuple(item._replace(aicr=True) for item in resolution.constraints))
    for one in (resolution, foreign):
        document, _ = read_one(recipe_yaml(one).encode(), "recipe.yaml")
        assert document is not None
        found, findings = parse_resolved(document)
        assert found is not None, findings
        assert found.constraints == one.constraints


def test_a_value_that_nobody_wrote_is_told_with_its_place() -> None:
    _, text = written()
    changed, count = re.subn(
        r"writes:\n(?P<at> +)- [^\n]*\n(?:(?P=at) [^\n]*\n|(?P=at)- [^\n]*\n)*", "writes: []\n", text, count=1
    )
    assert count
    resolution, found = read(changed)
    assert resolution is None
    assert found == ["M104"]
