"""Conditions asked in a few words, with what is done then right behind ("Still wet? Wipe again.", "No flow → stop")."""

import re

from soprag.tools.procedure.wording.verbs import directs

# A whole question has answers of its own; "Still wet?" is one with the answer yes.
_WHOLE = re.compile(
    r"^\W*(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must|which|what|who|"
    r"whom|whose|where|when|why|how|whether|if|unless|in case|once|question)\b",
    re.IGNORECASE,
)
_ANSWERED = re.compile(r"^\W*(?:y|n|yes|no|if (?:so|not|yes|no)|ok|then why)\b", re.IGNORECASE)
# "Has it held? Done." and "Is it above 45 °C? Then close it": what is done when the answer is yes.
_YES_OR_NO = re.compile(r"^\W*(?:is|are|was|were|does|do|did|has|have|can)\b", re.IGNORECASE)
_IF_SO = re.compile(
    r"^\W*(?:then|done|finished|in (?:that|this|such a) (?:case|event))\b|^\W*(?:(?:go|return|skip|"
    r"jump) (?:(?:back|straight|on|ahead) )?to|treat it as)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(r"^(?P<when>[^?]{2,90})\?\s+(?P<rest>\S.*)$", re.DOTALL)
_ARROW = re.compile(r"^(?P<when>[^→⇒:;]{2,70}?)\s*(?:→|⇒|=>|->)\s*(?P<rest>[^→⇒]+)$", re.DOTALL)
_DASHED = re.compile(
    r"^(?P<when>[^—–:;]{2,70}?)\s+[—–]\s+(?P<rest>(?:(?:go |back )?to )?(?:step|section|part)\s+[\w.]{1,5})\W*$",
    re.IGNORECASE,
)
_ENDS = re.compile(r",\s*(?:done|end|finished)\W*$", re.IGNORECASE)
_FINDING = re.compile(
    r"^\W*(?:no|not|nothing|none|still|any|over|under|above|below|more|less|fewer|outside|within|ok|nok|good|bad|clean|dirty|wet|dry|pass|"
    r"fail|failed|passed|yes|alarm|fault|error|[<>≤≥])\b|\b(?:again|still|not|cannot|fails?|failed|too \w+|\w+n't)\b|"
    r"\d.*\bor (?:more|less|above|below|higher|lower|over|under)\b",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"^\W*(?:it|they|he|she|you|we|i|the|this|that|these|those|there|no|nothing|none|good|fine|great|all|yes)\b|"
    r"\b(?:is|are|was|were|has|have|had|will|would|may|might|can|could|means?)\b|\w['’](?:s|re|ll|ve)\b",
    re.IGNORECASE,
)
# What an arrow points at.
_LABEL = re.compile(
    r"^(?:(?:(?:go |back )?to)\s+)?(?:(?:step|section|part|item|row|point|box|[Nn]o\.)\s+)?[A-Z]?\d{1,2}[a-z]?\W*$"
)
_BRIEF = 12  # words of an order whose verb is not known


def orders_in_brief(text: str) -> bool:
    """Whether words behind such a condition order something by their form, whatever their verb ("Burst again.")."""
    return len(text.split()) <= _BRIEF and bool(re.match(r"\W*[A-Za-z]{3}", text)) and not _STATED.search(text)


def asks_in_brief(sentence: str) -> bool:
    """Whether a sentence is such a question, whose consequence is the sentence behind it."""
    text = sentence.strip()
    return text.endswith("?") and 1 < len(text) <= 90 and (not _WHOLE.match(text) or bool(_YES_OR_NO.match(text)))


def finds(label: str) -> bool:
    """Whether a few words tell what is found ("Any drip", "Not free", "Nothing found")."""
    return bool(_FINDING.search(label))


def asked(sentence: str) -> re.Match[str] | None:
    """The condition `when` and its consequence `rest` in a brief question or before an arrow; None for others."""
    found = _ASKED.match(sentence)
    if found and _YES_OR_NO.match(found["when"]) and _IF_SO.match(found["rest"]):
        return found
    if found and not _WHOLE.match(found["when"]) and not _ANSWERED.match(found["rest"]) and found["rest"][-1] != "?":
        return found
    arrow = _ARROW.match(sentence) or _DASHED.match(sentence)
    return arrow if arrow and (_FINDING.search(arrow["when"]) or _follows(arrow)) else None


def _follows(arrow: re.Match[str]) -> bool:
    """Whether words behind an arrow are what is done, and no entry of a menu ("Settings → Network")."""
    when, rest = arrow["when"].strip(), arrow["rest"].strip()
    if _LABEL.match(rest) or _ENDS.search(rest):
        return True
    told = orders_in_brief(rest) or directs(rest)
    return bool(re.search(r"[A-Za-z]{3}", when)) and rest[:1].islower() and told
