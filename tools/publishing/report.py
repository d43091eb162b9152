"""The report: one self-contained page with the funnel, the rejects, samples and plots."""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from soprag.tools.publishing.facts import Facts
from soprag.tools.sop import Question, Sop
from soprag.tools.store.run_folder import write_whole

SAMPLES = 8
LENGTHS = (0, 100, 200, 400, 800, 1600, 3200, 1_000_000)


@dataclass(frozen=True)
class Bar:
    """One bar of a plot; `share` of the longest bar, 0 to 1."""

    label: str
    count: int
    share: float


def write_report(folder: Path, facts: Facts) -> None:
    """Write `report.html`; it loads nothing from anywhere."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    page = Environment(loader=PackageLoader("soprag.tools.publishing", "."), autoescape=True, undefined=StrictUndefined)
    plots = {
        "Questions by level": bars(facts.summary.levels),
        "Documents by format": bars(Counter(document.suffix or "none" for document in facts.documents.values())),
        "SOPs by length in words": bars(_lengths(facts.sops)),
        "SOPs per document": bars({str(n): k for n, k in sorted(Counter(len(a.sops) for a in facts.audited).items())}),
    }
    html = page.get_template("report.html.j2").render(
        facts=facts, summary=facts.summary, funnel=funnel(facts), plots=plots, samples=_samples(facts)
    )
    write_whole(folder / "report.html", html.encode())


def funnel(facts: Facts) -> list[Bar]:
    """Collected, parsed, kept, atomic SOPs, questioned SOPs, questions."""
    summary = facts.summary
    return bars(
        {
            "documents collected": summary.collected,
            "parsed to Markdown": summary.parsed,
            "kept as SOPs": summary.kept,
            "atomic SOPs": summary.sops,
            "SOPs with questions": summary.questioned,
            "questions": summary.questions,
        }
    )


def bars(counts: dict[str, int]) -> list[Bar]:
    """The counts as bars, in the order given."""
    longest = max(counts.values(), default=0) or 1
    return [Bar(label, count, count / longest) for label, count in counts.items()]


def _lengths(sops: list[Sop]) -> dict[str, int]:
    word_counts = [len(sop.body.split()) for sop in sops]
    bins = {}
    for low, high in pairwise(LENGTHS):
        label = f"{low}-{high - 1}" if high < LENGTHS[-1] else f"{low} and more"
        bins[label] = sum(low <= count < high for count in word_counts)
    return bins


def _samples(facts: Facts) -> list[tuple[Sop, list[Question]]]:
    by_id = {sop.id: sop for sop in facts.sops}
    questioned = [examined for examined in facts.examined if examined.questions]
    stride = max(1, len(questioned) // SAMPLES)
    return [(by_id[examined.sop], list(examined.questions)) for examined in questioned[::stride][:SAMPLES]]
