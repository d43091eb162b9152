"""What answers when the model fails."""

import asyncio
import logging

import pytest

from soprag.tools.errors import ConfigError, ModelRefused, ModelUnavailable
from soprag.tools.llm.fallback import FallbackLlm, attributed
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.tasks.retriever import ROUTE, RouteAsk

ASK = RouteAsk(question="Why does pump P-101 trip?")


ERRORS = {"away": ModelUnavailable, "refuses": ModelRefused, "no key": ConfigError}


def failing(name: str) -> ScriptedLlm:
    return ScriptedLlm({"route": ERRORS[name]("out of order")}, name=name)


@pytest.mark.parametrize("name", ["away", "refuses"])
def test_the_rules_answer_for_a_model_that_fails_with_one_warning(name: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        reply = asyncio.run(attributed(FallbackLlm(failing(name), RulesLlm()), ROUTE, ASK))
    assert reply.answer == asyncio.run(RulesLlm().ask(ROUTE, ASK))
    assert (reply.author, reply.error, len(caplog.records)) == ("rules", "out of order", 1)
    assert "route" in caplog.text and "out of order" in caplog.text


def test_a_wrong_setting_is_no_reason_for_the_rules() -> None:
    with pytest.raises(ConfigError):
        asyncio.run(FallbackLlm(failing("no key"), RulesLlm()).ask(ROUTE, ASK))


def test_a_model_that_answers_is_the_author_and_keeps_its_name_and_fingerprint() -> None:
    model = RulesLlm(name="model")
    wrapped = FallbackLlm(model, RulesLlm())
    reply = asyncio.run(attributed(wrapped, ROUTE, ASK))
    assert (reply.author, reply.error, wrapped.name) == ("model", "", "model")
    assert wrapped.fingerprint(ROUTE) == model.fingerprint(ROUTE)
    assert wrapped.ledger == model.ledger


def test_without_a_fallback_the_error_reaches_the_caller() -> None:
    with pytest.raises(ModelUnavailable):
        asyncio.run(attributed(failing("away"), ROUTE, ASK))
