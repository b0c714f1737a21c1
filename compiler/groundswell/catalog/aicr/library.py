"""The files of an AICR catalog, as that project's own loader reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundswell.catalog.aicr.hooks import without_hooks
from groundswell.catalog.library import Library
from groundswell.diagnostics.codes import aicr as aicr_codes
from groundswell.diagnostics.codes import model as codes
from groundswell.source.located import Located
from groundswell.source.reader import Dialect, read

if TYPE_CHECKING:
    from groundswell.catalog.files import CatalogFiles
    from groundswell.diagnostics.diagnostic import Diagnostic
    from groundswell.resolve.resolution import Manifest


class AicrLibrary(Library):
    """Values and documents are read as go-yaml v3 does, and only the first document of a file counts."""

    def __init__(self, files: CatalogFiles, findings: list[Diagnostic], remarks: list[Diagnostic]) -> None:
        """Serve the given files; what that loader passes over in silence gathers in `remarks`."""
        super().__init__(files, findings)
        self._remarks = remarks

    def document(self, identifier: str) -> Located | None:
        """The first document in a file, None when there is none."""
        documents, findings = read(self._files.content[identifier], identifier, Dialect.GO_V3)
        self._findings.extend(findings)
        for more in documents[1:]:
            self._remarks.append(aicr_codes.IGNORED_DOCUMENT("only the first document of a file is read", more.span))
        return documents[0] if documents else None

    def _read_values(self, identifier: str) -> Located | None:
        document = self.document(identifier)
        if document is None or document.data is None:
            return Located({}, (1, 1, 1, 1, None, {}), identifier)
        if not isinstance(document.data, dict):
            self._findings.append(codes.NOT_A_MAP("the values must be a map", document.span))
            return None
        return document

    def _judge(self, findings: tuple[Diagnostic, ...]) -> None:
        """Remarks: that loader reads no manifest. A bundle that would hold such a one is refused all the same."""
        self._remarks.extend(findings)

    def _read_manifest(self, identifier: str) -> Manifest | None:
        manifest = super()._read_manifest(identifier)
        return without_hooks(manifest) if manifest else None
