"""Evaluation of the document filter (precision, recall) and the SOP splitter (boundary F1).

The data folder holds one folder per corpus: `<name>/docs/*.md` with `<name>/corpus.jsonl` are SOPs, and the documents
in `decoys/docs/*.md` are none.
"""

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import Field, computed_field

from soprag.tools.errors import UsageError
from soprag.tools.sop import Frozen
from soprag.tools.tasks.benchmark import FilterAnswer, MarkdownAsk, Split

_DECOYS = "decoys"
_HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)
_MOST, _FEWEST = 6, 2  # SOPs joined into one file

Judge = Callable[[MarkdownAsk], FilterAnswer]
Splitter = Callable[[MarkdownAsk], Split]


@dataclass(frozen=True)
class LabelledDocument:
    """One document of a corpus, and whether it is an SOP."""

    corpus: str
    name: str
    markdown: str
    is_sop: bool


class Misjudged(Frozen):
    """A document that was judged wrongly, with the reason that was given."""

    corpus: str
    name: str
    is_sop: bool = Field(description="what it is in truth")
    reason: str
    confidence: float


class FilterReport(Frozen):
    """How the judge did: `kept` and `lost` are SOPs, `let_in` and `stopped` are not."""

    kept: int
    lost: int
    let_in: int
    stopped: int
    misses: tuple[Misjudged, ...]

    @computed_field  # type: ignore[prop-decorator]  # mypy knows no decorated properties
    @property
    def precision(self) -> float:
        """Share of SOPs among what was kept."""
        return self.kept / max(self.kept + self.let_in, 1)

    @computed_field  # type: ignore[prop-decorator]  # mypy knows no decorated properties
    @property
    def recall(self) -> float:
        """Share of the SOPs that was kept."""
        return self.kept / max(self.kept + self.lost, 1)


class SplitReport(Frozen):
    """How the splitter did on joined files; a boundary is the first line of an SOP that is not the file's first."""

    joins: int
    boundaries: int
    found: int
    false: int
    lines_lost: int = Field(description="lines in no part and no preamble, or in more than one")
    singles: int
    whole: int = Field(description="single SOPs that were left whole")
    torn: tuple[str, ...] = Field(description="names of those that were not")

    @computed_field  # type: ignore[prop-decorator]  # mypy knows no decorated properties
    @property
    def precision(self) -> float:
        """Share of true boundaries among those that were set."""
        return self.found / max(self.found + self.false, 1)

    @computed_field  # type: ignore[prop-decorator]  # mypy knows no decorated properties
    @property
    def recall(self) -> float:
        """Share of the boundaries that were found."""
        return self.found / max(self.boundaries, 1)

    @computed_field  # type: ignore[prop-decorator]  # mypy knows no decorated properties
    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.found / max(2 * self.found + self.false + (self.boundaries - self.found), 1)


class AuditReport(Frozen):
    """Filter and split on one data folder."""

    corpora: dict[str, int] = Field(description="documents by corpus")
    filter: FilterReport
    packages: FilterReport | None = Field(description="documents of installed packages that no weight was fitted on")
    split: SplitReport
    flat: SplitReport = Field(description="the same joined files with all headings at one level, as some parsers print")


@dataclass(frozen=True)
class AuditPlan:
    """How much is measured: files joined for the splitter, and documents of installed packages for the filter."""

    joins: int = 100
    packages: int = 0
    seed: int = 7


def measure_audit(
    data: Path, judge: Judge | None = None, splitter: Splitter | None = None, plan: AuditPlan | None = None
) -> AuditReport:
    """The report on all corpora below `data`; by default on the built-in rules. Raises `UsageError` without SOPs."""
    from soprag.benchmarks.quality.package_documents import read_packages
    from soprag.tools.procedure import document_filter as sieve
    from soprag.tools.rules import split

    plan, documents = plan or AuditPlan(), read_corpora(data)
    pages = read_packages("measured") if plan.packages else []
    pages = random.Random(plan.seed).sample(pages, min(plan.packages, len(pages)))
    corpora = {
        name: sum(1 for document in documents if document.corpus == name)
        for name in sorted({d.corpus for d in documents})
    }
    sops = [document for document in documents if document.is_sop]
    level = [replace(sop, markdown=_HEADING.sub("## ", sop.markdown)) for sop in sops]
    return AuditReport(
        corpora=corpora,
        filter=measure_filter(documents, judge or sieve.judge),
        packages=measure_filter(pages, judge or sieve.judge) if pages else None,
        split=measure_split(sops, splitter or split.split, plan),
        flat=measure_split(level, splitter or split.split, plan),
    )


