"""What the text of a chart tells before it is rendered: whether it can differ each time, and which APIs it asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_ACTION = re.compile(rb"\{\{-?(?!-?\s*/\*).*?\}\}", re.DOTALL)
# The functions of Helm's templates whose result is another one each time. `keys` and `values` give their result in no
# fixed order.
_IMPURE = re.compile(
    rb"(?<![\w.$])(rand(?:AlphaNum|Alpha|Ascii|Numeric|Bytes|Int)|gen(?:CA|SelfSignedCert|SignedCert)(?:WithKey)?"
    rb"|genPrivateKey|uuidv4|now|ago|shuffle|htpasswd|bcrypt|encryptAES|keys|values)\b"
)
_APIS = b"APIVersions"
_HAS = re.compile(rb'APIVersions\.Has\s+\(?\s*"([^"]+)"')
_NOT_RENDERED = (".md", ".png", ".svg", ".tgz")


@dataclass(frozen=True, slots=True)
class Facts:
    """`impure`: functions whose result may differ each time, with the file. `asks`: it looks at the cluster's APIs.

    `apis` are those it asks for by name, such as `monitoring.coreos.com/v1`.
    """

    impure: tuple[tuple[str, str], ...] = ()
    asks: bool = False
    apis: tuple[str, ...] = ()

    def and_also(self, other: Facts) -> Facts:
        """Both together: a chart and the values that it gets."""
        return Facts((*self.impure, *other.impure), self.asks or other.asks, (*self.apis, *other.apis))


def facts_of(files: Iterable[tuple[str, bytes]]) -> Facts:
    """Look through the files of a chart, its values included, since a chart may render those as templates too."""
    impure: dict[tuple[str, str], None] = {}
    apis: dict[str, None] = {}
    asks = False
    for name, data in files:
        if name.endswith(_NOT_RENDERED) or b"{{" not in data or "/crds/" in f"/{name}":
            continue
        for action in _ACTION.finditer(data):
            for function in _IMPURE.finditer(action[0]):
                impure[function[1].decode(), name] = None
            if _APIS in action[0]:
                asks = True
                apis |= dict.fromkeys(found.decode(errors="replace") for found in _HAS.findall(action[0]))
    return Facts(tuple(sorted(impure)), asks, tuple(sorted(apis)))
