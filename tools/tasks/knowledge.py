"""The tasks of the knowledge graph, with their inputs and answers (paper 001, Algorithm 2).

An answer gives names as the document spells them and the lines they stand on; code quotes the lines and drops a triple
whose lines do not hold both names.
"""

from typing import Any

from pydantic import Field

from soprag.tools.sop import EntityKind, Frozen
from soprag.tools.tasks.task import Task


class KnowledgeAsk(Frozen):
    """A document, or a part of a long one, with its line numbers."""

    title: str
    numbered: str = Field(description="each line after its number and a bar, such as '12| The pump feeds the tank.'")
    limit: int = Field(ge=1, description="most triples")


class Triple(Frozen):
    """Subject and object as the lines `start` to `end` spell them, and how they are related."""

    subject: str = Field(min_length=1, max_length=200)
    subject_kind: EntityKind = "other"
    relation: str = Field(min_length=1, max_length=80)
    object: str = Field(min_length=1, max_length=200)
    object_kind: EntityKind = "other"
    start: int = Field(ge=1)
    end: int = Field(ge=1)


class LineContext(Frozen):
    """What the part of a document that begins on `line` is about, within the document."""

    line: int = Field(ge=1)
    text: str = Field(min_length=1, max_length=300)


class KnowledgeAnswer(Frozen):
    """The triples of a document and the contexts of its parts."""

    triples: list[Triple]
    contexts: list[LineContext] = Field(default_factory=list)


class ChunkContextAsk(Frozen):
    """A chunk and the document it is from."""

    title: str
    document: str
    chunk: str


class ChunkContext(Frozen):
    """One or two sentences that describe a chunk within its document."""

    text: str = Field(min_length=1, max_length=600)


class ChunkEntity(Frozen):
    """A name as the chunk spells it."""

    name: str = Field(min_length=1, max_length=200)
    kind: EntityKind = "other"


class ChunkEntities(Frozen):
    """The entities of a chunk, each once."""

    entities: list[ChunkEntity]


class ChunkRelationsAsk(Frozen):
    """A chunk with its line numbers, and the entities that were recognised in it."""

    title: str
    numbered: str
    entities: list[ChunkEntity]
    limit: int = Field(ge=1, description="most triples")


class ChunkRelations(Frozen):
    """The relations between the entities of a chunk."""

    triples: list[Triple]


class CommunityFact(Frozen):
    """One fact of a community with its quote."""

    text: str
    quote: str


class CommunityAsk(Frozen):
    """The names and facts of a community."""

    names: list[str]
    facts: list[CommunityFact]


class CommunitySummary(Frozen):
    """What a community is about."""

    text: str = Field(min_length=1, max_length=2000)


KNOWLEDGE = Task("knowledge", KnowledgeAsk, KnowledgeAnswer)
CHUNK_CONTEXT = Task("chunk_context", ChunkContextAsk, ChunkContext)
CHUNK_ENTITIES = Task("chunk_entities", KnowledgeAsk, ChunkEntities)
CHUNK_RELATIONS = Task("chunk_relations", ChunkRelationsAsk, ChunkRelations)
SUMMARISE_COMMUNITY = Task("summarise_community", CommunityAsk, CommunitySummary)

TASKS: tuple[Task[Any, Any], ...] = (KNOWLEDGE, CHUNK_CONTEXT, CHUNK_ENTITIES, CHUNK_RELATIONS, SUMMARISE_COMMUNITY)
