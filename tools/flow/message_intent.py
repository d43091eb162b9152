"""Intents of an operator's message by its wording: a guided run, its resumption, or the procedure at hand."""

import operator
import re

from soprag.tools.text.terms import terms

_GUIDE = re.compile(
    r"\b(?:guide(?: me| us)?\b|(?:walk|take|lead) (?:me|us) through|step[- ]by[- ]step|guided run|"
    r"(?:start|begin|run|execute|follow) (?:it\b|(?:the|this|that) (?:procedure|sop|guided run|run|steps)\b))",
    re.IGNORECASE,
)
_RESUME = re.compile(r"^\W*(?:continue|resume|go on|carry on|back to the (?:run|procedure))\b", re.IGNORECASE)
_ABOUT_IT = re.compile(
    r"\b(?:which|what|this|that|the|next|last|first|previous) (?:step|warning|procedure|sop)s?\b|\bsteps? \d",
    re.IGNORECASE,
)
# Words about procedures in general: a message of these words only refers to the procedure retrieved before.
_GENERIC = frozenset(
    terms(
        "step steps procedure procedures sop warning warnings show tell explain detail details next first last again "
        "repeat number read list all whole it this that one same guide walk take lead through start begin run execute "
        "follow guided please now do go why line lines source where come before after mean now yes ok okay let's lets "
        "no hello hi help thanks second third fourth one two three none "
        "say says said contain mention continue resume carry back run one number part section page write"
    )
)


_LETTERS = re.compile(r"[^\W\d_]+")
# The closed classes of courtesy and what goes with it, in the languages that are read.
_COURTESY = re.compile(
    r"thanks?|thx|cheers|hello|hi|hey|bye|goodbye|great|perfect|nice|welcome|danke|merci|gracias|hallo|bonjour|hola|"
    r"grazie|bitte|tschüss"
)
_GREETING = re.compile(
    r"\W*(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|hallo|bonjour|hola)\b", re.IGNORECASE
)
_BESIDE_COURTESY = re.compile(
    r"you|very|much|many|so|for|the|that|this|it|your|a|lot|help|all|good|morning|afternoon|evening|day|night|ok|okay|"
    r"and|to|there|everyone|again|see|later|schön|vielen|dank|beaucoup|muchas"
)


def is_courtesy(message: str) -> bool:
    """Whether the message is only a greeting, thanks or a farewell."""
    courteous = [bool(_COURTESY.fullmatch(word)) for word in _LETTERS.findall(message.casefold())]
    beside = [bool(_BESIDE_COURTESY.fullmatch(word)) for word in _LETTERS.findall(message.casefold())]
    return any(courteous) and "?" not in message and all(map(operator.or_, courteous, beside))


def is_greeting(message: str) -> bool:
    """Whether a courtesy is a greeting, rather than thanks or a farewell."""
    return bool(_GREETING.match(message))


def is_guide_request(message: str) -> bool:
    """Whether the message asks for a guided run."""
    return bool(_GUIDE.search(message))


def is_resume_request(message: str) -> bool:
    """Whether the message begins by asking to go on."""
    return bool(_RESUME.match(message))


def resumes(message: str) -> bool:
    """Whether the message asks to resume the guided run."""
    return is_resume_request(message) and is_about(message, "")


def says_nothing(question: str) -> bool:
    """Whether the question has no word about the plant, such as a greeting or a bare number."""
    return is_about(question, "") and not _ABOUT_IT.search(question)


def is_about(question: str, title: str) -> bool:
    """Whether the question refers only to the procedure with this title."""
    question_terms = {term for term in terms(question) if not term.isdigit()} - _GENERIC
    return question_terms <= set(terms(title)) or bool(
        title and _ABOUT_IT.search(question) and not is_guide_request(question)
    )
