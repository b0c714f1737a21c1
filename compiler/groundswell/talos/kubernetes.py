"""The Kubernetes versions that each Talos runs, against those that a plan asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.deploy.kube_version import SERVER_VERSION
from groundswell.diagnostics.codes import talos as codes
from groundswell.diagnostics.diagnostic import Related
from groundswell.resolve.constraints import conditions
from groundswell.resolve.versions import Condition, satisfiable
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Constraint
    from groundswell.talos.version import TalosVersion

# Oldest and newest minor version of Kubernetes 1 for each minor version of Talos 1.
_MINORS = {10: (28, 33), 11: (29, 34), 12: (30, 35), 13: (31, 36), 14: (32, 37), 15: (33, 38)}


def kubernetes_minors(version: TalosVersion) -> tuple[int, int] | None:
    """The oldest and the newest minor version of Kubernetes 1 that a Talos runs; None when it is too new to tell.

    The newest is what a configuration generated for that Talos states.
    """
    return _MINORS.get(version.minor)


def kubernetes_findings(
    constraints: Iterable[Constraint], version: TalosVersion, at: Span | None
) -> Iterator[Diagnostic]:
    """Constraints that no Kubernetes of this Talos meets, at the Talos version's place `at` or at the first."""
    minors = kubernetes_minors(version)
    if minors is None:
        return
    oldest, newest = minors
    stated = [item for item in constraints if item.name == SERVER_VERSION]
    asked = [condition for item in stated for condition in conditions(item) or ()]
    if asked and not satisfiable([*asked, Condition(">=", f"1.{oldest}"), Condition("<", f"1.{newest + 1}")]):
        wanted = ", ".join(item.value for item in stated)
        text = f"Talos {version} runs Kubernetes 1.{oldest} to 1.{newest}, and `{wanted}` is asked for"
        places = [
            (Span(item.file, item.line, item.column, item.line, item.column), item) for item in stated if item.file
        ]
        related = [Related(span, f"{item.layer} asks for `{item.value}`") for span, item in places]
        yield codes.KUBERNETES_VERSION(text, at or (places[0][0] if places else None), related=related if at else ())
