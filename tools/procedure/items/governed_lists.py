"""Lists under a condition in which the last sentence of their item ends ("Check it. If it is torn: ...")."""

from dataclasses import replace
from typing import Protocol

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.tree import Act, Choice, Node, Outcome
from soprag.tools.procedure.wording.clauses import clauses
from soprag.tools.procedure.wording.conditions import Clause
from soprag.tools.procedure.wording.verbs import is_check


class ItemReader(Protocol):
    """What reads an item, and what is nested in it."""

    draft: Draft

    def step(self, item: Block) -> list[Node]:
        """The nodes of an item that is an act."""

    def nested(self, item: Block, nodes: list[Node]) -> list[Node]:
        """The nodes before and those of what is nested in an item."""


def governing(item: Block) -> Clause | None:
    """The condition without an act in which the last sentence of an item ends; None where it ends in another way."""
    told = clauses(item.passage) if any(child.kind == "item" for child in item.children) else []
    last = told[-1] if len(told) > 1 and item.text.rstrip().endswith(":") else None
    bare = last is not None and bool(last.condition) and not last.body.text.strip(" .:")
    return last if bare else None


def conditioned(reader: ItemReader, item: Block, clause: Clause) -> list[Node]:
    """The nodes of the item, with what is nested in it under the condition of its last clause."""
    words = item.passage.cut(0, item.text.rindex(clause.passage.text))
    nodes = reader.step(replace(item, passage=words, children=[]))
    last = nodes[-1] if nodes else None
    if isinstance(last, Act) and is_check(last.step.text) and not last.step.only_if:
        head, nodes = last.step, nodes[:-1]
        head.kind = "decision"
    else:
        head = reader.draft.step(clause.passage, "decision")
    reader.draft.role(item.passage.lines, "decision", "step-part")
    return [*nodes, Choice(head, [Outcome(clause.condition, reader.nested(item, []))])]
