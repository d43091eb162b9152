"""The data sheet as one HTML page beside the report: the same words, with tables that a telephone can show."""

from collections.abc import Sequence
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from soprag.tools.publishing.datasheet import render
from soprag.tools.publishing.facts import Facts
from soprag.tools.store.run_folder import write_whole

if TYPE_CHECKING:
    from markdown_it.token import Token

_WIDE = 3  # columns; on a telephone a table with more has its rows as lists, each value behind the name of its column
_FIGURES = frozenset("0123456789.,-+%$ ")


def write_datasheet_page(folder: Path, facts: Facts) -> None:
    """Write `datasheet.html`; it loads nothing from anywhere."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    page = Environment(
        loader=PackageLoader("soprag.tools.publishing", "."), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    body, parts = as_html(render("datasheet.md.j2", facts))
    opening, rest = body.split("<h2", 1)
    html = page.get_template("datasheet.html.j2").render(
        summary=facts.summary, opening=opening, body=f"<h2{rest}", parts=parts
    )
    write_whole(folder / "datasheet.html", html.encode())


def as_html(markdown: str) -> tuple[str, list[str]]:
    """The Markdown as HTML, and the titles of its parts; part `n` (from 1) has the id `part-n`.

    Words of documents stand in it: they become neither tags nor links nor images.
    """
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.disable(["link", "image", "autolink", "reference", "html_inline", "html_block"])
    tokens = reader.parse(markdown)
    parts: list[str] = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            parts.append(tokens[place + 1].content)
            token.attrSet("id", f"part-{len(parts)}")
        elif token.type == "table_open":
            _fit(token, tokens[place:])
    html = reader.renderer.render(tokens, reader.options, {})
    return html.replace("<table", '<div class="scroll"><table').replace("</table>", "</table></div>"), parts


def _fit(table: "Token", tokens: "Sequence[Token]") -> None:
    """Name the column of each cell, put columns of figures right, and mark a table that is wide for a telephone."""
    heads, cells = _of("th_open", tokens), _of("td_open", tokens)
    for column, (head, name) in enumerate(heads):
        below = cells[column :: len(heads)]
        figures = column and all(set(text) <= _FIGURES for _, text in below)
        for cell, _ in below:
            cell.attrSet("data-column", name)
        for cell in (head, *(cell for cell, _ in below)) if figures else ():
            cell.attrJoin("class", "figure")
    if len(heads) > _WIDE:
        table.attrJoin("class", "stack named")


def _of(kind: str, tokens: "Sequence[Token]") -> "list[tuple[Token, str]]":
    """The cells of that kind of the table that the tokens begin with, each with its text."""
    table = takewhile(lambda pair: pair[0].type != "table_close", pairwise(tokens))
    return [(token, inner.content) for token, inner in table if token.type == kind]
