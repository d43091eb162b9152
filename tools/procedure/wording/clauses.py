"""Clauses of a step: sentences, the condition each stands under, and whether it directs, waits, checks or states."""

import re
from dataclasses import replace
from functools import lru_cache

from soprag.tools.procedure.wording.asked_conditions import asked, asks_in_brief, finds
from soprag.tools.procedure.wording.brief_answers import brief_answers
from soprag.tools.procedure.wording.conditions import (
    OPENING,
    TRAILING,
    Clause,
    form,
    read_clause,
)
from soprag.tools.procedure.wording.led_conditions import led
from soprag.tools.procedure.wording.onward import only_onward
from soprag.tools.procedure.wording.outcome_labels import BRIEF, DASHED, LABEL, YES_NO
from soprag.tools.procedure.wording.passage import SourcePassage
from soprag.tools.procedure.wording.targets import jump_of
from soprag.tools.procedure.wording.verbs import by_role, directs, is_check, is_wait

_SEMICOLON = re.compile(r";\s+")
_ABBREVIATION = r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bvs\.)(?<!\bcf\.)"
_BEFORE_NUMBER = re.compile(
    r"\b(?:no|min|max|approx|appr|ca|fig|sec|nr|ext|tel|ch|temp|pos|para|ref|vol|dia|pp?)\.$", re.IGNORECASE
)
_SENTENCE = re.compile(
    rf"(?<=[.!?])[\"”’)\]]{{0,2}}{_ABBREVIATION}\s+(?=[\"“(\[]?(?:[^\sa-z]|[a-z]+[-_][a-z]))"
    r"|;\s+(?=(?:if|unless|otherwise|else|in case|when|after (?:the (?:second|third)|two|three|four|\d)|"
    r"from the (?:second|third|fourth)|"
    r"the (?:second|third) time|"
    r"above|below|over|under|between|more than|less than|at or (?:above|below))\b)"
    r"|,\s+but\s+(?=after the (?:second|third|fourth|fifth)\b)"
    r"|(?<=\.)\s+(?=\d\.\s)"
    r"|\s+(?:--|—|–)\s+(?=(?:if|otherwise)\b)"
    r"|\s+(?=\((?i:if|unless|otherwise)\b[^()]*(?:\([^()]*\)[^()]*)?,\s)",  # "Start it (if it stalls, stop)"
)


def sentences(words: SourcePassage) -> list[tuple[SourcePassage, bool]]:
    """The sentences of a passage; a part that opens with a condition after a semicolon counts as one and is marked."""
    text = words.text
    cuts = [
        m.span()
        for m in _SENTENCE.finditer(text)
        if not (text[m.end() : m.end() + 1].isdigit() and _BEFORE_NUMBER.search(text[: m.start()]))
        and not (text[m.start() - 1 : m.start()] == "?" and _asks(text, m.start(), m.end()))
    ]
    begins, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(words.text)]
    pieces = [
        (words.cut(start, end), words.text[start - 2 : start].startswith(";"))
        for start, end in zip(begins, ends, strict=True)
    ]
    return [part for piece, joined in pieces if piece.text.strip(" .;") for part in _led_apart(piece, joined)]


def _led_apart(piece: SourcePassage, joined: bool) -> list[tuple[SourcePassage, bool]]:
    """A sentence, in two where a case and its way out stand behind a semicolon ("...; a higher value leads to 3.6")."""
    for found in _SEMICOLON.finditer(piece.text):
        tail = piece.text[found.end() :]
        if (led(tail) or asked(tail)) and not OPENING.match(piece.text):
            return [(piece.cut(0, found.start()), joined), (piece.cut(found.end(), len(piece.text)), True)]
    return [(piece, joined)]


def _asks(text: str, end: int, following: int) -> bool:
    """Whether a question in a few words ends there, and what is done then follows."""
    start = max((found.end() for found in _SENTENCE.finditer(text, 0, end)), default=0)
    return asks_in_brief(text[start:end]) and asked(text[start:end] + " " + text[following:]) is not None


def clauses(words: SourcePassage, labels: bool = False, outcome: bool = False) -> list[Clause]:
    """The clauses of a passage; with `labels`, any short label before a colon opens an outcome ("Cloudy: ...").

    `outcome` says that the passage is what an outcome leads to: no words in its first sentence are one more case.
    """
    found = list(_clauses(words, labels))
    if outcome and found and found[0].opener == "led":
        return [Clause(found[0].passage, found[0].passage, form(found[0].passage.text)), *found[1:]]
    return found


@lru_cache(maxsize=4096)  # a text is read twice, and its passages are asked about from many sides
def _clauses(words: SourcePassage, labels: bool) -> tuple[Clause, ...]:
    found: list[Clause] = []
    brief = brief_answers(words.text)
    if brief:
        before = words.cut(0, brief[0][0])
        told = [
            Clause(
                words.cut(start, end),
                words.cut(at, end),
                "statement",
                words.cut(start, at).text.strip(" :=,→⇒>(–—-"),
                "asked",
            )
            for start, at, end in brief
        ]
        return (*(_clauses(before, labels) if before.text else ()), *told)
    pieces = _labelled(words, sentences(words)) if labels else sentences(words)
    answers = _answers([piece for piece, _ in pieces])
    for at, (sentence, joined) in enumerate(pieces):
        parts = [
            part for clause in _conjoined(sentence, (labels and at == 0) or at in answers) for part in _parted(clause)
        ]
        found += [replace(part, joined=joined and part.branches) for part in parts]
    return tuple(found)


