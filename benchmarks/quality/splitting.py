"""How well a splitter finds the procedures that were joined into one file, and leaves single procedures whole.

Files are joined from the SOPs of a corpus with a fixed seed, and every form of headings is measured on the same joins.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import Field, computed_field

from soprag.benchmarks.quality.corpora import LabelledDocument, read_corpora
from soprag.benchmarks.quality.heading_forms import FORMS, Form, rewrite
from soprag.tools.markdown.page import read
from soprag.tools.sop import Frozen
from soprag.tools.tasks.benchmark import MarkdownAsk, Split

_RULE = re.compile(r"^=+ +")  # above a banner
_MOST, _FEWEST = 6, 2  # SOPs joined into one file

Splitter = Callable[[MarkdownAsk], Split]


class SplitReport(Frozen):
    """How the splitter did on joined files; a boundary is the first line of an SOP that is not the file's first."""

    joins: int
    boundaries: int
    found: int
    false: int
    titled: int = Field(description="found boundaries whose part is called by the first heading of its SOP")
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


class FormReport(Frozen):
    """The splitter on one corpus in one form of headings."""

    corpus: str
    form: Form
    split: SplitReport


@dataclass(frozen=True)
class JoinPlan:
    """How many files are joined, and by which seed."""

    joins: int = 100
    seed: int = 7


@dataclass(frozen=True)
class JoinedFile:
    """Several texts as one: the first line of each but the first, with the title of its text."""

    markdown: str
    starts: dict[int, str]


def measure_forms(
    data: Path, splitters: Mapping[str, Splitter] | None = None, plan: JoinPlan | None = None
) -> list[FormReport]:
    """The reports on every corpus of SOPs below `data` in every form, by the splitter of the corpus or as it ships."""
    from soprag.tools.rules import split

    sops = [document for document in read_corpora(data) if document.is_sop]
    reports: list[FormReport] = []
    for corpus in sorted({sop.corpus for sop in sops}):
        splitter = (splitters or {}).get(corpus, split.split)
        for form in FORMS:
            written = [replace(sop, markdown=rewrite(sop.markdown, form)) for sop in sops if sop.corpus == corpus]
            report = measure_split(written, splitter, plan or JoinPlan())
            reports.append(FormReport(corpus=corpus, form=form, split=report))
    return reports


def measure_split(sops: Sequence[LabelledDocument], splitter: Splitter, plan: JoinPlan) -> SplitReport:
    """How `splitter` does on files of 2 to 6 SOPs each, and on every SOP alone."""
    boundaries = correct = false = titled = lost = 0
    joins = joined_files([sop.markdown for sop in sops], plan)
    for joined in joins:
        split = splitter(MarkdownAsk(name="joined.md", markdown=joined.markdown))
        set_ = {part.start: part.title for part in split.parts[1:]}
        hits = set_.keys() & joined.starts.keys()
        boundaries, correct, false = boundaries + len(joined.starts), correct + len(hits), false + len(set_) - len(hits)
        titled += sum(1 for line in hits if set_[line].casefold() == joined.starts[line].casefold())
        lost += lines_lost(split, joined.markdown)
    torn = [sop.name for sop in sops if len(splitter(MarkdownAsk(name=sop.name, markdown=sop.markdown)).parts) > 1]
    return SplitReport(
        joins=len(joins),
        boundaries=boundaries,
        found=correct,
        false=false,
        titled=titled,
        lines_lost=lost,
        singles=len(sops),
        whole=len(sops) - len(torn),
        torn=tuple(torn),
    )


def joined_files(texts: Sequence[str], plan: JoinPlan) -> list[JoinedFile]:
    """`plan.joins` files of 2 to 6 of `texts` each; none of fewer than two texts."""
    chance = random.Random(plan.seed)
    count = plan.joins if len(texts) >= _FEWEST else 0
    return [join(chance.sample(list(texts), chance.randint(_FEWEST, min(_MOST, len(texts))))) for _ in range(count)]


def join(texts: Sequence[str]) -> JoinedFile:
    """The texts as one, with an empty line between them."""
    lines: list[str] = []
    starts: dict[int, str] = {}
    for text in texts:
        rows = text.strip("\n").split("\n")
        if lines:
            lines.append("")
            starts[len(lines) + 1] = _title(text)
        lines += rows
    return JoinedFile("\n".join(lines), starts)


def lines_lost(split: Split, markdown: str) -> int:
    """How many lines are not in exactly one part or shared span."""
    times = [0] * (markdown.count("\n") + 1)
    spans = [(part.start, part.end) for part in split.parts] + [(span.start, span.end) for span in split.shared]
    for start, end in spans:
        for line in range(start, end + 1):
            times[line - 1] += 1
    return sum(1 for count in times if count != 1)


def render(reports: Sequence[FormReport]) -> list[str]:
    """The reports as a table of plain text, and the single SOPs that were torn."""
    head = f"{'corpus':<14} {'form':<9} {'F1':>5} {'prec.':>6} {'recall':>6} {'titled':>6} {'torn':>9}  lines lost"
    return [head, *(_row(report) for report in reports), *(line for report in reports for line in _torn(report))]


def _row(report: FormReport) -> str:
    split = report.split
    titled = split.titled / max(split.found, 1)
    return (
        f"{report.corpus:<14} {report.form:<9} {split.f1:>5.3f} {split.precision:>6.3f} {split.recall:>6.3f} "
        f"{titled:>6.3f} {len(split.torn):>4}/{split.singles:<4}  {split.lines_lost}"
    )


def _torn(report: FormReport) -> list[str]:
    return [f"torn  {report.corpus}/{name} ({report.form})" for name in report.split.torn]


def _title(text: str) -> str:
    """The words of the first line of `text` that has any, which is its title in the corpora that are joined."""
    first = next((block.text.split("\n")[0] for block in read(text).blocks if block.text.strip()), "")
    return _RULE.sub("", first)
