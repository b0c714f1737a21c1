"""Each value knows the layers that set it, oldest to winner, with file, line and reason."""

from __future__ import annotations

from catalog_kit import resolve_texts, resolved, texts

CATALOG = texts(
    {
        "base": "componentRefs: [{name: a, overrides: {m: {x: base, gone: 1}, l: [1]}}]",
        "eks": """
            criteria: {service: eks}
            mixins: [mix]
            componentRefs:
            - name: a
              valuesFiles: [components/a/values-eks.yaml]
              overrides:
                m: {gone: null}
            """,
    },
    mixins={"mix": "componentRefs: [{name: a, overrides: {z: mix}, enforce: {e: 1}, unset: [u]}]"},
    components={"a": "storageClassPaths: [sc]"},
    files={"components/a/values.yaml": "m:\n  x: default\n", "components/a/values-eks.yaml": "m: {x: eks}\n"},
)


def test_origins_go_from_the_oldest_to_the_winner() -> None:
    component = resolved(CATALOG, "--service eks --set a:m.x=set --storage-class fast")["a"]
    assert [(o.layer, o.file, o.line, o.value, o.reason) for o in component.origins["m", "x"]] == [
        ("component a", "catalog/components/a/values.yaml", 2, "default", "it is the component's default"),
        ("recipe base", "catalog/recipes/base.yaml", 5, "base", "it is a base of eks"),
        ("recipe eks", "catalog/components/a/values-eks.yaml", 1, "eks", "the query says service eks"),
        ("--set a:m.x", "", 0, "set", "it was given on the command line"),
    ]
    assert component.origins["sc",][-1].layer == "--storage-class"
    assert component.origins["e",][-1].layer == "mixin mix"
    assert [o.action for o in component.origins["u",]] == ["unset"]
    assert [o.action for o in component.origins["m", "gone"]] == ["set", "delete"]


def test_a_path_that_a_value_above_covers_has_no_origins_of_its_own() -> None:
    catalog = texts(
        {
            "base": "componentRefs: [{name: a, overrides: {m: {x: 1}}}]",
            "eks": "criteria: {service: eks}\ncomponentRefs: [{name: a, overrides: {m: 5}, replace: [m]}]",
        },
        components={"a": ""},
    )
    assert resolved(catalog, "--service eks")["a"].origins.keys() == {("m",)}


def test_entries_of_lists_that_unite_know_who_added_them() -> None:
    catalog = texts(
        {"base": "componentRefs: [{name: a, dependencyRefs: [b]}, {name: b}]", "eks": "criteria: {service: eks}"},
        components={"a": "", "b": ""},
    )
    (origin,) = resolved(catalog, "--service eks")["a"].field_origins["dependencyRefs.b"]
    assert (origin.layer, origin.line, origin.action, origin.value) == ("recipe base", 5, "add", "b")


def test_the_resolution_tells_what_applied_and_from_which_catalog() -> None:
    resolution, _ = resolve_texts(CATALOG, "--service eks --nodes 4")
    assert resolution is not None
    assert (resolution.criteria, resolution.nodes, resolution.applied, resolution.mixins) == (
        {"service": "eks"},
        4,
        ("base", "eks"),
        ("mix",),
    )
    assert len(resolution.catalog_digest) == 64
