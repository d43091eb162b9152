"""Procedures become claims: statements on their lines, and whole procedures copied step by step with their warnings."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from soprag.agents.deepsearch.procedure_shelf import LocatedProcedure
from soprag.agents.deepsearch.restating import CitingStatement, supported
from soprag.configs.settings import ResearchSettings
from soprag.tools.embedding import Embedder
from soprag.tools.llm import Llm
from soprag.tools.procedure.blocks.sections import topic
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.research.lines import SourceSentence, lines_of
from soprag.tools.research.page_text import addresses_machine, content, is_furniture
from soprag.tools.research.records import Claim, Quote, Subtask, WebSourceRecord
from soprag.tools.sop import Span
from soprag.tools.tasks import deepsearch as tasks
from soprag.tools.text.terms import terms

_LINE_OVERHEAD = 6  # characters of the id before a line
_ASIDE = ("metadata", "reference")  # roles of lines, and topics of sections, that are no part of what is done
_DONE = ("step", "decision")  # roles of lines that say what is done


@dataclass(frozen=True)
class LocatedLine:
    """A line with its source and the id and title of its procedure; `aside` for records and references."""

    source: WebSourceRecord
    line: SourceSentence
    procedure: str
    title: str
    aside: bool = False

    @property
    def above(self) -> str:
        """The heading above the line, or the title of the source."""
        return self.line.heading or self.source.title


@dataclass(frozen=True)
class EvidenceWriter:
    """Asks `llm` what the lines of procedures say about a subtask; keeps what they support.

    `room` is the most characters of lines in one request; 0 sets no limit.
    """

    llm: Llm
    embedder: Embedder
    settings: ResearchSettings
    room: int = 0

    async def claims(
        self, prefix: str, subtask: Subtask, context: str, procedures: Sequence[LocatedProcedure]
    ) -> tuple[tuple[Claim, ...], list[str]]:
        """Claims under ids that begin with `prefix`, and notes for the reader."""
        located = {f"P{number}": procedure for number, procedure in enumerate(procedures, 1)}
        read = {id: await asyncio.to_thread(self._lines, id, one) for id, one in located.items()}
        lines = {f"L{number}": line for number, line in enumerate((row for rows in read.values() for row in rows), 1)}
        if not lines:
            return (), []
        asked = self._within_room(subtask.query, lines)
        ask = tasks.SummaryAsk(
            query=subtask.query,
            instructions=subtask.instructions,
            context=context,
            lines=await asyncio.to_thread(self._ranked, subtask.query, asked),
            keep=self.settings.claims,
            procedures=[_card(id, one, read[id]) for id, one in located.items()],
        )
        findings = await self.llm.ask(tasks.SUMMARISE_LINES, ask)
        claims, notes = await self._statements(subtask.query, findings.claims[: self.settings.claims], asked)
        for id in dict.fromkeys(id for id in findings.procedures if id in located):
            copied, cut = self._copied(located[id], read[id])
            claims += copied
            notes += [cut] if cut else []
        numbered = (claim.model_copy(update={"id": f"{prefix}-{n}"}) for n, claim in enumerate(claims, 1))
        return tuple(numbered), notes

    async def _statements(
        self, query: str, drafts: Sequence[tasks.ClaimDraft], lines: Mapping[str, LocatedLine]
    ) -> tuple[list[Claim], list[str]]:
        """The drafts that their lines support, after one chance to word the others anew."""
        cited = {f"c{n}": [lines[id] for id in dict.fromkeys(one.lines) if id in lines] for n, one in enumerate(drafts)}
        statements = {
            f"c{n}": CitingStatement(" ".join(one.text.split()), list(_passages(cited[f"c{n}"])))
            for n, one in enumerate(drafts)
        }
        texts = await supported(self.llm, query, statements)
        lost = len(statements) - len(texts)
        notes = [f"{lost} statements were left out, for the lines they cite do not carry them."] if lost else []
        return [_statement(texts[id], cited[id]) for id in statements if id in texts], notes

    def _within_room(self, query: str, lines: dict[str, LocatedLine]) -> dict[str, LocatedLine]:
        """The lines if they fit, else those with most words of the query, of whole procedures first, in their order.

        They fit within `research.lines` lines and `room` characters.
        """
        stems = set(terms(query))
        sizes = {id: len(located.line.text) + _LINE_OVERHEAD for id, located in lines.items()}
        totals = Counter(located.procedure for located in lines.values())
        short = {procedure for procedure, count in totals.items() if count <= self.settings.lines // 2}
        shared = {id: len(stems & set(terms(f"{line.above} {line.line.text}"))) for id, line in lines.items()}
        asked: set[str] = set()
        room = self.room or sum(sizes.values())
        for id in sorted(lines, key=lambda id: (lines[id].procedure not in short, -shared[id])):
            if len(asked) < self.settings.lines and sizes[id] <= room:
                room -= sizes[id]
                asked.add(id)
        return {id: located for id, located in lines.items() if id in asked}

    def _lines(self, id: str, procedure: LocatedProcedure) -> list[LocatedLine]:
        """The lines of the preamble and of the procedure; all but the warnings of the preamble stand aside."""
        source = procedure.source
        read = lines_of(source.text, self.settings.max_characters)
        shown = content(source.text) if source.mime == "text/html" else Span(start=1, end=source.text.count("\n") + 1)
        every = [line for line in read if not addresses_machine(line.text) and _within(line, (shown,))]
        first = procedure.lines.start
        text = "\n".join(source.text.split("\n")[first - 1 : procedure.lines.end])
        roles = {row.n + first - 1: row.role for row in read_procedure(text).lines}
        shared = [
            LocatedLine(source, line, id, procedure.title, line.kind != "warning")
            for line in every
            if _within(line, procedure.preamble)
        ]
        direct = [
            LocatedLine(
                source, _by_role(line, role), id, procedure.title, role in _ASIDE or topic(line.heading) in _ASIDE
            )
            for line, role in ((line, roles.get(line.lines.end, "")) for line in every)
            if _within(line, (procedure.lines,))
        ]
        return [*shared, *direct]

    def _ranked(self, query: str, lines: dict[str, LocatedLine]) -> list[tasks.RankedSentence]:
        texts = [f"{located.above}: {located.line.text}" for located in lines.values()]
        near = self.embedder.embed(texts) @ self.embedder.embed([query])[0]
        return [
            tasks.RankedSentence(
                id=id,
                source=located.source.title,
                heading=located.above,
                text=located.line.text,
                closeness=round(float(closeness), 3),
                kind="aside" if located.aside else located.line.kind,
                label=located.line.label,
                procedure=located.procedure,
            )
            for (id, located), closeness in zip(lines.items(), near, strict=True)
        ]

    def _copied(self, procedure: LocatedProcedure, lines: Sequence[LocatedLine]) -> tuple[list[Claim], str]:
        """One claim for each line of the procedure, and a note when it is longer than `research.steps`."""
        most = self.settings.steps
        title = procedure.title
        lines = [located for located in lines if not located.aside and not is_furniture(located.line.text)]
        note = f"{title!r} has {len(lines)} lines; the first {most} are copied." if len(lines) > most else ""
        return [_copy(title, located) for located in lines[:most]], note


def _by_role(line: SourceSentence, role: str) -> SourceSentence:
    """A row or sentence that the reader of procedures takes for a step, as a step."""
    return replace(line, kind="step") if role in _DONE and line.kind in ("row", "sentence") else line


def _within(line: SourceSentence, spans: Sequence[Span]) -> bool:
    return any(span.start <= line.lines.start <= span.end for span in spans)


def _card(id: str, procedure: LocatedProcedure, lines: Sequence[LocatedLine]) -> tasks.ProcedureCard:
    return tasks.ProcedureCard(
        id=id,
        title=procedure.title,
        source=procedure.source.title,
        steps=sum(1 for located in lines if located.line.kind in ("step", "item", "code")),
        confidence=round(procedure.confidence, 3),
    )


def _copy(title: str, located: LocatedLine) -> Claim:
    line = located.line
    return Claim(
        id="",
        text=line.text,
        quotes=(_quote(located),),
        kind=line.kind,
        label=line.label,
        heading=line.heading,
        procedure=title,
    )


def _quote(located: LocatedLine) -> Quote:
    return Quote(source=located.source.id, lines=located.line.lines, text=located.line.text)


def _statement(text: str, cited: Sequence[LocatedLine]) -> Claim:
    """The claim with its quotes; one that repeats a line keeps what kind of line it is."""
    copied = len(cited) == 1 and text == " ".join(cited[0].line.text.split())
    line = cited[0].line
    return Claim(
        id="",
        text=text,
        quotes=tuple(_quote(located) for located in cited),
        kind=line.kind if copied else "sentence",
        heading=" / ".join(dict.fromkeys((cited[0].title, cited[0].above))),
    )


def _passages(cited: Sequence[LocatedLine]) -> Iterator[str]:
    return (f"{located.above} {located.line.text}" for located in cited)
