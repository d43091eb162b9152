"""Tables of checks: rows with what is looked at, what it must be, and what is done when it is not."""

import re

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.tree import Choice, Node, Outcome
from soprag.tools.procedure.tables.case_tables import CaseTable, directive, header_unit
from soprag.tools.procedure.tables.verdict_tables import EMPTY
from soprag.tools.procedure.wording.passage import SourcePassage

_LIMIT = re.compile(
    r"^\W*(?:(?:\w+ )?(?:limits?|ranges?|values?|criteri(?:on|a)|specifications?|requirements?|targets?)|ok|okay|good|"
    r"normal|accept\w*|expected|required|should be|must be|in order)(?:\W+[\w/°%()]+)?\W*$",
    re.IGNORECASE,
)
_MISSED = re.compile(
    r"^\W*(?:(?:action )?(?:if|when) (?:(?:it|they) (?:is|are|does|do)(?:n't| not)|not|no|outside|out of|wrong|"
    r"exceeded|fail\w*|missed|missing|low|high)\b.*|"
    r"not ok(?:ay)?|nok|otherwise|else|bad|not in order|(?:action on )?deviations?|corrective actions?)\W*$",
    re.IGNORECASE,
)


def check_table(draft: Draft, names: list[str], rows: list[Block], named: int = 0) -> list[Node] | None:
    """A decision for every row, one after the other; None for other tables.

    `named` is the column of what is checked.
    """
    limit = next((at for at, name in enumerate(names) if at and _LIMIT.match(name)), 0)
    missed = next((at for at, name in enumerate(names) if at > limit and _MISSED.match(name)), 0)
    if not (limit and missed) or any(len(row.cells) < len(names) for row in rows) or not directive(rows, missed):
        return None
    table = CaseTable(draft, names, rows, (0,), missed)
    return [_row(draft, table, row, limit, named) for row in rows if not EMPTY.match(row.cells[named].text)]


def _row(draft: Draft, table: CaseTable, row: Block, limit: int, named: int) -> Choice:
    start = len(draft.steps)
    words = SourcePassage(f"{row.cells[named].text}: {row.cells[limit].text}", row.passage.starts[:1])
    head = draft.step(words, "decision", number=row.cells[0].text.strip(" .)") if named else "")
    draft.note(row.cells[limit], start, row.cells[named].text, header_unit(table.names[limit]))
    draft.role(row.lines, "decision")
    begun = len(draft.steps)
    body = table.answer(row, table.action)
    draft.note(row.cells[table.action], begun)
    return Choice(head, [Outcome(table.names[table.action], body)])
