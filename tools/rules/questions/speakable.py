"""Tests whether a text is speakable: no code, no links, no labels, no references into the document."""

import re

UNSPEAKABLE = "¤"  # placeholder for code; texts that contain it are not speakable

_POINTERS = (
    r"previous|following|as follows|below|steps?|section|table|figure|appendix|chapter|runbook|sop|document|page|"
    r"procedure|e\.g|i\.e|etc|example|see|refer|click|link|note that|herein|former|latter|respectively|aforementioned|"
    r"such as|namely|screenshot|command"
)
_UNFIT = re.compile(
    rf"[/\\=<>{{}}$@#_|~^•→{UNSPEAKABLE}\"“”()\[\]:;&]|--| [–—-] |https?\b|\bwww\.|\.\s|\w\.\w{{2,4}}\b(?<!\d)|"
    rf"\babove (?:step|section|command|table|example)|\b(?:{_POINTERS})\b",
    re.IGNORECASE,
)
_HUMPED = re.compile(r"\b[A-Za-z]?[a-z]+(?:[A-Z][a-z]+){2,}\w*|\b[a-z]+[A-Z]\w*")
# The number of a document or a section: "HQC-FM-118", "start again at 5.3"
_NUMBERED = re.compile(r"\b[A-Z]{2,}-[A-Z]{2,}-\d+|\b(?:at|to|from|with|of|in|per|under) \d+(?:\.\d+)+[a-z]?$")
_HANGS = re.compile(
    r"\b(?:with|of|to|for|from|by|and|or|the|a|an|via|at|as|so|use|than|into|using|if|when|my|your|that|whether|either|determine|verify|see)$",
    re.IGNORECASE,
)


# "I", and a name of two words: "Thanos Ruler"
_NAME = re.compile(r"I\b|(?!(?:The|An?|All|Any|Each|Every|If|When|This|That|One|Some|No) )[A-Z][a-z]+ [A-Z][a-z]+")


def is_sayable(text: str) -> bool:
    """Whether nothing in `text` is code, a link, a label or a pointer into the document."""
    return not (_UNFIT.search(text) or _HUMPED.search(text) or _NUMBERED.search(text)) and text.count("'") < 3


def hangs(text: str) -> bool:
    """Whether `text` ends in a word that requires a continuation, such as a preposition or an article."""
    return bool(_HANGS.search(text))


def lowered(text: str) -> str:
    """`text` beginning in lower case, unless its first word is a name or an abbreviation."""
    first = re.split(r"[\s,'’-]", text, maxsplit=1)[0]
    is_name = bool(_NAME.match(text)) or any(letter.isupper() or letter.isdigit() for letter in first[1:])
    return text if is_name else text[:1].lower() + text[1:]


def raised(text: str) -> str:
    """`text` beginning in upper case."""
    return text[:1].upper() + text[1:]
