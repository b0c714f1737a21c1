"""Fields, values, the three regimes of null, unions and replacements, disabled components."""

from __future__ import annotations

import pytest

from aicr_kit import BASE, component, load_aicr_texts, refused, resolution, texts, values
from catalog_kit import resolve_in
from groundswell.resolve.resolution import Chart

OWN = "components/app/values.yaml"
OTHER = "components/app/values-other.yaml"


def test_the_registry_fills_what_nobody_states() -> None:
    app = component(texts({"eks": "criteria: {service: eks}"}))
    assert app.chart == Chart("https://charts.example.test/stable", "the-app", "1.10.0")
    assert (app.namespace, app.description) == ("apps", "The app")


def test_the_last_stated_field_wins_and_empty_ones_state_nothing() -> None:
    overlays = {
        "eks": "criteria: {service: eks}\ncomponentRefs:\n"
        "  - {name: app, version: 2.00, namespace: other, source: 'https://mirror.example.test/'}",
        "eks-training": "base: eks\ncriteria: {service: eks, intent: training}\ncomponentRefs:\n"
        "  - {name: app, version: '', namespace: null, chart: renamed}",
    }
    app = component(texts(overlays), "--service eks --intent training")
    assert app.chart == Chart("https://mirror.example.test", "renamed", "2.00")
    assert app.namespace == "other"


def test_values_are_own_file_then_the_last_named_file_then_overrides() -> None:
    files = {
        OWN: "a: 1\nb: 1\nc: 1\nd: [1, 2]\n",
        "components/app/v1.yaml": "b: 2\nx: 2\n",
        "components/app/v2.yaml": "c: 3\nd: [3]\n",
    }
    found = values(
        "valuesFile: components/app/v1.yaml", "valuesFile: components/app/v2.yaml\noverrides: {a: 4}", files=files
    )
    assert found == {"a": 4, "b": 1, "c": 3, "d": [3]}


def test_without_a_values_file_the_own_one_is_not_read() -> None:
    assert values("overrides: {a: 1}", files={OWN: "b: 2\n"}) == {"a": 1}
    assert values("version: 1.11", files={OWN: "b: 2\n"}) == {}


def test_a_broken_own_file_that_nobody_needs_is_not_read_at_all() -> None:
    assert values("overrides: {a: 1}", files={OWN: "- no map\n"}) == {"a": 1}


def test_an_own_file_may_be_missing_below_another() -> None:
    assert values(f"valuesFile: {OTHER}", files={OTHER: "a: 1\n"}) == {"a": 1}


def test_maps_recurse_and_all_else_is_replaced_whatever_its_type() -> None:
    files = {OWN: "m: {a: 1, b: {c: 1}}\ns: 1\nl: [1, 2]\nt: {x: 1}\n"}
    found = values(f"valuesFile: {OWN}\noverrides: {{m: {{b: {{d: 2}}}}, s: {{z: 1}}, l: [3], t: 5}}", files=files)
    assert found == {"m": {"a": 1, "b": {"c": 1, "d": 2}}, "s": {"z": 1}, "l": [3], "t": 5}


def test_a_null_in_the_own_file_is_a_value() -> None:
    files = {OWN: "top: null\nsecurity: {user: null, group: 1}\n"}
    assert values(f"valuesFile: {OWN}", files=files) == {"top": None, "security": {"user": None, "group": 1}}


def test_a_null_of_another_file_deletes_what_the_own_one_says() -> None:
    files = {
        OWN: "top: 1\nm: {a: 1, b: 1}\n",
        OTHER: "top: null\nm: {a: null, absent: null}\nnew: {x: null}\ngone: null\n",
    }
    assert values(f"valuesFile: {OTHER}", files=files) == {"m": {"b": 1}, "new": {"x": None}}


def test_a_null_among_overrides_deletes_where_a_map_is_and_else_removes_a_default_of_the_chart() -> None:
    files = {OWN: "storage: {emptyDir: {size: 1}, kept: 1}\nscalar: 1\n"}
    null = "overrides: {storage: {emptyDir: null}, affinity: {node: null}, scalar: {x: null}, nothing: null}"
    assert values(f"valuesFile: {OWN}\n{null}", files=files) == {
        "storage": {"kept": 1},
        "affinity": {"node": None},
        "scalar": {"x": None},
    }


