"""The subject of a question, its content stems, and the related stems an answer may use for them."""

import re
from functools import cache

from soprag.tools.rules.nouns import QUANTITIES
from soprag.tools.text.terms import terms
from soprag.tools.text.words import words

_OPENING = re.compile(
    r"^\W*(?:please\s+|can you\s+|could you\s+|tell me\s+|i (?:need|want) to know\s+)*"
    r"(?:what does (?:it|this) mean(?: when| if)?|"
    r"how (?:do|does|did|can|could|should|would|is|are|was|were|to|much|many|often|long)|how|"
    r"what (?:should|must|can|has to|needs to|is to|do i|do we) (?:be done |do )?(?:when|if|after|before)?|"
    r"what (?:is|are|was|were|does|do|did|causes?|happens)(?: (?:when|if))?|what|which|"
    r"why (?:is|are|do|does|did)|why|when|where|who|"
    r"whether|is|are|does|do|can|should|list|describe|explain|compare|show(?: me)?|find|give(?: me)?|define|"
    r"overview of|background)(?:\b|:)[:\s]*",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|a|an|i|we|you|one|there)\s+", re.IGNORECASE)
_KIND = re.compile(
    r"^(?:(?:\w+\s+){0,2}?(?:diagrams?|drawings?|schematics?|photos?|pictures?|images?|figures?|patents?|studies|papers?|"
    r"literature|articles?|research)\s+(?:of|on|about|for|showing|that)\s+)+",
    re.IGNORECASE,
)
# Groups of related words; an answer covers a question's word by any word of its group.
_KIN = (
    "hazard danger dangerous risk warning caution safety injury injure fatal death shock burn explosion explosive fire "
    "flammable toxic poison harm",
    "cause reason because due result lead trigger origin",
    "prevent prevention avoid protect protection stop mitigate reduce",
    "cost price expense budget cheap expensive euro dollar",
    "limit maximum minimum exceed threshold range least most below above",
    "repair fix mend correct remedy",
    "replace replacement exchange renew swap change",
    "symptom sign indicate alarm noise vibration",
    "make made produce production manufacture synthesis synthesise",
    "start startup begin activate energise energize",
    "stop shutdown shut switch off isolate",
    "check inspect inspection test verify measure",
)
_SPACES = re.compile(r"\s+")
# Nouns that name an aspect of a subject, and words that a clause of a question opens with.
_ASPECTS = frozenset(
    words(
        "hazard hazards risk risks danger dangers cause causes reason reasons impact impacts effect effects "
        "consequence consequences symptom symptoms warning warnings precaution precautions tool tools part parts "
        "limit limits step steps cost costs price duration interval frequency purpose difference differences "
        "requirement requirements prerequisites equipment procedure procedures"
    )
)
_LEADING = _ASPECTS | frozenset(
    words(
        "a an the of in for on to there is are was were be been do does did has have must should can could may when if "
        "after before during once done caused"
    )
)
_ENDS_NOUN = re.compile(
    r"^(?:is|are|was|were|be|been|has|have|had|do|does|must|should|can|could|may|will|done|put|made|run|held|set|taken|"
    r"given|begun|brought|built|cut|sent|shut|kept|found|\w{3,}ed)$",
    re.IGNORECASE,
)
_GENERIC = frozenset(
    terms("new old same other another good better bad worse best usual normal safe safely correct proper after before")
)


def noun_phrase(clause: str) -> str:
    """The thing a clause is about: `How is a chiller plant started after a failure?` gives `chiller plant`."""
    tokens = subject_of(clause).split()
    while tokens and tokens[0].casefold().strip(",") in _LEADING:
        tokens.pop(0)
    end = next((index for index, token in enumerate(tokens) if index and _ENDS_NOUN.match(token)), len(tokens))
    return " ".join(tokens[:end]).strip(" ,") or subject_of(clause)


def names_thing(clause: str) -> bool:
    """Whether a clause names a thing, beside aspects, quantities and what is done: `be recorded` names none."""
    return any(
        not _ENDS_NOUN.match(token) and token.casefold() not in _LEADING | QUANTITIES and own_stems(token)
        for token in (token.strip(",.") for token in subject_of(clause).split())
    )


def aspect_of(clause: str) -> str:
    """The aspect that a clause asks for, such as `hazards`; empty when it names none."""
    opening = subject_of(clause).split()[:2]
    return next((token for token in opening if token.casefold() in _ASPECTS), "")


def own_stems(clause: str) -> set[str]:
    """The content stems of a clause without aspects, verbs of asking and generic adjectives."""
    aspects = {stem for word in _ASPECTS for stem in terms(word)}
    return set(terms(clause)) - aspects - _FORM - _GENERIC - _ASKING


def subject_of(question: str) -> str:
    """`How is nitric acid made at scale?` gives `nitric acid made at scale`."""
    subject = _SPACES.sub(" ", question).strip(" ?!.,;:")
    for _ in range(3):
        shorter = _ARTICLE.sub("", _OPENING.sub("", subject)).strip()
        if shorter == subject or not shorter:
            break
        subject = shorter
    return _ARTICLE.sub("", _KIND.sub("", subject)).strip() or subject


# Stems that describe the form of the answer, not its subject.
_FORM = frozenset(
    terms(
        "show find list describe explain compare give tell name do done make get need use there exist many way kind "
        "type diagram drawing schematic photo picture image figure patent invention study research paper literature "
        "article bring happen mean work involve consist form come go take "
        "overview background definition detail information example"
    )
)

# Verbs that carry no subject of their own: who is called, what happens, how is it handled.
_ASKING = frozenset(
    terms(
        "call contact inform notify escalate handle need require happen ask tell report respond apply follow avoid "
        "often much many long"
    )
)


def wanted(question: str) -> list[str]:
    """The content stems of a question in order; all its stems when none is a content stem."""
    question_stems = list(dict.fromkeys(terms(question)))
    return [stem for stem in question_stems if stem not in _FORM] or question_stems


def equivalent_stems(stem: str) -> frozenset[str]:
    """The stems that count as equivalent to `stem` in an answer, including itself."""
    return frozenset({stem}).union(*(group for group in _groups() if stem in group))


@cache
def _groups() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(terms(group)) for group in _KIN)
