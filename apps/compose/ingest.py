"""Brings the SOPs of sources (folders of files, benchmarks, runs) into an index, and reports what became of each."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from soprag.apps.compose import services
from soprag.apps.compose.index import extraction, judges_while_reading
from soprag.apps.compose.sources import Admission, FileReading, LocalReading, Note, Read, read_source
from soprag.configs.settings import Settings
from soprag.tools.errors import NothingFound
from soprag.tools.retriever.index.index import Index, IngestOutcome, Listed
from soprag.tools.retriever.index.ingest import SopPreparer
from soprag.tools.sop import Frozen

if TYPE_CHECKING:
    from soprag.tools.llm import Llm


class IndexReport(Frozen):
    """What became of the SOPs and files of the sources."""

    index: str
    size: int
    counts: dict[str, int]
    failed: list[IngestOutcome]
    unread: list[str]
    seconds: float

    def text(self) -> str:
        """A few lines for a person."""
        counts = ", ".join(f"{count} {event}" for event, count in sorted(self.counts.items())) or "nothing to do"
        lines = [f"{counts}; {self.size} SOPs in {self.index} ({self.seconds:.1f} s)"]
        lines += [f"  FAILED    {outcome.sop}: {outcome.reason}" for outcome in self.failed]
        lines += [f"  left out  {reason}" for reason in self.unread]
        if any(" is no SOP: " in reason for reason in self.unread):
            lines.append("  `soprag index add FILE --keep` adds a file that is an SOP all the same.")
        return "\n".join(lines)


@dataclass
class IndexTally:
    """What became of the SOPs and files so far; `began` is the monotonic clock."""

    counts: Counter[str] = field(default_factory=Counter)
    failed: list[IngestOutcome] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    def add(self, outcome: IngestOutcome) -> None:
        """Count an outcome; what is no procedure is among the files that were left out."""
        if outcome.event == "left out":
            self.unread.append(outcome.reason)
            return
        self.counts[outcome.event] += 1
        self.failed += [outcome] if outcome.event == "failed" else []

    def report(self, index: Index) -> IndexReport:
        """The tally of an index as it is now."""
        return IndexReport(
            index=index.name,
            size=index.size,
            counts={event: count for event, count in self.counts.items() if count},
            failed=self.failed,
            unread=self.unread,
            seconds=round(time.monotonic() - self.began, 1),
        )


@dataclass(frozen=True)
class IngestPlan:
    """How sources are read: `mirror` removes what they hold no more, `keep` adds files the Auditor would leave out."""

    mirror: bool = False
    keep: bool = False


class IndexRunner(FileReading, Protocol):
    """Where files are read and SOPs prepared; `llm` is the model that answers there."""

    @property
    def llm(self) -> "Llm":
        """The model."""
        ...

    def preparer(self, doubts: Mapping[str, str]) -> SopPreparer | None:
        """What prepares SOPs, with the `doubts` of `extraction`; None: the index itself, in this process."""
        ...


class LocalIndexRunner(LocalReading):
    """Works in this process."""

    def __init__(self, settings: Settings, llm: "Llm") -> None:
        super().__init__(settings, llm)
        self.llm = llm

    def preparer(self, doubts: Mapping[str, str]) -> SopPreparer | None:
        """None: the index prepares SOPs itself."""
        return None


async def ingest(
    index: Index,
    sources: Sequence[str],
    settings: Settings,
    on_progress: Note,
    plan: IngestPlan | None = None,
    runner: IndexRunner | None = None,
) -> IndexReport:
    """Add what the sources hold: the files that the Auditor finds to be SOPs, and those that are indexed already.

    `on_progress` takes events of `StageProgress`. Raises `NothingFound` when the index is empty afterwards.
    """
    tally, plan = IndexTally(), plan or IngestPlan()
    runner = runner or LocalIndexRunner(settings, services.open_llm(settings))
    for source in sources:
        indexed = frozenset(sop.id for sop in _of(index, absolute(source)))
        admission = Admission(plan.keep, indexed, judged_later=judges_while_reading(runner.llm))
        read = await read_source(Path(source), runner, on_progress, admission)
        tally.unread += [file.reason for file in read.unread]
        adding = index.add(
            read.sops,
            extraction(settings, runner.llm, read.doubts),
            absolute(source),
            runner.preparer(read.doubts),
        )
        on_progress({"stage": "index", "total": len(read.sops)})
        async for outcome in adding:
            tally.add(outcome)
            on_progress({"stage": "index", "item": outcome.sop, "outcome": outcome.event})
        if plan.mirror:
            tally.counts.update(removed=len(index.remove(_gone(index, read, absolute(source)))))
    if not index.size:
        raise NothingFound(_nothing(tally, sources))
    return tally.report(index)


def absolute(source: str) -> str:
    """The source as the index records it."""
    return str(Path(source).absolute())


def _gone(index: Index, read: Read, source: str) -> list[str]:
    """Ids that came from the source and are not there any more; a file that was unreadable today keeps its SOPs."""
    present = {sop.id for sop in read.sops}
    return [sop.id for sop in _of(index, source) if sop.id not in present and not read.spares(sop.id)]


def _of(index: Index, source: str) -> list[Listed]:
    """What the index holds of a source."""
    return [sop for sop in index.listing() if sop.source == source]


def _nothing(tally: IndexTally, sources: Sequence[str]) -> str:
    reasons = [*tally.unread, *(f"{outcome.sop}: {outcome.reason}" for outcome in tally.failed)]
    return f"Nothing in {', '.join(map(repr, sources))} is an SOP. {' '.join(reasons[:3])}".strip()
