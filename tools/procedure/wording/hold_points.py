"""Hold points: sentences that let the procedure go on under a condition only ("Only proceed if the line is dead.")."""

import re

_ON = r"(?:proceed|continue|go on|go ahead|carry on|move on)"
_WORD = r"(?P<word>if|provided(?: that)?|as long as|on condition that)\b\s*"
_HOLD = re.compile(
    rf"^\W*(?:please\s+|you\s+(?:may|can|should|must)\s+)?"
    rf"(?:only\s+{_ON}\b[^.;:]*?|{_ON}\b[^.;:]*?\s+only)[\s,*_]+{_WORD}(?P<when>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
# "Use this method only if the soft reboot has failed", "This section applies only if a spare is fitted".
_SECTION = re.compile(
    r"^\W*(?:"
    r"only\s+(?:use|follow|perform|carry out|apply|do|run|take)\s+(?:this|the following)\s+[\w -]{3,30}?|"
    r"(?:use|follow|perform|carry out|apply|do|run|take)\s+(?:this|the following)\s+[\w -]{3,30}?\s+only|"
    r"this\s+[\w -]{3,30}?\s+(?:only\s+applies|applies\s+only|is\s+only\s+(?:for|to be)\s+[\w ]{0,20}|"
    r"(?:should|must|may|is to|can)\s+only\s+be\s+\w+ed|(?:should|must|may|is to|can)\s+be\s+\w+ed\s+only)"
    r")[\s,*_]+(?:if|when|where|in case|after|in the event that)\b\s*(?P<when>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)


def hold_point(sentence: str) -> re.Match[str] | None:
    """The condition without which the procedure does not go on, as the group `when`; None for other sentences."""
    return _HOLD.match(sentence)


def section_hold(sentence: str) -> str:
    """The condition under which alone the section that the sentence opens is done, or nothing."""
    found = _SECTION.match(sentence)
    return found["when"].strip(" .:;*_") if found else ""
