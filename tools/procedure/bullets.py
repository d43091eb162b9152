"""Decides which bullet lists and which lines of running text are steps, by their wording and their introduction."""

import re
from dataclasses import dataclass

from soprag.tools.markdown.inline import labelled, plain
from soprag.tools.markdown.outline import OutlineBlock
from soprag.tools.procedure.branches import printed
from soprag.tools.procedure.lexicon import is_instruction, requires

_TELLING = re.compile(
    r"\b(?:performs?|does|consists?|includes?|contains?|means|shows?|are|is|reasons?|examples?|features?|benefits?|"
    r"such as|namely|as follows)\b[^.]*:\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Lists:
    """Numbers of the bullet lists that are steps (`acting`) and of those that only describe (`descriptive`)."""

    acting: frozenset[int]
    descriptive: frozenset[int]


def judge(blocks: tuple[OutlineBlock, ...]) -> Lists:
    """Classify all bullet lists: steps where half of the items are instructions and no description introduces them."""
    orders: dict[int, int] = {}
    sizes: dict[int, int] = {}
    announced: set[int] = set()
    descriptive: set[int] = set()
    for index, block in enumerate(blocks):
        if not block.item or block.start != block.item.start or block.item.ordered:
            continue
        number = block.item.list
        if number not in sizes and index and blocks[index - 1].kind == "paragraph":
            announced.update([number] if blocks[index - 1].text.rstrip().endswith(":") else [])
            descriptive.update([number] if describes(blocks[index - 1].words) else [])
        sizes[number] = sizes.get(number, 0) + 1
        orders[number] = orders.get(number, 0) + gives_order(block.words)
    acting = {number for number, size in sizes.items() if orders[number] and 2 * orders[number] >= size}
    return Lists(frozenset(acting - descriptive), frozenset(descriptive | (announced - acting)))


def describes(text: str) -> bool:
    """Whether a paragraph introduces a description ("This script performs:")."""
    return bool(_TELLING.search(text)) and not is_instruction(text)


def gives_order(sentence: str) -> bool:
    """Whether a sentence of plain text is an instruction, unconditional or conditional."""
    if is_instruction(sentence) or requires(sentence):
        return True
    head, colon, rest = sentence.partition(": ")
    return bool(colon) and len(head) < 60 and is_instruction(rest)


def is_surely_step(line: str) -> bool:
    """Whether a single labelled line is certainly a step (`Step 4: ...`, `2.1 Open ...`)."""
    entry = labelled(line)
    return bool(entry and (re.match(r"(?i)[a-zé]{4}|\d+\.\d", entry.label) or is_instruction(plain(entry.rest))))


def labelled_lines(lines: list[str], offset: int) -> list[int]:
    """Indices of the lines that begin with a printed step label; labels caused by line wrapping are excluded."""
    indices = []
    letter = "a"
    for index, line in enumerate(lines, offset):
        entry = printed(line)
        if entry and entry.label.isalpha() and len(entry.label) == 1 and not labelled(line):
            if entry.label != letter:
                continue
            letter = chr(ord(letter) + 1)
        if entry and entry.rest.strip() and (entry.rest.lstrip("*_`\"'([")[:1].isupper() or is_instruction(entry.rest)):
            indices.append(index)
    return indices
