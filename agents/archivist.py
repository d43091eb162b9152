"""The Archivist: a collected document becomes Markdown that keeps its structure."""

from dataclasses import dataclass
from pathlib import Path

from configs.settings import ParsingSettings
from tools.parsing import ParsedDocument, shared_parser


@dataclass(frozen=True)
class Archivist:
    """Turns documents into Markdown; what cannot be used raises `DocumentError` and harms no other document."""

    settings: ParsingSettings
    cache: Path | None = None

    async def parse(self, source: Path | bytes, name: str) -> ParsedDocument:
        """The document as Markdown, with its pictures and the trail of how it was made."""
        return await shared_parser(self.settings, self.cache).parse(source, name)
