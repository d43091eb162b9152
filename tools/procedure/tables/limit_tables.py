"""Tables of limits: every row is a range, of the step above that tells to read or compare it, or of no single step."""

import re

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.drafting.tree import Act, Choice, DraftStep, Node
from soprag.tools.procedure.ranges.reading_range import asks_reading
from soprag.tools.procedure.wording.passage import SourcePassage
from soprag.tools.units.prose import unit_of

_LIMIT = re.compile(
    r"\b(?:limits?|range|band|acceptable|acceptance|allowed|permitted|permissible|normal|nominal|target|set ?point|"
    r"setting|tolerance|min(?:imum)?|max(?:imum)?|low(?:er)?|high(?:er)?|upper|criteri(?:on|a)|expected|required|specification)\b",
    re.IGNORECASE,
)
_LIMITS = re.compile(
    r"^\W*(?:(?:\w+ )?limits?|(?:acceptable|permitted|permissible|allowed|normal|operating) (?:range|band|values?)|"
    r"(?:acceptance )?criteri(?:on|a)|(?:highest|lowest|maximum|minimum) \w+)\W*$",
    re.IGNORECASE,
)
_UNIT = re.compile(r"^\W*units?\W*$", re.IGNORECASE)
_LEAST = re.compile(r"\b(?:min(?:imum)?|low(?:er)?)\b", re.IGNORECASE)
_MOST = re.compile(r"\b(?:max(?:imum)?|high(?:er)?|upper)\b", re.IGNORECASE)
_BARE = re.compile(r"^\W*[-−+]?\d[\d.,]*(?:\s*\D{1,12})?$")
_COUNTED = re.compile(r"^\W*\d{0,3}\W*$")
_BRACKETS = re.compile(r"[(\[]\s*([^)\]]{1,12}?)\s*[)\]]\s*$")
_WORD = re.compile(r"[^\W\d_]{4,}")
_TABLE = re.compile(r"\b(?:in|to|with|from|of|by) (?:the|this|the following) table\b|\btable below\b", re.IGNORECASE)
_QUANTITY = re.compile(
    r"\b(?:quantity|quantities|parameters?|readings?|measurements?|measured|checks?|items?|what|signals?|gauges?|"
    r"values?|tests?|points?|steps?|lines?|no)\b",
    re.IGNORECASE,
)
_VALUED = re.compile(r"^\W*(?:[a-z]+\s+){0,3}[-−+]?\d", re.IGNORECASE)
_SPANS = re.compile(r"\d\s*(?:\S{1,6}\s*)?(?:to|-|–)\s*\d|[<>≤≥±]|\b(?:at least|at most|max|min|below|above|up to)\b")
_POINTS = re.compile(r"\b(?:table|limits?|readings?|values?|below|following)\b|:\s*$", re.IGNORECASE)


def note_limits(draft: Draft, names: list[str], rows: list[Block], before: Node | None) -> None:
    """Record the limits of a table: for the step before it, where that one tells to read what the table lists, else for
    no step, where a column is nothing but limits ("Quantity | Limit").
    """
    step = _asking(draft, names, before)
    start = draft.steps.index(step) if step else len(draft.steps)
    measured = _measured(names, rows) if step else []
    if measured:
        _note_variants(draft, names, rows, measured, start)
        return
    columns = [at for at, name in enumerate(names) if at and (_LIMIT if step else _LIMITS).search(name)]
    if step and not columns:
        columns = [at for at, name in enumerate(names) if at and _names(step.text, [name])]
    if not columns:
        return
    units = next((at for at, name in enumerate(names) if _UNIT.match(name)), -1)
    for row in rows:
        stated = (
            row.cells[units].text if 0 <= units < len(row.cells) else _bracketed(row.cells[0].text, names[columns[0]])
        )
        own = unit_of(stated) or ""
        limits = [_limit(names[at], row.cells[at].text, own) for at in columns if at < len(row.cells)]
        words = SourcePassage(" ".join(filter(None, limits)), ((0, row.lines[0]),))
        named = next((cell.text for cell in row.cells if not _COUNTED.match(cell.text)), row.cells[0].text)
        draft.note(words, start, f"{named} {_column(names[columns[0]])}".strip(), own)


def _asking(draft: Draft, names: list[str], before: Node | None) -> DraftStep | None:
    """The step of the node before a table, where it tells to read what the table lists."""
    step = before.step if isinstance(before, Act | Choice) else None
    here = step is not None and step in draft.steps and step.scope == draft.scope
    return step if step is not None and here and _asks_for(step.text, names) else None


def _measured(names: list[str], rows: list[Block]) -> list[int]:
    """The columns that are named by what is measured, where the rows are for a model or a kind each."""
    if _QUANTITY.search(names[0]) or _UNIT.match(names[-1]) or any(map(_LIMITS.match, names[1:])):
        return []
    whole = [row for row in rows if len(row.cells) == len(names)]
    if len(whole) < len(rows) or any(re.search(r"[<>≤≥±]|\d\s*(?:to|-|–)\s*\d", row.cells[0].text) for row in rows):
        return []
    found = [at for at, name in enumerate(names) if at and _column(name)]
    stated = [at for at in found if all(_VALUED.search(row.cells[at].text) for row in rows)]
    return stated if len(rows) > 1 and any(_SPANS.search(row.cells[at].text) for at in stated for row in rows) else []


def _note_variants(draft: Draft, names: list[str], rows: list[Block], columns: list[int], start: int) -> None:
    for row in rows:
        for at in columns:
            own = unit_of(_bracketed(names[at])) or ""
            words = SourcePassage(_limit(names[at], row.cells[at].text, own), ((0, row.lines[0]),))
            draft.note(words, start, _BRACKETS.sub("", names[at]).strip(), own, variant=row.cells[0].text.strip())


def _asks_for(step: str, names: list[str]) -> bool:
    """Whether a step tells to read what a table lists: it points to the table, or names what a column has."""
    points = bool(_POINTS.search(step)) or _names(step, names)
    return bool(_TABLE.search(step)) or (asks_reading(step) and points)


def _names(step: str, names: list[str]) -> bool:
    """Whether a step has a word of the heads of columns."""
    words = {word for name in names for word in _WORD.findall(name.lower())}
    return bool(words & {*_WORD.findall(step.lower())})


def _bracketed(*texts: str) -> str:
    """The unit that the first of the texts with brackets has in them."""
    return next((found[1] for text in texts if (found := _BRACKETS.search(text))), "")


def _column(name: str) -> str:
    """What a column of limits measures, from its head without the words for a limit."""
    return " ".join(_WORD.findall(_LIMIT.sub(" ", name)))


def _limit(name: str, cell: str, unit: str) -> str:
    """The words of a cell, with those of its head where the cell is a bare number."""
    if not cell.strip():
        return ""
    written = cell if re.search(r"\D\s*$", cell) or not unit else f"{cell} {unit}"
    if not _BARE.match(cell):
        return written
    bound = "min. " if _LEAST.search(name) else "max. " if _MOST.search(name) else ""
    return f"{bound}{written}"
