"""Where the words of a printed table stand as loose blocks, the table is put in their place."""

import re
from collections import Counter

from tools.parsing.repair.page_tables import PageTable

_COVERED = 0.6
_MOST_FOREIGN = 2  # blocks in a row that belong to something else


def splice_tables(blocks: list[str], tables: list[PageTable]) -> list[str]:
    """The blocks with the tables; one that the parser has whole already stays as it is."""
    counts = [_count(block) for block in blocks]
    for table in tables:
        # As cells say it, and as it is printed, where words are broken at the end of a line.
        cells = Counter(word for row in table.rows for cell in row for word in _words(cell))
        words = cells | Counter(word for text in table.printed for word in _words(text))
        found = _find(blocks, counts, words)
        if sum(counts[at].total() for at in found) < _COVERED * cells.total() or _is_whole(found, blocks):
            continue
        made = "\n".join(table.markdown)
        first = found[0]
        left_over = [at for at in range(first, found[-1] + 1) if at not in set(found)]
        rest = [blocks[at] for at in left_over]
        blocks = [*blocks[:first], made, *rest, *blocks[found[-1] + 1 :]]
        counts = [*counts[:first], words, *(counts[at] for at in left_over), *counts[found[-1] + 1 :]]
    return blocks


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _count(block: str) -> Counter[str]:
    """The words of a block that may be one of a table; headings and program text are not."""
    return Counter() if block.startswith(("#", "```")) else Counter(_words(block))


def _is_whole(found: list[int], blocks: list[str]) -> bool:
    """Whether the parser made tables of all of it, with equally many columns."""
    widths = {blocks[at].partition("\n")[0].count("|") if blocks[at].startswith("|") else 0 for at in found}
    return len(widths) == 1 and 0 not in widths


def _find(blocks: list[str], counts: list[Counter[str]], words: Counter[str]) -> list[int]:
    """The blocks that hold most of the words of the table and no others, close to each other."""
    best: list[int] = []
    weight = 0
    for start, count in enumerate(counts):
        if not count or not count <= words:
            continue
        run = _run(counts, start, Counter(words))
        held = sum(counts[at].total() for at in run)
        if held > weight:
            best, weight = run, held
    return best


def _run(counts: list[Counter[str]], start: int, left: Counter[str]) -> list[int]:
    run: list[int] = []
    at = start
    while at < len(counts) and at - (run[-1] if run else start) <= _MOST_FOREIGN:
        if counts[at] and counts[at] <= left:
            left -= counts[at]
            run.append(at)
        at += 1
    return run
