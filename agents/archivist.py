"""The Archivist: converts a collected document to Markdown and keeps its structure."""

import asyncio
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from soprag.configs.settings import ParsingSettings
from soprag.tools.errors import ModelError
from soprag.tools.llm import Llm
from soprag.tools.parsing import ParsedDocument, Tell, shared_parser
from soprag.tools.parsing.captions import add_captions, surroundings, undescribed
from soprag.tools.tasks.archive import DESCRIBE_FIGURE, FigureAsk
from soprag.tools.tasks.picture import Picture


@dataclass(frozen=True)
class Archivist:
    """Converts documents to Markdown; raises `DocumentError` for a document that cannot be used.

    `llm` describes pictures without a caption, at most `settings.described` per document.
    """

    settings: ParsingSettings
    cache: Path | None = None
    llm: Llm | None = None

    async def parse(self, source: Path | bytes, name: str, tell: Tell | None = None) -> ParsedDocument:
        """Parse a file or its bytes to Markdown, images and parser trail; `tell` receives progress messages."""
        document = await shared_parser(self.settings, self.cache).parse(source, name, tell)
        return await self._describe(document, self.llm) if self.llm else document

    async def _describe(self, document: ParsedDocument, llm: Llm) -> ParsedDocument:
        """Add captions from the model to undescribed pictures; failures are counted in a warning."""
        candidates = ((figure, Picture.of(figure.data, figure.media_type)) for figure in undescribed(document.images))
        pictured = islice(((figure, picture) for figure, picture in candidates if picture), self.settings.described)
        asks = {
            figure.name: FigureAsk(around=surroundings(document.markdown, figure), picture=picture)
            for figure, picture in pictured
        }
        answers = await asyncio.gather(*(_look(llm, ask) for ask in asks.values()))
        outcomes = dict(zip(asks, answers, strict=True))
        captions = {name: caption for name, caption in outcomes.items() if isinstance(caption, str)}
        errors = [outcome for outcome in outcomes.values() if isinstance(outcome, ModelError)]
        captioned = add_captions(document.markdown, document.images, captions)
        warning = f"{len(errors)} of {len(outcomes)} pictures were not described: {errors[0]}" if errors else ""
        return document.model_copy(
            update={
                "markdown": captioned.markdown,
                "images": captioned.images,
                "warnings": (*document.warnings, *filter(None, [warning])),
            }
        )


async def _look(llm: Llm, ask: FigureAsk) -> str | ModelError:
    try:
        return (await llm.ask(DESCRIBE_FIGURE, ask)).caption
    except ModelError as error:
        return error
