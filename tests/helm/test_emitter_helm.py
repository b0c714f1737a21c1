"""What the emitter writes reaches the templates of real Helm 3 and 4 as the value that was meant."""

from __future__ import annotations

import base64
import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from groundswell.source.emitter import Quoted, emit
from groundswell.source.reader import Dialect, read
from helm_binaries import helm_binaries
from yaml_samples import NASTY, NUMBERS, TYPED_BY_SOME_READER, random_texts

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.helm, pytest.mark.parametrize("major", ["3", "4"])]

_CHART = "apiVersion: v2\nname: probe\nversion: 0.1.0\n"
_TO_JSON = "values: {{ .Values | toJson | b64enc }}\n"


def template(major: str, chart: Path, templates: dict[str, str], values: str = "") -> str:
    """What `helm template` prints for a chart of these templates, given a values file."""
    (chart / "templates").mkdir()
    (chart / "Chart.yaml").write_text(_CHART)
    for name, text in templates.items():
        (chart / "templates" / name).write_text(text, encoding="utf-8", newline="")
    (chart / "given.yaml").write_text(values, encoding="utf-8", newline="")
    command = [str(helm_binaries()[major]), "template", "probe", str(chart), "--values", str(chart / "given.yaml")]
    return subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8").stdout


def seen_by_templates(major: str, chart: Path, values: str) -> Any:
    """The values as a template sees them."""
    output = template(major, chart, {"all.yaml": _TO_JSON}, values)
    return json.loads(base64.b64decode(output.split("values: ")[1]))


def test_thousands_of_texts_arrive_as_values_and_as_keys(major: str, tmp_path: Path) -> None:
    every = [*NASTY, *random_texts(9000, seed=2)]
    keys = {text: text for text in dict.fromkeys(every)}
    data = {"list": every, "keys": keys, "nested": {"map": {"list": [[every[:300]], {"a": every[300:600]}]}}}
    assert seen_by_templates(major, tmp_path, emit(data)) == data


def test_forced_quotes_arrive_as_text(major: str, tmp_path: Path) -> None:
    data = {"waves": [Quoted(text) for text in ["1", "-4", "", "true", "plain", "a\nb\n", *TYPED_BY_SOME_READER]]}
    assert seen_by_templates(major, tmp_path, emit(data)) == data


def test_keys_longer_than_readers_look_for_a_colon_arrive(major: str, tmp_path: Path) -> None:
    data = {"k" * 5000: {"x": 1}, "é" * 800: ["x"], "v" * 2000: "x", "m" * 300: "a\nb\n"}
    assert seen_by_templates(major, tmp_path, emit({"in": [data, data], **data})) == {"in": [data, data], **data}


def test_numbers_arrive_with_their_value(major: str, tmp_path: Path) -> None:
    arrived = seen_by_templates(major, tmp_path, emit({"numbers": NUMBERS}))["numbers"]
    assert arrived == NUMBERS
    assert not any(isinstance(number, str) for number in arrived)


def test_booleans_null_and_empty_collections_arrive(major: str, tmp_path: Path) -> None:
    data = {"t": True, "f": False, "m": {}, "l": [], "in": [{}, [], None, True, ""], "deep": {"a": {"b": {}}}}
    assert seen_by_templates(major, tmp_path, emit({**data, "gone": None})) == {**data, "gone": None}


@pytest.mark.parametrize("text", ["a\nb", "a\nb\n", "a\nb\n\n\n", "a\n\n", "a\nb ", " a\nb\n"])
def test_text_at_the_end_of_a_template_keeps_its_end(major: str, tmp_path: Path, text: str) -> None:
    manifest = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"text": text}}
    assert yaml.safe_load(template(major, tmp_path, {"map.yaml": emit(manifest)})) == manifest


def test_comments_do_not_reach_the_value(major: str, tmp_path: Path) -> None:
    data = {"a": "x", "b": ["y", 1], "c": "m\nn\n", "d": {}}
    notes: dict[tuple[str | int, ...], str] = {
        ("a",): "one",
        ("b", 0): "two",
        ("b", 1): "3",
        ("c",): "# four",
        ("d",): "five",
    }
    assert seen_by_templates(major, tmp_path, emit(data, notes)) == data


def test_the_go_dialect_reads_plain_scalars_as_helm_does(major: str, tmp_path: Path) -> None:
    refused = {".inf", "-.inf", "+.INF", ".nan", ".NaN"}
    words = [word for word in TYPED_BY_SOME_READER if word not in refused]
    text = "".join(f'"{index}": {word}\n' for index, word in enumerate(words))
    ((document,), _) = read(text.encode(), "values.yaml", Dialect.GO)
    arrived = seen_by_templates(major, tmp_path, text)
    differing = [words[int(key)] for key, value in document.data.items() if value != arrived[key]]
    assert differing == ["12345678901234567890123"]  # Helm rounds it to a float
