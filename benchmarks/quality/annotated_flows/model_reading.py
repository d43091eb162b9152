"""Flows that a chat model reads in annotated texts, as indexing would have it read them."""

import asyncio
from pathlib import Path

from soprag.benchmarks.quality.annotated_flows.document import annotated
from soprag.tools.procedure.blocks.blocks import read_blocks
from soprag.tools.procedure.blocks.sections import outline
from soprag.tools.procedure.procedure import ProcedureFlow
from soprag.tools.retriever.index.extraction import Extractor
from soprag.tools.sop import Sop


async def read_by_model(folder: Path, extractor: Extractor) -> dict[str, ProcedureFlow]:
    """The flow of every annotated text of a folder, by its Markdown; raises ModelError when one gets no answer."""
    texts = {markdown: _whole(name, markdown) for name, markdown, _ in annotated(folder)}
    read = await asyncio.gather(*(extractor.examine(sop) for sop in texts.values()))
    return {markdown: one.flow for markdown, one in zip(texts, read, strict=True)}


def _whole(name: str, markdown: str) -> Sop:
    """A text as one SOP, called by its first heading."""
    titles = [part.title for part in outline(read_blocks(markdown)).parts if part.title]
    return Sop.of_text(name, titles[0] if titles else name, markdown)
