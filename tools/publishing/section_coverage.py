"""Which sections of the SOPs the questions are about: a question belongs to the section that holds its evidence."""

from collections.abc import Sequence
from dataclasses import dataclass

from soprag.tools.markdown.outline import read
from soprag.tools.sop import Question, Sop
from soprag.tools.text.words import squeezed

OPENING = "before the first section"


@dataclass(frozen=True)
class CoveredSection:
    """A section of an SOP: its heading, its lines with text, and the questions whose evidence it holds."""

    title: str
    lines: int
    questions: int


@dataclass(frozen=True)
class CoveredSop:
    """An SOP with questions, and its sections in order."""

    title: str
    sections: tuple[CoveredSection, ...]

    @property
    def covered(self) -> int:
        """How many sections have a question."""
        return sum(section.questions > 0 for section in self.sections)


def coverage(sops: Sequence[Sop], questions: Sequence[Question]) -> list[CoveredSop]:
    """The SOPs that have questions, in their order."""
    by_sop: dict[str, list[Question]] = {}
    for question in questions:
        by_sop.setdefault(question.sop, []).append(question)
    return [CoveredSop(sop.title, _sections(sop, by_sop[sop.id])) for sop in sops if sop.id in by_sop]


def _sections(sop: Sop, questions: Sequence[Question]) -> tuple[CoveredSection, ...]:
    lines = sop.body.split("\n")
    headings = [(block.start, block.words) for block in read(sop.body) if block.kind == "heading"]
    starts = [(1, OPENING), *headings]
    ends = [*(start - 1 for start, _ in headings), len(lines)]
    parts = [(title, lines[start - 1 : end]) for (start, title), end in zip(starts, ends, strict=True)]
    # A heading without lines of its own, such as the title, is no section.
    texts = [(title, [line for line in part if line.strip()]) for title, part in parts]
    kept = [(title, part) for title, part in texts if len(part) > (title != OPENING)]
    counts = [0] * len(kept)
    for question in questions:
        place = _place(question.evidence, ["\n".join(part) for _, part in kept])
        if place is not None:
            counts[place] += 1
    return tuple(CoveredSection(title, len(part), count) for (title, part), count in zip(kept, counts, strict=True))


def _place(evidence: str, texts: Sequence[str]) -> int | None:
    """The section that holds the evidence or, where that goes over several, its first line."""
    for words in (evidence, evidence.strip().split("\n")[0]):
        sought = squeezed(words)
        place = next((number for number, text in enumerate(texts) if sought in squeezed(text)), None)
        if place is not None:
            return place
    return None
