"""Repairs of what parsers are known to get wrong: text in, text out, each in a module of its own."""

from dataclasses import dataclass, field

from soprag.tools.parsing.captions import caption_printed
from soprag.tools.parsing.document import Extract
from soprag.tools.parsing.engines import DocumentRefused
from soprag.tools.parsing.jobs import ParseLimits, RepairJob, TellPages
from soprag.tools.parsing.kinds import Kind
from soprag.tools.parsing.layout import PrintedLine, read_lines
from soprag.tools.parsing.repair.damage import measure_damage
from soprag.tools.parsing.repair.depths import Depths, indent_items, read_depths
from soprag.tools.parsing.repair.markdown import clean_marks, pipe_tables, relevel, repair_text
from soprag.tools.parsing.repair.page import repair_page
from soprag.tools.parsing.repair.pictures import take_out_pictures
from soprag.tools.parsing.repair.slides import Slides, read_slides, repair_slides


@dataclass(frozen=True)
class EngineDraft:
    """Markdown as an engine wrote it, and what the file says: its printed lines, slide titles, depths of items."""

    markdown: str
    kind: Kind
    lines: list[PrintedLine] = field(default_factory=list)
    slides: Slides | None = None
    depths: Depths = field(default_factory=dict)

    @staticmethod
    def beside(markdown: str, kind: Kind, path: str, tell: TellPages) -> "EngineDraft":
        """With all that helps to repair it from the file at `path`."""
        return EngineDraft(
            markdown,
            kind,
            lines=read_lines(path, tell) if kind == "pdf" else [],
            slides=read_slides(path) if kind == "pptx" else None,
            depths=read_depths(path) if kind == "docx" else {},
        )


def repair(draft: EngineDraft, *, version: str, pages: int, limits: ParseLimits) -> Extract:
    """The repaired Markdown with its pictures beside it."""
    markdown, pictures = take_out_pictures(draft.markdown)
    markdown = repair_slides(markdown, draft.slides) if draft.slides else markdown
    markdown = indent_items(markdown, draft.depths)
    markdown = (
        repair_text(markdown) if not draft.lines else repair_page(clean_marks(pipe_tables(markdown)), draft.lines)
    )
    markdown = repair_text(markdown) if draft.lines else relevel(markdown)
    if len(markdown) > limits.characters:
        raise DocumentRefused(
            f"it gave {len(markdown):,} characters; parsing.max_characters is {limits.characters:,}: split the file"
        )
    captioned = caption_printed(markdown, pictures)
    markdown = captioned.markdown.strip() + "\n"
    damage = measure_damage(markdown, draft.lines) if draft.lines else None
    return Extract(markdown=markdown, version=version, pages=pages, images=captioned.images, damage=damage)


def repair_markdown(job: RepairJob, tell: TellPages) -> Extract:
    """The same for Markdown that came from a server."""
    draft = EngineDraft.beside(job.markdown, job.kind, job.path, tell)
    return repair(draft, version=job.version, pages=job.pages, limits=job.limits)
