"""Index look-ups of the chat commands: titles, search, source lines and explanations."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from soprag.tools.errors import UsageError
from soprag.tools.flow.cursor import Cursor
from soprag.tools.flow.run import FlowRun
from soprag.tools.procedure.plan import plan
from soprag.tools.sop import Frozen, Span
from soprag.tools.text.sanitize import one_line, sanitize

if TYPE_CHECKING:
    from soprag.apps.terminal.dialogue import Spoken
    from soprag.tools.retriever.query.retriever import Retriever


class NumberedLine(Frozen):
    """One line of an SOP with its number."""

    number: int
    text: str


class StepSource(Frozen):
    """The original lines that a step and its warnings stand on."""

    sop: str
    title: str
    step: int
    lines: list[NumberedLine]

    def text(self) -> str:
        """The lines with their numbers."""
        width = len(str(self.lines[-1].number))
        rows = (f"{line.number:>{width}}| {line.text}" for line in self.lines)
        return "\n".join([self.title, *rows])


@dataclass(frozen=True)
class Library:
    """The open index, as far as the chat reads it."""

    retriever: "Retriever"

    @property
    def size(self) -> int:
        """How many procedures there are."""
        return self.retriever.index.size

    def is_edited(self, run: FlowRun) -> bool:
        """Whether the procedure of a run, or its flow, was changed since the run began; raises `UsageError`."""
        index = self.retriever.index
        return not Cursor(plan(index.sop(run.sop), index.views(run.sop).flow)).fits(run)

    def titles(self) -> list[str]:
        """A line per procedure."""
        return [one_line(sop.title) for sop in self.retriever.index.listing()]

    async def find(self, query: str) -> list[str]:
        """The titles of the procedures nearest to the words."""
        return [one_line(hit.title) for hit in (await self.retriever.search(query)).hits]

    async def reasons(self, query: str) -> str:
        """What speaks for the procedure nearest to the words, and for the next one."""
        from soprag.tools.retriever.query.formatting import tell

        ranking = await self.retriever.search(query)
        return tell(ranking.model_copy(update={"hits": ranking.hits[:2]}), reasons=True)

    def cited(self, answer: "Spoken", number: int) -> StepSource | None:
        """The original lines that [number] of an answer stands for; None when it cites nothing under this number."""
        refs = [source for source in answer.sources if source.n == number]
        if refs:
            return self.source(refs[0].sop, number, refs[0].lines)
        return self.source(answer.answer.sop, number) if answer.answer else None

    def source(self, sop: str, number: int, lines: tuple[int, int] | None = None) -> StepSource:
        """The original lines of step `number` and its warnings, or of `lines` that are no step; raises `UsageError`."""
        procedure = self.retriever.index.sop(sop)
        spans = self._spans(sop, number, Span(start=lines[0], end=lines[1]) if lines else None)
        body = procedure.body.split("\n")
        line_numbers = sorted({line_number for span in spans for line_number in range(span.start, span.end + 1)})
        rows = [
            NumberedLine(number=line_number, text=sanitize(body[line_number - 1]))
            for line_number in line_numbers
            if line_number <= len(body)
        ]
        return StepSource(sop=sop, title=one_line(procedure.title), step=number, lines=rows)

    def _spans(self, sop: str, number: int, lines: Span | None) -> list[Span]:
        steps = self.retriever.index.views(sop).flow.steps
        step = steps[number - 1] if 1 <= number <= len(steps) else None
        if step and lines in (None, step.lines):
            return [step.lines, *(warning.lines for warning in step.warnings)]
        if lines is None:
            raise UsageError(f"This procedure has {len(steps)} steps; there is no [{number}].")
        return [lines]
