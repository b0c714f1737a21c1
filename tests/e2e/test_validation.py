"""Validation against the API server: each sample is created with a dry run."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import httpx
import pytest

import validation_samples
from e2e.cluster_objects import path_of
from e2e.control_plane import control_plane
from groundswell.check.objects import KubeObject
from groundswell.check.schema.kubernetes import Builtin, builtin, not_required, oldest
from groundswell.check.tables import table_lines
from groundswell.check.validation.demands import demands
from groundswell.check.validation.fault import Context
from groundswell.check.validation.metadata import metadata_faults
from groundswell.check.validation.shapes import Shapes
from groundswell.check.validation.table import validated

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping
    from pathlib import Path

    from e2e.control_plane import ControlPlane
    from groundswell.check.validation.demands import Demand

pytestmark = pytest.mark.e2e

NAMESPACE = "kube-system"  # exempt from the policies on pods
GATED = frozenset({"IPv6", "RequireDualStack", "FailIndex", "Unmasked"})  # fit where something else says so
OTHERWISE = frozenset(
    {"APIService", "ClusterTrustBundle", "CustomResourceDefinition", "IPAddress"}
)  # follow the content
KEYS = frozenset({("io.k8s.api.core.v1.EvictionResponder", "name")})
"""Fields of what this server leaves out, that server-side apply wants all the same: keys of entries of a list."""
EMULATED = 34
"""The oldest minor that the server can stand for."""
NAMES = ("a", "A_b", "a.b", "1a", "a/b", "a" * 64)


class Judges:
    """Both who judge an object: the API server, and the schemas together with validation."""

    def __init__(self, cluster: ControlPlane) -> None:
        known = builtin(cluster.minor)
        assert known is not None, "install the schemas: `kubernetes-validate`"
        assert known.minor == cluster.minor
        self.cluster = cluster
        self.known: Builtin = known
        self.context = Context(cluster.minor, known.definitions)
        self.shapes = Shapes(known.definitions, validated())
        self.bases: dict[tuple[str, str], str] = {}
        account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}}
        cluster.api.post(f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts", json=account)

    def definition(self, item: Mapping[str, Any]) -> str:
        group, _, version = item["apiVersion"].rpartition("/")
        return self.known.kinds[group, version, item["kind"]]

    def server(self, item: Mapping[str, Any]) -> str:
        """Why the server refuses an object, "" where it takes it."""
        kind = (item["apiVersion"], item["kind"])
        if kind not in self.bases:
            named = {**item, "metadata": {"name": "x"}}
            self.bases[kind] = path_of(self.cluster.api, named, NAMESPACE).rpartition("/")[0]
        answer = self.cluster.api.post(self.bases[kind], params={"dryRun": "All"}, json=item)
        return "" if answer.is_success else str(answer.json()["message"])[:400]

    def ours(self, item: Mapping[str, Any]) -> list[str]:
        return validation_samples.judged(item, self.known.minor)

    def differing(self, samples: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, tuple[str, list[str]]]:
        """The samples that only one of them refuses."""
        found = {}
        for name, item in samples:
            theirs, ours = self.server(item), self.ours(item)
            if bool(theirs) != bool(ours):
                found[name] = (theirs, ours)
        return found


@pytest.fixture(scope="module")
def judges(cluster: ControlPlane) -> Judges:
    return Judges(cluster)


def test_objects_are_refused_where_the_api_server_refuses_them(judges: Judges) -> None:
    for name, base in validation_samples.bases().items():
        assert (judges.server(base), judges.ours(base)) == ("", []), name
    found = {}
    for sample in validation_samples.samples():
        theirs, ours = judges.server(sample.item), judges.ours(sample.item)
        if {not theirs, not ours} != {sample.fine}:
            found[sample.name] = (theirs, ours)
    assert found == {}


@pytest.mark.usefixtures("judges")  # the programs are there
def test_samples_are_judged_for_an_older_version_as_its_server_judges_them(tmp_path: Path) -> None:
    """The server emulates the version: it has the features that were there, and on."""
    with control_plane(tmp_path, [f"--emulated-version=1.{EMULATED}"]) as older:
        server = Judges(older).server
        found = {}
        for sample in validation_samples.samples():
            theirs, ours = server(sample.item), validation_samples.judged(sample.item, EMULATED)
            if bool(theirs) != bool(ours):
                found[sample.name] = (theirs, ours)
    assert found == {}


def values_for(demand: Demand, known: Container[str]) -> Iterator[Any]:
    """What is tried in a field: some that fit, and some that do not. Less of it for a form that is `known` already."""
    word, _, rest = demand.text.partition(" ")
    texts = ("", "a", "A b") if demand.text in known else validation_samples.TEXTS
    if word == "one":
        yield from (
            "",
            "Wrong",
            *(name for value in rest.removeprefix("of ").split() if (name := value.partition("@")[0]) not in GATED),
        )
    elif word == "from":
        least, _, most = rest.partition(" to ")
        yield from (int(least) - 1, int(least), 0, *((int(most), int(most) + 1) if most else ()))
    elif word in {"share", "port"}:
        yield from (0, -1, 1, 65536, *texts)
    else:
        yield from texts
    if demand.needed:
        yield validation_samples.GONE


def test_each_demand_is_one_of_the_api_server(judges: Judges) -> None:
    """Wherever a demand applies to the samples, fields get values that fit, and values that do not."""
    tried: set[tuple[str, str, str]] = set()
    found: dict[str, tuple[str, list[str]]] = {}
    for base, item in validation_samples.bases().items():
        for name, value, path in judges.shapes.values(item, judges.definition(item)):
            for demand in demands().get(name, ()):
                if demand.field not in value or (name, demand.field, demand.text) in tried:
                    continue
                found |= judges.differing(_with(base, path, demand, {text for _, _, text in tried}))
                tried.add((name, demand.field, demand.text))
    assert found == {}
    missing = {(name, wanted.field) for name, listed in demands().items() for wanted in listed} - {
        (name, field) for name, field, _ in tried
    }
    assert missing == set()


def _with(
    base: str, path: tuple[str, ...], demand: Demand, known: Container[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The base with each of the values in the field, or in the place of the first entry of it."""
    for value in values_for(demand, known):
        item = deepcopy(validation_samples.bases()[base])
        holder: Any = item
        for key in path:
            holder = holder[int(key)] if isinstance(holder, list) else holder[key]
        before = holder[demand.field]
        if value is validation_samples.GONE:
            del holder[demand.field]
        elif isinstance(before, list) and demand.text != "filled":
            holder[demand.field] = [value]
        elif isinstance(before, dict):
            holder[demand.field] = {value: next(iter(before.values()))}
        elif demand.text == "filled" and not isinstance(before, str):
            holder[demand.field] = type(before)()
        else:
            holder[demand.field] = value
        yield f"{base} {'.'.join(path)} {demand.field}={value!r}"[:200], item


