"""Sentences that lead to the command below them by its purpose ("To stop it, do:")."""

import re

# "To see the files of an experiment" above a command, without a main clause of its own.
_PURPOSE = re.compile(r"^\W*(?:(?:or|and|then),?\s+)?to\s+(?!the\b|an?\b|this\b|that\b|be\b)[a-z-]+\b", re.IGNORECASE)
_MAIN = re.compile(r",\s+(?:the|an?|it|this|that|these|there|we|you|they)\s+\w")


def names_purpose(sentence: str) -> bool:
    """Whether a sentence opens with what a command is for and says nothing else."""
    return bool(_PURPOSE.match(sentence)) and not _MAIN.search(sentence)
