"""A document becomes windows, mentions and checked facts: by its views, by rule, by one call, or as in the paper."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from soprag.tools.knowledge.artefacts import artefacts_of
from soprag.tools.knowledge.chunks import WindowLimits, described, windows
from soprag.tools.knowledge.code_skeletons import skeleton
from soprag.tools.knowledge.proper_names import name_mentions
from soprag.tools.knowledge.quotes import checked, quoted
from soprag.tools.knowledge.records import (
    FactDraft,
    FactOrigin,
    NameMention,
    NameRef,
    ReadDocument,
    SourceDocument,
    Window,
)
from soprag.tools.knowledge.view_facts import sop_facts, sop_mentions
from soprag.tools.sop import Sop, Views
from soprag.tools.tasks.knowledge import (
    CHUNK_CONTEXT,
    CHUNK_ENTITIES,
    CHUNK_RELATIONS,
    KNOWLEDGE,
    ChunkContextAsk,
    ChunkRelationsAsk,
    KnowledgeAsk,
    LineContext,
    Triple,
)
from soprag.tools.tasks.retriever import number
from soprag.tools.tasks.task import Llm, Task

LAYOUT = 4  # raise it when windows, mentions or facts are made in another way
Mode = Literal["document", "paper"]


@dataclass(frozen=True)
class DocumentReader:
    """Reads documents: SOPs from their views with no call, others with at most one, in paper mode three per window.

    `window` is the most characters that one call shows; a longer document is read by rule beyond them. `most` is the
    number of triples per window.
    """

    llm: Llm
    limits: WindowLimits
    mode: Mode = "document"
    most: int = 20
    window: int = 0

    @property
    def edition(self) -> str:
        """Changes with the model, the prompts or the rules, so that documents are then read again."""
        tasks: tuple[Task[Any, Any], ...] = (
            (KNOWLEDGE,) if self.mode == "document" else (CHUNK_CONTEXT, CHUNK_ENTITIES, CHUNK_RELATIONS)
        )
        return f"{self.mode}/{LAYOUT}/{'+'.join(self.llm.fingerprint(task) for task in tasks)}/{self.limits}"

    @property
    def sop_edition(self) -> str:
        """As `edition`, for SOPs, whose views are made elsewhere."""
        return f"views/{LAYOUT}"

    def calls(self, document: SourceDocument) -> int:
        """How often a model is asked for `document`; 0 with the rules."""
        if self.llm.name == "rules" or document.kind in ("sop", "code"):
            return 0
        return 1 if self.mode == "document" else 3 * len(self._windows(document))

    def read_sop(
        self, document: SourceDocument, sop: Sop, views: Views, spans: Sequence[tuple[int, int]]
    ) -> ReadDocument:
        """An SOP by the views that the index holds, with the spans of its indexed passages as windows."""
        lines = document.body.split("\n")
        facts, dropped = checked(sop_facts(sop, views), lines)
        return ReadDocument(
            document=document,
            windows=described(document.title, lines, spans),
            mentions=tuple(sop_mentions(sop, views)),
            facts=tuple(facts),
            artefacts=tuple(artefacts_of(document.body)),
            dropped=dropped,
            edition=self.sop_edition,
        )

    async def read(self, document: SourceDocument) -> ReadDocument:
        """Any other document; raises `ModelError` when a model gives no answer."""
        lines = document.body.split("\n")
        if document.kind == "code":
            return self._result(document, (skeleton_mentions(document), [], 0), self.edition)
        read = self._by_document if self.mode == "document" else self._by_window
        triples, contexts = await read(document)
        origin: FactOrigin = "rule" if self.llm.name == "rules" else "model"
        most = self.most * max(1, len(self._windows(document)))
        facts, dropped = checked((as_fact(triple, origin) for triple in triples), lines, most)
        result = self._result(document, (name_mentions(document.title, lines), facts, dropped), self.edition)
        return result.model_copy(update={"windows": _with_contexts(result.windows, contexts)}) if contexts else result

    def _windows(self, document: SourceDocument) -> list[Window]:
        return windows(document.title, document.body.split("\n"), self.limits)

    def _result(
        self, document: SourceDocument, parts: tuple[Sequence[NameMention], Sequence[FactDraft], int], edition: str
    ) -> ReadDocument:
        mentions, facts, dropped = parts
        return ReadDocument(
            document=document,
            windows=tuple(self._windows(document)),
            mentions=tuple(mentions),
            facts=tuple(facts),
            artefacts=tuple(skeleton(document) if document.kind == "code" else artefacts_of(document.body)),
            dropped=dropped,
            edition=edition,
        )

    async def _by_document(self, document: SourceDocument) -> tuple[list[Triple], list[LineContext]]:
        numbered = number(document.body.split("\n"))
        if self.window:
            numbered = numbered[: self.window].rpartition("\n")[0] or numbered[: self.window]
        most = self.most * max(1, len(self._windows(document)))
        answer = await self.llm.ask(KNOWLEDGE, KnowledgeAsk(title=document.title, numbered=numbered, limit=most))
        return answer.triples, answer.contexts

    async def _by_window(self, document: SourceDocument) -> tuple[list[Triple], list[LineContext]]:
        """Paper 001: a context, the entities and the relations of each window."""
        triples: list[Triple] = []
        contexts: list[LineContext] = []
        lines = document.body.split("\n")
        for window in self._windows(document):
            text = quoted(lines, window.first, window.last)
            body = document.body[: self.window] if self.window else document.body
            context = await self.llm.ask(
                CHUNK_CONTEXT, ChunkContextAsk(title=document.title, document=body, chunk=text)
            )
            numbered = number(lines[window.first - 1 : window.last], window.first)
            ask = KnowledgeAsk(title=document.title, numbered=numbered, limit=self.most)
            entities = (await self.llm.ask(CHUNK_ENTITIES, ask)).entities
            relations = ChunkRelationsAsk(title=document.title, numbered=numbered, entities=entities, limit=self.most)
            triples += (await self.llm.ask(CHUNK_RELATIONS, relations)).triples[: self.most]
            contexts.append(LineContext(line=window.first, text=context.text[:300]))
        return triples, contexts


Read = Callable[[SourceDocument], Awaitable[ReadDocument]]


def as_fact(triple: Triple, origin: FactOrigin) -> FactDraft:
    """A triple as an unchecked fact."""
    return FactDraft(
        subject=NameRef(kind=triple.subject_kind, text=triple.subject.strip() or "?"),
        relation=triple.relation,
        object=NameRef(kind=triple.object_kind, text=triple.object.strip() or "?"),
        first=triple.start,
        last=max(triple.start, triple.end),
        origin=origin,
    )


def skeleton_mentions(document: SourceDocument) -> list[NameMention]:
    """The modules, classes and functions of a program as names, and its title."""
    named = [(NameRef(kind="command", text=item.name), item.first) for item in skeleton(document)]
    names = dict.fromkeys([(NameRef(kind="document", text=document.title), 1), *named])
    return [NameMention(name=name, line=line) for name, line in names]


def _with_contexts(spans: Sequence[Window], contexts: Sequence[LineContext]) -> tuple[Window, ...]:
    """The windows with the last context that begins before their end, beside the context by rule."""
    widened = []
    for window in spans:
        before = [context for context in contexts if context.line <= window.last]
        text = f"{window.context}. {before[-1].text}" if before else window.context
        widened.append(window.model_copy(update={"context": text}))
    return tuple(widened)
