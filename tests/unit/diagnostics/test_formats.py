from __future__ import annotations

import json

import pytest

from groundswell.diagnostics import github, json_format, sarif
from groundswell.diagnostics.codes import files as codes
from groundswell.diagnostics.diagnostic import Diagnostic, Related, Severity
from groundswell.source.span import Span
from source_texts import SourceTexts

SOURCES = SourceTexts({})
PLACED = codes.CHANGED(
    "`a` was changed",
    Span("my recipes/ü,1.yaml", 2, 3, 2, 8),
    related=[Related(Span("b.yaml", 5, 1, 6, 4), "listed here")],
    help="restore it",
)
PLAIN = codes.LEFTOVERS("left")
LONG = codes.ADDED("several lines", Span("c.yaml", 1, 2, 3, 4))


def test_json_holds_everything() -> None:
    first, second = json.loads(json_format.render([PLACED, PLAIN], SOURCES))
    assert first == {
        "code": "I204",
        "severity": "error",
        "message": "`a` was changed",
        "file": "my recipes/ü,1.yaml",
        "line": 2,
        "column": 3,
        "endLine": 2,
        "endColumn": 8,
        "related": [
            {"file": "b.yaml", "line": 5, "column": 1, "endLine": 6, "endColumn": 4, "label": "listed here"},
        ],
        "help": "restore it",
    }
    assert (second["severity"], second["file"], second["line"], second["related"]) == ("warning", None, None, [])
    assert json.loads(json_format.render([], SOURCES)) == []


def test_sarif_names_rules_places_and_levels() -> None:
    (run,) = json.loads(sarif.render([PLACED, PLAIN, PLACED], SOURCES))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["I108", "I204"]
    assert rules[1]["shortDescription"]["text"] == codes.CHANGED.title
    first, second, _ = run["results"]
    assert (first["ruleId"], rules[first["ruleIndex"]]["id"], first["level"]) == ("I204", "I204", "error")
    assert first["message"]["text"] == "`a` was changed\nhelp: restore it"
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "my%20recipes/%C3%BC%2C1.yaml"},
                "region": {"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 8},
            }
        }
    ]
    assert first["relatedLocations"][0]["message"]["text"] == "listed here"
    assert (second["level"], "locations" in second) == ("warning", False)


def test_sarif_locations_are_uris_whatever_the_name() -> None:
    def uri(name: str) -> object:
        text = sarif.render([codes.ADDED("m", Span(name, 1, 1, 1, 1))], SOURCES)
        return json.loads(text)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]

    assert uri("/abs/a b.yaml") == "file:///abs/a%20b.yaml"
    assert uri("a:b.yaml") == "a%3Ab.yaml"
    assert uri("../up.yaml") == "../up.yaml"
    assert uri("100%/\udcff") == "100%25/%FF"


def test_github_gets_one_command_per_finding() -> None:
    lines = github.render([PLACED, PLAIN, LONG], SOURCES).splitlines()
    assert lines == [
        (
            "::error file=my recipes/ü%2C1.yaml,line=2,col=3,endColumn=8,title=I204%3A a file of the bundle was changed"
            "::`a` was changed%0Ab.yaml:5:1: listed here%0Ahelp: restore it"
        ),
        "::warning title=I108%3A the earlier bundle could not be removed::left",
        "::error file=c.yaml,line=1,endLine=3,title=I205%3A a file was added to the bundle::several lines",
    ]


def test_github_commands_cannot_be_forged() -> None:
    span = Span("a%0A::x,y:\r\n.yaml", 1, 1, 1, 2)
    finding = Diagnostic("I205", Severity.HINT, "50%\r\n::error::x\x1b[0m", span)
    text = github.render([finding], SOURCES)
    assert text == (
        "::notice file=a%250A%3A%3Ax%2Cy%3A%0D%0A.yaml,line=1,col=1,endColumn=2,"
        "title=I205%3A a file was added to the bundle::50%25%0D%0A::error::x\\x1b[0m\n"
    )


@pytest.mark.parametrize("render", [json_format.render, sarif.render])
def test_json_is_ascii_without_control_characters(render: object) -> None:
    nasty = "\x1b[31m\x7f\x9b\u202e\udcff\U0001f600\n"
    finding = Diagnostic("I205", Severity.ERROR, nasty, Span(nasty, 1, 1, 1, 1), (), nasty)
    text = render([finding], SOURCES)  # type: ignore[operator]
    assert all(char == "\n" or " " <= char <= "~" for char in text)
    assert text.endswith("}\n" if text.startswith("{") else "]\n")
    json.loads(text)


@pytest.mark.parametrize("module", [sarif, github])
def test_codes_of_third_parties_are_no_failure(module: object) -> None:
    assert "X900" in module.render([Diagnostic("X900", Severity.ERROR, "m")], SOURCES)  # type: ignore[attr-defined]
