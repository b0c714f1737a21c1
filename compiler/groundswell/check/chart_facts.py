"""What the text of a chart tells before it is rendered: whether it can differ each time, and which APIs it asks for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from groundswell.check.actions import ACTION, TEXT, in_actions, prints_text, unquoted
from groundswell.check.template_files import chart_of, handed_to_tpl, is_rendered, is_values, is_verbatim, texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

IMPURE = re.compile(
    rb"(?<![\w.$])(rand(?:AlphaNum|Alpha|Ascii|Numeric|Bytes|Int)|gen(?:CA|SelfSignedCert|SignedCert)(?:WithKey)?"
    rb"|genPrivateKey|uuidv4|now|ago|shuffle|htpasswd|bcrypt|encryptAES|(?:keys|values)\b(?!.*\bsortAlpha\b))\b",
    re.DOTALL,
)
"""The functions of Helm's templates whose result is another one each time.

`keys` and `values` give theirs in no fixed order, which does not matter where it is sorted.
"""
# Most files and most actions hold none of these, and need not be looked at any closer.
_WORDS = b"rand genCA genS genP uuidv4 now ago shuffle htpasswd bcrypt encryptAES keys values".split()
_APIS = b"APIVersions"
_HAS = re.compile(rb'APIVersions\.Has\s+\(?\s*"([^"]+)"')
_LIBRARY = re.compile(rb"""^type:\s*["']?library\b""", re.MULTILINE)
_SOURCE = re.compile(r"^# Source: [^/\n]+/((?:charts/[^/\n]+/)*)", re.MULTILINE)


class Facts(NamedTuple):
    """What the text of a chart and of the values that it gets tells.

    `impure` are functions whose result may differ each time, with the file. `asks`: templates look at the cluster's
    APIs; `apis` are those that they ask for by name, such as `monitoring.coreos.com/v1`, with the file, and
    `asks_unnamed` says that they look in another way as well. `libraries` are the folders of subcharts that print
    nothing of their own: `charts/common/`. `about` is the chart's name and version. `assembled` are functions as in
    `impure`, in templates that may be put together at run time.
    """

    impure: tuple[tuple[str, str], ...] = ()
    asks: bool = False
    apis: tuple[tuple[str, str], ...] = ()
    libraries: tuple[str, ...] = ()
    about: tuple[str, str] = ("", "")
    asks_unnamed: bool = False
    assembled: tuple[tuple[str, str], ...] = ()

    def and_also(self, other: Facts) -> Facts:
        """Both together."""
        return Facts(
            (*self.impure, *other.impure),
            self.asks or other.asks,
            (*self.apis, *other.apis),
            (*self.libraries, *other.libraries),
            other.about if any(other.about) else self.about,
            self.asks_unnamed or other.asks_unnamed,
            (*self.assembled, *other.assembled),
        )

    def seen_in(self, printed: str) -> Facts:
        """Without those of subcharts that printed nothing, since the values switch such a one off."""
        if not self.impure and not self.apis and not self.assembled:
            return self
        printing = set(_SOURCE.findall(printed))

        def seen(items: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
            return tuple(item for item in items if self._printed(chart_of(item[1]), printing))

        return self._replace(impure=seen(self.impure), apis=seen(self.apis), assembled=seen(self.assembled))

    def _printed(self, chart: str, printing: set[str]) -> bool:
        """Whether a subchart, or for a library the chart that it belongs to, is among those that printed something."""
        while chart in self.libraries:
            chart = chart[: chart.rindex("charts/")]
        return not chart or any(folder.startswith(chart) for folder in printing)


def facts_of(files: Iterable[tuple[str, bytes]]) -> Facts:
    """Look through the files of a chart, or through its values, since a chart may render those as templates too."""
    impure: dict[tuple[str, str], None] = {}
    apis: dict[tuple[str, str], None] = {}
    libraries = []
    asks = unnamed = False
    about = ("", "")
    files = list(files)
    handed = handed_to_tpl(files)
    for name, data in files:
        if name == "Chart.yaml":
            about = stated(data)
        if name.endswith("/Chart.yaml") and _LIBRARY.search(data):
            libraries.append(name.removesuffix("Chart.yaml"))
        for action in ACTION.findall(data) if _APIS in data and is_rendered(name, ("",)) else ():
            if _APIS in action:
                asks = True
                named = _HAS.findall(action)
                unnamed |= action.count(_APIS) > len(named)
                apis |= dict.fromkeys((found.decode(errors="replace"), name) for found in named)
        if is_verbatim(name) or not in_actions(_WORDS, data):
            continue
        rendered = texts(data) if is_values(name) else [data] if is_rendered(name, handed) else []
        impure |= dict.fromkeys((function, name) for text in rendered for function in impure_functions(text))
    return Facts(tuple(sorted(impure)), asks, tuple(sorted(apis)), tuple(libraries), about, unnamed)


def may_ask(files: Iterable[tuple[str, bytes]]) -> bool:
    """Whether a chart may look at the cluster's APIs; what does not is found out faster than all its facts."""
    return any(_APIS in data for _, data in files)


def stated(about: bytes) -> tuple[str, str]:
    """Name and version in a Chart.yaml, "" for each that is not there."""
    from groundswell.source.reader import Dialect, read  # noqa: PLC0415  only where a chart is read

    documents, _ = read(about, "Chart.yaml", Dialect.GO)
    if not documents or not isinstance(documents[0].data, dict):
        return "", ""
    top = documents[0]
    name, version = (top[key].text or str(top[key].data) if key in top else "" for key in ("name", "version"))
    return name, version


def impure_functions(template: bytes) -> Iterator[str]:
    """The functions in a template whose result may differ, and those in templates that stand in its strings."""
    for action in ACTION.findall(template):
        if not any(word in action for word in _WORDS):
            continue
        for function in IMPURE.finditer(TEXT.sub(b'""', action)):
            yield function[1].decode()
        for text in () if prints_text(action) else TEXT.findall(action):
            if b"{{" in text:
                yield from impure_functions(unquoted(text))
