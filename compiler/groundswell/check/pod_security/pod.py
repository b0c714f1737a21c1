"""A pod template as the controls read it.

Nothing here fails on malformed input: a field of the wrong type counts as unset, since the schema check names it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from groundswell.source.located import Json, PathKey

Path: TypeAlias = "tuple[PathKey, ...]"

_CONTAINER_LISTS = ("initContainers", "containers", "ephemeralContainers")


def mapping(value: Json) -> Mapping[str, Json]:
    """The value if it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: Json) -> Sequence[Json]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else ()


class Finding(NamedTuple):
    """One thing that a control forbids: the place, as a path from the pod template's root, and what is there."""

    path: Path
    message: str


class Part(NamedTuple):
    """The pod's spec or one container of it: `owner` is what messages call it, `path` where it stands."""

    owner: str
    path: Path
    fields: Mapping[str, Json]

    def get(self, *keys: str) -> Json:
        """The value below nested mappings, None where a key or a mapping on the way is missing."""
        value: Json = self.fields
        for key in keys:
            value = mapping(value).get(key)
        return value

    def security(self, *keys: str) -> Json:
        """The value below `securityContext`."""
        return self.get("securityContext", *keys)

    def finding(self, keys: Sequence[PathKey], message: str) -> Finding:
        """A finding at `keys` below this part; the message goes on from the owner's name."""
        return Finding((*self.path, *keys), f"{self.owner} {message}")

    def security_finding(self, keys: Sequence[PathKey], message: str) -> Finding:
        """A finding at `keys` below this part's `securityContext`."""
        return self.finding(("securityContext", *keys), message)


class Pod(NamedTuple):
    """What the Pod Security Standards judge: a pod's annotations and its spec. Also a pod template's."""

    annotations: Mapping[str, str]
    spec: Part

    @classmethod
    def of(cls, template: Mapping[str, Json]) -> Pod:
        """Read a Pod, or a pod template, which has the same `metadata` and `spec`."""
        annotations = mapping(mapping(template.get("metadata")).get("annotations"))
        return cls(
            {key: value for key, value in annotations.items() if isinstance(value, str)},
            Part("the pod", ("spec",), mapping(template.get("spec"))),
        )

    def containers(self) -> Iterator[Part]:
        """Every container, those that run before the others and those that are added to debug included."""
        for kind in _CONTAINER_LISTS:
            for index, container in enumerate(sequence(self.spec.get(kind))):
                fields = mapping(container)
                yield Part(f"container `{fields.get('name', index)}`", (*self.spec.path, kind, index), fields)

    def parts(self) -> Iterator[Part]:
        """The spec, then every container: all that can have a `securityContext`."""
        yield self.spec
        yield from self.containers()

    @property
    def runs_on_windows(self) -> bool:
        """Whether the pod says that it is one for Windows."""
        return bool(self.spec.get("os", "name") == "windows")

    @property
    def has_user_namespace(self) -> bool:
        """Whether the pod's users are other ones on the host."""
        return self.spec.get("hostUsers") is False
