"""What an API server was asked to write, in order, from its audit log."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

_POLICY = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived"],
    "rules": [
        {
            "level": "None",
            "resources": [{"group": "coordination.k8s.io"}, {"group": "events.k8s.io"}, {"resources": ["events"]}],
        },
        {"level": "RequestResponse", "verbs": ["create", "update", "patch", "delete", "deletecollection"]},
        {"level": "None"},
    ],
}


@dataclass(frozen=True, slots=True)
class Write:
    """One request that would change something: by whom, what came of it, the object or the refusal in the answer."""

    at: int
    agent: str
    verb: str
    resource: str
    part: str
    namespace: str
    name: str
    code: int
    answer: dict[str, Any] = field(repr=False)

    @property
    def by_helm(self) -> bool:
        return self.agent.startswith("Helm/")

    @property
    def created(self) -> bool:
        """Whether an object came into being by it."""
        return self.verb == "create" and self.code == 201 and not self.part

    @property
    def release(self) -> bool:
        """Whether it is about Helm's own record of a release."""
        return self.resource == "secrets" and self.name.startswith("sh.helm.release.v1.")


def audit_options(directory: Path) -> list[str]:
    """The API server's options for a log of all writes in `directory`."""
    policy = directory / "audit-policy.json"
    policy.write_text(json.dumps(_POLICY))
    return [f"--audit-policy-file={policy}", f"--audit-log-path={_log(directory)}", "--audit-log-mode=blocking-strict"]


def writes(directory: Path) -> list[Write]:
    """All writes until now, by the time at which they were done."""
    lines = [json.loads(line) for line in _log(directory).read_text().splitlines()]
    lines.sort(key=lambda line: str(line["stageTimestamp"]))
    return [_write(at, line) for at, line in enumerate(lines)]


def _log(directory: Path) -> Path:
    return directory / "audit.log"


def _write(at: int, line: dict[str, Any]) -> Write:
    target, answer = line.get("objectRef", {}), line.get("responseObject", {})
    return Write(
        at=at,
        agent=line.get("userAgent", ""),
        verb=line["verb"],
        resource=target.get("resource", ""),
        part=target.get("subresource", ""),
        namespace=target.get("namespace", ""),
        name=target.get("name") or answer.get("metadata", {}).get("name", ""),
        code=line["responseStatus"]["code"],
        answer=answer,
    )
