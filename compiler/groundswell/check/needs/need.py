"""One object's need of what another folder brings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from groundswell.check.objects import KubeObject


class Need(NamedTuple):
    """`user` needs what any one of the folders `providers` brings; `what` names it: "the definition of its kind".

    `either` says that the user may also be there first, as long as the order is fixed. `path` is the field of the user
    that says so, () when no single one does.
    """

    user: KubeObject
    providers: tuple[str, ...]
    what: str
    either: bool = False
    path: tuple[str | int, ...] = ()
