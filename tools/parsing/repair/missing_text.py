"""What a page prints and the parser lost is put back: whole lines, and the labels of items."""

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass

from soprag.tools.parsing.layout import PrintedLine
from soprag.tools.parsing.repair.headings import PrintedHeading, norm, running_heads
from soprag.tools.parsing.repair.page_items import begins_item, without_bullet

_SHORTEST = 12
_SHORTEST_HEADING = 4
_MOST_LOST = 0.3
_MARGIN = 0.07
_LABELLED = re.compile(r"^(\d{1,3}(\.\d{1,3})*[.)]|[a-z][.)])\s", re.IGNORECASE)
_NUMBER = re.compile(r"^((?:[Ss]tep\s+)?\(?(?:\d{1,3}|[a-z])[.)])\s+(?=\S)")
_COUNTED = re.compile(r"^(\d{1,3})[.)]\s+(?=\S)")
_OPENING = 5  # words by which an item is found inside another
_MARKED = re.compile(r"^\s*(#|\||```|<|!\[|[-*+]\s|\(?\w{1,3}[.)]\s)")
_KEY = 40


def restore_lines(blocks: list[str], lines: list[PrintedLine], headings: list[PrintedHeading]) -> list[str]:
    """Printed lines that are nowhere in the Markdown are put back after the line printed before them."""
    page = _Page(
        lines,
        [norm(block) for block in blocks],
        {heading.index: heading.level for heading in headings if not heading.doubtful},
    )
    lost = page.lost()
    if not lost or len(lost) > _MOST_LOST * len(lines):
        return blocks
    after: dict[int, list[str]] = {}
    block_index = -1
    for index, line in enumerate(lines):
        if index not in lost:
            block_index = page.find(line, block_index)
            continue
        insertions = after.setdefault(block_index, [])
        goes_on = (
            insertions
            and index - 1 in lost
            and not {index, index - 1} & page.levels.keys()
            and not _LABELLED.match(line.text)
        )
        if goes_on:
            insertions[-1] = f"{insertions[-1]} {line.text}"
        else:
            insertions.append("#" * page.levels.get(index, 0) + " " * (index in page.levels) + line.text)
    out: list[str] = []
    for index, block in enumerate(["", *blocks], -1):
        # The line may be the beginning of what comes next, cut off at the top of a page.
        cut = out and index - 1 in after and block[:1].islower() and not out[-1].startswith("#")
        out = [*out[:-1], f"{out[-1]} {block}"] if cut else [*out, block]
        out += after.get(index, [])
    return out[1:]


def restore_labels(blocks: list[str], lines: list[PrintedLine]) -> list[str]:
    """Items that are printed with a label and came without it get it back, where no other item says the same."""
    labels: dict[str, list[str]] = {}
    for line in lines:
        unlabelled = without_bullet(line.text)
        if unlabelled != line.text:
            labels.setdefault(norm(unlabelled)[:_KEY], []).append("-")
        elif match := _NUMBER.match(line.text):
            labels.setdefault(norm(line.text[match.end() :])[:_KEY], []).append(match[1])
    keys = [norm(block)[:_KEY] for block in blocks]
    occurrences = Counter(keys)
    out: list[str] = []
    for block, key in zip(blocks, keys, strict=True):
        candidates = labels.get(key, [])
        sure = (
            len(candidates) == occurrences[key] == 1
            and len(key) >= _SHORTEST
            and not (_MARKED.match(block) or begins_item(block))
        )
        out.append(f"{candidates[0]} {block.lstrip()}" if sure else block)
    return out


def split_joined(blocks: list[str], lines: list[PrintedLine]) -> list[str]:
    """An item that was joined to the one before it, its number lost, stands by itself again.

    Only where the numbers tell: item 2 goes on with the words printed as item 3, and the next block is item 4.
    """
    printed = [(match, line.text) for line in lines if (match := _COUNTED.match(line.text))]
    out: list[str] = []
    for block, following in zip(blocks, [*blocks[1:], ""], strict=True):
        mine, after = _COUNTED.match(block), _COUNTED.match(following)
        if mine and after and int(after[1]) == int(mine[1]) + 2:
            out += _parted(block, [(match[0], text[match.end() :]) for match, text in printed if _next(mine, match)])
        else:
            out.append(block)
    return out


def _next(current: re.Match[str], candidate: re.Match[str]) -> bool:
    return int(candidate[1]) == int(current[1]) + 1


def _parted(block: str, candidates: list[tuple[str, str]]) -> list[str]:
    """The block cut where the words of the one candidate that stands in it begin."""
    matches: list[tuple[int, str]] = []
    for label, text in candidates:
        opening = text.split()[:_OPENING]
        inside = re.search(r"(?<=\s)" + r"\s+".join(map(re.escape, opening)), block) if opening else None
        if inside and len(norm(text)) >= _SHORTEST:
            matches.append((inside.start(), label))
    if len(matches) != 1:
        return [block]
    start, label = matches[0]
    return [block[:start].rstrip(), f"{label}{block[start:]}"]


@dataclass(frozen=True)
class _Page:
    """The printed lines against the blocks, both without spaces and signs; `levels`: lines that are headings."""

    lines: list[PrintedLine]
    norms: list[str]
    levels: dict[int, int]

    def find(self, line: PrintedLine, start: int) -> int:
        """The block that holds the line, not before `place`; `place` itself when there is none."""
        letters = norm(without_bullet(line.text))
        return next((i for i in range(max(start, 0), len(self.norms)) if letters and letters in self.norms[i]), start)

    def lost(self) -> set[int]:
        """Positions of lines of some length, page heads and feet apart, whose words are not in the text."""
        whole = "".join(self.norms)
        running = running_heads(self.lines)
        heights: dict[int, float] = {}
        for line in self.lines:
            heights[line.page] = max(heights.get(line.page, 0.0), line.bottom)
        candidates = [
            index
            for index, line in enumerate(self.lines)
            if index not in running
            and len(norm(line.text)) >= (_SHORTEST_HEADING if index in self.levels else _SHORTEST)
            and _MARGIN * heights[line.page] < line.top < (1 - _MARGIN) * heights[line.page]
        ]
        gone = {index for index in candidates if not self._is_in(self.lines[index], whole)}
        return gone | self._once_too_few([index for index in candidates if index not in gone], whole)

    def _is_in(self, line: PrintedLine, whole: str) -> bool:
        letters = norm(without_bullet(line.text))
        return letters in whole or all(norm(piece.text) in whole for piece in line.pieces)

    def _once_too_few(self, candidates: list[int], whole: str) -> set[int]:
        """Lines printed several times of which the text has fewer: those missing between their neighbours."""
        letters = {index: norm(without_bullet(self.lines[index].text)) for index in candidates}
        printed = Counter(letters.values())
        once = [index for index in candidates if printed[letters[index]] == 1 and whole.count(letters[index]) == 1]
        gone: set[int] = set()
        for index in candidates:
            if printed[letters[index]] == 1 or whole.count(letters[index]) >= printed[letters[index]]:
                continue
            position = bisect_left(once, index)
            if not 0 < position < len(once):
                continue
            first, last = (self.find(self.lines[near], 0) for near in (once[position - 1], once[position]))
            if first <= last and letters[index] not in "".join(self.norms[first : last + 1]):
                gone.add(index)
        return gone