def test_fields_are_required_where_the_api_server_requires_them(judges: Judges) -> None:
    """Each field that schemas of any version call required is left out, wherever the samples have it."""
    relieved = set(not_required())
    tried: set[tuple[str, str]] = set()
    wrong = {}
    answers: dict[tuple[str, str], str] = {}
    for minor in range(oldest() or 0, judges.cluster.minor + 1):
        for base, field, required in _required(minor, relieved):
            item = validation_samples.changed(base, field, validation_samples.GONE)
            if (base, field) not in answers:
                answers[base, field] = judges.server(item)
            ours = validation_samples.judged(item, minor)
            if bool(answers[base, field]) != bool(ours) and required not in KEYS:
                wrong[minor, base, field] = (answers[base, field], ours)
            tried.add(required)
    assert wrong == {}
    assert relieved - tried == set()


def _required(minor: int, relieved: set[tuple[str, str]]) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """The bases, paths in them, and the definition and field of what a version requires, or would without the table."""
    known = builtin(minor)
    assert known is not None
    shapes = Shapes(known.definitions, known.definitions)
    for base, item in validation_samples.bases().items():
        group, _, version = item["apiVersion"].rpartition("/")
        definition = known.kinds.get((group, version, item["kind"]))
        for name, value, path in shapes.values(item, definition) if definition else ():
            required = {*known.definitions[name].get("required", ()), *(field for of, field in relieved if of == name)}
            for field in sorted(required & set(value)) if isinstance(value, dict) else ():
                yield base, ".".join((*path, field)), (name, field)


def test_the_time_zones_of_the_table_are_those_of_the_api_server(judges: Judges) -> None:
    """Each as it stands there, and in small letters, which none has."""
    lines = (line.split("\t") for line in table_lines("time-zones.tsv"))
    names = [f"{area}/{name}".lstrip("/") for area, listed in lines for name in listed.split()]
    tried = {*names, *map(str.lower, names)}
    samples = {name: validation_samples.changed("CronJob", "spec.timeZone", name) for name in tried}
    assert judges.differing(samples.items()) == {}


def test_a_spec_that_is_not_there_is_one_without_fields(judges: Judges) -> None:
    bare = {
        base: validation_samples.changed(base, "spec", validation_samples.GONE) for base in validation_samples.bases()
    }
    assert judges.differing(bare.items()) == {}


def test_names_have_the_form_that_the_api_server_wants_of_each_kind(judges: Judges) -> None:
    """An object without content is refused for many reasons; those on its name are compared."""
    found = {}
    for group, version, kind in judges.known.kinds:
        base = _served(judges.cluster, f"{group}/{version}".lstrip("/"), kind)
        for name in NAMES if base and kind not in OTHERWISE else ():
            item = {"apiVersion": f"{group}/{version}".lstrip("/"), "kind": kind, "metadata": {"name": name}}
            answer = judges.cluster.api.post(base, params={"dryRun": "All"}, json=item)
            if answer.status_code in (httpx.codes.BAD_REQUEST, httpx.codes.INTERNAL_SERVER_ERROR):
                continue  # it did not get as far as the name
            causes = answer.json().get("details", {}).get("causes", ())
            theirs = any(cause.get("field") in {"metadata.name", "spec.template.labels"} for cause in causes)
            judged = metadata_faults(KubeObject("f", "", item, NAMESPACE), judges.context)
            ours = any(fault.path == ("metadata", "name") for fault in judged)
            if theirs != ours:
                found[f"{kind} ({group}/{version}) {name[:10]}"] = (theirs, ours, answer.text[:300])
    assert found == {}


def _served(cluster: ControlPlane, version: str, kind: str) -> str:
    """Where objects of a kind are created, "" where the server does not do that."""
    root = f"/apis/{version}" if "/" in version else f"/api/{version}"
    listed = cluster.api.get(root)
    for resource in listed.json().get("resources", ()) if listed.is_success else ():
        if resource["kind"] == kind and "create" in resource["verbs"] and "/" not in resource["name"]:
            within = f"/namespaces/{NAMESPACE}" if resource["namespaced"] else ""
            return f"{root}{within}/{resource['name']}"
    return ""
