"""Checklists with a column for what is accepted and one for what is rejected: every row decides."""

import re

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.drafting.tree import Act, Choice, Go, Node, Outcome, Stop
from soprag.tools.procedure.wording.led_jumps import led_jumps
from soprag.tools.procedure.wording.targets import Exit, Target, exit_of
from soprag.tools.procedure.wording.verbs import directs

_TAIL = r"(?:\s+(?:if|when|criteri(?:on|a)|limits?))?\W*$"
_ACCEPTED = re.compile(
    rf"^\W*(?:accept(?:ed|able|ance)?|pass(?:ed)?|ok|good|serviceable|conforms?){_TAIL}",
    re.IGNORECASE,
)
_REJECTED = re.compile(
    rf"^\W*(?:reject(?:ed|ion)?|fail(?:ed)?|not ok|nok|bad|unserviceable|unacceptable|defect(?:ive)?){_TAIL}",
    re.IGNORECASE,
)
# "If a single line is answered REJECT, stop and go to the sheet X."
_RULE = re.compile(
    r"\bif\s+(?:any|one|an?|some|a single|at least one)\b[^.]{0,60}"
    r"\b(?:reject\w*|fail\w*|not ok|unserviceable|defective)\b[^.]*",
    re.IGNORECASE,
)
EMPTY = re.compile(r"^[\W_]*$|^n/?a$", re.IGNORECASE)
_UNSAID = "what is done with what is rejected is not said"


def verdict_columns(names: list[str], rows: list[Block]) -> tuple[int, int] | None:
    """The columns of what is accepted and of what is rejected; None where one is missing, or orders what to do."""
    accepted = next((at for at, name in enumerate(names) if _ACCEPTED.match(name)), 0)
    rejected = next((at for at, name in enumerate(names) if _REJECTED.match(name)), 0)
    told = [row.cells[rejected].text for row in rows if rejected < len(row.cells)]
    says = sum(directs(text) or next(led_jumps(f"then {text}"), None) is not None for text in told)
    return (accepted, rejected) if accepted and rejected and 2 * says < len(told) else None


def rejection(text: str) -> Exit | None:
    """What a document says is done when any row is rejected."""
    found = _RULE.search(" ".join(text.split()))
    return exit_of(found[0], conditional=True) if found else None


def decided(nodes: list[Node], row: Block, columns: tuple[int, int], leaving: Exit | None) -> list[Node]:
    """The nodes of a row, its last act a decision between what is accepted and what is rejected."""
    last = nodes[-1] if nodes else None
    accepted, rejected = (row.cells[at].text.strip() for at in columns)
    if not isinstance(last, Act) or EMPTY.match(rejected):
        return nodes
    last.step.kind = "decision"
    target = leaving.target if leaving else Target("title", words=_UNSAID)
    ends = target.kind in ("end", "document")
    out: list[Node] = [Stop(target.words) if ends else Go(target, last.step.scope, row.lines)]
    return [*nodes[:-1], Choice(last.step, [Outcome(accepted, []), Outcome(rejected, out)], open=False)]
