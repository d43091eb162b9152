"""Blocks that interrupt a numbered list and belong to the item before them: figures, code, further paragraphs."""

import re

from soprag.tools.procedure.blocks import boxes
from soprag.tools.procedure.blocks.blocks import Block

_COUNT = re.compile(r"(?P<head>.*?)(?P<last>\d+|[a-z]?)")


def adopted(blocks: list[Block]) -> list[Block]:
    """Blocks between two numbered items of one sequence become children of the first; warnings stay where they are.

    A lettered block below a numbered one is nested in it, as are the bullets right below a numbered line of plain text.
    """
    found: list[Block] = []
    plain: set[int] = set()  # numbered lines that Markdown knows as paragraphs, by their first line
    for at, block in enumerate(blocks):
        owner = next((one for one in reversed(found) if one.kind == "item" and one.number), None)
        if block.kind == "paragraph" and block.number:
            block.kind = "item"
            plain.add(block.lines[0])
        listed = owner is not None and (_letters(owner, block) or (owner.lines[0] in plain and _hangs(owner, block)))
        if owner is None or not (listed or _interrupts(owner, blocks, at)):
            found.append(block)
            continue
        owner.children.append(block)
        owner.lines = (*owner.lines, *block.lines)
    return found


def _interrupts(owner: Block, blocks: list[Block], at: int) -> bool:
    """Whether a block without a number stands inside the sequence of the item, and is no warning."""
    block = blocks[at]
    worded = at > 0 and _label(blocks[at - 1]) and block.kind == "paragraph"
    if block.title or (block.number and block.kind in ("item", "paragraph")):
        return False
    return not (_warning(block) or worded) and _inside(owner, blocks[at:])


def _letters(owner: Block, block: Block) -> bool:
    """Whether a block goes on with the letters below a numbered item: "a" first, then the next one."""
    if block.kind != "item" or len(block.number) != 1 or not block.number.isalpha() or owner.number.isalpha():
        return False
    before = [child.number for child in owner.children if child.kind == "item" and child.number.isalpha()]
    return _follows(before[-1], block.number) if before else block.number == "a"


def _hangs(owner: Block, block: Block) -> bool:
    """Whether a bullet stands right below an item or its last bullet, or a line below one that announces it."""
    gap = 2 if owner.text.rstrip().endswith((":", "?")) else 1
    return block.kind == "item" and not block.number and block.lines[0] <= owner.lines[-1] + gap


def _inside(owner: Block, rest: list[Block]) -> bool:
    """Whether the sequence of the numbered item goes on after the blocks that begin `rest`."""
    following = next((block for block in rest if block.number and block.kind in ("item", "paragraph")), None)
    if following is not None:
        return _follows(owner.number, following.number)
    return rest[0].kind == "code"


def _follows(number: str, following: str) -> bool:
    """Whether a label is the next one of a sequence: 4 after 3, 6.4 after 6.3, c after b, B2 after B1."""
    one, other = _COUNT.fullmatch(number.lower()), _COUNT.fullmatch(following.lower())
    if one is None or other is None or one["head"] != other["head"]:
        return False
    last, upcoming = one["last"], other["last"]
    if last.isdigit() and upcoming.isdigit():
        return int(upcoming) == int(last) + 1
    return len(last) == len(upcoming) == 1 and ord(upcoming) == ord(last) + 1


def _warning(block: Block) -> bool:
    raw = block.text
    if block.kind == "paragraph" and boxes.stops_or_prohibits(raw):
        return True
    return block.kind in ("quote", "html", "paragraph") and (
        boxes.warns(raw, block.kind != "paragraph") or boxes.bare(raw)
    )


def _label(block: Block) -> bool:
    """Whether a block is the bare label of a warning, whose words stand in the block below it."""
    told = not boxes.bare_note(block.text) or boxes.bare_important(block.text)
    return boxes.bare(block.text) and told
