"""What the consequence of a condition asks for before it leaves: something, nothing, or a command."""

import re

from soprag.tools.procedure.wording.clauses import sentences
from soprag.tools.procedure.wording.conditions import form
from soprag.tools.procedure.wording.endings import says_done
from soprag.tools.procedure.wording.passage import SourcePassage
from soprag.tools.procedure.wording.verbs import forbids, opens_with_verb

_PARTS = re.compile(r"[,;.:]\s+(?:and\s+)?|\s+and\s+|\s[–—-]\s")
# "w32tm /resync", "systemctl restart chrony": an outcome that is a command and nothing else.
_COMMAND = re.compile(r"^[a-z][\w.-]*(?:\s+[\w./:=@<>-]+)*\s+(?:[/-]{1,2}\w|[\w.-]+[./_=]\w)\S*(?:\s+\S+)*$")
_IDLE = re.compile(
    r"^\W*(?:no|nothing|none|fine|ok|okay|good|normal|all (?:is )?(?:well|fine|good|ok))\b(?!.*\bbut\b)", re.IGNORECASE
)

_LEFT = re.compile(
    r"^\W*leave (?:(?:it|them|this|that|everything)|the (?:[\w-]+ ){1,3}?)\s*(?:alone|untouched|where|"
    r"as (?:it|they|is|are)|in place|on|"
    r"off|shut|closed|open)\b[^,;]*$",
    re.IGNORECASE,
)
_PASSED = re.compile(
    r"^\W*(?:skip|omit|leave out|bypass) (?:the |this )?(?:[\w-]+ ?){1,4}(?:,|and)?\W*$", re.IGNORECASE
)


def only_ends(text: str) -> bool:
    """Whether words that end the work ask for nothing ("no action, end", "nothing to fill; finish")."""
    return all(_IDLE.match(part) or says_done(part) for part in _PARTS.split(text) if part.strip(" .;"))


def orders_something(text: str) -> bool:
    """Whether words before a jump ask for something ("ring control, then step 5"), and not only tell what was found."""
    return any(form(part) != "statement" or opens_with_verb(part) for part in _PARTS.split(text) if part.strip())


def only_forbids(text: str) -> bool:
    """Whether every sentence forbids something, leaves things as they are, or names what the way passes by."""
    told = [part.text for part, _ in sentences(SourcePassage(text, ((0, 0),)))]
    return all(forbids(one) or _LEFT.match(one) or _PASSED.match(one) for one in told)


def is_command_line(text: str) -> bool:
    """Whether words are a command and nothing else ("systemctl restart chrony.service")."""
    return bool(_COMMAND.match(text))
