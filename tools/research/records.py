"""The records of a piece of research, as they are kept in its run folder.

A *line* is one sentence or list item of a stored source; a *claim* stands on lines; a sentence of the report stands on
claims. So every sentence can be followed to the place it comes from.
"""

from typing import Any, Literal

from pydantic import Field

from soprag.tools.search.engine import Kind
from soprag.tools.sop import Frozen, Span

AgentName = Literal["image", "scholar", "patent", "wiki", "web"]
AGENTS: tuple[AgentName, ...] = ("image", "scholar", "patent", "wiki", "web")

AXES = ("helpfulness", "correctness", "coherence", "complexity", "verbosity")
Status = Literal["done", "empty", "failed", "skipped", "budget"]
EntryKind = Literal["sentence", "step", "item", "warning", "row", "code"]
BROKEN: frozenset[Status] = frozenset({"failed", "skipped", "budget"})


class ResearchManifest(Frozen):
    """What was asked for, and with which settings; fixed when the research begins."""

    run: str
    created: str
    question: str
    profile: str
    version: str
    settings: dict[str, Any]


class Subtask(Frozen):
    """One part of the research; `round` 0 was planned, a later one was asked for by the judges of that version."""

    id: str
    query: str
    instructions: str = ""
    context: str = ""
    depends_on: tuple[str, ...] = ()
    round: int = 0


class SubtaskPlan(Frozen):
    """Subtasks whose dependencies form a directed acyclic graph, and what had to be mended to get there."""

    subtasks: tuple[Subtask, ...]
    notes: tuple[str, ...] = ()


class AgentSelection(Frozen):
    """Which agents a subtask goes to, and how near it is to what each of them can do (cosine)."""

    subtask: str
    agents: tuple[AgentName, ...]
    similarities: dict[AgentName, float]
    reason: str


class PageLink(Frozen):
    """A link of a page outside its menus: its target, its anchor text, and the text around it."""

    url: str
    anchor: str = ""
    around: str = ""


class WebSourceRecord(Frozen):
    """One thing that was read, kept whole: its `id` is the SHA-256 of its bytes, `text` is its Markdown.

    `read` says what the text is: the page itself, a procedure of a local index, only what the search engine showed of
    the page, or a picture described.
    """

    id: str
    url: str
    title: str
    engine: str
    query: str
    rank: int
    read: Literal["page", "procedure", "search result", "caption", "metadata"]
    note: str = ""
    mime: str = ""
    suffix: str = ""
    fetched: str = Field(default="", description="when, ISO 8601; empty when the page was not fetched")
    text: str
    links: tuple[PageLink, ...] = ()


class Quote(Frozen):
    """The verbatim words a claim stands on, and where they stand in the text of the source."""

    source: str
    lines: Span
    text: str


class Claim(Frozen):
    """One statement of an agent with the lines it stands on; there is at least one.

    A claim that was copied with its whole procedure names it, with the heading it stands under there.
    """

    id: str
    text: str
    quotes: tuple[Quote, ...] = Field(min_length=1)
    kind: EntryKind = "sentence"
    label: str = Field(default="", description="the number of a step as printed, such as 4 or 2.1")
    heading: str = ""
    procedure: str = Field(default="", description="title of the procedure it was copied with; empty for a statement")


class SubtaskEvidence(Frozen):
    """What one agent found for one subtask."""

    subtask: str
    agent: AgentName
    queries: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()
    pages: int = Field(default=0, description="sources that were read whole, among those that are cited")
    cut: bool = Field(default=False, description="the budget was used up before every page was read")


class SubtaskOutcome(Frozen):
    """How a subtask ended, with the reason when it is not `done`."""

    subtask: str
    status: Status
    reason: str = ""


class Sentence(Frozen):
    """One sentence of a report and the claims it stands on; a copied step keeps its kind, number and heading."""

    text: str
    claims: tuple[str, ...] = Field(min_length=1)
    kind: EntryKind = "sentence"
    label: str = ""
    heading: str = ""


class ReportSection(Frozen):
    """A heading with its sentences; the summary has none. A procedure is copied whole, in the order of its source."""

    heading: str = ""
    sentences: tuple[Sentence, ...]
    procedure: bool = False


class OpenPart(Frozen):
    """A part of the question that the report does not answer, and why."""

    query: str
    reason: str


class Judgement(Frozen):
    """What one judge thinks of a version: its axes from 0 to 4, an overall score from 0 to 4, and what to mend."""

    judge: str
    score: float = Field(ge=0, le=4)
    axes: dict[str, float] = Field(default_factory=dict)
    feedback: tuple[str, ...] = ()
    missing: tuple[str, ...] = Field(default=(), description="queries for subtasks that would help")
    unanswered: tuple[str, ...] = Field(default=(), description="parts of the question without an answer")
    approved: bool | None = Field(default=None, description="what a person decided; None for every other judge")


class Version(Frozen):
    """One version of the report, and what the judges said about it; `left_out` counts sentences nothing stands for."""

    number: int
    sections: tuple[ReportSection, ...]
    unanswered: tuple[OpenPart, ...] = ()
    left_out: int = 0
    basis: str = Field(default="", description="hash of the evidence and the feedback it was written from")
    judgements: tuple[Judgement, ...] = ()

    @property
    def score(self) -> float:
        """The mean of the judges' scores; 0 before they have spoken."""
        return sum(judgement.score for judgement in self.judgements) / len(self.judgements) if self.judgements else 0.0

    @property
    def heard(self) -> bool:
        """Whether a person has decided on it."""
        return any(judgement.approved is not None for judgement in self.judgements)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences, in order."""
        return tuple(sentence for section in self.sections for sentence in section.sentences)


def key_of(kind: Kind | str, *parts: str) -> str:
    """The file name of something that is looked up by its words."""
    from soprag.tools.sop import digest

    return f"{kind}-{digest(chr(0).join(parts))[:16]}"
