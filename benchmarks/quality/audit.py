"""Evaluation of the document filter (precision, recall) and, over all corpora together, of the splitter."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import Field, computed_field

from soprag.agents.auditor import SURE
from soprag.benchmarks.quality.corpora import LabelledDocument, read_corpora
from soprag.benchmarks.quality.heading_forms import rewrite
from soprag.benchmarks.quality.splitting import JoinPlan, SplitReport, Splitter, measure_split
from soprag.tools.sop import Frozen
from soprag.tools.tasks.benchmark import FilterAnswer, MarkdownAsk

Judge = Callable[[MarkdownAsk], FilterAnswer]


class Misjudged(Frozen):
    """A document that was judged wrongly, with the reason that was given."""

    corpus: str
    name: str
    is_sop: bool = Field(description="what it is in truth")
    reason: str
    confidence: float


class FilterReport(Frozen):
    """How the judge did: `kept` and `lost` are SOPs, `let_in` and `stopped` are not.

    `sure` and `sure_wrong` count the SOPs and the other documents that are kept with the confidence at which a model is
    not asked.
    """

    kept: int
    lost: int
    let_in: int
    stopped: int
    sure: int
    sure_wrong: int
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
    from soprag.tools.procedure.filtering import document_filter as sieve
    from soprag.tools.rules import split

    plan, documents = plan or AuditPlan(), read_corpora(data)
    pages = read_packages("measured") if plan.packages else []
    pages = random.Random(plan.seed).sample(pages, min(plan.packages, len(pages)))
    corpora = {
        name: sum(1 for document in documents if document.corpus == name)
        for name in sorted({d.corpus for d in documents})
    }
    sops = [document for document in documents if document.is_sop]
    level = [replace(sop, markdown=rewrite(sop.markdown, "flat")) for sop in sops]
    joins = JoinPlan(plan.joins, plan.seed)
    return AuditReport(
        corpora=corpora,
        filter=measure_filter(documents, judge or sieve.judge),
        packages=measure_filter(pages, judge or sieve.judge) if pages else None,
        split=measure_split(sops, splitter or split.split, joins),
        flat=measure_split(level, splitter or split.split, joins),
    )


def measure_filter(documents: Iterable[LabelledDocument], judge: Judge) -> FilterReport:
    """How `judge` does on labelled documents."""
    counts = {(truth, judged): 0 for truth in (True, False) for judged in (True, False)}
    certain = {True: 0, False: 0}
    misses: list[Misjudged] = []
    for document in documents:
        verdict = judge(MarkdownAsk(name=document.name, markdown=document.markdown))
        counts[document.is_sop, verdict.is_sop] += 1
        certain[document.is_sop] += verdict.is_sop and verdict.confidence >= SURE
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
        sure=certain[True],
        sure_wrong=certain[False],
        misses=tuple(misses),
    )


def render(report: AuditReport) -> list[str]:
    """The report as lines of plain text."""
    sieve, split, flat = report.filter, report.split, report.flat
    corpora = ", ".join(f"{name} {count}" for name, count in report.corpora.items())
    lines = [
        f"Documents      {corpora}",
        f"Filter         precision {sieve.precision:.3f}, recall {sieve.recall:.3f}  "
        f"(kept {sieve.kept}, lost {sieve.lost}, let in {sieve.let_in}, stopped {sieve.stopped})",
        f"Sure           {sieve.sure} of {sieve.kept + sieve.lost} procedures are in no doubt at indexing; "
        f"{sieve.sure_wrong} other documents pass so",
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
    return [
        f"Packages       {report.stopped} of {total} READMEs, licences and change logs stopped, "
        f"{report.sure_wrong} surely let in"
    ]
