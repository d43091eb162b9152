"""A finished piece of research becomes a report: JSON, Markdown, and one self-contained page."""

from soprag.tools.publishing.research.facts import ResearchReport, gather
from soprag.tools.publishing.research.pages import write_pages
from soprag.tools.store.run_folder import RunFolder, write_whole
from soprag.tools.web.budget import Amounts


def publish_research(run: RunFolder, searched: str, spent: str = "", amounts: Amounts | None = None) -> ResearchReport:
    """Write `report/` of the run folder; raises `NothingFound`, or `SearchError` when nobody could even look.

    `searched` says where was looked, `spent` why the rules answered in the end instead of the model, `amounts` what the
    run has used of its budget.
    """
    report = gather(run, searched, spent, amounts or {})
    write_whole(run.path / "report" / "report.json", report.model_dump_json(indent=1).encode() + b"\n")
    write_pages(run, report)
    return report


__all__ = ["ResearchReport", "publish_research"]
