"""What Helm stores for a release, and that the compiler's figure for it is right where it must be."""

from __future__ import annotations

import base64
import os
import random
import string
from typing import TYPE_CHECKING

import pytest

from groundswell.deploy.deployer import Settings
from groundswell.deploy.folders import build_folders
from groundswell.deploy.helm import DEPLOYER
from groundswell.deploy.helm.release_size import SECRET_LIMIT, stored_size
from groundswell.resolve.resolution import Origin
from helm.helm_site import Site, manifest_only, write_bundle
from helm_binaries import helm_binaries
from plan_factory import component, manifest, plan

if TYPE_CHECKING:
    from pathlib import Path

    from helm.fakeapi import FakeApi


def noise(length: int) -> str:
    """Text that compresses badly, the same in every run."""
    source = random.Random(length)  # noqa: S311  no secret, and it must be reproducible
    return "".join(source.choices(string.ascii_letters + string.digits, k=length))


def config(name: str, text: str) -> str:
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n  namespace: a\ndata:\n  text: {text}\n"


def findings_of(*manifests: str, **fields: object) -> list[tuple[str, str, int]]:
    made = plan(
        manifest_only(
            "a", manifests=tuple(manifest(text, f"m/{number}.yaml") for number, text in enumerate(manifests)), **fields
        )
    )
    folders, wrong = build_folders(made)
    assert not [finding for finding in wrong if finding.severity.value == "error"]
    found = DEPLOYER.emit(made, folders, Settings()).findings
    return [(item.code, item.span.file if item.span else "", item.span.line if item.span else 0) for item in found]


@pytest.mark.helm
@pytest.mark.parametrize("major", ["3", "4"])
def test_the_figure_is_what_helm_stores(major: str, api: FakeApi, tmp_path: Path) -> None:
    api.add_namespace("a")
    texts = [config("plain", noise(300_000)), config("other", "x" * 200_000) + "  {{ `k` }}: b\n"]
    made = plan(
        manifest_only("a", manifests=tuple(manifest(text) for text in texts), values={"key": "k", "z": noise(90_000)})
    )
    (built,) = build_folders(made)[0].values()
    bundle = write_bundle(made, tmp_path / "bundle")
    env = {"KUBECONFIG": os.fspath(api.kubeconfig(tmp_path / "config"))}
    done = Site(bundle, helm_binaries()[major], tmp_path / "home", env=env).run("install.sh", "--skip-constraints")
    assert done.returncode == 0, done.stderr
    (secret,) = api.objects("secrets").values()
    stored = len(base64.b64decode(secret["data"]["release"]))
    assert 0.93 * stored < stored_size(built) < 1.01 * stored, (stored, stored_size(built))


def test_a_release_that_no_secret_can_hold_is_an_error_at_its_largest_manifest() -> None:
    large = [config("one", noise(300_000)), config("two", noise(700_000))]
    assert findings_of(*large) == [("D303", "m/1.yaml", 1)]
    assert findings_of(large[0]) == []


def test_text_that_compresses_well_is_no_matter_however_long() -> None:
    assert findings_of(config("long", "x" * 4_000_000)) == []


def test_values_that_no_secret_can_hold_are_an_error_where_they_were_set() -> None:
    origin = Origin("recipe x", "recipes/x.yaml", 7, 5, "", "set", None)
    values = {"a": {"text": noise(SECRET_LIMIT)}, "b": 1}
    of = plan(component("a", values=values, origins={("b",): (), ("a", "text"): (origin,)}))
    (finding,) = DEPLOYER.emit(of, build_folders(of)[0], Settings()).findings
    assert finding.code == "D303"
    assert finding.span is not None
    assert finding.span[:2] == ("recipes/x.yaml", 7)
