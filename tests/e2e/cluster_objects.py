"""What a cluster holds and serves."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import httpx

Key = tuple[str, str, str, str]
"""What names an object: group, kind, namespace, name."""

Objects = dict[Key, dict[str, Any]]


def key(item: Mapping[str, Any], namespace: str = "") -> Key:
    """What names an object; `namespace` is that of one that names none."""
    group = item["apiVersion"].rpartition("/")[0]
    metadata = item["metadata"]
    return (group, item["kind"], metadata.get("namespace", namespace), metadata["name"])


def objects(api: httpx.Client) -> Objects:
    """Every object of the cluster but events, leases, and Helm's records of releases."""
    found = {}
    for base, kind in _listable(api):
        listed = api.get(f"{base}/{kind['name']}").raise_for_status().json()
        for item in listed["items"]:
            item |= {"apiVersion": listed["apiVersion"], "kind": kind["kind"]}
            if item.get("type") != "helm.sh/release.v1":
                found[key(item)] = item
    return found


def settled(api: httpx.Client, seconds: float = 60) -> Objects:
    """Every object, as soon as nobody works on them any more."""
    deadline = time.monotonic() + seconds
    before = objects(api)
    while True:
        time.sleep(1)
        after = objects(api)
        if versions(after) == versions(before):
            return after
        assert time.monotonic() < deadline
        before = after


def versions(found: Objects) -> dict[Key, str]:
    """Each object's resource version, which every change to it changes."""
    return {name: item["metadata"]["resourceVersion"] for name, item in found.items()}


def eventually(probe: Callable[[], bool], seconds: float = 90) -> None:
    """Return when `probe()` holds."""
    deadline = time.monotonic() + seconds
    while not probe():
        assert time.monotonic() < deadline
        time.sleep(0.3)


def _listable(api: httpx.Client) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every resource that can be listed, under one version each."""
    groups = api.get("/apis").json()["groups"]
    for base in ("/api/v1", *(f"/apis/{group['preferredVersion']['groupVersion']}" for group in groups)):
        for kind in api.get(base).json()["resources"]:
            if "list" in kind["verbs"] and kind["kind"] not in {"Event", "Lease", "ComponentStatus"}:
                yield base, kind


def served(api: httpx.Client) -> list[str]:
    """What Argo CD tells Helm of the cluster: every version of every group, and every kind of each."""
    bases = ["/api/v1"]
    for group in api.get("/apis").json()["groups"]:
        bases += [f"/apis/{version['groupVersion']}" for version in group["versions"]]
    found = []
    for base in bases:
        listed = api.get(base).json()
        version = listed["groupVersion"]
        found += [version, *sorted({f"{version}/{kind['kind']}" for kind in listed["resources"]})]
    return found


def path_of(api: httpx.Client, item: Mapping[str, Any], namespace: str) -> str:
    """Where the API serves an object; `namespace` is that of an object that names none."""
    version = item["apiVersion"]
    base = f"/apis/{version}" if "/" in version else f"/api/{version}"
    kinds = api.get(base).json()["resources"]
    kind = next(kind for kind in kinds if kind["kind"] == item["kind"] and "/" not in kind["name"])
    within = f"/namespaces/{item['metadata'].get('namespace', namespace)}" if kind["namespaced"] else ""
    return f"{base}{within}/{kind['name']}/{item['metadata']['name']}"
