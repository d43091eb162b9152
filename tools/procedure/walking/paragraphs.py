"""Whether a paragraph of a section tells what to do: orders, conditions over acts, lead-ins to a command."""

import re
from dataclasses import dataclass

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.items.inner_blocks import is_command
from soprag.tools.procedure.nodes.conditional_runs import tells_half
from soprag.tools.procedure.nodes.narrative import tells_activity
from soprag.tools.procedure.nodes.solutions import looks_back
from soprag.tools.procedure.wording.clauses import clauses
from soprag.tools.procedure.wording.command_leads import names_purpose
from soprag.tools.procedure.wording.conditions import Clause
from soprag.tools.procedure.wording.outcome_labels import compares
from soprag.tools.procedure.wording.verbs import directs, opens_with_verb

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
# What happens or may be so, with a subject of its own or before the reader's eyes: no order to anybody.
_TOLD = re.compile(
    r"^\W*(?:(?:it|this|that|they|these|those|there)\s+(?:\w+\s+){0,2}(?:may|might|can|could|will|would|is|are)\b|"
    r"(?:it|this|that|they|there)['’](?:s|ll|re)\b|"
    r"you\s+(?:may|might|can|will|should)\s+(?:see|notice|find|get|observe|expect)\b|"
    r"(?:the|an?|this|that|these|those|its|their|all|some|most|no|[A-Z][\w-]*)\s+(?:\S+\s+){0,6}?"
    r"(?:may|might|will|won't|would|is|are|was|were|has|have|logs|displays|shows|appears|occurs|happens|becomes)\b)"
)
# What a procedure is for and when it is done, above its steps: "Applies to both types.", "For a leak use EOP-2"
_SCOPE = re.compile(
    r"^\W*(?:(?:applies|valid|applicable|intended|meant)\b|(?:do|use|carry out|perform|follow) (?:this|it)\b|"
    r"do not use (?:this|it)\b|for\b[^.;]{3,80}\b(?:use|see|follow)\b[^.;]*\binstead\b)",
    re.IGNORECASE,
)
_RUNS = re.compile(r"\b(?:need to|(?<!will )run|running|use|using|command|execute)\b|\bcan be \w+ .{0,80}\bwith:?$")
_AT_A_TIME = re.compile(r"^\W*(?:half an hour|an hour|one|two|\d+|before|after|at|on)\b[^.:;]{3,60},\s", re.IGNORECASE)
# What is said of the text itself, or of the people, at its head.
_ABOUT_TEXT = re.compile(
    r"\b(?:this|these) (?:procedure|document|instructions?|sop|steps?|guide|page|section|card|sheet|checklist|test|"
    r"work|job|alert|runbook)\b|"
    r"\b(?:below|following|above|entire|whole document|wear|ppe|read|follow|use|keep|observe|refer|note|remember|"
    r"never|always|make sure|ensure)\b",
    re.IGNORECASE,
)
GOES_ON = re.compile(r"^(?:and|or) (?:then )?[a-z]")  # a sentence that a command above interrupts
_NOTE = re.compile(r"^\W*(?:(?:please )?note\s*(?::|that\b)|n\.?b\.?:?)\s*", re.IGNORECASE)
_OFFERS = re.compile(r"^\W*note\s*:\s*you (?:can|may|could|might)\b", re.IGNORECASE)
_STATE = re.compile(r"\b(?:should|must|will)\s+(?:be|have|host|hold|contain|look|show|match|read|list)\b")
_NEEDED = re.compile(r"\b(?:needs?|requires?|required|must|should|shall|(?:has|have) to)\b")


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
        if len(found) > 1 and found[0].form == "act" and tells_half(found[-1]) and looks_back(found[-1].condition):
            return True  # "Restart it. If this does not help, continue with the following steps."
        if announces and all(clause.form == "statement" or _SCOPE.match(clause.passage.text) for clause in found):
            return False
        if not found or (_FOLLOW.search(self.block.text) and self._leads((":", "steps.", "below."))):
            return False
        told = self.narrative and any(tells_activity(clause.body.text) for clause in found)
        if told or re.match(r"^\W*(?:use|see|read) this\b", self.block.text, re.IGNORECASE):
            return told
        if self.conditions_command():
            return True
        parts = any(clause.opener == "otherwise" for clause in found[1:])  # "Do this once a year. Otherwise go to ..."
        return (parts or not self._introduces(found[0], announces)) and self._acts(found)

    def orders_only(self) -> bool:
        """Whether it does nothing but order what is done to the thing at hand, even at the head of a document."""
        found = clauses(self.block.passage)
        if not found or self.block.text.rstrip().endswith(":"):
            return False
        acting = all(clause.form != "statement" or clause.condition for clause in found)
        orders = opens_with_verb(self.block.text) or bool(_AT_A_TIME.match(self.block.text))
        return acting and orders and directs(found[0].body.text) and not _ABOUT_TEXT.search(self.block.text)

    def conditions_command(self) -> bool:
        """Whether it ends in the condition of the command below it and nothing else ("If the issue persists:")."""
        last = clauses(self.block.passage)[-1]
        return self.shows and last.opener in ("if", "in case") and not last.body.text

    def orders_command(self) -> bool:
        """Whether it orders what the code below it shows: an act even where the section only explains."""
        return self.shows and self._leads() and directs(clauses(self.block.passage)[-1].body.text)

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
        acting = [clause for clause in found if clause.form != "statement" or _decides(clause)]
        governed = any(_supposes(clause) and clause.form in ("act", "wait") for clause in found)
        return bool(acting) and (governed or _decides(found[0]) or len(acting) / len(found) >= 0.5)

    def _commanded(self) -> bool:
        """Whether it leads to a command below it that somebody runs, not to a sample of output."""
        words = self.block.text.lower()
        needs = _RUNS.search(words)
        output = re.search(r"\b(?:output|example|looks?|similar|returns?|displays?|logs? )\b", words)
        opens = words.rstrip()[-1:] not in ".!?" and self.following is not None and is_command(self.following)
        return self.shows and bool(needs or (opens and not _STATE.search(words))) and not output


