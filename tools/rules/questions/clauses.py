"""The grammar of clauses: recognises clauses with subject and finite verb, and conditions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from soprag.tools.procedure.wording.lexicon import IMPERATIVES, is_instruction, words
from soprag.tools.rules.questions.speakable import hangs, is_sayable
from soprag.tools.rules.questions.speech import first_person
from soprag.tools.rules.questions.verbs import third

_STATE = words(
    """
    appear become belong cease consist contain deviate differ disappear drift drop exceed exist expire fail fall
    flash flicker freeze grow hang happen increase jam jump lack last leak lie look lose mean miss need occur
    overflow overheat persist reappear refuse remain report require respond rise run seem show sound spill stall
    stay stick stop succeed take trip turn vibrate want work
    """
)
_VERBS = _STATE | IMPERATIVES
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|am|has|have|had|does|do|did|can|cannot|could|will|would|may|might|must|should|"
    r"(?:is|are|was|were|has|have|had|does|do|did|ca|could|wo|would|must|should)n['’]t)\b",
    re.IGNORECASE,
)
_FINITE = re.compile(r"is|are|was|were|has|had")
_JOINS = re.compile(
    r",$|^(?:and|or|but|that|which|who|whose|what|where|when|while|if|whether|how|why|because|since|as|than|so|until|"
    r"after|before|once|though|although|not|yet|nor)$",
    re.IGNORECASE,
)
_MORE_OFTEN_NOUNS = words(
    """
    access address alarm alert block cable cause change check contact control cross display drive error file filter form
    group hand issue key label level light limit line link list load lock log map mark match measure metric name need
    node note number order page part pass place plan plot point position post press process program pump query queue
    rate record report request result return sample scale screw seal signal start state step stop switch tag tape test
    time track train transfer trip update use valve view water wire work
    """
)
_THIRD = frozenset(third(verb) for verb in _VERBS) - frozenset(third(word) for word in _MORE_OFTEN_NOUNS)
# A noun as often as a verb: a verb only before one of the words after it.
_EITHER = words("drops trips lacks leaks needs turns runs looks falls rises stops spills jams shows")
_AFTER_VERB = words("below under above over to by from out off on in at after when for the a an again back up down")
_DANGLING = re.compile(
    r"^(?:it|they|this|these|those|that|he|she|which|what|one|two|three|four|some|such|both|either|neither|none|anything|"
    r"any|the above|the following|"  # what it stands for is in another sentence
    r"so|not|needed|necessary|required|possible|applicable|available|desired|in doubt|unsure|appropriate|ready|done|"
    r"finished|using|found|present|asked|prompted|unknown|different|yes|no|"  # "if needed"
    r"can|could|may|might|must|should|will|would|is|are|was|were|has|have|does|did|do|don['’]t|if|when|once|unless|"
    r"in case|after|before|while|until|for|as|to|please|never|always|let|make sure)\b",  # no subject
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:it|them|they|its|their|asterisks?)\b", re.IGNORECASE)
_EARLY_PRONOUN = re.compile(r"^(?:\S+ )?(?:it|they|them|this|these|those|its|their|such)\b", re.IGNORECASE)
_OPENER = re.compile(
    r"^(?:also|however|typically|usually|in this case|as a result|therefore|thus|then|but|and)\b,? ", re.IGNORECASE
)
_SECOND = re.compile(r",? (?:so|which|because|since|while|although|whereas)\s|, (?:and|but)\s")
_LEADING = re.compile(
    r"^(?:(?:but|and|however|then|also)[,\s]+)?"
    r"(?P<word>if|when|whenever|once|as soon as|in case|unless|in the event that)\s+"
    r"(?P<clause>[^,;:]{8,160}?)(?:,\s+(?:then\s+)?|:\s+|\sthen\s)(?P<then>\S.{5,})$",
    re.IGNORECASE | re.DOTALL,
)
_TRAILING = re.compile(
    r"^(?P<then>[A-Z][^,;:]{8,160}?),?(?<!\beven)(?<!\bonly)\s"
    r"(?P<word>if|when|whenever|once|as soon as|unless)\s(?P<clause>[^,;:]{8,140}?)[.!]?$"
)
_TRIMS = 2
_ONLY = re.compile(r"\b(?:only|just|even|already)\b")
_TAIL = re.compile(
    r"^(?P<head>.+)\s(?P<tail>(?:during|after|before|because of|due to)\s\S.*?|"  # when, why
    r"(?:for|within|over|in)\s(?:(?:more|less|longer) than|at least|up to|about|an?(?= hour)|a (?:long|certain|period)|"
    r"the (?:last|past|time|night|day)|several|some time|\d)\b.*?|"  # how long
    r"at the moment|"
    r"by\s(?:more|less|at least|over|up to|\d)\b.*?|"  # how much
    r"(?<!ed )(?<!ing )(?:of|in|across|on|at|for)\s(?:the|my|an?|any|one of|all)\s[^,]+?)$"  # where
)
_INCOMPLETE = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|not|any|one|all|some|most|each|none|both|number|rest|part|more|less|fewer|"
    r"higher|lower|greater|than|over|under|above|below|least|goes|gets|becomes|became|remains|stays|due|prior|because|"
    r"out|able|unable|up|set|equal|close|different|instead|based|continues?|needs?|fails?|failed|working|shows?|consists?|cause|out)$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Condition:
    """A conjunction `word` (if, when, unless ...) with its clause and the consequence `then`."""

    word: str
    clause: str
    then: str
    evidence: str
    position: int


def condition(sentence: str, evidence: str, position: int) -> Condition | None:
    """The condition a sentence opens or ends with; None when it has none that is a self-contained clause."""
    match = _LEADING.match(sentence) or _TRAILING.match(sentence)
    if not match or not is_clause(match["clause"].strip()):
        return None
    clause, then = first_person(match["clause"].strip()), match["then"].strip(" .")
    return Condition(match["word"].lower(), clause, then, evidence, position)


def is_clause(text: str, longest: int = 24) -> bool:
    """Whether `text` has a subject and a finite verb, is speakable and does not depend on an earlier sentence."""
    tokens = text.split()
    if not 3 <= len(tokens) <= longest or hangs(text) or not is_sayable(text) or _leans_on_others(text, tokens):
        return False
    if tokens[0].lower() in IMPERATIVES and is_instruction(text):
        return False
    if (tokens[0].endswith("ing") and not has_auxiliary(text)) or _runs_on(tokens):
        return False
    return has_auxiliary(text) or third_person(tokens) or _plural_verb(tokens)


def main_clause(text: str) -> str:
    """`text` without an opening adverb such as "however", up to the second clause."""
    return _SECOND.split(_OPENER.sub("", text).replace(" also ", " "))[0].rstrip(" ,")


def trimmed(clause: str) -> str:
    """`clause` without trailing adverbials such as "for more than 5 minutes" or "in the cluster".

    The clause itself where nothing can be removed.
    """
    short = clause
    for _ in range(_TRIMS):
        match = _TAIL.match(short)
        if not match or third_person(["", *match["tail"].split()]) or has_auxiliary(match["tail"]):
            break
        if _ONLY.search(match["head"]):  # what is meant by it may stand in the tail
            break
        if _INCOMPLETE.search(match["head"]) or match["head"].startswith("there ") or not is_clause(match["head"]):
            break
        short = match["head"]
    return short


def has_auxiliary(text: str) -> bool:
    """Whether `text` contains a form of be, have, do, can, may, must ..."""
    return bool(_AUXILIARY.search(text))


def third_person(tokens: Sequence[str]) -> bool:
    """`the pump stops`, `pressure drops below 2 bar`; but not `packet drops or spikes`."""
    return any(
        is_third_before(word, after) for word, after in pairwise([*(word.strip(",") for word in tokens[1:]), ""])
    )


def is_third_before(word: str, after: str) -> bool:
    """Whether `word` is a verb of the third person before the word `after`; a noun as often is one before few words."""
    return word in _THIRD and (word not in _EITHER or not after or after in _AFTER_VERB)


def is_third_person(word: str) -> bool:
    """Whether `word` is a verb after he, she or it, and hardly ever a plural noun."""
    return word in _THIRD


def _runs_on(tokens: Sequence[str]) -> bool:
    """Whether two clauses stand side by side without a word that joins them: `the script fails the queue pauses`."""
    verbs = [
        position
        for position, (word, after) in enumerate(pairwise([*tokens, ""]))
        if position and (_FINITE.fullmatch(word) or is_third_before(word, after))
    ]
    return any(not any(_JOINS.search(word) for word in tokens[first + 1 : second]) for first, second in pairwise(verbs))


def _leans_on_others(text: str, tokens: Sequence[str]) -> bool:
    """Whether a pronoun in the text refers to another sentence."""
    return bool(_DANGLING.match(text) or _EARLY_PRONOUN.match(text) or (len(tokens) < 11 and _PRONOUN.search(text)))


def _plural_verb(tokens: Sequence[str]) -> bool:
    """`the pumps fail`, `you see`: a bare verb after a plural or a pronoun."""
    people = ("i", "you", "we")
    return any(
        word in _STATE or (word in _VERBS and before.lower() in people)
        for before, word in pairwise(tokens)
        if before.endswith("s") or before.lower() in people
    )
