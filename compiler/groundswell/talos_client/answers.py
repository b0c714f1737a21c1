"""Reading what `talosctl` prints: streams of JSON objects, names in a directory, the version, files of the kernel."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from groundswell.talos.cpus import format_cpus

if TYPE_CHECKING:
    from groundswell.source.located import Json

_TAG = re.compile(r"^\s*Tag:\s*(\S+)", re.MULTILINE)
_LINK = " -> "


class Resource(NamedTuple):
    """One resource: its ID and its content, a map for all types that are read here but two, whose content is text."""

    id: str
    spec: Json

    def text(self, key: str) -> str:
        """A field's text, "" where there is none."""
        value = self.spec.get(key) if isinstance(self.spec, dict) else None
        return value if isinstance(value, str) else ""

    def number(self, key: str) -> int:
        """A field's number, 0 where there is none."""
        value = self.spec.get(key) if isinstance(self.spec, dict) else None
        return value if isinstance(value, int) and not isinstance(value, bool) else 0

    def listed(self, key: str) -> list[Json]:
        """The items of a field, none where there is no list."""
        value = self.spec.get(key) if isinstance(self.spec, dict) else None
        return value if isinstance(value, list) else []

    def flag(self, key: str) -> bool:
        """Whether a field is true."""
        return isinstance(self.spec, dict) and self.spec.get(key) is True


def resources(text: str) -> tuple[Resource, ...] | None:
    """The resources of `get --output json`, objects one after the other; None when the text is something else."""
    decoder, found, at = json.JSONDecoder(), [], 0
    text = text.strip()
    while at < len(text):
        try:
            item, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return None
        metadata = item.get("metadata") if isinstance(item, dict) else None
        if not isinstance(metadata, dict):
            return None
        found.append(Resource(str(metadata.get("id", "")), item.get("spec")))
        at = end
        while at < len(text) and text[at].isspace():
            at += 1
    return tuple(found)


def names(text: str) -> tuple[str, ...]:
    """The names of `list`, relative to what was listed: with one machine bare, with several behind the machine's."""
    lines = (line.split(_LINK)[0].split() for line in text.splitlines())
    found = [words[-1] for words in lines if words]
    if found and found[0] == "NAME":
        del found[0]
    return tuple(name for name in found if name != ".")


def version(text: str) -> str:
    """The machine's version in what `version` prints, such as `v1.13.2`; "" when there is none."""
    found = _TAG.search(text.partition("Server:")[2])
    return found[1] if found else ""


def number(text: str) -> int | None:
    """The number in one of the kernel's files."""
    text = text.strip()
    return int(text) if re.fullmatch(r"-?[0-9]+", text) else None


def kilobytes(text: str, key: str) -> int:
    """The value of a line such as `MemTotal: 1024 kB` or `Node 0 MemTotal: 1024 kB`; 0 when there is none."""
    found = re.search(rf"(?m)^(?:Node \d+ )?{key}:\s+([0-9]+) kB", text)
    return int(found[1]) if found else 0


def sibling_lists(cpuinfo: str) -> tuple[str, ...]:
    """The logical CPUs of each core by /proc/cpuinfo, as lists; none where it does not tell cores (arm64)."""
    cores: dict[tuple[str, str], list[int]] = {}
    for block in cpuinfo.split("\n\n"):
        pairs = (line.partition(":") for line in block.splitlines())
        fields = {key.strip(): value.strip() for key, _, value in pairs}
        if {"processor", "physical id", "core id"} <= fields.keys():
            cores.setdefault((fields["physical id"], fields["core id"]), []).append(int(fields["processor"]))
    return tuple(format_cpus(cpus) for cpus in sorted(cores.values()))
