"""The shipped catalog with one thing broken: it must be found, at the right file, and nothing else may go wrong.

Each kind of damage is done at seeded places. A run that reports nothing is accepted only where the damage is harmless
by construction, and then the catalog must mean the same.
"""

from __future__ import annotations

import random
import re
from dataclasses import fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from catalog_kit import findings_in, resolve_in
from groundswell.catalog.files import CatalogFiles, Layer, read_files, shipped_root
from groundswell.catalog.load import load
from groundswell.catalog.unused import unused
from groundswell.diagnostics.diagnostic import failed
from groundswell.plan.build import build_plan
from groundswell.source.located import Located
from groundswell.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundswell.diagnostics.diagnostic import Diagnostic

LAYER = "groundswell"
QUERY = "--service metal --accelerator gb200 --os talos --intent training --platform kubeflow"
KEY = re.compile(r"^(\s*(?:- )?)([A-Za-z][A-Za-z]*):(.*)$")


@cache
def shipped() -> CatalogFiles:
    files, findings = read_files([Layer(LAYER, shipped_root())])
    assert not findings
    return files


def documents() -> dict[str, str]:
    """The texts of all documents of the shipped catalog, values and manifests left out."""
    return {
        name: data.decode()
        for name, data in sorted(shipped().content.items())
        if "/components/" not in name or name.endswith("/component.yaml")
    }


def changed(file: str, text: str | None) -> CatalogFiles:
    content = {name: data for name, data in shipped().content.items() if name != file}
    if text is not None:
        content[file] = text.encode()
    return CatalogFiles((LAYER,), content)


def run(files: CatalogFiles) -> tuple[Any, list[Diagnostic]]:
    """What a catalog means, and everything that is reported about it and about a query on it."""
    loaded = load(files)
    found = list(loaded.findings)
    if loaded.catalog is None:
        return None, found
    found += unused(loaded.catalog, files, loaded.used)
    found += findings_in(loaded.catalog, QUERY)
    return meaning(loaded.catalog._replace(digest="")), found


def meaning(value: Any) -> Any:
    """A value without the places that it remembers."""
    if isinstance(value, Span):
        return None
    if isinstance(value, Located):
        return value.data
    if is_dataclass(value):
        return {field.name: meaning(getattr(value, field.name)) for field in fields(value)}
    if hasattr(value, "_asdict"):
        return meaning(value._asdict())
    if isinstance(value, dict):
        return {key: meaning(item) for key, item in value.items()}
    return [meaning(item) for item in value] if isinstance(value, tuple) else value


def lines_with_keys(text: str) -> list[int]:
    return [index for index, line in enumerate(text.split("\n")) if KEY.match(line)]


