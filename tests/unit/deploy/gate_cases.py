"""Applications as Argo CD stores them, each with the health that the gate must give it.

Most are a chart with inlined values, as the bundle's children are; some have several sources or the values as an
object, since the rule serves Applications that others have annotated as well.
"""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

Object = dict[str, Any]

GATED = {"groundswell.dev/wave-gate": "strict"}
DESTINATION = {"server": "https://kubernetes.default.svc", "namespace": "gpu"}
AUTOMATED = {"automated": {"prune": True, "selfHeal": True}, "retry": {"limit": 10}}
OLD, NEW = "25.3.0", "25.3.1"
BEFORE, FINISHED, AFTER = "2026-08-01T10:03:00Z", "2026-08-01T10:04:30Z", "2026-08-01T10:05:00Z"


class Case(NamedTuple):
    name: str
    want: str
    application: Object


def chart_source(version: str = OLD, values: str = "driver:\n  enabled: false\n") -> Object:
    helm = {"releaseName": "gpu-operator", "values": values}
    return {"repoURL": "https://charts.example.test", "chart": "gpu-operator", "targetRevision": version, "helm": helm}


def application(source: Object | None = None, *, automated: bool = True, **fields: Any) -> Object:
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": "gpu-operator", "namespace": "argocd", "annotations": dict(GATED)},
        "spec": {
            "project": "default",
            "source": copy.deepcopy(source or chart_source()),
            "destination": dict(DESTINATION),
            "syncPolicy": copy.deepcopy(AUTOMATED) if automated else {},
        },
    } | fields


def status(
    sync: str = "Synced",
    health: str = "Healthy",
    source: Object | None = None,
    *,
    conditions: tuple[tuple[str, str], ...] = (),
    reconciled: str = AFTER,
) -> Object:
    compared = {"source": copy.deepcopy(source or chart_source()), "destination": dict(DESTINATION)}
    result: Object = {
        "sync": {"status": sync, "comparedTo": compared, "revision": (source or chart_source())["targetRevision"]},
        "health": {"status": health},
        "reconciledAt": reconciled,
    }
    if conditions:
        result["conditions"] = [{"type": kind, "message": text} for kind, text in conditions]
    return result


def ran(phase: str, source: Object | None = None, revision: str | None = None) -> Object:
    """The state of the last operation, for a status."""
    source = source or chart_source()
    result = {"source": copy.deepcopy(source), "revision": revision or source["targetRevision"]}
    state: Object = {"phase": phase, "message": f"{phase} message", "startedAt": BEFORE, "syncResult": result}
    if phase not in {"Running", "Terminating"}:
        state["finishedAt"] = FINISHED
    return {"operationState": state}


def changed(application: Object, path: str, value: Any) -> Object:
    """A copy with one field set, or taken out when the value is `...`."""
    result = copy.deepcopy(application)
    *parents, last = path.split("/")
    node = result
    for key in parents:
        node = node[key]
    if value is ...:
        del node[last]
    else:
        node[last] = value
    return result


def _fresh() -> list[Case]:
    compared = {"source": {"repoURL": ""}, "destination": {}}
    return [
        Case("no status yet", "Progressing", application()),
        Case("empty status", "Progressing", application(status={})),
        Case(
            "empty comparison",
            "Progressing",
            application(status={"sync": {"status": "Unknown", "comparedTo": compared}}),
        ),
        Case("first comparison, sync requested", "Progressing", _syncing(status("OutOfSync", "Missing"))),
    ]


def _syncing(state: Object) -> Object:
    return application(operation={"sync": {"prune": True}}, status=state)


def _at_work() -> list[Case]:
    return [
        Case("sync running", "Progressing", _syncing(status("OutOfSync") | ran("Running"))),
        Case("synced and healthy, hooks still running", "Progressing", _syncing(status() | ran("Running"))),
        Case("between two retries", "Progressing", _syncing(status("OutOfSync", "Degraded") | ran("Running"))),
        Case("terminating", "Progressing", _syncing(status("OutOfSync") | ran("Terminating"))),
        Case("phase Running left behind, no operation", "Healthy", application(status=status() | ran("Running"))),
        Case("rolling out", "Progressing", application(status=status(health="Progressing") | ran("Succeeded"))),
    ]


