"""A PDF's Markdown set right by the printed page: headings and their levels, lost lines, broken words."""

import re
from itertools import pairwise

from soprag.tools.parsing.layout import PrintedLine
from soprag.tools.parsing.repair.damaged_words import mend_words
from soprag.tools.parsing.repair.fences import open_fences
from soprag.tools.parsing.repair.headings import find_headings, norm, running_heads
from soprag.tools.parsing.repair.missing_headings import drop_continued, restore_headings
from soprag.tools.parsing.repair.missing_text import restore_labels, restore_lines, split_joined
from soprag.tools.parsing.repair.order import order_columns
from soprag.tools.parsing.repair.page_headings import apply_headings
from soprag.tools.parsing.repair.page_items import arrange_items
from soprag.tools.parsing.repair.page_tables import find_page_tables
from soprag.tools.parsing.repair.paragraphs import part_paragraphs
from soprag.tools.parsing.repair.repeats import drop_repeats
from soprag.tools.parsing.repair.running_text import open_tables
from soprag.tools.parsing.repair.splice import splice_tables

_LAST, _FIRST = re.compile(r"(\w+)-$"), re.compile(r"\w+")  # of a line that ends with a hyphen, and of the next one
_COMPOUND = re.compile(r"\w+-\w+")
_DIGIT = re.compile(r"\d")


def repair_page(markdown: str, lines: list[PrintedLine]) -> str:
    """`lines` are what the page prints; what the parser made of them is corrected, never reworded."""
    if not lines:
        return markdown
    markdown = mend_words(markdown, lines)
    headings = find_headings(lines)
    tables = find_page_tables(lines, headings)
    alone = {norm(heading.text) for heading in headings if not heading.doubtful} | {
        band for table in tables for band in table.bands
    }
    markdown = open_fences(markdown, lambda text: norm(text) in alone)
    blocks = [block for block in re.split(r"\n{2,}", markdown) if block.strip()]
    blocks = apply_headings(blocks, headings, lines)
    running = running_heads(lines)
    blocks = order_columns(open_tables(blocks, lines, headings), lines, running)
    blocks = splice_tables(blocks, tables)
    inside = frozenset(index for table in tables for index in table.lines)
    outside = [line for index, line in enumerate(lines) if index not in inside]
    blocks = arrange_items(restore_labels(blocks, outside), outside)
    apart = inside | running
    text = [line for index, line in enumerate(lines) if index not in apart]
    blocks = restore_lines(restore_headings(blocks, lines, headings), lines, headings)
    blocks = drop_continued(blocks, lines, headings)
    blocks = drop_repeats(split_joined(part_paragraphs(blocks, text), outside), lines)
    return _mend_hyphens("\n\n".join(blocks), lines)


def _mend_hyphens(markdown: str, lines: list[PrintedLine]) -> str:
    """De-icing broken at its hyphen comes back as `deicing`; identifiers would become other identifiers.

    A word that the page prints whole elsewhere, and never with a hyphen, was only broken at the end of the line.
    """
    text = " ".join(line.text for line in lines)
    tokens, compounds = set(re.findall(r"\w+", text)), set(_COMPOUND.findall(text))
    for above, below in pairwise(lines):
        last, first = _LAST.search(above.text), _FIRST.match(below.text)
        if last is None or first is None:
            continue
        broken, joined = f"{last[1]}-{first[0]}", last[1] + first[0]
        markdown = markdown.replace(f"{last[1]}- {first[0]}", broken)
        if joined not in tokens:
            markdown = re.sub(rf"(?<!\w){joined}(?!\w)", broken, markdown)
        elif broken not in compounds and not _DIGIT.search(broken):
            markdown = re.sub(rf"(?<![\w-]){broken}(?![\w-])", joined, markdown)
    return markdown
