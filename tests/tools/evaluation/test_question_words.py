"""How questions take their words from their SOP."""

import numpy as np

from soprag.benchmarks.quality.question_words import shares
from soprag.tools.embedding import Vectors
from soprag.tools.questions import Corpus
from soprag.tools.sop import Sop, Span


class NoEmbedder:
    """Embeds nothing, because shares of words need no vectors."""

    name = "none"

    def embed(self, texts: list[str]) -> Vectors:
        raise AssertionError(texts)


def test_words_count_in_any_order_and_pairs_only_side_by_side() -> None:
    body = "Stop the air handling unit. Pull the pocket filters."
    sop = Sop(id="ahu", title="Filter Change", text=body, document="d", span=Span(start=1, end=9))
    corpus = Corpus((sop,), NoEmbedder())
    assert np.array_equal(shares("pull the pocket filters", sop, corpus), [1, 1, 1, 1])
    assert np.array_equal(shares("filters, each in a pocket, to pull", sop, corpus), [1, 0, 1, 1])
