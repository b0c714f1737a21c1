"""Errors of resolving and of planning come in one run, and none that is but the consequence of another."""

from __future__ import annotations

import pytest

from catalog_kit import codes, findings_in, sound, texts

COMPONENTS = {
    "a": "",
    "b": "",
    "c": "",
    "gone": "",
    "needy": "requiredValues: [{path: m.x, what: the x}]\nstorageClassPaths: [m.x]",
    "young": "constraints: [{name: K8s.server.version, value: '>= 1.35'}]",
}
OLD = "constraints: [{name: K8s.server.version, value: '< 1.30'}]"
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
    "a type": ("{name: a, overrides: {x: {}}}", "{name: a, overrides: {x: 2}}", "R203"),
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
    "one that a rival takes out by another name": (
        CYCLE,
        "{name: a, without: {dependencyRefs: [nothing]}}",
        "{name: a, dependencyRefs: [gone]}",
    ),
    "a required value of a component that may be there": (
        "componentRefs: [{name: a}, {name: needy}]",
        "{name: needy, enabled: true}",
        "{name: needy, enabled: false}",
    ),
    "a constraint of a component that may be there": (
        f"componentRefs: [{{name: a}}, {{name: young}}]\n{OLD}",
        "{name: young, enabled: true}",
        "{name: young, enabled: false}",
    ),
    "a required value below what is of another type": (
        "componentRefs: [{name: a}, {name: needy, overrides: {m: {z: 1}}}]",
        "{name: needy, overrides: {x: 1, m: 1}}",
        "",
    ),
    "the type and the rank of what a third one says": (
        "componentRefs: [{name: a, overrides: {m: {x: 1}}}]",
        "{name: a, overrides: {m: 1}}",
        "{name: a, overrides: {m: {x: 2}}}",
    ),
}


@pytest.mark.parametrize("case", CONSEQUENCES)
def test_a_consequence_is_not_told_whatever_the_names(case: str) -> None:
    base, one, other = CONSEQUENCES[case]
    for first, second in ((one, other), (other, one)):
        found = said(base, one=refs(first) if first else "", other=refs(second) if second else "")
        assert len(found) == 1
        assert found[0] in {"R201", "R203", "R206"}


CONTRADICTED = "componentRefs: [{name: a}, {name: needy}, {name: young}]\n" + OLD


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("", ["R208", "R306"]),
        ("--without neeedy", ["R301", "R208"]),
        ("--without yung", ["R301", "R306"]),
        ("--without elsewhere", ["R301", "R208", "R306"]),
        ("--set neddy:m.x=1", ["R301", "R208"]),
        ("--set neddy:other=1", ["R301", "R208", "R306"]),
        ("--set a:m.x", ["R303", "R208", "R306"]),
        ("--set needy:m.x", ["R303", "R208"]),
        ("--set needy:m[0=1", ["R303", "R208"]),
        ("--set needy.m.x=1", ["R303", "R208"]),
        ("--set-json needy:m={", ["R303", "R208"]),
        ("--storage-class ''", ["R303", "R208"]),
        ("--system-node-selector =", ["R303", "R208", "R306"]),
        ("--set elsewhere:m.x=1", ["R301", "R208"]),
        ("--set gone:m.x=1", ["R301", "R208", "R306"]),
    ],
)
def test_a_wrong_option_only_hides_what_it_may_have_been_meant_for(options: str, told: list[str]) -> None:
    assert sorted(said(CONTRADICTED, options)) == sorted(told)


@pytest.mark.parametrize(("one", "other"), [("true", "false"), ("false", "true")])
def test_options_take_a_component_in_dispute_for_one_that_is_there(one: str, other: str) -> None:
    first, second = (refs(f"{{name: b, enabled: {enabled}}}") for enabled in (one, other))
    assert said(REFS, "--set b:x=1", one=first, other=second) == ["R203"]
    assert said(REFS, "--without b", one=first, other=second) == []
    assert said(REFS, "--without b --set b:x=1", one=first, other=second) == ["R301"]


@pytest.mark.parametrize("taken", ["bb", "elsewhere"])
def test_what_cannot_have_been_meant_by_an_entry_to_take_out_is_told(taken: str) -> None:
    out = f"{{name: a, without: {{dependencyRefs: [{taken}]}}}}"
    components = {"a": "dependencyRefs: [b]"}
    above = refs("{name: a, dependencyRefs: [gone]}")
    assert said(refs(out, "{name: b}", "{name: c}"), one=above, components=components) == ["R206", "P101"]
    near = "componentRefs: [{name: a, dependencyRefs: [b, gone]}, {name: b}, {name: c}]"
    assert said(near, one=refs(out)) == (["R206", "P101"] if taken == "bb" else ["R206"])


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
