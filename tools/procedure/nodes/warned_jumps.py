"""Decisions that a warning holds: "If more than 3 minutes have passed, return to step 11.", or a hold point."""

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.tree import Node
from soprag.tools.procedure.nodes.composing import Composer
from soprag.tools.procedure.wording.clauses import sentences
from soprag.tools.procedure.wording.conditions import read_clause


def jumps_of_warning(block: Block, draft: Draft) -> list[Node]:
    """The nodes of the sentences of a warning that lead to a place under a condition, or let go on only under one."""
    composer = Composer(draft)
    found: list[Node] = []
    for sentence, _ in sentences(block.passage):
        clause = read_clause(sentence)
        leaving = composer.brancher.exit(clause) if clause.condition else None
        leads = leaving is not None and leaving.target.kind in ("step", "section", "anchor", "title", "start")
        if (leads and clause.opener != "trailing") or clause.opener == "hold":
            found += composer.unit(sentence)
    return found
