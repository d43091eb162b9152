"""Candidate sheets: the few lines by which a model compares the candidates of a search.

    [3] Coolant leak response
    purpose: Stops a leak at a rack and restores the loop.
    sections: Detect; Isolate; Refill
    issues: ALM-17; puddle below the manifold
    on: manifold, leak sensor (Facilities)
    text: Close the isolation valves of the row before the tray is drained.

The text is the passage nearest to the question that is neither the opening nor boilerplate, that is, a line that stands
in several candidates. Headings that most candidates have are left out too, and rows that stood on a sheet before.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from soprag.tools.markdown.inline import plain
from soprag.tools.markdown.page import read
from soprag.tools.procedure.source_text import letters_of
from soprag.tools.retriever.index.reader import Elements
from soprag.tools.retriever.query.late_interaction import interact
from soprag.tools.retriever.query.query import Query
from soprag.tools.sop import Sop, Views
from soprag.tools.text.relevance import relevance
from soprag.tools.text.sanitize import one_line
from soprag.tools.text.sentences import sentences

LONGEST = 420  # characters of one sheet: at most 120 tokens
_TITLE, _PURPOSE, _SECTIONS, _ISSUES, _ON, _PASSAGE = 80, 160, 80, 70, 50, 150
_COMMON = 0.3  # share of the candidates from which on a heading says nothing
_FEWEST = 4  # words of a line that can stand for a passage
_NEAREST = 3  # passages whose lines are compared


@dataclass(frozen=True)
class SheetWriter:
    """Writes the sheets of the candidates of one question; `candidates` must not be empty."""

    query: Query
    candidates: Sequence[Elements]

    def write(self) -> str:
        """The sheets in the order of the candidates, numbered from 1."""
        sops = [candidate.content.sop for candidate in self.candidates]
        views = [candidate.content.views for candidate in self.candidates]
        common = _common_headings(views)
        passages = self._passages(sops)
        sheets, known = list[str](), set[str]()
        for number, (sop, view, passage) in enumerate(zip(sops, views, passages, strict=True), 1):
            rows = _rows(view, common, passage)
            sheets.append(_sheet(number, sop.title, [row for row in rows if row not in known]))
            known.update(rows)
        return "\n".join(sheets)

    def _passages(self, sops: Sequence[Sop]) -> list[str]:
        pages = [_statements(sop.body) for sop in sops]
        spread = Counter(key for statements in pages for key in {letters_of(text) for text in statements.values()})
        return [
            self._nearest(
                place, sop.body.split("\n"), {n: text for n, text in page.items() if spread[letters_of(text)] == 1}
            )
            for place, (sop, page) in enumerate(zip(sops, pages, strict=True))
        ]

    def _nearest(self, place: int, body: list[str], statements: Mapping[int, str]) -> str:
        """The statement on the line of this candidate that is nearest to the question."""
        opening = statements.get(min(statements, default=0), "")
        scores = {
            number: score
            for number, score in self._line_scores(place, body).items()
            if number in statements and statements[number] != opening
        }
        best = max(scores, key=lambda number: (scores[number], -number), default=0)
        return _around(statements[best], body[best], _PASSAGE) if scores else ""

    def _line_scores(self, place: int, body: list[str]) -> dict[int, float]:
        """Similarity by index of a body line; by late interaction, or by shared words without token vectors."""
        candidate = self.candidates[place]
        if candidate.tokens is None or not self.query.tokens.size:
            return dict(enumerate(relevance(self.query.text, body)))
        compared = interact(self.query, [candidate], _NEAREST)
        passages = set(compared.passages.tolist())
        rows = [row for row, passage in enumerate(candidate.token_lines.passages.tolist()) if passage in passages]
        if not len(candidate.tokens.lines):
            return {}
        numbers = candidate.tokens.lines[candidate.token_lines.starts[rows]].tolist()
        scores = (compared.rarity @ compared.best).tolist()
        return {number - 1: score for number, score in zip(numbers, scores, strict=True) if number}


def _statements(body: str) -> dict[int, str]:
    """Index of a body line -> the paragraph, item or table row that it is part of, on one line."""
    statements: dict[int, str] = {}
    rows = body.split("\n")
    for block in read(body).blocks:
        lines = range(block.lines.start - 1, min(block.lines.end, len(rows)))
        if block.kind == "table":
            statements.update((line, one_line(plain(rows[line]))) for line in lines)
        elif block.kind in ("paragraph", "item"):
            statements.update(dict.fromkeys(lines, one_line(plain(block.text))))
    return {line: text for line, text in statements.items() if len(text.split()) >= _FEWEST}


def _around(statement: str, line: str, limit: int) -> str:
    """The sentences of a statement from the one on which `line` begins, up to `limit` characters."""
    begins = one_line(plain(line))[:24]
    parts = sentences(statement)
    first = next((place for place, part in enumerate(parts) if begins in part), 0)
    return one_line(" ".join(parts[first:]), limit)


def _common_headings(views: Sequence[Views]) -> set[str]:
    spread = Counter(heading.casefold() for view in views for heading in view.sheet.sections)
    return {heading for heading, count in spread.items() if count > max(1, math.floor(_COMMON * len(views)))}


def _rows(views: Views, common: set[str], passage: str) -> list[str]:
    """What a sheet can say below its title, the most telling first."""
    sheet = views.sheet
    sections = [heading for heading in sheet.sections if heading.casefold() not in common]
    said = letters_of(f"{views.card.abstract} {passage}")
    issues = [text for text in sheet.issues if letters_of(text) not in said]
    on = _fitting(sheet.equipment, _ON, ", ") + (f" ({sheet.departments[0]})" if sheet.departments else "")
    rows = {
        "purpose": one_line(views.card.abstract, _PURPOSE),
        "text": passage,
        "issues": _fitting(issues, _ISSUES, "; "),
        "sections": _fitting(sections, _SECTIONS, "; "),
        "on": on.strip(),
    }
    return [f"{name}: {text}" for name, text in rows.items() if text]


def _sheet(number: int, title: str, rows: Iterable[str]) -> str:
    """A sheet of as many rows as it has room for; a row that would lose more than half of itself is left out."""
    lines = [f"[{number}] {one_line(title, _TITLE)}"]
    for row in rows:
        room = LONGEST - sum(len(line) + 1 for line in lines)
        if room > len(row) // 2:
            lines.append(one_line(row, room))
    return "\n".join(lines)


def _fitting(items: Iterable[str], limit: int, joint: str) -> str:
    """As many of the items as the limit has room for; at least the first, cut."""
    text = ""
    for item in items:
        longer = f"{text}{joint}{item}" if text else one_line(item, limit)
        if len(longer) > limit:
            break
        text = longer
    return text
