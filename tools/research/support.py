"""Grounding check of a sentence: its numbers and enough of its other words must occur in the cited texts.

A heuristic, not a proof: it rejects additions of the model and a negation that was added or dropped.
"""

import re
from collections.abc import Sequence

from soprag.tools.text.terms import terms

_NUMBER = re.compile(r"[^\W_]*\d[^\W_]*(?:[.,/:-][^\W_]+)*")
_GROUPS = re.compile(r"(?<=\d)[,\u00a0\u202f'](?=\d{3}\b)")
_NOT = re.compile(r"\b(?:not|no|never|without|neither|nor|cannot|none)\b|n['’]t\b", re.IGNORECASE)
_SHARE = 0.5  # of the words that are not the question's must stand in what is cited


def stands_on(sentence: str, cited: Sequence[str], question: str = "") -> bool:
    """Whether the texts in `cited` support `sentence`; words of the question are ignored, its numbers are not."""
    cited_text = " ".join(cited)
    if not _numbers(sentence) <= _numbers(cited_text):
        return False
    denied = [bool(_NOT.search(text)) for text in cited]
    if bool(_NOT.search(sentence)) not in denied:
        return False
    sentence_stems, cited_stems = set(terms(sentence)), set(terms(cited_text))
    new = sentence_stems - set(terms(question)) or sentence_stems
    return len(new & cited_stems) >= _SHARE * len(new) > 0


def _numbers(text: str) -> set[str]:
    whole = {run.casefold() for run in _NUMBER.findall(_GROUPS.sub("", text))}
    return whole | {part for run in whole for part in re.split(r"[/:-]", run) if any(sign.isdigit() for sign in part)}
