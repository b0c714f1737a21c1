"""Constraints as tests that the preflight chart can make with what the API server tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from groundswell.deploy.kube_version import SERVER_VERSION
from groundswell.diagnostics.codes import deployer as codes
from groundswell.resolve.constraints import conditions
from groundswell.resolve.versions import build, parse_version, places
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Constraint
    from groundswell.resolve.versions import Condition

# What a node's `osImage` begins with, by the ID of its /etc/os-release and by the name that criteria use.
SYSTEMS: Mapping[str, str] = {
    "almalinux": "AlmaLinux",
    "amazonlinux": "Amazon Linux",
    "amzn": "Amazon Linux",
    "bottlerocket": "Bottlerocket",
    "cos": "Container-Optimized OS",
    "debian": "Debian",
    "flatcar": "Flatcar",
    "ol": "Oracle Linux",
    "rhel": "Red Hat",
    "rocky": "Rocky Linux",
    "sles": "SUSE Linux Enterprise",
    "talos": "Talos",
    "ubuntu": "Ubuntu",
}

_VERSIONS_OF_NODES = {
    "OS.release.VERSION_ID": "version",
    "OS.release.KERNEL_VERSION": "kernel",
    "OS.sysctl./proc/sys/kernel/osrelease": "kernel",
}


def preflight_values(constraints: Iterable[Constraint]) -> tuple[dict[str, Any], tuple[Diagnostic, ...]]:
    """The values of the preflight chart, and a warning for each constraint that the API server cannot answer.

    `kubernetes` and `nodes` are lists of tests, one for each comparison; `unanswerable` lists the constraints that only
    make the preflight fail: what cannot be checked must not count as checked.
    """
    values: dict[str, Any] = {"kubernetes": [], "nodes": [], "unanswerable": []}
    findings = []
    for constraint in constraints:
        tests = [_test(constraint, condition) for condition in conditions(constraint) or ()]
        if tests and all(tests):
            values["kubernetes" if constraint.name == SERVER_VERSION else "nodes"].extend(tests)
        else:
            values["unanswerable"].append(_named(constraint, constraint.value))
            findings.append(_unanswerable(constraint))
    return values, tuple(findings)


def _test(constraint: Constraint, condition: Condition) -> dict[str, Any] | None:
    """One comparison as the chart reads it, None where the API server tells nothing to compare with."""
    operator = condition.operator or "=="
    named = _named(constraint, f"{operator} {condition.operand}")
    if constraint.name == "OS.release.ID":
        prefix = SYSTEMS.get(condition.operand)
        if prefix is None or operator not in {"==", "!="}:
            return None
        return named | {"fact": "system", "operator": operator, "prefix": prefix}
    fact = "server" if constraint.name == SERVER_VERSION else _VERSIONS_OF_NODES.get(constraint.name)
    version = parse_version(condition.operand)
    if fact is None or version is None:
        return None
    # Compared is as much as the constraint states, and all of a literal and of what AICR catalogs call equal
    # (`resolve.versions`). An osImage often says more than its VERSION_ID (`24.04.2 LTS`), so that one is always
    # compared as far as it is written.
    all_three = fact != "version" and (not condition.operator or (condition.aicr and operator in {"==", "!="}))
    known = len(version) if all_three else places(condition.operand)
    test = named | {"fact": fact, "operator": operator, "numbers": list(version[:known])}
    asked = build(condition.operand) if fact == "server" and not condition.aicr else None
    return test | {"build": {"provider": asked[0], "number": asked[1]}} if asked else test


def _named(constraint: Constraint, value: str) -> dict[str, Any]:
    where = f" ({constraint.file}:{constraint.line})" if constraint.file else ""
    return {"constraint": f"{constraint.name} {value}", "source": constraint.layer + where}


def _unanswerable(constraint: Constraint) -> Diagnostic:
    span = None
    if constraint.file:
        span = Span(constraint.file, constraint.line, constraint.column, constraint.line, constraint.column + 1)
    return codes.CONSTRAINT_UNANSWERABLE(
        f"no API server can answer the constraint `{constraint.name}` `{constraint.value}`",
        span,
        help="check it before the installation, then run `install.sh --skip-constraints`",
    )
