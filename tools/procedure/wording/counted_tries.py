"""Conditions that say how often something has been tried: "The second time, ...", "After two failed attempts, ..."."""

import re

_TIMES = re.compile(
    r"^\W*(?P<what>(?:after )?the (?:second|third|next|last) (?:time|attempt)|(?:second|third|repeated) failure|"
    r"from the (?:second|third|fourth) (?:time|attempt) on(?:wards)?|"
    r"(?:after|at|on|upon|with) (?:(?:the|an?) )?(?:second|third|fourth|fifth|two|three|four|five|\d)\b"
    r"[\w'%° -]{1,50}?|"
    r"(?:second|third) time round)(?:\s*[,:]\s*|\s+"
    r"(?=(?:the|an?)\s+[\w-]+\s+(?:[\w-]+\s+){0,2}?(?:takes?|is|are|has|have|comes?|decides?|must|will|goes)\b|"
    r"(?:abort|abandon|stop|call|change|press|report|isolate|go|use|return|inform|leave|hand|ring|keep|move|treat)\b))",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\b(?:time|attempt|try|tries|reading|failure|occurrence|go|goes|round|trip|sample|jam|reset|flush|pass|correction|test|"
    r"return|repeat|defrost|fail\w*)(?:s|es)?\b",
    re.IGNORECASE,
)


# "After the third timeout": whatever it was that came again.
_NTH = re.compile(
    r"^\W*(?:after|upon|with) (?:the|an?) (?:second|third|fourth|fifth) (?!floor|day|week|step|line|page|hour|row|"
    r"section|pump|unit|person|door|valve)[\w-]+(?:\s+(?:without|with|of)\s+[\w -]+)?\W*$",
    re.IGNORECASE,
)


def counted(text: str) -> re.Match[str] | None:
    """The words `what` that say how often something has been tried, and where they end; None for other words."""
    found = _TIMES.match(text)
    return found if found and (_COUNTED.search(found["what"]) or _NTH.match(found["what"])) else None
