"""Jumps that name a section or a step by its letter or number alone: "Back to D", "go to 4.0", "Clean → 6", "A4"."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from soprag.tools.procedure.blocks.blocks import Block
from soprag.tools.procedure.wording.led_jumps import led_jumps, then_jumps
from soprag.tools.procedure.wording.targets import Exit, Target

_TITLE = re.compile(
    r"^\W*(?:(?i:part|section|chapter|phase|stage|appendix|card|case|option|alarm|annex|schritt|teil)\s+)?"
    r"(?P<label>[A-Z]|\d{1,2}(?:\.\d{1,2})*)(?:[.:)]\s|\s*[–—-]\s|\s+(?=[A-Z0-9]))"
)
_CELL = re.compile(r"^\W*(?P<label>[A-Za-z]?\d{1,2})\W*$")
_LABEL = (
    r"(?:section\s+|part\s+|step\s+)?\(?"
    r"(?P<label>(?-i:[A-Z])(?:[.-]?(?P<inner>\d{1,2}))?|\d{1,2}(?:\.\d{1,2})*[a-z]?|(?-i:[a-z]))"
)
_GOES = re.compile(
    r"(?:\b(?:go(?:es)?|return|back|jump|skip|proceed|continue|resume|repeat|restart|start|begin|carry on|move)\s+"
    r"(?:(?:back|on|again|straight|directly|over|to|at|from|with|in)\s+)+|\bthen\s+|"
    r"\btreat (?:it|this|that|them)?\s*as\s+)"
    rf"{_LABEL}(?!\.\d)(?=\s*(?:[.,;:)]|$|(?:for|and|then|if|when|once|as|above|below|again|with|until)\b))",
    re.IGNORECASE,
)
_DENIED = re.compile(r"(?:\b(?:not|never|before|without|until|after|by)|n['’]t)\s*(?:you\s+)?$", re.IGNORECASE)
_BARE = re.compile(
    rf"^(?:[\s→>=–—-]|->)*(?:(?:go\s+)?back to\s+|(?:go\s+)?to\s+|see\s+)?{_LABEL}"
    r"(?:,?\s+(?:again|once more|at once|immediately|straight away))?[\s.,;)]*$",
    re.IGNORECASE,
)
_LAST = re.compile(rf"(?:(?<=[.;:])|(?<=[a-z)],))\s+{_LABEL}[\s.]*$", re.IGNORECASE)  # "Sensor suspected. S1"
# "E1, don't spend time on this": the label of a step, and a remark behind it.
_OPENING = re.compile(
    r"^(?:[\s→>=–—-]|->)*(?:(?P<word>step)\s+)?(?P<label>(?P<inner>(?-i:[A-Z])\d{1,2})|(?(word)\d{1,2}[a-z]?|(?!)))(?=\s*[,;(])",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Labels:
    """The letters and numbers by which a document calls its sections and its steps, in lower case."""

    sections: frozenset[str] = frozenset()
    steps: frozenset[str] = frozenset()


def labels_of(titles: Iterable[str], blocks: Iterable[Block]) -> Labels:
    """The labels in the titles of a document, and those of its numbered items and the rows of its tables."""
    found = (_TITLE.match(title) for title in titles)
    return Labels(
        frozenset(match["label"].lower() for match in found if match),
        frozenset(label.lower() for label in _step_labels(blocks)),
    )


def _step_labels(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        cell = _CELL.match(block.cells[0].text) if block.kind == "row" and block.cells else None
        if cell:
            yield cell["label"]
        elif block.kind in ("item", "paragraph") and block.number:
            yield block.number
        yield from _step_labels(block.children)


def labelled_exit(text: str, labels: Labels, bare: bool = False) -> Exit | None:
    """The jump to a section or a step by its label, where one of `labels` is named.

    With `bare`, the label alone is a jump, too.
    """
    for found in _GOES.finditer(text):
        target = None if _DENIED.search(text[: found.start()]) else _target(found, labels)
        if target:
            return Exit(target, text[: found.start()])
    ways = (_BARE.match(text), _OPENING.match(text), _LAST.search(text), *led_jumps(text)) if bare else then_jumps(text)
    for way in ways:
        target = _target(way, labels) if way and not _DENIED.search(text[: way.start()]) else None
        if way and target:
            return Exit(target, text[: way.start()])
    return None


def _target(found: re.Match[str], labels: Labels) -> Target | None:
    """What the label names: a step of that very label before a section, and a section before a step counted in it."""
    label, words = (found["label"] or found["bare"]).lower(), found[0].strip()
    inner = found.groupdict().get("inner") or (label[1:] if label[0].isalpha() else "")
    section = label[0] if inner else label
    if inner and label in labels.steps:
        return Target("step", step=label, words=words)
    if section in labels.sections:
        return Target("section", section, inner, words)
    return Target("step", step=label, words=words) if label in labels.steps else None
