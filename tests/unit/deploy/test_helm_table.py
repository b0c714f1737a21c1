"""The table of install.sh: where releases live, which namespaces Helm may create, what each folder is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundswell.deploy.folders import build_folders
from groundswell.deploy.helm.table import rows, table
from groundswell.resolve.resolution import Chart, Origin
from plan_factory import TALOS, chart, component, manifest, namespace_manifest, plan

if TYPE_CHECKING:
    from groundswell.deploy.helm.table import Row
    from groundswell.plan.plan import Plan
    from groundswell.resolve.resolution import Component

CLAIM = "kind: PersistentVolumeClaim\nmetadata:\n  name: a\n  namespace: {{ .Release.Namespace }}\n"
CONFIG = CLAIM.replace("PersistentVolumeClaim", "ConfigMap")


def by_folder(made: Plan) -> dict[str, Row]:
    folders, _ = build_folders(made)
    lines, findings = rows(made, folders)
    assert not findings
    return {line.folder: line for line in lines}


def test_a_release_that_owns_namespaces_lives_elsewhere_and_all_others_at_home() -> None:
    lines = by_folder(
        plan(
            component(
                "gpu", namespace="one", pre_manifests=(namespace_manifest("one"),), manifests=(manifest(CONFIG),)
            ),
            component("net", namespace="one", pre_manifests=(manifest(CONFIG),), dependencies=("gpu",)),
            criteria=TALOS,
        )
    )
    homes = {name: line.namespace for name, line in lines.items()}
    assert homes == {
        "001-gpu-pre": "groundswell",
        "002-gpu": "one",
        "003-gpu-post": "one",
        "004-net-pre": "one",
        "005-net": "one",
    }
    assert [line.folder for line in lines.values() if "owns-namespaces" in line.flags] == ["001-gpu-pre"]


def test_helm_creates_only_namespaces_that_no_template_and_no_cluster_has() -> None:
    lines = by_folder(
        plan(
            component("a", namespace="owned", pre_manifests=(namespace_manifest("owned"),)),
            component("b", namespace="owned", dependencies=("a",)),
            component("c", namespace="kube-system"),
            component("d", namespace="default"),
            component("e", namespace="free"),
        )
    )
    creating = {line.release for line in lines.values() if "create-namespace" in line.flags}
    assert creating == {"a-pre", "e"}


@pytest.mark.parametrize(
    ("crds", "flags"),
    [("none", ()), ("templates", ()), ("separate", ("skip-crds",)), ("crds-dir", ("crds-dir",))],
)
def test_crds_decide_what_helm_is_told(crds: str, flags: tuple[str, ...]) -> None:
    made = plan(component("a", namespace="kube-system", crds=crds, manifests=(manifest(CONFIG),)))
    lines = by_folder(made)
    assert [line.flags for line in lines.values()] == [flags, ()]


@pytest.mark.parametrize(
    ("texts", "waits"),
    [
        ([CLAIM], False),
        ([CLAIM, CONFIG], False),
        ([CLAIM, "kind: Deployment\n"], True),
        ([CLAIM + "---\nkind: StatefulSet\n"], True),
        (["- kind: 'PersistentVolumeClaim'\n"], False),
        ([CONFIG], True),
        ([CONFIG + "data:\n  x: PersistentVolumeClaim\n"], True),
        ([CLAIM.replace("kind: ", "x-kind: ")], True),
    ],
)
def test_a_claim_that_nothing_uses_yet_is_not_waited_for(texts: list[str], *, waits: bool) -> None:
    files = tuple(manifest(text, f"m/{number}.yaml") for number, text in enumerate(texts))
    line = by_folder(plan(component("a", pre_manifests=files)))["001-a-pre"]
    assert ("no-wait" not in line.flags) == waits


def test_no_field_is_empty_and_the_last_line_ends() -> None:
    made = plan(component("a", namespace="kube-system"), component("b", chart=None, manifests=(manifest(CONFIG),)))
    text = table(tuple(by_folder(made).values()))
    assert text.endswith("\n")
    heading, *lines = text.splitlines()
    assert heading.startswith("# folder\tcomponent\trelease\tnamespace\t")
    for line in lines:
        cells = line.split("\t")
        assert len(cells) == 9
        assert all(cells)
        assert len(cells[-1]) == 63
    assert lines[0].split("\t")[4:8] == ["a", "https://charts.example.test/stable", "1.0.0", "-"]
    assert lines[1].split("\t")[4:8] == ["-", "-", "-", "create-namespace"]


def findings_of(item: Component) -> tuple[Any, ...]:
    made = plan(item)
    folders, _ = build_folders(made)
    return rows(made, folders)[1]


@given(st.text(min_size=1), st.sampled_from(["name", "repository"]))
def test_a_chart_address_is_refused_or_stays_one_field(text: str, field: str) -> None:
    parts = {"repository": "https://x.test", "name": "c", "version": "1.0.0"} | {field: text}
    made = plan(component("a", chart=Chart(**parts)))
    folders, _ = build_folders(made)
    lines, findings = rows(made, folders)
    if findings:
        assert [finding.code for finding in findings] == ["D301"]
        return
    assert text.isascii()
    assert not text.startswith("-")
    assert len(table(lines).split()) == 10 + 9


def test_a_refused_address_has_the_place_of_the_layer_that_wrote_it() -> None:
    origin = Origin("recipe h100", "recipes/h100.yaml", 7, 9, "", "set", "1 0")
    (finding,) = findings_of(component("a", chart=chart("1 0"), field_origins={"chart": (origin,)}))
    assert finding.span is not None
    assert finding.span[:3] == ("recipes/h100.yaml", 7, 9)
    assert "`1 0`" in finding.message