def test_between_overrides_a_null_is_a_value_like_any_other() -> None:
    files = {OWN: "m: {kept: 1}\nq: {kept: 1}\n"}
    lower = f"valuesFile: {OWN}\noverrides: {{m: null, q: {{a: 1}}, o: {{a: 1}}}}"
    upper = "overrides: {m: {b: 2}, q: null, o: {a: null}}"
    assert values(lower, upper, files=files) == {"m": {"kept": 1, "b": 2}, "o": {"a": None}}


def test_origins_name_every_layer_that_set_a_value() -> None:
    files = {OWN: "a: 1\nb: 1\n", OTHER: "a: 2\n"}
    overlays = {
        "eks": "criteria: {service: eks}\n"
        f"componentRefs: [{{name: app, valuesFile: {OTHER}, overrides: {{a: 3, b: null}}}}]",
        "eks-training": "base: eks\ncriteria: {service: eks, intent: training}\n"
        "componentRefs: [{name: app, overrides: {a: 4, c: {d: null}}}]",
    }
    app = component(texts(overlays, files=files), "--service eks --intent training")
    told = {
        ".".join(path): [(item.layer, item.file, item.line, item.action) for item in found]
        for path, found in app.origins.items()
    }
    eks, training = (
        ("recipe eks", "catalog/overlays/eks.yaml"),
        ("recipe eks-training", "catalog/overlays/eks-training.yaml"),
    )
    assert told == {
        "a": [
            ("component app", f"catalog/{OWN}", 1, "set"),
            ("recipe eks", f"catalog/{OTHER}", 1, "set"),
            (*eks, 6, "set"),
            (*training, 7, "set"),
        ],
        "b": [("component app", f"catalog/{OWN}", 2, "set"), (*eks, 6, "delete")],
        "c.d": [(*training, 7, "unset")],
    }
    assert app.origins["a",][0].reason == "its values.yaml lies below every values file"


def test_dependencies_and_manifests_unite_in_order() -> None:
    files = {f"components/app/manifests/{name}.yaml": "# nothing\n" for name in "abc"}
    path = "components/app/manifests"
    base = (
        f"componentRefs: [{{name: lib}}, {{name: app, dependencyRefs: [lib], manifestFiles: [{path}/b.yaml]}}, "
        f"{{name: plain, manifestFiles: [{path}/a.yaml]}}]"
    )
    overlays = {
        "eks": f"criteria: {{service: eks}}\ncomponentRefs: [{{name: app, dependencyRefs: [plain, lib], "
        f"manifestFiles: [{path}/a.yaml, {path}/b.yaml], preManifestFiles: [{path}/c.yaml]}}]"
    }
    app = component(texts(overlays, base=base, files=files))
    assert app.dependencies == ("lib", "plain")
    assert [item.name for item in app.manifests] == ["b.yaml", "a.yaml"]
    assert [item.name for item in app.pre_manifests] == ["c.yaml"]


@pytest.mark.parametrize(("stated", "enabled"), [("false", False), ("true", True), ("'false'", True), ("null", True)])
def test_only_a_plain_false_disables(stated: str, enabled: bool) -> None:
    spec = f"criteria: {{service: eks}}\ncomponentRefs: [{{name: app, overrides: {{enabled: {stated}}}}}]"
    assert component(texts({"eks": spec})).enabled is enabled


def test_a_disabled_component_stays_listed_and_satisfies_dependencies() -> None:
    base = "componentRefs: [{name: lib}, {name: app, dependencyRefs: [lib], overrides: {a: 1}}]"
    overlays = {"eks": "criteria: {service: eks}\ncomponentRefs: [{name: lib, overrides: {enabled: false, b: 2}}]"}
    found = {item.name: item for item in resolution(texts(overlays, base=base)).components}
    assert (found["lib"].enabled, found["app"].enabled) == (False, True)
    assert found["lib"].values == {"enabled": False, "b": 2}


def test_a_higher_overlay_can_enable_again() -> None:
    base = "componentRefs: [{name: app, overrides: {enabled: false}}]"
    overlays = {"eks": "criteria: {service: eks}\ncomponentRefs: [{name: app, overrides: {enabled: true}}]"}
    assert component(texts(overlays, base=base)).enabled


def test_a_switch_in_a_values_file_switches_nothing() -> None:
    overlays = {"eks": f"criteria: {{service: eks}}\ncomponentRefs: [{{name: app, valuesFile: {OWN}}}]"}
    app = component(texts(overlays, files={OWN: "enabled: false\n"}))
    assert (app.enabled, app.values) == (True, {"enabled": False})


