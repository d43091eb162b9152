"""A source as lines: the sentences, steps, warnings and table rows of its Markdown, each with its position."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from soprag.tools.markdown.inline import plain
from soprag.tools.markdown.page import MarkdownBlock, read
from soprag.tools.procedure.wording.safety_labels import inside, kind_of
from soprag.tools.research.records import EntryKind
from soprag.tools.sop import Span
from soprag.tools.text.sanitize import one_line
from soprag.tools.text.sentences import WITH_COLONS, sentences

_SHORTEST = 4  # words of a sentence; steps may be shorter
_LONGEST = 90
_CELLS = 2  # filled cells from which a table row is a statement
_CODE = 600  # characters of a command


@dataclass(frozen=True)
class SourceSentence:
    """One sentence, step, warning or table row: its plain words, its lines in the Markdown, the heading above it."""

    text: str
    lines: Span
    heading: str = ""
    kind: EntryKind = "sentence"
    label: str = ""


def lines_of(markdown: str, limit: int) -> list[SourceSentence]:
    """The statements in the first `limit` characters, in their order; headings are kept with the lines below them."""
    heading = ""
    lines: list[SourceSentence] = []
    for block in read(markdown[:limit]).blocks:
        if block.kind == "heading":
            heading = one_line(plain(block.text))
            continue
        kind = _kind(block)
        for number, (text, span) in enumerate(_statements(block, kind)):
            if kind in ("step", "item", "code") or _is_statement(text):
                label = block.label if number == 0 else ""
                lines += _apart(SourceSentence(text, span, heading, kind, label))
    return lines


def _apart(line: SourceSentence) -> list[SourceSentence]:
    """The line, and apart from it a warning that begins in the middle of a step."""
    remark = inside(line.text) if line.kind in ("step", "item") else None
    if remark is None:
        return [line]
    before, warning = line.text[: remark[1]].strip(), line.text[remark[1] :].strip()
    return [replace(line, text=before), replace(line, text=warning, kind="warning", label="")]


def _kind(block: MarkdownBlock) -> EntryKind:
    if block.kind == "table":
        return "row"
    if block.kind == "code":
        return "code"
    if block.kind in ("paragraph", "item") and kind_of(block.source):
        return "warning"
    if block.kind == "item":
        return "step" if block.label else "item"
    return "sentence"


def _statements(block: MarkdownBlock, kind: EntryKind) -> Iterator[tuple[str, Span]]:
    if kind == "row" and len(block.rows) > 1:
        yield from _rows(block)
    elif kind == "code":
        yield from ((text, block.lines) for text in filter(None, [block.text.strip()[:_CODE]]))
    elif block.kind in ("paragraph", "item"):
        text = one_line(plain(block.text))
        whole = kind != "sentence" and len(text.split()) <= _LONGEST
        yield from ((one, block.lines) for one in ([text] if whole else sentences(text, WITH_COLONS)))


def _rows(block: MarkdownBlock) -> Iterator[tuple[str, Span]]:
    """The rows below the head in words; each with its own line where the table has one line a row."""
    head, *rows = ([one_line(plain(cell)) for cell in row] for row in block.rows)
    first = block.lines.start + 2  # below the head and the rule
    piped = block.lines.end == first + len(rows) - 1
    for number, row in enumerate(rows, first):
        yield _row(head, row), Span(start=number, end=number) if piped else block.lines


def _row(head: list[str], cells: list[str]) -> str:
    """A row in words: `Pressure: 4 bar; Temperature: 20 °C`."""
    pairs = [f"{name}: {cell}" if name else cell for name, cell in zip(head, cells, strict=False) if cell]
    return "; ".join(pairs) if len(pairs) >= _CELLS else ""


def _is_statement(text: str) -> bool:
    return _SHORTEST <= len(text.split()) <= _LONGEST or _is_dense(text)


def _is_dense(text: str) -> bool:
    """Whether the text is in a script without spaces and long enough to be a statement."""
    return len(text.split()) < _SHORTEST and 12 <= len(text) <= 400 and not text.isascii()
