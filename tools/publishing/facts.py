"""Everything the benchmark folder says, read once from the run folder."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from soprag.tools.publishing.licences import StatedLicence, licence_files, licence_of
from soprag.tools.publishing.reviewed import ReviewedQuestion, apply_reviews
from soprag.tools.questions.statistics import fingerprint, without_repeats
from soprag.tools.sop import LEVELS, Document, Frozen, Question, Sop
from soprag.tools.store.panel_record import PANEL_FILE, BaselinePanel
from soprag.tools.store.review_record import every_review
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.store.run_records import Audited, Collected, Examined, Failure, Manifest, Parsed, Phrases, Rejected
from soprag.tools.tasks.cost import Ledger

RULES = "rules"


class RunSummary(Frozen):
    """The counts of a run, as printed at its end and given by --json."""

    run: str
    topic: str
    source: str
    benchmark: str
    collected: int
    parsed: int
    duplicates: int
    rejected: int
    kept: int
    sops: int
    sampled: int
    questioned: int
    questions: int
    questions_wanted: int
    levels: dict[str, int]
    failed: dict[str, int]
    reviewed: int = 0
    review_rejected: int = 0


@dataclass(frozen=True)
class Facts:
    """A run's records, in a fixed order."""

    folder: Path
    manifest: Manifest
    phrases: list[str]
    collected: Collected
    documents: dict[str, Document]
    licences: dict[str, StatedLicence]
    parsed: dict[str, Parsed]
    audited: list[Audited]
    rejected: list[Rejected]
    examined: list[Examined]
    reviewed: list[ReviewedQuestion]
    failures: list[Failure]
    ledger: Ledger
    panel: BaselinePanel | None

    @property
    def sops(self) -> list[Sop]:
        """Every atomic SOP, in the order of their ids."""
        return sorted((sop for audited in self.audited for sop in audited.sops), key=lambda sop: sop.id)

    @cached_property
    def summary(self) -> RunSummary:
        """The counts."""
        published = self.questions
        levels = Counter(question.level for question in published)
        failed = Counter(failure.stage for failure in self.failures)
        return RunSummary(
            run=str(self.folder),
            topic=self.manifest.topic,
            source=self.collected.source,
            benchmark=str(self.folder / "benchmark"),
            collected=len(self.documents),
            parsed=len(self.parsed),
            duplicates=len(self.collected.duplicates),
            rejected=len(self.rejected),
            kept=len(self.audited),
            sops=len(self.sops),
            sampled=len(self.examined) + failed["examine"],
            questioned=len({question.sop for question in published}),
            questions=len(published),
            questions_wanted=sum(result.wanted for result in self.examined),
            levels={level: levels[level] for level in LEVELS},
            failed=dict(sorted(failed.items())),
            reviewed=sum(bool(question.reviews) for question in self.reviewed),
            review_rejected=len(self.reviewed) - len(published),
        )

    @property
    def kept(self) -> list[Document]:
        """The documents that hold SOPs."""
        return [self.documents[audited.document] for audited in self.audited]

    @property
    def author(self) -> str:
        """Who wrote the questions."""
        return self.answered_by("questions")

    def answered_by(self, task: str) -> str:
        """Who did a task: the edition of the rules, or the model; never the address of its server."""
        edition = self.manifest.editions.get(task, "unknown")
        return edition if edition.partition(":")[0] == RULES else str(self.manifest.settings["llm"]["model"])

    @property
    def questions(self) -> list[Question]:
        """Every published question, in the order of their SOPs and slots."""
        return [reviewed.question for reviewed in self.reviewed if reviewed.published]

    @cached_property
    def fingerprint(self) -> str:
        """What a panel that was tried on the published questions names as its benchmark."""
        return fingerprint(self.sops, [(each.id, each.text, each.level, {each.sop: 1}) for each in self.questions])

    @property
    def panel_is_current(self) -> bool:
        """Whether the panel was tried on the questions that are published; a review may have changed them since."""
        return self.panel is not None and self.panel.benchmark == self.fingerprint

    @cached_property
    def baselines(self) -> BaselinePanel | None:
        """The panel, where it was tried on the published questions and measured something."""
        return self.panel if self.panel and self.panel.systems and self.panel_is_current else None


def gather(run: RunFolder) -> Facts:
    """Read all records of a run."""
    collected = run.read("search", "collected", Collected)
    documents = {id: run.read("documents", id, Document) for id in collected.documents}
    examined = without_repeats(run.read_all("questions", Examined))
    drafted = [question for result in examined for question in result.questions]
    return Facts(
        folder=run.path,
        manifest=run.read("", "run", Manifest),
        phrases=run.read("search", "phrases", Phrases).phrases,
        collected=collected,
        documents=documents,
        licences=_licences(run, documents),
        parsed={record.document: record for record in run.read_all("parsed", Parsed)},
        audited=run.read_all("sops", Audited),
        rejected=run.read_all("rejected", Rejected),
        examined=examined,
        reviewed=apply_reviews(drafted, every_review(run)),
        failures=[failure for stage in run.folders("failed") for failure in run.read_all(f"failed/{stage}", Failure)],
        ledger=sum(run.read_all("ledger", Ledger), Ledger()),
        panel=run.read("", PANEL_FILE, BaselinePanel) if run.has("", PANEL_FILE) else None,
    )


def _licences(run: RunFolder, documents: dict[str, Document]) -> dict[str, StatedLicence]:
    """The licence of each document; of a LICENSE file the bytes are read, for it may have failed as a document."""
    raw = {id: run.raw(id, document.suffix) for id, document in documents.items()}
    files = licence_files((documents[id].provenance.location, _text(file)) for id, file in raw.items())
    return {id: licence_of(document, _text(run.markdown(id)), files) for id, document in documents.items()}


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
