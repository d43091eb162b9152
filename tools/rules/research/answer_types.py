"""The type of answer a question expects (a procedure, hazards, a price, a person, ...), and the lines that hold one."""

import re
from dataclasses import dataclass
from typing import Literal

from soprag.tools.rules.nouns import QUANTITIES, UNITS
from soprag.tools.tasks.deepsearch import RankedSentence
from soprag.tools.text.terms import terms
from soprag.tools.text.words import words

AnswerType = Literal[
    "hazards", "price", "frequency", "contact", "amount", "cause", "impact", "equipment", "comparison", "procedure",
    "statement",
]  # fmt: skip


@dataclass(frozen=True)
class _Cue:
    """How a question asks for a type, and the lines and headings that hold such an answer."""

    type: AnswerType
    question: re.Pattern[str]
    text: re.Pattern[str] | None = None
    heading: re.Pattern[str] | None = None


def _any(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_NUMBER = r"\d+(?:[.,]\d+)*"
_CURRENCY = r"(?:€|\$|£|¥|EUR|USD|GBP|CHF|euros?|dollars?|pounds?)"
_CUES = (
    _Cue("comparison", _any(r"\b(?:compare|comparison|differ|differs|difference|differences|versus|vs)\b")),
    _Cue(
        "price",
        _any(r"\b(?:costs?|price|prices|priced|budget|expensive|how much does)\b"),
        _any(rf"{_CURRENCY}\s?{_NUMBER}|{_NUMBER}\s?(?:k|m|million|thousand)?\s?{_CURRENCY}\b"),
    ),
    _Cue(
        "frequency",
        _any(r"\b(?:how often|how frequently|frequency|intervals?|schedule)\b"),
        _any(
            r"\b(?:every (?:\w+ )?(?:hour|day|night|shift|week|month|quarter|year|start)s?|hourly|daily|weekly|"
            r"fortnightly|monthly|quarterly|yearly|annual(?:ly)?|(?:once|twice|times) (?:a|an|per|each) \w+|"
            r"per (?:shift|day|week|month|year)|each (?:shift|day|week|month|year)|"
            rf"{_NUMBER} (?:hours|days|weeks|months|years) (?:after|since))\b"
        ),
        _any(r"\b(?:frequency|interval|schedule)\b"),
    ),
    _Cue(
        "hazards",
        _any(r"\b(?:hazards?|risks?|dangers?|dangerous|warnings?|precautions?|cautions?|safety rules)\b"),
        _any(r"\b(?:danger|hazard|hazardous|risk|fatal|burns?|injur(?:y|ies)|explosion|toxic|flammable|shock|never)\b"),
        _any(r"\b(?:hazards?|safety|warnings?|risks?|precautions?|protective)\b"),
    ),
    _Cue(
        "contact",
        _any(r"\b(?:who|whom|contact(?:ed)?|escalat\w+|informed|notified|called)\b"),
        _any(
            r"\b(?:call(?! (?:them|him|her|it|out)\b)|inform|notify|contact|tell|report (?:it )?to|phone|extension|ask|"
            r"page|e-?mail|escalate|slack|hand over to|raise|channel)\b"
        ),
        _any(r"\b(?:contacts?|responsib\w+|escalation|roles?|support)\b"),
    ),
    _Cue(
        "cause",
        _any(r"\b(?:why|causes?|caused|reasons?|triggers?)\b"),
        _any(
            r"\b(?:because|caus(?:e|ed|es|ing)|due to|leads? to|results? (?:in|from)|fires when|triggered|indicates)\b"
        ),
        _any(r"\b(?:causes?|meaning|why|reasons?)\b"),
    ),
    _Cue(
        "impact",
        _any(r"\b(?:impact|impacts|effects?|consequences?|what happens)\b"),
        _any(r"\b(?:cannot|fails?|lost|unavailable|outage|degraded|unable|loss|may not|not be able)\b"),
        _any(r"\b(?:impact|effects?|consequences?)\b"),
    ),
    _Cue(
        "equipment",
        _any(r"\b(?:(?:which|what) (?:tools?|equipment|parts|materials)|protective equipment|ppe|tools? (?:are|is))\b"),
        _any(r"\b(?:gloves|glasses|goggles|suit|apron|mask|wrench|meter|tools?|kit)\b"),
        _any(r"\b(?:tools?|equipment|parts|ppe|materials|before you start|required)\b"),
    ),
)
_DOES = _any(r"\bwho\W+(?:(?:is|are|must|should|may|can|will|has|have|does|do|to|be)\W+)*(?P<verb>\w+)")
_REACHED = _any(r"^(?:call|contact|inform|notif|told|tell|escalat|report|phon|page|alert|respons)")
_AMOUNT = _any(r"\b(?:how (?:much|many|long|high|low|far|hot|fast)|limits?|range|set ?points?|minimum|maximum)\b")
_WHICH = _any(r"^\W*(?:what|which) (?:(?:is|are) the )?(?P<thing>(?:(?!is\b|are\b|a\b|an\b|of\b|must\b)[\w-]+ ?){1,4})")
_HELD = _any(rf"{_NUMBER}\s?(?:to\s?{_NUMBER}\s?)?{UNITS}|{_NUMBER}\s?%")
_DONE = _any(
    r"^\W*how (?:is|are|was|were|do|does|to|can|could|should|must|would)\b|\bhow (?:is|are|do|to|can|should)\b|"
    r"\b(?:what (?:is|are|must|has|should|can|needs?)(?: to)?(?: be)? (?:done|do)|what (?:do|should|must|can) (?:i|we)"
    r"(?: have to)? do|steps?|procedures?|instructions?|respond(?:ed)?|handled?|mitigated?|diagnosed?)\b"
)


def answer_type(query: str) -> AnswerType:
    """The type of answer that a query expects; `statement` when its words do not tell."""
    plain = query.partition(" (")[0]
    for cue in _CUES:
        if cue.question.search(plain):
            return cue.type
    if _AMOUNT.search(plain) or _names_quantity(plain):
        return "amount"
    return "procedure" if _DONE.search(plain) else "statement"


def beyond_type(query: str) -> str:
    """The query without the words by which it asks for its type: of `who is called`, `is called`."""
    cue = next((cue for cue in _CUES if cue.question.search(query)), None)
    return cue.question.sub(" ", query) if cue else query


def _names_quantity(question: str) -> bool:
    """Whether a question asks for a quantity: `what glycol concentration is required`."""
    match = _WHICH.match(question)
    thing = words(match["thing"]) if match else []
    return bool(thing) and thing[-1] in QUANTITIES


def holds(line: RankedSentence, type: AnswerType, query: str = "") -> bool:
    """Whether a line can be an answer of this type, by its kind, its words and the heading above it."""
    return holds_text(line.text, line.heading, line.kind, type, query)


def holds_text(text: str, heading: str, kind: str, type: AnswerType, query: str = "") -> bool:
    """`holds` for a text with its heading and its kind."""
    if type == "hazards" and kind == "warning":
        return True
    if type == "procedure":
        return kind in ("step", "item", "code")
    if type == "amount":
        return bool(_HELD.search(text))
    if type == "contact" and (deed := _deed(query)):
        return deed in terms(text)
    cue = next((cue for cue in _CUES if cue.type == type), None)
    if cue is None or cue.text is None:
        return True
    return bool(cue.text.search(text) or (cue.heading and cue.heading.search(heading)))


def _deed(query: str) -> str:
    """The stem of what somebody does, of a question who does it; empty when it asks who is called or responsible."""
    match = _DOES.search(query)
    deed = terms(match["verb"]) if match and not _REACHED.match(match["verb"]) else []
    return deed[0] if deed else ""
