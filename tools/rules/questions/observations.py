"""What an SOP gives for the harder levels: observable states, conditions of real branches, and stated ranges.

States come from the causal view, conditions and ranges from the procedure reader. Each is kept only where it is a
clause of its own and its sentence is printed in the SOP.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from soprag.tools.procedure.procedure import ProcedureStep
from soprag.tools.procedure.reader import read_procedure
from soprag.tools.procedure.wording.lexicon import is_instruction
from soprag.tools.rules import causes
from soprag.tools.rules.questions.clauses import is_clause, is_third_person, main_clause
from soprag.tools.rules.questions.speakable import is_sayable, lowered
from soprag.tools.rules.questions.speech import Naming, first_person, spoken
from soprag.tools.rules.questions.spoken_sentences import SpokenSentence
from soprag.tools.sop import OTHERWISE, StatedRange
from soprag.tools.tasks.retriever import NumberedSop, number
from soprag.tools.text.words import normalised

# A possibility, a duty and a statement about the text are nothing that somebody sees.
_NOT_SEEN = re.compile(
    r"\b(?:may|might|can|could|would|should|must|will|shall|expected|required|necessary|recommended|designed|intended|"
    r"supposed|describes?|indicates?|means|explains?|contains?|consists?|depends?|allows?|usually|typically|often|"
    r"normally|sometimes|always|generally|example|default|based on|used to|needed?|needs?|defined|calculated|"
    r"considered|triggered|guaranteed|relevant|responsible|critical|complex|later|ways? to|to only|"
    r"depending|differs?|varies|associated|known as|identified as|(?:is|are|was|were) (?:used|assigned)|"
    r"when|if|any problems?|no problems?)\b|"
    # What a thing is says nothing of how it is now; what an alert does, somebody reads.
    r"^(?!there).*\b(?:is|are|was|were) (?:an?|the|one of|part of)\b|"
    r"\b(?:alerts?|alarms?) (?:is|are|fires?|triggers?)\b|"
    r"^(?:notice|note|in that case|i think|of course)\b|^(?!(?:every|any|some|no)thing)\w{3,}ing\b",
    re.IGNORECASE,
)
_OPENER = re.compile(r"^(?:(?:if|when|whenever|in case|once|unless|and|or|then)\s+)+", re.IGNORECASE)
# What is left over of a longer sentence, or stands for something said before it.
_CUT_OFF = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|not|also|only|directly|then|as|follows|which|where|how|why|what)$|"
    r"^(?:the |an? |any )?(?:problems?|issues?|errors?|situation|following|condition|reason|case|result|output|answer|"
    r"procedure|document|alert|alarm|users?) |^(?:there (?:is|are) (?:an?|any|the|no) (?:problems?|issues?|errors?))\b|"
    r"^(?:potential|possible|block|(?:i|you) (?:cannot resolve|am planning|want|would|have identified)) |(?: - | if )|"
    r"\b(?:above|below|following|previous|next) (?:step|command|section)|[:?]|^how (?:many|much)\b",
    re.IGNORECASE,
)
_ANY = re.compile(r"\bany\b")  # in a condition; whoever states a fact says "some"
_DENIES = re.compile(r"\b(?:not|no|never|cannot|without)\b|n['’]t\b")
_THERE_NOT = re.compile(r"^(there (?:is|are)) not (?:an?|any)\b")
_SECOND = re.compile(r"[,;] (?:it|this|that|these|you|we|they|there|please|see|i|the)\b", re.IGNORECASE)
_MEASURED = re.compile(r"[a-z][a-z-]+(?: [a-z][a-z-]+){0,4}")
_NO_QUANTITY = re.compile(
    r"\b(?:all|both|each|two|three|within|from|its|one|for|of|at|to|in|with|clear|wait|planned|last|every|after)\b"
)


@dataclass(frozen=True)
class StatedClause:
    """A clause of the SOP in spoken words, with the sentence it stands in."""

    clause: str
    sentence: SpokenSentence


@dataclass(frozen=True)
class StatedReading:
    """A quantity with a value outside its stated bounds, as a display would show it."""

    quantity: str
    value: str
    sentence: SpokenSentence


@dataclass(frozen=True)
class SopObservations:
    """Observable states, conditions and readings of one SOP, in the order of the text, and the words of its steps."""

    states: tuple[StatedClause, ...] = ()
    conditions: tuple[StatedClause, ...] = ()
    readings: tuple[StatedReading, ...] = ()
    steps: str = ""

    def is_order(self, sentence: SpokenSentence) -> bool:
        """Whether a sentence is printed in a step or names a section; elsewhere an apparent imperative is a noun.

        "Backup operations to external storage", in a list of causes, orders nothing.
        """
        return sentence.text == sentence.section or normalised(sentence.evidence) in self.steps


def observe(title: str, body: str, naming: Naming, sentences: Sequence[SpokenSentence]) -> SopObservations:
    """What `body` states that somebody may see or that decides which way to go."""
    flow = read_procedure(body)
    view = causes.extract(NumberedSop(title=title, numbered=number(body.splitlines())))
    resolved = set(view.resolves)
    places = _Places(sentences)
    branches = [edge.when for edge in flow.edges if edge.when != OTHERWISE] + [step.only_if for step in flow.steps]
    states = [state.text for state in view.states if state.id in resolved]
    return SopObservations(
        states=tuple(stated for stated in _clauses(states, naming, places) if is_seen(stated.clause)),
        conditions=tuple(_clauses(branches, naming, places)),
        readings=tuple(_readings(flow.ranges, places)),
        steps=normalised("\n".join(_lines(body, flow.steps))),
    )


def _lines(body: str, steps: Sequence[ProcedureStep]) -> Iterator[str]:
    lines = body.split("\n")
    for step in steps:
        yield from lines[step.lines[0] - 1 : step.lines[-1]]


def is_seen(clause: str) -> bool:
    """Whether a clause is something that somebody may see: no possibility, duty or statement about the text."""
    return not _NOT_SEEN.search(clause)


@dataclass(frozen=True)
class _Places:
    sentences: Sequence[SpokenSentence]

    def of(self, text: str) -> SpokenSentence | None:
        """The first sentence that is printed with the words of `text`."""
        wanted = normalised(text)
        return next((each for each in self.sentences if wanted and wanted in normalised(each.evidence)), None)


def _clauses(texts: Sequence[str], naming: Naming, places: _Places) -> Iterator[StatedClause]:
    taken: set[str] = set()
    for text in texts:
        sentence = places.of(text)
        words = _SECOND.split(main_clause(_OPENER.sub("", naming.hide(spoken(text))).rstrip(" .,;:!-–")))[0]
        clause = _THERE_NOT.sub(r"\1 no", lowered(first_person(words)))
        clause = clause if _DENIES.search(clause) else _ANY.sub("some", clause)
        is_fact = is_clause(words, 26) and not is_instruction(words) and not _CUT_OFF.search(words)
        if sentence and clause not in taken and is_fact:
            taken.add(clause)
            yield StatedClause(clause, sentence)


def _readings(ranges: Sequence[StatedRange], places: _Places) -> Iterator[StatedReading]:
    """A reading outside each range that is stated for a quantity with a unit."""
    for stated in ranges:
        quantity, sentence = stated.quantity.strip(), places.of(stated.words)
        value = _outside(stated)
        if sentence and value and stated.use != "time" and _is_named(quantity, sentence):
            yield StatedReading(quantity.removeprefix("the "), value, sentence)


def _is_named(quantity: str, sentence: SpokenSentence) -> bool:
    """Whether a quantity can be said as it stands: a noun that is printed so, and not words gathered or a verb."""
    if not _MEASURED.fullmatch(quantity) or not is_sayable(quantity) or _NO_QUANTITY.search(quantity):
        return False
    said = quantity.split()
    moves = any(is_third_person(word) or word.endswith(("ly", "ing")) for word in said[1:])
    return quantity in normalised(sentence.text) and not moves


def _outside(stated: StatedRange) -> str:
    """A value a tenth beyond a bound, with its unit; empty without a bound or unit."""
    bound, factor = (stated.high, 1.1) if stated.high is not None else (stated.low, 0.9)
    if not bound or not stated.unit:
        return ""
    return f"{round(bound * factor, 2 if abs(bound) < 10 else 0):g} {stated.unit}"
