"""Headings that a page prints and the parser dropped, such as a title printed at the top of two pages, are put back."""

from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher

from soprag.tools.parsing.layout import PrintedLine
from soprag.tools.parsing.repair.headings import PrintedHeading, norm, running_heads
from soprag.tools.parsing.repair.page_items import without_bullet

_SHORTEST = 12  # letters and digits of a line by which a place in the text is recognised
_LINES_BELOW = 6
_TELLING = 25  # letters and digits of a heading that no sentence holds by chance


def restore_headings(blocks: list[str], lines: list[PrintedLine], headings: list[PrintedHeading]) -> list[str]:
    """The blocks with each lost heading before the first of them that holds what the page prints below it."""
    printed = list(_once(headings, running_heads(lines)))
    norms = [norm(block) for block in blocks]
    marked = [index for index, block in enumerate(blocks) if block.startswith("#")]
    keys = [norm(heading.text) for heading in printed]
    matcher = SequenceMatcher(None, keys, [norms[index] for index in marked], autojunk=False)
    missing = {key for key, count in Counter(keys).items() if _standing(key, norms) < count}
    before: dict[int, list[str]] = {}
    low = 0
    for tag, first, last, other_first, other_last in matcher.get_opcodes():
        high = marked[other_last] if other_last < len(marked) else len(blocks)
        for heading, key in zip(printed[first:last], keys[first:last], strict=True):
            if tag != "equal" and key in missing and not _stands_in(key, norms[low:high]):
                place = _place(heading, lines, norms, range(low, high))
                before.setdefault(place, []).append(f"{'#' * heading.level} {heading.text}")
        if other_last > other_first:
            low = marked[other_last - 1] + 1
    return [part for index in range(len(blocks) + 1) for part in (*before.get(index, []), *blocks[index : index + 1])]


def drop_continued(blocks: list[str], lines: list[PrintedLine], headings: list[PrintedHeading]) -> list[str]:
    """The blocks without headings that only go on with their section, at the top of its next page."""
    counts = Counter(norm(heading.text) for heading in _once(headings, running_heads(lines)))
    surplus = Counter(norm(block) for block in blocks if block.startswith("#")) - counts
    out: list[str] = []
    section = ""
    for block in blocks:
        key = norm(block) if block.startswith("#") else ""
        if key and key == section and surplus[key] > 0:
            surplus[key] -= 1
            continue
        section = key if key in counts else section
        out.append(block)
    return out


def continued_lines(headings: list[PrintedHeading], running: set[int]) -> set[int]:
    """Positions of the lines of titles that only go on with their section."""
    begun = {heading.index for heading in _once(headings, running)}
    continued = (heading for heading in headings if not heading.doubtful and heading.index not in begun)
    return {heading.index + row for heading in continued for row in range(heading.lines)}


def _once(headings: list[PrintedHeading], running: set[int]) -> Iterator[PrintedHeading]:
    """The headings without those that only repeat the one before, at the top of the next page of a section."""
    sections: dict[int, str] = {}  # level → the section of that level that is open
    for heading in headings:
        if heading.doubtful or heading.index in running:
            continue
        key = norm(heading.text)
        if sections.get(heading.level) != key:
            yield heading
            sections = {level: text for level, text in sections.items() if level < heading.level}
            sections[heading.level] = key


def _stands_in(key: str, norms: list[str]) -> bool:
    """Whether the heading is there all the same: as one block or several, at the head of one, or long enough to tell.

    A short title within a sentence is not the title: "facilitating identification and containment".
    """
    if any(text.startswith(key) for text in norms) or (len(key) >= _TELLING and key in "".join(norms)):
        return True
    return _standing(key, norms) > 0


def _standing(key: str, norms: list[str]) -> int:
    """How often the heading stands by itself."""
    return sum(
        _begins_with_blocks(key, norms[start:]) for start, text in enumerate(norms) if text and key.startswith(text)
    )


def _begins_with_blocks(key: str, norms: list[str]) -> bool:
    """Whether the first of the blocks make up the heading, one line of it each."""
    for text in norms:
        if not key.startswith(text):
            return False
        key = key.removeprefix(text)
        if not key:
            return True
    return False


def _place(heading: PrintedHeading, lines: list[PrintedLine], norms: list[str], among: range) -> int:
    """The block that holds the first printed line below the heading; the end of the range when none does."""
    start = heading.index + heading.lines
    for line in lines[start : start + _LINES_BELOW]:
        key = norm(without_bullet(line.text))
        if len(key) >= _SHORTEST:
            for index in among:
                if key in norms[index]:
                    return index
    return among.stop
