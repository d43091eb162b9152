"""What `soprag index` does: opens the index, reads sources, reports."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from soprag.apps.compose import components
from soprag.apps.compose.sop_page import ShownSop, show_sop
from soprag.apps.compose.sources import Read, read_source
from soprag.apps.progress import StageProgress, open_progress
from soprag.configs.settings import Settings
from soprag.tools.errors import NothingFound, StorageError, UsageError
from soprag.tools.retriever.index.index import Extraction, Index, IngestOutcome, Listed
from soprag.tools.retriever.index.loaders import kind_of
from soprag.tools.sop import Frozen


@dataclass(frozen=True)
class IndexCall:
    """The options that the commands share, as given."""

    folder: str | None = None
    profile: str | None = None
    quiet: bool = False
    model: str | None = None
    base_url: str | None = None

    def settings(self) -> Settings:
        """The settings of this call."""
        overrides = {"llm": {"model": self.model, "base_url": self.base_url}, "index": {"folder": self.folder}}
        options = {name: {k: v for k, v in keys.items() if v is not None} for name, keys in overrides.items()}
        return components.open_settings(components.choose_profile(self.profile), options)


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
        return "\n".join([*lines, *(f"  left out  {reason}" for reason in self.unread)])


class Listing(Frozen):
    """The SOPs of an index."""

    index: str
    sops: list[Listed]

    def text(self) -> str:
        """A line per SOP."""
        rows = [f"{sop.id}  v{sop.version}  {sop.updated[:10]}  {sop.title}" for sop in self.sops]
        return "\n".join([*rows, f"{len(rows)} SOPs in {self.index}"])


class Verified(Frozen):
    """An index without faults."""

    index: str
    size: int

    def text(self) -> str:
        """One line."""
        return f"{self.index}: {self.size} SOPs, nothing wrong"


def add(call: IndexCall, source: str) -> IndexReport:
    """Add the SOPs of one source."""
    return asyncio.run(_bring(call, [source], mirror=False))


def update(call: IndexCall, sources: Sequence[str]) -> IndexReport:
    """Bring the index to what the sources, or all it knows, hold now."""
    if not sources:
        with _opened(call) as index:
            sources = sorted({sop.source for sop in index.listing() if sop.source})
    if not sources:
        raise UsageError("The index knows no source to update from; add one with `soprag index add`.")
    return asyncio.run(_bring(call, sources, mirror=True))


def reembed(call: IndexCall) -> IndexReport:
    """Embed everything anew."""
    began = time.monotonic()
    with _opened(call, embedding=True) as index, open_progress(call.quiet) as progress:
        progress.note({"stage": "index", "total": index.size})
        count = index.reembed(lambda id: progress.note({"stage": "index", "item": id, "outcome": "embedded"}))
        return _report(index, IndexTally(Counter(embedded=count)), began)


def remove(call: IndexCall, ids: Sequence[str], source: str | None) -> IndexReport:
    """Remove SOPs by id, or all of one source."""
    began = time.monotonic()
    with _opened(call) as index:
        listed = {sop.id: sop.source for sop in index.listing()}
        unknown = [id for id in ids if id not in listed]
        if unknown:
            raise UsageError(f"There is no SOP {unknown[0]!r} in this index; `soprag index list` names all.")
        theirs = [id for id, origin in listed.items() if source and origin == _absolute(source)]
        if not ids and not theirs:
            raise UsageError("Name SOPs by id, or a source that the index knows with --source.")
        return _report(index, IndexTally(Counter(removed=len(index.remove([*ids, *theirs])))), began)


def listing(call: IndexCall) -> Listing:
    """All SOPs."""
    with _opened(call) as index:
        return Listing(index=str(index.folder), sops=index.listing())


def show(call: IndexCall, id: str) -> ShownSop:
    """One SOP."""
    with _opened(call) as index:
        return show_sop(index, id)


def verify(call: IndexCall) -> Verified:
    """Check everything; raises `StorageError` that names what is wrong."""
    with _opened(call) as index:
        findings = index.verify()
        if findings:
            raise StorageError(f"The index {str(index.folder)!r} has faults: {'; '.join(findings)}.")
        return Verified(index=str(index.folder), size=index.size)


@dataclass
class IndexTally:
    """What became of the SOPs and files so far."""

    counts: Counter[str] = field(default_factory=Counter)
    failed: list[IngestOutcome] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)


@contextmanager
def _opened(call: IndexCall, *, embedding: bool = False, create: bool = False) -> Iterator[Index]:
    settings = call.settings()
    embedder = components.open_embedder(settings) if embedding else None
    index = Index.open(Path(settings.index.folder), embedder, settings.index, create=create)
    try:
        yield index
    finally:
        index.close()


async def _bring(call: IndexCall, sources: Sequence[str], *, mirror: bool) -> IndexReport:
    """Add what the sources hold; with `mirror`, also remove what they hold no more."""
    began, tally, settings = time.monotonic(), IndexTally(), call.settings()
    llm = components.open_llm(settings)
    for source in sources:
        kind_of(Path(source))  # before anything is made
    with _opened(call, embedding=True, create=not mirror) as index, open_progress(call.quiet) as progress:
        for source in sources:
            read = await read_source(Path(source), settings, llm, progress.note)
            tally.unread += [file.reason for file in read.unread]
            await _add(index, read, components.extraction(settings, llm), source, (tally, progress))
            if mirror:
                gone = _gone(index, read, _absolute(source))
                tally.counts.update(removed=len(index.remove(gone)))
        if not index.size:
            raise NothingFound(_nothing(tally, sources))
        return _report(index, tally, began)


async def _add(
    index: Index, read: Read, extraction: Extraction, source: str, reporting: tuple[IndexTally, StageProgress]
) -> None:
    tally, progress = reporting
    progress.note({"stage": "index", "total": len(read.sops)})
    async for outcome in index.add(read.sops, extraction, _absolute(source)):
        tally.counts[outcome.event] += 1
        tally.failed += [outcome] if outcome.event == "failed" else []
        progress.note({"stage": "index", "item": outcome.sop, "outcome": outcome.event})


def _gone(index: Index, read: Read, source: str) -> list[str]:
    """Ids that came from the source and are not there any more; a file that was unreadable today keeps its SOPs."""
    present = {sop.id for sop in read.sops}
    ours = [sop.id for sop in index.listing() if sop.source == source]
    return [id for id in ours if id not in present and not read.spares(id)]


def _nothing(tally: IndexTally, sources: Sequence[str]) -> str:
    reasons = [*tally.unread, *(f"{outcome.sop}: {outcome.reason}" for outcome in tally.failed)]
    return f"Nothing in {', '.join(map(repr, sources))} is an SOP. {' '.join(reasons[:3])}".strip()


def _report(index: Index, tally: IndexTally, began: float) -> IndexReport:
    return IndexReport(
        index=str(index.folder),
        size=index.size,
        counts={event: count for event, count in tally.counts.items() if count},
        failed=tally.failed,
        unread=tally.unread,
        seconds=round(time.monotonic() - began, 1),
    )


def _absolute(source: str) -> str:
    return str(Path(source).absolute())
