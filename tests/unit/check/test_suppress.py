"""Suppressions that cannot be used say why, and none hides behind another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from groundswell.check.rule import Found
from groundswell.check.suppress import apply, read_suppressions
from groundswell.diagnostics.codes import kubernetes as codes

if TYPE_CHECKING:
    from pathlib import Path

    from groundswell.check.suppress import Suppression
    from groundswell.diagnostics.diagnostic import Diagnostic

HEAD = """\
apiVersion: groundswell.dev/v1alpha1
kind: Suppressions
metadata: {name: s}
spec:
  suppress:
"""


def read(root: Path, *entries: str) -> tuple[tuple[Suppression, ...], tuple[Diagnostic, ...]]:
    path = root / "suppress.yaml"
    path.write_text(HEAD + "".join(f"    - {{{entry}}}\n" for entry in entries))
    return read_suppressions(path)


ENTRY = "code: K306, component: a, reason: r"


@pytest.mark.parametrize(
    ("entry", "message", "advice"),
    [
        (ENTRY.replace("K306", "K999"), "`K999` is no code of a rule", ""),
        (ENTRY.replace("K306", "k306"), "`k306` is no code of a rule", "did you mean `K306`?"),
        (ENTRY.replace("K306", "K36"), "`K36` is no code of a rule", "did you mean `K306`?"),
        (ENTRY.replace("K306", "K901"), "`K901` is no code of a rule", ""),
        (ENTRY.replace("K306", "P101"), "`P101` is no code of a rule", ""),
        (f"{ENTRY}, object: 5", "`object` must be a text", ""),
        (f"{ENTRY}, object: ''", "`object` must be a text", ""),
        (f"{ENTRY}, object: [x]", "`object` must be a text", ""),
        (ENTRY.replace("reason: r", "reason: ' '"), "`reason` must be a text", ""),
        (ENTRY.replace("component: a", "component: 5"), "`component` must be a text", ""),
        (ENTRY.replace(", reason: r", ""), "the entry has no `reason`", "add `reason: …`"),
        (f"{ENTRY}, objekt: x", "`objekt` is no field", "did you mean `object`?"),
    ],
)
def test_an_entry_that_cannot_be_used_says_why(entry: str, message: str, advice: str, tmp_path: Path) -> None:
    entries, (found,) = read(tmp_path, entry)
    assert entries == ()
    assert found.code == "K902"
    assert found.message.startswith(message)
    assert advice in found.help
    assert bool(advice) == bool(found.help)
    assert found.span is not None
    assert found.span.line == 6


def finding(component: str = "a", subject: str = "Secret a/x") -> Found:
    return Found(codes.OWNED_TWICE("twice"), component, subject)


@pytest.mark.parametrize(
    ("entries", "unused"),
    [
        ([ENTRY, ENTRY], [7]),
        ([ENTRY, f"{ENTRY}, object: Secret a/x"], [7]),
        ([f"{ENTRY}, object: Secret a/x", ENTRY], [6]),
        ([f"{ENTRY}, object: Secret a/x", f"{ENTRY}, object: Secret a/x"], [7]),
    ],
)
def test_of_several_entries_for_one_finding_one_counts(entries: list[str], unused: list[int], tmp_path: Path) -> None:
    suppressions, problems = read(tmp_path, *entries)
    assert problems == ()
    kept, count = apply([finding()], suppressions, set())
    assert count == 1
    assert [(item.code, item.span.line if item.span else 0) for item in kept] == [("K901", line) for line in unused]
    assert kept[0].message == "`K306` of `a` is suppressed already"
    assert [item.span.line for item in kept[0].related] == [13 - unused[0]]


def test_entries_for_different_findings_all_count(tmp_path: Path) -> None:
    entries = [f"{ENTRY}, object: Secret a/x", f"{ENTRY}, object: Secret a/y", ENTRY.replace("a,", "b,")]
    suppressions, _ = read(tmp_path, *entries)
    found = [finding(), finding(subject="Secret a/y"), finding("b")]
    assert apply(found, suppressions, set()) == ((), 3)
    kept, _ = apply([], suppressions, {"b"})
    assert [item.message for item in kept] == ["nothing is found that `K306` of `a` would suppress"] * 2
