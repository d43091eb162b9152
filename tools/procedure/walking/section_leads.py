"""Paragraphs that only say when a section or the steps below them hold ("If you see a message like:")."""

import re
from dataclasses import dataclass, field

from soprag.tools.procedure.drafting.draft import Draft
from soprag.tools.procedure.nodes.composing import lead_condition
from soprag.tools.procedure.walking.paragraphs import Paragraph
from soprag.tools.procedure.wording.clauses import clauses
from soprag.tools.procedure.wording.hold_points import section_hold

WHEN = re.compile(r"^\W*(?:if|when|once|in case)\b|\bif (?:alarm|the|this|an?)\b[^.]*:$", re.IGNORECASE)
_IF = re.compile(r"^\W*(?:if|in case)\b", re.IGNORECASE)
_THIS = re.compile(r"^\W*(?:when|if|once) (?:this|the) (?:alert|alarm|error|issue|problem)\b", re.IGNORECASE)


@dataclass
class SectionLeads:
    """Remembers the conditions of sections, each by the index of its section."""

    draft: Draft
    stated: dict[int, tuple[str, int]] = field(default_factory=dict)  # the words of "If ...:" and their line
    opening: dict[int, bool] = field(default_factory=dict)  # whether the section opens with a lead-in of that kind

    def governs(self, view: Paragraph) -> bool:
        """Whether the first paragraph of a section only says when the section holds."""
        block = view.block
        told = clauses(block.passage)
        only = section_hold(block.text)
        if only:
            self.stated[self.draft.scope] = (only, block.lines[0])
            return True
        if not told or not told[0].condition or told[0].opener not in ("if", "in case") or not block.text.endswith(":"):
            return False
        if len(told) == 1 and view.conditions_command():
            return False  # the command below is what is done then
        if told[-1].body.text and not (view.lists and len(told) == 1 and not lead_condition(block.passage)):
            return False
        self.opening[self.draft.scope] = True
        if view.lists:
            self.stated[self.draft.scope] = (told[0].condition, block.lines[0])
        return True

    def leads_in(self, view: Paragraph, opens: bool) -> bool:
        """Whether a paragraph says when the steps below it hold: all of the section, when it `opens` that."""
        block = view.block
        told = clauses(block.passage)
        if not told or _THIS.match(block.text) or not block.text.rstrip().endswith(":"):
            return False
        if not WHEN.match(told[-1].passage.text):
            return False
        self.opening[self.draft.scope] = opens or self.opening.get(self.draft.scope, False)
        condition = lead_condition(block.passage) or (told[0].condition if view.lists else "")
        if opens and condition and _IF.match(block.text):
            self.stated[self.draft.scope] = (condition, block.lines[0])
        return True
