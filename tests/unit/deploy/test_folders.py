from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from groundswell.deploy.digests import content_digest
from groundswell.deploy.folders import build_folders
from groundswell.resolve.resolution import Origin
from plan_factory import TALOS, chart, component, constraint, manifest, namespace_manifest, plan

if TYPE_CHECKING:
    from groundswell.deploy.deployer import BuiltFolder
    from groundswell.plan.plan import Plan
    from groundswell.resolve.resolution import Component

CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n  namespace: {{ .Release.Namespace }}\n"


def built(*components: Component, **options: Any) -> dict[str, BuiltFolder]:
    folders, findings = build_folders(plan(*components, **options))
    assert findings == ()
    return folders


def findings(*components: Component, **options: Any) -> list[tuple[str, str]]:
    return [(found.code, found.message) for found in build_folders(plan(*components, **options))[1]]


def paths(folder: BuiltFolder) -> list[str]:
    return [file.path.removeprefix(f"{folder.folder.name}/") for file in folder.files]


def origin(file: str, line: int) -> Origin:
    return Origin("recipe x", file, line, 5, "", "set", None)


def three_phases(**fields: Any) -> Component:
    return component(
        "gpu",
        **{
            "namespace": "privileged-gpu",
            "privileged": True,
            "values": {"b": 1, "a": {"d": None, "c": [None, {"z": 1, "y": None}]}, "e": None},
            "pre_manifests": (namespace_manifest("privileged-gpu"), manifest(CONFIG, "pre/config.yaml")),
            "manifests": (manifest(CONFIG, "post/config.yaml"),),
            **fields,
        },
    )


def test_each_phase_has_its_files() -> None:
    folders = built(three_phases(), component("own", chart=None, manifests=(manifest(CONFIG),)), criteria=TALOS)
    assert {name: paths(folder) for name, folder in folders.items()} == {
        "001-gpu-pre": [
            "Chart.yaml",
            "manifests/config.yaml",
            "templates/_namespace.tpl",
            "templates/manifests.yaml",
            "templates/namespace-privileged-gpu.yaml",
            "values.yaml",
        ],
        "002-gpu": ["values.yaml"],
        "003-gpu-post": ["Chart.yaml", "manifests/config.yaml", "templates/manifests.yaml", "values.yaml"],
        "004-own": ["Chart.yaml", "manifests/sample.yaml", "templates/manifests.yaml", "values.yaml"],
    }


def test_a_charts_values_are_sorted_and_keep_nulls() -> None:
    folders = built(three_phases(), component("bare"))
    values = yaml.safe_load(folders["003-gpu"].text("values.yaml"))
    assert values == three_phases().values
    assert list(values) == ["a", "b", "e"]
    assert folders["001-bare"].text("values.yaml") == "{}\n"


def test_a_local_chart_leaves_out_what_is_unset() -> None:
    folders = built(three_phases())
    assert yaml.safe_load(folders["003-gpu-post"].text("values.yaml")) == {
        "gpu": {"a": {"c": [None, {"y": None, "z": 1}]}, "b": 1}
    }


def test_a_local_chart_knows_its_component() -> None:
    source = chart("gpu-operator", "1.10.0")
    folders = built(three_phases(chart=source), constraints=[constraint("K8s.server.version", ">= 1.32")])
    text = folders["001-gpu-pre"].text("Chart.yaml")
    assert yaml.safe_load(text) == {
        "apiVersion": "v2",
        "name": "gpu-pre",
        "version": "0.0.0",
        "type": "application",
        "kubeVersion": ">=1.32.0-0",
        "annotations": {
            "groundswell.dev/component": "gpu",
            "groundswell.dev/namespace": "privileged-gpu",
            "groundswell.dev/chart": "gpu-operator",
            "groundswell.dev/chart-version": "1.10.0",
        },
    }
    assert '"1.10.0"' in text


def test_manifests_of_one_name_are_both_kept() -> None:
    files = [manifest(CONFIG.replace("c\n", f"c{n}\n"), f"{n}/a.yaml") for n in range(3)]
    files.append(manifest(CONFIG, "x/A-2.yaml"))
    (folder,) = built(component("own", chart=None, manifests=tuple(files))).values()
    assert [path for path in paths(folder) if path.startswith("manifests")] == [
        "manifests/A-2-2.yaml",
        "manifests/a-2.yaml",
        "manifests/a-3.yaml",
        "manifests/a.yaml",
    ]


def test_manifests_are_stored_as_written_with_unix_line_ends() -> None:
    text = "\ufeff# {{ `x` }}\r\n---\r\napiVersion: v1\r\nkind: ConfigMap\r\n..."
    (folder,) = built(component("own", chart=None, manifests=(manifest(text),))).values()
    assert folder.text("manifests/sample.yaml") == "# {{ `x` }}\n---\napiVersion: v1\nkind: ConfigMap\n...\n"


def test_a_digest_covers_content_and_chart_but_no_number() -> None:
    before = built(three_phases())
    after = built(component("aaa"), three_phases())
    assert [f.digest for f in before.values()] == [f.digest for f in list(after.values())[1:]]
    changes: list[dict[str, Any]] = [
        {"chart": chart("gpu", "1.0.1")},
        {"chart": chart("other")},
        {"chart": chart("gpu", repository="oci://charts.example.test")},
        {"values": {"b": 2}},
    ]
    digests = [built(three_phases(**change))["002-gpu"].digest for change in changes]
    assert len({before["002-gpu"].digest, *digests}) == 5