def misspelt_key(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    structural = [i for i in lines_with_keys(text) if not _in_free_text(lines, i)]
    index = chance.choice(structural)
    match = KEY.match(lines[index])
    assert match
    key = match[2]
    lines[index] = f"{match[1]}{key[:-1] or 'z'}{key[-1] * 2}:{match[3]}"
    return "\n".join(lines)


def _in_free_text(lines: list[str], index: int) -> bool:
    """Whether a line stands where any key may: overrides, enforced values, texts, health rules, sysctls."""
    indent = len(lines[index]) - len(lines[index].lstrip())
    for line in reversed(lines[:index]):
        own = len(line) - len(line.lstrip())
        if line.strip() and not line.lstrip().startswith("#") and own < indent:
            if re.match(r"\s*(overrides|enforce|argocdHealth|sysctls|[\w.]+): *\|?$", line) and re.search(
                r"(overrides|enforce|argocdHealth|sysctls):|\|$", line
            ):
                return True
            indent = own
    return False


def wrong_type(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    fields = (
        r"^(\s*(?:- )?)(kind|apiVersion|name|base|version|namespace|chart|repository|description|service|os|crds): .+$"
    )
    index = chance.choice([i for i, line in enumerate(lines) if re.match(fields, line) and not _in_free_text(lines, i)])
    lines[index] = re.sub(r": .+$", ": [1, {a: b}]", lines[index])
    return "\n".join(lines)


def duplicate_line(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    scalar = [i for i in lines_with_keys(text) if re.match(r"^\s*\w+: \S", lines[i]) and not lines[i].endswith("|")]
    index = chance.choice([i for i in scalar if "|" not in lines[i]])
    return "\n".join([*lines[: index + 1], lines[index], *lines[index + 1 :]])


def unindented_line(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    index = chance.choice(
        [i for i in lines_with_keys(text) if lines[i].startswith("  ") and not _in_free_text(lines, i)]
    )
    lines[index] = lines[index][1:]
    return "\n".join(lines)


def emptied_value(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    index = chance.choice([i for i in lines_with_keys(text) if re.match(r"^\s*(- )?\w+: [^|]", lines[i])])
    lines[index] = re.sub(r": .+$", ":", lines[index])
    return "\n".join(lines)


def wrong_name(text: str, chance: random.Random) -> str:
    """A reference, a file or a base that does not exist."""
    lines = text.split("\n")
    at = [i for i, line in enumerate(lines) if re.match(r"^\s+(base: \w|- components/|- os-)|^    - name: [a-z]", line)]
    at = [i for i in at if "K8s" not in lines[i] and "OS." not in lines[i] and not _in_free_text(lines, i)]
    if not at:
        return wrong_type(text, chance)
    index = chance.choice(at)
    lines[index] = re.sub(r"(\w)(\.yaml)?$", r"\1x\2", lines[index])
    return "\n".join(lines)


def tab(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    index = chance.choice([i for i in lines_with_keys(text) if lines[i].startswith("  ")])
    lines[index] = "\t" + lines[index].lstrip()
    return "\n".join(lines)


DAMAGE: dict[str, Callable[[str, random.Random], str]] = {
    function.__name__: function
    for function in (misspelt_key, wrong_type, duplicate_line, unindented_line, emptied_value, wrong_name, tab)
}
PLACES = 26


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_is_found_in_the_file_where_it_is(kind: str) -> None:
    chance = random.Random(kind)  # noqa: S311  the same places in every run
    texts = documents()
    before, _ = run(shipped())
    for _ in range(PLACES):
        file = chance.choice(sorted(texts))
        damaged = DAMAGE[kind](texts[file], chance)
        assert damaged != texts[file]
        result, found = run(changed(file, damaged))
        errors = [finding for finding in found if failed([finding])]
        if kind == "unindented_line" and not errors:
            # The only line of its map may stand further left.
            assert result == before, (file, damaged)
            continue
        assert any(finding.span and finding.span.file == file for finding in errors), (file, damaged, errors)


def test_a_removed_file_is_missed_by_who_names_it_or_changes_what_the_catalog_means() -> None:
    before, _ = run(shipped())
    for file in random.Random("files").sample(sorted(shipped().content), 30):  # noqa: S311  the same in every run
        result, found = run(changed(file, None))
        assert result != before or failed(found), file


def test_a_removed_line_is_found_or_changes_what_the_catalog_means() -> None:
    chance = random.Random("removed")  # noqa: S311  the same places in every run
    texts = documents()
    before, _ = run(shipped())
    for _ in range(60):
        file = chance.choice(sorted(texts))
        lines = texts[file].split("\n")
        index = chance.choice([i for i, line in enumerate(lines) if line.strip() and not line.strip().startswith("#")])
        result, found = run(changed(file, "\n".join(lines[:index] + lines[index + 1 :])))
        assert failed(found) or result != before, (file, lines[index])


def test_a_circle_closed_anywhere_is_found() -> None:
    """Each component waits for one that waits for it."""
    loaded = load(shipped())
    assert loaded.catalog is not None
    resolution, _ = resolve_in(loaded.catalog, QUERY)
    assert resolution is not None
    plan, _ = build_plan(resolution)
    assert plan is not None
    edges = [(name, other) for name, others in plan.dependencies.items() for other in others]
    assert len(edges) > 5
    for name, other in edges:
        file = f"{LAYER}/components/{other}/component.yaml"
        text = shipped().content[file].decode()
        extended = (
            re.sub(r"(?m)^  dependencyRefs:$", f"  dependencyRefs:\n    - {name}", text)
            if "\n  dependencyRefs:" in text
            else text.rstrip("\n") + f"\n  dependencyRefs:\n    - {name}\n"
        )
        _, found = run(changed(file, extended))
        cycles = [finding for finding in found if finding.code in {"P102", "M217"}]
        assert cycles, (name, other)
        assert any(
            f"`{other}` -> `{name}`" in finding.message or f"`{name}` -> `{other}`" in finding.message
            for finding in cycles
        )


def test_a_second_document_of_one_name_is_found() -> None:
    for file in documents():
        folder, name = file.split("/")[1], file.rsplit("/", 1)[1]
        if folder == "components" or name == "support.yaml":
            continue
        content = {**shipped().content, f"{LAYER}/{folder}/copy-of-{name}": shipped().content[file]}
        assert "M201" in {finding.code for finding in load(CatalogFiles((LAYER,), content)).findings}


def test_a_removed_file_of_a_component_is_an_error_where_it_is_named() -> None:
    files = [name for name in shipped().content if re.search(r"/components/.+/(values.*|manifests/.*)\.yaml$", name)]
    assert len(files) > 30
    named = {f"{LAYER}/{path}" for text in documents().values() for path in re.findall(r"- (components/\S+)", text)}
    assert set(files) <= named
    for file in random.Random("values").sample(sorted(files), 8):  # noqa: S311  the same in every run
        findings = load(changed(file, None)).findings
        assert {finding.code for finding in findings} == {"M202"}
        for finding in findings:
            assert finding.span is not None
            line = documents()[finding.span.file].split("\n")[finding.span.line - 1]
            assert file.removeprefix(f"{LAYER}/") in line
