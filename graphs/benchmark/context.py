"""The collaborators of the benchmark builder: run folders, and for each of them its agents and limits."""

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pydantic import Field

from soprag.agents.archivist import Archivist
from soprag.agents.auditor import Auditor
from soprag.agents.collector import Collector
from soprag.agents.examiner import Examiner
from soprag.graphs.benchmark.runner import LocalRunner, StageRunner
from soprag.graphs.context import Collaborator, RunContext
from soprag.tools.embedding import Embedder, token_embedder
from soprag.tools.errors import ConfigError, SopragError, StorageError, UsageError
from soprag.tools.evaluation.panel import PanelMeasurement
from soprag.tools.llm import Llm
from soprag.tools.questions import Corpus
from soprag.tools.questions.corpus import passages
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.store.run_records import Audited, Failure, Stage

log = logging.getLogger(__name__)

RULES = "rules"  # the name of the door that asks no model

# These stop the run: the next item would only fail in the same way. What is done is on disk, and --resume goes on.
FATAL = (ConfigError, StorageError, UsageError)


@dataclass(frozen=True)
class StageItem:
    """One unit of work of a stage."""

    stage: Stage
    key: str
    name: str


@dataclass(frozen=True)
class BuildContext:
    """The collaborators of one run; `page` names this process's page of the run's ledger."""

    run: RunFolder
    llm: Llm
    embedder: Embedder
    collector: Collector
    archivist: Archivist
    auditor: Auditor
    examiner: Examiner
    panel: PanelMeasurement | None  # None: the settings want none
    concurrency: int
    page: str
    gate: asyncio.Semaphore = field(init=False)
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    ahead: asyncio.Semaphore = field(init=False)
    opened: list[Corpus] = field(default_factory=list)
    behind: set[asyncio.Task[None]] = field(default_factory=set)  # a task that nobody holds may vanish

    def __post_init__(self) -> None:
        # A semaphore of our own and never LangGraph's max_concurrency: with that, finished siblings are not saved.
        # The door to a model has its own limit; twice as many items keep it busy while answers are being worked on.
        object.__setattr__(self, "gate", asyncio.Semaphore(self.concurrency * (2 if self.idles else 1)))
        # A model on this machine embeds one document after the other, so that replies are still taken at once.
        local = token_embedder(self.embedder) is not None
        object.__setattr__(self, "ahead", asyncio.Semaphore(1 if local else self.concurrency))

    async def corpus(self) -> Corpus:
        """All SOPs of the run with their passages embedded, made once by whoever needs it first."""
        async with self.opening:
            if not self.opened:
                self.opened.append(await asyncio.to_thread(self._read_corpus))
        return self.opened[0]

    @property
    def idles(self) -> bool:
        """Whether this machine has little to do but to wait for a model."""
        return self.llm.name != RULES

    def embed_ahead(self, id: str) -> None:
        """Begin to embed the passages of a document's SOPs, which the Examiner compares; the embedder remembers them.

        Nobody waits for it: the Examiner embeds what is still missing, and meets again whatever went wrong here.
        """
        task = asyncio.create_task(self._embed_ahead(id))
        self.behind.add(task)
        task.add_done_callback(self.behind.discard)

    async def _embed_ahead(self, id: str) -> None:
        async with self.ahead:
            try:
                await asyncio.to_thread(self._embed_passages, id)
            except SopragError as error:
                log.info("The passages of document %r are not embedded yet: %s", id, error)

    def _embed_passages(self, id: str) -> None:
        audited = self.run.read("sops", id, Audited)
        self.embedder.embed([passage for sop in audited.sops for passage in passages(sop)])

    async def attempt(self, item: StageItem, work: Callable[[], Awaitable[str]]) -> str:
        """Do `work` behind the gate; its outcome, or `failed` once the failure is on disk.

        The one place of the pipeline that catches everything: an item must never cost its siblings their results.
        """
        async with self.gate:
            try:
                outcome = await work()
            except FATAL:
                raise
            except Exception as error:  # noqa: BLE001 - see the docstring
                await asyncio.to_thread(self.keep_failure, item, error)
                return "failed"
            finally:
                await self.keep_ledger()
            await asyncio.to_thread(self.run.drop, f"failed/{item.stage}", item.key)
            return outcome

    async def keep_ledger(self) -> None:
        """Put down what this process has asked so far."""
        if self.llm.ledger.tasks:
            await asyncio.to_thread(self.run.write, "ledger", self.page, self.llm.ledger)

    def _read_corpus(self) -> Corpus:
        sops = [sop for audited in self.run.read_all("sops", Audited) for sop in audited.sops]
        return Corpus(tuple(sorted(sops, key=lambda sop: sop.id)), self.embedder)

    def keep_failure(self, item: StageItem, error: Exception) -> None:
        """Put down why an item could not be finished; a crash is logged with its traceback."""
        if not isinstance(error, SopragError):
            log.error("%s of %r crashed:\n%s", item.stage, item.name, "".join(traceback.format_exception(error)))
        message = str(error) or repr(error)
        failure = Failure(stage=item.stage, item=item.key, name=item.name, error=type(error).__name__, message=message)
        self.run.write(f"failed/{item.stage}", item.key, failure)


class BuildRuns(Protocol):
    """Run folders of the benchmark builder; both methods block."""

    def start(self, topic: str, source: str, profile: str) -> Path:
        """Make the folder of a new run; `source` is a folder of documents, or empty."""
        ...

    def open(self, run: str) -> BuildContext:
        """The collaborators of a run, the same object every time. Raises `UsageError` for a folder that is no run."""
        ...


@dataclass(frozen=True)
class OpenedBuild:
    """A single run that is open already."""

    build: BuildContext

    def start(self, topic: str, source: str, profile: str) -> Path:
        """Its folder."""
        return self.build.run.path

    def open(self, run: str) -> BuildContext:
        """Its collaborators."""
        return self.build


class BenchmarkContext(RunContext):
    """The collaborators of the benchmark builder."""

    profile: str = Field(
        default="", description="Profile of the settings of a new run; empty: `openai` with its key, else `offline`."
    )
    runs: Collaborator[BuildRuns]
    runner: Collaborator[StageRunner] = Field(default_factory=LocalRunner)
