"""Everything a research report says, read from the run folder: its sentences with their citations, and its gaps."""

from collections.abc import Iterator

from pydantic import Field

from soprag.tools.errors import NothingFound, SearchError, SopragError
from soprag.tools.research.records import (
    BROKEN,
    AgentName,
    AgentSelection,
    Claim,
    EntryKind,
    Judgement,
    OpenPart,
    ResearchManifest,
    Sentence,
    Status,
    SubtaskEvidence,
    SubtaskOutcome,
    SubtaskPlan,
    Version,
    WebSourceRecord,
)
from soprag.tools.sop import Frozen, Span
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.tasks.cost import Ledger
from soprag.tools.web.budget import Amounts

_WHY = {"failed": "failed", "skipped": "was skipped", "budget": "was cut off by the budget", "empty": "found nothing"}


class Citation(Frozen):
    """One place a sentence stands on: the number of the source, the lines of its stored text, the words there."""

    source: int
    lines: Span
    quote: str


class Statement(Frozen):
    """A sentence of the report with its citations; it has at least one. A copied step keeps its number and heading."""

    text: str
    citations: tuple[Citation, ...] = Field(min_length=1)
    kind: EntryKind = "sentence"
    label: str = ""
    heading: str = ""

    @property
    def marks(self) -> str:
        """Such as `[1][4]`."""
        return "".join(f"[{number}]" for number in sorted({one.source for one in self.citations}))


class ReportPart(Frozen):
    """A heading and its sentences; the first part is the summary and may have no heading.

    `procedure` says that it is a procedure copied from its source, with its steps and warnings.
    """

    heading: str
    statements: tuple[Statement, ...]
    procedure: bool = False


class NumberedSource(Frozen):
    """A source with its number in the report and the file its text is kept in, relative to the report."""

    number: int
    id: str
    title: str
    url: str
    read: str
    note: str
    engine: str
    query: str
    fetched: str
    file: str


class SubtaskRow(Frozen):
    """A subtask, who worked on it, and how it ended."""

    id: str
    query: str
    round: int
    depends_on: tuple[str, ...]
    agents: tuple[AgentName, ...]
    similarities: dict[AgentName, float]
    why: str
    status: Status
    reason: str


class ResearchReport(Frozen):
    """The best version of a report; `notices` for what a reader must know.

    `complete` when every part of the question has evidence and no subtask was lost; `unanswered` are the other parts.
    """

    run: str
    question: str
    created: str
    searched: str
    complete: bool
    notices: tuple[str, ...]
    parts: tuple[ReportPart, ...]
    unanswered: tuple[OpenPart, ...] = ()
    sources: tuple[NumberedSource, ...]
    branches: tuple[SubtaskRow, ...]
    version: int
    versions: int
    score: float
    judgements: tuple[Judgement, ...]
    ledger: Ledger
    spent: Amounts = Field(default_factory=dict, description="credits, fetches and bytes used, all processes together")

    @property
    def cost(self) -> str:
        """What the run has used: credits, fetches, and calls of the model."""
        amounts = [f"{int(self.spent.get(name, 0))} {name}" for name in ("credits", "fetches")]
        return f"{', '.join(amounts)}; {self.ledger.text()}"

    def text(self) -> str:
        """The report for a screen or a pipe."""
        from soprag.tools.publishing.research.pages import as_text

        return as_text(self)


def gather(run: RunFolder, searched: str, spent: str, amounts: Amounts) -> ResearchReport:
    """Read all records; `amounts` are what the run has used.

    Raises `NothingFound` or `SearchError` with the reasons when there is no sentence.
    """
    manifest = run.read("", "research", ResearchManifest)
    versions = sorted(run.read_all("versions", Version), key=lambda one: one.number)
    evidence = run.read_all("evidence", SubtaskEvidence)
    branches = tuple(_branches(run))
    best = _best(versions)
    if best is None or not best.sections:
        raise _nothing(manifest.question, branches, searched)
    claims = {claim.id: claim for one in evidence for claim in one.claims}
    numbers: dict[str, int] = {}
    parts = tuple(
        ReportPart(
            heading=section.heading,
            statements=tuple(_cite(one, claims, numbers) for one in section.sentences),
            procedure=section.procedure,
        )
        for section in best.sections
    )
    sources = tuple(_numbered(run.read("sources", id, WebSourceRecord), number) for id, number in numbers.items())
    return ResearchReport(
        run=str(run.path),
        question=manifest.question,
        created=manifest.created,
        searched=searched,
        complete=not spent
        and not best.unanswered
        and not any(one.status in BROKEN or one.status == "empty" for one in branches)
        and not any(one.cut for one in evidence),
        notices=tuple(_notices(run, searched, spent, branches, best)),
        parts=parts,
        unanswered=best.unanswered,
        sources=sources,
        branches=branches,
        version=best.number,
        versions=len(versions),
        score=round(best.score, 2),
        judgements=best.judgements,
        ledger=sum(run.read_all("ledger", Ledger), Ledger()),
        spent=amounts,
    )


