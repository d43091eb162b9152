"""Quotations: the statements on cited lines in their own words, and whether a sentence only repeats them.

A statement is a paragraph, an item, a row of a table or a heading, without its markup. A sentence that repeats whole
sentences of what it cites says nothing beyond it, in any language.
"""

from collections.abc import Sequence

from soprag.tools.markdown.blocks import MarkdownBlock
from soprag.tools.markdown.inline import plain
from soprag.tools.text.sanitize import one_line
from soprag.tools.text.sentences import sentences

_RULED = 2  # lines of a table before its first row: the head and the rule
_BESIDE_WORDS = " \t.,:;!\"'\u201c\u201d\u201e*_"


def statements_of(rows: Sequence[str], cited: Sequence[int], blocks: Sequence[MarkdownBlock]) -> tuple[str, ...]:
    """The statements on the cited lines (from 1) of `rows`, in order; a long block counts by its cited lines."""
    said: dict[str, None] = {}
    for line in cited:
        block = next((b for b in blocks if b.lines.start <= line <= b.lines.end), None)
        within = block is not None and all(n in cited for n in range(block.lines.start, block.lines.end + 1))
        text = rows[line - 1]
        if block is not None and block.kind == "table":
            text = _row(block, line, cited, text)
        elif block is not None and within:
            text = block.text
        said.setdefault(one_line(plain(text)))
    return tuple(filter(None, said))


def repeats(sentence: str, statements: Sequence[str]) -> bool:
    """Whether every sentence of `sentence` is a whole sentence, or all, of one of the statements."""
    known = {_words(part) for statement in statements for part in (statement, *sentences(statement))}
    parts = [_words(part) for part in sentences(one_line(plain(sentence)))]
    return bool(parts) and all(part and part in known for part in parts)


def quotation(statements: Sequence[str], longest: int) -> str:
    """The statements in quotation marks; more than `longest` characters are cut where it shows."""
    return one_line(" ".join(f'"{statement}"' for statement in statements), longest)


def _row(block: MarkdownBlock, line: int, cited: Sequence[int], printed: str) -> str:
    """A row of a table as `head: cell`; the head alone as its cells, and empty beside a row, which repeats it."""
    place = line - block.lines.start
    if len(block.rows) + 1 != block.lines.end - block.lines.start + 1:
        return printed
    if place < _RULED:
        beside = any(block.lines.start + _RULED <= other <= block.lines.end for other in cited)
        return "" if beside or place else "; ".join(block.rows[0])
    pairs = zip(block.rows[0], block.rows[place - 1], strict=False)
    return "; ".join(f"{head}: {cell}" if head else cell for head, cell in pairs if cell.strip()) or printed


def _words(text: str) -> str:
    return " ".join(text.casefold().split()).strip(_BESIDE_WORDS)