def _labelled(words: SourcePassage, pieces: list[tuple[SourcePassage, bool]]) -> list[tuple[SourcePassage, bool]]:
    """The sentences, the first two as one where the first is a label of a word or two ("Low. Go to step 4.")."""
    first = pieces[0][0].text if pieces else ""
    if len(pieces) < 2 or not BRIEF.match(f"{first} x") or directs(first):
        return pieces
    end = words.text.index(pieces[1][0].text, len(first)) + len(pieces[1][0].text)
    return [(words.cut(0, end), False), *pieces[2:]]


def _answers(pieces: list[SourcePassage]) -> set[int]:
    """Sentences after a check that each open with a short label: "Watch the level. Falling: wait. Rising: stop."."""
    labels = [LABEL.match(one.text) or YES_NO.match(one.text) or DASHED.match(one.text) for one in pieces]
    leads = [
        label is not None and _leads(one.text[label.end("label") :]) for label, one in zip(labels, pieces, strict=True)
    ]
    short = [label is not None and _answer(label["label"], leads[at]) for at, label in enumerate(labels)]
    findings = [bool(label and short[at] and (leads[at] or finds(label["label"]))) for at, label in enumerate(labels)]
    found: set[int] = set()
    for at in range(1, len(pieces)):
        run = [i for i in range(at, len(pieces)) if all(short[at : i + 1])]
        if len(run) > 1 and not short[at - 1] and (_looks(pieces[at - 1].text) or any(findings[i] for i in run)):
            found |= set(run)
    return found


def _leads(words: str) -> bool:
    """Whether what stands behind a label only says where the work goes on ("Free: go to step 3.")."""
    told = words.strip(" :=–—>→.-")
    if only_onward(told):
        return True
    leaving = jump_of(told)
    return leaving is not None and not leaving.before.strip() and leaving.target.kind != "document"


def _looks(sentence: str) -> bool:
    """Whether a sentence asks, checks or waits for something, so that what follows may answer it."""
    watches = sentence.lower().startswith("watch")
    return is_check(sentence) or is_wait(sentence) or sentence.endswith("?") or watches


def _answer(label: str, leads: bool) -> bool:
    return (
        len(label.split()) <= 6
        and (leads or not directs(label))
        and not by_role(label)
        and not re.search(r"[A-Z]+-?\d|\d$", label)
    )


def _conjoined(sentence: SourcePassage, labels: bool) -> list[Clause]:
    """The clauses of a sentence: "check the level and replace it if it is empty" is a check and an act."""
    found = TRAILING.match(sentence.text)
    if found and is_check(found["act"]) and not OPENING.match(sentence.text):
        cuts = list(_LAST_ACT.finditer(found["act"]))
        tail = sentence.cut(cuts[-1].end(), len(sentence.text)) if cuts else sentence
        if cuts and directs(tail.text) and not is_check(tail.text):
            head = sentence.cut(0, cuts[-1].start())
            return [Clause(head, head, form(head.text)), read_clause(tail, False)]
    return [read_clause(sentence, labels)]


_LAST_ACT = re.compile(r"\s+and\s+(?=\w+ (?:the|a|an|it|them|all)\b[^,]*$)|;\s+(?=\w)")


_WAITING = re.compile(r"(?:,?\s+(?:and|then|and then)\s+|[;,]\s+(?:and\s+|then\s+)?)(?=wait\b)", re.IGNORECASE)
_AFTER_WAIT = re.compile(r"(?:,\s+(?:and\s+|then\s+)*|;\s+|\s+and\s+(?:then\s+)?)(?=[a-z])", re.IGNORECASE)


def _parted(clause: Clause) -> list[Clause]:
    """A wait that opens or closes a sentence is a clause of its own."""
    words = clause.body
    if clause.form == "wait" and not clause.condition:
        for found in _AFTER_WAIT.finditer(words.text):
            rest = words.cut(found.end(), len(words.text))
            if directs(rest.text):
                head = words.cut(0, found.start())
                return [Clause(head, head, "wait"), Clause(rest, rest, form(rest.text))]
        return [clause]
    cuts = list(_WAITING.finditer(words.text))
    if cuts and clause.form in ("act", "check", "statement") and "ask" not in words.text.lower()[:12]:
        last = cuts[-1]
        tail = words.cut(last.end(), len(words.text))
        if not _AFTER_WAIT.search(tail.text) and not clause.condition:
            head = words.cut(0, last.start())
            return [replace(clause, passage=head, body=head, form=form(head.text)), Clause(tail, tail, "wait")]
    return [clause]
