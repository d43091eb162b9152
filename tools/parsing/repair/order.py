"""Pages in two columns of text: blocks in the order in which the file draws them, not mixed from side to side."""

from itertools import pairwise

from soprag.tools.parsing.layout import PrintedLine
from soprag.tools.parsing.repair.headings import norm
from soprag.tools.parsing.repair.page_items import begins_item

_LEAST_LINES = 6
_SHORTEST = 6
_MOST_ACROSS = 0.25
_MOST_SWITCHES = 3
_MARKED = ("#", "|", "```", "<", "![")
_SENTENCE_ENDS = (".", ":", ";", "!", "?")


def order_columns(blocks: list[str], lines: list[PrintedLine], running: set[int]) -> list[str]:
    """The same blocks; those of a page that is drawn column by column follow its lines."""
    pages: dict[int, list[int]] = {}
    for index, line in enumerate(lines):
        if index not in running:
            pages.setdefault(line.page, []).append(index)
    for places in pages.values():
        if in_columns([lines[index] for index in places]):
            blocks = _ordered(blocks, lines, places)
    return blocks


def in_columns(lines: list[PrintedLine]) -> bool:
    """Whether a gutter parts most of the lines, and the file draws one side after the other."""
    width = max((line.x1 for line in lines), default=0.0)
    for percent in range(30, 71, 2):
        gutter = width * percent / 100
        sides = ["l" if line.x1 < gutter else "r" if line.x0 > gutter else "" for line in lines]
        across = sides.count("")
        if min(sides.count("l"), sides.count("r")) < _LEAST_LINES or across > _MOST_ACROSS * len(lines):
            continue
        order = [side for side in sides if side]
        if sum(a != b for a, b in pairwise(order)) <= _MOST_SWITCHES:
            return True
    return False


def _ordered(blocks: list[str], lines: list[PrintedLine], places: list[int]) -> list[str]:
    norms = [norm(block) for block in blocks]
    first: dict[int, int] = {}
    for index in places:
        letters = norm(lines[index].text)
        hits = [i for i, text in enumerate(norms) if letters in text] if len(letters) >= _SHORTEST else []
        if len(hits) == 1 and not blocks[hits[0]].startswith("|"):
            first.setdefault(hits[0], index)
    if len(first) < 2 or max(first) - min(first) > 3 * len(first):
        return blocks
    units: list[tuple[int, list[str]]] = []
    for i in range(min(first), max(first) + 1):
        if i in first:
            units.append((first[i], [blocks[i]]))
        else:
            units[-1][1].append(blocks[i])
    moved = [block for _, unit in sorted(units, key=lambda unit: unit[0]) for block in unit]
    return [*blocks[: min(first)], *_rejoined(moved), *blocks[max(first) + 1 :]]


def _rejoined(blocks: list[str]) -> list[str]:
    """A sentence that was cut when its column was left goes on where it stopped."""
    out: list[str] = []
    for block in blocks:
        open_ended = out and not out[-1].startswith(_MARKED) and not out[-1].rstrip("*_ ").endswith(_SENTENCE_ENDS)
        if open_ended and block[0].islower() and not begins_item(block):
            out[-1] = f"{out[-1]} {block}"
        else:
            out.append(block)
    return out
