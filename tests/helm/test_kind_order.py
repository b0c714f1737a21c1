"""The order of objects within one folder: by kind, whatever the order of files and documents, and back again."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from helm.helm_site import Site, manifest_only, write_bundle
from helm_binaries import helm_binaries
from plan_factory import TALOS, manifest, namespace_manifest, plan

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from groundswell.resolve.resolution import Manifest
    from helm.fakeapi import FakeApi

pytestmark = pytest.mark.helm

# Kinds that Helm does not know come last, by name.
CREATED = ("serviceaccounts", "secrets", "configmaps", "services", "deployments", "certificates", "issuers")
DELETED = ("services", "deployments", "configmaps", "secrets", "serviceaccounts", "certificates", "issuers")

KINDS = {
    "Deployment": "apps/v1",
    "Certificate": "cert-manager.test/v1",
    "Issuer": "cert-manager.test/v1",
    "ConfigMap": "v1",
    "Service": "v1",
    "Secret": "v1",
    "ServiceAccount": "v1",
}
DEFINITION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: {plural}.cert-manager.test}}
spec:
  group: cert-manager.test
  scope: Namespaced
  names: {{kind: {kind}, plural: {plural}, singular: {single}, listKind: {kind}List}}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {{openAPIV3Schema: {{type: object, x-kubernetes-preserve-unknown-fields: true}}}}
"""


def text(kind: str) -> str:
    return (
        f"apiVersion: {KINDS[kind]}\nkind: {kind}\nmetadata:\n  name: web\n  namespace: {{{{ .Release.Namespace }}}}\n"
    )


def one_file(kinds: Sequence[str]) -> tuple[Manifest, ...]:
    return (manifest("---\n".join(text(kind) for kind in kinds), "components/web/manifests/all.yaml"),)


def file_each(kinds: Sequence[str]) -> tuple[Manifest, ...]:
    return tuple(manifest(text(kind), f"components/web/manifests/{number}.yaml") for number, kind in enumerate(kinds))


def definitions() -> Manifest:
    kinds = ("Certificate", "Issuer")
    texts = [DEFINITION.format(kind=kind, plural=f"{kind.lower()}s", single=kind.lower()) for kind in kinds]
    return manifest("---\n".join(texts), "components/web/manifests/crds.yaml")


def asked(api: FakeApi, method: str) -> tuple[str, ...]:
    """The kinds of the folder's objects that a method's requests were about, in the order in which they came."""
    requests = [request for request in api.log if request.method == method and request.code < 300]
    paths = [
        (request.path if method == "DELETE" else f"{request.path}/{request.name}").split("/") for request in requests
    ]
    return tuple(path[-2] for path in paths if path[-4:-2] == ["namespaces", "web"] and path[-1] == "web")


@pytest.mark.parametrize("major", ["3", "4"])
@pytest.mark.parametrize("manifests", [one_file, file_each])
@pytest.mark.parametrize("seed", [1, 2])
def test_kinds_are_created_and_deleted_in_helms_order_whatever_the_order_of_the_text(
    api: FakeApi, tmp_path: Path, major: str, manifests: Callable[[Sequence[str]], tuple[Manifest, ...]], seed: int
) -> None:
    kinds = [*KINDS]
    random.Random(seed).shuffle(kinds)  # noqa: S311  any order will do
    before = (definitions(), namespace_manifest("web"))
    web = manifest_only("web", pre_manifests=before, manifests=manifests(kinds), namespace="web")
    bundle = write_bundle(plan(web, criteria=TALOS), tmp_path / "bundle")
    kubeconfig = str(api.kubeconfig(tmp_path / "kubeconfig"))
    site = Site(bundle, helm_binaries()[major], tmp_path / "home", env={"KUBECONFIG": kubeconfig})
    done = site.run("install.sh", "--no-wait")
    assert done.returncode == 0, done.stderr
    created = [request.path.split("/")[-1] for request in api.log if request.method == "POST" and request.code < 300]
    assert max(created.index("customresourcedefinitions"), created.index("namespaces")) < created.index("deployments")
    assert asked(api, "POST") == CREATED
    api.log.clear()
    done = site.run("uninstall.sh")
    assert done.returncode == 0, done.stderr
    assert asked(api, "DELETE") == DELETED
