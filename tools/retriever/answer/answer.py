"""Answer generation (paper 3.4): a model selects step ids of the retrieved SOP; all step text comes from the SOP.

The model reads the linearised flow of the first hit and returns ids of its nodes. Code fills in the text, warnings,
branches and citations. Unknown ids are dropped and counted; steps that were not selected are listed after the selected
ones. Model output cannot add, change, reorder or remove a step or a warning.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from pydantic import Field

from soprag.tools.errors import NothingFound, UsageError
from soprag.tools.llm.fallback import attributed
from soprag.tools.procedure.linearise import linearise
from soprag.tools.procedure.rendered_steps import ShownStep, lines_of, show
from soprag.tools.procedure.source_text import SourceText
from soprag.tools.retriever.answer.grounding import Grounds
from soprag.tools.sop import Frozen, Sop, Views
from soprag.tools.tasks.answer import ANSWER, AnswerAsk, AnswerDraft
from soprag.tools.tasks.task import Llm
from soprag.tools.text.sanitize import one_line, sanitize

_LONG = 15  # a procedure of more steps than this shows the sections that answer first
_NEAR = 5  # hits retrieved per question, and listed when the retriever abstains
_QUESTION = 4000  # characters of a question that a model is shown


class SopHit(Frozen):
    """A retrieved SOP with its score."""

    sop: str
    title: str
    score: float


class SearchResult(Frozen):
    """Search results: hits by falling score, and whether the retriever abstained."""

    hits: tuple[SopHit, ...] = ()
    abstained: bool = False
    separating: str = Field(default="", description="the one question that tells the first hits apart")
    twins: tuple[str, ...] = Field(default=(), description="ids of the procedures that this question is about")


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
    """A step of the procedure, and what the answer says about it."""

    citation: str
    chosen: bool = Field(description="it was named as one that answers the question")
    why: str = Field(default="", description="a remark, not a part of the SOP")


class DroppedCounts(Frozen):
    """Counts of model output that was discarded: unknown ids, repeated ids, rejected remarks."""

    unknown: int = 0
    repeated: int = 0
    remarks: int = 0


class SopAnswer(Frozen):
    """One SOP as shown to an operator: all steps in order, and which of them answer the question."""

    question: str
    sop: str
    title: str
    score: float
    summary: str
    author: str = Field(description="who chose the steps and wrote the remarks")
    notice: str = Field(default="", description="why the answer is less than it could be")
    separating: str = ""
    first: int = Field(default=0, description="number of the step to look at first; 0: none")
    part: tuple[int, ...] = Field(default=(), description="numbers of the steps to show before the others")
    steps: tuple[AnsweredStep, ...] = ()
    body: str = Field(default="", description="the whole SOP, when it has no steps")
    near: tuple[SopHit, ...] = ()
    dropped: DroppedCounts = DroppedCounts()


class Drafted(Frozen):
    """Everything an answer depends on besides the SOP; small enough to store, and `assemble` reproduces the answer."""

    question: str
    found: SearchResult
    draft: AnswerDraft
    author: str
    notice: str = ""


@dataclass(frozen=True)
class Answerer:
    """Answers a question from the best procedure.

    `window` is the most characters of a flow that a model is shown; 0 shows all of it.
    """

    finder: Finder
    shelf: SopShelf
    llm: Llm
    window: int = 0

    async def answer(self, question: str) -> SopAnswer:
        """The answer; raises `NothingFound` when no procedure fits, and names the nearest."""
        if not sanitize(question).strip():
            raise UsageError("The question is empty; ask something, such as 'coolant pump tripped'.")
        results = await self.finder.search(question, _NEAR)
        if results.abstained or not results.hits:
            raise NothingFound(_nothing(question, results.hits))
        return await self.explain(question, results)

    async def explain(self, question: str, results: SearchResult) -> SopAnswer:
        """The answer from the first hit."""
        draft, notice = await self.choose(self.present(question, results))
        author = "rules" if notice else self.llm.name
        return self.assemble(Drafted(question=question, found=results, draft=draft, author=author, notice=notice))

    def present(self, question: str, results: SearchResult) -> AnswerAsk:
        """The model input: the question with the linearised flow of the first hit."""
        best = results.hits[0].sop
        sop, views = self.shelf.sop(best), self.shelf.views(best)
        steps = show(views.flow, SourceText(sop.body))
        return AnswerAsk(
            question=one_line(question, _QUESTION),
            title=one_line(sop.title),
            abstract=one_line(views.card.abstract),
            flow=linearise(steps, question, self.window),
        )

    def assemble(self, drafted: Drafted) -> SopAnswer:
        """The answer: text of the SOP for the steps the draft selects, remarks checked against the SOP."""
        best, *others = drafted.found.hits
        sop, views = self.shelf.sop(best.sop), self.shelf.views(best.sop)
        steps, title, abstract = (
            show(views.flow, SourceText(sop.body)),
            one_line(sop.title),
            one_line(views.card.abstract),
        )
        step_texts = "\n".join(step.text for step in steps)
        checked = Checked(steps, Grounds(sop.body, title, abstract, drafted.question, step_texts), drafted.draft)
        return SopAnswer(
            question=sanitize(drafted.question),
            sop=sop.id,
            title=title,
            score=best.score,
            summary=checked.remark(drafted.draft.summary),
            author=drafted.author,
            notice=drafted.notice,
            separating=one_line(drafted.found.separating),
            first=checked.numbers.get(drafted.draft.first, 0),
            part=checked.part(),
            steps=checked.steps(title),
            body="" if steps else sanitize(sop.body),
            near=tuple(SopHit(sop=hit.sop, title=one_line(hit.title), score=hit.score) for hit in others),
            dropped=checked.dropped(),
        )

    async def choose(self, ask: AnswerAsk) -> tuple[AnswerDraft, str]:
        """The draft, and a notice when the rules drafted it for a model that failed."""
        reply = await attributed(self.llm, ANSWER, ask)
        return reply.answer, f"{self.llm.name} gave no answer; this is the procedure itself." if reply.error else ""


@dataclass(frozen=True)
class Checked:
    """A draft restricted to existing steps and to remarks that the SOP supports."""

    procedure: tuple[ShownStep, ...]
    grounds: Grounds
    draft: AnswerDraft

    @property
    def numbers(self) -> dict[str, int]:
        """Id of a node → number of its step."""
        return {step.id: step.number for step in self.procedure}

    def remark(self, text: str) -> str:
        """The text if it may be shown."""
        return self.grounds.hold(text)

    def part(self) -> tuple[int, ...]:
        """The steps to show first: all of a short procedure, of a long one the sections with a chosen step."""
        chosen = {choice.id for choice in self.draft.steps}
        sections = {step.section for step in self.procedure if step.id in chosen}
        short = len(self.procedure) <= _LONG or not sections
        return tuple(step.number for step in self.procedure if short or step.section in sections)

    def steps(self, title: str) -> tuple[AnsweredStep, ...]:
        """Every step, in the order of the SOP."""
        whys = {choice.id: self.remark(choice.why) for choice in reversed(self.draft.steps)}
        return tuple(
            AnsweredStep(
                **dict(step),
                citation=f"{title}, {lines_of(step.lines)}",
                chosen=step.id in whys,
                why=whys.get(step.id, ""),
            )
            for step in self.procedure
        )

    def dropped(self) -> DroppedCounts:
        """Counts of the parts of the draft that were discarded."""
        ids = [choice.id for choice in self.draft.steps] + ([self.draft.first] if self.draft.first else [])
        chosen = [choice.id for choice in self.draft.steps if choice.id in self.numbers]
        remarks = [self.draft.summary, *(choice.why for choice in self.draft.steps if choice.id in self.numbers)]
        return DroppedCounts(
            unknown=sum(id not in self.numbers for id in ids),
            repeated=len(chosen) - len(set(chosen)),
            remarks=sum(text not in ("", self.grounds.abstract) and not self.remark(text) for text in remarks),
        )


def _nothing(question: str, hits: Iterable[SopHit]) -> str:
    query = one_line(question, 80)
    nearest = ", ".join(f"{one_line(hit.title)!r} ({sanitize(hit.sop)})" for hit in hits)
    ending = f"The nearest are {nearest}; see one with `soprag index show ID`." if nearest else "The index is empty."
    return f"No procedure fits {query!r}. {ending}"