def _best(versions: list[Version]) -> Version | None:
    """What a person approved; else the highest score, the earlier of equals: a revision must gain something."""
    approved = [one for one in versions if any(said.approved for said in one.judgements)]
    return max(approved or versions, key=lambda one: (one.score, -one.number), default=None)


def _cite(sentence: Sentence, claims: dict[str, Claim], numbers: dict[str, int]) -> Statement:
    quotes = [quote for id in sentence.claims for quote in claims[id].quotes]
    citations = [
        Citation(source=numbers.setdefault(quote.source, len(numbers) + 1), lines=quote.lines, quote=quote.text)
        for quote in quotes
    ]
    return Statement(
        text=sentence.text,
        citations=tuple(dict.fromkeys(citations)),
        kind=sentence.kind,
        label=sentence.label,
        heading=sentence.heading,
    )


def _numbered(source: WebSourceRecord, number: int) -> NumberedSource:
    return NumberedSource(
        number=number,
        id=source.id,
        title=source.title,
        url=source.url,
        read=source.read,
        note=source.note,
        engine=source.engine,
        query=source.query,
        fetched=source.fetched,
        file=f"sources/{number}-{source.id[:12]}.md",
    )


def _branches(run: RunFolder) -> Iterator[SubtaskRow]:
    if not run.has("plan", "plan"):
        return
    outcomes = {one.subtask: one for one in run.read_all("outcomes", SubtaskOutcome)}
    selections = {one.subtask: one for one in run.read_all("selections", AgentSelection)}
    for one in run.read("plan", "plan", SubtaskPlan).subtasks:
        outcome = outcomes.get(one.id) or SubtaskOutcome(subtask=one.id, status="skipped", reason="It was not begun.")
        chosen = selections.get(one.id) or AgentSelection(subtask=one.id, agents=(), similarities={}, reason="")
        yield SubtaskRow(
            id=one.id,
            query=one.query,
            round=one.round,
            depends_on=one.depends_on,
            agents=chosen.agents,
            similarities=chosen.similarities,
            why=chosen.reason,
            status=outcome.status,
            reason=outcome.reason,
        )


def _notices(
    run: RunFolder, searched: str, spent: str, branches: tuple[SubtaskRow, ...], best: Version
) -> Iterator[str]:
    """What a reader must know before relying on it."""
    if searched:
        yield searched
    for one in branches:
        if one.status != "done":
            yield f"The subtask {_outcome(one)}"
    if spent:
        yield f"{spent} The rest was answered by rules, without a model."
    cut = sum(1 for one in run.read_all("evidence", SubtaskEvidence) if one.cut)
    if cut:
        yield f"{cut} agents could not read all of their pages, for the budget was used up."
    yield from _doubts(best)
    if best.left_out:
        yield f"{best.left_out} drafted sentences were left out, for the facts they cite do not carry them."
    yield from run.read("plan", "plan", SubtaskPlan).notes


def _doubts(version: Version) -> Iterator[str]:
    """The parts that have evidence, and are not answered as the judges read it."""
    known = {part.query.casefold() for part in version.unanswered}
    for query in dict.fromkeys(query for said in version.judgements for query in said.unanswered):
        if query.casefold() not in known:
            yield f"The judge finds no answer to {query!r} here: what was found may answer something else."


def _nothing(question: str, branches: tuple[SubtaskRow, ...], searched: str) -> SopragError:
    """The error for a report without a sentence: `SearchError` when nobody could even look."""
    reasons = " ".join(map(_outcome, branches[:3]))
    kind = SearchError if branches and all(one.status in BROKEN for one in branches) else NothingFound
    return kind(f"Nothing was found on {question!r}. {searched} {reasons}".strip()[:1500])


def _outcome(branch: SubtaskRow) -> str:
    """Why a subtask gave nothing, as the end of a sentence."""
    why = f"{branch.query!r} {_WHY.get(branch.status, branch.status)}"
    return f"{why}: {branch.reason}" if branch.reason else f"{why}."
