"""Errors of resolving and of planning come in one run, and none that is but the consequence of another."""

from __future__ import annotations

import pytest

from catalog_kit import codes, findings_in, sound, texts

COMPONENTS = {"a": "", "b": "", "c": "", "gone": ""}
CYCLE = "componentRefs: [{name: a, dependencyRefs: [b]}, {name: b, dependencyRefs: [a]}, {name: c}]"
MISSING = "componentRefs: [{name: a, dependencyRefs: [gone]}, {name: b}, {name: c}]"
NETWORK = {"a": "cluster: {cni: none, kubeProxy: false, kubeProxyReplacementPath: replaces}"}
REFS = "componentRefs: [{name: a}, {name: b}, {name: c}]"


def said(
    base: str, options: str = "", *, one: str = "", other: str = "", components: dict[str, str] | None = None
) -> list[str]:
    """The codes about a query to which two recipes of one rank say `one` and `other`."""
    recipes = {
        "base": base,
        "eks": f"criteria: {{service: eks}}\n{one}",
        "talos": f"criteria: {{os: talos}}\n{other}",
    }
    catalog = sound(texts(recipes, components=COMPONENTS | (components or {})))
    return codes(findings_in(catalog, f"--service eks --os talos {options}"))


def refs(*items: str) -> str:
    return f"componentRefs: [{', '.join(items)}]"


def constraint(value: str) -> str:
    return f'constraints: [{{name: K8s.server.version, value: "{value}"}}]'


TIES = {
    "a value": ("{name: a, overrides: {x: 1}}", "{name: a, overrides: {x: 2}}", "R203"),
    "a version": ("{name: a, version: 1.0.0}", "{name: a, version: 2.0.0}", "R203"),
    "a type": ("{name: a, overrides: {x: {}}}", "{name: a, overrides: {x: 2}}", "R201"),
    "a manifest": (
        "{name: a, without: {manifestFiles: [components/a/manifests/x.yaml]}}",
        "{name: b, overrides: {x: 1}}",
        "R206",
    ),
}


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize(("base", "code"), [(CYCLE, "P102"), (MISSING, "P101")])
def test_what_says_nothing_on_the_order_does_not_hide_what_is_wrong_with_it(base: str, code: str, tie: str) -> None:
    one, other, wrong = TIES[tie]
    found = said(base, one=refs(one), other=refs(other))
    assert found[-1] == code
    assert set(found[:-1]) >= {wrong}
    assert all(item.startswith("R") for item in found[:-1])


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ("--set a:x", "R303"),
        ("--set a:x=1 --set a:x=2", "R302"),
        ("--set nothing:x=1", "R301"),
        ("--set a:x=null", "R304"),
        ("--without nothing", "R301"),
        ("--system-node-selector =", "R303"),
        ("--storage-class ''", "R303"),
    ],
)
def test_wrong_options_do_not_hide_what_is_wrong_with_the_plan(options: str, wrong: str) -> None:
    assert said(CYCLE, options) == [wrong, "P102"]
    assert said(MISSING, options) == [wrong, "P101"]


def test_neither_do_constraints_and_values_that_nobody_stated() -> None:
    assert said(CYCLE, one=constraint("< 1.30"), other=constraint(">= 1.31")) == ["R208", "P102"]
    assert said(CYCLE, components={"c": "requiredValues: [{path: x, what: the x}]"}) == ["R306", "P102"]


CONSEQUENCES = {
    "a dependency that may be there": (
        "componentRefs: [{name: a, dependencyRefs: [b]}, {name: b}, {name: c}]",
        "{name: b, enabled: true}",
        "{name: b, enabled: false}",
    ),
    "a cycle through it": (CYCLE, "{name: b, enabled: true}", "{name: b, enabled: false}"),
    "a dependency that one takes out": (
        CYCLE,
        "{name: b, without: {dependencyRefs: [a]}}",
        "{name: b, dependencyRefs: [a]}",
    ),
    "a dependency that was to be taken out": (CYCLE, "{name: b, without: {dependencyRefs: [aa]}}", ""),
    "a missing one that was to be taken out": (MISSING, "{name: a, without: {dependencyRefs: [gome]}}", ""),
}


@pytest.mark.parametrize("case", CONSEQUENCES)
def test_a_consequence_is_not_told(case: str) -> None:
    base, one, other = CONSEQUENCES[case]
    found = said(base, one=refs(one), other=refs(other) if other else "")
    assert found
    assert all(code.startswith("R") for code in found)


def test_a_component_that_was_to_be_left_out_has_no_consequences() -> None:
    known = {"cert-manager": "aliases: [certs]"}
    base = refs("{name: cert-manager, dependencyRefs: [b]}", "{name: b, dependencyRefs: [cert-manager]}")
    assert said(base, components=known) == ["P102"]
    for typo in ("cert-manger", "cerst"):
        assert said(base, f"--without {typo}", components=known) == ["R301"]
    assert said(base, "--without certs", components=known) == []
    base = refs("{name: cert-manager, dependencyRefs: [gone]}")
    assert said(base, "--without cert-manger", components=known) == ["R301"]


def test_a_namespace_in_dispute_implies_no_order() -> None:
    """`b` installs into the namespace of `a`, which waits for `b`: a cycle, unless `b` goes elsewhere."""
    path = "components/a/manifests/n.yaml"
    files = {path: "apiVersion: v1\nkind: Namespace\nmetadata: {name: home}\n"}
    one, other = (f"criteria: {{{key}}}\n{refs(f'{{name: b, namespace: {to}}}')}" for key, to in PAIRS)
    recipes = {
        "base": f"componentRefs: [{{name: a, dependencyRefs: [b], preManifestFiles: [{path}]}}, {{name: b}}]",
        "eks": one,
        "talos": other,
    }
    disputed = sound(texts(recipes, components={"a": "", "b": ""}, files=files))
    assert codes(findings_in(disputed, "--service eks --os talos")) == ["R203"]
    assert codes(findings_in(disputed, "--os talos")) == ["P102"]


PAIRS = (("service: eks", "elsewhere"), ("os: talos", "home"))


def test_values_in_dispute_say_nothing_on_the_network() -> None:
    stated = (refs("{name: a, overrides: {replaces: true}}"), refs("{name: a, overrides: {replaces: false}}"))
    assert said(REFS, one=stated[0], components=NETWORK) == []
    assert said(REFS, one=stated[1], components=NETWORK) == ["P107"]
    assert said(REFS, one=stated[0], other=stated[1], components=NETWORK) == ["R203"]
    assert said(REFS, "--set a:replaces", one=stated[1], components=NETWORK) == ["R303"]
    assert said(REFS, "--set aa:replaces=true", components=NETWORK) == ["R301"]
    asked = constraint("< 1.30"), constraint(">= 1.31")
    assert said(REFS, one=f"{stated[1]}\n{asked[0]}", other=asked[1], components=NETWORK) == ["R208", "P107"]


def test_a_plan_of_which_everything_is_in_doubt_is_not_called_empty() -> None:
    one, other = refs("{name: a, enabled: true}"), refs("{name: a, enabled: false}")
    assert said(refs("{name: a}"), one=one, other=other) == ["R203"]
    assert said(refs("{name: a}"), "--without a --set-string x") == ["R303", "P105"]


def test_a_query_in_doubt_has_no_plan() -> None:
    assert said(CYCLE, "--intent training") == ["R102"]