def test_two_entries_of_one_document_merge_onto_each_other() -> None:
    refs = "componentRefs: [{name: app, overrides: {a: 1, b: 1}}, {name: app, overrides: {b: 2}}]"
    spec = f"criteria: {{service: eks}}\n{refs}"
    assert component(texts({"eks": spec})).values == {"a": 1, "b": 2}


def test_a_component_of_manifests_alone_has_no_chart_even_with_a_version() -> None:
    files = {"components/plain/manifests/m.yaml": "# nothing\n"}
    refs = "componentRefs: [{name: plain, version: v1, manifestFiles: [components/plain/manifests/m.yaml]}]"
    spec = f"criteria: {{service: eks}}\n{refs}"
    plain = component(texts({"eks": spec}, files=files), name="plain")
    assert (plain.chart, plain.namespace) == (None, "apps")


def test_a_component_that_the_registry_lacks_is_what_overlays_say() -> None:
    spec = "criteria: {service: eks}\ncomponentRefs: [{name: new, source: 'https://x.example.test/c', version: 1.0.0}]"
    new = component(texts({"eks": spec}), name="new")
    assert new.chart == Chart("https://x.example.test/c", "new", "1.0.0")
    assert new.namespace == "new"


def test_of_constraints_of_one_name_the_last_counts_and_may_be_weaker() -> None:
    base = f"{BASE}\nconstraints: [{{name: K8s.server.version, value: '>= 1.34'}}, {{name: B, value: '1'}}]"
    overlays = {
        "eks": "criteria: {service: eks}\n"
        "constraints: [{name: K8s.server.version, value: '>= 1.30'}, {name: A, value: 24.04}]"
    }
    found = resolution(texts(overlays, base=base)).constraints
    assert [(item.name, item.value, item.layer) for item in found] == [
        ("A", "24.04", "recipe eks"),
        ("B", "1", "recipe base"),
        ("K8s.server.version", ">= 1.30", "recipe eks"),
    ]


@pytest.mark.parametrize(
    ("ref", "message"),
    [
        ("type: Kustomize, path: x", "made by Kustomize"),
        ("type: kustomize, path: x", "made by Kustomize"),
        ("type: Jsonnet", "made by Jsonnet"),
        ("tag: v1", "`tag`, which only Kustomize"),
        ("path: x", "`path`, which only Kustomize"),
        ("patches: [p.yaml]", "patches, which nothing applies"),
    ],
)
def test_what_no_deployer_applies_is_refused_unless_the_component_is_left_out(ref: str, message: str) -> None:
    content = texts({"eks": f"criteria: {{service: eks}}\ncomponentRefs: [{{name: app, {ref}}}, {{name: lib}}]"})
    [(code, text)] = refused(content)
    assert code == "M405"
    assert message in text
    assert not component(content, "--service eks --without app").enabled


def test_the_type_is_read_whatever_its_case() -> None:
    assert component(texts({"eks": "criteria: {service: eks}\ncomponentRefs: [{name: app, type: HELM}]"})).enabled


def test_a_component_without_chart_and_manifests_is_refused() -> None:
    content = texts({"eks": "criteria: {service: eks}\ncomponentRefs: [{name: plain, chart: x, version: 1.0.0}]"})
    assert [code for code, _ in refused(content)] == ["R209"]


def test_options_reach_components_by_their_aliases_and_win() -> None:
    options = "--service eks --set theapp:a=2 --system-node-selector role=system"
    spec = "criteria: {service: eks}\ncomponentRefs: [{name: app, overrides: {a: 1}}]"
    assert component(texts({"eks": spec}), options).values == {"a": 2, "nodeSelector": {"role": "system"}}


def test_scalars_are_read_as_that_projects_tool_reads_them() -> None:
    """go-yaml v3: `no` is text, 0644 is octal; a field of text keeps what is written."""
    content = texts(
        {"eks": f"criteria: {{service: eks}}\ncomponentRefs: [{{name: app, version: 1.20, valuesFile: {OWN}}}]"},
        files={OWN: "a: no\nb: 0644\nc: '0644'\n"},
    )
    loaded = load_aicr_texts(content)
    assert [(item.code, item.severity.value) for item in loaded.findings] == [("S110", "warning")] * 2
    found, _ = resolve_in(loaded.catalog, "--service eks")
    assert found is not None
    [app] = found.components
    assert app.values == {"a": "no", "b": 420, "c": "0644"}
    assert app.chart == Chart("https://charts.example.test/stable", "the-app", "1.20")
