"""Names things by their kind: "the worker node of the blue cell" becomes "the node".

Who describes what happens seldom says the whole name of a thing. Only what is left out changes: no word is replaced by
another one, since a general thesaurus does not know the sense a word has in a procedure.
"""

import re

from soprag.tools.rules.questions.clauses import is_clause, is_third_person
from soprag.tools.text.stop_words import SMALL

_PREPOSITION = (
    r"of|in|on|for|from|to|with|at|by|via|through|under|into|within|across|during|after|before|between|against"
)
_VERB = (
    r"is|are|was|were|has|have|had|does|do|did|can|cannot|will|won't|isn't|aren't|doesn't|don't|didn't|hasn't|"
    r"haven't|and|or|but|that|which|not|no|when|if|while|because"
)
_DETERMINER = r"the|an|a|my|its|their|all|any|each|every|some|both"
_PHRASE = re.compile(
    rf"\b(?P<determiner>{_DETERMINER}) (?P<before>(?:[\w'’/.-]+ ){{1,4}})(?P<head>[\w'’/.-]+)"
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
_SUBJECT = re.compile(
    rf"^(?P<thing>(?:{_DETERMINER}) (?:[\w'’/.-]+ ){{0,4}}?[\w'’/.-]+|[A-Z][\w-]+s?) "
    r"(?P<rest>(?:is|are|was|were|has|have|does|do|did|cannot|goes|keeps|won't|isn't) .+)$"
)
_THING = re.compile(rf"(?:{_DETERMINER}) (?:[\w'’/.-]+ ){{0,2}}[\w'’/.-]+", re.IGNORECASE)
# A quantity is nothing without its noun: "a number", "a percentage".
_AMOUNT = re.compile(r"(?:number|percentage|amount|rate|level|share|part|set|list|majority|kind|type|lot|case|one)s?$")


def plain_object(rest: str) -> str:
    """The object of an instruction by its kind, such as `the logs` for `the logs of the collector pod`."""
    thing = _OBJECT.match(rest)
    if thing and not _AMOUNT.search(thing["thing"]):
        rest = thing["thing"]
    return _PHRASE.sub(_head, rest)


def plain_clause(clause: str) -> str:
    """The clause with its things by their kind; unchanged where that would be no clause any more."""
    short = _PHRASE.sub(_head, clause)
    subject = _OF_SUBJECT.match(short)
    if subject and not _AMOUNT.search(subject["thing"]):
        short = subject["thing"] + short[subject.end() :]
    return short if is_clause(short, 26) else clause


def with_aside(clause: str, aside: str) -> str:
    """The clause with `aside` between its subject and its verb; empty where the subject cannot be told."""
    parts = _SUBJECT.match(clause)
    return f"{parts['thing']}, {aside}, {parts['rest']}" if parts else ""


def is_thing(text: str) -> bool:
    """Whether `text` is a thing alone, such as `the logs`: a determiner and at most three words."""
    return bool(_THING.fullmatch(text))


def _head(phrase: re.Match[str]) -> str:
    before, head = phrase["before"].lower().split(), phrase["head"]
    verbs = any(word in SMALL or is_third_person(word) or word.endswith(("ing", "ly")) for word in [*before, head])
    if verbs or _AMOUNT.fullmatch(head) or head[0].isdigit() or head in ("up", "down", "off"):
        return phrase[0]
    determiner = phrase["determiner"]
    if determiner.lower() in ("a", "an"):
        determiner = determiner[0] + ("n" if head[0].lower() in "aeiou" else "")
    return f"{determiner} {head}"
