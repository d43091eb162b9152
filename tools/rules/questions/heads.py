"""Names things by their kind: "the worker node of the blue cell" becomes "the worker node", or "the node" in a step.

Who describes what happens seldom says the whole name of a thing. Only what is left out changes: no word is replaced by
another one, since a general thesaurus does not know the sense a word has in a procedure.
"""

import re
from dataclasses import dataclass

from soprag.tools.procedure.wording.lexicon import words
from soprag.tools.rules.questions.clauses import is_clause, is_third_before, is_third_person
from soprag.tools.text.stop_words import SMALL

_PREPOSITION = (
    r"of|in|on|for|from|to|with|at|by|via|through|under|into|within|across|during|after|before|between|against"
)
_VERB = (
    r"is|are|was|were|has|have|had|does|do|did|can|cannot|will|won't|isn't|aren't|doesn't|don't|didn't|hasn't|"
    r"haven't|and|or|but|that|which|not|no|when|if|while|because"
)
_DETERMINER = r"the|an|a|my|its|their|all|any|each|every|some|both"
# An indefinite thing says by its other words what is new of it: "at a higher elevation".
_DEFINITE = r"the|my|its|their"
_PHRASE = re.compile(
    rf"\b(?P<determiner>{_DEFINITE}) (?P<before>(?:[\w'’/.-]+ ){{1,4}})(?P<head>[\w'’/.-]+)"
    rf"(?=$|[,;.]| (?:{_PREPOSITION}|{_VERB})\b)",
    re.IGNORECASE,
)
_OF_SUBJECT = re.compile(
    rf"^(?P<thing>(?:(?:{_DETERMINER}) )?[\w'’/.-]+) (?:of|in|on|for|from|at|by|to|with|within) "
    rf"(?:(?!\b(?:{_VERB}|if|as)\b).)+?(?= (?:is|are|was|were|has|have|had|does|do|did|can|cannot|will)\b)",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    rf"^(?P<thing>(?:{_DETERMINER}) (?:[\w'’/.-]+ ){{0,3}}?[\w'’/.-]+) (?:{_PREPOSITION}) ", re.IGNORECASE
)
_ONE = words("is was has does isn't wasn't hasn't doesn't goes keeps")
_MANY = words("are were have do aren't weren't haven't don't")
_FINITE = _ONE | _MANY | words("had did cannot didn't won't")
# What cannot be named alone before a pronoun: amounts, relative clauses, people of the speaker.
_NO_SUBJECT = re.compile(
    r"^(?:in|on|at|for|with|during|after|before|from|to|by|there|it|they|he|she|what|which|this|that|these|those|one|two|three|some|someone|something|nothing|no|none|"
    r"more|most|less|fewer|at|about|only|not|any|neither|either|both|other|i|we|you|my|our)\b|"
    r"\b(?:that|which|who|if|when|than|being|not|only|problem|issue)\b|,|\d|"
    r"\b(?:number|percentage|amount|rate|level|share|majority|lot|case)s? (?:of|in)\b",
    re.IGNORECASE,
)
_LONGEST_SUBJECT = 5
_PEOPLE = words(
    "astronomer colleague collegue crew people person persons staff student team technician trainee user users"
)
# No head of a phrase: what its thing is brought to, as in "wipe the racks dry".
_MADE = words(
    "afterwards clean clear closed cold cool down dry empty flat free full left off on open out safe shut tight up "
    "upright warm"
)
_ITS = re.compile(r"\b(?:its|their)\b")
_CAME_TO_BE = re.compile(r"(?:has|have) (?:happened|occurred)\b")
_COMES_TO_BE = words("exist exists happen happens occur occurs")  # said of nothing that is known to be there
_DETERMINED = re.compile(rf"(?:{_DETERMINER}|multiple|several|one|other|another)\b")
_ONE_OF_MANY = re.compile(r"an? (?P<noun>[\w-]+(?: [\w-]+){0,3})")
_QUALIFIED = re.compile(r" (?:of|in|on|for|from|with|by|to|\w{3,}ed) ")
_PLURAL = re.compile(r"[^su]s$")
_THING = re.compile(rf"(?:{_DETERMINER}) (?:[\w'’/.-]+ ){{0,2}}[\w'’/.-]+", re.IGNORECASE)
# A quantity is nothing without its noun: "a number", "a percentage".
_AMOUNT = re.compile(r"(?:number|percentage|amount|rate|level|share|part|set|list|majority|kind|type|lot|case|one)s?$")
# Of every thing there is one: "the status" and "the details" say nothing without what they are of.
_ASPECT = re.compile(
    r"(?:detail|status|state|condition|name|size|version|value|health|output|position|end|top|side|edge|content|events?|"
    r"cause|result|information|presence|existence|copy|type|id|class)(?:e?s)?$"
)


