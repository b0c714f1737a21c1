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
        (
            "{{ range keys .a .b | uniq | sortAlpha }}{{ end }}{{ (values (.m | default dict) | sortAlpha) | first }}",
            [],
        ),
        ("{{ keys .a | first | list | sortAlpha }}", ["keys"]),
        ('{{ printf "%s %s" (keys .a | first) (values .b | sortAlpha | first) }}', ["keys"]),
        ("{{ first (keys .a) | sortAlpha }}", ["keys"]),
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
    assert facts("{{ now }}", "templates/x.md").impure
    assert facts("{{ now }}", "charts/sub/templates/_h.svg").impure
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


TOP = ("Chart.yaml", b"name: top\n")
USES = b'{{ uuidv4 }}{{ .Capabilities.APIVersions.Has "a/v1" }}'


@pytest.mark.parametrize(
    ("file", "printed", "counts"),
    [
        ("templates/a.yaml", "", True),
        ("charts/sub/templates/a.yaml", "# Source: top/charts/sub/templates/b.yaml\n", True),
        ("charts/sub/templates/a.yaml", "# Source: top/templates/b.yaml\n", False),
        ("charts/sub/templates/_a.tpl", "# Source: top/templates/b.yaml\n", False),
        ("charts/sub/templates/a.yaml", "# Source: top/charts/sub/charts/inner/templates/b.yaml\n", True),
    ],
)
def test_a_subchart_that_is_switched_off_does_not_count(file: str, printed: str, counts: bool) -> None:
    seen = facts_of([TOP, (file, USES)]).seen_in(printed.encode())
    assert (bool(seen.impure), bool(seen.apis)) == (counts, counts)


HELPER = b'{{ define "c.one" }}%b{{ end }}' % USES
USE = b'{{ include "c.one" . }}'
COMMON = "charts/sub/charts/common/templates/_a.tpl"
SUB = "charts/sub/templates/b.yaml"


@pytest.mark.parametrize(
    ("files", "printing", "counts"),
    [
        ({COMMON: HELPER, SUB: USE}, "charts/sub/", True),
        ({COMMON: HELPER, SUB: USE}, "", False),
        ({COMMON: HELPER, SUB: USE, "charts/other/templates/a.yaml": b"{{ .x }}"}, "charts/other/", False),
        ({COMMON: HELPER, "templates/a.yaml": USE}, "", True),
        ({COMMON.replace("_a.tpl", "a.yaml"): HELPER, "templates/a.yaml": USE}, "", True),
        ({COMMON: HELPER, "templates/a.yaml": b'{{ include "c.two" . }}'}, "", False),
        ({COMMON: HELPER, "templates/a.yaml": b'{{ tpl "{{ include \\"c.one\\" . }}" . }}'}, "", True),
        ({COMMON: HELPER, "templates/a.yaml": b"{{ include $name . }}"}, "", True),
        ({COMMON: HELPER, "values.yaml": b"a: '{{ include \"c.one\" . }}'"}, "", True),
        ({COMMON: HELPER, "data/a.txt": USE}, "", True),
        # One that uses what another one makes of it.
        (
            {COMMON: HELPER, SUB: b'{{ define "s" }}%b{{ end }}' % USE, "templates/a.yaml": b'{{ template "s" }}'},
            "",
            True,
        ),
        ({SUB: b'%b{{ $_ := set .Values "a" 1 }}' % USES}, "", True),
        ({SUB: b'%b{{ $_ := set (deepCopy $) "a" 1 | merge (dict) }}' % USES}, "", False),
    ],
)
def test_what_a_subchart_defines_or_changes_counts_where_a_chart_that_prints_may_use_it(
    files: dict[str, bytes], printing: str, counts: bool
) -> None:
    seen = facts_of([TOP, *files.items()]).seen_in(f"# Source: top/{printing}templates/a.yaml\n".encode())
    assert (bool(seen.impure), bool(seen.apis)) == (counts, counts)


@pytest.mark.parametrize(
    ("given", "counts"), [(USE, True), (b"{{ .Values.x }}", False), (b"include what you like", False)]
)
def test_values_that_are_given_may_use_what_any_subchart_defines(given: bytes, counts: bool) -> None:
    both = facts_of([("values.yaml", b"a: '%b'" % given)]).and_also(facts_of([TOP, (COMMON, HELPER)]))
    assert bool(both.seen_in(b"# Source: top/templates/a.yaml\n").impure) is counts


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


@pytest.mark.parametrize("about", [b"apiVersion: v2\nname: 'sub' \r\n", b"{name: sub, version: 1.0.0}"])
@pytest.mark.parametrize(
    ("top", "printed", "counts"),
    [
        (b"", "charts/sub/", True),
        (b"", "charts/other/", False),
        (b"name: top\ndependencies: [{name: sub, alias: first}]", "charts/first/", True),
        (b"name: top\ndependencies: [{name: other, alias: first}]", "charts/first/", False),
    ],
)
@pytest.mark.parametrize("folder", ["sub-1.0", "sub-2.0"])
def test_a_subchart_is_printed_under_its_name_whatever_its_folder_is_called(
    about: bytes, top: bytes, printed: str, folder: str, counts: bool
) -> None:
    charts = [(f"charts/{name}/Chart.yaml", about) for name in ("sub-1.0", "sub-2.0")]
    found = facts_of([("Chart.yaml", top), *charts, (f"charts/{folder}/templates/a.yaml", b"{{ uuidv4 }}")])
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


def test_an_action_in_values_goes_on_after_a_template_in_a_string_of_it() -> None:
    found = facts_of([("values.yaml", b"t: '{{ now | tpl \"{{ x }}\" }}'")])
    assert found.impure == (("now", "values.yaml"),)
