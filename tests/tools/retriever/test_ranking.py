"""Every equation of the ranking on numbers that can be checked by hand."""

import numpy as np
import pytest

from configs.settings import RetrieverSettings, load
from tools.retriever.ranking import Parts, entity_score, path, rank, standardise
from tools.retriever.router import weigh


def settings(**changes: object) -> RetrieverSettings:
    return load(environment={}).retriever.model_copy(update=changes)


def parts(**given: list[float]) -> Parts:
    zero = np.zeros(3, np.float32)
    named = {name: np.array(values, np.float32) for name, values in given.items()}
    return Parts(**{name: named.get(name, zero) for name in ("card", "exact", "similar", "causal", "flow")})


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


@pytest.mark.parametrize("view", ["card", "entity", "causal", "flow"])
def test_what_is_left_out_has_no_say(view: str) -> None:
    without = settings(without=(view,))
    given = {"card": "card", "entity": "exact", "causal": "causal", "flow": "flow"}[view]
    weights = weigh((1.0, 1.0, 1.0), without)
    ranked = rank(parts(**{given: [0, 1, 2]}), weights, without)
    assert ranked.total == pytest.approx([0, 0, 0])


def test_a_part_that_says_the_same_of_all_changes_nothing() -> None:
    assert standardise(np.array([3, 3, 3], np.float32)) == pytest.approx([0, 0, 0])
    assert standardise(np.array([7], np.float32)) == pytest.approx([0])


def test_one_scale_for_all_parts_makes_units_irrelevant() -> None:
    small, large = parts(exact=[1, 2, 4], flow=[0, 1, 0]), parts(exact=[100, 200, 400], flow=[0, 5, 0])
    weights = (0.6, 0.2, 0.2)
    assert rank(small, weights, settings()).total == pytest.approx(rank(large, weights, settings()).total, abs=1e-4)
