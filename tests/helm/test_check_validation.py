"""`groundswell check` on values that only the API server's own code refuses: told where the catalog says them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from helm.check_site import findings, write_catalog
from helm_binaries import helm_binaries

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.helm

CHART = {
    "Chart.yaml": "apiVersion: v2\nname: odd\nversion: 1.0.0\n",
    "values.yaml": "name: right\nstorage: 1Gi\npolicy: Always\n",
    "templates/a.yaml": (
        "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: {{ .Values.name | quote }}}\n"
        "---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: claim}\n"
        "spec:\n  accessModes: [ReadWriteOnce]\n  resources: {requests: {storage: {{ .Values.storage | quote }}}}\n"
        "---\napiVersion: v1\nkind: PodTemplate\nmetadata: {name: p}\n"
        "template: {spec: {containers: [{name: c, image: i, imagePullPolicy: {{ .Values.policy }}}]}}\n"
    ),
}


@pytest.mark.parametrize(
    ("line", "code"),
    [("name: A_b", "K209"), ("storage: 2GB", "K210"), ("policy: Sometimes", "K211"), ("storage: 2Gi", "")],
)
@pytest.mark.parametrize("version", ["3", "4"])
def test_each_kind_of_fault_is_the_one_finding_and_stands_at_its_value(
    line: str, code: str, version: str, tmp_path: Path
) -> None:
    for path, text in CHART.items():
        file = tmp_path / "charts" / "odd" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    catalog = write_catalog(tmp_path / "catalog", {"odd": ""})
    values = catalog / "components" / "odd" / "values.yaml"
    values.write_text(f"# a comment\n{line}\n")
    found = findings(catalog, helm_binaries()[version], "--kube-version", "1.35", charts=tmp_path / "charts")
    assert [(item["code"], item["file"], item["line"]) for item in found] == (
        [(code, values.as_posix(), 2)] if code else []
    )
