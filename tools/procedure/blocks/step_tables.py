"""Tables of a procedure, in Markdown or in HTML: rows with their lines, columns by the words of their head."""

import re
from dataclasses import dataclass, field

from soprag.tools.markdown.html_tables import html_rows
from soprag.tools.markdown.inline import plain
from soprag.tools.markdown.outline import OutlineBlock

_TRIGGER = re.compile(
    r"^(?!if not|otherwise|else).*\b(?:alarms?|alerts?|faults?|errors?|symptoms?|problems?|conditions?|if|when|"
    r"observations?|indications?|messages?|"
    r"status|issue|failures?|störung|anzeige)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"^(?:step\s*)?\(?(?:\d{1,3}(?:\.\d{1,3})*[a-z]?|[a-z])\)?[.):]?$", re.IGNORECASE)
_CELL = re.compile(r"(?<!\\)\|")


@dataclass
class Row:
    """One row: its lines, its cells as Markdown or plain text, and the number printed in it."""

    start: int
    end: int
    cells: list[str] = field(default_factory=list)
    label: str = ""

    @property
    def text(self) -> str:
        """Its cells on one line, without the number."""
        cells = self.cells[1:] if self.label and self.cells and _NUMBER.match(plain(self.cells[0])) else self.cells
        return " | ".join(cell for cell in cells if cell.strip())


@dataclass(frozen=True)
class Table:
    """The rows under a head; columns are identified by the text of the head."""

    head: list[str]
    rows: list[Row]

    def column(self, pattern: re.Pattern[str]) -> int:
        """The first column whose head matches; -1 when none does."""
        return next((index for index, cell in enumerate(self.head) if pattern.search(cell)), -1)

    @property
    def trigger(self) -> int:
        """The column that says when: alarm, symptom, condition."""
        return self.column(_TRIGGER)


def table_of(block: OutlineBlock) -> Table | None:
    """The table in `block`, or None when there is none."""
    if block.kind == "html":
        return _html(block) if block.info == "table" else None
    lines = block.text.split("\n")
    rows = [
        Row(block.start + index, block.start + index, cells_of(line)) for index, line in enumerate(lines) if index != 1
    ]
    head, body = rows[0], rows[1:]
    if body and not any(cell.strip() for cell in head.cells):
        head, body = body[0], body[1:]  # converters leave the head empty and print it as the first row
    return Table([plain(cell) for cell in head.cells], [_numbered(row) for row in body if any(row.cells)])


def cells_of(line: str) -> list[str]:
    """The cells of one Markdown table row."""
    row = line.strip()
    while row.startswith(">"):
        row = row[1:].lstrip()
    parts = _CELL.split(row)
    parts = parts[1:] if row.startswith("|") else parts
    parts = parts[:-1] if row.endswith("|") and len(parts) > 1 else parts
    return [part.strip() for part in parts]


def _numbered(row: Row) -> Row:
    first = plain(row.cells[0]) if row.cells else ""
    if len(row.cells) > 1 and _NUMBER.match(first):
        row.label = first
    return row


def _html(block: OutlineBlock) -> Table | None:
    rows = html_rows(block.text, block.start)
    head = next((row.texts for row in rows if row.head), ())
    body = [Row(row.start, row.end, [*row.texts], row.number) for row in rows if not row.head]
    return Table([plain(cell) for cell in head], [_numbered(row) for row in body])
