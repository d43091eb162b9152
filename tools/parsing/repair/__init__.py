"""Repairs of what parsers are known to get wrong: text in, text out, each in a module of its own."""

from dataclasses import dataclass, field

from tools.parsing.captions import caption_printed
from tools.parsing.document import Extract
from tools.parsing.engines import Refused
from tools.parsing.jobs import Limits, RepairJob, TellPages
from tools.parsing.kinds import Kind
from tools.parsing.repair.depths import Depths, indent_items, read_depths
from tools.parsing.repair.markdown import pipe_tables, relevel, repair_text
from tools.parsing.repair.page import repair_page
from tools.parsing.repair.pictures import take_out_pictures
from tools.parsing.repair.slides import Slides, read_slides, repair_slides
from tools.parsing.typeset import Line, read_lines


@dataclass(frozen=True)
class Draft:
    """Markdown as an engine wrote it, and what the file says: its printed lines, slide titles, depths of items."""

    markdown: str
    kind: Kind
    lines: list[Line] = field(default_factory=list)
    slides: Slides | None = None
    depths: Depths = field(default_factory=dict)

    @staticmethod
    def beside(markdown: str, kind: Kind, path: str, tell: TellPages) -> "Draft":
        """With all that helps to repair it from the file at `path`."""
        return Draft(
            markdown,
            kind,
            lines=read_lines(path, tell) if kind == "pdf" else [],
            slides=read_slides(path) if kind == "pptx" else None,
            depths=read_depths(path) if kind == "docx" else {},
        )


def repair(draft: Draft, *, version: str, pages: int, limits: Limits) -> Extract:
    """The repaired Markdown with its pictures beside it."""
    markdown, pictures = take_out_pictures(draft.markdown)
    markdown = repair_slides(markdown, draft.slides) if draft.slides else markdown
    markdown = indent_items(markdown, draft.depths)
    markdown = repair_text(markdown) if not draft.lines else repair_page(pipe_tables(markdown), draft.lines)
    markdown = repair_text(markdown) if draft.lines else relevel(markdown)
    if len(markdown) > limits.characters:
        raise Refused(
            f"it gave {len(markdown):,} characters; parsing.max_characters is {limits.characters:,}: split the file"
        )
    captioned = caption_printed(markdown, pictures)
    return Extract(markdown=captioned.markdown.strip() + "\n", version=version, pages=pages, images=captioned.images)


def repair_markdown(job: RepairJob, tell: TellPages) -> Extract:
    """The same for Markdown that came from a server."""
    draft = Draft.beside(job.markdown, job.kind, job.path, tell)
    return repair(draft, version=job.version, pages=job.pages, limits=job.limits)
