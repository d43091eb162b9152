"""Jumps of one sentence for a case each: "Go to section 2 with a BL-200 and to section 3 with a BL-300E."."""

import re

from soprag.tools.procedure.drafting.tree import Fork, Go, Node, Outcome
from soprag.tools.procedure.nodes.branching import Brancher
from soprag.tools.procedure.wording.conditions import Clause
from soprag.tools.procedure.wording.targets import Target

_PLACE = r"(?P<kind>section|part|chapter|phase|card|step)\s+(?P<place>\d{1,2}(?:\.\d{1,2})*|(?-i:[A-Z]))\b"
_GOES = r"(?:go|goes|proceeds?|continues?|moves?|carry on|carries on)(?:\s+on)?"
_AND = r"(?:and|while|whereas)"
# The case behind the place: "go to section 2 with a BL-200 and to section 3 with a BL-300E".
_BEHIND = re.compile(
    rf"(?:\b{_GOES}\s+)?\b(?:to|with|at)\s+{_PLACE}\s+(?:with|for|on|in)\s+(?P<case>[^,.;:]+?)"
    r"(?=\s*(?:[,;.]|$)|\s+(?:and|or)\s+(?:to|with|at|go|goes|proceed|continue)\b)",
    re.IGNORECASE,
)
# The case before it: "K-301A continues with section 2, K-301B with section 3".
_BEFORE = re.compile(
    rf"(?:^\W*|[,;]\s*(?:{_AND}\s)?|\s{_AND}\s)(?!{_AND}\s)"
    rf"(?P<case>[^,.;:]{{2,40}}?),?\s+(?:{_GOES}\s+)?(?:to|with|at)\s+{_PLACE}"
    r"(?=\s*(?:[,;.]|$)|\s+(?:and|while)\b)",
    re.IGNORECASE,
)
# "For a CW-40, continue with part B; for a KR-3, go to part C".
_FOR = re.compile(
    rf"(?:^\W*|[,;]\s*(?:and\s+)?)for\s+(?P<case>[^,.;:]{{2,40}}?),?\s+(?:{_GOES}\s+)?(?:to|with|at)\s+{_PLACE}"
    r"(?=\s*(?:[,;.]|$))",
    re.IGNORECASE,
)
_OPENS = re.compile(rf"^\W*{_GOES}\b", re.IGNORECASE)
_NAMED = re.compile(rf"^\W*[^,.;:]{{2,40}}?,?\s+{_GOES}\s", re.IGNORECASE)


def parted(clause: Clause, brancher: Brancher) -> Fork | None:
    """The ways of a sentence that sends two or more cases to a place each; None for other sentences."""
    text = clause.body.text
    if clause.condition:
        return _of(list(_FOR.finditer(clause.passage.text)), clause, brancher)
    if not (_OPENS.match(text) or _NAMED.match(text)):
        return None
    return _of(list((_BEHIND if _OPENS.match(text) else _BEFORE).finditer(text)), clause, brancher)


def _of(found: list[re.Match[str]], clause: Clause, brancher: Brancher) -> Fork | None:
    """The ways of the cases that were found; None for fewer than two places."""
    if len(found) < 2 or len({one["place"].lower() for one in found}) < 2:
        return None
    return Fork("variant", [Outcome(one["case"].strip(), [brancher.go(_target(one), clause.passage)]) for one in found])


def only_parts(nodes: list[Node]) -> bool:
    """Whether nodes do nothing but send every case to its place."""
    fork = nodes[0] if len(nodes) == 1 else None
    return isinstance(fork, Fork) and all(len(one.body) == 1 and isinstance(one.body[0], Go) for one in fork.outcomes)


def _target(found: re.Match[str]) -> Target:
    if found["kind"].lower() == "step":
        return Target("step", step=found["place"].lower(), words=found[0].strip(" ,;"))
    return Target("section", found["place"], words=found[0].strip(" ,;"))
