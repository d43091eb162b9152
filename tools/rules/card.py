"""Rule-based procedure card: the title and an extractive abstract on purpose and use of the SOP."""

import re
from collections import Counter
from math import log1p

from soprag.tools.markdown.page import MarkdownBlock, MarkdownPage, read
from soprag.tools.procedure.wording.instructions import directs, points
from soprag.tools.procedure.wording.safety_labels import kind_of
from soprag.tools.sop import Card
from soprag.tools.tasks.benchmark import SopAsk
from soprag.tools.text.language import detect
from soprag.tools.text.sentences import WITH_COLONS, sentences

_LONGEST = 300  # characters of the abstract
_SHORTEST_SENTENCE = 25  # characters

# Headings whose sections describe the procedure, in order of preference.
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

    Sentences on purpose, meaning and impact come first; the remaining length is filled greedily with the sentences that
    add most of the SOP's frequent words.
    """
    page = read(ask.body)
    language = detect(ask.body)
    chosen = _fitting(_telling(page, language), [])
    chosen = _fitting(_ranked(_said(page.blocks), chosen), chosen)
    abstract = " ".join(chosen) or _first_words(page)
    return Card(title=ask.title, abstract=_shortened(abstract) or ask.title)


def _telling(page: MarkdownPage, language: str) -> list[str]:
    """The first sentence of each descriptive section and of the text, then the second sentence of each section."""
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


def _said(blocks: tuple[MarkdownBlock, ...]) -> list[str]:
    """Self-contained sentences of paragraphs and items; remarks and cross-references are excluded."""
    prose_blocks = (b for b in blocks if b.kind in ("paragraph", "item") and kind_of(b.source) is None)
    return [
        s
        for block in prose_blocks
        for s in sentences(block.text, WITH_COLONS)
        if len(s) >= _SHORTEST_SENTENCE and _stands(s)
    ]


def _stands(sentence: str) -> bool:
    return not sentence.endswith(":") and not _EMPTY.search(sentence) and not points(sentence)


def _stating(candidates: list[str], language: str) -> list[str]:
    """The `candidates` that are statements; all of them when every one is an instruction."""
    return [sentence for sentence in candidates if not directs(sentence, language)] or candidates


def _ranked(candidates: list[str], chosen: list[str]) -> list[str]:
    """`candidates` ranked by the log frequency of the words they add to `chosen`, best first."""
    counts = Counter(word for sentence in candidates for word in _words(sentence))
    covered = {word for sentence in chosen for word in _words(sentence)}

    def gain(sentence: str) -> float:
        new = {word for word in _words(sentence) if word not in covered}
        return sum(log1p(counts[word]) for word in new) / (len(sentence) + 40)

    return sorted(dict.fromkeys(candidates), key=lambda sentence: -gain(sentence))


def _words(sentence: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(sentence)}


def _fitting(candidates: list[str], chosen: list[str]) -> list[str]:
    """`chosen` extended by the `candidates` that fit into `_LONGEST` characters, in order."""
    taken = list(chosen)
    for sentence in candidates:
        if sentence not in taken and (not taken or len(" ".join([*taken, sentence])) <= _LONGEST):
            taken.append(sentence)
    return taken


def _first_words(page: MarkdownPage) -> str:
    """The beginning of the text; the fallback where no sentence is usable, such as in a text of tables only."""
    return " ".join(" ".join(block.text for block in page.blocks if block.kind != "code").split())


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return text[: _LONGEST - 4].rsplit(" ", 1)[0].rstrip(" ,;:") + " ..."
