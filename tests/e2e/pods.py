"""Pods that `restricted` admits, and what is changed in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

Json: TypeAlias = Any
Cases: TypeAlias = "Iterator[tuple[str, dict[str, Json]]]"
"""Pods by a name that says what is special."""


def container(name: str = "c", /, **fields: Json) -> dict[str, Json]:
    """A container that `restricted` admits, with fields added or, where None, left out; `security` is merged deeper."""
    security = {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        **fields.pop("security", {}),
    }
    kept = {key: value for key, value in security.items() if value is not None}
    return {"name": name, "image": "example.com/x:1", "securityContext": kept, **fields}


def pod(*containers: dict[str, Json], **spec: Json) -> dict[str, Json]:
    """A pod that `restricted` admits, of the given containers, with fields of its spec and `annotations` added."""
    security = {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}, **spec.pop("security", {})}
    kept = {key: value for key, value in security.items() if value is not None}
    annotations = spec.pop("annotations", {})
    return {
        "metadata": {"annotations": annotations},
        "spec": {"containers": list(containers) or [container()], "securityContext": kept, **spec},
    }
