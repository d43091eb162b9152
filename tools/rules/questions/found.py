"""What somebody says who found a state: what happened has happened, a find is theirs, and not every clause is news.

A procedure writes "if a typo is identified" and "the system goes into FAULT"; who is there says "I have found a typo"
and "the system has gone into FAULT". A clause that nobody would report is none: the slot stays empty instead.
"""

import re

from soprag.tools.procedure.wording.lexicon import words
from soprag.tools.rules.questions.heads import clause_parts
from soprag.tools.rules.questions.verbs import participle, third

_HAPPENS = words(
    "begin break collapse crash disappear exit expire fail fall freeze go happen jam lose occur overflow overheat shut "
    "slip stall start stop trip turn"
)
_PERFECT = {third(verb): participle(verb) for verb in _HAPPENS}
_HAPPENING = re.compile(rf"^(?P<verb>{'|'.join(sorted(_PERFECT))})\b")
_TOLD_WHOLE = re.compile(
    rf"^(?!I |there )(?P<thing>(?:(?!\b(?:is|are|was|were|has|have|that|which|if|when)\b)[^,])*?[^s,]) "
    rf"(?P<verb>{'|'.join(sorted(_PERFECT))})\b(?P<rest>.*)$"
)
_AND_THEN = re.compile(rf"\band (?P<verb>{'|'.join(sorted(_PERFECT))})\b")
_FOUND = re.compile(
    r"^(?P<thing>(?:an?|some|the) [^,]+?) (?:is|are|was|were|(?:has|have) been) "
    r"(?:identified|found|detected|discovered|observed|encountered)(?! as\b)(?P<rest>.*)$"
)
_EXISTS = re.compile(r"^(?P<thing>an? [^,]+?) exists\b(?P<rest>.*)$")
# "I notice that the pump leaks" and "a common problem is that the pump leaks" are about the pump.
_INTRODUCED = re.compile(
    r"^(?:(?:I|you)(?:'ll| will)? (?:find|notice|see|observe) that|"
    r"(?:an?|the) (?:[\w-]+ )*?(?:problem|issue|symptom) is that) "
)
_HAPPEN_TO = re.compile(r"^I happen to (?P<verb>[a-z]+) ")
_THERE_NOT_MINE = re.compile(r"^there (?P<verb>is|are) not (?P<thing>my [^,]+?) (?P<place>(?:on|in|at|among) .+)$")
_PLACE_FIRST = re.compile(
    r"^(?P<place>(?:in|at|on|during|under) (?!the event\b|case\b)(?:[\w-]+ ){1,3}?)(?P<clause>(?:the|an?|my) .+)$"
)
# Of two possibilities somebody finds one.
_EITHER = re.compile(r",? or (?:[\w'’-]+ ){0,3}?(?:is|are|was|were|has|have|does|do)\b.*$")
# A duty, a plan and the role of a thing are no news.
_NO_NEWS = re.compile(
    r"\b(?:goal|purpose|aim|objective|event)\b|^in the event\b|\bis to\b|"
    r"\b(?:is|are|was|were) (?:assigned|used|intended|meant|planned|essential|special|only temporary|organized|"
    r"reported)\b"
)
_BARE = re.compile(r"(?!the |an? |my |our |another |some |any |all |each |every )[a-z]")
_VAGUE = re.compile(r"^(?:an?|some|any|each|every|another) ", re.IGNORECASE)


def restated(clause: str) -> str:
    """The clause without who notices it, its subject first and with an article: a clause that follows "when"."""
    clause = _INTRODUCED.sub("", clause.replace("’", "'"))
    clause = _HAPPEN_TO.sub(lambda happen: f"I have {participle(happen['verb'])} ", clause)
    if mine := _THERE_NOT_MINE.match(clause):
        return f"{mine['thing']} {mine['verb']} not {mine['place']}"
    if placed := _PLACE_FIRST.match(clause):
        clause = f"{placed['clause']} {placed['place'].strip()}"
    parts = clause_parts(clause)
    bare = parts and parts.pronoun == "it" and _BARE.match(parts.thing)
    return f"the {clause}" if bare else clause


def as_found(clause: str, *, odd: bool) -> str:
    """The clause as somebody says it who found it so; empty where nobody would.

    What is no trouble (not `odd`) is told of a thing that is known, and in more than a bare verb.
    """
    clause = _EITHER.sub("", restated(clause))
    if found := _FOUND.match(clause):
        return f"I have found {found['thing']}{found['rest']}"
    if there := _EXISTS.match(clause):
        return f"there is {there['thing']}{there['rest']}"
    if _NO_NEWS.search(clause) or (not odd and _VAGUE.match(clause)):
        return ""
    return _happened(clause, odd=odd)


def _happened(clause: str, *, odd: bool) -> str:
    """A clause on an event in the perfect tense; empty for a bare verb that is no trouble."""
    parts = clause_parts(clause)
    if parts is None:
        return _TOLD_WHOLE.sub(
            lambda told: f"{told['thing']} has {_PERFECT[told['verb']]}{_perfect(told['rest'])}", clause
        )
    if not odd and " " not in parts.predicate:
        return ""
    happening = _HAPPENING.match(parts.predicate) if parts.pronoun == "it" else None
    if happening is None or parts.predicate.startswith("fails to"):
        return clause
    return f"{parts.thing} has {_PERFECT[happening['verb']]}{_perfect(parts.predicate[happening.end() :])}"


def _perfect(rest: str) -> str:
    """What follows a verb in the perfect tense, with a second verb like it: "... and has exited the control"."""
    return _AND_THEN.sub(lambda verb: f"and {_PERFECT[verb['verb']]}", rest)


def is_event(predicate: str) -> bool:
    """Whether a predicate tells what has happened, which is so at a time and not since one."""
    return bool(re.match(r"(?:has|have) (?!been\b|an?\b|no\b|the\b|\d|less\b|more\b)", predicate))
