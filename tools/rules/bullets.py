"""Which bullets and which lines of running text are steps, by their own words and by what announces them."""

import re
from dataclasses import dataclass

from tools.rules.branches import printed
from tools.rules.inline import labelled, plain
from tools.rules.lexicon import is_instruction, requires
from tools.rules.outline import Block

_TELLING = re.compile(
    r"\b(?:performs?|does|consists?|includes?|contains?|means|shows?|are|is|reasons?|examples?|features?|benefits?|"
    r"such as|namely|as follows)\b[^.]*:\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Lists:
    """The bullet lists that are steps (`acting`) and those that only say more about what announces them "
    "(`telling`)."""

    acting: frozenset[int]
    telling: frozenset[int]


def judge(blocks: tuple[Block, ...]) -> Lists:
    """A bullet list is steps when at least half of its items give an instruction and nothing announces a "
    "description."""
    orders: dict[int, int] = {}
    sizes: dict[int, int] = {}
    announced: set[int] = set()
    telling: set[int] = set()
    for at, block in enumerate(blocks):
        if not block.item or block.start != block.item.start or block.item.ordered:
            continue
        number = block.item.list
        if number not in sizes and at and blocks[at - 1].kind == "paragraph":
            announced.update([number] if blocks[at - 1].text.rstrip().endswith(":") else [])
            telling.update([number] if describes(blocks[at - 1].words) else [])
        sizes[number] = sizes.get(number, 0) + 1
        orders[number] = orders.get(number, 0) + gives_order(block.words)
    acting = {number for number, size in sizes.items() if orders[number] and 2 * orders[number] >= size}
    return Lists(frozenset(acting - telling), frozenset(telling | (announced - acting)))


def describes(words: str) -> bool:
    """Whether a paragraph announces a description ("This script performs:")."""
    return bool(_TELLING.search(words)) and not is_instruction(words)


def gives_order(words: str) -> bool:
    """Whether a sentence in plain words tells somebody to do something, outright or under a condition."""
    if is_instruction(words) or requires(words):
        return True
    head, colon, rest = words.partition(": ")
    return bool(colon) and len(head) < 60 and is_instruction(rest)


def is_surely_step(line: str) -> bool:
    """Whether a single labelled line is surely a step (`Step 4: ...`, `2.1 Open ...`)."""
    mark = labelled(line)
    return bool(mark and (re.match(r"(?i)[a-zé]{4}|\d+\.\d", mark.label) or is_instruction(plain(mark.rest))))


def labelled_lines(lines: list[str], offset: int) -> list[int]:
    """Which lines begin with a printed label that is no accident of line wrapping."""
    found = []
    letter = "a"
    for at, line in enumerate(lines, offset):
        mark = printed(line)
        if mark and mark.label.isalpha() and len(mark.label) == 1 and not labelled(line):
            if mark.label != letter:
                continue
            letter = chr(ord(letter) + 1)
        if mark and mark.rest.strip() and (mark.rest.lstrip("*_`\"'([")[:1].isupper() or is_instruction(mark.rest)):
            found.append(at)
    return found
