"""The procedure card by rule: the title, and one line in the SOP's own words on what it is for and when it is used."""

import re

from tools.llm.tasks.benchmark import SopAsk
from tools.rules.language import detect
from tools.rules.markdown import Block, Page, read
from tools.rules.remarks import kind_of
from tools.rules.wording import directs, sentences
from tools.sop import Card

_LONGEST = 300  # characters
_ENOUGH = 160  # an abstract of this length needs no further sentence

# What stands under such a heading says best what a procedure is about; the first pattern is the best.
_TELLING = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:purpose|objective|aim|goal|zweck|ziel|objet|objectif|objetivo|scopo|doel|目的)\b",
        r"\b(?:meaning|overview|summary|introduction|description|about|abstract|überblick|aperçu|resumen|概要|说明)\b",
        r"\b(?:impact|symptoms?|problem|trigger|when to use|scope|applies|applicab\w+|geltungsbereich|alcance|適用)\b",
        r"\b(?:background|definition|context|diagnos\w+|alarm|condition)\b",
    )
)
_EMPTY_WORDS = re.compile(
    r"^\W*(?:note|see|refer|this (?:section|page) (?:is|will be)|tbd|todo|table of contents|n/?a)\b|"
    r"\bunder development\b|\.\. |do not (?:edit|remove)|^\W*\[?figure",
    re.IGNORECASE,
)


def summarise(ask: SopAsk) -> Card:
    """The card of one SOP; the abstract has at most 300 characters."""
    page = read(ask.body)
    language = detect(ask.body)
    chosen: list[str] = []
    for sentence in _candidates(page, language):
        if _LONGEST - len(" ".join(chosen)) < 40 or sentence in chosen:
            continue
        chosen.append(sentence)
        if len(" ".join(chosen)) >= _ENOUGH:
            break
    return Card(title=ask.title, abstract=_shortened(" ".join(chosen)) or ask.title)


def _candidates(page: Page, language: str) -> list[str]:
    """Sentences for the abstract, the most telling first: by their heading, then the opening, then the steps."""
    told: list[tuple[int, list[str]]] = []
    for section in page.sections:
        rank = next((place for place, known in enumerate(_TELLING) if known.search(section.title)), None)
        if rank is not None:
            told.append((rank, _said(section.own, language)))
    told.sort(key=lambda entry: entry[0])
    opening = _said(page.blocks, language)
    firsts = [sentence for _, said in told for sentence in said[:1]]
    seconds = [sentence for _, said in told for sentence in said[1:2]]
    steps = [block.text for block in page.blocks if block.kind == "item" and directs(block.text, language)]
    return [*firsts, *opening[:1], *seconds, *opening[1:3], *steps[:3]]


def _said(blocks: tuple[Block, ...], language: str) -> list[str]:
    """What the paragraphs and items among `blocks` say that is not an order or a remark."""
    found: list[str] = []
    for block in blocks:
        if block.kind in ("paragraph", "item") and kind_of(block.source) is None:
            found += [s for s in sentences(block.text) if len(s) > 25 and not _EMPTY_WORDS.search(s)]
    tells = [sentence for sentence in found if not directs(sentence, language)]
    return tells or found


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return text[: _LONGEST - 4].rsplit(" ", 1)[0].rstrip(" ,;:") + " ..."