def only_notes(text: str) -> bool:
    """Whether a paragraph is a note that tells or offers something ("Note: You can ...", "Note that ...")."""
    found = _NOTE.match(text)
    return bool(_OFFERS.match(text)) or (found is not None and not directs(text[found.end() :]))


def _supposes(clause: Clause) -> bool:
    """Whether a clause stands under a condition in words of its own, or under a compared value ("Over 6.0: ...")."""
    return clause.opener in ("if", "in case", "asked") or (clause.opener == "label" and compares(clause.condition))


def _decides(clause: Clause) -> bool:
    """Whether a condition has a consequence for the reader; "if the pump trips, it may be hot" only tells something."""
    announced = clause.passage.text[: -len(clause.body.text) or None].rstrip().endswith(":")
    told = _TOLD.search(clause.body.text) and not _NEEDED.search(clause.body.text)
    return clause.branches and (clause.form != "statement" or announced or not told)


def _commands(clause: Clause) -> bool:
    """Whether a sentence leads to the command below it ("To view the status:", "Query the index:")."""
    words = clause.passage.text
    return names_purpose(words) or (
        words.rstrip().endswith(":") and (clause.form != "statement" or opens_with_verb(words))
    )


def acts_later(item: Block) -> bool:
    """Whether a sentence behind the first tells what to do under a condition ("... If engaged, call the team.")."""
    return any(clause.condition and clause.form in ("act", "wait") for clause in clauses(item.passage)[1:])


def tells_acts(block: Block) -> bool:
    """Whether a note tells what to do: it opens with an order, or holds one under a condition."""
    if opens_with_verb(block.text) and directs(block.text):
        return True
    return any(clause.condition and clause.form == "act" for clause in clauses(block.passage))
