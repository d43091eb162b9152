"""Passages of one known SOP that answer a question, quoted with their lines.

Used for questions that are asked during a guided run: they are about the procedure at hand unless it says nothing
about them. Candidates are the blocks of the text (an item, a paragraph, a table) and the short sections; a candidate is
scored by the cosine of its vector, which its headings are part of, plus the share of the question's terms in it.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from pydantic import Field

from soprag.tools.embedding import Vectors
from soprag.tools.markdown.page import HeadingSection, MarkdownPage, read
from soprag.tools.sop import Frozen, Sop, Span
from soprag.tools.text.relevance import relevance
from soprag.tools.text.terms import spaced, terms

# Abbreviations of every plant that a small embedding model does not know, spelled out.
_SPELLED = {
    "ppe": "personal protective equipment: gloves, goggles, glasses, helmet, mask",
    "loto": "lockout tagout, isolate and lock",
    "sds": "safety data sheet",
    "msds": "safety data sheet",
}
_LETTERS = re.compile(r"[^\W\d_]+")
_QUOTED = ("paragraph", "item", "table", "code", "html")
_MOST = 3  # passages that are quoted
_NEAR = 0.85  # share of the best score that a further passage needs
_LONGEST = 12  # lines of a section that is quoted whole


class QuotedPassage(Frozen):
    """Verbatim lines of an SOP under their headings; `score` is the relevance to the question."""

    text: str
    lines: Span
    headings: tuple[str, ...] = ()
    score: float = Field(default=0.0, description="cosine plus the weighted share of the question's terms, 0 to 2")


@dataclass(frozen=True)
class _Candidate:
    lines: Span
    headings: tuple[str, ...]
    text: str

    @property
    def spoken(self) -> str:
        """The input of the embedding model: the innermost headings and the text."""
        return spaced("\n".join([*self.headings[-2:], self.text]))


@dataclass(frozen=True)
class ScoredPassages:
    """The candidates of one SOP with their relevance to a question, shape (candidates,)."""

    page: MarkdownPage
    candidates: list[_Candidate]
    scores: Vectors

    def quote(self, least: float) -> tuple[QuotedPassage, ...]:
        """At most three passages that score at least `least` and do not overlap, in the order of the text."""
        if not self.candidates:
            return ()
        passing = self.scores >= max(least, _NEAR * float(self.scores.max()))
        near = [row for row in np.argsort(-self.scores, kind="stable") if passing[row]]
        # A short section that answers as well as one of its items is quoted whole: the list of tools, not one tool.
        whole = [
            row for row in near if not any(_contains(self.candidates[outer], self.candidates[row]) for outer in near)
        ]
        chosen = sorted(whole[:_MOST], key=lambda row: self.candidates[row].lines.start)
        return tuple(_quote(self.page, self.candidates[row], float(self.scores[row])) for row in chosen)


def score_passages(sop: Sop, question: str, embed: Callable[[list[str]], Vectors]) -> ScoredPassages:
    """The passages of `sop` scored for a question about it; `embed` gives unit vectors, shape (texts, dimension)."""
    page = read(sop.body)
    candidates = list(_candidates(page))
    scores = _scores(_spelled_out(question), candidates, embed) if candidates else np.empty(0, np.float32)
    return ScoredPassages(page, candidates, scores)


def _quote(page: MarkdownPage, candidate: _Candidate, score: float) -> QuotedPassage:
    return QuotedPassage(
        text=page.text(candidate.lines), lines=candidate.lines, headings=candidate.headings, score=round(score, 3)
    )


def _spelled_out(question: str) -> str:
    """The question with its abbreviations replaced by what they mean, and by what that is made of."""
    return _LETTERS.sub(lambda word: _SPELLED.get(word[0].lower(), word[0]), question)


def _scores(question: str, candidates: list[_Candidate], embed: Callable[[list[str]], Vectors]) -> Vectors:
    vectors = embed([spaced(question), *(candidate.spoken for candidate in candidates)])
    shares = np.array(relevance(question, [candidate.spoken for candidate in candidates]), np.float32)
    total = max(len(set(terms(question))) * float(np.log(max(len(candidates), 2))), 1.0)
    scores: Vectors = vectors[1:] @ vectors[0] + shares / total
    return scores


def _candidates(page: MarkdownPage) -> Iterator[_Candidate]:
    titles = _titles(page)
    for block in page.blocks:
        if block.kind in _QUOTED and block.text.strip():
            yield _Candidate(block.lines, titles.get(block.lines.start, ()), block.text)
    for section in page.sections:
        candidate = _section(section)
        if candidate:
            yield candidate


def _section(section: HeadingSection) -> _Candidate | None:
    """A section of several short blocks, which is quoted whole: a list of tools, say."""
    blocks = section.direct_blocks
    if len(blocks) < 2 or blocks[-1].lines.end - section.lines.start >= _LONGEST:
        return None
    lines = Span(start=blocks[0].lines.start, end=blocks[-1].lines.end)
    return _Candidate(lines, (*section.above, section.title), "\n".join(block.text for block in blocks))


def _titles(page: MarkdownPage) -> dict[int, tuple[str, ...]]:
    """First line of a block → the headings it stands under, highest first."""
    return {
        block.lines.start: (*section.above, section.title)
        for section in page.sections
        for block in section.direct_blocks
    }


def _contains(outer: _Candidate, inner: _Candidate) -> bool:
    first, second = outer.lines, inner.lines
    return first != second and first.start <= second.start and second.end <= first.end
