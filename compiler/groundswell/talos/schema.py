"""The official JSON schemas of Talos, where the user has them: a second opinion on every document that patches write.

Each file holds one schema per kind under `$defs`. A document is judged by the one of its own kind, because an error
against the union of all kinds names every kind but the reason.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from jsonschema import Draft202012Validator

from groundswell.diagnostics.codes import talos as codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.source.located import Json
    from groundswell.talos.version import TalosVersion

# Kinds whose name is wrong in the published schemas.
_MISNAMED = {"UnattendedInstallConfig": "UnattendedInstall"}
_LEGACY = "v1alpha1.Config"


_NAME = re.compile(r"v?([0-9]+)\.([0-9]+)[^/]*\.json")


def read_schemas(files: Mapping[str, bytes]) -> tuple[Schemas, tuple[Diagnostic, ...]]:
    """The schemas among some files, each named after its version (`v1.13.json`), and those that are none."""
    by_release: dict[tuple[int, int], Json] = {}
    findings = []
    for name, data in sorted(files.items()):
        if not (found := _NAME.fullmatch(name)):
            continue
        try:
            schema = json.loads(data)
            usable = isinstance(schema["$defs"][_LEGACY], dict)
        except (ValueError, KeyError, TypeError, RecursionError):
            usable = False
        if usable:
            by_release[int(found[1]), int(found[2])] = schema
        else:
            findings.append(codes.NO_SCHEMA(f"`{name}` is no schema of Talos machine configurations"))
    if not files or not (by_release or findings):
        findings.append(codes.NO_SCHEMA("there is no schema named after a version, such as `v1.13.json`"))
    return Schemas(by_release), tuple(findings)


class Schemas(NamedTuple):
    """The schemas at hand by minor version of Talos. They must not be changed."""

    by_release: Mapping[tuple[int, int], Json]

    def findings(self, documents: Iterable[Json], version: TalosVersion, machine: str) -> tuple[Diagnostic, ...]:
        """What Talos would refuse in a machine's patch.

        A kind is judged by the schema of the version, else by the nearest newer one, else by the newest older one.
        Fields of the v1alpha1 document vanish from the schemas at each release although Talos still takes them, so
        each is judged by the newest schema that has it.
        """
        found = []
        for document in documents:
            kind = document.get("kind", "the v1alpha1 document")
            problems = self._document(document, version) if "kind" in document else self._legacy(document, version)
            found += [codes.SCHEMA(f"{kind} of `{machine}`: {problem}") for problem in problems]
        return tuple(found)

    def _document(self, document: Json, version: TalosVersion) -> Iterator[str]:
        kind = document["kind"]
        name = _MISNAMED.get(kind, kind)
        for release in self._nearest(version):
            schema = self.by_release[release]
            for key, definition in schema["$defs"].items():
                if definition.get("properties", {}).get("kind", {}).get("enum") == [name]:
                    # A document that takes another out says nothing else: its kind is all that can be wrong.
                    said = {what: value for what, value in document.items() if what != "$patch"}
                    yield from _errors({**said, "kind": name}, schema, key)
                    return

    def _legacy(self, document: Json, version: TalosVersion) -> Iterator[str]:
        for section, fields in document.items():
            for name, value in fields.items():
                tried = [
                    [*_errors({section: {name: value}}, self.by_release[release], _LEGACY)]
                    for release in self._older(version)
                ]
                if tried and all(tried):
                    yield from tried[0]

    def _nearest(self, version: TalosVersion) -> Sequence[tuple[int, int]]:
        newer = sorted(release for release in self.by_release if release >= version.release)
        return [*newer, *self._older(version)]

    def _older(self, version: TalosVersion) -> Sequence[tuple[int, int]]:
        return sorted((release for release in self.by_release if release <= version.release), reverse=True)


def _errors(document: Json, schema: Json, definition: str) -> Iterator[str]:
    """Errors against one definition; a patch need not hold what the merged document must."""
    wanted = {"$ref": f"#/$defs/{definition}", "$defs": schema["$defs"]}
    validator = Draft202012Validator(wanted)
    for error in validator.iter_errors(document):
        if error.validator != "required":
            path = ".".join(str(key) for key in error.absolute_path)
            yield f"`{path}`: {_message(error)}"


def _message(error: Any) -> str:  # noqa: ANN401  jsonschema has no types of its own
    return str(error.message).removesuffix(".")
