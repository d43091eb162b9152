"""Procedures written as an outline: bullets of a few words that title the bullets below them are headings."""

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.wording.asked_conditions import finds
from soprag.tools.procedure.wording.conditions import read_clause
from soprag.tools.procedure.wording.outcome_labels import compares
from soprag.tools.procedure.wording.verbs import directs

_LEVEL = 6  # below any heading that is printed as one
_TITLE = 6  # words of a title at most
_FEWEST, _SHARE = 3, 0.6  # titles in a list, and of its bullets


def outlined(blocks: list[Block]) -> list[Block]:
    """The blocks, with the bullets at the left margin that are titles as headings over what stands below them.

    A text with a table of its own is left as it is: its bullets mostly name things beside the table.
    """
    items = [block for block in blocks if block.kind == "item"]
    titles = [item for item in items if _titles(item) and not finds(item.text)]
    if len(titles) < _FEWEST or len(titles) < _SHARE * len(items) or any(block.kind == "table" for block in blocks):
        return blocks
    found: list[Block] = []
    for block in blocks:
        if block.kind == "item" and _titles(block):
            found.append(Block("heading", tuple(block.passage.lines), block.passage, level=_LEVEL))
            found += block.children
        else:
            found.append(block)
    return found


def _titles(item: Block) -> bool:
    """Whether a bullet only names what the bullets below it do."""
    acts = [child for child in item.children if child.kind == "item"]
    plain = not item.number and 0 < len(item.text.split()) <= _TITLE and item.text[-1:] not in ".:?!;"
    measured = compares(item.text) and any(map(str.isdigit, item.text))
    cased = measured or bool(read_clause(item.passage).condition)
    told = plain and not cased and (" " not in item.text or not directs(item.text))
    return told and len(acts) > 0 and any(directs(one.text) or one.children for one in acts)
