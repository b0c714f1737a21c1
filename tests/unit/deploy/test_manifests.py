from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundswell.deploy.manifests import inspect, owned_namespaces
from plan_factory import manifest

if TYPE_CHECKING:
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.span import Span

NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: one\n"
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n"


def found(text: str, *, beside: bool = False) -> list[tuple[str, int, int]]:
    return [
        (finding.code, place(finding).line, place(finding).column)
        for finding in inspect(manifest(text), beside_namespace=beside)[1]
    ]


def place(finding: Diagnostic) -> Span:
    assert finding.span is not None
    return finding.span


@given(
    st.lists(
        st.sampled_from(
            ["---\n", "--- # x\n", "---", "...\n", "a: 1\n", "  ---\n", "{{ x }}\n", "\r\n", "\n", "k: |\n"]
        )
    )
)
def test_documents_make_up_the_whole_text(parts: list[str]) -> None:
    split = manifest("".join(parts)).documents
    text = split[0].text
    assert "".join(text[one.start : one.end] for one in split) == text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (NAMESPACE, ("one",)),
        (f"---\n{NAMESPACE}---\n{NAMESPACE.replace('one', 'two')}...\n", ("one", "two")),
        (f"{NAMESPACE}---\n{NAMESPACE}", ("one",)),
        ("{apiVersion: v1, kind: Namespace, metadata: {name: one}}", ("one",)),
        ('{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "one"}}', ("one",)),
        (NAMESPACE.replace("\n", "\r\n"), ("one",)),
        (
            "apiVersion: v1\nkind: List\nitems:\n- kind: Namespace\n  apiVersion: v1\n  metadata: {name: one}\n",
            ("one",),
        ),
        (f"--- # first\n# kind: Namespace\n{CONFIG}data:\n  text: |\n    ---\n    kind: Namespace\n", ()),
        ("apiVersion: x.test/v1\nkind: Namespace\nmetadata: {name: no}\n", ()),
        ("{{/*\n---\nkind: Namespace\n*/}}\n" + CONFIG, ()),
        (NAMESPACE.replace("one", "{{ .Release.Namespace }}"), ()),
        ("kind: Namespace\n  : [", ()),
    ],
)
def test_namespaces_are_found_in_any_form(text: str, names: tuple[str, ...]) -> None:
    assert owned_namespaces([manifest(text)]) == names


def test_what_is_no_namespace_stays_as_written() -> None:
    text = f"# head\n{CONFIG}data:\n  x: {{{{ .Values.x | quote }}}}\n"
    both, findings = inspect(manifest(f"{text}---\n{NAMESPACE}---\n# tail\n{CONFIG}"), beside_namespace=False)
    assert findings == ()
    assert both.text == f"{text}---\n# tail\n{CONFIG}"
    assert [item.name for item in both.namespaces] == ["one"]


def test_a_file_of_namespaces_leaves_nothing() -> None:
    inspected, findings = inspect(manifest(f"# only\n---\n{NAMESPACE}---\n"), beside_namespace=False)
    assert (inspected.text, findings) == ("", ())


def test_the_rest_of_a_list_stays() -> None:
    namespace = "{apiVersion: v1, kind: Namespace, metadata: {name: one}}"
    node = "{apiVersion: v1, kind: Node, metadata: {name: node}}"
    text = f"apiVersion: v1\nkind: List\nitems:\n- {namespace}\n- {node}\n"
    inspected, findings = inspect(manifest(text), beside_namespace=False)
    assert findings == ()
    assert inspected.text == "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: node\n"


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        (NAMESPACE + "  labels:\n    a: {{ .Values.a }}\n", 6, 8),
        (f"---\n{CONFIG}---\n{{{{ if .x }}}}\n{NAMESPACE}{{{{ end }}}}\n", 7, 1),
        (f"{{{{ if .x }}}}\n---\n{NAMESPACE}---\n{{{{ end }}}}\n", 4, 7),
        (NAMESPACE + '  annotations:\n    a: "\\x7b{ .x }}"\n', 2, 7),
        (NAMESPACE + "  labels:\n   {{ x }}: {{ x }}: [\n", 2, 1),
        ("apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Namespace\n- {{ x }}\n", 6, 3),
    ],
)
def test_a_namespace_holds_no_actions(text: str, line: int, column: int) -> None:
    assert found(text) == [("D101", line, column)]


