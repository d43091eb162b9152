"""Results kept on disk by content and by everything they depend on: engines, versions, settings, repairs."""

import contextlib
from importlib.metadata import version
from pathlib import Path

from pydantic import ValidationError

from soprag.configs.settings import ParsingSettings
from soprag.tools.errors import StorageError
from soprag.tools.parsing.chain import Ready
from soprag.tools.parsing.document import ParsedDocument
from soprag.tools.parsing.kinds import Kind
from soprag.tools.sop import digest
from soprag.tools.store.sqlite import CacheFile

# Raised with every change of a repair or an engine of ours that changes its output.
EDITION = 9
_MATTERS = ("tier", "server", "vlm", "vlm_model", "ocr", "max_characters")


class ParseCache:
    """Results in one SQLite file in `folder`; without a folder (None) nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._cache = CacheFile.open(folder / "parsing.sqlite") if folder else None

    def read(self, key: str) -> ParsedDocument | None:
        """The kept result, if it is there and whole."""
        if self._cache is None:
            return None
        with contextlib.suppress(StorageError, ValidationError):
            stored = self._cache.get(key)
            return ParsedDocument.model_validate_json(stored) if stored else None
        return None

    def write(self, key: str, document: ParsedDocument) -> None:
        """Store the result unless an engine failed, for lack of time for example: it is tried again the next time."""
        failed = any(attempt.outcome == "failed" for attempt in document.trail)
        if self._cache is None or failed:
            return
        # A cache that cannot be written is no reason to lose a result.
        with contextlib.suppress(StorageError):
            self._cache.put(key, document.model_dump_json().encode(), document.engine)


def cache_key(data: bytes, kind: Kind, settings: ParsingSettings, ready: Ready) -> str:
    """Equal keys mean equal results, as far as this machine can tell."""
    chosen = [str(getattr(settings, name)) for name in _MATTERS]
    engines = [f"mineru {version('mineru')}", f"docvortex {version('docvortex')}", *ready.tiers, str(ready)]
    return digest("\n".join([digest(data), kind, str(EDITION), *chosen, *engines]))
