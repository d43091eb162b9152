"""Every task of DeepSearch, with its input and its answer (paper 001, Algorithm 1).

No answer writes a citation: claims name lines by id, sentences name facts by id, and code follows the ids.
"""

from typing import Any

from pydantic import Field

from soprag.tools.sop import Frozen
from soprag.tools.tasks.picture import Picture
from soprag.tools.tasks.task import Task


class AgentCard(Frozen):
    """A sub-agent and what it is documented to be able to do."""

    name: str
    does: str


class SubtaskPlanAsk(Frozen):
    """A question to be taken apart; `faults` are those of the plan that was sent back."""

    question: str
    agents: list[AgentCard]
    limit: int = Field(ge=1, description="most subtasks")
    faults: list[str] = Field(default_factory=list)


class SubtaskDraft(Frozen):
    """One subtask as drafted: its query, and the ids of the subtasks whose findings it needs."""

    id: str = Field(min_length=1, max_length=40)
    query: str = Field(min_length=3, max_length=400)
    instructions: str = ""
    context: str = ""
    depends_on: list[str] = Field(default_factory=list)


class PlanDraft(Frozen):
    """The subtasks, in any order."""

    subtasks: list[SubtaskDraft] = Field(min_length=1)


class PhrasesAsk(Frozen):
    """A subtask on its way to a search engine; `context` holds what the subtasks it depends on have found."""

    query: str
    instructions: str
    context: str
    looking_for: str = Field(description="what the engine finds: web, images, scholar, patents, wiki")


class SearchPhrases(Frozen):
    """What is typed into the engine, the best first."""

    phrases: list[str] = Field(min_length=1, max_length=3)


class RankedSentence(Frozen):
    """One sentence, step, warning or table row of a source; `closeness` is its cosine with the subtask."""

    id: str
    source: str
    heading: str = Field(default="", description="what it stands under in its source")
    text: str
    closeness: float = 0.0
    kind: str = Field(default="sentence", description="sentence, step, item, warning, row, code or aside")
    label: str = Field(default="", description="the printed number of a step")
    procedure: str = Field(default="", description="id of the procedure or section that it belongs to")


class ProcedureCard(Frozen):
    """A procedure or section that the retriever found; `confidence` (0 to 1) is the retriever's."""

    id: str
    title: str
    source: str
    steps: int = Field(ge=0, description="number of its steps")
    confidence: float = 0.0


class SummaryAsk(Frozen):
    """A subtask and the lines that were found for it: those of whole procedures and sections."""

    query: str
    instructions: str
    context: str
    lines: list[RankedSentence]
    keep: int = Field(ge=1, description="most claims")
    procedures: list[ProcedureCard] = Field(default_factory=list)

    def prompt_fields(self) -> dict[str, Any]:
        """The lines under their sources and headings, each of which stands once; the subtask comes last."""
        rows: list[str] = []
        above = ("", "")
        for line in self.lines:
            source = f"{line.source} ({line.procedure})" if line.procedure else line.source
            if source != above[0]:
                rows.append(f"# {source}")
            if line.heading not in ("", line.source) and (source, line.heading) != above:
                rows.append(f"## {line.heading}")
            above = (source, line.heading)
            rows.append(f"{line.id}: {f'{line.label} ' if line.label else ''}{line.text}")
        fields = self.model_dump(mode="json", exclude={"lines"})
        return {"lines": "\n".join(rows), **fields}


class ClaimDraft(Frozen):
    """One statement and the ids of the lines it stands on."""

    text: str = Field(min_length=3, max_length=600)
    lines: list[str] = Field(min_length=1, max_length=4)


class Findings(Frozen):
    """What the lines say about the subtask; empty when they say nothing.

    `procedures` are ids of those that answer it as a whole: a program copies their steps and warnings into the report.
    """

    claims: list[ClaimDraft]
    procedures: list[str] = Field(default_factory=list, max_length=4)


class Fact(Frozen):
    """A claim as the writer of the report sees it; equal numbers in `sources` are the same source."""

    id: str
    topic: str
    text: str
    sources: list[int]
    procedure: str = Field(default="", description="title of the procedure that is printed whole with this step")


