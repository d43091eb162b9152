"""The title lines at which independent procedures begin, decided together for the whole text."""

from collections import Counter
from collections.abc import Sequence
from itertools import count

from soprag.tools.markdown.page import MarkdownPage
from soprag.tools.segmentation.boundary_model import BoundaryModel, Matrix, fitted
from soprag.tools.segmentation.evidence import Evidence, weigh
from soprag.tools.segmentation.parts import COLUMNS, PartReader, Sections
from soprag.tools.segmentation.title_lines import TitleLine, title_lines

_TURNS = 30  # in which the weakest boundaries go before all weak ones do, which bounds the time
_SHORTEST = 12  # terms of a procedure: less stands for a doubled title or an entry of a list


def independent_starts(page: MarkdownPage, model: BoundaryModel | None = None) -> list[TitleLine]:
    """The first lines of the independent procedures of `page` but the first one, in order; empty for one procedure.

    Lines are proposed by their own evidence; those stay whose parts stand alone.
    """
    titles = title_lines(page)
    return [titles[index] for index in boundaries(weigh(page, titles), model or fitted())]


def boundaries(evidence: Evidence, model: BoundaryModel) -> list[int]:
    """The indices of the title lines at which parts begin that stand alone, in order."""
    log_odds = model.log_odds(evidence)
    return standing(evidence.sections, log_odds, proposals(evidence, log_odds, model.proposed), model)


def proposals(evidence: Evidence, log_odds: Matrix, least: float) -> list[int]:
    """Among all sets of lines that leave no part shorter than 12 terms, the one with the largest sum above `least`."""
    return best_set((log_odds - least).tolist(), evidence.offsets, _SHORTEST)


def standing(sections: Sections, log_odds: Matrix, proposed: list[int], model: BoundaryModel) -> list[int]:
    """`proposed` without the boundaries whose parts are rather one document; none when what is left is too little.

    When a boundary goes, its parts become one, which is compared with its neighbours anew. What is left is enough when
    the log-odds of the lines and of their parts add up to the prior.
    """
    reader = PartReader(sections)
    chosen = proposed
    for turn in count():
        if not chosen:
            break
        rows = reader.rows(chosen, log_odds)
        scores = model.parts.log_odds(rows).tolist()
        kept = [index for index, is_lowest in zip(chosen, _lowest(scores, turn), strict=True) if not is_lowest]
        if len(kept) == len(chosen):
            lines = float(rows[:, COLUMNS.index("log-odds")].sum())
            enough = _are_parallel(rows) or sum(scores) + lines >= model.prior * _share(sections.levels, chosen)
            return chosen if enough else []
        chosen = kept
    return []


def _are_parallel(rows: Matrix) -> bool:
    """Whether all parts have the form of a procedure and the same sections: no single document is built so."""
    return bool((rows[:, COLUMNS.index("skeleton")] == 1).all() and rows[:, COLUMNS.index("form in both")].all())


def _share(levels: Sequence[int], chosen: Sequence[int]) -> float:
    """The mean share of the title lines that have the level of a chosen one: 1 when all headings are at one level."""
    counts = Counter(levels)
    return sum(counts[levels[index]] for index in chosen) / (len(levels) * len(chosen))


def _lowest(scores: list[float], turn: int) -> list[bool]:
    """Which scores are below 0 and no higher than those beside them; after many turns all below 0."""
    if turn >= _TURNS:
        return [score < 0 for score in scores]
    padded = [0.0, *scores, 0.0]
    return [
        own < 0 and own <= before and own <= after
        for before, own, after in zip(padded, scores, padded[2:], strict=False)
    ]


def best_set(scores: Sequence[float], offsets: Sequence[int], shortest: int) -> list[int]:
    """The indices with the largest sum of `scores` whose `offsets` are `shortest` apart, from 0 and the end too.

    `offsets` has one entry more than `scores`: the length of the text. Linear (weighted interval scheduling).
    """
    best: list[float] = []  # of the sets within the first indices
    taken: list[bool] = []
    before: list[int] = []  # how many indices lie far enough before this one
    reach = 0
    for index, score in enumerate(scores):
        while reach < index and offsets[reach] + shortest <= offsets[index]:
            reach += 1
        before.append(reach)
        fits = offsets[index] >= shortest and offsets[index] + shortest <= offsets[-1]
        total = score + (best[reach - 1] if reach else 0.0)
        rest = best[-1] if best else 0.0
        taken.append(fits and total > rest)
        best.append(total if taken[-1] else rest)
    chosen: list[int] = []
    index = len(scores) - 1
    while index >= 0:
        if taken[index]:
            chosen.append(index)
            index = before[index]
        index -= 1
    return chosen[::-1]
