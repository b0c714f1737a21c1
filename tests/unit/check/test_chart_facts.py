from __future__ import annotations

import pytest

from groundswell.check.chart_facts import Facts, facts_of


def facts(text: str, name: str = "templates/x.yaml") -> Facts:
    return facts_of([(name, text.encode())])


@pytest.mark.parametrize(
    ("text", "functions"),
    [
        ("password: {{ randAlphaNum 20 | quote }}", ["randAlphaNum"]),
        ('{{- $ca := genCA "x" 365 }}\n{{ (genSignedCert "y" nil nil 1 $ca).Cert }}', ["genCA", "genSignedCert"]),
        ("at: {{ now | unixEpoch }}", ["now"]),
        ("{{ range keys .Values.map }}{{ end }}", ["keys"]),
        ("{{ range keys .Values.map | sortAlpha }}{{ end }}", []),
        ("{{ .Values.keys }} {{ $.Values.now }} {{ $now }}", []),
        ("{{/* now and uuidv4 */}}", []),
        ("{{- /* now */ -}}", []),
        ("text about now and keys", []),
        ('{{ fail "do it now" }}', []),
        ('{{ tpl "{{ uuidv4 }}" . }}', ["uuidv4"]),
        ("{{ `from now on {{ .instance }}` }}", []),
        ("{{ `}}` }} {{ uuidv4 }}", ["uuidv4"]),
        ('{{ printf "}}" }} then {{ now }}', ["now"]),
        ("{{ known }} {{ renown }}", []),
        ("{{ now.Unix }}", ["now"]),
        ('{{ tpl "{{ now | date \\"2006\\" }}" . }}', ["now"]),
        ("{{ tpl `{{ keys .m }}` . }}", ["keys"]),
        ("{{ `{{ now }}` }}", []),
        ('{{ .Values.day | date "2006" }} {{ dateInZone "2006" "" "UTC" }}', ["date", "dateInZone"]),
        ('{{ date_in_zone "2006" "" "UTC" }} {{ htmlDate .x }}', ["date_in_zone", "htmlDate"]),
        ('{{ htmlDateInZone "" "UTC" }} {{ durationRound .x }}', ["durationRound", "htmlDateInZone"]),
        ('{{ now | date "2006" }}', ["now"]),
        ('{{ .date }} {{ $date }} {{ toDate "2006" "2026" | dateModify "1h" | unixEpoch }} {{ update "date" }}', []),
    ],
)
def test_functions_that_differ_each_time_are_found_in_actions(text: str, functions: list[str]) -> None:
    assert [function for function, _ in facts(text).impure] == functions


def test_the_values_are_looked_through_but_not_what_is_never_rendered() -> None:
    assert facts("a: '{{ now }}'", "values.yaml").impure
    assert facts('a: "{{ now | date \\"2006\\" }}"', "values.yaml").impure
    assert not facts("# {{ now }}\na: 1", "values.yaml").impure
    assert not facts("{{ now }}", "README.md").impure
    assert not facts("{{ now }}", "data/now.txt").impure
    assert not facts("{{ now }}", "crds/x.yaml").impure
    assert not facts("{{ now }}", "charts/sub/crds/x.yaml").impure
    assert facts("{{ now }}", "templates/crds/x.yaml").impure
    assert facts("{{ now }}", "charts/crds/templates/x.yaml").impure


def test_apis_that_templates_ask_for() -> None:
    found = facts(
        '{{ if .Capabilities.APIVersions.Has "a.dev/v1/A" }}{{ end }}'
        '{{ if (.Capabilities.APIVersions.Has ("b.dev/v1")) }}'
    )
    assert found.asks
    assert found.apis == (("a.dev/v1/A", "templates/x.yaml"), ("b.dev/v1", "templates/x.yaml"))
    by_variable = facts("{{ .Capabilities.APIVersions.Has $api }}")
    assert (by_variable.asks, by_variable.apis) == (True, ())
    assert (found.asks_unnamed, by_variable.asks_unnamed) == (False, True)
    assert not facts("{{ .Capabilities.KubeVersion }}").asks


LIBRARY = ("charts/sub/charts/common/Chart.yaml", b"name: common\ntype: library\n")


@pytest.mark.parametrize(
    ("file", "printed", "counts"),
    [
        ("templates/a.yaml", "", True),
        ("charts/sub/templates/a.yaml", "# Source: top/charts/sub/templates/b.yaml\n", True),
        ("charts/sub/templates/a.yaml", "# Source: top/templates/b.yaml\n", False),
        ("charts/sub/templates/a.yaml", "# Source: top/charts/sub/charts/inner/templates/b.yaml\n", True),
        ("charts/sub/charts/common/templates/_a.tpl", "# Source: top/charts/sub/templates/b.yaml\n", True),
        ("charts/sub/charts/common/templates/_a.tpl", "# Source: top/templates/b.yaml\n", False),
    ],
)
def test_a_subchart_that_is_switched_off_does_not_count(file: str, printed: str, counts: bool) -> None:
    found = facts_of([LIBRARY, (file, b'{{ uuidv4 }}{{ .Capabilities.APIVersions.Has "a/v1" }}')])
    seen = found.seen_in(printed.encode())
    assert (bool(seen.impure), bool(seen.apis)) == (counts, counts)


ABOUT = b"""\
name: top
dependencies:
  - {name: sub, alias: first}
  - {name: sub, alias: second}
  - {name: other}
"""


@pytest.mark.parametrize("where", ["Chart.yaml", "requirements.yaml"])
@pytest.mark.parametrize(
    ("folder", "printed", "counts"),
    [
        ("charts/sub/", "charts/second/", True),
        ("charts/sub/", "charts/other/", False),
        ("charts/other/", "charts/second/", False),
        ("charts/sub/charts/inner/", "charts/first/charts/alias/", True),
        ("charts/sub/charts/inner/", "charts/other/charts/alias/", False),
    ],
)
def test_a_subchart_is_printed_under_the_names_that_its_parents_have_for_it(
    where: str, folder: str, printed: str, counts: bool
) -> None:
    inner = ("charts/sub/Chart.yaml", b"name: sub\ndependencies: [{name: inner, alias: alias}]\n")
    found = facts_of([(where, ABOUT), inner, (f"{folder}templates/a.yaml", b"{{ uuidv4 }}")])
    assert bool(found.seen_in(f"# Source: top/{printed}templates/a.yaml\n".encode()).impure) is counts


def test_a_chart_and_its_values_together() -> None:
    both = facts("{{ now }}").and_also(Facts(asks=True, apis=(("a/v1", "values.yaml"),), about=("a", "1")))
    assert both.asks
    assert both.impure == (("now", "templates/x.yaml"),)
    assert both.apis == (("a/v1", "values.yaml"),)
    assert both.about == ("a", "1")


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("name: a\nversion: 1.10\n", ("a", "1.10")),
        ("{name: a, version: '2.0.0'} # one line", ("a", "2.0.0")),
        ("version: 1.0.0", ("", "1.0.0")),
        ("- name: a", ("", "")),
        ("name: [", ("", "")),
    ],
)
def test_a_chart_says_its_name_and_version_as_they_are_written(text: str, about: tuple[str, str]) -> None:
    assert facts(text, "Chart.yaml").about == about
    assert facts(text, "charts/sub/Chart.yaml").about == ("", "")
