"""Values that can never win, because a higher layer that is always there sets them (`catalog check`).

A recipe takes part only in queries that state all of its effective criteria. So its companions, the recipes that take
part whenever it does, are its bases, the root, every recipe whose effective criteria are among its own, and the bases
of these. What a companion with it as a base sets, or a mixin of a companion enforces, is lost on it; on a component's
defaults also what any companion or mixin of these sets. Within one entry, later values files and the overrides come
last.

A place counts when all its uses are lost: a values file may serve several documents. A higher layer of catalogs is no
reason: to be changed by those is what lower ones are for.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from groundswell.catalog.files import Layout
from groundswell.catalog.references import ROOT
from groundswell.catalog.value_path import format_path
from groundswell.diagnostics.codes import model as codes
from groundswell.diagnostics.diagnostic import Related
from groundswell.resolve.leaves import leaves

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundswell.catalog.entries import Catalog, ComponentRef
    from groundswell.catalog.files import CatalogFiles
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Path
    from groundswell.source.located import Located
    from groundswell.source.span import Span

_COMPONENT, _RECIPE, _MIXIN = 0, 1, 2
_FIELD, _VALUE = "field", "value"


class _Write(NamedTuple):
    """A scalar, list or null, which replaces everything at its path; the path begins with `field` or `value`."""

    path: Path
    span: Span
    removes: bool = False


class _Say(NamedTuple):
    """What one document says on one component; `place` is its kind, then the order in which recipes are merged."""

    place: tuple[int, int, int, str]
    ref: ComponentRef

    @property
    def name(self) -> str:
        """The document's name."""
        return self.place[3]

    @property
    def label(self) -> str:
        """How people call the document."""
        return f"{('component', 'recipe', 'mixin')[self.place[0]]} `{self.name}`"

    @property
    def layer(self) -> str:
        """The catalog layer of the document."""
        return self.ref.span.file.partition("/")[0]

    def writes(self) -> Iterator[_Write]:
        """Everything that the entry sets, in the order in which it is merged, `enforce` left out."""
        for key, child in self.ref.fields.items():
            yield _Write((_FIELD, key), child.span)
        for values in self.ref.values:
            yield from _leaves(values, (_VALUE,))
        for item in self.ref.unset:
            yield _Write((_VALUE, *item.path), item.span, removes=True)

    def replaced(self) -> Iterator[_Write]:
        """The paths at which the entry drops what is below it."""
        for item in self.ref.replace:
            yield _Write((_VALUE, *item.path), item.span)

    def enforced(self) -> Iterator[_Write]:
        """What the entry of a mixin enforces."""
        yield from _leaves(self.ref.enforce, (_VALUE,)) if self.ref.enforce else ()


class _Winner(NamedTuple):
    """What always comes after a write: where it stands, and the words that say so."""

    span: Span
    words: str


def shadowed(catalog: Catalog, files: CatalogFiles) -> tuple[Diagnostic, ...]:
    """Warnings for values and fields that can never win; with catalogs of the user's, only for those in them."""
    if files.layout is not Layout.OWN:
        return ()
    uses: defaultdict[tuple[str, Path, Span], list[tuple[_Say, _Winner | None]]] = defaultdict(list)
    for say, write, winner in _Judge(catalog, files.layers).verdicts():
        uses[say.ref.name, write.path, write.span].append((say, winner))
    findings = []
    for (component, path, span), found in uses.items():
        say, winner = found[0]
        if winner and files.judges(span.file) and all(other for _, other in found):
            title = f"`{path[1]}` of `{component}`" if path[0] == _FIELD else f"`{component}.{format_path(path[1:])}`"
            text = f"what {say.label} says on {title} never counts: {winner.words}"
            findings.append(codes.SHADOWED_VALUE(text, span, related=[Related(winner.span, "set here")]))
    return tuple(findings)


