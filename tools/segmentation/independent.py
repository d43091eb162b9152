"""The title lines at which independent procedures begin, decided together for the whole text."""

from collections.abc import Sequence

from soprag.tools.markdown.page import MarkdownPage
from soprag.tools.segmentation.boundary_model import BoundaryModel, fitted
from soprag.tools.segmentation.evidence import weigh
from soprag.tools.segmentation.title_lines import TitleLine, title_lines

_SHORTEST = 12  # terms of a procedure: less stands for a doubled title or an entry of a list


def independent_starts(page: MarkdownPage, model: BoundaryModel | None = None) -> list[TitleLine]:
    """The first lines of the independent procedures of `page` but the first one, in order; empty for one procedure.

    Among all sets of lines that leave no part shorter than 12 terms, the one with the largest sum of log-odds.
    """
    titles = title_lines(page)
    evidence = weigh(page, titles)
    log_odds = (model or fitted()).log_odds(evidence)
    return [titles[index] for index in best_set(log_odds.tolist(), evidence.offsets, _SHORTEST)]


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
