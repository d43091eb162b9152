"""The grammar the question rules need: what is a clause, an instruction, a condition."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tools.rules.lexicon import AMBIGUOUS, IMPERATIVES, is_instruction
from tools.rules.questions.speech import UNSPEAKABLE, first_person
from tools.rules.questions.verbs import gerund, participle, third

_STATE_VERBS = """
appear become belong cease consist contain deviate differ disappear drift drop exceed exist expire fail fall flash
flicker freeze grow hang happen increase jam jump lack last leak lie look lose mean miss need occur overflow overheat
persist reappear refuse remain report require respond rise run seem show sound spill stall stay stick stop succeed take
trip turn vibrate want work
"""
_STATE = frozenset(_STATE_VERBS.split())
_VERBS = _STATE | IMPERATIVES
_AUX = re.compile(
    r"\b(?:is|are|was|were|am|has|have|had|does|do|did|can|cannot|could|will|would|may|might|must|should|"
    r"(?:is|are|was|were|has|have|had|does|do|did|ca|could|wo|would|must|should)n['’]t)\b",
    re.IGNORECASE,
)
_MORE_OFTEN_NOUNS = """
access address alarm alert block cable cause change check contact control cross display drive error file filter form
group hand issue key label level light limit line link list load lock log map mark match measure metric name need node
note number order page part pass place plan plot point position post press process program pump query queue rate record
report request result return sample scale screw seal signal start state step stop switch tag tape test time track train
transfer trip update use valve view water wire work
"""
_NOUNS_IN_S = frozenset(third(word) for word in _MORE_OFTEN_NOUNS.split())
_THIRD = frozenset(third(verb) for verb in _VERBS) - _NOUNS_IN_S
_NOUNS_TOO = frozenset(
    third(word) for word in "drop trip lack leak need turn run look fall rise stop spill jam show".split(" ")
)
_AFTER_VERB = frozenset(
    "below under above over to by from out off on in at after when for the a an again back up down".split(" ")
)
_DANGLING = re.compile(
    r"^(?:it|they|this|these|those|that|so|not|needed|necessary|required|possible|applicable|available|any(?:thing)?|one|"
    r"some|such|both|either|neither|none|he|she|which|what|two|three|four|yes|no|the above|the following|desired|"
    r"can|could|may|might|must|should|will|would|is|are|was|were|has|have|does|did|do|don['’]t|if|when|once|unless|in case|for|as|to|please|never|always|let|make sure|to|in doubt|unsure|appropriate|ready|done|finished|using|found|present|asked|prompted|unknown|different)\b",
    re.IGNORECASE,
)
_UNFIT = re.compile(
    rf"[/\\=<>{{}}$@#_|~^•→{UNSPEAKABLE}\"“”]|--|&|https?\b|\bwww\.|\b(?:above|below) (?:step|section|command|table|example)|"
    r"\b(?:following|previous|as follows|below|steps?|section|table|figure|appendix|chapter|runbook|sop|document|page|"
    r"procedure|e\.g|i\.e|etc|example|see|refer|click|link|note that|herein|former|latter|respectively|aforementioned|"
    r"such as|namely|screenshot|command)\b|\w\.\w{2,4}\b(?<!\d)|\(|\)|\[|\]|[:;]|\.\s|\b\w+\(\)",
    re.IGNORECASE,
)
_HUMPED = re.compile(r"\b[A-Za-z]?[a-z]+(?:[A-Z][a-z]+){2,}\w*|\b[a-z]+[A-Z]\w*")
# A number of a document or a section: "HQC-FM-118", "start again at 5.3"
_NUMBERED = re.compile(r"\b[A-Z]{2,}-[A-Z]{2,}-\d+|\b(?:at|to|from|with|of|in|per|under) \d+(?:\.\d+)+[a-z]?$")
_CUT = re.compile(
    r"\s*(?:[;:–—]|\s-\s|, (?:and then|then|and|but|which|so|or|to|until|because|since|as|using|by|where)\b|"
    r",?\s(?:so that|in order to|until|because|as described|as shown|as outlined|according to|by (?:running|using|clicking)|"
    r"such as|including|if necessary|if needed|see|e\.g\.|using)\b|,\s(?=\w+ing\b)).*$",
    re.IGNORECASE,
)
_AND_VERB = re.compile(r"(?:\s(?:and|or)|,)\s(?:then\s)?(?P<verb>[a-z]+)\b(?P<rest>.*)$")
# Instructions that nobody would ask how to carry out.
_WEAK = {
    "leave",
    "keep",
    "stay",
    "wait",
    "continue",
    "repeat",
    "proceed",
    "note",
    "see",
    "consider",
    "try",
    "allow",
    "let",
}
_WEAK |= {"go", "come", "follow", "refer", "click", "know", "do", "return", "ensure", "use", "select", "choose", "type"}
_PRONOUN = re.compile(r"\b(?:it|them|they|its|their|asterisks?)\b", re.IGNORECASE)
_HANGS = re.compile(
    r"\b(?:with|of|to|for|from|by|and|or|the|a|an|via|at|as|use|than|into|using|if|when|my|your)$", re.IGNORECASE
)
_REFERS_BACK = re.compile(
    r"\b(?:it|them|this|these|they|its|their|one|same|here|there|so|above|below|such|each other|another)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:please|then|now|next|first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|lastly|also|and|alternatively|otherwise|"
    r"afterwards?|again|immediately|carefully|simply|just|optionally|once done|to \w+(?: \w+){0,4},)[,:]?\s+)+|"
    r"^(?:you|we|the (?:operator|technician|user)) (?:can|may|must|should|need to|have to|will need to|could|might want to|"
    r"are required to)(?: also| now| then)? |^(?:it is|it's) (?:recommended|necessary|required|important|advised) to ",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"^(?:(?:but|and|however|then|also)[,\s]+)?(?P<word>if|when|whenever|once|as soon as|in case|unless|in the event that)\s+"
    r"(?P<clause>[^,;:]{8,160}?)(?:,\s+(?:then\s+)?|:\s+|\sthen\s)(?P<then>\S.{5,})$",
    re.IGNORECASE | re.DOTALL,
)
_TRAILING = re.compile(
    r"^(?P<then>[A-Z][^,;:]{8,160}?),?\s(?P<word>if|when|whenever|once|as soon as|unless)\s(?P<clause>[^,;:]{8,140}?)[.!]?$"
)


@dataclass(frozen=True)
class Action:
    """An instruction: its verbs in their base form, and what follows them."""

    verbs: tuple[str, ...]
    rest: str
    evidence: str
    place: int

    @property
    def infinitive(self) -> str:
        """`replace the belts`"""
        return self._said(self.verbs)

    @property
    def gerund(self) -> str:
        """`replacing the belts`"""
        return self._said([gerund(verb) for verb in self.verbs])

    @property
    def done(self) -> str:
        """`replaced the belts`, as after "I have"."""
        return self._said([participle(verb) for verb in self.verbs])

    def _said(self, verbs: Sequence[str]) -> str:
        return f"{' and '.join(verbs)} {self.rest}".strip()


@dataclass(frozen=True)
class Condition:
    """`word` (if, when, unless ...) and its clause, with what then holds or is to be done."""

    word: str
    clause: str
    then: str
    evidence: str
    place: int


def action(sentence: str, evidence: str, place: int) -> Action | None:
    """The first instruction of a spoken sentence, without what hangs on it; None when it has none worth asking for."""
    bare = _LEAD.sub("", sentence.strip()).rstrip(" .!:")
    if not is_instruction(bare) or re.match(r"(?i)(?:do not|don't|never|note|see|refer|be|if)\b", bare):
        return None
    verb, _, rest = _CUT.sub("", bare).partition(" ")
    verbs, rest = _verbs(verb.lower(), rest)
    words = rest.split()
    if not 2 <= len(words) <= 14 or verb.lower() not in IMPERATIVES - _WEAK or not is_sayable(rest):
        return None
    if _REFERS_BACK.search(rest) or _is_statement(rest) or _HANGS.search(rest) or rest.startswith("to "):
        return None
    if verb.lower() in AMBIGUOUS and re.match(r"[A-Z][a-z]", rest):  # "Top Box Dome Control" is a name
        return None
    return Action(verbs, first_person(rest), evidence, place)


def _is_statement(rest: str) -> bool:
    """`water on the stand freezes`: the seeming verb was a noun, for a finite verb follows."""
    before = re.split(r"\b(?:that|which|who|if|whether|until|when|while|how|what|where|as|after|before|so)\b", rest)[0]
    return any(word in _THIRD or word in ("is", "are", "was", "were", "has", "can", "will") for word in before.split())


def _verbs(verb: str, rest: str) -> tuple[tuple[str, ...], str]:
    """`check`, `and clean the filter` gives both verbs; a second instruction after the object is left out."""
    second = re.match(r"(?:and|or)\s(\w+)\s((?:the|a|an|all|any|each|both|your|every|\w+).*)$", rest)
    if second and (second[1] in IMPERATIVES or second[2].startswith(("the ", "a ", "all "))):
        return (verb, second[1]), second[2]
    for found in _AND_VERB.finditer(rest):
        verb_here = found["verb"] in IMPERATIVES - AMBIGUOUS or is_instruction(f"{found['verb']}{found['rest']}")
        if found.start() > 3 and (verb_here or found[0].startswith(",")):
            return (verb,), rest[: found.start()].rstrip(" ,")
    return (verb,), rest


def condition(sentence: str, evidence: str, place: int) -> Condition | None:
    """The condition a spoken sentence opens or ends with; None when it has none, or none that stands alone."""
    found = _CONDITION.match(sentence) or _TRAILING.match(sentence)
    if not found:
        return None
    clause, then = found["clause"].strip(), found["then"].strip(" .")
    if not is_clause(clause):
        return None
    return Condition(found["word"].lower(), first_person(clause), then, evidence, place)


def is_clause(text: str, longest: int = 24) -> bool:
    """Whether `text` has a subject and a finite verb, can be said aloud and needs nothing before it."""
    words = text.split()
    if not 3 <= len(words) <= longest or _DANGLING.match(text) or not is_sayable(text):
        return False
    if re.search(r"\b(?:it|they|them|this|these|those|its|their|such)\b", " ".join(words[:2]), re.IGNORECASE):
        return False
    if (len(words) < 11 and _PRONOUN.search(text)) or (words[0].endswith("ing") and not _AUX.search(text)):
        return False
    if (words[0].lower() in IMPERATIVES and is_instruction(text)) or _HANGS.search(text) or text.endswith(" so"):
        return False
    return bool(_AUX.search(text)) or _third_person(words) or _plural_verb(words)


def _third_person(words: Sequence[str]) -> bool:
    """`the pump stops`, `pressure drops below 2 bar`; but not `packet drops or spikes`."""
    return any(
        word in _THIRD and (word not in _NOUNS_TOO or after == "" or after in _AFTER_VERB)
        for word, after in pairwise([*(word.strip(",") for word in words[1:]), ""])
    )


def main_clause(text: str) -> str:
    """`text` up to where a second clause hangs on to it."""
    text = re.sub(
        r"^(?:also|however|typically|usually|in this case|as a result|therefore|thus|then|but|and)\b,? ",
        "",
        text,
        flags=re.I,
    )
    return re.split(r",? (?:so|which|because|since|while|although|whereas)\s|, (?:and|but)\s", text)[0].rstrip(" ,")


def _plural_verb(words: Sequence[str]) -> bool:
    """`the pumps fail`, `you see`: a bare verb after a plural or a pronoun."""
    return any(
        word in _STATE or (word in _VERBS and before.lower() in ("i", "you", "we"))
        for before, word in pairwise(words)
        if before.endswith("s") or before.lower() in ("i", "you", "we")
    )


def is_sayable(text: str) -> bool:
    """Whether nothing in `text` is code, a link, a label or a pointer into the document."""
    return not (_UNFIT.search(text) or _HUMPED.search(text) or _NUMBERED.search(text)) and text.count("'") < 3


def lowered(text: str) -> str:
    """`text` beginning in lower case, unless its first word is a name or an abbreviation."""
    first = re.split(r"[\s,'’-]", text, maxsplit=1)[0]
    is_name = first == "I" or any(letter.isupper() or letter.isdigit() for letter in first[1:])
    return text if is_name else text[:1].lower() + text[1:]


def raised(text: str) -> str:
    """`text` beginning in upper case."""
    return text[:1].upper() + text[1:]
