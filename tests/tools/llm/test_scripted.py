"""The test double of the model interface."""

import pytest
from pydantic import ValidationError

from soprag.tools.errors import ModelUnavailable, UsageError
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.rules.adapter import RulesLlm
from soprag.tools.tasks.benchmark import KEYWORDS, Keywords, TopicAsk
from soprag.tools.tasks.task import Llm

PUMPS = TopicAsk(topic="pumps")


async def test_a_list_of_replies_is_used_up_in_order_and_the_fallback_answers_after_it() -> None:
    llm = ScriptedLlm({"keywords": [{"phrases": ["first"]}, Keywords(phrases=["second"])]}, RulesLlm())
    answers = [await llm.ask(KEYWORDS, PUMPS) for _ in range(3)]
    assert [answer.phrases for answer in answers[:2]] == [["first"], ["second"]]
    assert answers[2] == await RulesLlm().ask(KEYWORDS, PUMPS)
    assert llm.requests == [("keywords", PUMPS)] * 3
    assert llm.ledger.total.calls == 3


async def test_a_single_reply_serves_every_request_and_may_follow_the_input() -> None:
    llm: Llm = ScriptedLlm({"keywords": lambda inputs: {"phrases": [inputs.topic]}})
    topics = ("pumps", "fans")
    assert [(await llm.ask(KEYWORDS, TopicAsk(topic=topic))).phrases for topic in topics] == [["pumps"], ["fans"]]


async def test_a_scripted_exception_is_raised() -> None:
    with pytest.raises(ModelUnavailable, match="out of order"):
        await ScriptedLlm({"keywords": ModelUnavailable("out of order")}).ask(KEYWORDS, PUMPS)


async def test_a_request_the_script_does_not_cover_is_an_error_and_no_model_error() -> None:
    with pytest.raises(UsageError, match="no reply to request 2 of task 'keywords'"):
        llm = ScriptedLlm({"keywords": [{"phrases": ["first"]}]})
        await llm.ask(KEYWORDS, PUMPS)
        await llm.ask(KEYWORDS, PUMPS)


async def test_a_reply_that_is_no_valid_answer_is_refused() -> None:
    with pytest.raises(ValidationError):
        await ScriptedLlm({"keywords": {"phrases": []}}).ask(KEYWORDS, PUMPS)
