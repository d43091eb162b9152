"""The condition that a sentence stands under, and whether what it says directs, waits, checks or states."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from soprag.tools.procedure.wording.asked_conditions import asked, orders_in_brief
from soprag.tools.procedure.wording.counted_tries import counted
from soprag.tools.procedure.wording.endings import ends_by_word
from soprag.tools.procedure.wording.hold_points import hold_point
from soprag.tools.procedure.wording.led_conditions import compared, for_one, led
from soprag.tools.procedure.wording.led_jumps import led_jumps, sends_back
from soprag.tools.procedure.wording.lexicon import IMPERATIVES
from soprag.tools.procedure.wording.onward import onward
from soprag.tools.procedure.wording.outcome_labels import BRIEF, DASHED, LABEL, compares, compares_quantity
from soprag.tools.procedure.wording.passage import SourcePassage
from soprag.tools.procedure.wording.targets import jump_of, named_section
from soprag.tools.procedure.wording.verbs import (
    by_role,
    directs,
    is_check,
    is_wait,
    opens_with_verb,
    perceives,
    permits,
    prohibits,
)

Form = Literal["act", "check", "wait", "statement"]

OPENING = re.compile(
    r"^\W*(?:\([^()]{1,30}\)\W*)?(?:(?:and|but|or|however|then|also|note that|therefore|so|thus)[,\s]+)?"
    r"(?:(?:based on|depending on|in|on|at|from|during|for|after|before)\b[^,.;:()]{3,60}(?:\([^)]*\))?,\s+"
    r"(?=if\b))?"
    r"(?P<word>if|unless|in (?:the )?case(?: of| that| when| where)?|in the (?:\w+ )?event (?:of|that)|"
    r"provided(?: that)?|should(?!\s+(?:only|be|not|have|happen|occur|never|always|also)\b)|"
    r"without(?=[^,.;:]{2,50},\s)|whenever|when|once|as soon as|as long as|for the other|for other|else if|where)[\s,]",
    re.IGNORECASE,
)

_ELSE = re.compile(
    r"^\W*(?P<what>otherwise|else|(?:in|at|with|on) (?:any|all|every) other [\w-]+(?: [\w-]+)?(?=[,:])|"
    r"(?:in|on) (?:any|all|every) other (?:cases?|occasions?)|"
    r"if (?:not|no|(?:it|they|this|that) (?:did|does|do|is|are|was|has|have)(?:n't| not)))"
    r"(?:\s*[,:;]\s*|(?<=otherwise)\s+(?=\w)|(?<=\bcase)\s+(?=\w)|(?<=\bcases)\s+(?=\w)|(?<=occasion)\s+(?=\w)|(?<=occasions)\s+(?=\w)|(?<=else)\s+(?!if\b)(?=\w))",
    re.IGNORECASE,
)

_BRACKETED = re.compile(r"^\W*\((?P<when>(?:if|when|unless|only|optional)\b[^)]*)\)[\s:,]*(?=\w)", re.IGNORECASE)

_IS_SO = re.compile(r"\b(?:means?|is|are|has|have|shows?|does|do)\b|n['’]t\b", re.IGNORECASE)
_WILL = re.compile(r"\s+(?=(?:it|they|this)\s+will\b)", re.IGNORECASE)  # "If it fails to start it will be rolled back."
_REPEATED = re.compile(r"^\W*(?:still|again|second|third|no (?:better|change))\b", re.IGNORECASE)  # "Still red: ..."
_ONLY = re.compile(r"^(?P<label>[\w][\w /-]{0,40}) only:\s+(?P<rest>\S.*)$", re.DOTALL)

TRAILING = re.compile(
    r"^(?P<act>.+?)(?:\s*[,(]?\s*)(?:\bbut only\s+)?\b(?P<when>(?:if|unless|in case)\s+[^,;]+?)\)?[.:]?$",
    re.IGNORECASE | re.DOTALL,
)

# "Wear gloves in case of a spill" is done before, and whether it spills or not.
_PRECAUTION = re.compile(
    r"^\W*(?:\w+ly\s+)?(?:wear|put on|don|keep|have|bring|carry|take|hold|prepare|stay|remain|place|save)\b", re.I
)

_ASKS = re.compile(r"\b(?:check\w*|see|verif\w+|determine|ask|find out|confirm\w*|know|whether|decide|evaluate|assess|"
                   r"indicat\w+|even|as|test|investigate|look|identify|examine|review|ensure|"
                   r"sure)\W*$", re.IGNORECASE)  # fmt: skip

_RANGE_WORDS = re.compile(
    r"\d.*\b(?:to|and|above|below|over|under|than)\b|\b(?:above|below|over|under|than|between)\b.*\d"
)

_AS_ASKED = re.compile(r"^\W*when (?:it|this|that|they) (?:does|do|is|are|has|have)(?:n['’]t| not)?\W*$", re.IGNORECASE)

_STRONG = re.compile(
    r"(?:try|use|contact|call|restart|re-start|report|reset|replace|open|close|remove|add|go|run|press|turn|ask|tell)\s"
)

_ENUMERATED = re.compile(
    r"(?:(?:or|and)\s+(?P<more>[\w' -]{2,60}),\s)|"
    r"(?:[\w'-]+\s+){0,2}[\w'-]+(?:,\s+[\w' -]{2,40})?\s+or\s+(?P<last>[\w' -]{2,40}),\s"
)

_BARE_ORDER = re.compile(
    r"(?P<verb>[a-z]+(?:-[a-z]+)?)\s+(?:the|an?|all|your|each|every|both|this|these|it|them|once|twice|with|\d)\b"
)

_PREDICATE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|do|did|can|cannot|will|fails?|exceeds?|happens?|occurs?|\w+ed|\w+n't|ok|okay|low|high|empty|full|"
    r"so|not|necessary|needed|required|possible|blown|broken|worn|stuck|frozen|torn|bent|dry|wet|dirty|open|shut)\b|"
    r"^\W*(?:it|they|this|that)\s+(?!now\b|then\b|also\b|still\b|just\b|ever\b)\w+\b",
    re.IGNORECASE,
)

_TITLE = re.compile(r"^(?:[^.:;]|\.(?=\d)){2,70}:\s+(?=(?:if|in case|unless)\b)", re.IGNORECASE)
_LIMITS = re.compile(r"if (?:needed|necess|requir|appl|possible|desired|available|present|not already)", re.IGNORECASE)
# "When it is done, go to step 5": the order of things, and no case.
_DONE = re.compile(
    r"\b(?:done|finished|complete[ds]?|ready|over|all|reach(?:es|ed)|stop(?:s|ped)|elapsed|passed|ends?|ended|closed|opened|you|"
    r"has|have|next|first|last|returns?|arrives?)\b",
    re.IGNORECASE,
)
_LOOKS = re.compile(
    r"^\W*(?:review|monitor|record|inspect|measure|examine|read)\s+(?:the\s+|an?\s+|all\s+)?\w", re.IGNORECASE
)
_IDENTIFIER = re.compile(r"(?:[a-z][A-Z]|_|\d\.|\w-\w)\w*$")  # "runStrategy: always" is a value, no condition and act
_ADDRESSES = re.compile(r"(?:you|we)\s+(?:can|should|must|may|need to|have to|will need to)\b", re.IGNORECASE)
_SUBORDINATES = re.compile(r"\b(?:that|which|what|when|where|if|because|as|than|and|or)\s*$", re.IGNORECASE)

# Words that cannot end a clause: an imperative does not follow them.
_LEADS_ON = re.compile(
    r"\b(?:to|and|or|not|the|an?|can|cannot|must|will|should|may|might|could|would|you|we|they|it|that|which|who|is|"
    r"are|be|been|of|for|with|by|in|on|at|from|does|do|did|has|have|had|\w+n't|your|its|their|this|these)\s*$",
    re.IGNORECASE,
)

_ORDER = re.compile(r"^\W*\w+\s+(?:the|an?|all|your|each|every|both|[A-Z]\w*-?\d)\b")

_DENIES = re.compile(
    r"\b(?:not|cannot|fails?|failed|no longer|refused|denied|withheld|rejected|declined)\b|n['’]t\b", re.IGNORECASE
)
_CASE_NUMBER = re.compile(r"^\W*(?:case|fault|alarm|row|item|option|note|step)\b", re.IGNORECASE)
_SHORTEST_ACT = 4  # characters; less is the label of a section ("Clean → 6.")
_STILL = re.compile(
    r"\b(?:still|again|second|third|also|after (?:two|three|\d+)|persists?|remains?|repeated)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Clause:
    """A sentence or a part of one.

    `condition` are the words under which `body` holds, empty for none; `opener` is the word that opened the condition
    ("if", "unless", "label", "only", "hold", ...); `passage` is everything the clause covers.
    """

    passage: SourcePassage
    body: SourcePassage
    form: Form
    condition: str = ""
    opener: str = ""
    joined: bool = False  # a semicolon joins it to the clause before

    @property
    def branches(self) -> bool:
        """Whether the clause holds under a condition that may be false."""
        return bool(self.condition)

    @property
    def repeated(self) -> bool:
        """Whether the condition speaks of a failure that came again."""
        return bool(_STILL.search(self.condition))


def read_clause(sentence: SourcePassage, labels: bool = False) -> Clause:
    """One sentence with its condition taken off."""
    for read in (_bracketed, _otherwise, _held, _opened, _titled, _only, _asked, _labelled, _compared, _trailing, _led):
        clause = read(sentence, labels)
        if clause:
            return clause
    return Clause(sentence, sentence, form(sentence.text))


@lru_cache(maxsize=8192)
def form(text: str) -> Form:
    """Whether words direct somebody to act, to check, to wait, or only state something."""
    if is_wait(text):
        return "wait"
    if not directs(text):
        told = (
            part for part in text.split("; ")[1:] if not (onward(part) or perceives(part))
        )  # "it is done; replace the filter"
        return "act" if any(map(directs, told)) else "statement"
    return "check" if is_check(text) else "act"


def _split(sentence: SourcePassage, at: int, condition: str, opener: str) -> Clause:
    body = sentence.cut(at, len(sentence.text))
    stated = form(body.text) if body.text else "statement"
    ordered = _ends_in_order(body.text) or (opener == "label" and _orders_by_verb(body.text))
    acts = stated == "statement" and (permits(body.text) or prohibits(body.text) or ordered)
    told: Form = "act" if acts else stated
    return Clause(sentence, body, told, condition.strip(" ,:.;*_"), opener)


def _orders_by_verb(text: str) -> bool:
    """Whether what a label brings opens with a verb, if not a usual order, and goes on with one."""
    return opens_with_verb(text) and any(directs(part) for part in re.split(r",\s+|\s+and\s+|;\s+", text)[1:])


def _ends_in_order(text: str) -> bool:
    """Whether what a condition brings is told, and then what to do ("the can is empty, replace it")."""
    last = re.split(r",\s+", text)[-1]
    return last != text and " " in last and directs(last)


def _otherwise(sentence: SourcePassage, _: bool) -> Clause | None:
    found = _ELSE.match(sentence.text) or counted(sentence.text)
    return (
        _split(sentence, found.end(), found["what"], "otherwise" if _ELSE.match(sentence.text) else "times")
        if found
        else None
    )


def _bracketed(sentence: SourcePassage, _: bool) -> Clause | None:
    found = _BRACKETED.match(sentence.text)
    return (
        _split(sentence, found.end(), found["when"].removeprefix("if ").removeprefix("If "), "trailing")
        if found
        else None
    )


def _held(sentence: SourcePassage, _: bool) -> Clause | None:
    found = hold_point(sentence.text)
    if not found:
        return None
    body = sentence.cut(0, found.start("word"))
    return Clause(sentence, body, "act", found["when"].strip(" ,:.;*_)"), "hold")


def _asked(sentence: SourcePassage, labels: bool) -> Clause | None:
    found = asked(sentence.text)
    arrow = found is not None and "?" not in sentence.text[: found.start("rest")]
    if not found or (arrow and len(found["rest"]) > _SHORTEST_ACT and _orders_before(found, labels)):
        return None
    clause = _split(sentence, found.start("rest"), found["when"], "asked")
    return replace(clause, form="act") if clause.form == "statement" and orders_in_brief(found["rest"]) else clause


def _orders_before(found: re.Match[str], labels: bool) -> bool:
    """Whether words before an arrow are an order; in a list of outcomes a verb may be a finding ("Slow → again")."""
    finding = labels and directs(found["rest"]) and not _ORDER.match(found["when"])
    return directs(found["when"]) and not finding


def _opened(sentence: SourcePassage, _: bool) -> Clause | None:
    found = OPENING.match(sentence.text)
    if not found:
        return None
    word = found["word"].lower()
    at, end = _comma(sentence.text, found.end())
    condition = sentence.text[found.start("word") : at]
    if word in ("should", "where") and not at:
        return None
    clause = _split(sentence, end, _bare(condition, word), word)
    parts = _RANGE_WORDS.search(condition) or _AS_ASKED.match(condition)
    if word == "where" and clause.form in ("act", "wait"):
        return clause
    leads = word == "when" and not _DONE.search(condition) and sends_back(clause.body.text)
    if word in ("when", "whenever", "once", "as soon as", "where") and not (parts or leads):
        return Clause(sentence, sentence, clause.form)
    return clause


def _titled(sentence: SourcePassage, _: bool) -> Clause | None:
    """A condition behind a title ("Stale lease: If the pod is gone, delete the lease")."""
    found = _TITLE.match(sentence.text)
    if not found:
        return None
    inner = _opened(sentence.cut(found.end(), len(sentence.text)), False)
    return (
        Clause(sentence, inner.body, inner.form, inner.condition, inner.opener) if inner and inner.condition else None
    )


def _bare(condition: str, word: str) -> str:
    return (
        condition if word in ("unless", "without", "should", "for the other", "for other") else condition[len(word) :]
    )


def _comma(text: str, start: int) -> tuple[int, int]:
    """Where the condition ends and where what follows begins: the first comma or colon before a directive."""
    marks = [
        (m.start(), m.end()) for m in re.finditer(r",\s+(?:then\s+)?|:\s+|\s+then\s+|\s[–—-]\s|--|—", text[start:])
    ]
    marks = [(start + a, start + b) for a, b in marks if not _enumerates(text[start + b :])]
    marks = [(at, end) for at, end in marks if text[at] != ":" or not _names_value(text[:at], text[end:])]
    for at, end in marks:
        if _consequence(text[end:]):
            return at, end
    told = _WILL.search(text, start) if not marks else None
    if told:
        return told.start(), told.end()
    for space in re.finditer(r"\s+(?=\w)", text[start : marks[0][0] if marks else len(text)]):
        at, end = start + space.start(), start + space.end()
        if len(text[start:at].split()) > 1 and _opens_order(text[start:at], text[end:], bool(marks)):
            return at, end
    if marks:
        return marks[0]
    return (len(text), len(text)) if text.rstrip().endswith(":") or not marks else (0, 0)


def _names_value(key: str, text: str) -> bool:
    """Whether a colon joins an identifier and its value ("runStrategy: always"), not a case and its act."""
    return bool(_IDENTIFIER.search(key)) and not (text[:1].isupper() and directs(text))


def _enumerates(text: str) -> bool:
    """Whether words go on with an enumeration of the condition ("smoke, heat or water, stop here")."""
    found = _ENUMERATED.match(text)
    last = (found["more"] or found["last"]) if found else ""
    return bool(last) and not (" " in last and directs(last))


def _opens_order(condition: str, text: str, marked: bool) -> bool:
    """Whether an imperative begins without a comma: a verb and its object behind a condition that is a whole clause."""
    if not marked and _STRONG.match(text) and directs(text) and not _LEADS_ON.search(condition):
        return True
    if _ADDRESSES.match(text) and directs(text):
        return bool(_PREDICATE.search(condition)) and not _SUBORDINATES.search(condition)
    found = _BARE_ORDER.match(text)
    if not found or found["verb"] not in IMPERATIVES:
        return False
    return bool(_PREDICATE.search(condition)) and not _LEADS_ON.search(condition)


def _consequence(text: str) -> bool:
    return is_wait(text) or directs(text)


def _leaves(text: str) -> bool:
    """Whether words only jump ("go to step 4", "skip lines 3 and 4")."""
    jump = jump_of(text)
    return jump is not None and not jump.before.strip() and not jump.repeats


def _only(sentence: SourcePassage, _: bool) -> Clause | None:
    found = _ONLY.match(sentence.text)
    return _split(sentence, found.start("rest"), f"{found['label']} only", "only") if found else None


def _labelled(sentence: SourcePassage, labels: bool) -> Clause | None:
    found = LABEL.match(sentence.text)
    if labels and not found:
        found = DASHED.match(sentence.text) or BRIEF.match(sentence.text)
    if not found:
        return None
    label, rest = found["label"], found["rest"] or ""
    placed = labels and (named_section(rest) is not None or next(led_jumps(rest), None) is not None)
    consequence = _leaves(rest) or directs(rest) or placed
    fails = consequence and bool(_DENIES.search(label)) and not (directs(label) or _CASE_NUMBER.match(label))
    tells = fails or (_IS_SO.search(label) and jump_of(rest)) or _REPEATED.match(label) or compares(label)
    strong = (
        directs(label) and not compares_quantity(label) and not (labels and consequence and not _ORDER.match(label))
    )
    if strong or not (labels or tells or (_leaves(rest) and not by_role(label))) or not (rest or labels):
        return None
    return _split(sentence, found.start("rest") if rest else len(sentence.text), label, "label")


def _compared(sentence: SourcePassage, _: bool) -> Clause | None:
    """A compared value before an order ("Below 95 °C, open it"), or the thing that a way out is for."""
    found = compared(sentence.text) or for_one(sentence.text)
    return _split(sentence, found[1], found[0], "label") if found else None


def _led(sentence: SourcePassage, _: bool) -> Clause | None:
    found = led(sentence.text)
    return _split(sentence, found[1], found[0], "led") if found else None


def _trailing(sentence: SourcePassage, _: bool) -> Clause | None:
    found = TRAILING.match(sentence.text)
    if not found or _ASKS.search(found["act"]):
        return None
    if not (directs(found["act"]) or opens_with_verb(found["act"]) or ends_by_word(found["act"])):
        return None
    if _PRECAUTION.match(found["act"]) and found["when"].lower().startswith("in case"):
        return None
    if sentence.text[found.start("when") - 1] == "(":
        return _trail(sentence, found)
    if (
        is_check(found["act"])
        and found["when"].lower().startswith("if ")
        and "," not in sentence.text[: found.start("when")][-2:]
    ):
        return _trail(sentence, found) if _LIMITS.match(found["when"]) or _looks_on(found) else None
    return _trail(sentence, found)


def _looks_on(found: re.Match[str]) -> bool:
    """Whether "if" after a look at something limits it, and does not ask whether ("... if they are running")."""
    return bool(_LOOKS.match(found["act"])) and not re.match(r"if\s+(?:it|they|this|any|there)\b", found["when"], re.I)


def _trail(sentence: SourcePassage, found: re.Match[str]) -> Clause:
    body = sentence.cut(found.start("act"), found.end("act"))
    return Clause(sentence, body, form(body.text), found["when"].removeprefix("if ").strip(), "trailing")
