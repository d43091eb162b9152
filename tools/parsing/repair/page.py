"""A PDF's Markdown set right by the printed page: headings and their levels, lost lines, broken words."""

import re
from itertools import pairwise

from tools.parsing.repair.fences import open_fences
from tools.parsing.repair.headings import Heading, find_headings, norm, running_heads
from tools.parsing.repair.page_headings import apply_headings
from tools.parsing.repair.page_items import arrange_items
from tools.parsing.repair.page_tables import find_page_tables
from tools.parsing.repair.splice import splice_tables
from tools.parsing.typeset import Line

_SHORTEST = 12
_SHORTEST_HEADING = 4
_MOST_LOST = 0.3
_MARGIN = 0.07
_LABELLED = re.compile(r"^(\d{1,3}(\.\d{1,3})*[.)]|[a-z][.)])\s", re.IGNORECASE)


def repair_page(markdown: str, lines: list[Line]) -> str:
    """`lines` are what the page prints; what the parser made of them is corrected, never reworded."""
    if not lines:
        return markdown
    headings = find_headings(lines)
    tables = find_page_tables(lines, headings)
    alone = {norm(heading.text) for heading in headings if not heading.doubtful} | {
        band for table in tables for band in table.bands
    }
    markdown = open_fences(markdown, lambda text: norm(text) in alone)
    blocks = [block for block in re.split(r"\n{2,}", markdown) if block.strip()]
    blocks = apply_headings(blocks, headings, lines)
    blocks = splice_tables(blocks, tables)
    inside = frozenset(at for table in tables for at in table.lines)
    blocks = arrange_items(blocks, [line for at, line in enumerate(lines) if at not in inside])
    return _mend_hyphens("\n\n".join(_restore(blocks, lines, headings)), lines)


def _mend_hyphens(markdown: str, lines: list[Line]) -> str:
    """De-icing broken at its hyphen comes back as `deicing`; identifiers would become other identifiers."""
    text = " ".join(line.text for line in lines)
    for above, below in pairwise(lines):
        first, _, _ = below.text.partition(" ")
        last = above.text.rsplit(" ", 1)[-1]
        if len(last) > 1 and last.endswith("-") and last[-2].isalnum() and first[:1].isalnum():
            markdown = markdown.replace(f"{last} {first}", last + first)
            joined = last[:-1] + first
            if not re.search(rf"\b{re.escape(joined)}\b", text):
                markdown = re.sub(rf"(?<!\w){re.escape(joined)}(?!\w)", last + first, markdown)
    return markdown


def _restore(blocks: list[str], lines: list[Line], headings: list[Heading]) -> list[str]:
    """Printed lines that are nowhere in the Markdown are put back after the line printed before them."""
    norms = [norm(block) for block in blocks]
    marks = {one.at: f"{'#' * one.level} " for one in headings if not one.doubtful}
    lost = _lost(lines, marks, "".join(norms))
    if not lost or len(lost) > _MOST_LOST * len(lines):
        return blocks
    after: dict[int, list[str]] = {}
    place = -1
    for at, line in enumerate(lines):
        if at in lost:
            known = after.setdefault(place, [])
            if known and at - 1 in lost and at not in marks and at - 1 not in marks and not _LABELLED.match(line.text):
                known[-1] = f"{known[-1]} {line.text}"
            else:
                known.append(marks.get(at, "") + line.text)
        else:
            words = norm(line.text)
            place = next((i for i, text in enumerate(norms) if i >= place and words and words in text), place)
    return [*after.get(-1, []), *(part for at, block in enumerate(blocks) for part in (block, *after.get(at, [])))]


def _lost(lines: list[Line], marks: dict[int, str], whole: str) -> set[int]:
    """Positions of lines of some length, page heads and feet apart, whose words are not in the text."""
    running = running_heads(lines)
    heights = {page: max(line.bottom for line in lines if line.page == page) for page in {line.page for line in lines}}

    def on_the_page(line: Line) -> bool:
        return _MARGIN * heights[line.page] < line.top < (1 - _MARGIN) * heights[line.page]

    return {
        at
        for at, line in enumerate(lines)
        if at not in running
        and len(norm(line.text)) >= (_SHORTEST_HEADING if at in marks else _SHORTEST)
        and on_the_page(line)
        and not all(norm(piece.text) in whole for piece in line.pieces)
    }
