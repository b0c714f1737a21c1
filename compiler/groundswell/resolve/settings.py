"""The texts of `--set` and its relatives, and of the scheduling flags (docs/cli.md)."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NoReturn

from groundswell.catalog.value_path import MOST_KEYS, format_path, parse_path
from groundswell.diagnostics.codes import resolve as codes
from groundswell.resolve.layers import unplaced
from groundswell.resolve.leaves import within
from groundswell.resolve.query import Setting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Path
    from groundswell.source.located import Json, Located

_LONGEST_INTEGER = 20
_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")
_WORDS = {"true": True, "false": False, "null": None}
_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_LABEL_VALUE = re.compile(r"([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?")
_LABEL_KEY = re.compile(r"([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")


def typed(text: str) -> Json:
    """The value of `--set`: true, false, null and integers without a leading zero are typed, all else is a string.

    Numbers beyond 64 bits are integers to no reader, so they stay text.
    """
    if text in _WORDS:
        return _WORDS[text]
    if len(text) <= _LONGEST_INTEGER and _INTEGER.fullmatch(text) and text != "-0" and -(2**63) <= int(text) < 2**63:
        return int(text)
    return text


def parse_setting(option: str, text: str, value_of: Callable[[str], Located | str]) -> Setting | Diagnostic:
    """Read `C:path=value`. `value_of` makes the value from its text, or says in words why it cannot."""
    left, equals, right = text.partition("=")
    component, colon, path_text = left.partition(":")
    path = parse_path(path_text)
    if not equals or not colon or not component or path is None:
        shown = readable(f"{left}=…" if equals else left)
        hint = "put a backslash before a dot or bracket inside a key; set lists whole, with --set-json" if colon else ""
        return codes.BAD_SETTING(f"`{option} {shown}` does not have the form COMPONENT:path=value", help=hint)
    if readable(text) != text:
        return codes.BAD_SETTING(f"`{option} {readable(left)}=…` is not UTF-8")
    value = value_of(right)
    if isinstance(value, str):
        return codes.BAD_SETTING(f"`{option} {left}=…`: {value}")
    explicit = option in {"--set-json", "--set-file"}
    return Setting(f"{option} {left}", component, path, value, explicit)


def place_of(text: str) -> tuple[str, Path]:
    """The component and path that the text of a setting names, as far as they can be read."""
    component, colon, path = text.partition("=")[0].partition(":")
    return (component, parse_path(path) or ()) if colon else ("", ())


def readable(text: str) -> str:
    """Text that can be printed: what was no UTF-8 on the command line is replaced."""
    return text.encode(errors="replace").decode()


def parse_json(text: str) -> Located | str:
    """The value of `--set-json`: JSON with unique keys, finite numbers and whole characters, as deep as YAML may be."""
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_constant)
        # `1e999` and half a surrogate pair pass the decoder, but nothing could be written of them.
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except RecursionError:
        return f"the value is nested more than {MOST_KEYS} levels deep"
    except UnicodeEncodeError:
        return "the value holds half of a surrogate pair"
    except ValueError as error:
        return f"not valid JSON: {error}"
    return unplaced(value) if _depth(value) <= MOST_KEYS else f"the value is nested more than {MOST_KEYS} levels deep"


def _depth(value: Json) -> int:
    """How many levels of maps and lists a value has."""
    level, depth = [value], 0
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        level = [child for item in level for child in (item.values() if isinstance(item, dict) else item)]
    return depth


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        msg = f"the key {next(key for key in keys if keys.count(key) > 1)!r} occurs twice"
        raise ValueError(msg)
    return result


def _constant(text: str) -> NoReturn:
    msg = f"{text} is no number that Helm takes"
    raise ValueError(msg)


def overlapping(
    settings: Sequence[Setting], flags: Sequence[Setting], name_of: Mapping[str, str]
) -> tuple[tuple[Setting, ...], list[Diagnostic]]:
    """Settings where one path is the beginning of another setting's, or of a path that a flag writes to.

    `flags` are the scheduling and storage flags at the places where they arrive; `name_of` resolves aliases.

    Returns:
        The settings that overlap with none before them, and an error for each pair of the others.
    """
    before: dict[str, list[Setting]] = {}
    for flag in flags:
        before.setdefault(flag.component, []).append(flag)
    alone, findings = [], []
    for setting in settings:
        others = before.setdefault(name_of.get(setting.component, setting.component), [])
        rivals = [item for item in others if within(item.path, setting.path) or within(setting.path, item.path)]
        findings += [_overlap(other, setting, is_flag=other in flags) for other in rivals]
        alone += [] if rivals else [setting]
        others.append(setting)
    return tuple(alone), findings


def _overlap(other: Setting, setting: Setting, *, is_flag: bool) -> Diagnostic:
    place = f"{other.component}.{format_path(other.path)}"
    hint = f"`{other.option}` goes to {place}: leave one of them out" if is_flag else "leave one of them out"
    return codes.OVERLAPPING_SETTINGS(f"`{other.option}` and `{setting.option}` overlap", help=hint)


def parse_selector(option: str, texts: Sequence[str]) -> tuple[dict[str, str], list[Diagnostic]]:
    """Labels from `key=value` texts."""
    labels: dict[str, str] = {}
    findings = []
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not _LABEL_KEY.fullmatch(key) or not _LABEL_VALUE.fullmatch(value):
            findings.append(codes.BAD_SETTING(f"`{option} {text}` does not have the form label=value"))
        elif labels.setdefault(key, value) != value:
            findings.append(codes.OVERLAPPING_SETTINGS(f"`{option}` gives the label `{key}` two values"))
    return labels, findings


def parse_tolerations(option: str, texts: Sequence[str]) -> tuple[tuple[dict[str, str], ...], list[Diagnostic]]:
    """Tolerations from `key=value:Effect`, `key:Effect`, `key=value` and `key` texts."""
    tolerations = []
    findings = []
    for text in dict.fromkeys(texts):
        head, colon, effect = text.partition(":")
        key, equals, value = head.partition("=")
        valid = _LABEL_KEY.fullmatch(key) and _LABEL_VALUE.fullmatch(value) and (not colon or effect in _EFFECTS)
        if not valid:
            form = f"key[=value][:effect] with an effect of {', '.join(_EFFECTS)}"
            findings.append(codes.BAD_SETTING(f"`{option} {text}` does not have the form {form}"))
            continue
        toleration = {"key": key, "operator": "Equal", "value": value} if equals else {"key": key, "operator": "Exists"}
        tolerations.append(toleration | ({"effect": effect} if colon else {}))
    return tuple(tolerations), findings
