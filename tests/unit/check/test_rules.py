"""Each rule finds what it is for, at the right folder, and nothing in the same bundle put right."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import talos_kit
from groundswell.check.chart_facts import Facts
from groundswell.check.late_apis import with_late_apis
from groundswell.check.rules import RULES
from groundswell.check.target import Target
from groundswell.diagnostics.codes import kubernetes, pods, validation
from plan_factory import TALOS
from unit.check.kit import TARGET, crd, found_by, messages, rendering, resource, written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from groundswell.check.rendering import Rendering

CONFIG = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s%s}\n"
CLASS = "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: urgent}\nvalue: 1\n"
POD = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {priorityClassName: urgent, containers: []}\n"


def test_a_resource_needs_the_definition_of_its_kind_before_it() -> None:
    texts = {"maker": crd(), "user": resource()}
    assert messages("edges", rendering(texts)) == [
        "K301 `Widget user/one` needs the definition of Widget (test.dev), from `001-maker`"
    ]
    assert found_by("edges", rendering(texts))[0].diagnostic.help == "add to `user`: `dependencyRefs: [maker]`"
    assert not messages("edges", rendering(texts, waits={"user": ("maker",)}))
    assert not messages("edges", rendering({"both": crd() + resource()}))
    assert not messages("edges", rendering(texts | {"mid": ""}, waits={"user": ("mid",), "mid": ("maker",)}))


def test_an_edge_that_would_close_a_circle_is_told_apart() -> None:
    sample = rendering({"maker": crd(), "user": resource()}, waits={"maker": ("user",)})
    (found,) = found_by("edges", sample)
    assert found.diagnostic.help.startswith("`maker` waits for `user`: turn that dependency around")


def test_many_needs_of_one_folder_are_one_finding() -> None:
    many = "".join(resource(name=f"w{number}") for number in range(5))
    (message,) = messages("edges", rendering({"maker": crd(), "user": many}))
    assert "`Widget user/w0` needs" in message
    assert "and 3 more" in message


def test_within_a_component_the_phase_decides() -> None:
    assert messages("edges", rendering({"a-pre": resource(), "a": crd()})) == [
        "K303 `Widget a/one` needs the definition of Widget (test.dev), from `002-a`"
    ]
    assert not messages("edges", rendering({"a": crd(), "a-post": resource()}))


@pytest.mark.parametrize(
    ("brought", "used", "what"),
    [
        (CLASS, POD, "the PriorityClass urgent"),
        (
            written("storage.k8s.io/v1", "StorageClass", "fast"),
            written("apps/v1", "StatefulSet", "s", "spec: {volumeClaimTemplates: [{spec: {storageClassName: fast}}]}"),
            "the StorageClass fast",
        ),
        (
            written("node.k8s.io/v1", "RuntimeClass", "nvidia"),
            written("apps/v1", "DaemonSet", "d", "spec: {template: {spec: {runtimeClassName: nvidia}}}"),
            "the RuntimeClass nvidia",
        ),
        (
            written("networking.k8s.io/v1", "IngressClass", "web"),
            written("networking.k8s.io/v1", "Ingress", "i", "spec: {ingressClassName: web}"),
            "the IngressClass web",
        ),
        (
            written("cert-manager.io/v1", "ClusterIssuer", "ca"),
            written("cert-manager.io/v1", "Certificate", "c", "spec: {issuerRef: {name: ca, kind: ClusterIssuer}}"),
            "the ClusterIssuer ca",
        ),
        (
            written("cert-manager.io/v1", "ClusterIssuer", "ca"),
            written("networking.k8s.io/v1", "Ingress", "i").replace(
                "{name: i}", "{name: i, annotations: {cert-manager.io/cluster-issuer: ca}}"
            ),
            "the ClusterIssuer ca",
        ),
        (
            written("external-secrets.io/v1", "ClusterSecretStore", "vault"),
            written(
                *("external-secrets.io/v1", "ExternalSecret", "e"),
                "spec: {secretStoreRef: {name: vault, kind: ClusterSecretStore}}",
            ),
            "the ClusterSecretStore vault",
        ),
        (
            written("resource.k8s.io/v1", "DeviceClass", "gpu"),
            written(
                "resource.k8s.io/v1", "ResourceClaim", "r", "spec: {devices: {requests: [{deviceClassName: gpu}]}}"
            ),
            "the DeviceClass gpu",
        ),
        (written("v1", "Namespace", "shared"), CONFIG % ("c", ", namespace: shared"), "the namespace shared"),
    ],
    ids=["priority", "storage", "runtime", "ingress", "issuer", "annotation", "secret store", "device", "namespace"],
)
def test_a_user_needs_the_class_the_issuer_the_store_and_the_namespace(brought: str, used: str, what: str) -> None:
    texts = {"maker": brought, "user": used}
    assert any(what in message for message in messages("edges", rendering(texts))), what
    assert not messages("edges", rendering(texts, waits={"user": ("maker",)}))


def test_a_class_that_the_bundle_does_not_bring_is_the_clusters() -> None:
    assert not messages("edges", rendering({"maker": CLASS, "user": POD.replace("urgent", "other")}))


HOOK = """\
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
  - name: guard.test.dev
    failurePolicy: %s
    %s
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
"""


def test_a_webhook_and_what_it_admits_have_a_fixed_order() -> None:
    texts = {"guard": HOOK % ("Fail", ""), "user": CONFIG % ("c", "")}
    assert messages("edges", rendering(texts)) == [
        "K301 `ConfigMap user/c` needs the webhook guard.test.dev of guard, from `001-guard`"
    ]
    assert not messages("edges", rendering(texts, waits={"user": ("guard",)}))
    assert not messages("edges", rendering(texts, waits={"guard": ("user",)}))


@pytest.mark.parametrize(
    ("policy", "selector"),
    [
        ("Ignore", ""),
        ("Fail", "objectSelector: {matchLabels: {guarded: 'yes'}}"),
        ("Fail", "namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: other}}"),
        ("Fail", "namespaceSelector: {matchExpressions: [{key: guarded, operator: Exists}]}"),
        ("Fail", "matchConditions: [{name: x, expression: 'false'}]"),
    ],
)
def test_a_webhook_that_does_not_ask_is_no_edge(policy: str, selector: str) -> None:
    assert not messages("edges", rendering({"guard": HOOK % (policy, selector), "user": CONFIG % ("c", "")}))


def test_a_dependency_without_a_reason_is_a_hint() -> None:
    waits = {"user": ("maker",)}
    assert messages("unused-edges", rendering({"maker": CLASS, "user": CONFIG % ("c", "")}, waits=waits)) == [
        "K302 `user` waits for `maker`, but none of its objects refers to what `maker` brings"
    ]
    service = "---\napiVersion: v1\nkind: Service\nmetadata: {name: api}\n"
    calls = (CONFIG % ("c", "")) + "data: {url: 'http://api.maker.svc:80'}\n"
    rights = written("rbac.authorization.k8s.io/v1", "ClusterRole", "r", "rules: [{apiGroups: [test.dev]}]")
    for maker, user in ((CLASS, POD), (service, calls), (crd(), rights)):
        assert not messages("unused-edges", rendering({"maker": maker, "user": user}, waits=waits))


@pytest.mark.parametrize(("annotated", "named", "hints"), [("true", "", 0), ("false", "", 1), ("true", "other", 1)])
def test_a_claim_without_a_class_is_a_reason_to_wait_for_the_default_one(
    annotated: str, named: str, hints: int
) -> None:
    default = f"metadata: {{name: d, annotations: {{storageclass.kubernetes.io/is-default-class: '{annotated}'}}}}"
    storage = f"apiVersion: storage.k8s.io/v1\nkind: StorageClass\n{default}\nprovisioner: x\n"
    name = f"storageClassName: {named}, " if named else ""
    claim = f"spec: {{template: {{spec: {{{name}resources: {{requests: {{storage: 1Gi}}}}}}}}}}\n"
    user = f"apiVersion: test.dev/v1\nkind: Database\nmetadata: {{name: x}}\n{claim}"
    waits = {"user": ("maker",)}
    assert len(messages("unused-edges", rendering({"maker": storage, "user": user}, waits=waits))) == hints


def test_nothing_is_said_about_edges_of_a_folder_that_was_not_rendered() -> None:
    sample = rendering({"maker": CLASS, "user": CONFIG % ("c", ""), "user-post": ""}, waits={"user": ("maker",)})
    assert messages("unused-edges", sample)
    partly = {name: folder for name, folder in sample.folders.items() if not name.endswith("-post")}
    assert not messages("unused-edges", type(sample)(sample.plan, TARGET, partly))


def test_a_definition_among_the_templates_cannot_have_its_resources_beside_it() -> None:
    template = crd().replace("sample/crds/", "sample/templates/")
    assert messages("definitions", rendering({"a": template + resource()})) == [
        "K304 `Widget a/one` is in the same release as the template of its definition, `widgets.test.dev`"
    ]
    assert not messages("definitions", rendering({"a": crd() + resource()}))
    hook = resource(more=", annotations: {helm.sh/hook: post-install}")
    assert not messages("definitions", rendering({"a": template + hook}))
    assert not messages("definitions", rendering({"a": template, "b": resource()}))


def test_a_chart_that_asks_for_an_api_comes_after_what_brings_it() -> None:
    facts = {"user": Facts(asks=True, apis=(("test.dev/v1/Widget", "a"), ("other.dev/v1", "a")))}
    texts = {"maker": crd(), "user": CONFIG % ("c", "")}
    asked: list[tuple[str, ...]] = []

    def late(*seen: str, otherwise: bool = True, **more: Any) -> Rendering:
        """The rendering, with what is rendered with other APIs than those seen being the same or not."""
        sample = rendering(texts, facts=facts, **more)
        asked.clear()

        def render(works: Sequence[tuple[str, tuple[str, ...]]]) -> Iterator[bytes]:
            for name, apis in works:
                asked.append(apis)
                yield b"" if otherwise else sample.folders[name].text

        return with_late_apis(sample, dict.fromkeys(sample.folders, seen), render)

    for seen, other in (((), ("test.dev/v1/Widget",)), (("test.dev/v1/Widget", "x/v1"), ("x/v1",))):
        (found,) = found_by("capabilities", late(*seen))
        assert found.diagnostic.help == "add to `user`: `dependencyRefs: [maker]`"
        assert asked == [other]
        # The values switch off what would ask.
        assert not messages("capabilities", late(*seen, otherwise=False))
    assert not messages("capabilities", late(waits={"user": ("maker",)}))
    assert asked == []
    assert not messages("capabilities", late(waits={"maker": ("user",)}))


def shown(sample: Rendering, text: Callable[[Rendering, str, frozenset[str]], str]) -> Rendering:
    """The rendering after folders were rendered with other APIs than none, `text` being what they come out as."""

    def render(works: Sequence[tuple[str, tuple[str, ...]]]) -> Iterator[bytes]:
        yield from (text(sample, name, frozenset(apis)).encode() for name, apis in works)

    return with_late_apis(sample, {}, render)


UNNAMED = {"user": Facts(asks=True, apis=(("other.dev/v1", "a"),), asks_unnamed=True)}
TWO_MAKERS = {"gadgets": crd("Gadget", "gadgets.dev"), "maker": crd(), "user": CONFIG % ("c", "")}


@pytest.mark.parametrize(
    ("needs", "makers"),
    [
        ({"test.dev/v1/Widget"}, ["maker"]),
        ({"gadgets.dev/v1", "test.dev/v1/Widget"}, ["gadgets", "maker"]),
        ({"never.dev/v1"}, []),
    ],
)
def test_a_chart_that_asks_without_a_name_comes_after_what_makes_a_difference(
    needs: set[str], makers: list[str]
) -> None:
    def text(sample: Rendering, name: str, apis: frozenset[str]) -> str:
        return "more" if needs <= apis else sample.folders[name].text.decode()

    sample = rendering(TWO_MAKERS, facts=UNNAMED)
    found = [item.diagnostic for item in found_by("capabilities", shown(sample, text))]
    assert [item.help for item in found] == [f"add to `user`: `dependencyRefs: [{maker}]`" for maker in makers]
    assert all("when the cluster has the APIs that" in item.message for item in found)
    quiet = rendering(TWO_MAKERS, facts=UNNAMED, waits={"user": ("gadgets", "maker")})
    assert not messages("capabilities", shown(quiet, text))
    named = {"user": UNNAMED["user"]._replace(asks_unnamed=False)}
    assert not messages("capabilities", shown(rendering(TWO_MAKERS, facts=named), text))


@pytest.mark.parametrize(("more", "told"), [("", 0), (CONFIG % ("d", ""), 1)])
def test_a_chart_that_comes_out_different_each_time_is_compared_by_its_objects(more: str, told: int) -> None:
    facts = {"user": UNNAMED["user"]._replace(impure=(("randAlpha", "templates/a.yaml"),))}
    sample = rendering({"maker": crd(), "user": CONFIG % ("c", "") + "data: {a: x}\n"}, facts=facts)

    def text(sample: Rendering, name: str, apis: frozenset[str]) -> str:
        del apis
        return sample.folders[name].text.decode().replace("a: x", "a: y") + more

    assert len(messages("capabilities", shown(sample, text))) == told


def test_within_a_component_the_manifests_are_moved() -> None:
    facts = {"user-pre": Facts(asks=True, apis=(("test.dev/v1", "a"),))}
    sample = rendering({"user-pre": CONFIG % ("c", ""), "user": crd()}, facts=facts)
    (found,) = found_by("capabilities", shown(sample, lambda *_: ""))
    assert found.diagnostic.help.startswith("move what brings the API to `preManifestFiles`")


def test_an_object_has_one_owner() -> None:
    texts = {"a": CONFIG % ("c", ", namespace: x"), "b": CONFIG % ("c", ", namespace: x")}
    assert messages("duplicates", rendering(texts)) == ["K306 `ConfigMap x/c` is in `001-a` and in `002-b`"]
    assert messages("duplicates", rendering({"a": texts["a"] * 2})) == ["K306 `ConfigMap x/c` is twice in `001-a`"]
    assert not messages("duplicates", rendering({"a": CONFIG % ("c", ""), "b": CONFIG % ("c", "")}))
    hooks = (CONFIG % ("c", ", annotations: {helm.sh/hook: pre-install}")) + (CONFIG % ("c", ""))
    assert not messages("duplicates", rendering({"a": hooks}))


def test_an_object_is_known_by_its_group_whatever_its_version() -> None:
    old = "---\napiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: p, namespace: x}\n"
    assert messages("duplicates", rendering({"a": old, "b": old.replace("v1beta1", "v1")}))


def test_a_namespace_must_come_from_somewhere() -> None:
    assert messages("namespaces", rendering({"a": (CONFIG % ("c", ", namespace: gone")) * 1})) == [
        "K307 `ConfigMap gone/c` of `001-a` needs the namespace `gone`, which nothing makes"
    ]
    made = "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: gone}\n"
    assert not messages("namespaces", rendering({"a": (CONFIG % ("c", ", namespace: gone")) + made}))
    assert not messages("namespaces", rendering({"a": (CONFIG % ("c", ", namespace: b")), "b": ""}))
    assert not messages("namespaces", rendering({"a": CONFIG % ("c", ", namespace: kube-system")}))


MADE_UP = "---\n# Source: grafana/templates/secret.yaml\n" + written("v1", "Secret", "s", "data: {a: '%s', b: x}")[4:]


def test_what_differs_the_second_time_is_named_with_the_value_that_helps() -> None:
    sample = rendering({"a": MADE_UP % "MQ=="}, again={"a": MADE_UP % "Mg=="})
    (found,) = found_by("purity", sample)
    assert found.diagnostic.message == "`Secret a/s` of `001-a` can differ each time it is rendered: `data.a`"
    assert found.diagnostic.help.startswith("set `admin.existingSecret`")
    assert not messages("purity", rendering({"a": MADE_UP % "MQ=="}, again={"a": MADE_UP % "MQ=="}))


def test_an_object_that_is_there_only_at_times_is_named_once() -> None:
    one = MADE_UP % "MQ=="
    two = one + one.replace("name: s", "name: other")
    for first, second in ((one, two), (two, one)):
        (message,) = messages("purity", rendering({"a": first}, again={"a": second}))
        assert "`Secret a/other`" in message


def test_an_object_with_another_name_each_time_is_named_by_its_template_in_every_rule() -> None:
    one = MADE_UP % "MQ=="
    said = set()
    for first, second in (("x1", "x2"), ("x3", "x4")):
        texts = [(one + one.replace("s}", "t}")).replace("name: s", f"name: {name}") for name in (first, second)]
        sample = rendering({"a": texts[0].replace("x}", "[x]}")}, again={"a": texts[1]})
        assert sample.objects[0].title == "Secret of grafana/templates/secret.yaml"
        said.add((*messages("purity", sample), *messages("schemas", sample)))
    (found,) = said
    assert "K501 `Secret of grafana/templates/secret.yaml` of `001-a`" in found[0]


def test_what_comparing_cannot_tell_is_a_warning_with_the_functions_and_their_files() -> None:
    sample = rendering({"a": MADE_UP % "MQ=="})
    folder = replace(sample.folders["001-a"], compared=None, undecided=(("now", "templates/a.yaml"),))
    assert messages("purity", replace(sample, folders={"001-a": folder})) == [
        "K502 whether `001-a` comes out the same each time could not be decided: it uses `now` in `templates/a.yaml`"
    ]


def test_the_value_of_a_subchart_is_named_from_the_outside() -> None:
    inner = MADE_UP.replace("grafana/templates", "stack/charts/grafana/templates")
    (found,) = found_by("purity", rendering({"a": inner % "1"}, again={"a": inner % "2"}))
    assert found.diagnostic.help.startswith("set `grafana.admin.existingSecret`")


@pytest.mark.parametrize(
    ("entry", "quiet"),
    [
        ({"group": "", "kind": "Secret", "jsonPointers": ["/data/a"]}, True),
        ({"group": "*", "kind": "Secret", "name": "s", "jqPathExpressions": [".data"]}, True),
        ({"group": "", "kind": "Secret", "name": "other", "jsonPointers": ["/data"]}, False),
        ({"group": "", "kind": "Secret", "jsonPointers": ["/data/b"]}, False),
        ({"group": "apps", "kind": "Secret", "jsonPointers": ["/data/a"]}, False),
    ],
)
def test_a_difference_that_argo_cd_looks_past_is_fine(entry: dict[str, object], quiet: bool) -> None:
    sample = rendering({"a": MADE_UP % "MQ=="}, again={"a": MADE_UP % "Mg=="}, ignore_differences=(entry,))
    assert (not messages("purity", sample)) is quiet


def test_a_removed_version_and_one_that_will_be_removed() -> None:
    old = "---\napiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: p}\n"
    (found,) = found_by("api-versions", rendering({"a": old}))
    assert found.diagnostic.code == "K203"
    assert found.diagnostic.message.endswith("which Kubernetes 1.25 removed")
    assert found.diagnostic.help == "write `policy/v1`"
    soon = "---\napiVersion: flowcontrol.apiserver.k8s.io/v1beta3\nkind: FlowSchema\nmetadata: {name: p}\n"
    (later,) = found_by("api-versions", rendering({"a": soon}, target=Target("1.31.0", "")))
    assert (later.diagnostic.code, later.diagnostic.help) == ("K204", "write `flowcontrol.apiserver.k8s.io/v1`")
    (early,) = found_by("api-versions", rendering({"a": soon}, target=Target("1.28.0", "")))
    assert early.diagnostic.help == "", "1.28 does not serve the newer version"
    bounded = Target("1.30.0", "", 31)
    assert not messages("api-versions", rendering({"a": soon}, target=bounded))


def test_kinds_that_nothing_defines_are_counted_and_named() -> None:
    two = resource(name="a") + resource(name="b")
    assert messages("undefined-kinds", rendering({"a": two})) == [
        "K205 `001-a` has 2 objects of kind `Widget` (test.dev/v1), which nothing in the bundle defines"
    ]
    assert not messages("undefined-kinds", rendering({"a": two, "b": crd()}))
    assert not messages("undefined-kinds", rendering({"a": POD + CLASS}))


def test_a_resource_fits_the_definition_in_the_bundle() -> None:
    size = "required: [size], properties: {size: {type: integer, minimum: 1}}"
    schema = f"type: object, properties: {{spec: {{type: object, {size}}}}}"
    texts = {"maker": crd(schema=schema), "user": resource(spec="{size: 2}")}
    assert not messages("schemas", rendering(texts))
    assert messages("schemas", rendering(texts | {"user": resource(spec="{size: big}")})) == [
        "K201 `Widget user/one`: `spec.size` must be a whole number, not the text `big`"
    ]
    assert messages("schemas", rendering(texts | {"user": resource()})) == [
        "K201 `Widget user/one`: `spec` `size` is missing"
    ]
    assert messages("schemas", rendering(texts | {"user": resource(spec="{size: 1, sise: 2}")})) == [
        "K202 `Widget user/one`: `spec.sise` is not a field of the schema; did you mean `size`?"
    ]


def test_every_code_of_a_rule_is_listed_and_every_rule_has_its_own() -> None:
    used = [code for rule in RULES for code in rule.codes]
    assert len(used) == len(set(used))
    assert set(used) <= {*kubernetes.CODES, *pods.CODES, *validation.CODES}
    for rule in RULES:
        assert rule.demand.endswith("."), rule.name
        assert rule.link.startswith("https://"), rule.name


FIELDS = """
apiVersion kind metadata name namespace labels annotations spec versions names schema webhooks rules apiGroups resources
operations namespaceSelector matchLabels matchExpressions key operator values issuerRef storageClassName template
containers
openAPIV3Schema served group plural scope properties type items
volumes hostPath path securityContext capabilities add initContainers resources requests limits cpu hugepages-2Mi
command nodeSelector affinity tolerations roleRef replicas jobTemplate image
"""
TEXTS = """
v1 apps/v1 test.dev/v1 admissionregistration.k8s.io/v1 apiextensions.k8s.io/v1 Pod Widget Secret Namespace
CustomResourceDefinition ValidatingWebhookConfiguration a b * object In CREATE apps/v1 DaemonSet batch/v1 CronJob
rbac.authorization.k8s.io/v1 ClusterRole /data SYS_MODULE 1Gi
"""
CLUSTER = talos_kit.text("- {name: n1, role: worker, cpus: 4}")
KEYS, WORDS = st.sampled_from(FIELDS.split()), st.sampled_from(TEXTS.split())
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)
OBJECTS = st.builds(
    lambda head, rest: {**rest, **head},
    st.fixed_dictionaries({"apiVersion": WORDS, "kind": WORDS}),
    st.dictionaries(KEYS, VALUES, max_size=6),
)


@settings(max_examples=150, deadline=None)
@given(first=st.lists(OBJECTS, max_size=4), second=st.lists(OBJECTS, max_size=4))
def test_no_object_is_too_odd_to_be_judged(first: list[object], second: list[object]) -> None:
    printed = ["".join(f"---\n{json.dumps(item)}\n" for item in items) for items in (first, second)]
    texts = {"a": printed[0], "b": printed[1]}
    sample = rendering(texts, again={"a": printed[1]}, criteria=TALOS, cluster=CLUSTER)
    for rule in RULES:
        list(rule.judge(sample))
