"""The printed lines of a PDF as they are: no tables, but every word; the last resort when other engines damage them."""

from importlib.metadata import version

from soprag.tools.parsing.document import Extract
from soprag.tools.parsing.jobs import ParseJob, TellPages
from soprag.tools.parsing.layout import read_lines
from soprag.tools.parsing.repair import EngineDraft, repair
from soprag.tools.parsing.repair.headings import running_heads
from soprag.tools.parsing.repair.running_text import write_lines


def parse(job: ParseJob, tell: TellPages) -> Extract:
    """Paragraphs and items of the text layer in the order of the file; the repairs add headings and tables."""
    lines = read_lines(job.path, tell)
    running = running_heads(lines)
    text = [line for index, line in enumerate(lines) if index not in running]
    draft = EngineDraft("\n\n".join(write_lines(text)), kind=job.kind, lines=lines)
    pages = max((line.page for line in lines), default=-1) + 1
    return repair(draft, version=f"pypdfium2 {version('pypdfium2')}", pages=pages, limits=job.limits)
