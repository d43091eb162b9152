"""Whether a stated range is a condition of a way or picks things, instead of being what a value must be."""

import re

_CLAUSE_START = re.compile(r"[.;:!?(]\s+|,\s+(?:and|but|or)?\s*|\s+\|\s+|\s+[–—]\s+")
_CONDITION = re.compile(
    r"^\W*(?:(?:and|but|or|then)\s+)?(?:if|in case|when|whenever|should(?!\s+(?:be|read|show|not|have))|once|"
    r"as long as|as soon as|otherwise)\b",
    re.IGNORECASE,
)
# "open it if the load is below 70 %", "land when the voltage drops below 14 V": the condition behind its act.
_TRAILING = re.compile(
    r"(?<!check )(?<!see )(?<!verify )(?<!confirm )(?<!test )\b(?:if|in case|when|whenever|where|while|once|as soon as|"
    r"as long as|provided(?: that)?)\b[^.;:,!?|()]*$",
    re.IGNORECASE,
)
_PICKED = re.compile(
    r"\b(?:any|every|each|all|those|whichever)\s+(?:[\w-]+\s+){0,2}?(?!is\b|are\b|be\b|must\b|of\b)[\w-]+\s+"
    r"(?:(?:that|which) (?:is|are|reads?|has|have)\s+)?$",
    re.IGNORECASE,
)
# "for loads above 25 kg use the hoist", "loads over 25 kg are lifted by two": what a rule is for, and no demand.
_FOR_SOME = re.compile(r"^\W*(?:for|at|in|with|on|during|under)\s+(?:[\w-]+\s+){1,4}$", re.IGNORECASE)
_RULE = re.compile(r"(?:,\s+|\s+(?!in\b|at\b|for\b|on\b|during\b|with\b|or\b|and\b))\w+\s+\w+")
_SUBJECT = re.compile(r"^\W*(?:an?\s+)?(?:(?!the\b|is\b|are\b|must\b)[\w-]+\s+){1,3}$", re.IGNORECASE)
_PREDICATE = re.compile(
    r"\s+(?:is|are|must|has|have|needs?|should|shall|may|can|will)\b"
    r"(?!\s+(?:required|needed|necessary|ok|fine|acceptable|allowed|normal|expected|permitted|good)\b)",
    re.IGNORECASE,
)
_TRIGGERS = re.compile(
    r"\b(?:alarms?|trips?|sounds|opens|closes|starts|stops|lights(?: up)?|triggers|activates|cuts (?:in|out|off)|"
    r"shuts (?:down|off))\s+(?:at\s+)?$",
    re.IGNORECASE,
)
_ASKED = re.compile(r"[^.;:!?|]*\?")
_KEPT = re.compile(
    r"\b(?:keep|hold|maintain|ensure|check|verify|confirm|set|expect|is|are|be|must|shall|should|has|have|for|at|to|of|with)\b",
    re.IGNORECASE,
)
_DEMANDED = re.compile(
    r"\b(?:keep|hold|maintain|ensure|make sure|check|verify|confirm|see that|accept|expect|wait|until|must|shall|"
    r"should|may)\b",
    re.IGNORECASE,
)
_LABELS = re.compile(r"(?:[^.;:|!?(),]|,\s+(?:or|and)\b){0,80}:(?:\s|$)")
_SITUATES = re.compile(
    r"(?:above|over|below|under|beyond|from|between|up to|at or|less|fewer|more|greater|higher|lower)\b(?! limit)",
    re.IGNORECASE,
)
_AT = re.compile(r"^\W*(?:with|at|for|on)\b", re.IGNORECASE)
_OR = re.compile(r"\bor (?:more|less|above|below|over|under|higher|lower)\b", re.IGNORECASE)
_SIGN = re.compile(r"[<>≤≥]")
_DASHED = re.compile(r"\d\D*(?:to|-|–)\s*\d")
_LEADS = re.compile(r"(?:\s+(?:in|for|within|after)\s+[^.;:,|]{1,30})?,\s+\w")
_MEANS = re.compile(
    r"[^.;:,|]{0,60}\b(?:means|indicates?|requires?|calls? for|triggers?|points? to|(?:is|are) to be)\b", re.IGNORECASE
)


def is_condition(sentence: str, words: str, after: str, negated: bool) -> bool:
    """Whether a range is a condition, by its words and by those of its sentence before and behind it."""
    last = max((match.end() for match in _CLAUSE_START.finditer(sentence)), default=0)
    opens = bool(_CONDITION.match(sentence)) and not re.search(r",\s+(?!(?:or|and)\b)\w+\s", sentence)
    return (
        opens
        or bool(_CONDITION.match(sentence[last:]) or _TRAILING.search(sentence))
        or _is_label(sentence, words, after)
        or (not negated and (_restricts(sentence) or _is_ruled(sentence, words, after)))
        or (bool(_MEANS.match(after)) and not _DEMANDED.search(sentence))
        or bool(_ASKED.match(after))
    )


def _is_label(sentence: str, words: str, after: str) -> bool:
    """Whether the range heads what follows: "above 9: add acid", "under 10 bar, turn the lever"."""
    if after.lstrip().startswith(":"):
        return True
    bare = not re.search(r"[^\W\d_]{2}", _AT.sub("", sentence))
    if bare and (_SITUATES.match(words) or _OR.search(words)) and _LEADS.match(after):
        return True
    return bool(_LABELS.match(after)) and ":" not in sentence and not _DEMANDED.search(sentence)


def _is_ruled(sentence: str, words: str, after: str) -> bool:
    """Whether a comparison says for which values a rule holds or at which ones a device acts."""
    if not _SITUATES.match(words) and not _SIGN.match(words):
        return bool(_TRIGGERS.search(sentence)) and words[0].isdigit() and not _DASHED.search(words)
    if _TRIGGERS.search(sentence):
        return not _DASHED.search(words)
    head = bool(_FOR_SOME.match(sentence)) and bool(_RULE.match(after))
    return head or (bool(_SUBJECT.match(sentence)) and bool(_PREDICATE.match(after)))


def _restricts(before: str) -> bool:
    """Whether the words before a comparison say which things it picks ("any tank below 20 %"), not what must be so."""
    return bool(_PICKED.search(before)) and not _KEPT.search(before)
