"""Results kept on disk by content and by everything they depend on: engines, versions, settings, repairs."""

import contextlib
import os
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from pydantic import ValidationError

from soprag.configs.settings import ParsingSettings
from soprag.tools.parsing.chain import Ready
from soprag.tools.parsing.document import ParsedDocument
from soprag.tools.parsing.kinds import Kind
from soprag.tools.sop import digest

# Raised with every change of a repair or an engine of ours that changes its output.
EDITION = 8
_MATTERS = ("tier", "server", "vlm", "vlm_model", "ocr", "max_characters")


@dataclass(frozen=True)
class ParseCache:
    """A folder of results; without one (`folder` is None) nothing is kept."""

    folder: Path | None

    def read(self, key: str) -> ParsedDocument | None:
        """The kept result, if it is there and whole."""
        if self.folder is None:
            return None
        with contextlib.suppress(OSError, ValidationError):
            return ParsedDocument.model_validate_json(self._file(key).read_bytes())
        return None

    def write(self, key: str, document: ParsedDocument) -> None:
        """Keep the result when its best engine made it; what a fallback made is tried anew the next time."""
        best = all(attempt.outcome in ("accepted", "unavailable") for attempt in document.trail)
        if self.folder is None or not best:
            return
        # A cache that cannot be written is no reason to lose a result.
        with contextlib.suppress(OSError):
            target = self._file(key)
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, part = tempfile.mkstemp(dir=target.parent, suffix=".part")
            with os.fdopen(handle, "wb") as file:
                file.write(document.model_dump_json().encode())
            Path(part).replace(target)

    def _file(self, key: str) -> Path:
        assert self.folder is not None
        return self.folder / "parsing" / key[:2] / f"{key}.json"


def cache_key(data: bytes, kind: Kind, settings: ParsingSettings, ready: Ready) -> str:
    """Equal keys mean equal results, as far as this machine can tell."""
    chosen = [str(getattr(settings, name)) for name in _MATTERS]
    engines = [f"mineru {version('mineru')}", f"docvortex {version('docvortex')}", *ready.tiers, str(ready)]
    return digest("\n".join([digest(data), kind, str(EDITION), *chosen, *engines]))
