"""Answer generation (paper 3.4): a model answers in sentences that cite lines, and selects steps of the retrieved SOP.

The model reads the numbered lines of the first hit. Each sentence is checked for support by the lines it cites; one
that fails goes back once with the reason, and what comes in its place is shown in the words of its lines. Code fills
in the text, warnings, branches and citations of steps. Unknown ids are dropped and counted; steps that were not
selected are listed after the selected ones. Model output cannot add, change, reorder or remove a step or a warning.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import Field

from soprag.tools.errors import NothingFound, UsageError
from soprag.tools.llm.fallback import attributed
from soprag.tools.markdown.inline import plain
from soprag.tools.procedure.numbered_lines import number_lines
from soprag.tools.procedure.rendered_steps import ShownStep, lines_of, show
from soprag.tools.procedure.source_text import SourceText, letters_of
from soprag.tools.procedure.wording.lexicon import is_instruction
from soprag.tools.retriever.answer.cited_answer import AnswerText, judged, quoted
from soprag.tools.retriever.answer.closeness import closeness
from soprag.tools.retriever.answer.search_result import SearchResult, SopHit
from soprag.tools.retriever.index.alarm_cards import alarm_cards
from soprag.tools.sop import Frozen, Sop, Views
from soprag.tools.tasks.answer import ANSWER, AnswerAsk, AnswerDraft, AnswerForm
from soprag.tools.tasks.task import Llm
from soprag.tools.text.sanitize import one_line, sanitize
from soprag.tools.text.sentences import sentences

_LONG = 15  # a procedure of more steps than this shows the sections that answer first
_NEAR = 5  # hits retrieved per question, and listed when the retriever abstains
_LONGEST = 300  # characters of a summary
_QUESTION = 4000  # characters of a question that a model is shown


class Finder(Protocol):
    """Ranks SOPs for a question."""

    async def search(self, question: str, keep: int) -> SearchResult:
        """The `keep` best procedures."""
        ...


class SopShelf(Protocol):
    """A store of SOPs and their views, such as the index."""

    def sop(self, id: str) -> Sop:
        """The SOP; raises `UsageError` when it is not there."""
        ...

    def views(self, id: str) -> Views:
        """Its card and views; raises `UsageError` when it is not there."""
        ...


class AnsweredStep(ShownStep):
    """A step of the procedure, and whether it was named for the question."""

    citation: str
    chosen: bool = Field(description="it was named as one that answers the question")


class DroppedCounts(Frozen):
    """Counts of model output that was discarded: unknown and repeated ids of steps."""

    unknown: int = 0
    repeated: int = 0


class SopAnswer(Frozen):
    """One SOP as shown to an operator: the answer, all steps in order, and which of them answer the question."""

    question: str
    sop: str
    title: str
    score: float
    form: AnswerForm = "how"
    answer: AnswerText = AnswerText()
    summary: str = Field(description="the abstract of the procedure, without what its steps say")
    author: str = Field(description="who answered and chose the steps")
    notice: str = Field(default="", description="why the answer is less than it could be")
    separating: str = ""
    first: int = Field(default=0, description="number of the step to look at first; 0: none")
    card: bool = Field(default=False, description="`first` is the first step of the card of the alarm that was asked")
    part: tuple[int, ...] = Field(default=(), description="numbers of the steps to show before the others")
    steps: tuple[AnsweredStep, ...] = ()
    body: str = Field(default="", description="the whole SOP, when it has no steps")
    near: tuple[SopHit, ...] = ()
    dropped: DroppedCounts = DroppedCounts()

    @property
    def begins(self) -> str:
        """The id of the step to begin with: that of the alarm's card, or of a model; rules otherwise only point."""
        steps = {step.number: step.id for step in self.steps}
        return steps.get(self.first, "") if self.author != "rules" or self.card else ""


