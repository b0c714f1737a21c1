"""One object's need of what another folder brings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundswell.check.objects import KubeObject


@dataclass(frozen=True, slots=True)
class Need:
    """`user` needs what any one of the folders `providers` brings; `what` names it: "the definition of its kind".

    `either` says that the user may also be there first, as long as the order is fixed.
    """

    user: KubeObject
    providers: tuple[str, ...]
    what: str
    either: bool = False
