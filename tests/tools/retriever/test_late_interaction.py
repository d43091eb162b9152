"""What the views read off the token similarities, on numbers that can be checked by hand."""

import numpy as np

from soprag.configs.settings import load
from soprag.tools.retriever.query.late_interaction import Interaction

ONE_PASSAGE = np.zeros(1, np.intp)


def causal_share(hops: int) -> float:
    """The causal score of one question token, cosine 1, on one state line that is `hops` away from the card."""
    settings = load(environment={}).retriever.model_copy(update={"decay": 0.5, "hops": 3})
    line = Interaction(
        rarity=np.ones(1, np.float32),
        best=np.ones((1, 1), np.float32),
        owners=ONE_PASSAGE,
        passages=ONE_PASSAGE,
        states=ONE_PASSAGE,
        steps=np.full(1, -1),
        hops=np.array([hops], np.uint8),
    )
    return float(line.shown(settings).causal[0, 0])


def test_a_state_counts_less_with_every_hop_from_the_card() -> None:
    assert [causal_share(hops) for hops in (1, 2, 3)] == [1, 0.5, 0.25]


def test_a_state_without_a_path_to_the_card_counts_as_one_at_the_limit_of_hops() -> None:
    assert causal_share(0) == 0.5**3
    assert causal_share(9) == 0.5**3
