"""The datasheet: what is in the benchmark, where it came from, and how it was made."""

from collections.abc import Iterable
from pathlib import Path

from soprag.tools.publishing.facts import Facts
from soprag.tools.sop import Document
from soprag.tools.store.run_folder import write_whole
from soprag.tools.tasks.cost import Spent


def write_datasheet(folder: Path, facts: Facts) -> None:
    """Write `datasheet.md`."""
    parts = [_head(facts), _statistics(facts), _making(facts), _models(facts), _sources(facts), _left_out(facts)]
    write_whole(folder / "datasheet.md", ("\n\n".join(parts) + "\n").encode())


def _head(facts: Facts) -> str:
    manifest = facts.manifest
    return (
        f"# Datasheet: {_cell(manifest.topic)}\n\n"
        f"A retrieval benchmark of standard operating procedures, made {manifest.created} by soprag {manifest.version} "
        f"(run `{manifest.run}`).\n`corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv` have the BEIR layout; "
        "`metadata.level` of a query goes from 1 (keywords) to 5 (conditional)."
    )


def _statistics(facts: Facts) -> str:
    summary = facts.summary
    levels = ", ".join(f"{level} {count}" for level, count in summary.levels.items())
    head = _table(
        ["Domain", "Source", "#Docs", "#Queries"],
        [[summary.topic, summary.source, str(summary.sops), str(summary.questions)]],
    )
    return (
        f"## Statistics\n\n{head}\n\n#Docs counts atomic SOPs. Questions were written for {summary.questioned} of "
        f"{summary.sampled} sampled SOPs: {levels}; {summary.questions} of {summary.questions_wanted} wanted questions "
        f"passed all checks.\n\nFiles: {summary.collected} collected, {summary.parsed} parsed, {summary.rejected} left "
        f"out, {summary.kept} kept; {summary.duplicates} byte-identical copies were skipped."
    )


def _making(facts: Facts) -> str:
    settings = facts.manifest.settings
    examine = settings["examine"]
    rows = [
        ["profile", facts.manifest.profile],
        ["chat model", settings["llm"]["model"]],
        ["embedding model", settings["embedding"]["model"]],
        ["parser", ", ".join(sorted({document.engine for document in facts.parsed.values()}))],
        ["seed", str(examine["seed"])],
        ["questions per SOP", str(examine["questions"])],
        ["SOPs sampled at most", str(examine["sample"])],
        ["search phrases", "; ".join(facts.phrases) or "none, the source was taken whole"],
    ]
    return "## How it was made\n\n" + _table(["setting", "value"], rows)


def _models(facts: Facts) -> str:
    rows = []
    for task, edition in sorted(facts.manifest.editions.items()):
        spent = facts.ledger.tasks.get(task, Spent())
        counts = [spent.calls, spent.cached, spent.tokens_in, spent.tokens_out]
        rows.append([task, edition, *(f"{count:,}" for count in counts), _money(spent.cost)])
    return "## Model and prompt versions, and cost\n\n" + _table(
        ["task", "answered by (edition)", "calls", "cached", "tokens in", "tokens out", "cost"], rows
    )


def _sources(facts: Facts) -> str:
    rows = [_source(document, facts) for document in facts.documents.values()]
    return "## Sources and licences\n\n" + _table(["file", "where from", "licence", "SOPs", "SHA-256"], sorted(rows))


def _source(document: Document, facts: Facts) -> list[str]:
    sops = sum(1 for sop in facts.sops if sop.document == document.id)
    provenance = document.provenance
    return [
        document.name,
        f"{provenance.origin}: {provenance.location}",
        provenance.licence or "unknown",
        str(sops),
        document.id[:16],
    ]


def _left_out(facts: Facts) -> str:
    rows = [[document.name, "no SOP", document.reason] for document in facts.rejected]
    rows += [[failure.name, f"failed at {failure.stage}", failure.message] for failure in facts.failures]
    rows += [
        [examined.sop, f"question ({lost.level})", lost.reason]
        for examined in facts.examined
        for lost in examined.dropped
    ]
    return "## Left out, and why\n\n" + (_table(["item", "what", "reason"], rows) if rows else "Nothing.")


def _money(cost: float | None) -> str:
    return "unknown" if cost is None else f"${cost:.4f}"


def _table(head: list[str], rows: Iterable[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
