"""Extractive summary: the most relevant lines for the subtask, verbatim and without near duplicates."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from soprag.tools.procedure.wording.instructions import directs
from soprag.tools.research.page_text import addresses_machine, is_furniture
from soprag.tools.rules.research.answer_types import AnswerType, answer_type, holds, holds_text
from soprag.tools.rules.research.subject import equivalent_stems, wanted
from soprag.tools.tasks.deepsearch import (
    Caption,
    CaptionAsk,
    ClaimDraft,
    Findings,
    RankedSentence,
    SummaryAsk,
)
from soprag.tools.text.codes import title_names
from soprag.tools.text.language import detect
from soprag.tools.text.terms import terms

_CLOSE = 0.6  # weight of the cosine similarity; the rest weighs the subtask's terms by inverse frequency
_LEAST = 0.36  # lowest score of a selected line
_OF_BEST = 0.65  # lowest score of a selected line, as a share of the best score
_STEPS = 2  # steps that a procedure has at least
_PROCEDURES = 2  # copied whole
_LEAST_CONFIDENCE = 0.3  # of a procedure that is about the subject of a subtask that asks for one, or for its parts ...
_RIVAL = 0.5  # ... and the same as a share of the best confidence
_EQUAL = 0.03  # difference of confidence up to which two procedures fit as well as each other
_PURPOSE = 2  # lines that say what a procedure is for
_SAME = 0.6  # share of common stems from which two lines are near duplicates
_LEANS = re.compile(
    r"^\W*(?:it|its|this|these|that|those|they|their|he|she|such|however|therefore|thus|hence|but|and|or|so|also|then|"
    r"in addition|moreover|furthermore|for example|the (?:former|latter|above))\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
_HALF = 0.5
_LEANING = 0.8  # factor for a line that depends on the one before it, is a table row or is no sentence
_ROW = re.compile(r"^[^;:]{1,60}: [^;]+; [^;:]{1,60}: ")


# Types that a line without their words cannot answer; closeness only ranks their lines, within these bounds.
_STRICT: dict[AnswerType, tuple[float, float]] = {
    "hazards": (0.0, 0.0),
    "price": (0.0, 0.65),
    "frequency": (0.0, 0.65),
    "contact": (0.0, 0.65),
}
_WHOLE: tuple[AnswerType, ...] = ("procedure", "comparison")  # answered by procedures as a whole
_HOLDS = 1.6  # factor for a line that holds the type that is asked for, where others may answer too


def summarise(ask: SummaryAsk) -> Findings:
    """The answer by the type that the query expects.

    A procedure is named whole, with up to `_PURPOSE` lines that say what it is for. Other types get at most `keep`
    claims, each one verbatim line that can hold such an answer, in page order; none when no line is relevant.
    """
    kind = answer_type(ask.query)
    related = _related(ask, _LEAST_CONFIDENCE if kind in (*_WHOLE, *_STRICT) else 0.0)
    procedures = _fitting(ask, related, _EQUAL if kind == "procedure" else 1.0) if kind in _WHOLE else []
    if procedures:
        purpose = [line for line in ask.lines if line.procedure in procedures and line.kind == "sentence"]
        return _findings(ask, _relevant(ask, purpose, _PURPOSE), procedures)
    lines = [line for line in ask.lines if not line.procedure or line.procedure in related]
    if kind not in _STRICT:
        return _findings(ask, _relevant(ask, lines, ask.keep, kind=kind), [])
    lines = [line for line in lines if holds(line, kind, ask.query)]
    if kind == "hazards":
        lines = [line for line in lines if line.kind == "warning"] or lines
    return _findings(ask, _relevant(ask, lines, ask.keep, _STRICT[kind]), [])


def _findings(ask: SummaryAsk, chosen: list[RankedSentence], procedures: list[str]) -> Findings:
    order = {line.id: index for index, line in enumerate(ask.lines)}
    chosen = sorted(chosen, key=lambda line: order[line.id])
    claims = [ClaimDraft(text=line.text[:600], lines=[line.id]) for line in chosen]
    return Findings(claims=claims, procedures=procedures)


def _fitting(ask: SummaryAsk, related: set[str], equal: float) -> list[str]:
    """The first related procedure that has steps, and those whose confidence differs by at most `equal`."""
    cards = [card for card in ask.procedures if card.steps >= _STEPS and card.id in related]
    best = cards[0].confidence if cards else 0.0
    return [card.id for card in cards if best - card.confidence <= equal][:_PROCEDURES]


def _related(ask: SummaryAsk, least: float) -> set[str]:
    """The procedures about the subject of the subtask; lines of another one do not belong to it."""
    least = max([least, *(_RIVAL * card.confidence for card in ask.procedures)])
    names = title_names(ask.query)
    return {card.id for card in ask.procedures if card.confidence >= least and not _is_sibling(card.title, names)}


def _is_sibling(title: str, names: set[str]) -> bool:
    """Whether a title names AHU-1 where AHU-2 is asked for."""
    own = title_names(title)
    return not own & names and bool(
        {_NUMBER.sub("#", name) for name in own} & {_NUMBER.sub("#", name) for name in names}
    )


def _relevant(
    ask: SummaryAsk,
    lines: Sequence[RankedSentence],
    keep: int,
    bounds: tuple[float, float] = (_LEAST, _OF_BEST),
    kind: AnswerType = "statement",
) -> list[RankedSentence]:
    """At most `keep` of these lines, the most relevant first, without near duplicates.

    `bounds` are the lowest score of a line, and the same as a share of the best score; lines that hold an answer of
    `kind` are preferred.
    """
    lines = [line for line in lines if line.kind != "code" and sayable(line.text)]
    holding = _holding(lines, kind)
    weights = [_HOLDS if line.id in holding else 1.0 for line in lines]
    scores = [score * weight for score, weight in zip(_scores(ask, lines), weights, strict=True)]
    scored = sorted(zip(scores, lines, strict=True), key=lambda pair: -pair[0])
    least = max(bounds[0], bounds[1] * scored[0][0]) if scored else 0.0
    chosen: list[RankedSentence] = []
    for score, line in scored:
        if score < least or len(chosen) == keep:
            break
        if not any(same(line.text, earlier.text) for earlier in chosen):
            chosen.append(line)
    return chosen


def _holding(lines: Sequence[RankedSentence], kind: AnswerType) -> set[str]:
    """The lines that hold an answer of this kind by their words; without any, those under a heading that says so."""
    if kind == "statement":
        return set()
    worded = {line.id for line in lines if holds_text(line.text, "", line.kind, kind)}
    return worded or {line.id for line in lines if holds(line, kind)}


def caption(ask: CaptionAsk) -> Caption:
    """The picture's title on its page, since rules cannot interpret the picture itself."""
    return Caption(sentences=[ask.title] if ask.title.strip() else [])


def sayable(text: str) -> bool:
    """Whether the text is content of usable length, neither page boilerplate nor a prompt injection.

    A question and a line that only introduces the next one say nothing by themselves.
    """
    if not 5 <= len(text.split()) <= 90 or len(text) > 600 or text.endswith(("?", ":")):
        return False
    return not addresses_machine(text) and not is_furniture(text)


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
