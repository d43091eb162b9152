"""Lists that only tell something: none of their items orders, asks or decides."""

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.blocks.sections import Topic
from soprag.tools.procedure.items.item_kinds import acts_in_gerund, orders_in_case
from soprag.tools.procedure.nodes.composing import lead_condition
from soprag.tools.procedure.walking.paragraphs import acts_later
from soprag.tools.procedure.wording.verbs import directs


def only_told(items: list[Block], about: Topic, preamble: bool) -> bool:
    """Whether items of a section only tell something, by their wording and what the section is about."""
    gerunds = about == "acts" and acts_in_gerund(items)
    acting = [
        gerunds or directs(i.text) or bool(lead_condition(i.passage)) or acts_later(i) or orders_in_case(i)
        for i in items
    ]
    if about in ("background", "reference", "metadata"):
        return not (items[0].number and len(items) > 1 and all(acting)) or about != "background"
    if about == "states":
        return not any(acting)
    if preamble:
        return not (items[0].number or (len(items) > 1 and all(map(orders_in_case, items))))
    return not items[0].number and not any(acting) and not any(item.children for item in items)
