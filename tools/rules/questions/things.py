"""The things that an SOP names, each by its kind: what somebody at the equipment can point at."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from soprag.tools.procedure.lexicon import IMPERATIVES
from soprag.tools.rules.questions.clauses import is_third_person
from soprag.tools.rules.questions.speakable import is_sayable
from soprag.tools.rules.questions.spoken_sentences import SpokenSentence
from soprag.tools.rules.questions.verbs import participle
from soprag.tools.text.stop_words import SMALL
from soprag.tools.text.terms import terms

_END = (
    r"of|in|on|for|from|to|with|at|by|via|through|under|into|within|across|during|after|before|between|against|"
    r"is|are|was|were|has|have|had|does|do|did|can|cannot|will|must|should|may|might|that|which|when|if|until|while"
)
_PHRASE = re.compile(
    rf"\b(?i:the|an?|my|its|their|all|each|every|this|these|any) (?P<words>(?:[a-z][a-z'’-]+ ){{0,3}}[a-z][a-z-]{{3,}})"
    rf"(?=$|[,.]| (?:{_END})\b)"
)
# Nothing that somebody can point at: amounts, words about the text, places and times.
_NO_THING = re.compile(
    r"(?:number|percentage|amount|rate|level|share|part|set|list|majority|kind|type|lot|case|ones?|way|time|example|step|"
    r"following|information|detail|issue|problem|cause|reason|need|order|end|start|rest|same|other|impact|result|minute|"
    r"hour|day|second|week|month|year|process|procedure|document|section|page|alert|alarm|user|most|latter|former|"
    r"instead|default|stuck|available|right|left|bottom|top|side|outside|inside|next|above|below|beginning|fact|sure|"
    r"event|moment|purpose|question|answer|situation|possibility)s?$"
)
_PEOPLE = re.compile(
    r"(?:operator|technician|lead|manager|engineer|supervisor|officer|contractor|crew|nurse|assistant|administrator|"
    r"customer|developer|director|coordinator|team|person|people|staff|expert|scientist|observer)s?$"
)
_PARTICIPLES = frozenset(map(participle, IMPERATIVES))


@dataclass(frozen=True)
class NamedThing:
    """A thing by its kind, such as `the logs`, and the sentence in which it is first named."""

    text: str
    position: int


def named_things(sentences: Sequence[SpokenSentence]) -> list[NamedThing]:
    """The things of the sentences in their order, each kind once."""
    taken: set[str] = set()
    things: list[NamedThing] = []
    for sentence in sentences:
        for head in _heads(sentence.text):
            stem = "".join(terms(head))
            if stem and stem not in taken:
                taken.add(stem)
                things.append(NamedThing(f"the {head}", sentence.position))
    return things


def _heads(text: str) -> Iterator[str]:
    for phrase in _PHRASE.finditer(text):
        words = phrase["words"].split()
        if not any(map(_is_verb, words)) and _is_thing(words[-1]):
            yield words[-1]


def _is_verb(word: str) -> bool:
    """Whether the words before a boundary are no phrase of a noun: an auxiliary, a verb or an adverb is among them."""
    return word in SMALL or is_third_person(word) or word.endswith(("ing", "ly", "wards"))


def _is_thing(head: str) -> bool:
    """Whether a noun is something to point at; participles and words that are verbs as often are none."""
    if head in _PARTICIPLES or head in IMPERATIVES or head.endswith("ed"):
        return False
    return is_sayable(head) and not (_NO_THING.fullmatch(head) or _PEOPLE.fullmatch(head))
