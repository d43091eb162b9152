"""What a page prints and the parser lost is put back: whole lines, and the labels of items."""

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass

from tools.parsing.repair.headings import Heading, norm, running_heads
from tools.parsing.repair.page_items import begins_item, without_bullet
from tools.parsing.typeset import Line

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


def restore_lines(blocks: list[str], lines: list[Line], headings: list[Heading]) -> list[str]:
    """Printed lines that are nowhere in the Markdown are put back after the line printed before them."""
    page = _Page(lines, [norm(block) for block in blocks], {one.at: one.level for one in headings if not one.doubtful})
    lost = page.lost()
    if not lost or len(lost) > _MOST_LOST * len(lines):
        return blocks
    after: dict[int, list[str]] = {}
    place = -1
    for at, line in enumerate(lines):
        if at not in lost:
            place = page.find(line, place)
            continue
        known = after.setdefault(place, [])
        goes_on = known and at - 1 in lost and not {at, at - 1} & page.levels.keys() and not _LABELLED.match(line.text)
        if goes_on:
            known[-1] = f"{known[-1]} {line.text}"
        else:
            known.append("#" * page.levels.get(at, 0) + " " * (at in page.levels) + line.text)
    out: list[str] = []
    for at, block in enumerate(["", *blocks], -1):
        # The line may be the beginning of what comes next, cut off at the top of a page.
        cut = out and at - 1 in after and block[:1].islower() and not out[-1].startswith("#")
        out = [*out[:-1], f"{out[-1]} {block}"] if cut else [*out, block]
        out += after.get(at, [])
    return out[1:]


def restore_labels(blocks: list[str], lines: list[Line]) -> list[str]:
    """Items that are printed with a label and came without it get it back, where no other item says the same."""
    labels: dict[str, list[str]] = {}
    for line in lines:
        said = without_bullet(line.text)
        if said != line.text:
            labels.setdefault(norm(said)[:_KEY], []).append("-")
        elif found := _NUMBER.match(line.text):
            labels.setdefault(norm(line.text[found.end() :])[:_KEY], []).append(found[1])
    keys = [norm(block)[:_KEY] for block in blocks]
    there = Counter(keys)
    out: list[str] = []
    for block, key in zip(blocks, keys, strict=True):
        known = labels.get(key, [])
        sure = (
            len(known) == there[key] == 1 and len(key) >= _SHORTEST and not (_MARKED.match(block) or begins_item(block))
        )
        out.append(f"{known[0]} {block.lstrip()}" if sure else block)
    return out


def split_joined(blocks: list[str], lines: list[Line]) -> list[str]:
    """An item that was joined to the one before it, its number lost, stands by itself again.

    Only where the numbers tell: item 2 goes on with the words printed as item 3, and the next block is item 4.
    """
    printed = [(found, line.text) for line in lines if (found := _COUNTED.match(line.text))]
    out: list[str] = []
    for block, following in zip(blocks, [*blocks[1:], ""], strict=True):
        mine, after = _COUNTED.match(block), _COUNTED.match(following)
        if mine and after and int(after[1]) == int(mine[1]) + 2:
            out += _parted(block, [(found[0], text[found.end() :]) for found, text in printed if _next(mine, found)])
        else:
            out.append(block)
    return out


def _next(one: re.Match[str], other: re.Match[str]) -> bool:
    return int(other[1]) == int(one[1]) + 1


def _parted(block: str, candidates: list[tuple[str, str]]) -> list[str]:
    """The block cut where the words of the one candidate that stands in it begin."""
    found: list[tuple[int, str]] = []
    for label, text in candidates:
        words = text.split()[:_OPENING]
        inside = re.search(r"(?<=\s)" + r"\s+".join(map(re.escape, words)), block) if words else None
        if inside and len(norm(text)) >= _SHORTEST:
            found.append((inside.start(), label))
    if len(found) != 1:
        return [block]
    at, label = found[0]
    return [block[:at].rstrip(), f"{label}{block[at:]}"]


@dataclass(frozen=True)
class _Page:
    """The printed lines against the blocks, both without spaces and signs; `levels`: lines that are headings."""

    lines: list[Line]
    norms: list[str]
    levels: dict[int, int]

    def find(self, line: Line, place: int) -> int:
        """The block that holds the line, not before `place`; `place` itself when there is none."""
        words = norm(without_bullet(line.text))
        return next((i for i in range(max(place, 0), len(self.norms)) if words and words in self.norms[i]), place)

    def lost(self) -> set[int]:
        """Positions of lines of some length, page heads and feet apart, whose words are not in the text."""
        whole = "".join(self.norms)
        running = running_heads(self.lines)
        heights: dict[int, float] = {}
        for line in self.lines:
            heights[line.page] = max(heights.get(line.page, 0.0), line.bottom)
        wanted = [
            at
            for at, line in enumerate(self.lines)
            if at not in running
            and len(norm(line.text)) >= (_SHORTEST_HEADING if at in self.levels else _SHORTEST)
            and _MARGIN * heights[line.page] < line.top < (1 - _MARGIN) * heights[line.page]
        ]
        gone = {at for at in wanted if not self._is_in(self.lines[at], whole)}
        return gone | self._once_too_few([at for at in wanted if at not in gone], whole)

    def _is_in(self, line: Line, whole: str) -> bool:
        words = norm(without_bullet(line.text))
        return words in whole or all(norm(piece.text) in whole for piece in line.pieces)

    def _once_too_few(self, wanted: list[int], whole: str) -> set[int]:
        """Lines printed several times of which the text has fewer: those missing between their neighbours."""
        words = {at: norm(without_bullet(self.lines[at].text)) for at in wanted}
        printed = Counter(words.values())
        once = [at for at in wanted if printed[words[at]] == 1 and whole.count(words[at]) == 1]
        gone: set[int] = set()
        for at in wanted:
            if printed[words[at]] == 1 or whole.count(words[at]) >= printed[words[at]]:
                continue
            here = bisect_left(once, at)
            if not 0 < here < len(once):
                continue
            first, last = (self.find(self.lines[near], 0) for near in (once[here - 1], once[here]))
            if first <= last and words[at] not in "".join(self.norms[first : last + 1]):
                gone.add(at)
        return gone
