"""A small index with its knowledge graph, from synthetic SOPs and a few plain documents."""

import asyncio
from pathlib import Path

from soprag.benchmarks.synthetic import HashEmbedder
from soprag.configs.settings import load
from soprag.tools.knowledge.chunks import WindowLimits
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.reading import DocumentReader
from soprag.tools.knowledge.records import SourceDocument
from soprag.tools.retriever.index.extraction import Extractor
from soprag.tools.retriever.index.index import Extraction, Index
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.sop import Sop, Span, digest

PUMP = """# Restart the coolant pump P-101

## Symptoms

- The coolant pump P-101 trips because the motor draws an overcurrent.

## Procedure

1. Close the suction valve V-7.
2. Call a second person before the cover is opened.
3. Start the coolant pump P-101 and watch the pressure.
4. Carry out SOP-TANK-2.
"""
TANK = """# Drain the tank T-4

Number: SOP-TANK-2

1. Open the drain valve V-9.
2. Check the suction valve V-7.
"""
LAYOUT = """# Layout of the cooling loop

The coolant pump P-101 feeds the heat exchanger HX-2. The heat exchanger HX-2 cools the rack row R-5.

| Tag | Volume |
| --- | --- |
| T-4 | 3 m3 |

![The loop with its pump](loop.png)
"""
READER = DocumentReader(RulesLlm(), WindowLimits(256, 32))


def sop(id: str, body: str) -> Sop:
    title = body.partition("\n")[0].lstrip("# ")
    span = Span(start=1, end=body.count("\n") + 1)
    return Sop(id=id, title=title, text=body, document=digest(body), span=span)


def document(id: str, body: str) -> SourceDocument:
    return SourceDocument(id=id, title=body.partition("\n")[0].lstrip("# "), kind="text", body=body, source="notes")


def open_plant(folder: Path, *sops: Sop) -> tuple[Index, KnowledgeLibrary]:
    index = Index.open(folder, HashEmbedder(64), load(environment={}).index)
    asyncio.run(_add(index, sops))
    return index, KnowledgeLibrary.open(index, 0.85)


async def _add(index: Index, sops: tuple[Sop, ...]) -> None:
    async for _ in index.add(sops, Extraction("1", Extractor(RulesLlm()).extract)):
        pass


def add_sops(index: Index, *sops: Sop) -> None:
    asyncio.run(_add(index, sops))


def add(library: KnowledgeLibrary, *documents: SourceDocument, reader: DocumentReader = READER) -> list[str]:
    async def collect() -> list[str]:
        return [(await library.add_document(document, reader)).event for document in documents]

    events = asyncio.run(collect())
    library.merge_names()
    return events


def follow(library: KnowledgeLibrary, index: Index) -> list[str]:
    """Read the SOPs of the index that are new or have changed."""
    events = [library.add_sop(index, id, READER).event for id in library.stale_sops(READER)]
    library.merge_names()
    return events


def truth(library: KnowledgeLibrary) -> dict[str, list[tuple[object, ...]]]:
    """All truth tables by content, without the numbers that depend on the order of insertion."""
    queries = {
        "documents": "SELECT id, title, kind, source, digest, edition, body, dropped FROM kg_document",
        "chunks": """SELECT d.id, c.first, c.last, c.context, c.terms, c.vector FROM kg_chunk AS c
            JOIN kg_document AS d ON d.number = c.document""",
        "names": "SELECT kind, text, key FROM kg_name",
        "same": """SELECT a.kind, a.text, b.kind, b.text FROM kg_same JOIN kg_name AS a ON a.id = name
            JOIN kg_name AS b ON b.id = twin""",
        "mentions": """SELECT d.id, c.first, n.kind, n.text, m.line FROM kg_mention AS m
            JOIN kg_chunk AS c ON c.number = m.chunk JOIN kg_document AS d ON d.number = c.document
            JOIN kg_name AS n ON n.id = m.name""",
        "facts": """SELECT d.id, s.text, f.relation, o.text, f.first, f.last, f.quote, f.origin FROM kg_fact AS f
            JOIN kg_chunk AS c ON c.number = f.chunk JOIN kg_document AS d ON d.number = c.document
            JOIN kg_name AS s ON s.id = f.subject JOIN kg_name AS o ON o.id = f.object""",
        "artefacts": """SELECT d.id, a.kind, a.path, a.parent, a.name, a.properties, a.text FROM kg_artefact AS a
            JOIN kg_document AS d ON d.number = a.document""",
    }
    with library.database.reading() as db:
        return {name: sorted(db.execute(query).fetchall()) for name, query in queries.items()}
