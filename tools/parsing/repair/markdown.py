"""Repairs that need the Markdown only: anchors, tables in HTML, marks inside headings, levels from decimal numbers."""

import re
from html.parser import HTMLParser

from soprag.tools.parsing.repair.faces import clean_faces
from soprag.tools.parsing.repair.fences import open_fences

_ANCHOR = re.compile(r"<a\s+(?:id|name)=\"[^\"]*\"\s*>\s*</a>\n?|<a\s+(?:id|name)=\"[^\"]*\"\s*/>\n?")
_IMAGE_NOTE = re.compile(r"<details>\s*<summary>image content</summary>\s*(.*?)</details>", re.DOTALL)
_TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL | re.IGNORECASE)
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
_FACE = re.compile(r"\*\*\*(.+?)\*\*\*|\*\*(.+?)\*\*|__(.+?)__")
_BULLET = re.compile(r"^(\s*)[\u2022\u25cf\u25aa\u25e6\u2023\u00b7\uf0b7\uf0a7\uf09f]\s*(?=\S)")
_NUMBER = re.compile(r"^(\d{1,2}(?:\.\d{1,2})*)[.)]?\s+\S")
_NOTICE = re.compile(r"^(danger|warning|caution|note)\s*[:!]\s*(\S+\s+){2,}\S", re.IGNORECASE)
_ENTITY = re.compile(r"&lt;(?=[\s\d=])|(?<=[\s=-])&gt;(?=[\s\d=])|&amp;(?!#?\w+;)")
_SIGNS = {"&lt;": "<", "&gt;": ">", "&amp;": "&"}
_LEADERS = re.compile(r"(?:\.\s?){4,}")  # of a table of contents, or of a checklist
_INNER = re.compile(r"(?<!!)\[([^\[\]]*)\]\(#[^()\s]*\)")  # a link to a place in the document; anchors are not kept
_BLANKS = re.compile(r"\n{3,}")
_FOOTNOTE = re.compile(r"<small><span class=\"docvortex-page-footnote\"[^>]*>(.*?)</span></small>", re.DOTALL)
_ESCAPED = re.compile(r"(?<=\w)\\_(?=\w)")  # an underscore within a word means nothing to Markdown
_WORDY = 12
_NUMBERED = 3
_WIDEST, _TALLEST = 60, 2000


def repair_text(markdown: str) -> str:
    """Idempotent: what is right already stays as it is."""
    markdown = markdown.replace("\r\n", "\n")
    markdown = _FOOTNOTE.sub(r"\1", _IMAGE_NOTE.sub(r"\1", _ANCHOR.sub("", markdown)))
    markdown = pipe_tables(_INNER.sub(r"\1", _ESCAPED.sub("_", markdown)))
    markdown = clean_marks(open_fences(markdown, lambda line: False))
    return _BLANKS.sub("\n\n", "\n".join(_lines(markdown))).strip() + "\n"


def clean_marks(markdown: str) -> str:
    """Without marks of type that are left in words, program text apart."""
    lines = markdown.split("\n")
    for index, line in _outside(lines):
        lines[index] = clean_faces(line)
    return "\n".join(lines)


def pipe_tables(markdown: str) -> str:
    """HTML tables as tables of pipes, where nothing is lost by it."""
    return _TABLE.sub(lambda match: _pipe_table(match[0]), markdown)


def relevel(markdown: str) -> str:
    """Headings with decimal numbers get the level their number says, when enough of them have one."""
    lines = markdown.split("\n")
    marks = {index: mark for index, line in _outside(lines) if (mark := _HEADING.match(line))}
    depths = {index: number[1].count(".") + 1 for index, mark in marks.items() if (number := _NUMBER.match(mark[2]))}
    if len(depths) < _NUMBERED or len(set(depths.values())) < 2:
        return markdown
    top = min(len(marks[index][1]) for index, depth in depths.items() if depth == min(depths.values()))
    for index, depth in depths.items():
        lines[index] = "#" * min(top + depth - min(depths.values()), 6) + " " + marks[index][2]
    return "\n".join(lines)


def _outside(lines: list[str]) -> list[tuple[int, str]]:
    """The lines that are in no fence, with their positions."""
    outside, fenced = [], False
    for index, line in enumerate(lines):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            outside.append((index, line))
    return outside


def _lines(markdown: str) -> list[str]:
    lines = markdown.split("\n")
    for index, line in _outside(lines):
        if mark := _HEADING.match(line):
            lines[index] = _heading(mark)
        else:
            lines[index] = _plain_signs(_BULLET.sub(r"\1- ", line))
    return lines


def _plain_signs(line: str) -> str:
    """Signs as printed where Markdown takes them so: "< 5 bar", "~ 5 bar" and "$ ls" need no escape."""
    line = _ENTITY.sub(lambda match: _SIGNS[match[0]], line)
    for sign in "~$":
        line = line.replace(f"\\{sign}", sign) if line.count(sign) == 1 else line
    return line


def _heading(mark: re.Match[str]) -> str:
    """Without bold inside; a long sentence, a notice or an entry of contents was only printed like one."""
    text = _FACE.sub(lambda match: match[1] or match[2] or match[3], mark[2]).strip()
    if not any(map(str.isalnum, text)):
        return ""
    if _LEADERS.search(text) or _NOTICE.match(text) or (len(text.split()) > _WORDY and text.endswith((".", ";"))):
        return text
    return f"{mark[1]} {text}"


class _Cells(HTMLParser):
    """The cells of one HTML table with their spans; not `plain` when a pipe table would lose something."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[tuple[list[str], int, int]]] = []
        self.plain = True
        self._cell: list[str] | None = None
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._depth += 1
            self.plain = self.plain and self._depth == 1
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            spans = dict(attrs)
            self._cell = []
            self.rows[-1].append(
                (self._cell, _span(spans.get("colspan"), _WIDEST), _span(spans.get("rowspan"), _TALLEST))
            )
        elif tag in ("br", "p", "li", "div") and self._cell:
            self._cell.append(" ")
        elif tag == "img":
            self.plain = False

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._cell = None

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)


def _span(value: str | None, most: int) -> int:
    return min(max(int(value), 1), most) if value and value.isdigit() else 1


def _pipe_table(table: str) -> str:
    """The table with pipes, so that every row can be read by itself."""
    reader = _Cells()
    reader.feed(table)
    grid: dict[tuple[int, int], str] = {}
    for row, cells in enumerate(reader.rows):
        column = 0
        for fragments, wide, tall in cells:
            while (row, column) in grid:
                column += 1
            text = " ".join("".join(fragments).split()).replace("|", "\\|")
            # A cell over several rows is said in each of them; one over several columns is said once.
            for down in range(min(tall, len(reader.rows) - row)):
                grid.update({(row + down, column + right): "" if right else text for right in range(wide)})
            column += wide
    width = max((column + 1 for _, column in grid), default=0)
    if not reader.plain or not width:
        return table
    rows = [
        "| " + " | ".join(grid.get((row, column), "") for column in range(width)) + " |"
        for row in range(len(reader.rows))
    ]
    return "\n\n" + "\n".join([rows[0], "|" + " --- |" * width, *rows[1:]]) + "\n\n"