class Drafted(Frozen):
    """Everything an answer depends on besides the SOP; small enough to store, and `assemble` reproduces the answer."""

    question: str
    found: SearchResult
    draft: AnswerDraft
    author: str
    answer: AnswerText = AnswerText()
    notice: str = ""


@dataclass(frozen=True)
class Answerer:
    """Answers a question from the best procedure.

    `window` is the most characters of the procedure that a model is shown; 0 shows all of it.
    """

    finder: Finder
    shelf: SopShelf
    llm: Llm
    window: int = 0

    async def answer(self, question: str) -> SopAnswer:
        """The answer; raises `NothingFound` when no procedure fits, and names the nearest."""
        if not sanitize(question).strip():
            raise UsageError("The question is empty; ask something, such as 'pump P1 tripped'.")
        results = await self.finder.search(question, _NEAR)
        if results.abstained or not results.hits:
            raise NothingFound(nothing_fits(question, results))
        return await self.explain(question, results)

    async def explain(self, question: str, results: SearchResult) -> SopAnswer:
        """The answer from the first hit."""
        return await asyncio.to_thread(self.assemble, await self.draft(question, results))

    async def draft(self, question: str, results: SearchResult, said: bool = True) -> Drafted:
        """The draft from the first hit, in one request after a judge was asked, else with a second opinion.

        After a judge the answer is what the cited lines say. Else sentences that their lines do not support are sent
        back once, and new ones are what their lines say: three requests at most. With `said` false the sentences are
        left out, and nothing is asked about them.
        """
        ask = await asyncio.to_thread(self.present, question, results)
        reply = await attributed(self.llm, ANSWER, ask)
        if reply.error:
            notice = f"{self.llm.name} {reply.outcome}; this is the procedure itself."
            return Drafted(question=question, found=results, draft=reply.answer, author="rules", notice=notice)
        if not said:
            return Drafted(question=question, found=results, draft=reply.answer, author=self.llm.name)
        if results.judge:
            return await asyncio.to_thread(self._quoted, question, results, reply.answer)
        drafted = await self._checked(question, results, reply.answer)
        return await self._mended(drafted, ask) if drafted.answer.faults else drafted

    async def _mended(self, drafted: Drafted, ask: AnswerAsk) -> Drafted:
        """The draft that comes when its unsupported sentences go back; the earlier one when more of it is withheld."""
        faults = drafted.answer.faults
        again = await attributed(self.llm, ANSWER, ask.model_copy(update={"unsupported": faults}))
        if again.error:
            return drafted
        second = await asyncio.to_thread(self._quoted, drafted.question, drafted.found, again.answer, drafted.answer)
        return drafted if len(second.answer.faults) > len(faults) else second

    def _quoted(
        self, question: str, results: SearchResult, draft: AnswerDraft, checked: AnswerText | None = None
    ) -> Drafted:
        """The draft with the words of the cited lines in place of its own, but for sentences that were supported."""
        answer = quoted(self.shelf.sop(results.hits[0].sop), draft, checked or AnswerText())
        return Drafted(question=question, found=results, draft=draft, author=self.llm.name, answer=answer)

    async def _checked(self, question: str, results: SearchResult, draft: AnswerDraft) -> Drafted:
        """The draft with the verdicts on its sentences."""
        sop = await asyncio.to_thread(self.shelf.sop, results.hits[0].sop)
        answer = await judged(self.llm, sop, question, draft)
        return Drafted(question=question, found=results, draft=draft, author=self.llm.name, answer=answer)

    def present(self, question: str, results: SearchResult) -> AnswerAsk:
        """The model input: the question with the numbered lines of the first hit."""
        best = results.hits[0].sop
        sop, views = self.shelf.sop(best), self.shelf.views(best)
        steps = show(views.flow, SourceText(sop.body))
        asked = one_line(question, _QUESTION)
        document = number_lines(sop.body, steps, asked, self.window, closeness)
        return AnswerAsk(question=asked, title=one_line(sop.title), document=document)

    def assemble(self, drafted: Drafted) -> SopAnswer:
        """The checked sentences, and the text of the SOP for the steps the draft selects."""
        best, *others = drafted.found.hits
        sop, views = self.shelf.sop(best.sop), self.shelf.views(best.sop)
        steps, title = show(views.flow, SourceText(sop.body)), one_line(sop.title)
        card = best.begins if drafted.author == "rules" else ""  # a model has read the lines and says where to begin
        draft = _of_card(card, sop, views) if card else drafted.draft
        selection = StepSelection(steps, draft)
        return SopAnswer(
            question=sanitize(drafted.question),
            sop=sop.id,
            title=title,
            score=best.score,
            form=drafted.draft.form,
            answer=drafted.answer,
            summary=_summary(views.card.abstract, steps),
            author=drafted.author,
            notice=drafted.notice,
            separating=one_line(drafted.found.separating),
            first=selection.numbers.get(draft.first, 0),
            card=bool(card),
            part=selection.part(),
            steps=selection.steps(title),
            body="" if steps else sanitize(sop.body),
            near=tuple(SopHit(sop=hit.sop, title=one_line(hit.title), score=hit.score) for hit in others),
            dropped=selection.dropped(),
        )


