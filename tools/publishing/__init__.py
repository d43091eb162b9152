"""A finished run becomes a benchmark folder: BEIR files, a data sheet, and a report a person can read."""

from soprag.tools.publishing.beir import write_beir
from soprag.tools.publishing.datasheet import write_datasheet
from soprag.tools.publishing.datasheet_page import write_datasheet_page
from soprag.tools.publishing.facts import RunSummary, gather
from soprag.tools.publishing.report import write_report
from soprag.tools.publishing.review_summary import ReviewSummary, review_summary
from soprag.tools.store.run_folder import RunFolder


def publish_benchmark(run: RunFolder) -> RunSummary:
    """Write `benchmark/` of the run folder; the same items always give the same bytes."""
    facts = gather(run)
    folder = run.path / "benchmark"
    write_beir(folder, facts)
    write_datasheet(folder, facts)
    write_datasheet_page(folder, facts)
    write_report(folder, facts)
    return facts.summary


__all__ = ["ReviewSummary", "RunSummary", "publish_benchmark", "review_summary"]
