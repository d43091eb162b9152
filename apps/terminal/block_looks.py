"""How the blocks of a page look on a terminal with colours: style by role, signs of warnings, bold marks as bold.

The words of a procedure are never changed: of its marks only pairs of `**` are drawn, as bold.
"""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from soprag.tools.procedure.page import BlockRole, PageBlock, fitted

if TYPE_CHECKING:
    from rich.text import Text

_STYLES: dict[BlockRole, str] = {
    "title": "bold",
    "place": "dim",
    "answer": "bold",
    "step": "bold",
    "way": "cyan",
    "choice": "",
    "ask": "bold magenta",
    "source": "dim",
    "problem": "bold red",
    "hint": "dim",
}
# Sign and colour of a warning, and the style of its label; the signs differ for whoever sees no colours.
_WARNINGS: dict[str, tuple[str, str, str]] = {
    "danger": ("■", "red3", "bold bright_white on red3"),
    "warning": ("▲", "dark_orange", "bold black on dark_orange"),
    "caution": ("△", "dark_goldenrod", "bold black on gold1"),
    "note": ("•", "blue", "bold blue"),
}
_BOLD = re.compile(r"(?<![\w*\\])\*\*(?=[^\s*])(.+?)(?<=[^\s*])\*\*(?![\w*])", re.DOTALL)
_CODE = re.compile(r"`|~~~|^(?:\t| {4})", re.MULTILINE)
_LABEL = re.compile(r"[A-Z][\w ]{2,20}[:!]")


def drawn(block: PageBlock, width: int) -> "Text":
    """The block as styled text of at most `width` columns, where words allow it."""
    if block.role == "progress":
        return _bar(block, width)
    if block.role in _WARNINGS:
        return _warning(block, width)
    hanging = replace(block, text=block.marker + block.text, marker="") if block.role == "answer" else block
    text = emphasised(fitted([hanging], width))
    style = _STYLES.get(block.role, "")
    if block.role == "choice":
        text.stylize("bold cyan", block.indent, block.indent + len(block.marker))
    elif block.role in ("ask", "answer") and block.marker:
        text.stylize(style, block.indent, block.indent + len(block.marker))
    else:
        text.stylize(style)
    return text


def emphasised(text: str) -> "Text":
    """The text with its `**` marks drawn as bold; code stays as it is."""
    from rich.text import Text

    if _CODE.search(text):
        return Text(text)
    rendered, place = Text(), 0
    for mark in _BOLD.finditer(text):
        rendered.append(text[place : mark.start()])
        rendered.append(mark[1], "bold")
        place = mark.end()
    return rendered.append(text[place:])


def _warning(block: PageBlock, width: int) -> "Text":
    """A warning beside a coloured edge; its label, as the procedure or the marker says it, stands out."""
    from rich.text import Text

    sign, colour, label_style = _WARNINGS[block.role]
    plain = replace(block, marker=block.marker.removeprefix("! "), indent=0)
    body = emphasised(fitted([plain], width - 2).replace("\n" + " " * min(len(plain.marker), 8), "\n"))
    label = next((span.end for span in body.spans if span.start == 0), 0)
    named = _LABEL.match(body.plain)
    body.stylize(label_style, 0, label or (named.end() if named else 0))
    lines = body.split("\n", allow_blank=True)
    edges = [(f"{sign} ", f"bold {colour}"), *[("│ ", colour)] * (len(lines) - 1)]
    return Text("\n").join(Text.assemble(edge, line) for edge, line in zip(edges, lines, strict=True))


def _bar(block: PageBlock, width: int) -> "Text":
    """A rule across the screen, drawn heavy as far as the run is."""
    from rich.text import Text

    room = max(width - len(block.text) - 4, 0)
    done = round(block.share * room)
    return Text.assemble(
        ("━━ ", "cyan"), (block.text, "bold cyan"), " ", ("━" * done, "cyan"), ("─" * (room - done), "dim")
    )
