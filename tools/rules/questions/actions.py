"""The grammar of instructions: extracts the imperative verbs and their object from a sentence."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from soprag.tools.procedure.wording.lexicon import AMBIGUOUS, IMPERATIVES, is_instruction, words
from soprag.tools.rules.questions.clauses import has_auxiliary, is_third_person, third_person
from soprag.tools.rules.questions.speakable import hangs, is_sayable
from soprag.tools.rules.questions.speech import first_person
from soprag.tools.rules.questions.verbs import gerund, participle

_LONGEST = 14  # words of an object that still fits into a question
# Verbs too general for a how-to question.
_WEAK = words(
    """
    allow assist be choose click come consider continue do ensure expect follow go keep know leave let note proceed
    refer repeat return see select stay try type use wait
    """
)
_FORBIDS = re.compile(r"(?:do not|don['’]t|never|if)\b", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:(?:please|then|now|next|first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|lastly|also|and|alternatively|"
    r"otherwise|afterwards?|again|immediately|carefully|simply|just|optionally|once done|"
    r"to \w+(?: \w+){0,4},)[,:]?\s+)+|^(?:you|we|the (?:operator|technician|user)) (?:can|may|must|should|need to|"
    r"have to|will need to|could|might want to|are required to)(?: also| now| then)? |"
    r"^(?:it is|it's) (?:recommended|necessary|required|important|advised) to ",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"\s*(?:[;:–—]|\s-\s|, (?:and then|then|and|but|which|so|or|to|until|because|since|as|using|by|where)\b|"
    r",?\s(?:so that|in order to|until|because|as described|as shown|as outlined|according to|"
    r"(?:and )?(?:while|when|once|after|before|unless)|"
    r"to (?:see|discover|find out|identify|determine|verify|confirm|ensure|make sure|learn|understand|check)|"
    r"by (?:running|using|clicking)|such as|including|if necessary|if needed|see|e\.g\.|using)\b|,\s(?=\w+ing\b)).*$",
    re.IGNORECASE,
)
_NEXT_VERB = re.compile(r"(?:\s(?:and|or)|,)\s(?:then\s)?(?P<verb>[a-z]+)\b")
_TWO_VERBS = re.compile(r"(?:and|or)\s(?P<verb>\w+)\s(?P<rest>.+)$")
_REFERS_BACK = re.compile(
    r"\b(?:it|them|this|these|they|its|their|one|same|here|there|so|above|below|such|each other|another)\b|"
    r"\bboth(?= (?:before|after|and|if|when|until)\b|$)",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(
    r"\b(?:that|which|who|if|whether|until|when|while|how|what|where|as|after|before|so)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Instruction:
    """An instruction: its verbs in their base form, and what follows them."""

    verbs: tuple[str, ...]
    rest: str
    evidence: str
    position: int

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


def action(sentence: str, evidence: str, position: int) -> Instruction | None:
    """The first instruction of a sentence without subordinate parts; None when there is none fit for a question."""
    instruction = _LEAD.sub("", sentence.strip()).rstrip(" .!:")
    if _FORBIDS.match(instruction) or not is_instruction(instruction):
        return None
    first, _, rest = _CUT.sub("", instruction).partition(" ")
    verb = first.lower()
    verbs, rest = _verbs(verb, rest)
    rest = rest.removesuffix(" first").removesuffix(" again").replace("the the ", "the ")
    if verb not in IMPERATIVES - _WEAK or not _is_object(rest):
        return None
    if verb in AMBIGUOUS and re.match(r"[A-Z][a-z]", rest):  # "Top Box Dome Control" is a name
        return None
    return Instruction(verbs, first_person(rest), evidence, position)


def _is_object(rest: str) -> bool:
    """Whether `rest` is a complete, self-contained object."""
    if not 2 <= len(rest.split()) <= _LONGEST or rest.startswith("to ") or hangs(rest):
        return False
    return is_sayable(rest) and not _REFERS_BACK.search(rest) and not _is_statement(rest)


def _is_statement(rest: str) -> bool:
    """Whether the sentence is a statement whose apparent imperative is a noun, as in `water on the stand freezes`."""
    conjunction = re.match(r"(?:that|whether|if)\b", rest)
    if conjunction and not has_auxiliary(rest) and not third_person(rest.split()):
        return True
    before = _SUBORDINATE.split(rest)[0].split()
    return any(is_third_person(word) or word in ("is", "are", "was", "were", "has", "can", "will") for word in before)


def _verbs(verb: str, rest: str) -> tuple[tuple[str, ...], str]:
    """All leading verbs and the object: `check`, `and clean the filter` gives both; a second instruction is cut off."""
    second = _TWO_VERBS.match(rest)
    if second and (second["verb"] in IMPERATIVES or second["rest"].startswith(("the ", "a ", "all "))):
        return (verb, second["verb"]), second["rest"]
    for following in _NEXT_VERB.finditer(rest):
        between = "between " in rest[: following.start()]  # "between the upper and lower mark" is one thing
        if following.start() > 3 and not between and (following["verb"] in IMPERATIVES or following[0].startswith(",")):
            return (verb,), rest[: following.start()].rstrip(" ,")
    return (verb,), rest
