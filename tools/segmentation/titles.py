"""What a part of a text is called: the title line that names its task, not a banner or a form heading above it."""

from collections.abc import Sequence

from soprag.tools.markdown.page import MarkdownPage
from soprag.tools.procedure.blocks import heading_kinds
from soprag.tools.segmentation.title_lines import TitleLine
from soprag.tools.text.terms import terms


def opening_titles(page: MarkdownPage, titles: Sequence[TitleLine], start: TitleLine) -> list[TitleLine]:
    """The named title lines directly above `start`, with no words between them, and `start`: banners, doubled titles.

    A title line above must not be of a lower level, which would make it an empty last section of the part before.
    """
    run = [start]
    for title in reversed([title for title in titles if title.line < start.line]):
        between = page.lines[title.line : run[0].begin - 1]
        if title.role != "named" or title.level > run[0].level or any(terms(line) for line in between):
            break
        run.insert(0, title)
    return run


def best_title(page: MarkdownPage, titles: Sequence[TitleLine], start: int, end: int) -> str:
    """The title of the lines from `start` to `end`; empty when no title line opens them.

    Of the title lines that open the part without text between them, the one that names a task, else the one whose
    words come again most; a form heading (Overview, Notices) gives way to the first named one of the part.
    """
    inside = [title for title in titles if start <= title.line <= end]
    if not inside or any(terms(line) for line in page.lines[start - 1 : inside[0].begin - 1]):
        return ""
    run = [inside[0]]
    for title in inside[1:]:
        if any(terms(line) for line in page.lines[run[-1].line : title.line - 1]):
            break
        run.append(title)
    named = [title for title in run if title.role == "named" and title.level <= run[0].level]
    named = named or [title for title in inside if title.role == "named" and title.level <= run[0].level][:1] or run[:1]
    return heading_kinds.name(max(named, key=lambda title: _fit(page, title, end)).text)


def recurs(page: MarkdownPage, text: str, start: int, end: int) -> float:
    """The share of the terms of `text` that occur in the lines from `start` to `end`."""
    own = set(terms(text))
    return len(own & set(terms("\n".join(page.lines[start - 1 : end])))) / len(own) if own else 0.0


def _fit(page: MarkdownPage, title: TitleLine, end: int) -> tuple[bool, float]:
    return heading_kinds.names_task(title.text), recurs(page, title.text, title.line + 1, end)
