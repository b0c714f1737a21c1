"""When something applies, and what it asks of a cluster. The texts under fields are for editors (`model.schema`)."""

from __future__ import annotations

from pydantic import ConfigDict, field_validator

from groundswell.model.fields import Authored, CriteriaValue, Text


class Criteria(Authored):
    """The dimensions that a recipe states. Null is one of the ways to leave one out."""

    @field_validator("*", mode="before")
    @classmethod
    def _no_null(cls, value: object) -> object:
        return value

    service: CriteriaValue | None = None
    """Where the cluster runs: eks, kind, metal, …"""
    accelerator: CriteriaValue | None = None
    """The accelerator: h100, gb200, …"""
    os: CriteriaValue | None = None
    """The nodes' operating system: talos, ubuntu, …"""
    intent: CriteriaValue | None = None
    """What the cluster is for: training, inference."""
    platform: CriteriaValue | None = None
    """The platform on top: kubeflow, …"""


class Constraint(Authored):
    """A condition on the cluster, such as `K8s.server.version` `>= 1.32`."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"properties": {"replace": {"const": True}}, "required": ["replace"]},
            "then": {"required": ["reason"]},
        }
    )

    name: Text
    """What is looked at, such as `K8s.server.version` or `OS.release.ID`."""
    value: Text
    """What must be found (a version: by `==`), or comparisons with a version joined by commas: `>= 1.30, < 1.36`."""
    replace: bool = False
    """`true` drops what lower layers ask for under this name; needs a `reason`."""
    reason: Text | None = None
    """Why the constraint of lower layers does not count."""