class _Judge:
    """Finds out for each leaf of each document whether something above it is always there."""

    def __init__(self, catalog: Catalog, layers: Sequence[str]) -> None:
        self._recipes = catalog.recipes
        self._height = {name: number for number, name in enumerate(layers)}
        self._says: defaultdict[str, list[_Say]] = defaultdict(list)
        for say in sorted(_says(catalog), key=lambda say: say.place):
            self._says[say.ref.name].append(say)
        self._known: dict[tuple[str, str], tuple[frozenset[str], frozenset[str]]] = {}

    def verdicts(self) -> Iterator[tuple[_Say, _Write, _Winner | None]]:
        """Every leaf with what shadows it, None when it can win."""
        for says in self._says.values():
            for say in says:
                above = self._above(say)
                replaced = {write.path for write in say.replaced()}
                for write in reversed(list(say.writes())):
                    # What replaces a map, or clears the way for one, does more than set its own value.
                    kept = write.removes or any(prefix in replaced for prefix in _prefixes(write.path))
                    winner = next((above[prefix] for prefix in _prefixes(write.path) if prefix in above), None)
                    yield say, write, None if kept else winner
                    above.setdefault(write.path, _Winner(write.span, "the same entry sets it again"))

    def _above(self, say: _Say) -> dict[Path, _Winner]:
        """What companions always set above a component's defaults or a recipe."""
        found: dict[Path, _Winner] = {}
        enforced: dict[Path, _Winner] = {}
        if say.place[0] == _MIXIN:
            return found
        recipes, mixins = self._companions(say)
        when = "always" if say.place[0] == _COMPONENT else "whenever this recipe takes part"
        for other in self._says[say.ref.name]:
            names = mixins if other.place[0] == _MIXIN else recipes
            if other.place <= say.place or other.name not in names or not self._reaches(other.layer, say.layer):
                continue
            words = f"{other.label} sets it {when}"
            if self._yields(say, other):
                found |= {write.path: _Winner(write.span, words) for write in (*other.replaced(), *other.writes())}
            enforced |= {write.path: _Winner(write.span, words) for write in other.enforced()}
        return found | enforced

    def _yields(self, say: _Say, other: _Say) -> bool:
        """Whether a document simply gives way to one above it: no other value would be a conflict with that one."""
        if say.place[0] == _COMPONENT:
            return True
        return other.place[0] == _RECIPE and say.name in self._recipes[other.name].chain

    def _companions(self, say: _Say) -> tuple[frozenset[str], frozenset[str]]:
        """The recipes that take part whenever a document does, and the mixins that they name."""
        name = say.name if say.place[0] == _RECIPE else ROOT
        if (name, say.layer) not in self._known:
            own = self._recipes[name].effective.items()
            there = {
                recipe.name
                for recipe in self._recipes.values()
                if recipe.criteria is not None and recipe.effective.items() <= own
            }
            recipes = frozenset(base for item in (*there, name, ROOT) for base in self._recipes[item].chain)
            mixins = frozenset(
                mixin.name
                for item in recipes
                for part in (self._recipes[item], *self._recipes[item].patches)
                if self._reaches(part.layer, say.layer)
                for mixin in part.mixins
            )
            self._known[name, say.layer] = recipes, mixins
        return self._known[name, say.layer]

    def _reaches(self, layer: str, judged: str) -> bool:
        """Whether a catalog layer is not above that of what is judged."""
        return self._height[layer] <= self._height[judged]


def _says(catalog: Catalog) -> Iterator[_Say]:
    for entry in catalog.components.values():
        for ref in (entry.defaults, *entry.patches):
            yield _Say((_COMPONENT, 0, 0, entry.name), ref)
    for recipe in catalog.recipes.values():
        for part in (recipe, *recipe.patches):
            for ref in part.refs:
                yield _Say((_RECIPE, len(recipe.effective), len(recipe.chain), recipe.name), ref)
    for mixin in catalog.mixins.values():
        for piece in (mixin, *mixin.patches):
            for ref in piece.refs:
                yield _Say((_MIXIN, 0, 0, mixin.name), ref)


def _leaves(values: Located, path: Path) -> Iterator[_Write]:
    """What a map of values sets. An empty map in it replaces nothing."""
    for leaf in leaves(values, path):
        if not leaf.empty_map:
            yield _Write(leaf.path, leaf.span, removes=leaf.value is None)


def _prefixes(path: Path) -> Iterator[Path]:
    return (path[:length] for length in range(1, len(path) + 1))
