"""Every equation of the ranking on numbers that can be checked by hand."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from soprag.configs.settings import RetrieverSettings, load
from soprag.tools.retriever.query.confidence import (
    FEATURES,
    ConfidenceFeatures,
    confidence_features,
    confidences,
    likeliest,
    similarity,
)
from soprag.tools.retriever.query.ranking import (
    CandidateScores,
    PassageShares,
    RankedCandidates,
    entity_score,
    path,
    rank,
    standardise,
)
from soprag.tools.retriever.query.router import view_weights


def settings(**changes: object) -> RetrieverSettings:
    return load(environment={}).retriever.model_copy(update=changes)


def floats(values: object) -> NDArray[np.float32]:
    return np.array(values, np.float32)


def parts(**given: list[float]) -> CandidateScores:
    """Three candidates, and a question that is compared as a whole."""
    named = {name: floats(given.get(name, [0, 0, 0])) for name in ("card", "exact", "similar", "causal", "flow")}
    causal, flow = named.pop("causal")[None], named.pop("flow")[None]
    return CandidateScores(
        **named, matches=PassageShares(causal, flow, floats([1]), np.arange(len(causal[0])), by_word=False)
    )


def by_word(
    causal: list[list[float]], flow: list[list[float]], owners: list[int], rarity: list[float]
) -> CandidateScores:
    """A row of `causal` and `flow` for every word, a column for every passage; nothing else is known."""
    zero = np.zeros(max(owners) + 1, np.float32)
    return CandidateScores(
        zero, zero, zero, PassageShares(floats(causal), floats(flow), floats(rarity), np.array(owners), by_word=True)
    )


PLAIN = {"standardise": False, "card": 0.2, "alpha": 0.75}


def test_equation_6_weighs_the_card_against_the_gated_views() -> None:
    seen = parts(card=[1, 0, 0], exact=[0, 1, 0], similar=[0, 1, 0], causal=[0, 0, 1], flow=[0, 0, 1])
    ranked = rank(seen, (0.5, 0.3, 0.2), settings(**PLAIN))
    assert ranked.total == pytest.approx([0.2, 0.8 * 0.5, 0.8 * (0.3 + 0.2)])


def test_the_parts_add_up_to_the_score() -> None:
    draw = np.random.default_rng(1).random((5, 3)).tolist()
    names = ("card", "exact", "similar", "causal", "flow")
    ranked = rank(parts(**dict(zip(names, draw, strict=True))), (0.5, 0.3, 0.2), settings())
    assert ranked.card + ranked.entity + ranked.causal + ranked.flow == pytest.approx(ranked.total, abs=1e-6)


def test_equation_7_mixes_exact_and_similar_names() -> None:
    assert entity_score(parts(exact=[1, 0, 1], similar=[0, 1, 1]), settings(**PLAIN)) == pytest.approx([0.75, 0.25, 1])


def test_equation_8_decays_with_every_hop_and_ends_after_k() -> None:
    near = path(np.array([0, 1, 2, 3, 4], np.uint8), settings(decay=0.5, hops=3))
    assert near == pytest.approx([0, 1, 0.5, 0.25, 0])


WORDS = {"standardise": False, "card": 0.0}
EVEN = (0.4, 0.3, 0.3)


def competed(parts: CandidateScores, weights: tuple[float, float, float] = EVEN, **changes: object) -> RankedCandidates:
    return rank(parts, weights, settings(**{**WORDS, **changes}))


def test_every_word_is_said_by_the_view_that_says_it_best() -> None:
    ranked = competed(by_word(causal=[[0.9], [0.2]], flow=[[0.5], [0.8]], owners=[0], rarity=[0.75, 0.25]))
    assert ranked.causal == pytest.approx([0.3 * 0.75 * 0.9])
    assert ranked.flow == pytest.approx([0.3 * 0.25 * 0.8])


def test_a_weight_decides_which_view_gets_a_word() -> None:
    seen = by_word(causal=[[0.9]], flow=[[0.8]], owners=[0], rarity=[1])
    ranked = competed(seen, (0.4, 0.2, 0.4))
    assert (ranked.causal, ranked.flow) == (pytest.approx([0]), pytest.approx([0.4 * 0.8]))


def test_one_passage_that_says_all_stands_before_two_that_say_half() -> None:
    together = by_word(
        causal=[[0.8, 0.9, 0], [0, 0, 0]], flow=[[0, 0, 0], [0.8, 0, 0.9]], owners=[0, 1, 1], rarity=[0.5, 0.5]
    )
    assert competed(together).total == pytest.approx([0.3 * 0.8, 0.3 * 0.45])


def test_the_gates_tell_what_each_view_won() -> None:
    ranked = competed(by_word(causal=[[0.9], [0.2]], flow=[[0.5], [0.8]], owners=[0], rarity=[0.75, 0.25]))
    assert ranked.gates[0] == pytest.approx([0.4, 0.6 * 0.75, 0.6 * 0.25])


@pytest.mark.parametrize(("left_out", "remains"), [("causal", "flow"), ("flow", "causal")])
def test_the_words_of_a_view_left_out_go_to_the_other(left_out: str, remains: str) -> None:
    without = settings(**WORDS, without=(left_out,))
    seen = by_word(causal=[[0.9], [0.2]], flow=[[0.5], [0.8]], owners=[0], rarity=[0.5, 0.5])
    ranked = rank(seen, view_weights((0.0, 0.0, 0.0), without), without)
    said = {"causal": 0.5 * (0.9 + 0.2), "flow": 0.5 * (0.5 + 0.8)}[remains]
    assert getattr(ranked, left_out) == pytest.approx([0])
    assert getattr(ranked, remains) == pytest.approx([said * 0.275 / 0.725])


def test_without_the_router_each_view_answers_the_whole_question_in_a_passage_of_its_own() -> None:
    seen = by_word(causal=[[0.9, 0.1], [0.2, 0]], flow=[[0.5, 0.6], [0, 0.8]], owners=[0, 0], rarity=[0.5, 0.5])
    ranked = competed(seen, without=("router",))
    assert (ranked.causal, ranked.flow) == (pytest.approx([0.3 * 0.55]), pytest.approx([0.3 * 0.7]))
    assert ranked.gates[0] == pytest.approx(EVEN)


def test_both_views_share_one_scale_so_that_their_words_stay_comparable() -> None:
    causal, flow = np.random.default_rng(2).random((2, 4, 6)).tolist()
    ranked = competed(by_word(causal, flow, [0, 1, 1, 2, 3, 3], [0.4, 0.3, 0.2, 0.1]), standardise=True)
    assert (ranked.causal + ranked.flow) == pytest.approx(0.6 * standardise(ranked.causal + ranked.flow), abs=1e-4)


@pytest.mark.parametrize("view", ["card", "entity", "causal", "flow"])
def test_what_is_left_out_has_no_say(view: str) -> None:
    without = settings(without=(view,))
    given = {"card": "card", "entity": "exact", "causal": "causal", "flow": "flow"}[view]
    weights = view_weights((1.0, 1.0, 1.0), without)
    ranked = rank(parts(**{given: [0, 1, 2]}), weights, without)
    assert ranked.total == pytest.approx([0, 0, 0])


def test_a_part_that_says_the_same_of_all_changes_nothing() -> None:
    assert standardise(np.array([3, 3, 3], np.float32)) == pytest.approx([0, 0, 0])
    assert standardise(np.array([7], np.float32)) == pytest.approx([0])


def test_one_scale_for_all_parts_makes_units_irrelevant() -> None:
    small, large = parts(exact=[1, 2, 4], flow=[0, 1, 0]), parts(exact=[100, 200, 400], flow=[0, 5, 0])
    weights = (0.6, 0.2, 0.2)
    assert rank(small, weights, settings()).total == pytest.approx(rank(large, weights, settings()).total, abs=1e-4)


def test_the_similarity_is_the_mean_of_the_card_and_the_nearest_evidence() -> None:
    same_card = parts(card=[0.6, 0.6, 0.6], similar=[0.1, 0.8, 0.1], flow=[0.2, 0.2, 0.4])
    assert similarity(same_card).tolist() == pytest.approx([0.4, 0.7, 0.5])
    assert similarity(parts(card=[1.3, 1, 1], similar=[1.2, 0, 0])).max() == 1


def test_the_confidence_grows_with_every_feature() -> None:
    low = ConfidenceFeatures(*(np.full(1, value, np.float32) for value in (0.4, 1.0, 0.2, 2.0)))
    for name in FEATURES:
        more = replace(low, **{name: getattr(low, name) + np.float32(0.2)})
        assert 0 < confidences(low)[0] < confidences(more)[0] < 1


def test_with_few_candidates_the_similarity_alone_decides() -> None:
    few = confidence_features(parts(card=[0.9, 0.5, 0.1]), np.array([9, 1, 0], np.float32), 4)
    sure = confidences(few)
    assert np.isnan(few.lead).all()
    assert sure[0] > sure[1] > sure[2]


def test_whether_there_is_an_answer_is_asked_of_the_topic_too_and_not_only_of_what_the_purpose_put_first() -> None:
    seen = replace(parts(card=[0.3, 0.9, 0.1], similar=[0.3, 0.9, 0.1]), purpose=floats([1, -1, 0]))
    ranked = rank(seen, (0.4, 0.3, 0.3), settings(purpose=9.0))
    assert int(ranked.total.argmax()) == 0
    assert likeliest(seen, ranked, 4)[0] == pytest.approx(0.9)
    away = replace(seen, card=floats([0.9, 0.3, 0.1]), similar=floats([0.9, 0.3, 0.1]))
    assert likeliest(away, rank(away, (0.4, 0.3, 0.3), settings(purpose=9.0)), 4)[0] == pytest.approx(0.9)
