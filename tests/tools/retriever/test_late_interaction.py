"""What the views read off the token similarities, on numbers that can be checked by hand."""

from types import SimpleNamespace
from typing import cast

import numpy as np

from soprag.configs.settings import load
from soprag.tools.retriever.index.codes import encode
from soprag.tools.retriever.index.reader import Elements
from soprag.tools.retriever.query.late_interaction import Interaction, _chosen, _cosines
from soprag.tools.retriever.query.query import Query

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


def two_candidates() -> Interaction:
    """Two question tokens against two lines of the first candidate, each a step, and one line of the second."""
    return Interaction(
        rarity=np.array([0.75, 0.25], np.float32),
        best=np.array([[0.2, 0.8, 0.5], [0.4, 0.1, 0.6]], np.float32),
        owners=np.array([0, 0, 1]),
        passages=np.array([0, 0, 1]),
        states=np.full(3, -1),
        steps=np.array([0, 1, -1]),
        hops=np.zeros(3, np.uint8),
    )


def test_each_question_token_counts_with_its_best_line_of_the_candidate() -> None:
    assert np.allclose(two_candidates().similar(), [0.75 * 0.8 + 0.25 * 0.4, 0.75 * 0.5 + 0.25 * 0.6])


def test_the_nearest_step_is_found_in_each_candidate_that_has_steps() -> None:
    assert two_candidates().nearest("step").tolist() == [1, -1]
    assert two_candidates().nearest("state").tolist() == [-1, -1]


def candidate() -> Elements:
    """Three lines, each a passage of its own, with 1, 2 and 1 tokens of two dimensions."""
    return cast(
        Elements,
        SimpleNamespace(
            passages=np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32),
            token_lines=SimpleNamespace(
                starts=np.array([0, 1, 3]), sizes=np.array([1, 2, 1]), passages=np.array([0, 1, 2])
            ),
            tokens=SimpleNamespace(
                codes=encode(np.array([[1, 0], [0, 1], [0.6, 0.8], [0.8, 0.6]], np.float32), 8),
                rows=np.arange(4, dtype=np.int32),
                along=np.zeros(0, np.int8),
            ),
        ),
    )


def test_only_the_lines_of_the_nearest_passages_are_compared() -> None:
    query = cast(Query, SimpleNamespace(vector=np.array([0, 1], np.float32)))
    assert _chosen(query, candidate(), 1).tolist() == [1]
    assert _chosen(query, candidate(), 2).tolist() == [1, 2]
    assert _chosen(query, candidate(), 3).tolist() == [0, 1, 2]


def test_the_tokens_of_a_chosen_line_are_its_own() -> None:
    question = np.array([[1, 0], [0, 1]], np.float32)
    cosines = _cosines(question, [candidate()], [np.array([0, 2])])
    assert np.allclose(cosines, [[1.0, 0.8], [0.0, 0.6]], atol=0.005)
    every = _cosines(question, [candidate()], [np.array([0, 1, 2])])
    assert np.allclose(every, [[1.0, 0.6, 0.8], [0.0, 1.0, 0.6]], atol=0.005)
