"""The router: what its scores do to the weights of the views."""

import asyncio

import pytest

from soprag.configs.settings import RetrieverSettings, load
from soprag.tools.errors import ModelUnavailable
from soprag.tools.llm.fallback import FallbackLlm
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.retriever.query.router import Router, view_weights
from soprag.tools.rules.adapter import RulesLlm


def settings(**changes: object) -> RetrieverSettings:
    return load(environment={}).retriever.model_copy(update=changes)


EVEN = {"prior": (1.0, 1.0, 1.0), "temperature": 1.0}


def test_weights_are_the_softmax_of_the_scores() -> None:
    assert view_weights((1.0, 0.0, 0.0), settings(**EVEN)) == pytest.approx((0.576, 0.212, 0.212), abs=1e-3)


def test_equal_scores_leave_the_prior() -> None:
    assert view_weights((2.0, 2.0, 2.0), settings(prior=(0.6, 0.3, 0.1))) == pytest.approx((0.6, 0.3, 0.1))


def test_a_temperature_of_zero_means_never() -> None:
    weights = view_weights((9.0, 0.0, 0.0), settings(prior=(0.6, 0.2, 0.2), temperature=0.0))
    assert weights == pytest.approx((0.6, 0.2, 0.2))


def test_large_scores_stay_finite() -> None:
    assert view_weights((1e6, 0.0, 0.0), settings(**EVEN)) == pytest.approx((1, 0, 0))


def test_views_left_out_share_their_weight_among_the_others() -> None:
    assert view_weights((0.0, 0.0, 0.0), settings(**EVEN, without=("flow",))) == pytest.approx((0.5, 0.5, 0))
    assert view_weights((0.0, 0.0, 0.0), settings(**EVEN, without=("entity", "causal", "flow"))) == (0, 0, 0)


@pytest.mark.parametrize(
    ("question", "view"),
    [
        ("Why does the pump trip and what causes it?", "causal"),
        ("How do I replace the filter step by step?", "flow"),
        ("P-101 PT-204", "entity"),
    ],
)
def test_the_form_of_a_question_tells_the_view(question: str, view: str) -> None:
    routed = asyncio.run(Router(RulesLlm()).route(question))
    weights = dict(zip(("entity", "causal", "flow"), view_weights(routed.scores, settings(**EVEN)), strict=True))
    assert max(weights, key=lambda name: weights[name]) == view


def test_while_the_model_is_away_the_rules_route_and_it_is_told() -> None:
    away = ScriptedLlm({"route": ModelUnavailable("The model does not answer.")}, name="model")
    routed = asyncio.run(Router(FallbackLlm(away, RulesLlm())).route("P-101 PT-204"))
    assert routed.scores == asyncio.run(Router(RulesLlm()).route("P-101 PT-204")).scores
    assert "does not answer" in routed.warning
