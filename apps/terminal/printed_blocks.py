"""Tracks which blocks of an answer are printed, so that each is printed once and as soon as it is complete."""

import re
from dataclasses import dataclass, field

from soprag.apps.terminal.dialogue import Spoken
from soprag.tools.procedure.page import BLANK, PageBlock, raw
from soprag.tools.retriever.answer import answer_page

_WORD = re.compile(r"\S+")
_MARKERS = ("! ", ">> ", "-> ")


@dataclass
class Streamed:
    """The finished blocks of one turn."""

    pieces: list[str] = field(default_factory=list)

    def add(self, text: str) -> list[PageBlock]:
        """A finished block, as a page; an empty line keeps it apart from the one before."""
        self.pieces.append(text)
        return [*([BLANK] if len(self.pieces) > 1 else []), *text_blocks(text)]

    def rest(self, spoken: Spoken) -> list[PageBlock]:
        """What of the message is not on the screen yet; all of it when the blocks were not its beginning."""
        printed = "\n".join(self.pieces).split()
        self.pieces.clear()
        tokens = list(_WORD.finditer(spoken.text))
        if not printed or [word[0] for word in tokens[: len(printed)]] != printed:
            return message_blocks(spoken)
        remaining = spoken.text[tokens[len(printed) - 1].end() :].strip("\n")
        return text_blocks(remaining) if remaining.strip() else []


def message_blocks(spoken: Spoken) -> list[PageBlock]:
    """A message as a page; in the layout of an answer when that has the very same words."""
    if spoken.answer:
        page = answer_page.blocks(spoken.answer)
        if raw(page).split() == spoken.text.split():
            return page
    return text_blocks(spoken.text)


def text_blocks(text: str) -> list[PageBlock]:
    """Plain text line by line; the marks of warnings, problems and ways are known again."""
    return list(map(_line, text.rstrip("\n").split("\n")))


def _line(line: str) -> PageBlock:
    indent = len(line) - len(line.lstrip(" "))
    for marker in _MARKERS:
        if indent < 4 and line[indent:].startswith(marker):
            return PageBlock(line[indent + len(marker) :], marker, indent)
    return PageBlock(line)
