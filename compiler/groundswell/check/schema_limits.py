"""What the schemas could not tell: those that are missing, and the rules in them that nobody evaluates."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.schema.kubernetes import builtin, oldest
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from groundswell.check.crds import Crd
    from groundswell.check.rendering import Rendering
    from groundswell.diagnostics.diagnostic import Diagnostic

_CEL = "x-kubernetes-validations"


class Limits(NamedTuple):
    """Why built-in kinds could not be held against the schemas of the very target, in a sentence for the summary ("").

    `rules` is a phrase on rules in CEL, "" when there are none.
    """

    schemas: str
    rules: str
    findings: tuple[Diagnostic, ...]


def limits(rendering: Rendering) -> Limits:
    """What was not judged for want of schemas, and for want of something that evaluates CEL."""
    schemas, finding = _schemas(rendering.target.minor)
    return Limits(schemas, _rules(rendering), (finding,) if finding else ())


def _schemas(minor: int) -> tuple[str, Diagnostic | None]:
    known, first = builtin(minor), oldest()
    if known is None and first is None:
        message = "objects of built-in kinds were not held against schemas: there are none here"
        return "not judged", codes.NO_SCHEMAS(message, help="install `groundswell[schemas]`")
    if known is None:
        message = (
            f"objects of built-in kinds were not held against schemas: there are none of 1.{minor} here, only of"
            f" 1.{first} and later"
        )
        return "not judged", codes.NO_SCHEMAS(message, help="name a newer version with `--kube-version`")
    if known.minor != minor:
        message = (
            f"objects were held against the schemas of Kubernetes 1.{known.minor}: there are none of 1.{minor} here"
        )
        return f"of 1.{known.minor}", codes.NO_SCHEMAS(message, help="install a newer `kubernetes-validate`")
    return "", None


def _rules(rendering: Rendering) -> str:
    """How many objects have a definition with rules in CEL."""
    concerned = [
        crds
        for item in rendering.objects
        if (crds := rendering.crds.get((item.group, item.kind))) and any(map(_has_rules, crds))
    ]
    if not concerned:
        return ""
    if len(concerned) == 1:
        return "whether one object keeps the rules in CEL of its definition"
    kinds = len({(crds[0].group, crds[0].kind) for crds in concerned})
    of = f"of {kinds} kinds" if kinds > 1 else "of one kind"
    return f"whether {len(concerned)} objects {of} keep the rules in CEL of their definitions"


def _has_rules(crd: Crd) -> bool:
    definition = crd.definition
    return _CEL.encode() in definition.whole if definition.whole else f"'{_CEL}'" in str(definition.data)
