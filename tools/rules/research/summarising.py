"""Extractive summary: the most relevant lines for the subtask, verbatim and without near duplicates."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from soprag.tools.procedure.instructions import directs
from soprag.tools.rules.research.subject import equivalent_stems, wanted
from soprag.tools.tasks.deepsearch import Caption, CaptionAsk, ClaimDraft, Findings, RankedSentence, SummaryAsk
from soprag.tools.text.language import detect
from soprag.tools.text.terms import terms

_CLOSE = 0.6  # weight of the cosine similarity; the rest weighs the subtask's terms by inverse frequency
_LEAST = 0.36  # lowest score of a selected line
_OF_BEST = 0.65  # lowest score of a selected line, as a share of the best score
_SAME = 0.6  # share of common stems from which two lines are near duplicates
_LEANS = re.compile(
    r"^\W*(?:it|its|this|these|that|those|they|their|he|she|such|however|therefore|thus|hence|but|and|or|so|also|then|"
    r"in addition|moreover|furthermore|for example|the (?:former|latter|above))\b",
    re.IGNORECASE,
)
_HALF = 0.5
_LEANING = 0.8  # factor for a line that depends on the one before it, is a table row or is no sentence
_ROW = re.compile(r"^[^;:]{1,60}: [^;]+; [^;:]{1,60}: ")
# Prompt injection: text addressed to a language model; such lines are dropped.
_TO_MACHINES = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules|above|previous)\b|"
    r"\b(?:system prompt|language model|you are (?:now )?an? (?:ai|assistant)|as an ai|jailbreak|chatgpt)\b",
    re.IGNORECASE,
)
_FURNITURE = re.compile(
    r"\b(?:cookies?|privacy policy|terms of (?:use|service)|all rights reserved|sign (?:in|up)|log ?in|subscribe|"
    r"newsletter|javascript|add to cart|share (?:this|on)|click here|read more|skip to)\b",
    re.IGNORECASE,
)


def summarise(ask: SummaryAsk) -> Findings:
    """At most `keep` claims, each one verbatim line, in page order; none when no line is relevant."""
    lines = [line for line in ask.lines if sayable(line.text)]
    scored = sorted(zip(_scores(ask, lines), lines, strict=True), key=lambda pair: -pair[0])
    least = max(_LEAST, _OF_BEST * scored[0][0]) if scored else 0.0
    chosen: list[RankedSentence] = []
    for score, line in scored:
        if score < least or len(chosen) == ask.keep:
            break
        if not any(same(line.text, earlier.text) for earlier in chosen):
            chosen.append(line)
    order = {line.id: index for index, line in enumerate(ask.lines)}
    chosen.sort(key=lambda line: order[line.id])
    return Findings(claims=[ClaimDraft(text=line.text[:600], lines=[line.id]) for line in chosen])


def caption(ask: CaptionAsk) -> Caption:
    """The picture's title on its page, since rules cannot interpret the picture itself."""
    return Caption(sentences=[ask.title] if ask.title.strip() else [])


def sayable(text: str) -> bool:
    """Whether the text is content of usable length, neither page boilerplate nor a prompt injection."""
    count = len(text.split())
    return 5 <= count <= 90 and len(text) <= 600 and not _TO_MACHINES.search(text) and not _FURNITURE.search(text)


def same(first_text: str, second_text: str) -> bool:
    """Whether two lines are near duplicates: enough common stems and the same numbers."""
    first, second = set(terms(first_text)), set(terms(second_text))
    return (
        bool(first and second)
        and len(first & second) / min(len(first), len(second)) >= _SAME
        and (numbers(first_text) == numbers(second_text))
    )


def leans(text: str) -> bool:
    """Whether the sentence opens with a pronoun or connective that refers to the one before it."""
    return bool(_LEANS.match(text))


def is_sentence(text: str) -> bool:
    """Whether the text is a sentence or an instruction rather than a title or a link."""
    return text.rstrip(")\"'”’ ").endswith((".", "!", "?", ":", "。", "！", "？")) or directs(text, detect(text))


def is_row(text: str) -> bool:
    """Whether the text is a verbalised table row (`column: value; column: value`)."""
    return bool(_ROW.match(text))


def numbers(text: str) -> set[str]:
    """The numbers of a text and the names that contain a number, casefolded."""
    return {run.casefold() for run in re.findall(r"[\w.,/-]*\d[\w/-]*(?:[.,]\d+)*", text)}


def _scores(ask: SummaryAsk, lines: Sequence[RankedSentence]) -> list[float]:
    """Relevance of each line: cosine similarity and inverse-frequency-weighted overlap with the query stems."""
    query_stems = sorted(set(wanted(ask.query)))
    met = [_met(query_stems, line) for line in lines]
    spread = Counter(stem for matched in met for stem in matched)
    weight = {stem: math.log(1 + len(lines) / (1 + spread[stem])) for stem in query_stems}
    total = sum(weight.values()) or 1.0
    return [
        (
            _CLOSE * max(line.closeness, 0.0)
            + (1 - _CLOSE) * sum(weight[stem] * matched[stem] for stem in matched) / total
        )
        * (_LEANING if leans(line.text) or is_row(line.text) or not is_sentence(line.text) else 1.0)
        for line, matched in zip(lines, met, strict=True)
    ]


def _met(query_stems: list[str], line: RankedSentence) -> dict[str, float]:
    """The query stems a line matches: 1 for the stem itself, 0.5 in its heading or by a related stem."""
    line_stems, above = set(terms(line.text)), set(terms(line.heading))
    shares = {
        stem: 1.0 if stem in line_stems else _HALF * bool(equivalent_stems(stem) & (line_stems | above))
        for stem in query_stems
    }
    return {stem: share for stem, share in shares.items() if share}
