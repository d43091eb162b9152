"""The data sheet of a benchmark, in the parts of Gebru et al. (2021, "Datasheets for Datasets"), from its run."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from soprag.tools.publishing.facts import RULES, Facts
from soprag.tools.publishing.licences import NOT_STATED
from soprag.tools.publishing.measured_agreement import agreement_lines, untold_difference
from soprag.tools.publishing.personal_data import PersonalKind, count_personal
from soprag.tools.publishing.reviewed import reviewer_agreements
from soprag.tools.publishing.text_statistics import LevelTexts, lengths, level_texts
from soprag.tools.sop import Document
from soprag.tools.store.run_folder import write_whole
from soprag.tools.tasks.cost import Spent


def write_datasheet(folder: Path, facts: Facts) -> None:
    """Write `datasheet.md`."""
    write_whole(folder / "datasheet.md", render("datasheet.md.j2", facts).encode())


def render(template: str, facts: Facts, **more: object) -> str:
    """A Markdown template of this folder with everything the data sheet knows."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    page = Environment(
        loader=PackageLoader("soprag.tools.publishing", "."), autoescape=False, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    page.filters["cell"] = cell
    return page.get_template(template).render(sheet(facts) | more)


def sheet(facts: Facts) -> dict[str, Any]:
    """The values of the templates."""
    settings, levels = facts.manifest.settings, level_texts(facts.questions, facts.sops)
    personal, reviewers = personal_data(facts), _reviewers(facts)
    return {
        "facts": facts,
        "manifest": facts.manifest,
        "summary": facts.summary,
        "settings": settings,
        "by_rules": facts.author.partition(":")[0] == RULES,
        "model": settings["llm"]["model"],
        "sop_lengths": lengths([sop.body for sop in facts.sops]),
        "level_length_rows": [_length_row(level) for level in levels],
        "level_share_rows": [
            [level.level, level.lengths.count, f"{level.overlap:.0%}", f"{level.repeated:.1%}"] for level in levels
        ],
        "drafts": len(facts.reviewed),
        "masked": False,
        "languages": sorted({sop.language for sop in facts.sops}),
        "engines": sorted({parsed.engine for parsed in facts.parsed.values()}),
        "reviewers": reviewers,
        "reviewer_rows": [[name, count["accept"], count["edit"], count["reject"]] for name, count in reviewers],
        "agreements": reviewer_agreements(facts.reviewed),
        "agreement_lines": list(agreement_lines(facts.author)),
        "untold": untold_difference(facts.author),
        "panel_is_current": facts.baselines is not None,
        "panel_levels": [level.level for level in facts.panel.levels] if facts.panel else [],
        "panel_rows": _panel_rows(facts),
        "licences": Counter(facts.licences[document.id].licence for document in facts.kept),
        "personal": personal,
        "personal_rows": [[name, count["e-mail"], count["phone"], count["name"]] for name, count in personal],
        "table": table,
        "sources": sorted(_source(document, facts) for document in facts.documents.values()),
        "editions": _editions(facts),
        "left_out": _left_out(facts),
        "not_stated": NOT_STATED,
    }


def personal_data(facts: Facts) -> list[tuple[str, Counter[PersonalKind]]]:
    """The documents whose SOPs hold personal data, with the pieces of each kind."""
    counts: dict[str, Counter[PersonalKind]] = {}
    for sop in facts.sops:
        counts[sop.document] = counts.get(sop.document, Counter()) + count_personal(sop.body)
    return sorted((facts.documents[id].name, count) for id, count in counts.items() if count)


def _length_row(level: LevelTexts) -> list[str]:
    words = level.lengths
    figures = [str(words.count), str(words.fewest), f"{words.median:.0f}", f"{words.mean:.1f}", str(words.most)]
    return [f"questions, {level.level}", *figures]


def _panel_rows(facts: Facts) -> list[list[str]]:
    if not facts.panel:
        return []
    names = [level.level for level in facts.panel.levels]
    return [
        [
            system.name,
            f"{system.mrr.mean:.3f}",
            f"{system.mrr.low:.3f} to {system.mrr.high:.3f}",
            *(f"{system.levels[name].mean:.3f}" for name in names),
        ]
        for system in facts.panel.systems
    ]


def _reviewers(facts: Facts) -> list[tuple[str, Counter[str]]]:
    decisions: dict[str, Counter[str]] = {}
    for reviewed in facts.reviewed:
        for review in reviewed.reviews:
            decisions.setdefault(review.reviewer, Counter())[review.decision] += 1
    return sorted(decisions.items())


def _editions(facts: Facts) -> list[list[str]]:
    rows = []
    for task in sorted(facts.manifest.editions):
        spent = facts.ledger.tasks.get(task, Spent())
        counts = [spent.calls, spent.cached, spent.tokens_in, spent.tokens_out]
        rows.append([task, facts.answered_by(task), *(f"{count:,}" for count in counts), _money(spent.cost)])
    return rows


def _source(document: Document, facts: Facts) -> list[str]:
    sops = sum(1 for sop in facts.sops if sop.document == document.id)
    provenance, stated = document.provenance, facts.licences[document.id]
    licence = f"{stated.licence} ({stated.place})" if stated.place else stated.licence
    return [document.name, f"{provenance.origin}: {provenance.location}", licence, str(sops), document.id[:16]]


def _left_out(facts: Facts) -> list[list[str]]:
    rows = [[left.name, "copy" if left.is_copy else "no SOP", left.reason] for left in facts.rejected]
    rows += [[failure.name, f"failed at {failure.stage}", failure.message] for failure in facts.failures]
    rows += [
        [reviewed.question.text, "question, in review", f"{review.reviewer}: {review.reason}"]
        for reviewed in facts.reviewed
        for review in reviewed.reviews
        if review.decision == "reject" and not reviewed.published
    ]
    lost = Counter(
        (examined.sop, dropped.level, dropped.reason) for examined in facts.examined for dropped in examined.dropped
    )
    return rows + [
        [sop, f"question ({level})" if count == 1 else f"question ({level}), {count} drafts", reason]
        for (sop, level, reason), count in lost.items()
    ]


def _money(cost: float | None) -> str:
    return "unknown" if cost is None else f"${cost:.4f}"


def table(head: list[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell(str(value)) for value in line) + " |" for line in lines)


def cell(text: str) -> str:
    """A text on one line that ends no cell."""
    return " ".join(text.split()).replace("|", "\\|")
