"""Where the words of a printed table stand as loose blocks, the table is put in their place."""

import re
from collections import Counter

from soprag.tools.parsing.repair.page_tables import PageTable

_COVERED = 0.6
_MOST_FOREIGN = 2  # blocks in a row that belong to something else


def splice_tables(blocks: list[str], tables: list[PageTable]) -> list[str]:
    """The blocks with the tables; one that the parser has whole already stays as it is."""
    counts = [_count(block) for block in blocks]
    for table in tables:
        # As cells say it, and as it is printed, where words are broken at the end of a line.
        cells = Counter(word for row in table.rows for cell in row for word in _words(cell))
        tokens = cells | Counter(word for text in table.printed for word in _words(text))
        indexes = _find(blocks, counts, tokens)
        if sum(counts[index].total() for index in indexes) < _COVERED * cells.total() or _is_whole(indexes, blocks):
            continue
        table_markdown = "\n".join(table.markdown)
        first = indexes[0]
        left_over = [index for index in range(first, indexes[-1] + 1) if index not in set(indexes)]
        rest = [blocks[index] for index in left_over]
        blocks = [*blocks[:first], table_markdown, *rest, *blocks[indexes[-1] + 1 :]]
        counts = [*counts[:first], tokens, *(counts[index] for index in left_over), *counts[indexes[-1] + 1 :]]
    return blocks


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _count(block: str) -> Counter[str]:
    """The words of a block that may be one of a table; headings and program text are not."""
    return Counter() if block.startswith(("#", "```")) else Counter(_words(block))


def _is_whole(indexes: list[int], blocks: list[str]) -> bool:
    """Whether the parser made tables of all of it, with equally many columns."""
    widths = {blocks[index].partition("\n")[0].count("|") if blocks[index].startswith("|") else 0 for index in indexes}
    return len(widths) == 1 and 0 not in widths


def _find(blocks: list[str], counts: list[Counter[str]], tokens: Counter[str]) -> list[int]:
    """The blocks that hold most of the words of the table and no others, close to each other."""
    best: list[int] = []
    weight = 0
    for start, count in enumerate(counts):
        if not count or not count <= tokens:
            continue
        run = _run(counts, start, Counter(tokens))
        size = sum(counts[index].total() for index in run)
        if size > weight:
            best, weight = run, size
    return best


def _run(counts: list[Counter[str]], start: int, remaining: Counter[str]) -> list[int]:
    run: list[int] = []
    index = start
    while index < len(counts) and index - (run[-1] if run else start) <= _MOST_FOREIGN:
        if counts[index] and counts[index] <= remaining:
            remaining -= counts[index]
            run.append(index)
        index += 1
    return run
