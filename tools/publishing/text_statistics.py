"""Statistics of the texts of a benchmark: lengths of procedures, and of the questions of each level."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from soprag.tools.questions.statistics import overlap, repeated_sentences
from soprag.tools.sop import LEVELS, Question, Sop


@dataclass(frozen=True)
class Lengths:
    """Lengths in words."""

    count: int
    fewest: int
    median: float
    mean: float
    most: int


@dataclass(frozen=True)
class LevelTexts:
    """The questions of one level: lengths in words, and shares from 0 to 1."""

    level: str
    lengths: Lengths
    overlap: float
    repeated: float


def lengths(texts: Sequence[str]) -> Lengths:
    """The lengths of texts; all zero for none."""
    counts = [len(text.split()) for text in texts] or [0]
    return Lengths(len(texts), min(counts), median(counts), fmean(counts), max(counts))


def level_texts(questions: Sequence[Question], sops: Sequence[Sop]) -> list[LevelTexts]:
    """The levels that have questions: lengths, mean overlap with the SOP, share of sentences that occur twice."""
    by_id = {sop.id: sop for sop in sops}
    repeated = dict(zip(questions, repeated_sentences([question.text for question in questions]), strict=True))
    found = []
    for level in LEVELS:
        chosen = [question for question in questions if question.level == level]
        if chosen:
            shares = [
                overlap(question.text, by_id[question.sop].title, by_id[question.sop].body) for question in chosen
            ]
            sentences, again = (sum(repeated[question][side] for question in chosen) for side in (0, 1))
            texts = [question.text for question in chosen]
            found.append(LevelTexts(level, lengths(texts), fmean(shares), again / max(1, sentences)))
    return found
