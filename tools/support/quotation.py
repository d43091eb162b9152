"""Quotations: the statements on cited lines in their own words, and whether a sentence only repeats them.

A statement is a paragraph, an item, a row of a table or a heading, without its markup. A sentence that repeats whole
sentences of what it cites says nothing beyond it, in any language.
"""

from collections.abc import Sequence

from soprag.tools.markdown.blocks import MarkdownBlock
from soprag.tools.markdown.inline import plain
from soprag.tools.text.sanitize import one_line
from soprag.tools.text.sentences import sentences

_BESIDE_WORDS = " \t.,:;!\"'\u201c\u201d\u201e*_"


def statements_of(rows: Sequence[str], cited: Sequence[int], blocks: Sequence[MarkdownBlock]) -> tuple[str, ...]:
    """The statements on the cited lines (from 1) of `rows`, in order; a long block counts by its cited lines."""
    said: dict[str, None] = {}
    for line in cited:
        block = next((b for b in blocks if b.lines.start <= line <= b.lines.end), None)
        within = block is not None and all(n in cited for n in range(block.lines.start, block.lines.end + 1))
        text = _row(block, line) if block is not None and block.kind == "table" else ""
        if block is not None and within and block.kind != "table":
            text = block.text
        said.setdefault(one_line(plain(text or rows[line - 1])))
    return tuple(filter(None, said))


def repeats(sentence: str, statements: Sequence[str]) -> bool:
    """Whether every sentence of `sentence` is a whole sentence, or all, of one of the statements."""
    known = {_words(part) for statement in statements for part in (statement, *sentences(statement))}
    parts = [_words(part) for part in sentences(one_line(plain(sentence)))]
    return bool(parts) and all(part and part in known for part in parts)


def quotation(statements: Sequence[str], longest: int) -> str:
    """The statements in quotation marks; more than `longest` characters are cut where it shows."""
    return one_line(" ".join(f'"{statement}"' for statement in statements), longest)


def _row(block: MarkdownBlock, line: int) -> str:
    """A row of a table as `head: cell`, empty where lines are not rows."""
    place = line - block.lines.start
    if len(block.rows) + 1 != block.lines.end - block.lines.start + 1 or place < 2:
        return ""
    pairs = zip(block.rows[0], block.rows[place - 1], strict=False)
    return "; ".join(f"{head}: {cell}" if head else cell for head, cell in pairs if cell.strip())


def _words(text: str) -> str:
    return " ".join(text.casefold().split()).strip(_BESIDE_WORDS)
