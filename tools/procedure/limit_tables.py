"""Tables of limits below a step that tells to read or compare: every row is a range of that step."""

import re

from soprag.tools.procedure.blocks import Block
from soprag.tools.procedure.draft import Draft
from soprag.tools.procedure.passage import SourcePassage
from soprag.tools.procedure.reading_range import asks_reading
from soprag.tools.procedure.tree import Act, Node
from soprag.tools.units.prose import unit_of

_LIMIT = re.compile(
    r"\b(?:limits?|range|band|acceptable|acceptance|allowed|permitted|permissible|normal|nominal|target|set ?point|"
    r"tolerance|min(?:imum)?|max(?:imum)?|low(?:er)?|high(?:er)?|upper|criteri(?:on|a)|expected|required|specification)\b",
    re.IGNORECASE,
)
_UNIT = re.compile(r"^\W*units?\W*$", re.IGNORECASE)
_LEAST = re.compile(r"\b(?:min(?:imum)?|low(?:er)?)\b", re.IGNORECASE)
_MOST = re.compile(r"\b(?:max(?:imum)?|high(?:er)?|upper)\b", re.IGNORECASE)
_BARE = re.compile(r"^\W*[-−+]?\d[\d.,]*(?:\s*\D{1,12})?$")
_POINTS = re.compile(r"\b(?:table|limits?|readings?|values?|below|following)\b|:\s*$", re.IGNORECASE)


def note_limits(draft: Draft, names: list[str], rows: list[Block], before: Node | None) -> None:
    """Record the limits of a table for the step before it, where that one tells to read what the table lists."""
    columns = [at for at, name in enumerate(names) if at and _LIMIT.search(name)]
    if not columns or not isinstance(before, Act) or before.step not in draft.steps:
        return
    if before.step.scope != draft.scope or not (asks_reading(before.step.text) and _POINTS.search(before.step.text)):
        return
    units = next((at for at, name in enumerate(names) if _UNIT.match(name)), -1)
    for row in rows:
        own = unit_of(row.cells[units].text) or "" if 0 <= units < len(row.cells) else ""
        limits = [_limit(names[at], row.cells[at].text, own) for at in columns if at < len(row.cells)]
        words = SourcePassage(" ".join(filter(None, limits)), ((0, row.lines[0]),))
        draft.note(words, draft.steps.index(before.step), row.cells[0].text, own)


def _limit(name: str, cell: str, unit: str) -> str:
    """The words of a cell, with those of its head where the cell is a bare number."""
    if not cell.strip():
        return ""
    written = cell if re.search(r"\D\s*$", cell) or not unit else f"{cell} {unit}"
    if not _BARE.match(cell):
        return written
    bound = "min. " if _LEAST.search(name) else "max. " if _MOST.search(name) else ""
    return f"{bound}{written}"
