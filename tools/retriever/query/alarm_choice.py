"""Which card of a procedure for several alarms a question is about; none where two are about as near."""

import numpy as np

from soprag.tools.retriever.index.reader import Elements
from soprag.tools.retriever.query.late_interaction import interact
from soprag.tools.retriever.query.query import Query
from soprag.tools.retriever.query.ranking import Scores

_LEAD = 0.08  # of the nearest card over the next, in the sum of cosine and late interaction
_EVERY = 10_000  # passages: cards are parts of one SOP, of which all are compared


def chosen_card(query: Query, candidate: Elements) -> int:
    """The first line of the card that is clearly nearest to the question; 0 for none."""
    rows = candidate.alarm_rows
    if len(rows) < 2 or candidate.tokens is None or not query.tokens.size:
        return 0
    cosines = candidate.vectors[rows.start : rows.stop] @ query.vector
    scores = cosines + _word_scores(query, candidate)
    order = np.argsort(-scores)
    if scores[order[0]] - scores[order[1]] < _LEAD:
        return 0
    return int(candidate.lines[rows[int(order[0])], 0])


def _word_scores(query: Query, candidate: Elements) -> Scores:
    """Sim of the question with the lines of each card."""
    assert candidate.tokens is not None
    similarities = interact(query, [candidate], _EVERY)
    lines = candidate.tokens.lines[candidate.token_lines.starts]
    spans = candidate.lines[candidate.alarm_rows.start : candidate.alarm_rows.stop]
    best = [similarities.best[:, (lines >= first) & (lines <= last)].max(axis=1, initial=0.0) for first, last in spans]
    scores: Scores = np.stack(best) @ query.rarity
    return scores
