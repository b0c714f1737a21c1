"""Hook annotations are taken out of manifests, and nothing else is."""

from __future__ import annotations

import pytest

from groundswell.catalog.aicr.hooks import without_hooks
from groundswell.deploy.documents import take_apart
from groundswell.deploy.manifests import inspect


def cleaned(text: str) -> str:
    manifest = without_hooks(take_apart("catalog/components/app/manifests/m.yaml", text))
    _, findings = inspect(manifest, beside_namespace=False)
    assert findings == ()
    assert manifest.text.count("\n") == text.count("\n")
    return manifest.text


BLOCK = """\
apiVersion: v1
kind: ConfigMap
metadata:
  annotations:
    # why
    "helm.sh/hook": post-install,post-upgrade
    kept: "yes"
    helm.sh/hook-weight: "5"  # late
    helm.sh/hook-delete-policy: |
      before-hook-creation
  name: a
data:
  text: |
    annotations:
      helm.sh/hook: pre-install
"""


def test_block_annotations_go_and_texts_that_look_like_them_stay() -> None:
    gone = (
        '    "helm.sh/hook": post-install,post-upgrade',
        "    helm.sh/hook-delete-policy: |",
        "      before-hook-creation",
    )
    expected = ["" if line in gone else line for line in BLOCK.splitlines()]
    found = cleaned(BLOCK).splitlines()
    assert [line for line in found if "# late" not in line] == [line for line in expected if "# late" not in line]
    assert [line.strip() for line in found if "# late" in line] == ["# late"]


@pytest.mark.parametrize(
    ("annotations", "left"),
    [
        ("{helm.sh/hook: pre-install, a: b}", "{a: b}"),
        ("{a: b, 'helm.sh/hook-weight': '1'}", "{a: b, }"),
        ('{"helm.sh/hook": pre-install, "helm.sh/hook-weight": "1"}', "{}"),
    ],
)
def test_flow_annotations_go_with_their_commas(annotations: str, left: str) -> None:
    found = cleaned(f"apiVersion: batch/v1\nkind: Job\nmetadata: {{name: x, annotations: {annotations}}}\n")
    assert found.replace(
        " ", ""
    ) == f"apiVersion: batch/v1\nkind: Job\nmetadata: {{name: x, annotations: {left}}}\n".replace(" ", "")


def test_actions_around_them_do_not_matter() -> None:
    text = (
        "{{- if .Values.app.on }}\n---\nkind: Job\nmetadata:\n  annotations:\n    helm.sh/hook: pre-install\n"
        "  name: {{ .x }}\n{{- end }}\n"
    )
    assert cleaned(text) == text.replace("    helm.sh/hook: pre-install", "")


def test_a_document_that_cannot_be_read_around_its_actions_is_cleaned_by_its_lines() -> None:
    text = 'kind: Job\nmetadata:\n  annotations:\n    helm.sh/hook: pre-install\n{{ include "labels" . }}: [\n'
    assert "helm.sh/hook" not in cleaned(text)


def test_a_test_hook_stays_whole() -> None:
    text = 'apiVersion: v1\nkind: Pod\nmetadata: {annotations: {helm.sh/hook: test, helm.sh/hook-weight: "1"}}\n'
    assert cleaned(text) == text


def test_every_document_of_a_file_is_cleaned() -> None:
    one = "apiVersion: batch/v1\nkind: Job\nmetadata:\n  annotations:\n    helm.sh/hook: pre-install\n"
    assert "hook" not in cleaned(
        f"{one}---\n{one}---\napiVersion: v1\nkind: List\nitems:\n  - " + one.replace("\n", "\n    ").rstrip() + "\n"
    )


def test_a_manifest_without_hooks_is_left_as_it_is() -> None:
    manifest = take_apart("x/m.yaml", "kind: Job\r\n")
    assert without_hooks(manifest) is manifest
