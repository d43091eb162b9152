"""The report: one self-contained page with the funnels, difficulty by level, examples, and coverage of sections."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from soprag.tools.publishing.facts import Facts
from soprag.tools.publishing.reviewed import ReviewedQuestion
from soprag.tools.publishing.section_coverage import CoveredSop, coverage
from soprag.tools.publishing.text_statistics import level_texts
from soprag.tools.sop import LEVELS, Level, Sop
from soprag.tools.store.panel_record import BaselinePanel
from soprag.tools.store.run_folder import write_whole
from soprag.tools.text.sanitize import one_line
from soprag.tools.text.stop_words import SMALL
from soprag.tools.text.terms import terms

EXAMPLES = 3  # of each level
_LONGEST_EVIDENCE = 200  # characters
LENGTHS = (0, 100, 200, 400, 800, 1600, 3200, 1_000_000)
_MEANINGS: dict[Level, str] = {
    "keyword": "search words",
    "direct": "asks for the task",
    "symptom": "what is seen or heard",
    "scenario": "circumstances and a need",
    "conditional": "facts that fulfil a condition",
}


@dataclass(frozen=True)
class Bar:
    """One bar of a plot; `share` of the longest bar, 0 to 1."""

    label: str
    count: int
    share: float


@dataclass(frozen=True)
class FunnelStage:
    """A stage of a funnel: how many came through it, as a share of the first, and what became of those lost before."""

    label: str
    count: int
    share: float
    lost: str = ""


@dataclass(frozen=True)
class LevelFigures:
    """What the report shows of a level; `mrr` is the mean over the panel, None where it was not measured."""

    level: Level
    meaning: str
    questions: int
    words: float
    overlap: float
    repeated: float
    mrr: float | None


@dataclass(frozen=True)
class ExampleQuestion:
    """A question with its SOP; `words` are its words, each with whether the SOP has it too."""

    words: tuple[tuple[str, bool], ...]
    evidence: str
    title: str
    source: str
    reviewers: tuple[str, ...]


def write_report(folder: Path, facts: Facts) -> None:
    """Write `report.html`; it loads nothing from anywhere."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    page = Environment(
        loader=PackageLoader("soprag.tools.publishing", "."), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    panel = facts.baselines
    covered = coverage(facts.sops, facts.questions)
    html = page.get_template("report.html.j2").render(
        facts=facts,
        summary=facts.summary,
        funnels=funnels(facts),
        levels=_levels(facts, panel),
        panel=panel,
        examples=_examples(facts),
        covered=covered,
        thirds=_thirds(covered),
        plots=_plots(facts),
    )
    write_whole(folder / "report.html", html.encode())


def funnels(facts: Facts) -> dict[str, list[FunnelStage]]:
    """Three funnels, since documents, SOPs and questions cannot be compared with each other."""
    summary, failed = facts.summary, facts.summary.failed
    drafted = len(facts.reviewed)
    return {
        "Documents": _funnel(
            ("collected", summary.collected, ""),
            ("parsed", summary.parsed, _lost(failed.get("archive", 0), "failed")),
            ("with SOPs", summary.kept, _lost(summary.rejected, "left out")),
        ),
        "SOPs": _funnel(
            ("atomic SOPs", summary.sops, ""),
            ("sampled", summary.sampled, _lost(summary.sops - summary.sampled, "not sampled")),
            ("with questions", summary.questioned, _lost(summary.sampled - summary.questioned, "without")),
        ),
        "Questions": _funnel(
            ("wanted", summary.questions_wanted, ""),
            ("passed all checks", drafted, _lost(summary.questions_wanted - drafted, "not found or refused")),
            ("published", summary.questions, _lost(summary.review_rejected, "rejected in review")),
        ),
    }


def _lost(count: int, reason: str) -> str:
    return f"{count} {reason}" if count else ""


def _funnel(*stages: tuple[str, int, str]) -> list[FunnelStage]:
    first = max(1, stages[0][1])
    return [FunnelStage(label, count, count / first, lost) for label, count, lost in stages]


def bars(counts: Mapping[str, int]) -> list[Bar]:
    """The counts as bars, in the order given."""
    longest = max(counts.values(), default=0) or 1
    return [Bar(label, count, count / longest) for label, count in counts.items()]


def _levels(facts: Facts, panel: BaselinePanel | None) -> list[LevelFigures]:
    measured = {level.level: level.mrr for level in panel.levels} if panel else {}
    texts = {text.level: text for text in level_texts(facts.questions, facts.sops)}
    return [
        LevelFigures(
            level, _MEANINGS[level], text.lengths.count, text.lengths.mean, text.overlap, text.repeated,
            measured.get(level),
        )
        for level in LEVELS
        if (text := texts.get(level))
    ]  # fmt: skip


def _examples(facts: Facts) -> dict[Level, list[ExampleQuestion]]:
    """Some questions of each level, spread over the SOPs."""
    by_id = {sop.id: sop for sop in facts.sops}
    published = [reviewed for reviewed in facts.reviewed if reviewed.published]
    examples = {}
    for shift, level in enumerate(LEVELS):
        chosen = [reviewed for reviewed in published if reviewed.question.level == level]
        stride = max(1, len(chosen) // EXAMPLES)
        picked = chosen[shift % stride :: stride][:EXAMPLES]
        examples[level] = [_example(facts, reviewed, by_id[reviewed.question.sop]) for reviewed in picked]
    return {level: rows for level, rows in examples.items() if rows}


def _example(facts: Facts, reviewed: ReviewedQuestion, sop: Sop) -> ExampleQuestion:
    known = set(terms(f"{sop.title} {sop.body}"))
    words = re.findall(r"\S+\s*", reviewed.question.text)
    shared = tuple((word, bool(known & set(terms(word, SMALL)))) for word in words)
    source = f"{facts.documents[sop.document].name}, lines {sop.span.start} to {sop.span.end}"
    reviewers = tuple(f"{review.decision} by {review.reviewer}" for review in reviewed.reviews)
    evidence = one_line(reviewed.question.evidence.strip("| ").replace(" | ", " · "), _LONGEST_EVIDENCE)
    return ExampleQuestion(shared, evidence, sop.title, source, reviewers)


def _thirds(covered: Sequence[CoveredSop]) -> dict[str, int]:
    """How many questions are about the first, the middle and the last third of the sections of their SOPs."""
    counts: Counter[int] = Counter()
    for sop in covered:
        for place, section in enumerate(sop.sections):
            counts[min(2, 3 * place // len(sop.sections))] += section.questions
    return {name: counts[place] for place, name in enumerate(("first third", "middle third", "last third"))}


def _plots(facts: Facts) -> dict[str, list[Bar]]:
    suffixes = Counter(document.suffix or "none" for document in facts.documents.values())
    sizes = Counter(len(audited.sops) for audited in facts.audited)
    return {
        "Documents by format": bars(dict(suffixes.most_common())),
        "SOPs by length in words": bars(_lengths(facts.sops)),
        "SOPs per document": bars({str(size): count for size, count in sorted(sizes.items())}),
    }


def _lengths(sops: list[Sop]) -> dict[str, int]:
    word_counts = [len(sop.body.split()) for sop in sops]
    bins = {}
    for low, high in pairwise(LENGTHS):
        label = f"{low}-{high - 1}" if high < LENGTHS[-1] else f"{low} and more"
        bins[label] = sum(low <= count < high for count in word_counts)
    return bins
