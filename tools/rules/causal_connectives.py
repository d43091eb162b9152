"""Causal connectives: words that relate two states, such as "because", "leads to" and "to avoid"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from soprag.tools.sop import Relation

_CAN = r"(?:(?:which|that|this|and|can|may|might|will|could|would|also) )*"
_BACKWARD = re.compile(
    r",?\s+(?:because(?: of)?|due to|owing to|as a result of|"
    r"(?:(?:is|are|was|can|may|be|often|usually) )*(?:caused|triggered) by)\s+",
    re.IGNORECASE,
)
_WORDS: tuple[tuple[Relation, str], ...] = (
    ("causes", rf"{_CAN}(?:leads?|leading) to|{_CAN}results? in|resulting in|causing|{_CAN}causes?"),
    (
        "prevents",
        rf"(?:in order )?to (?:avoid|prevent)|{_CAN}(?:prevents?|avoids?|preventing|avoiding)|"
        r"so (?:that )?\w+ (?:does not|do not|cannot)",
    ),
    ("enables", rf"(?:in order )?to (?:ensure|allow|enable)|{_CAN}(?:ensur|allow|enabl)(?:es|s|ing)|so that"),
    (
        "mitigates",
        r"(?:in order )?to (?:reduce|mitigate|minimi[sz]e|relieve|clear|resolve|fix)|"
        rf"{_CAN}(?:reduces|mitigates|minimi[sz]es|relieves|clears|resolves|fixes)",
    ),
)
_FORWARD = tuple(
    (relation, re.compile(rf",?\s+(?:{pattern})\s+(?:that\s+)?", re.IGNORECASE)) for relation, pattern in _WORDS
)
_ANY = re.compile(
    r"because|due to|owing|result|caus|trigger|lead|prevent|avoid|ensur|allow|enabl|so that|reduc|mitigat|minimi|"
    r"reliev|clear|resolv|fix|\bso \w+ (?:do|can)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class CausalSplit:
    """A sentence split at its causal connective: the source clause, the relation and the target clause."""

    source: str
    relation: Relation
    target: str


def marks(sentence: str) -> Iterator[CausalSplit]:
    """The possible splits of `sentence` at a causal connective, most reliable first."""
    if not _ANY.search(sentence):  # most sentences have none, and one look is cheap
        return
    backward = _BACKWARD.search(sentence)
    if backward:
        yield CausalSplit(sentence[backward.end() :], "causes", sentence[: backward.start()])
    for relation, pattern in _FORWARD:
        match = pattern.search(sentence)
        if match:
            yield CausalSplit(sentence[: match.start()], relation, sentence[match.end() :])