def test_the_content_digest_is_of_names_and_digests_only() -> None:
    folders = list(built(three_phases(), component("zzz")).values())
    renumbered = [item._replace(folder=item.folder._replace(number="0900")) for item in reversed(folders)]
    assert content_digest(folders) == content_digest(renumbered)
    changed = [folders[0]._replace(digest=folders[1].digest), *folders[1:]]
    assert content_digest(folders) != content_digest(changed) != content_digest(folders[1:])


def test_a_namespace_has_one_owner() -> None:
    both = [component(name, pre_manifests=(namespace_manifest("shared", f"{name}.yaml"),)) for name in ("a", "b")]
    assert findings(*both) == [("D105", "Namespace `shared` is made by `a-pre` and `b-pre`")]
    twice = (namespace_manifest("shared", "x.yaml"), namespace_manifest("shared", "y.yaml"))
    (found,) = build_folders(plan(component("a", pre_manifests=twice)))[1]
    assert found.message == "Namespace `shared` is made by `a-pre` twice"
    assert found.span is not None
    assert (found.span.file, found.span.line, found.related[0].span.file) == ("y.yaml", 4, "x.yaml")


def test_a_namespace_that_something_is_installed_into_comes_in_a_pre() -> None:
    own = component("own", chart=None, manifests=(namespace_manifest("own"),))
    assert findings(own) == [("D104", "Namespace `own` is made by `own`, but `own` is installed into it")]
    late = component("late", manifests=(namespace_manifest("other"),))
    assert findings(late, component("other")) == [
        ("D104", "Namespace `other` is made by `late-post`, but `other` is installed into it")
    ]
    assert findings(late) == []


def test_privileged_components_need_a_privileged_namespace_on_talos() -> None:
    covered = three_phases()
    tenant = component("tenant", namespace="privileged-gpu", privileged=True)
    exempt = component("exempt", namespace="kube-system", privileged=True)
    plain = component("plain")
    bare = component(
        "bare",
        privileged=True,
        field_origins={"namespace": (origin("recipes/old.yaml", 1), origin("recipes/x.yaml", 7))},
    )
    everyone = (covered, tenant, exempt, plain, bare)
    (found,) = build_folders(plan(*everyone, criteria=TALOS))[1]
    assert (found.code, found.span and found.span.file, found.span and found.span.line) == ("D111", "recipes/x.yaml", 7)
    assert findings(*everyone) == []


def test_a_namespace_in_a_post_comes_too_late_for_privileged_pods() -> None:
    late = component("late", privileged=True, namespace="spot", manifests=(namespace_manifest("spot"),))
    assert [code for code, _ in findings(late, criteria=TALOS)] == ["D104", "D111"]


@pytest.mark.parametrize(
    ("value", "effect"),
    [(1_000_000, "can reach a template's text in exponent form"), (2**53 + 1, "loses digits"), (-(10**7), "exponent")],
)
def test_numbers_at_risk_are_told_with_their_place(value: int, effect: str) -> None:
    values = {"a": {"list": [{"n": value}, 999_999, True]}}
    risky = component("risky", values=values, origins={("a", "list"): (origin("recipes/x.yaml", 9),)})
    (found,) = build_folders(plan(risky))[1]
    assert (found.code, found.span and found.span.line) == ("D112", 9)
    assert found.message.startswith(f"`risky.a.list.0.n`: {value} ")
    assert effect in found.message


def test_an_object_beside_a_namespace_names_its_own() -> None:
    bare = manifest("apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n")
    with_namespace = component("a", pre_manifests=(namespace_manifest("a"), bare))
    assert [code for code, _ in findings(with_namespace)] == ["D107"]
    assert findings(component("a", pre_manifests=(bare,))) == []


LINES = """\
---
...
apiVersion: v1
kind: Namespace
kind: {{ .x }}
kind: List
metadata:
  name: one
  name: [
  annotations: {helm.sh/hook: test}
  annotations: {a: .inf}
  labels: {{ toYaml . }}
  labels: {a: }
  labels: [a]
items:
- kind: Namespace
  metadata: {name: two}
  spec: {b: {c: 1e400}}
- 1
{{ if x }}
{{ end }}
{{
\t
\x00
  "\\ud800": 0644
<<: *a
&a b: *a
%YAML 1.1
""".splitlines()


@given(st.lists(st.sampled_from(LINES), max_size=12), st.booleans())
@settings(max_examples=300, deadline=None)
def test_no_manifest_makes_the_compiler_fail(lines: list[str], talos: bool) -> None:
    files = (manifest("\n".join(lines)), namespace_manifest("own"))
    parts = component("own", privileged=True, pre_manifests=files, manifests=files[:1])
    of = plan(parts, criteria=TALOS if talos else {})
    folders, _ = build_folders(of)
    assert list(folders) == [folder.name for folder in of.folders]


def test_equal_input_gives_equal_bytes() -> None:
    def bytes_of(of: Plan) -> list[tuple[str, bytes]]:
        return [(file.path, file.data) for folder in build_folders(of)[0].values() for file in folder.files]

    turned = {key: three_phases().values[key] for key in reversed(list(three_phases().values))}
    assert bytes_of(plan(three_phases())) == bytes_of(plan(three_phases(values=turned)))
