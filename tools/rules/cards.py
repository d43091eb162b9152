"""The procedure card by rule: the title, and one line in the SOP's own words on what it is for and when it is used."""

import re
from collections import Counter
from math import log1p

from tools.llm.tasks.benchmark import SopAsk
from tools.rules.language import detect
from tools.rules.markdown import Block, Page, read
from tools.rules.remarks import kind_of
from tools.rules.wording import directs, points, sentences
from tools.sop import Card

_LONGEST = 300  # characters of the abstract
_SHORTEST_SENTENCE = 25  # characters

# What stands under such a heading says best what a procedure is about; the first pattern is the best.
_TELLING = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:purpose|objective|aim|goal|zweck|ziel|objet|objectif|objetivo|scopo|doel)\b|目的",
        r"\b(?:meaning|overview|summary|introduction|description|about|abstract|überblick|aperçu|resumen)\b|概要|说明",
        r"\b(?:impact|symptoms?|problem|trigger|when to use|scope|applies|applicab\w+|geltungsbereich|alcance)\b|適用",
        r"\b(?:background|definition|context|(?:error )?diagnos\w+|alarm|condition|causes?)\b",
    )
)
_EMPTY = re.compile(
    r"^\W*(?:note|see|refer|warning|tbd|todo|table of contents|n/?a)\b|\bunder development\b|\.\. |"
    r"do not (?:edit|remove)|^\W*\[?figure|this (?:page|document|section) (?:assumes|is (?:still|being)|will be)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_][\w-]{3,}|[\u3040-\u30ff\u4e00-\u9fff]{2}")


def summarise(ask: SopAsk) -> Card:
    """The card of one SOP; the abstract has at most 300 characters.

    First come the sentences that tell the purpose, the meaning and the impact; what room is left goes to the sentences
    that bring in most of the words the SOP uses often.
    """
    page = read(ask.body)
    language = detect(ask.body)
    chosen = _fitting(_telling(page, language), [])
    chosen = _fitting(_ranked(_said(page.blocks), chosen), chosen)
    abstract = " ".join(chosen) or _first_words(page)
    return Card(title=ask.title, abstract=_shortened(abstract) or ask.title)


def _telling(page: Page, language: str) -> list[str]:
    """The first sentence under each telling heading and of the text, then the second ones under the headings."""
    ranked: list[tuple[int, list[str]]] = []
    for section in page.sections:
        rank = next((index for index, pattern in enumerate(_TELLING) if pattern.search(section.title)), None)
        if rank is not None:
            ranked.append((rank, _stating(_said(section.direct_blocks), language)))
    ranked.sort(key=lambda entry: entry[0])
    opening = _stating(_said(page.blocks), language)[:1]
    return [
        *(s for _, statements in ranked for s in statements[:1]),
        *opening,
        *(s for _, statements in ranked for s in statements[1:2]),
    ]


def _said(blocks: tuple[Block, ...]) -> list[str]:
    """The sentences of paragraphs and items that can stand alone; remarks and pointers cannot."""
    prose_blocks = (b for b in blocks if b.kind in ("paragraph", "item") and kind_of(b.source) is None)
    return [s for block in prose_blocks for s in sentences(block.text) if len(s) >= _SHORTEST_SENTENCE and _stands(s)]


def _stands(sentence: str) -> bool:
    return not sentence.endswith(":") and not _EMPTY.search(sentence) and not points(sentence)


def _stating(candidates: list[str], language: str) -> list[str]:
    """Statements among `said`; when there is none, the orders."""
    return [sentence for sentence in candidates if not directs(sentence, language)] or candidates


def _ranked(candidates: list[str], chosen: list[str]) -> list[str]:
    """`said` by how many frequent words it adds to `chosen`, best first."""
    counts = Counter(word for sentence in candidates for word in _words(sentence))
    covered = {word for sentence in chosen for word in _words(sentence)}

    def gain(sentence: str) -> float:
        new = {word for word in _words(sentence) if word not in covered}
        return sum(log1p(counts[word]) for word in new) / (len(sentence) + 40)

    return sorted(dict.fromkeys(candidates), key=lambda sentence: -gain(sentence))


def _words(sentence: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(sentence)}


def _fitting(candidates: list[str], chosen: list[str]) -> list[str]:
    """`chosen` with as many of `candidates` as there is room for, in their order."""
    taken = list(chosen)
    for sentence in candidates:
        if sentence not in taken and (not taken or len(" ".join([*taken, sentence])) <= _LONGEST):
            taken.append(sentence)
    return taken


def _first_words(page: Page) -> str:
    """The beginning of a text without a single usable sentence, such as a bare table."""
    return " ".join(" ".join(block.text for block in page.blocks if block.kind != "code").split())


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return text[: _LONGEST - 4].rsplit(" ", 1)[0].rstrip(" ,;:") + " ..."