@dataclass(frozen=True)
class StepSelection:
    """A draft restricted to steps that exist."""

    procedure: tuple[ShownStep, ...]
    draft: AnswerDraft

    @property
    def numbers(self) -> dict[str, int]:
        """Id of a node → number of its step."""
        return {step.id: step.number for step in self.procedure}

    def part(self) -> tuple[int, ...]:
        """The steps to show first: all of a short procedure, of a long one the sections with a chosen step."""
        chosen = set(self.draft.steps)
        sections = {step.section for step in self.procedure if step.id in chosen}
        short = len(self.procedure) <= _LONG or not sections
        return tuple(step.number for step in self.procedure if short or step.section in sections)

    def steps(self, title: str) -> tuple[AnsweredStep, ...]:
        """Every step, in the order of the SOP."""
        chosen = set(self.draft.steps)
        return tuple(
            AnsweredStep(**dict(step), citation=f"{title}, {lines_of(step.lines)}", chosen=step.id in chosen)
            for step in self.procedure
        )

    def dropped(self) -> DroppedCounts:
        """Counts of the parts of the draft that were discarded."""
        ids = [*self.draft.steps, *([self.draft.first] if self.draft.first else [])]
        chosen = [id for id in self.draft.steps if id in self.numbers]
        return DroppedCounts(unknown=sum(id not in self.numbers for id in ids), repeated=len(chosen) - len(set(chosen)))


def _of_card(first: str, sop: Sop, views: Views) -> AnswerDraft:
    """The steps of the alarm's card that begins with the step `first`."""
    spans = [range(card.start, card.end + 1) for card in alarm_cards(sop.body, views.flow) if card.step == first]
    steps = [step.id for step in views.flow.steps if any(step.lines.start in span for span in spans)]
    return AnswerDraft(steps=steps, first=first)


def _summary(abstract: str, steps: Sequence[ShownStep]) -> str:
    """The abstract without sentences that stand in the steps, where their warnings are shown."""
    letters = letters_of(plain("\n".join(step.text for step in steps)))
    kept = [s for s in sentences(one_line(plain(abstract))) if letters_of(s) not in letters and not is_instruction(s)]
    return one_line(" ".join(kept), _LONGEST)


def nothing_fits(question: str, result: SearchResult) -> str:
    """That no procedure fits a question, with the nearest; where one may be meant, which of them it is."""
    query = one_line(question, 80)
    nearest = [f"{n}. {one_line(hit.title)}" for n, hit in enumerate(result.hits, 1)]
    if result.doubtful and nearest:
        return "\n".join([f"It is not sure which procedure {query!r} asks for. Is it one of these?", *nearest])
    ending = "\n".join(["The nearest are:", *nearest]) if nearest else "The index is empty."
    return f"No procedure fits {query!r}. {ending}"