def _stale() -> list[Case]:
    new = application(chart_source(NEW))
    done = application(status=status() | ran("Succeeded"))
    old_failure = status("OutOfSync") | ran("Failed")
    old_values = status(source=chart_source(values="driver:\n  enabled: true\n"))
    elsewhere = {"name": "other", "namespace": "gpu"}
    inferred = {"name": "in-cluster", **DESTINATION}
    named = changed(done, "spec/destination", {"name": "in-cluster", "namespace": "gpu"})
    return [
        Case("healthy, but of the version before", "Progressing", new | {"status": status() | ran("Succeeded")}),
        Case(
            "degraded version before, which this one mends", "Progressing", new | {"status": status(health="Degraded")}
        ),
        Case("failed sync of the version before", "Progressing", new | {"status": old_failure}),
        Case("healthy with the values before", "Progressing", application(status=old_values)),
        Case("healthy in the namespace before", "Progressing", changed(done, "spec/destination/namespace", "gpu2")),
        Case("other cluster, not compared yet", "Progressing", changed(done, "spec/destination", elsewhere)),
        Case(
            "cluster named, address inferred", "Healthy", changed(named, "status/sync/comparedTo/destination", inferred)
        ),
    ]


def _done() -> list[Case]:
    new, now = chart_source(NEW), application(chart_source(NEW))
    pair = (("SharedResourceWarning", "shared"), ("OrphanedResourceWarning", "orphan"))
    return [
        Case("done", "Healthy", application(status=status() | ran("Succeeded"))),
        Case("done, never synced here", "Healthy", application(status=status())),
        Case("change without effect, no new sync", "Healthy", now | {"status": status(source=new) | ran("Succeeded")}),
        Case("failed hook of the version before", "Healthy", now | {"status": status(source=new) | ran("Failed")}),
        Case("warnings only", "Healthy", application(status=status(conditions=pair) | ran("Succeeded"))),
        Case("synced, auto-sync off", "Healthy", application(automated=False, status=status())),
    ]


def _failed() -> list[Case]:
    new = application(chart_source(NEW))
    lost = status("Unknown", source=chart_source(NEW), conditions=(("ComparisonError", "no such version"),))
    invalid = status("Unknown", "Unknown", conditions=(("InvalidSpecError", "repository not permitted"),))
    unknown = status("Unknown", "Unknown", conditions=(("UnknownError", "unexpected"),))
    refused = status("OutOfSync", conditions=(("SyncError", "auto-sync will wipe out all resources"),))
    failed = application(status=status("OutOfSync") | ran("Failed"))
    return [
        Case("failed sync", "Degraded", failed),
        Case("failed sync without result", "Degraded", changed(failed, "status/operationState/syncResult", ...)),
        Case("sync in error, unknown", "Degraded", application(status=status("Unknown") | ran("Error"))),
        Case("failed hook: synced and healthy", "Degraded", application(status=status() | ran("Failed"))),
        Case("degraded", "Degraded", application(status=status(health="Degraded") | ran("Succeeded"))),
        Case("version not found", "Degraded", new | {"status": lost | ran("Succeeded")}),
        Case("spec refused, comparison before", "Degraded", new | {"status": invalid}),
        Case("spec not understood", "Degraded", new | {"status": unknown}),
        Case("auto-sync refused", "Degraded", application(status=refused)),
    ]


def _unhealthy() -> list[Case]:
    unknown = application(chart_source(NEW), status=status("Unknown", source=chart_source(NEW)) | ran("Succeeded"))
    return [
        Case("health unknown", "Progressing", application(status=status(health="Unknown") | ran("Succeeded"))),
        Case("nothing there", "Progressing", application(status=status("OutOfSync", "Missing"))),
        Case("health empty", "Progressing", application(status=status(health="") | ran("Succeeded"))),
        Case("comparison unknown, no condition", "Progressing", unknown),
        Case("comparison absent", "Progressing", changed(application(status=status()), "status/sync/status", ...)),
        Case("suspended", "Suspended", application(status=status(health="Suspended") | ran("Succeeded"))),
    ]


def _out_of_sync() -> list[Case]:
    synced = ran("Succeeded")
    new = chart_source(NEW)
    off = application(status=status("OutOfSync"))
    off["spec"]["syncPolicy"]["automated"]["enabled"] = False
    moved = ran("Succeeded", revision="another commit")
    return [
        Case("auto-sync about to start", "Progressing", application(status=status("OutOfSync"))),
        Case("half applied", "Progressing", application(new, status=status("OutOfSync", source=new) | synced)),
        Case("compared before the sync ended", "Progressing", _drift(BEFORE)),
        Case("compared in the second in which it ended", "Progressing", _drift(FINISHED)),
        Case("lasting drift", "Healthy", _drift(AFTER)),
        Case("lasting drift, rolling out", "Progressing", _drift(AFTER, "Progressing")),
        Case("drift of another revision", "Progressing", application(status=status("OutOfSync") | moved)),
        Case("unknown is no drift", "Progressing", application(status=status("Unknown") | synced)),
        Case(
            "drift, a retry left behind",
            "Progressing",
            changed(_drift(AFTER), "status/operationState/phase", "Running"),
        ),
        Case("manual sync needed", "Suspended", application(automated=False, status=status("OutOfSync"))),
        Case("auto-sync disabled", "Suspended", off),
    ]