class ReportAsk(Frozen):
    """A question, what is known, and for a revision the version before and what its judges said."""

    question: str
    facts: list[Fact]
    previous: str = ""
    feedback: list[str] = Field(default_factory=list)

    def prompt_fields(self) -> dict[str, Any]:
        """The facts under their topics, each of which stands once, with the numbers of their sources."""
        rows: list[str] = []
        topic = ""
        for fact in self.facts:
            if fact.topic != topic:
                topic = fact.topic
                rows.append(f"# {topic}")
            step = f" (step of {fact.procedure!r})" if fact.procedure else ""
            rows.append(f"{fact.id} [{', '.join(map(str, fact.sources))}]{step}: {fact.text}")
        fields = self.model_dump(mode="json", exclude={"facts"})
        return {"facts": "\n".join(rows), **fields}


class RefusedStatement(Frozen):
    """A statement that its sources do not support as it is worded, and why."""

    id: str
    text: str
    reason: str
    cited: list[str] = Field(description="the words it stands on")


class RestateAsk(Frozen):
    """Statements that were refused; each may be worded anew from what it cites."""

    question: str
    statements: list[RefusedStatement]


class Restatement(Frozen):
    """A refused statement in other words; an empty text withdraws it."""

    id: str
    text: str = Field(max_length=800)


class Restatements(Frozen):
    """One for each refused statement."""

    statements: list[Restatement]


class SentenceDraft(Frozen):
    """One sentence and the ids of the facts it stands on."""

    text: str = Field(min_length=3, max_length=800)
    facts: list[str] = Field(min_length=1, max_length=6)


class SectionDraft(Frozen):
    """A part of the report under its heading."""

    heading: str
    sentences: list[SentenceDraft]


class ReportDraft(Frozen):
    """The report: a short answer first, then its sections."""

    summary: list[SentenceDraft]
    sections: list[SectionDraft]


class AnsweredSubtask(Frozen):
    """A subtask and how it ended."""

    query: str
    status: str


class CitedSentence(Frozen):
    """A sentence of the report with the verbatim words it cites.

    `heading` is the copied procedure it belongs to, else the title and heading it stands under in its source; `part` is
    the query that it was found for.
    """

    text: str
    quotes: list[str]
    heading: str = ""
    kind: str = "sentence"
    part: str = ""


class JudgeAsk(Frozen):
    """A report to be judged."""

    question: str
    subtasks: list[AnsweredSubtask]
    report: str
    sentences: list[CitedSentence]


class Marks(Frozen):
    """Five axes from 0 (worst) to 4 (best), what to mend, what else should be looked for, and which parts are open."""

    helpfulness: float = Field(ge=0, le=4)
    correctness: float = Field(ge=0, le=4)
    coherence: float = Field(ge=0, le=4)
    complexity: float = Field(ge=0, le=4)
    verbosity: float = Field(ge=0, le=4)
    feedback: list[str] = Field(default_factory=list, max_length=8)
    missing: list[str] = Field(default_factory=list, max_length=3)
    unanswered: list[str] = Field(default_factory=list, max_length=8)


class CaptionAsk(Frozen):
    """A picture, what is looked for, and what the page around it says."""

    query: str
    title: str
    picture: Picture


class Caption(Frozen):
    """What is to be seen, in sentences that each stand alone; empty when it has nothing to do with the query."""

    sentences: list[str] = Field(max_length=8)


PLAN_RESEARCH = Task("plan_research", SubtaskPlanAsk, PlanDraft)
PHRASE_SEARCH = Task("phrase_search", PhrasesAsk, SearchPhrases)
SUMMARISE_LINES = Task("summarise_lines", SummaryAsk, Findings)
WRITE_REPORT = Task("write_report", ReportAsk, ReportDraft)
RESTATE = Task("restate", RestateAsk, Restatements)
JUDGE_REPORT = Task("judge_report", JudgeAsk, Marks)
CAPTION_PICTURE = Task("caption_picture", CaptionAsk, Caption)

TASKS: tuple[Task[Any, Any], ...] = (
    PLAN_RESEARCH,
    PHRASE_SEARCH,
    SUMMARISE_LINES,
    WRITE_REPORT,
    RESTATE,
    JUDGE_REPORT,
    CAPTION_PICTURE,
)
