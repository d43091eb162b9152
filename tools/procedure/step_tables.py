"""Tables of a procedure, in Markdown or in HTML: rows with their lines, columns by the words of their head."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

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
_RULE = re.compile(r"^[\s|:\-]+$")


@dataclass
class Row:
    """One row: its lines, its cells as Markdown or plain text, and the number printed in it."""

    start: int
    end: int
    cells: list[str] = field(default_factory=list)
    label: str = ""
    head: bool = False

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
    reader = _Reader(block.start)
    reader.feed(block.text)
    reader.close()
    rows = [row for row in reader.rows if any(row.cells)]
    head = next((row.cells for row in rows if row.head), [])
    return Table([plain(cell) for cell in head], [_numbered(row) for row in rows if not row.head])


class _Reader(HTMLParser):
    """Rows of an HTML table with their lines; a numbered list inside a cell gives its row the number."""

    def __init__(self, first: int) -> None:
        super().__init__(convert_charrefs=True)
        self.first = first
        self.rows: list[Row] = []
        self.inside = False
        self.number = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line = self.first + self.getpos()[0] - 1
        if tag == "tr":
            self.rows.append(Row(line, line))
            self.inside = False
        elif tag in ("td", "th") and self.rows:
            self.rows[-1].head = self.rows[-1].head or tag == "th"
            self.rows[-1].cells.append("")
            self.inside = True
        elif tag == "ol":
            start = dict(attrs).get("start") or "1"
            self.number = int(start) if start.isdigit() else 1
        elif tag == "li" and self.number and self.rows:
            if not self.rows[-1].label:
                self.rows[-1].label = str(self.number)
            self.number += 1
        elif self.inside:
            self.rows[-1].cells[-1] += " "

    def handle_endtag(self, tag: str) -> None:
        if self.rows and tag in ("tr", "table", "td", "th"):
            self.rows[-1].end = max(self.rows[-1].end, self.first + self.getpos()[0] - 1)
            self.inside = self.inside and tag not in ("td", "th")
        elif tag == "ol":
            self.number = 0

    def handle_data(self, data: str) -> None:
        if self.inside and self.rows and self.rows[-1].cells:
            self.rows[-1].cells[-1] += " ".join(data.split()) + (" " if data[-1:].isspace() else "")
