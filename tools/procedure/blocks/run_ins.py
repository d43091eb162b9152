"""Paragraphs and items that open with a heading of their own in bold or italics ("**Low battery:** Go back.")."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.wording.clauses import clauses
from soprag.tools.procedure.wording.passage import plain
from soprag.tools.procedure.wording.verbs import directs

_RUN_IN = re.compile(
    r"^\s*(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?P<mark>\*\*|__|[*_])(?P<label>[^*_]{3,90}?)(?P=mark)(?P<end>\s*[:.,]?)\s+\S"
)
_FEWEST = 3  # paragraphs of this form that make it the form of a section


@dataclass(frozen=True)
class RunIn:
    """A block without its bold heading, and the heading."""

    label: str
    block: Block


def run_in(block: Block, rows: Sequence[str]) -> RunIn | None:
    """The bold heading that a paragraph or item opens with, and its further words; None without one."""
    if block.kind not in ("paragraph", "item") or not block.lines:
        return None
    found = _RUN_IN.match(rows[block.lines[0] - 1])
    if found is None or not (found["end"].strip() or found["label"].rstrip()[-1] in ":.,"):
        return None
    label = re.sub(r"^(?:\d{1,3}|[a-z])[.)]\s*", "", plain(found["label"]))
    at = block.text.find(label)
    if at < 0:
        return None
    rest = re.match(r"[\s:.,]*", block.text[at + len(label) :])
    start = at + len(label) + (rest.end() if rest else 0)
    return RunIn(label.strip(" :.,"), replace(block, passage=block.passage.cut(start, len(block.text))))


def told_by_run_ins(blocks: Sequence[Block], rows: Sequence[str]) -> bool:
    """Whether a section is told in paragraphs with bold headings, most of which order something."""
    found = [one for block in blocks if block.kind == "paragraph" and (one := run_in(block, rows))]
    acting = sum(any(clause.form != "statement" for clause in clauses(one.block.passage)) for one in found)
    return (len(found) >= _FEWEST and 2 * acting >= len(found)) or 1 < acting == len(found)


def run_in_cases(blocks: Sequence[Block], rows: Sequence[str]) -> list[RunIn]:
    """The blocks of a section when each opens with the name of a case, and hardly one with an order; else none."""
    found = [run_in(block, rows) for block in blocks if block.kind in ("paragraph", "item")]
    cases = [one for one in found if one is not None]
    orders = sum(directs(one.label) for one in cases)
    return cases if len(cases) > 1 and len(cases) == len(found) and 4 * orders < len(cases) else []