def test_a_template_comment_is_no_action() -> None:
    assert found("{{- /* licence */ -}}\n" + NAMESPACE) == []


@pytest.mark.parametrize(
    "key", ["helm.sh/hook", "helm.sh/hook-weight", "argocd.argoproj.io/hook", "argocd.argoproj.io/hook-delete-policy"]
)
def test_hooks_are_refused(key: str) -> None:
    assert found(f'{CONFIG}  annotations:\n    a: b\n    "{key}": pre-install\n') == [("D109", 7, 5)]
    assert found(f"{CONFIG}  annotations: {{{key}: '{{{{ .Values.hook }}}}'}}\n") == [("D109", 5, 17)]


def test_a_hook_in_a_list_or_beside_unreadable_text_is_found() -> None:
    item = "- kind: Job\n  apiVersion: batch/v1\n  metadata:\n    annotations:\n      helm.sh/hook: post-install\n"
    assert found(f"apiVersion: v1\nkind: List\nitems:\n{item}") == [("D109", 8, 7)]
    assert found(CONFIG + "  {{ a }}: {{ b }}: [\n  annotations:\n    helm.sh/hook: post-install\n") == [("D109", 7, 5)]


def test_test_hooks_and_hooks_in_text_are_left_alone() -> None:
    assert found(f"{CONFIG}  annotations:\n    helm.sh/hook: test\n    helm.sh/hook-weight: '1'\n") == []
    assert (
        found(f"{CONFIG}data:\n  text: |\n    metadata:\n      annotations:\n        helm.sh/hook: pre-install\n") == []
    )


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (CONFIG, ["D107"]),
        (CONFIG + "  namespace: {{ .Release.Namespace }}\n", []),
        ("{{ if .a }}\n" + CONFIG + "  {{ if .b }}\n  namespace: x\n  {{ end }}\n{{ end }}\n", []),
        ("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: a}\n", []),
        ("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: a}\n", ["D107"]),
        ("apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {name: a}\n", ["D108"]),
        ("apiVersion: v1\nkind: {{ .Values.kind }}\nmetadata: {name: a}\n", ["D119", "D108"]),
        (CONFIG + "  {{ a }}: {{ b }}: [\n", ["D108"]),
        ("{{ include `x` . }}\n---\n# nothing\n", []),
    ],
)
def test_beside_a_namespace_every_object_names_its_own(text: str, codes: list[str]) -> None:
    assert [code for code, _, _ in found(text, beside=True)] == codes
    assert [code for code, _, _ in found(text) if code in {"D107", "D108"}] == []


@pytest.mark.parametrize("name", [".argocd-source.yaml", "a b.yaml", "-x.yaml", "a\nb.yaml", ""])
def test_names_that_argo_cd_reads_or_no_tool_takes_are_refused(name: str) -> None:
    assert [f.code for f in inspect(manifest(CONFIG, f"dir/{name}"), beside_namespace=False)[1]] == ["D110"]


def test_the_mark_that_hides_a_file_from_argo_cd_is_refused() -> None:
    assert found(f"{CONFIG}# +argocd:skip-file-rendering\n") == [("D110", 5, 3)]


def test_a_document_that_helm_would_drop_is_refused() -> None:
    assert found(f"{CONFIG}... # end\n\n# more\n{CONFIG}") == [("D110", 8, 1)]
    assert found(f"{CONFIG}... # end\n\n# more\n---\n{CONFIG}...\n") == []


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n---\n...\n", "{{/* nothing */}}\n"])
def test_an_empty_manifest_is_told(text: str) -> None:
    assert found(text) == [("D113", 1, 1)]


def test_broken_yaml_with_a_namespace_is_an_error_of_its_own() -> None:
    codes = [code for code, _, _ in found(NAMESPACE + "\tlabels: {a\n")]
    assert codes
    assert all(code.startswith("S") for code in codes)