def read_corpora(data: Path) -> list[LabelledDocument]:
    """Every document below `data` with its label, in the order of their paths; raises `UsageError` without SOPs."""
    documents: list[LabelledDocument] = []
    for folder in sorted(path for path in data.glob("*") if (path / "docs").is_dir()):
        is_sop = (folder / "corpus.jsonl").is_file()
        if is_sop or folder.name == _DECOYS:
            for path in sorted((folder / "docs").glob("*.md")):
                documents.append(LabelledDocument(folder.name, path.name, path.read_text(encoding="utf-8"), is_sop))
    if not any(document.is_sop for document in documents):
        raise UsageError(f"No SOPs below {str(data)!r}: it needs folders with docs/*.md and corpus.jsonl.")
    return documents


def measure_filter(documents: Iterable[LabelledDocument], judge: Judge) -> FilterReport:
    """How `judge` does on labelled documents."""
    counts = {(truth, judged): 0 for truth in (True, False) for judged in (True, False)}
    misses: list[Misjudged] = []
    for document in documents:
        verdict = judge(MarkdownAsk(name=document.name, markdown=document.markdown))
        counts[document.is_sop, verdict.is_sop] += 1
        if verdict.is_sop != document.is_sop:
            reason, sure = verdict.reason, verdict.confidence
            misses.append(
                Misjudged(
                    corpus=document.corpus, name=document.name, is_sop=document.is_sop, reason=reason, confidence=sure
                )
            )
    return FilterReport(
        kept=counts[True, True],
        lost=counts[True, False],
        let_in=counts[False, True],
        stopped=counts[False, False],
        misses=tuple(misses),
    )


def measure_split(sops: Sequence[LabelledDocument], splitter: Splitter, plan: AuditPlan) -> SplitReport:
    """How `splitter` does on files of 2 to 6 SOPs each, and on every SOP alone."""
    chance, joins = random.Random(plan.seed), plan.joins
    boundaries = correct = false = lost = 0
    for _ in range(joins if len(sops) >= _FEWEST else 0):
        drawn = chance.sample(list(sops), chance.randint(_FEWEST, min(_MOST, len(sops))))
        markdown, truth = join([sop.markdown for sop in drawn])
        split = splitter(MarkdownAsk(name="joined.md", markdown=markdown))
        set_ = {part.start for part in split.parts[1:]}
        boundaries, correct, false = boundaries + len(truth), correct + len(set_ & truth), false + len(set_ - truth)
        lost += lines_lost(split, markdown)
    torn = [sop.name for sop in sops if len(splitter(MarkdownAsk(name=sop.name, markdown=sop.markdown)).parts) > 1]
    return SplitReport(
        joins=joins,
        boundaries=boundaries,
        found=correct,
        false=false,
        lines_lost=lost,
        singles=len(sops),
        whole=len(sops) - len(torn),
        torn=tuple(torn),
    )


def join(texts: Sequence[str]) -> tuple[str, set[int]]:
    """The texts as one, with an empty line between them, and the first line of each but the first."""
    lines: list[str] = []
    starts: set[int] = set()
    for text in texts:
        rows = text.strip("\n").split("\n")
        if lines:
            lines.append("")
            starts.add(len(lines) + 1)
        lines += rows
    return "\n".join(lines), starts


def lines_lost(split: Split, markdown: str) -> int:
    """How many lines are not in exactly one part or shared span."""
    times = [0] * (markdown.count("\n") + 1)
    spans = [(part.start, part.end) for part in split.parts] + [(span.start, span.end) for span in split.shared]
    for start, end in spans:
        for line in range(start, end + 1):
            times[line - 1] += 1
    return sum(1 for count in times if count != 1)


def render(report: AuditReport) -> list[str]:
    """The report as lines of plain text."""
    sieve, split, flat = report.filter, report.split, report.flat
    corpora = ", ".join(f"{name} {count}" for name, count in report.corpora.items())
    lines = [
        f"Documents      {corpora}",
        f"Filter         precision {sieve.precision:.3f}, recall {sieve.recall:.3f}  "
        f"(kept {sieve.kept}, lost {sieve.lost}, let in {sieve.let_in}, stopped {sieve.stopped})",
        *_packages(report.packages),
        f"Split          {_figures(split)}  ({split.joins} joined files, {split.boundaries} boundaries)",
        f"Split, flat    {_figures(flat)}  (the same with all headings at one level)",
        f"Lines lost     {split.lines_lost + flat.lines_lost}",
        f"Left whole     {split.whole} of {split.singles} single SOPs, {flat.whole} flat",
    ]
    lines += [f"Torn           {name}" for name in split.torn]
    for miss in [*sieve.misses, *(report.packages.misses if report.packages else ())]:
        outcome = "lost" if miss.is_sop else "let in"
        lines.append(f"{outcome:<14} {miss.corpus}/{miss.name}  {miss.confidence:.2f}  {miss.reason}")
    return lines


def _figures(split: SplitReport) -> str:
    return f"boundary F1 {split.f1:.3f}, precision {split.precision:.3f}, recall {split.recall:.3f}"


def _packages(report: FilterReport | None) -> list[str]:
    if report is None:
        return []
    total = report.stopped + report.let_in
    return [f"Packages       {report.stopped} of {total} READMEs, licences and change logs stopped"]
