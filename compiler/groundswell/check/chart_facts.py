"""What the text of a chart tells before it is rendered: whether it can differ each time, and which APIs it asks for."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from groundswell.check.actions import in_actions
from groundswell.check.assembled import assembled
from groundswell.check.impure_functions import WORDS, impure_functions, impure_in
from groundswell.check.objects import mapping, sequence
from groundswell.check.shared_templates import ANY, users
from groundswell.check.template_files import (
    chart_of,
    handed_to_tpl,
    is_rendered,
    is_values,
    telling_actions,
    texts,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from groundswell.check.shared_templates import Users

_APIS = b"APIVersions"
_WORDS = (*WORDS, _APIS, b"tpl", b".Files")
_HAS = re.compile(rb'APIVersions\.Has\s+\(?\s*"([^"]+)"')
_NAME = re.compile(rb"""^name:[ \t]*["']?([\w.-]+)["']?[ \t\r]*$""", re.MULTILINE)
_SOURCE = re.compile(rb"^# Source: [^/\n]+/((?:charts/[^/\n]+/)*)", re.MULTILINE)
_ABOUT = ("Chart.yaml", "requirements.yaml")

_Alias: TypeAlias = "tuple[str, str, str]"


class Facts(NamedTuple):
    """What the text of a chart and of the values that it gets tells.

    `impure` are functions whose result may differ each time, with the file. `asks`: templates look at the cluster's
    APIs; `apis` are those that they ask for by name, such as `monitoring.coreos.com/v1`, with the file, and
    `asks_unnamed` says that they look in another way as well. `users` are files of subcharts with a chart that may use
    them, `charts/common/`, whether they print something or not. `about` is the chart's name and version. `assembled`
    are functions as in `impure`, in templates that may be put together at run time. `aliases` are the folder of a
    chart, a name under which it has a subchart, and what its folder is called, where that is another name.
    """

    impure: tuple[tuple[str, str], ...] = ()
    asks: bool = False
    apis: tuple[tuple[str, str], ...] = ()
    users: Users = ()
    about: tuple[str, str] = ("", "")
    asks_unnamed: bool = False
    assembled: tuple[tuple[str, str], ...] = ()
    aliases: tuple[_Alias, ...] = ()

    def and_also(self, other: Facts) -> Facts:
        """Both together."""
        return Facts(
            (*self.impure, *other.impure),
            self.asks or other.asks,
            (*self.apis, *other.apis),
            (*self.users, *other.users),
            other.about if any(other.about) else self.about,
            self.asks_unnamed or other.asks_unnamed,
            (*self.assembled, *other.assembled),
            (*self.aliases, *other.aliases),
        )

    def seen_in(self, printed: bytes) -> Facts:
        """Without those of subcharts that printed nothing, for the values switch such a one off, and that none uses."""
        if not self.impure and not self.apis and not self.assembled:
            return self
        printing = set().union(
            *(self._folders(found.decode(errors="replace")) for found in set(_SOURCE.findall(printed)))
        )
        used = {file for file, user in self.users if _prints(user, printing)}

        def seen(items: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
            return tuple(item for item in items if {ANY, item[1]} & used or _prints(chart_of(item[1]), printing))

        return self._replace(impure=seen(self.impure), apis=seen(self.apis), assembled=seen(self.assembled))

    def _folders(self, printed: str) -> set[str]:
        """The folders in the archive of a chart that helm names as its parents call it; one for each version of it."""
        found = {""}
        for name in printed.split("/")[1::2]:
            parents, found = found, set()
            for parent in parents:
                called = {folder for above, alias, folder in self.aliases if (above, alias) == (parent, name)}
                found |= {f"{parent}charts/{folder}/" for folder in called or {name}}
        return found


def _prints(chart: str, printing: set[str]) -> bool:
    """Whether a chart, or one inside of it, is among those that printed something; the outermost is taken for one."""
    return not chart or any(folder.startswith(chart) for folder in printing)


def facts_of(files: Iterable[tuple[str, bytes]]) -> Facts:
    """Look through the files of a chart, or through its values, since a chart may render those as templates too."""
    files = list(files)
    actions = telling_actions(files, _WORDS)
    handed = handed_to_tpl(actions)
    impure = {
        (function, name)
        for name, found in actions
        if is_rendered(name, handed) and not is_values(name)
        for action in found
        for function in impure_in(action)
    }
    apis: set[tuple[str, str]] = set()
    asks = unnamed = False
    for name, action in ((name, action) for name, found in actions for action in found if _APIS in action):
        asks = True
        named = _HAS.findall(action)
        unnamed |= action.count(_APIS) > len(named)
        apis |= {(api.decode(errors="replace"), name) for api in named}
    for name, data in files:
        if is_values(name) and in_actions(WORDS, data):
            impure |= {(function, name) for text in texts(data) for function in impure_functions(text)}
    late = assembled(actions, handed)
    about, aliases = _charts(files)
    used = users(files, {file for _, file in (*impure, *apis, *late)})
    return Facts(tuple(sorted(impure)), asks, tuple(sorted(apis)), used, about, unnamed, late, aliases)


def _charts(files: Iterable[tuple[str, bytes]]) -> tuple[tuple[str, str], tuple[_Alias, ...]]:
    """What the charts in an archive say of themselves: the name and version of the outermost, and other names."""
    about = ("", "")
    aliases: list[_Alias] = []
    folders: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, data in files:
        if not name.endswith(_ABOUT) or (folder := chart_of(name)) + name.rpartition("/")[2] != name:
            continue
        if name == "Chart.yaml":
            about = stated(data)
        elif name.endswith("Chart.yaml"):
            above, _, base = folder[:-1].rpartition("charts/")
            found = _NAME.search(data)
            folders[above, found[1].decode() if found else stated(data)[0]].append(base)
        aliases += _aliases(folder, data) if b"alias" in data else ()
    called = [(above, alias, base) for above, alias, own in aliases for base in folders.get((above, own), [own])]
    others = [(above, own, base) for (above, own), bases in folders.items() if bases != [own] for base in bases]
    return about, (*called, *others)


def _aliases(folder: str, about: bytes) -> Iterator[_Alias]:
    """The other names that a chart has for those in it, with their own.

    https://helm.sh/docs/topics/charts/#alias-field-in-dependencies
    """
    from groundswell.source.bare_values import read_values  # noqa: PLC0415  few charts have any

    for _, document in read_values(about, "Chart.yaml")[0]:
        for item in map(mapping, sequence(mapping(document).get("dependencies"))):
            if item.get("alias"):
                yield folder, str(item["alias"]), str(item.get("name"))


def may_ask(files: Iterable[tuple[str, bytes]]) -> bool:
    """Whether a chart may look at the cluster's APIs; what does not is found out faster than all its facts."""
    return any(_APIS in data for name, data in files if is_rendered(name, ("",)))


def stated(about: bytes) -> tuple[str, str]:
    """Name and version in a Chart.yaml, "" for each that is not there."""
    from groundswell.source.reader import Dialect, read  # noqa: PLC0415  only where a chart is read

    documents, _ = read(about, "Chart.yaml", Dialect.GO)
    if not documents or not isinstance(documents[0].data, dict):
        return "", ""
    top = documents[0]
    name, version = (top[key].text or str(top[key].data) if key in top else "" for key in ("name", "version"))
    return name, version
