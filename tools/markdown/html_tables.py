"""Tables in HTML, as document parsers write them into Markdown: rows of cells with the source line of every word."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

_CELL = ("td", "th")
_INLINE = frozenset(("a", "abbr", "b", "code", "em", "i", "kbd", "s", "small", "span", "strong", "sub", "sup", "u"))
CODE_TAGS = ("script", "style")


@dataclass
class HtmlRow:
    """One row of a table; lines are counted from 1.

    A cell is its text by source line. `head`: it has a head cell; `number`: of the first item of a numbered list in it.
    """

    start: int
    end: int
    cells: list[list[tuple[int, str]]] = field(default_factory=list)
    head: bool = False
    number: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """The words of the cells, each on one line."""
        return tuple(" ".join(" ".join(words for _, words in cell).split()) for cell in self.cells)


def html_rows(html: str, first: int = 1, skipped: tuple[str, ...] = CODE_TAGS) -> tuple[HtmlRow, ...]:
    """The rows with words of the tables in `html`, whose first line is number `first`; none when there is no table.

    What stands inside of `skipped` tags is left out.
    """
    if "<t" not in html.lower():
        return ()
    reader = _RowReader(first, skipped)
    reader.feed(html)
    reader.close()
    return tuple(row for row in reader.rows if any(row.texts))


class _RowReader(HTMLParser):
    """Collects the text of every cell; tables inside tables are read as part of the outer cell."""

    def __init__(self, first: int, skipped: tuple[str, ...]) -> None:
        super().__init__(convert_charrefs=True)
        self.first, self.skipped = first, skipped
        self.rows: list[HtmlRow] = []
        self.tables = self.hidden = self.item = 0
        self.inside = False

    @property
    def line(self) -> int:
        return self.first + self.getpos()[0] - 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tables += tag == "table"
        self.hidden += tag in self.skipped
        if self.tables == 1 and (tag == "tr" or (tag in _CELL and not self.rows)):
            self.rows.append(HtmlRow(self.line, self.line))
            self.inside = False
        if self.tables == 1 and tag in _CELL:
            self.rows[-1].cells.append([])
            self.rows[-1].head |= tag == "th"
            self.inside = True
        else:
            self._separate(tag)
        self._count(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        self.tables -= tag == "table"
        self.hidden -= tag in self.skipped
        self.item *= tag != "ol"
        if self.rows and tag in ("tr", "table", *_CELL):
            self.rows[-1].end = max(self.rows[-1].end, self.line)
        if self.tables <= 1 and tag in ("tr", *_CELL):
            self.inside = False
        else:
            self._separate(tag)

    def handle_data(self, data: str) -> None:
        if self.inside and not self.hidden:
            for offset, words in enumerate(data.split("\n")):
                self._add(self.line + offset, words)

    def _count(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Number the items of numbered lists, which may go on over several rows."""
        if tag == "ol":
            start = dict(attrs).get("start") or ""
            self.item = int(start) if start.isdecimal() else 1
        elif tag == "li" and self.item and self.rows:
            self.rows[-1].number = self.rows[-1].number or str(self.item)
            self.item += 1

    def _separate(self, tag: str) -> None:
        if self.inside and tag not in _INLINE:
            self._add(self.line, " ")

    def _add(self, line: int, words: str) -> None:
        cell = self.rows[-1].cells[-1]
        if cell and cell[-1][0] == line:
            cell[-1] = (line, cell[-1][1] + words)
        elif words.strip():
            cell.append((line, words))
