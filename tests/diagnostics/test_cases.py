"""Small catalogs that say what is wrong with them on the line where it must be reported.

A case is a directory under `cases/`: a catalog, or several as directories `1-…`, `2-…` in the order of their layers. A
line that ends in `# error: M101` expects that finding there, `# warning: M301` a warning, and `M101@7` its column as
well; several findings are separated by commas. The file `query` holds options of the command line; in it, such comments
expect findings that have no place. The words `catalog check` in place of options ask for what nothing uses.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from catalog_kit import findings_in
from groundswell.catalog.clashes import clashes
from groundswell.catalog.files import Layer, read_files
from groundswell.catalog.idle import idle
from groundswell.catalog.load import load
from groundswell.catalog.misplaced import misplaced
from groundswell.catalog.shadowed import shadowed
from groundswell.catalog.unused import unused
from groundswell.diagnostics.codes import model, plan, resolve
from groundswell.diagnostics.diagnostic import Severity, failed, ordered

if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundswell.diagnostics.diagnostic import Diagnostic

CASES = Path(__file__).parent / "cases"
MARK = re.compile(r"# (error|warning): (.+)$")
CHECK = "catalog check"


class Expected(NamedTuple):
    file: str
    line: int
    severity: str
    code: str


def layers_of(case: Path) -> list[Layer]:
    numbered = sorted(path for path in case.iterdir() if re.match(r"\d-", path.name))
    return [Layer(path.name, path) for path in numbered] or [Layer("catalog", case)]


def marks(text: str, file: str) -> list[tuple[Expected, int | None]]:
    """The findings that a file's comments expect, each with its column if that is stated."""
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        for severity, codes in MARK.findall(line):
            for item in codes.split(","):
                code, _, column = item.strip().partition("@")
                place = Expected(file, number, severity, code) if file else Expected("", 0, severity, code)
                found.append((place, int(column) if column else None))
    return found


def expected(case: Path) -> list[tuple[Expected, int | None]]:
    found = marks((case / "query").read_text(), "")
    for layer in layers_of(case):
        for path in sorted(layer.root.rglob("*")):
            if path.is_file() and path != case / "query":
                found += marks(
                    path.read_text(errors="replace"), f"{layer.name}/{path.relative_to(layer.root).as_posix()}"
                )
    return found


def findings_of(case: Path) -> tuple[Diagnostic, ...]:
    """Everything that one run reports: about the catalog, and if that is sound, about the query and its plan."""
    query = [line for line in (case / "query").read_text().splitlines() if line and not line.startswith("#")]
    files, unread = read_files(layers_of(case))
    loaded = load(files)
    found = [*unread, *misplaced(layers_of(case)), *loaded.findings]
    if query == [CHECK]:
        assert loaded.catalog is not None
        catalog = loaded.catalog
        found += (*unused(catalog, files, loaded.used), *shadowed(catalog, files), *idle(catalog, files))
        found += clashes(catalog, files)
    elif not failed(found):
        found += findings_in(loaded.catalog, " ".join(query))
    return ordered(found)


def actual(findings: Iterable[Diagnostic]) -> list[tuple[Expected, int]]:
    return [
        (
            Expected(span.file if span else "", span.line if span else 0, finding.severity.value, finding.code),
            span.column if span else 0,
        )
        for finding in findings
        for span in [finding.span]
    ]


@pytest.mark.parametrize("case", sorted(path.name for path in CASES.iterdir()))
def test_exactly_the_expected_findings_are_reported(case: str) -> None:
    wanted, found = expected(CASES / case), actual(findings_of(CASES / case))
    assert sorted(place for place, _ in found) == sorted(place for place, _ in wanted)
    columns = {(place, column) for place, column in found}
    for place, column in wanted:
        assert column is None or (place, column) in columns, (place, column, sorted(columns))


def test_every_code_of_these_families_occurs_in_a_case() -> None:
    covered = {place.code for case in CASES.iterdir() for place, _ in expected(case)}
    known = {code.code for family in (model, resolve, plan) for code in family.CODES}
    assert known - covered - FOREIGN == set()
    assert covered <= known | {"S104", "S107", "S109", "S110"}


# Codes of the AICR layout and of snapshots, which have fixtures of their own.
FOREIGN = {code.code for family in (model, resolve) for code in family.CODES if code.code.startswith(("M4", "R4"))}


def test_ten_mistakes_in_one_recipe_are_ten_findings_in_one_run() -> None:
    findings = findings_of(CASES / "ten-mistakes")
    assert len(findings) == 10
    assert len({finding.span for finding in findings}) == 10
    assert all(finding.severity is Severity.ERROR for finding in findings)


def test_messages_are_short_and_end_without_a_full_stop() -> None:
    for case in sorted(CASES.iterdir()):
        for finding in findings_of(case):
            assert not finding.message.endswith("."), finding
            assert "\n" not in finding.message, finding
            assert len(finding.message) < 250, finding
