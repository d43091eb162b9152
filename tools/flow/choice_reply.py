"""Rule-based reading of a reply to a clarifying question: a number, an ordinal, or terms specific to one choice."""

import re

from soprag.tools.tasks.troubleshoot import ChoiceReply, ReplyAsk
from soprag.tools.text.terms import terms

_NUMBER = re.compile(r"\W*(?:number|no\.?|option|choice|the)?\s*(\d{1,2})\W*", re.IGNORECASE)
_ORDINAL = re.compile(r"\W*(?:the\s+)?(first|second|third|fourth|last)(?:\s+(?:one|procedure))?\W*", re.IGNORECASE)
_ORDINALS = ("first", "second", "third", "fourth")
_ASKS = re.compile(r"\?\s*$|^\W*(?:how|what|why|when|where|who|which)\b", re.IGNORECASE)
_MORE = 8  # words: a longer reply is a new question


def read(ask: ReplyAsk) -> ChoiceReply:
    """The choice the reply selects, or the kind of reply when it selects none."""
    by_place = place(ask)
    answers = len(ask.reply.split()) <= _MORE and not _ASKS.search(ask.reply)
    by_words = _words(ask) if answers else []
    if by_place and by_words and by_place not in by_words:
        return ChoiceReply(choice=0, kind="unclear")  # "2" when the choices are pump 2 and pump 3
    if by_place:
        return ChoiceReply(choice=by_place, kind="choice")
    if len(by_words) == 1:
        return ChoiceReply(choice=by_words[0], kind="choice")
    if by_words:
        return ChoiceReply(choice=0, kind="unclear")
    return ChoiceReply(choice=0, kind="more" if answers else "other")


def place(ask: ReplyAsk) -> int:
    """The choice selected by a bare number or ordinal, counted from 1; 0: none."""
    number, ordinal = _NUMBER.fullmatch(ask.reply), _ORDINAL.fullmatch(ask.reply)
    if number:
        choice = int(number[1])
    elif ordinal:
        word = ordinal[1].lower()
        choice = len(ask.choices) if word == "last" else _ORDINALS.index(word) + 1
    else:
        return 0
    return choice if 1 <= choice <= len(ask.choices) else 0


def _words(ask: ReplyAsk) -> list[int]:
    """The choices that share the most distinguishing terms with the reply; none when there is no such term."""
    every = [set(terms(choice)) for choice in ask.choices]
    shared = set.intersection(*every) if every else set()
    reply_terms = set(terms(ask.reply)) - shared
    scores = [len(reply_terms & choice_terms) for choice_terms in every]
    best = max(scores, default=0)
    return [number for number, score in enumerate(scores, 1) if score == best] if best else []
