"""HTML tables, as document parsers write them into Markdown, as rows of plain cells."""

from html.parser import HTMLParser


class _Cells(HTMLParser):
    """Collects the text of every cell; tables inside tables are read as part of the outer cell."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[str]] = []
        self.depth = 0
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.depth += 1
        elif tag == "tr" and self.depth == 1:
            self.rows.append([])
            self.inside = False
        elif tag in ("td", "th") and self.depth == 1:
            if not self.rows:
                self.rows.append([])
            self.rows[-1].append("")
            self.inside = True
        elif self.inside:
            self.rows[-1][-1] += " "

    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            self.depth -= 1
        elif tag in ("td", "th", "tr") and self.depth == 1:
            self.inside = False
        elif self.inside:
            self.rows[-1][-1] += " "

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.rows[-1][-1] += data


def html_rows(html: str) -> tuple[tuple[str, ...], ...]:
    """The rows of the tables in `html`, or no rows when there is no table."""
    if "<t" not in html.lower():
        return ()
    reader = _Cells()
    reader.feed(html)
    reader.close()
    rows = (tuple(" ".join(cell.split()) for cell in row) for row in reader.rows)
    return tuple(row for row in rows if any(row))
