"""A summary by rule: the lines that say most about the subtask, verbatim, none of them twice."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from tools.llm.tasks.deepsearch import Caption, CaptionAsk, ClaimDraft, Findings, Line, SummaryAsk
from tools.questions.words import stems
from tools.rules.language import detect
from tools.rules.research.asking import kin, wanted
from tools.rules.wording import directs

_CLOSE = 0.6  # weight of the cosine; the rest is for the words of the subtask, the rare ones first
_LEAST = 0.36  # a line below this says too little about the subtask
_OF_BEST = 0.65  # ... and so does one that is this far below the best
_SAME = 0.6  # share of words from which on two lines say the same
_LEANS = re.compile(
    r"^\W*(?:it|its|this|these|that|those|they|their|he|she|such|however|therefore|thus|hence|but|and|or|so|also|then|"
    r"in addition|moreover|furthermore|for example|the (?:former|latter|above))\b",
    re.IGNORECASE,
)
_HALF = 0.5
_LEANING = 0.8  # what a line keeps that needs the one before it to be understood, or that is a row of a table
_ROW = re.compile(r"^[^;:]{1,60}: [^;]+; [^;:]{1,60}: ")
# A page that talks to a machine instead of to its reader has nothing to say about the subtask.
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
    """At most `keep` claims, each a line as it stands; none when no line is about the subtask."""
    lines = [line for line in ask.lines if sayable(line.text)]
    scored = sorted(zip(_scores(ask, lines), lines, strict=True), key=lambda pair: -pair[0])
    least = max(_LEAST, _OF_BEST * scored[0][0]) if scored else 0.0
    chosen: list[Line] = []
    for score, line in scored:
        if score < least or len(chosen) == ask.keep:
            break
        if not any(same(line.text, earlier.text) for earlier in chosen):
            chosen.append(line)
    order = {line.id: index for index, line in enumerate(ask.lines)}
    chosen.sort(key=lambda line: order[line.id])
    return Findings(claims=[ClaimDraft(text=line.text[:600], lines=[line.id]) for line in chosen])


def caption(ask: CaptionAsk) -> Caption:
    """Rules do not see: what the page says about the picture stands for it."""
    return Caption(sentences=[ask.title] if ask.title.strip() else [])


def sayable(text: str) -> bool:
    """Is this a statement for readers, and neither furniture of the page nor an order to a machine?"""
    count = len(text.split())
    return 5 <= count <= 90 and len(text) <= 600 and not _TO_MACHINES.search(text) and not _FURNITURE.search(text)


def same(first_text: str, second_text: str) -> bool:
    """Do two lines say the same, by their words?"""
    first, second = set(stems(first_text)), set(stems(second_text))
    return (
        bool(first and second)
        and len(first & second) / min(len(first), len(second)) >= _SAME
        and (numbers(first_text) == numbers(second_text))
    )


def leans(text: str) -> bool:
    """Does it need the sentence before it to be understood?"""
    return bool(_LEANS.match(text))


def is_sentence(text: str) -> bool:
    """Is it a statement or an instruction, and not a title or a link?"""
    return text.rstrip(")\"'”’ ").endswith((".", "!", "?", ":", "。", "！", "？")) or directs(text, detect(text))


def is_row(text: str) -> bool:
    """Is it the row of a table, put into words?"""
    return bool(_ROW.match(text))


def numbers(text: str) -> set[str]:
    """The numbers of a text, and the names with a number in them."""
    return {run.casefold() for run in re.findall(r"[\w.,/-]*\d[\w/-]*(?:[.,]\d+)*", text)}


def _scores(ask: SummaryAsk, lines: Sequence[Line]) -> list[float]:
    """Cosine, and the share of the words of the subtask that the line has, rare words counting more."""
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


def _met(query_stems: list[str], line: Line) -> dict[str, float]:
    """Which words of the subtask a line takes up: itself 1, in its heading or by another word for it a half."""
    line_stems, above = set(stems(line.text)), set(stems(line.heading))
    shares = {
        stem: 1.0 if stem in line_stems else _HALF * bool(kin(stem) & (line_stems | above)) for stem in query_stems
    }
    return {stem: share for stem, share in shares.items() if share}
