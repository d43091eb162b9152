"""A message of the agent as a page: an answer as its card, choices as numbered titles, anything else line by line."""

import re

from soprag.apps.terminal.dialogue import Spoken
from soprag.tools.procedure.page import BlockRole, PageBlock, raw
from soprag.tools.retriever.answer import answer_page

_ROLES: dict[str, BlockRole] = {"! ": "warning", ">> ": "problem", "-> ": "way"}
_CITATION = re.compile(r" *\[(?:\d+: )?.*, lines? [\d-]+\]$")
_CHOICE = re.compile(r"(\d+\. )(.*)")


def message_page(spoken: Spoken, *, whole: bool = False) -> list[PageBlock]:
    """What is printed of a message; a procedure in it as a card, or with `whole` with all its steps."""
    if spoken.answer and not whole:
        before, procedure, after = spoken.text.partition(raw(answer_page.blocks(spoken.answer)))
        if procedure:  # else a page of another edition of this program
            return [*text_blocks(before), *answer_page.card(spoken.answer), *text_blocks(after)]
    blocks = text_blocks(spoken.text)
    return [_choice(block) for block in blocks] if spoken.choices and not spoken.answer else blocks


def text_blocks(text: str) -> list[PageBlock]:
    """Plain text line by line; the marks of warnings, problems, ways and citations are known again."""
    return list(map(_line, text.strip("\n").split("\n"))) if text.strip() else []


def _line(line: str) -> PageBlock:
    indent = len(line) - len(line.lstrip(" "))
    for marker, role in _ROLES.items():
        if indent < 4 and line[indent:].startswith(marker):
            return PageBlock(line[indent + len(marker) :], marker, indent, role)
    return PageBlock(line, role="source" if _CITATION.match(line) else "")


def _choice(block: PageBlock) -> PageBlock:
    row = _CHOICE.fullmatch(block.text)
    return PageBlock(row[2], row[1], 2, "choice") if row else block
