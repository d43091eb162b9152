"""Whether a paragraph of a section tells what to do: orders, conditions over acts, lead-ins to a command."""

import re
from dataclasses import dataclass

from soprag.tools.procedure.blocks import Block
from soprag.tools.procedure.clauses import clauses
from soprag.tools.procedure.conditions import Clause
from soprag.tools.procedure.narrative import tells_activity
from soprag.tools.procedure.verbs import directs, opens_with_verb

_FOLLOW = re.compile(
    r"\b(?:follow(?:ing)?|these|below)\b[^.]*\b(?:steps?|procedure|instructions?|actions?|way|"
    r"order)\b[^.]*:?$|\bas follows:?$|"
    r"\bthis (?:procedure|document|sop|page|section|runbook|guide|workbook)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"\b(?:the following|these|all of the|any of the)\s+(?:\w+\s+){0,2}"
    r"(?:methods?|ways?|steps?|actions?|measures?|checks?|tasks?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Paragraph:
    """A paragraph and the block below it; `narrative` says that the document tells activities."""

    block: Block
    following: Block | None
    narrative: bool

    @property
    def lists(self) -> bool:
        """Whether items stand below it."""
        return self.following is not None and self.following.kind == "item"

    @property
    def shows(self) -> bool:
        """Whether a command or its output stands below it."""
        return self.following is not None and self.following.kind == "code"

    def procedural(self, announces: bool) -> bool:
        """Whether it tells what to do; `announces` says that it stands at the head of a numbered list."""
        found = clauses(self.block.passage)
        if not found or (_FOLLOW.search(self.block.text) and self._leads((":", "steps.", "below."))):
            return False
        told = self.narrative and any(tells_activity(clause.body.text) for clause in found)
        if told or re.match(r"^\W*(?:use|see|read) this\b", self.block.text, re.IGNORECASE):
            return told
        if self.conditions_command():
            return True
        return not self._introduces(found[0], announces) and self._acts(found)

    def conditions_command(self) -> bool:
        """Whether it ends in the condition of the command below it and nothing else ("If the issue persists:")."""
        last = clauses(self.block.passage)[-1]
        return self.shows and last.opener in ("if", "in case") and not last.body.text

    def _leads(self, ends: tuple[str, ...] = (":",)) -> bool:
        return self.block.text.rstrip().endswith(ends)

    def _introduces(self, first: Clause, announces: bool) -> bool:
        """Whether it only introduces the list below it, or says when that list holds."""
        if self.lists and self._leads() and _LISTED.search(self.block.text) and self._acts_follow():
            return True
        if announces and (first.form == "statement" or _FOLLOW.search(self.block.text) or self._leads()):
            return True
        return bool(first.condition) and (not first.body.text or (self.lists and self._leads()))

    def _acts_follow(self) -> bool:
        return self.following is not None and directs(self.following.text)

    def _acts(self, found: list[Clause]) -> bool:
        if found[0].form != "statement" or self._commanded() or (self.shows and _commands(found[-1])):
            return True
        acting = [clause for clause in found if clause.form != "statement" or clause.branches]
        governed = any(clause.opener in ("if", "in case") and clause.form in ("act", "wait") for clause in found)
        return bool(acting) and (governed or found[0].branches or len(acting) / len(found) >= 0.5)

    def _commanded(self) -> bool:
        """Whether it leads to a command below it that somebody runs, not to a sample of output."""
        words = self.block.text.lower()
        needs = re.search(r"\b(?:need to|run|running|use|using|command|execute)\b", words)
        output = re.search(r"\b(?:output|example|looks?|similar|returns?|displays?|logs? )\b", words)
        return self.shows and bool(needs) and not output


def _commands(clause: Clause) -> bool:
    """Whether a sentence leads to the command below it ("To view the status:", "Query the index:")."""
    words = clause.passage.text
    purpose = bool(re.match(r"^\W*to\s+[a-z-]+\b[^,]*:$", words, re.IGNORECASE))
    return words.rstrip().endswith(":") and (purpose or clause.form != "statement" or opens_with_verb(words))
