"""Refused statements go back once with the reason; what stays unsupported is left out."""

from soprag.agents.deepsearch.restating import CitingStatement, supported
from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.rules.adapter import RulesLlm

CITED = ("Do not run the pump dry for longer than 5 minutes.",)
GOOD = CitingStatement("The pump must not run dry for longer than 5 minutes.", CITED)
BAD = CitingStatement("The pump must not run dry for longer than 10 minutes.", CITED)


async def test_statements_that_stand_cost_no_request() -> None:
    model = ScriptedLlm({})
    assert await supported(model, "q", {"a": GOOD}) == {"a": GOOD.text}
    assert model.requests == []


async def test_a_refused_statement_is_worded_anew_with_its_reason() -> None:
    model = ScriptedLlm({"restate": {"statements": [{"id": "b", "text": GOOD.text}]}})
    assert await supported(model, "q", {"a": GOOD, "b": BAD}) == {"a": GOOD.text, "b": GOOD.text}
    (_, ask), *others = model.requests
    assert not others
    assert [(statement.id, statement.reason) for statement in ask.statements] == [
        ("b", "'10 minutes' is not in the cited lines")
    ]


async def test_what_stays_unsupported_or_cites_nothing_is_left_out() -> None:
    model = ScriptedLlm({"restate": {"statements": [{"id": "b", "text": BAD.text}, {"id": "x", "text": GOOD.text}]}})
    assert await supported(model, "q", {"b": BAD, "c": CitingStatement("It runs.", ())}) == {}
    assert await supported(RulesLlm(), "q", {"b": BAD}) == {}
