"""The catalog's files as documents, values and manifests: each is parsed once, whoever asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.deploy.documents import take_apart
from groundswell.deploy.file_size import too_large
from groundswell.deploy.plain import plain_findings
from groundswell.diagnostics.codes import model as codes
from groundswell.diagnostics.suggest import did_you_mean, nearest
from groundswell.source.located import Located
from groundswell.source.reader import read, read_one
from groundswell.source.span import Span

if TYPE_CHECKING:
    from groundswell.catalog.files import CatalogFiles
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Manifest
    from groundswell.source.located import Mark

_NOTHING: Mark = (1, 1, 1, 1, None, {})


class Library:
    """Looks files up by path as seen from a layer. What is wrong with them gathers in `findings`, once per file.

    `used` holds the identifiers of all files that a document named.
    """

    def __init__(self, files: CatalogFiles, findings: list[Diagnostic]) -> None:
        """Serve the given files."""
        self._files = files
        self._findings = findings
        self._values: dict[str, Located | None] = {}
        self._manifests: dict[str, Manifest | None] = {}
        self.used: set[str] = set()

    def document(self, identifier: str) -> Located | None:
        """The one document in a catalog file, or None after reporting why there is none."""
        document, findings = read_one(self._files.content[identifier], identifier)
        self._findings.extend(findings)
        return document

    def values(self, path: Located, layer: str) -> Located | None:
        """The map in the values file at `path`."""
        identifier = self._find(path, layer)
        return self.values_of(identifier) if identifier else None

    def own_values(self, path: Located, layer: str) -> Located | None:
        """The map in the values file at `path` of this very layer: no lower one's file stands in for it."""
        text = path.text or str(path.data)
        identifier = f"{layer}/{text}"
        if identifier not in self._files.content:
            known = [name.removeprefix(f"{layer}/") for name in self._files.content if name.startswith(f"{layer}/")]
            beside = f"{path.file.removeprefix(f'{layer}/').rpartition('/')[0]}/{text}"
            self._missing(path, beside if beside in known else nearest(text, known))
            return None
        return self.values_of(identifier)

    def beside(self, component: str, layer: str) -> Located | None:
        """The map in the values.yaml of a component's folder; None without one."""
        identifier = f"{layer}/components/{component}/values.yaml"
        return self.values_of(identifier) if identifier in self._files.content else None

    def values_of(self, identifier: str) -> Located | None:
        """The map in a values file; a file that holds only comments is an empty map."""
        if identifier not in self._values:
            self._values[identifier] = self._read_values(identifier)
        self.used.add(identifier)
        return self._values[identifier]

    def manifest(self, path: Located, layer: str) -> Manifest | None:
        """The manifest at `path`, its text with LF line ends and without a byte order mark."""
        identifier = self._find(path, layer)
        if identifier is None:
            return None
        if identifier not in self._manifests:
            found = self._manifests[identifier] = self._read_manifest(identifier)
            if found is not None:
                self._judge((*too_large(found), *plain_findings(found)))
        self.used.add(identifier)
        return self._manifests[identifier]

    def _find(self, path: Located, layer: str) -> str | None:
        text = path.text or str(path.data)
        identifier = self._files.lookup(text, layer)
        if identifier is None:
            self._missing(path, nearest(text, [name.partition("/")[2] for name in self._files.content]))
        return identifier

    def _missing(self, path: Located, guess: str | None) -> None:
        text = f"the catalog has no file `{path.text or path.data}`"
        self._findings.append(codes.MISSING_FILE(text, path.span, help=did_you_mean(guess)))

    def _read_values(self, identifier: str) -> Located | None:
        documents, findings = read(self._files.content[identifier], identifier)
        self._findings.extend(findings)
        if not documents:
            return Located({}, _NOTHING, identifier)
        document, *more = documents
        if more:
            text = "a values file holds one document; Helm 3 would read only the first"
            self._findings.append(codes.NOT_A_MAP(text, more[0].span))
            return None
        if not isinstance(document.data, dict):
            self._findings.append(codes.NOT_A_MAP("the values must be a map", document.span))
            return None
        return document

    def _judge(self, findings: tuple[Diagnostic, ...]) -> None:
        """Take what is wrong with a manifest whatever becomes of it."""
        self._findings.extend(findings)

    def _read_manifest(self, identifier: str) -> Manifest | None:
        try:
            text = self._files.content[identifier].decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = self._files.content[identifier][: error.start].count(b"\n") + 1
            place = Span(identifier, line, 1, line, 1)
            self._findings.append(codes.UNREADABLE(f"`{identifier.partition('/')[2]}` is not UTF-8", place))
            return None
        return take_apart(identifier, text.replace("\r\n", "\n"))
