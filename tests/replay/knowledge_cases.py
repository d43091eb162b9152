"""The cases of the knowledge graph: a whole document in one request, and the three tasks of paper 001 for a chunk."""

from collections.abc import Iterator, Mapping
from typing import Any

from soprag.tools.knowledge.quotes import checked
from soprag.tools.knowledge.reading import as_fact
from soprag.tools.tasks import knowledge
from soprag.tools.tasks.retriever import number

STATED = ("facilities-newsletter", "cooling-meeting-minutes")
_ENTITIES: Mapping[str, tuple[str, ...]] = {
    "facilities-newsletter": ("CRAC-A04", "GEN-6", "Olga", "IG-541", "nitrogen", "argon", "LEAK-R16", "DH1", "DH2"),
    "cooling-meeting-minutes": ("CDU-F01", "CDU-103", "LEAK-K1", "rack 6-14", "CDU-T02", "CDU-202", "product C"),
}


def knowledge_inputs(name: str, title: str, body: str) -> Iterator[tuple[str, Any, Any]]:
    """The name, the task and the input of each case of a document, which is one chunk."""
    lines = number(body.split("\n"))
    stated = knowledge.KnowledgeAsk(title=title, numbered=lines, limit=20)
    context = knowledge.ChunkContextAsk(title=title, document=body, chunk=body)
    entities = [knowledge.ChunkEntity(name=entity) for entity in _ENTITIES[name]]
    relations = knowledge.ChunkRelationsAsk(title=title, numbered=lines, entities=entities, limit=20)
    yield f"knowledge/{name}", knowledge.KNOWLEDGE, stated
    yield f"chunk_context/{name}", knowledge.CHUNK_CONTEXT, context
    yield f"chunk_entities/{name}", knowledge.CHUNK_ENTITIES, stated
    yield f"chunk_relations/{name}", knowledge.CHUNK_RELATIONS, relations


def stated_facts(body: str, triples: list[knowledge.Triple]) -> Iterator[tuple[str, str]]:
    """Each triple, and why it is lost when its lines do not hold both names."""
    lines = body.split("\n")
    for triple in triples:
        facts, _ = checked([as_fact(triple, "model")], lines)
        yield f"{triple.subject} {triple.relation} {triple.object}", "" if facts else "its lines lack a name"
