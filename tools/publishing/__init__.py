"""A finished run becomes a benchmark folder: BEIR files, a datasheet, and a report a person can read."""

from tools.publishing.beir import write_beir
from tools.publishing.datasheet import write_datasheet
from tools.publishing.facts import Summary, gather
from tools.publishing.report import write_report
from tools.runs import RunFolder


def publish_benchmark(run: RunFolder) -> Summary:
    """Write `benchmark/` of the run folder; the same items always give the same bytes."""
    facts = gather(run)
    folder = run.path / "benchmark"
    write_beir(folder, facts)
    write_datasheet(folder, facts)
    write_report(folder, facts)
    return facts.summary


__all__ = ["Summary", "publish_benchmark"]
