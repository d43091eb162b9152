"""Tables that a converter left as HTML: their rows and cells with the source line of every word."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from html.parser import HTMLParser

from soprag.tools.procedure.passage import SourcePassage, passage

_SKIPPED = ("figcaption", "style", "script")


@dataclass
class HtmlRow:
    """One row: its cells, each as lines of text under their numbers."""

    cells: list[list[tuple[int, str]]] = field(default_factory=list)

    def passages(self) -> list[SourcePassage]:
        """The words of the cells."""
        return [passage(cell) for cell in self.cells]

    def lines(self) -> tuple[int, ...]:
        """The source lines with words, each once; a number alone in the first cell counts as none."""
        cells = (
            self.cells[1:]
            if len(self.cells) > 1 and len(" ".join(words for _, words in self.cells[0])) < 4
            else self.cells
        )
        return tuple(sorted({line for cell in cells for line, words in cell if words.strip()}))


def html_rows(rows: Iterable[tuple[int, str]]) -> list[HtmlRow]:
    """The rows of the table in numbered lines of HTML; none when there is no table."""
    reader = _RowReader()
    for number, words in rows:
        reader.line = number
        reader.feed(words + "\n")
    reader.close()
    return [row for row in reader.rows if row.lines()]


class _RowReader(HTMLParser):
    """Collects the text of every cell by source line."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[HtmlRow] = []
        self.line = 0
        self.inside = False
        self.skipped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append(HtmlRow())
        elif tag in ("td", "th") and self.rows:
            self.rows[-1].cells.append([])
            self.inside = True
        self.skipped += tag in _SKIPPED

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag not in ("td", "th", "tr")
        self.skipped -= tag in _SKIPPED

    def handle_data(self, data: str) -> None:
        if not self.inside or self.skipped or not data.strip():
            return
        cell = self.rows[-1].cells[-1]
        if cell and cell[-1][0] == self.line:
            cell[-1] = (self.line, cell[-1][1] + data)
        else:
            cell.append((self.line, data))
