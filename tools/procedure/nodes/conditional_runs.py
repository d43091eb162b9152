"""Neighbouring clauses that stand under conditions: which belong together, and where each leads."""

import re
from dataclasses import replace

from soprag.tools.procedure.nodes.solutions import looks_back
from soprag.tools.procedure.wording.conditions import Clause
from soprag.tools.procedure.wording.exclusive import complementary
from soprag.tools.procedure.wording.onward import onward
from soprag.tools.procedure.wording.targets import Exit, bare_words, exit_of, named_section

FINITE = re.compile(
    r"\b(?:will|is|are|was|were|may|might|can|could|has|have|does|do|should|would|means?|it|they|this|\w+n't)\b",
    re.IGNORECASE,
)
_TELLS = re.compile(r"^\W*(?:(?:the|an?|no|all|both|nothing)\b|\w+ed\W*$)", re.IGNORECASE)  # a subject, or a finding
_PROCEEDS = re.compile(
    r"^\W*(?:please |you (?:can|may) )?(?:continue|carry on|go on|proceed|go to the next|"
    r"(?:complete|perform|do|execute|follow) the (?:next|following) (?:steps?|items?)\W*$)",
    re.IGNORECASE,
)


def answered(run: list[Clause]) -> list[Clause]:
    """Clauses, of which one that answers another of the run acts as that one does, whatever its verb."""
    acting = [clause for clause in run if clause.branches and clause.form == "act"]

    def answers(clause: Clause) -> bool:
        stated = clause.branches and clause.form == "statement" and bool(clause.body.text)
        return (
            stated
            and not (FINITE.search(clause.body.text) or _TELLS.match(clause.body.text) or onward(clause.body.text))
            and any(complementary([clause.condition, one.condition]) for one in acting)
        )

    return [replace(clause, form="act") if answers(clause) else clause for clause in run]


def governed(found: list[Clause], start: int) -> int:
    """The end of the sentences that a condition governs up to a jump; `start` when no jump follows.

    "If it has not fired, the controller raises an alarm. Do not reset it. Go to section 9." leaves the order of steps
    only when the condition holds.
    """
    if (
        start
        or not found[0].condition
        or found[0].opener in ("trailing", "label", "led", "only")
        or outcome_exit(found[0])
    ):
        return start
    for at in range(1, len(found)):
        clause = found[at]
        if clause.condition or clause.form == "check":
            return start
        leaving = exit_of(clause.body.text)
        if leaving is not None and not leaving.repeats and leaving.target.kind not in ("next", "document", "end"):
            return at + 1
    return start


def goes_on_unsolved(run: list[Clause]) -> bool:
    """Whether the only condition says to go on where what was done has not helped: else nothing is left to do."""
    only = run[0]
    nearby = re.search(r"\b(?:following|next|below|this)\b", only.body.text, re.IGNORECASE)
    return len(run) == 1 and bool(nearby) and tells_half(only) and looks_back(only.condition)


def leads_to_place(clause: Clause) -> bool:
    """Whether the consequence of a condition is a jump to a step or a section by its number."""
    found = outcome_exit(clause)
    return found is not None and found.target.kind in ("step", "section", "anchor")


def tells_half(clause: Clause) -> bool:
    """Whether a clause says under which condition to go on, and so leaves open what is done otherwise."""
    return clause.opener in ("if", "in case") and bool(_PROCEEDS.match(clause.body.text))


def tells_way(clause: Clause) -> bool:
    """Whether a clause says what is done under its condition, or that the procedure goes on."""
    return clause.form != "statement" or outcome_exit(clause) is not None or onward(clause.body.text)


def grouped(run: list[Clause]) -> list[tuple[Clause, list[Clause]]]:
    """Clauses in order; those that a semicolon joins to an outcome ending in a check come together."""
    found: list[tuple[Clause, list[Clause]]] = []
    at = 0
    while at < len(run):
        end = at
        checks = (
            at > 0 and run[at - 1].branches and run[at - 1].form == "check" and run[at - 1].opener != run[at].opener
        )
        while checks and end < len(run) and run[end].joined:
            end += 1
        found.append((run[at], run[at:end]))
        at = max(end, at + 1)
    return found


def outcome_exit(clause: Clause) -> Exit | None:
    """How the consequence of a condition leaves the order of steps."""
    found = exit_of(clause.body.text, conditional=True, repeated=clause.repeated or clause.opener == "times")
    return found or named_section(clause.body.text)


def continues(leaving: Exit) -> bool:
    """Whether a way out is only the way on."""
    return leaving.target.kind == "next" and not bare_words(leaving.before)


def only_leaves(clause: Clause) -> bool:
    """Whether a sentence is nothing but a jump ("Go to step k."): it belongs to the condition before it."""
    found = exit_of(clause.body.text)
    if found is None or bare_words(found.before):
        return False
    ends = found.target.kind == "end" and bool(re.search(r"\b(?:here|procedure)\b", clause.body.text, re.IGNORECASE))
    return ends or found.target.kind not in ("end", "document", "next")


def stops(clause: Clause) -> bool:
    """Whether the consequence of a condition ends the procedure."""
    found = outcome_exit(clause)
    return found is not None and found.target.kind == "end"
