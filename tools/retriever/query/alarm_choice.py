"""Which card of a procedure for several alarms a question is about; none where that cannot be told.

A card is named by its code, or it is clearly nearer to the question than the other cards and than the procedure around
them: a question that names the procedure as a whole, or its main part, is about none of its cards.
"""

import numpy as np

from soprag.tools.embedding import Vectors
from soprag.tools.retriever.index.reader import Elements
from soprag.tools.retriever.query.late_interaction import interact
from soprag.tools.retriever.query.query import Query
from soprag.tools.text.codes import named_in, title_names

_LEAD = 0.08  # of the nearest card over the next, in the sum of cosine and late interaction
_GAIN = 0.08  # over the procedure: of the cosine over that of the gist, with the words that only the card says better
_LABEL = 3  # words with which a card begins, a mark of Markdown among them
_EVERY = 10_000  # passages: cards are parts of one SOP, of which all are compared


def chosen_card(query: Query, candidate: Elements) -> int:
    """The first line of the card that the question is about; 0 for none."""
    rows = candidate.alarm_rows
    if len(rows) < 2:
        return 0
    named = [row for row in rows if named_in(query.text, title_names(_label(candidate.texts[row])))]
    if len(named) == 1:
        return int(candidate.lines[named[0], 0])
    nearest = -1 if named or candidate.tokens is None or not query.tokens.size else _nearest(query, candidate)
    return int(candidate.lines[rows[nearest], 0]) if nearest >= 0 else 0


def _label(card: str) -> str:
    """The first words of a card, where its code stands."""
    return " ".join(card.split()[:_LABEL])


def _nearest(query: Query, candidate: Elements) -> int:
    """The number of the card that is clearly nearest; -1 for none."""
    rows = candidate.alarm_rows
    cosines = candidate.vectors[rows.start : rows.stop] @ query.vector
    of_cards, around = _word_similarities(query, candidate)
    scores = cosines + of_cards @ query.rarity
    best, second = np.argsort(-scores)[:2].tolist()
    better_said = float(np.maximum(of_cards[best] - around, 0) @ query.rarity)
    gain = float(cosines[best] - candidate.gist @ query.vector) + better_said
    return best if scores[best] - scores[second] >= _LEAD and gain >= _GAIN else -1


def _word_similarities(query: Query, candidate: Elements) -> tuple[Vectors, Vectors]:
    """The largest cosine of each word with each card (cards, words), and with the lines around the cards (words,)."""
    assert candidate.tokens is not None
    similarities = interact(query, [candidate], _EVERY).best
    lines = candidate.tokens.lines[candidate.token_lines.starts]
    spans = candidate.lines[candidate.alarm_rows.start : candidate.alarm_rows.stop]
    inside = [(lines >= first) & (lines <= last) for first, last in spans]
    around = ~np.logical_or.reduce(inside)
    of_cards = np.stack([similarities[:, lines_of].max(axis=1, initial=0.0) for lines_of in inside])
    return of_cards, similarities[:, around].max(axis=1, initial=0.0)
