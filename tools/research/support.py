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
    return not unsupported(sentence, cited, question)


def unsupported(sentence: str, cited: Sequence[str], question: str = "") -> str:
    """Why the texts in `cited` do not support `sentence`, for its writer; empty when they do."""
    cited_text = " ".join(cited)
    foreign = sorted(_numbers(sentence) - _numbers(cited_text))
    if foreign:
        return f"It says {', '.join(foreign)}, which does not stand in what it cites."
    denies = bool(_NOT.search(sentence))
    if denies not in [bool(_NOT.search(text)) for text in cited]:
        said, cited_says = ("denies", "affirms") if denies else ("affirms", "denies")
        return f"It {said} something, and what it cites {cited_says}."
    sentence_stems, cited_stems = set(terms(sentence)), set(terms(cited_text))
    new = sentence_stems - set(terms(question)) or sentence_stems
    if len(new & cited_stems) >= _SHARE * len(new) > 0:
        return ""
    return "Most of its words do not stand in what it cites."


def _numbers(text: str) -> set[str]:
    whole = {run.casefold() for run in _NUMBER.findall(_GROUPS.sub("", text))}
    return whole | {part for run in whole for part in re.split(r"[/:-]", run) if any(sign.isdigit() for sign in part)}
