"""Words that say that the work goes on with what follows: "continue", "passed", "same as before, carry on below"."""

import re

_ONWARD = re.compile(
    r"\b(?:continue|carry on|go on|move on|proceed|passed|pass|ok|in order|no action|nothing to do|none|record|"
    r"accept(?:ed)?|"
    r"correct|normal|nothing)\b"
    r"(?:\s+(?:with|to)\s+(?:the\s+)?[\w -]+|\s+(?:below|here|as usual|as planned|down the list))?\W*$|"
    r"^\W*next(?:\s+[a-z]+)?\W*$|\b(?:lets? you|you (?:can|may)|we can) (?:go|move|carry) on\W*$",
    re.IGNORECASE,
)
_ONLY = re.compile(
    r"^\W*(?:(?:please|just|simply|then|and|so|all (?:is )?(?:well|good|fine|ok)|fine|ok|good|normal|you (?:can|"
    r"may)|we)[,;:]?\s+)*"
    r"(?:continue|carry on|go on|goes on|move on|proceed|keep going|next|nothing (?:needed|necessary|to do)|"
    r"none (?:needed|necessary)|"
    r"no (?:action|treatment|change|measures?)(?: (?:is )?(?:needed|required|necessary))?)"
    r"(?:\s+(?:below|here|on|down|as (?:usual|planned|below|described)|in the (?:list|order)|down the list|"
    r"(?:with|to) (?:the )?(?:next|following) \w+|(?:with|to) what follows|step|line|item|box|point|bullet|row))?\W*$",
    re.IGNORECASE,
)
_BRIEF = 3  # words that say no more than that


def onward(text: str) -> bool:
    """Whether a consequence says that the procedure goes on, whatever else it says before."""
    return bool(_ONWARD.search(text))


def only_onward(text: str) -> bool:
    """Whether a consequence says nothing but that the procedure goes on."""
    return bool(_ONLY.match(text)) or (onward(text) and len(text.split()) <= _BRIEF)