def _drift(reconciled: str, health: str = "Healthy") -> Object:
    return application(status=status("OutOfSync", health, reconciled=reconciled) | ran("Succeeded"))


def _stored(spec: Object, compared: Object) -> Object:
    """A local chart whose `source` differs from the stored copy in the given fields."""
    source = {"repoURL": "https://git.example.test/b.git", "path": "001-x-pre", "targetRevision": "a" * 40}
    return application(source | spec, status=status(source=source | compared))


def _round_trips() -> list[Case]:
    def helm(spec: Object | None, compared: Object | None) -> Object:
        return _stored({} if spec is None else {"helm": spec}, {} if compared is None else {"helm": compared})

    def values(spec: Object, compared: Object) -> Object:
        return helm({"valuesObject": spec}, {"valuesObject": compared})

    off, nested = {"a": {"enabled": False}}, {"valuesObject": {"x": False}}
    named = {"releaseName": "x"}
    directory = _stored(
        {"directory": {"recurse": False, "include": "*"}}, {"directory": {"include": "*", "jsonnet": {}}}
    )
    return [
        Case("same commit", "Healthy", _stored({}, {})),
        Case("commit before", "Progressing", _stored({}, {"targetRevision": "b" * 40})),
        Case("false and empty fields dropped", "Healthy", helm(named | {"skipCrds": False, "valueFiles": []}, named)),
        Case("empty helm dropped", "Healthy", helm({}, None)),
        Case("directory defaults", "Healthy", directory),
        Case("values text changed", "Progressing", helm({"values": "a: 1\n"}, {"values": "a: 2\n"})),
        Case("values text removed", "Progressing", helm(named, named | {"values": "a: 1\n"})),
        Case("values objects equal", "Healthy", values(off | {"n": 8388608}, {"n": 8388608} | off)),
        Case("false value removed", "Progressing", values({"a": {}}, off)),
        Case("false value added", "Progressing", values(off, {"a": {}})),
        Case("empty values object on one side", "Healthy", helm(named | {"valuesObject": {}}, named)),
        Case("empty values object on the other", "Healthy", helm(named, named | {"valuesObject": {}})),
        Case("values object added", "Progressing", helm(named | {"valuesObject": {"a": False}}, named)),
        Case("values object removed", "Progressing", helm(named, named | {"valuesObject": {"a": False}})),
        Case("null value dropped", "Healthy", values({"a": None, "b": 1}, {"b": 1})),
        Case("key of that name inside values", "Progressing", values(nested, {"valuesObject": {}})),
    ]


def _several_sources() -> list[Case]:
    pair = [chart_source(), {"repoURL": "https://git.example.test/b.git", "targetRevision": "a" * 40, "ref": "values"}]
    compared = {"source": {"repoURL": ""}, "sources": copy.deepcopy(pair), "destination": dict(DESTINATION)}
    single = application(status=status())
    stale = application(chart_source(NEW), status=status())
    several = changed(changed(single, "spec/sources", pair), "spec/source", ...)
    done = changed(several, "status/sync/comparedTo", compared)
    return [
        Case("several sources, done", "Healthy", done),
        Case("one source before, several now", "Progressing", several),
        Case("several sources before, one now", "Progressing", changed(single, "status/sync/comparedTo", compared)),
        Case("order of sources changed", "Progressing", changed(done, "spec/sources", pair[::-1])),
        Case("empty list of sources beside one", "Healthy", changed(single, "spec/sources", [])),
        Case("empty list of sources, stale", "Progressing", changed(stale, "spec/sources", [])),
    ]


def _others() -> list[Case]:
    drifted = changed(application(status=status("OutOfSync")), "metadata/annotations", {})
    broken = application(status=status(health="Degraded"))
    return [
        Case("not asked for: the manual's rule", "Healthy", drifted),
        Case("not asked for, no status", "Progressing", changed(application(), "metadata/annotations", {})),
        Case("no annotations", "Degraded", changed(broken, "metadata/annotations", ...)),
        Case(
            "gate asked for otherwise", "Healthy", changed(drifted, "metadata/annotations", dict.fromkeys(GATED, "off"))
        ),
    ]


CASES: tuple[Case, ...] = (
    *_fresh(),
    *_at_work(),
    *_stale(),
    *_done(),
    *_failed(),
    *_unhealthy(),
    *_out_of_sync(),
    *_round_trips(),
    *_several_sources(),
    *_others(),
)
