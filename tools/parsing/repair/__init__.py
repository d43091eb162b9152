"""Repairs of what parsers are known to get wrong: text in, text out, each in a module of its own."""

from dataclasses import dataclass, field

from tools.parsing.document import Extract
from tools.parsing.engines import Refused
from tools.parsing.jobs import Limits, RepairJob
from tools.parsing.kinds import Kind
from tools.parsing.repair.markdown import relevel, repair_text
from tools.parsing.repair.page import repair_page
from tools.parsing.repair.pictures import take_out_pictures
from tools.parsing.typeset import Line


@dataclass(frozen=True)
class Draft:
    """Markdown as an engine wrote it, and for a PDF with a text layer the lines its pages print."""

    markdown: str
    kind: Kind
    lines: list[Line] = field(default_factory=list)


def repair(draft: Draft, *, version: str, pages: int, limits: Limits) -> Extract:
    """The repaired Markdown with its pictures beside it."""
    markdown, pictures = take_out_pictures(draft.markdown)
    markdown = repair_text(markdown) if not draft.lines else repair_page(markdown, draft.lines)
    markdown = repair_text(markdown) if draft.lines else relevel(markdown)
    if len(markdown) > limits.characters:
        raise Refused(
            f"it gave {len(markdown):,} characters; parsing.max_characters is {limits.characters:,}: split the file"
        )
    return Extract(markdown=markdown.strip() + "\n", version=version, pages=pages, images=pictures)


def repair_markdown(job: RepairJob) -> Extract:
    """The same for Markdown that came from a server."""
    return repair(Draft(job.markdown, job.kind), version=job.version, pages=job.pages, limits=job.limits)
