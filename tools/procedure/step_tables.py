"""Tables that hold steps: rows of a step table, or of a table from alarm to action, in Markdown or in HTML."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from soprag.tools.markdown.inline import labelled, plain
from soprag.tools.markdown.outline import OutlineBlock
from soprag.tools.procedure.lexicon import is_instruction
from soprag.tools.procedure.safety_labels import is_label_alone, kind_of
from soprag.tools.sop import WarningKind

_STEP = re.compile(
    r"^(?:steps?|no\.?|nr\.?|#|seq(?:uence)?|item|s/?n|schritt|étape|paso)(?:\s*(?:no\.?|number|#))?$", re.IGNORECASE
)
_ACTION = re.compile(
    r"\b(?:actions?|tasks?|procedure|activity|activities|what to do|instructions?|remedy|remedies|corrective|response|"
    r"recovery|mitigation|solutions?|operation|do this|checks?|how|maßnahmen?|abhilfe|tätigkeit|acción|"
    r"action corrective)\b",
    re.IGNORECASE,
)
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
    listed: bool = False
    when: str = ""  # the alarm or condition to which the row applies
    remarks: list[tuple[WarningKind, int, int]] = field(default_factory=list)  # kind, first and last line

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
    def action(self) -> int:
        """The column that says what to do."""
        return self.column(_ACTION)

    @property
    def trigger(self) -> int:
        """The column that says when: alarm, symptom, condition."""
        return self.column(_TRIGGER)

    def answering(self, row: Row) -> Row:
        """The row with `when` set to the alarm or condition of its trigger column."""
        if 0 <= self.trigger < len(row.cells) and self.trigger != self.action and self.action >= 0:
            row.when = plain(row.cells[self.trigger])
        return row

    @property
    def has_steps(self) -> bool:
        """Whether its rows are steps or responses to alarms."""
        if any(row.listed for row in self.rows) or (self.action >= 0 and self.column(_STEP) >= 0):
            return True
        if self.action < 0 and self.column(_STEP) < 0:
            return False
        orders = sum(any(_orders(cell) for cell in row.cells) for row in self.rows)
        return 2 * orders >= len(self.rows)


def _orders(cell: str) -> bool:
    text = plain(cell)
    entry = labelled(text)
    return is_instruction(entry.rest if entry else text)


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


def table_steps(block: OutlineBlock, acts: bool | None) -> list[Row]:
    """The rows of `block` that are steps; none when the table is only descriptive."""
    table = table_of(block)
    if not table or not table.has_steps or (acts is False and table.column(_STEP) < 0):
        return []
    if not any(row.listed for row in table.rows):
        return [table.answering(row) for row in table.rows if row.text]
    return _joined(table.rows)


def _joined(rows: list[Row]) -> list[Row]:
    """The numbered rows, each extended by the unnumbered rows after it."""
    steps: list[Row] = []
    alone: tuple[WarningKind, int] | None = None  # a remark's label, waiting for its words in the next row
    for row in rows:
        if row.listed or not steps:
            steps.append(row)
            alone = None
            continue
        steps[-1].end = row.end
        kind = kind_of(row.text)
        if kind and is_label_alone(row.text):
            alone = (kind, row.start)
        elif alone and row.text:
            steps[-1].remarks.append((*alone, row.end))
            alone = None
        elif kind:
            steps[-1].remarks.append((kind, row.start, row.end))
    return steps


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
                self.rows[-1].label, self.rows[-1].listed = str(self.number), len(self.rows[-1].cells) == 1
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
