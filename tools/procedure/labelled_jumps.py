"""Jumps that name a section, or a step in it, by its letter or number alone: "Back to D", "go to 4.0", "Clean → 6"."""

import re
from collections.abc import Iterable

from soprag.tools.procedure.targets import Exit, Target

_TITLE = re.compile(
    r"^\W*(?:(?:part|section|chapter|phase|appendix|card|case|option|alarm|annex|schritt|teil)\s+)?"
    r"(?P<label>[A-Z]|\d{1,2}(?:\.\d{1,2})*)(?:[.:)]\s|\s*[–—-]\s|\s+(?=[A-Z0-9]))"
)
_LABEL = r"(?:section\s+|part\s+)?(?P<label>(?-i:[A-Z])(?:[.-]?(?P<inner>\d{1,2}))?|\d{1,2}(?:\.\d{1,2})*)"
_GOES = re.compile(
    r"(?:\b(?:go(?:es)?|return|back|jump|skip|proceed|continue|resume|repeat|restart|start|begin|carry on|move)\s+"
    r"(?:(?:back|on|again|straight|directly|over|to|at|from|with|in)\s+)+|\bthen\s+)"
    rf"{_LABEL}(?!\.\d)(?=\s*(?:[.,;:)]|$|(?:for|and|then|if|when|once|as|above|below|again)\b))",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"^(?:[\s→>=–—-]|->)*(?:back to\s+|to\s+)?{_LABEL}(?:,?\s+(?:again|once more))?[\s.,;]*$", re.IGNORECASE
)


def section_labels(titles: Iterable[str]) -> frozenset[str]:
    """The letters and numbers by which titles of sections begin, in lower case."""
    found = (_TITLE.match(title) for title in titles)
    return frozenset(match["label"].lower() for match in found if match)


def labelled_exit(text: str, labels: frozenset[str], bare: bool = False) -> Exit | None:
    """The jump to a section by its label, where one of `labels` is named; `bare`: the label alone is a jump, too."""
    for found in _GOES.finditer(text):
        if _known(found, labels):
            return Exit(_target(found), text[: found.start()])
    alone = _BARE.match(text) if bare else None
    return Exit(_target(alone), "") if alone and _known(alone, labels) else None


def _known(found: re.Match[str], labels: frozenset[str]) -> bool:
    return _section(found) in labels


def _section(found: re.Match[str]) -> str:
    """The label of the section: the letter of "D1", and "4" of "4.0" as well as the whole."""
    label = found["label"].lower()
    return label[0] if found["inner"] else label


def _target(found: re.Match[str]) -> Target:
    return Target("section", _section(found), found["inner"] or "", found[0].strip())
