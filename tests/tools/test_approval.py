"""The approval contract is LangChain's: what we build, its types accept; what its clients send, we read."""

from typing import Any

import pytest
from langchain.agents.middleware.human_in_the_loop import DecisionType as LangChainDecisionType
from langchain.agents.middleware.human_in_the_loop import HITLRequest, HITLResponse
from pydantic import TypeAdapter

from soprag.tools.approval import (
    DecisionType,
    HumanDecision,
    build_request,
    build_response,
    read_decision,
    read_request,
)
from soprag.tools.errors import ServiceError

DECISIONS = [
    HumanDecision(type="approve"),
    HumanDecision(type="approve", approver="bob"),
    HumanDecision(type="reject", message="they know"),
    HumanDecision(type="respond", message="done 4.8 bar"),
    HumanDecision(type="edit", tool="email", arguments={"to": "lead@plant.example"}),
]


def test_the_decisions_are_those_of_langchain() -> None:
    assert DecisionType == LangChainDecisionType


def test_a_request_is_langchains_and_is_read_back() -> None:
    request = build_request("email", {"to": "a@b.c"}, "Write an e-mail.", ["approve", "reject"])
    assert TypeAdapter(HITLRequest).validate_python(request) == request
    [action] = read_request(request)
    assert (action.name, action.arguments, action.allowed) == ("email", {"to": "a@b.c"}, {"approve", "reject"})


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: decision.type)
def test_a_response_is_langchains_and_is_read_back(decision: HumanDecision) -> None:
    response = build_response([decision])
    TypeAdapter(HITLResponse).validate_python(response)
    assert read_decision(response) == decision


@pytest.mark.parametrize(
    "response",
    [
        None,
        7,
        {},
        [],
        {"decisions": []},
        {"decisions": "approve"},
        {"decisions": ["approve"]},
        {"decisions": [{"type": "approve"}, {"type": "approve"}]},
        {"decisions": [{"type": "sudo"}]},
        {"decisions": [{"type": "edit"}]},
        {"type": "edit", "edited_action": {"name": "email", "args": "none"}},
    ],
)
def test_what_is_no_decision_agrees_to_nothing_and_says_why(response: object) -> None:
    decision = read_decision(response)
    assert not decision.agrees and decision.error and decision.reason == decision.error


@pytest.mark.parametrize(
    ("response", "kind"),
    [("done", "respond"), ({"type": "approve"}, "approve"), ([{"type": "reject", "message": "no"}], "reject")],
)
def test_plain_text_a_bare_decision_and_a_list_of_one_are_read(response: Any, kind: str) -> None:
    assert read_decision(response).type == kind


def test_a_payload_that_is_no_request_is_an_error() -> None:
    with pytest.raises(ServiceError, match="does not know"):
        read_request({"question": "May I?"})