def _plural(noun: str) -> str:
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if re.search(r"(?:s|x|z|ch|sh)$", noun) else f"{noun}s"


def plain_object(rest: str) -> str:
    """The object of an instruction by its kind, such as `the logs` for `the logs of the collector pod`."""
    thing = _OBJECT.match(rest)
    if thing and not (_AMOUNT.search(thing["thing"]) or _ASPECT.search(thing["thing"])):
        rest = thing["thing"]
    return _PHRASE.sub(lambda phrase: _head(phrase, 0), rest)


def plain_clause(clause: str) -> str:
    """The clause with its things by their kind; unchanged where that would be no clause any more."""
    short = _PHRASE.sub(lambda phrase: _head(phrase, 1), clause)
    subject = _OF_SUBJECT.match(short)
    if subject and not _AMOUNT.search(subject["thing"]):
        short = subject["thing"] + short[subject.end() :]
    return short if is_clause(_ITS.sub("the", short), 26) else clause  # what "its" stands for is in the clause


@dataclass(frozen=True)
class ClauseParts:
    """A clause as the thing that it is about and what it says of it; `pronoun` stands for the thing."""

    thing: str
    pronoun: str
    predicate: str

    @property
    def first(self) -> str:
        """The thing when it is named first: `one of our nodes` for `a node` that nobody has heard of."""
        one = _ONE_OF_MANY.fullmatch(self.thing)
        return f"one of our {_plural(one['noun'])}" if one else re.sub(r"^some ", "some of our ", self.thing)

    @property
    def kind(self) -> str:
        """The thing when it is named again: `the node` for `a control plane node`."""
        if not _DETERMINED.match(self.thing) or _QUALIFIED.search(self.thing):
            return self.thing
        return f"the {self.thing.split()[-1]}"


def clause_parts(clause: str) -> ClauseParts | None:
    """The parts of a clause; None where its subject cannot be told or stands for no thing that is known to be there."""
    tokens = clause.split()
    place = next((place for place in range(1, len(tokens)) if _is_finite(*tokens[place : place + 2])), 0)
    thing = " ".join(token for token in tokens[:place] if token not in ("itself", "themselves"))
    verb, predicate = tokens[place].lower(), " ".join(tokens[place:])
    if not 1 <= place <= _LONGEST_SUBJECT or _NO_SUBJECT.search(thing) or verb in _COMES_TO_BE:
        return None
    if thing.split()[-1].lower() in _PEOPLE or _CAME_TO_BE.match(predicate):  # no thing that somebody looks at
        return None
    many = verb in _MANY or (verb not in _ONE and not is_third_person(verb) and is_plural(thing))
    if many and thing.islower() and not _DETERMINED.match(thing):
        thing = f"some {thing}"
    return ClauseParts(thing, "they" if many else "it", predicate)


def _is_finite(word: str, after: str = "") -> bool:
    """Whether the word is a verb of the clause's subject."""
    return word.lower().replace("’", "'") in _FINITE or is_third_before(word, after)


def is_thing(text: str) -> bool:
    """Whether `text` is a thing alone, such as `the logs`: a determiner and at most three words."""
    return bool(_THING.fullmatch(text))


def is_plural(thing: str) -> bool:
    """Whether several things are named, by the last word."""
    return bool(_PLURAL.search(thing))


def _head(phrase: re.Match[str], kept: int) -> str:
    """The phrase with so many of the words before its head, which say what kind it is."""
    before, head = phrase["before"].lower().split(), phrase["head"]
    verbs = any(word in SMALL or is_third_person(word) or word.endswith(("ing", "ly")) for word in [*before, head])
    verbs = verbs or head.endswith("ed") or head == "due"
    counted = any(word[0].isdigit() for word in [*before, head]) or before[0] in ("last", "past", "next")
    if verbs or counted or _AMOUNT.fullmatch(head) or _ASPECT.fullmatch(head) or head in _MADE:
        return phrase[0]
    return " ".join([phrase["determiner"], *phrase["before"].split()[-kept or len(phrase["before"]) :], head])
