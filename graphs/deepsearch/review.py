"""The approval request for a report, in the shape of LangChain's `HITLRequest` (agent-chat-ui reads it too)."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from soprag.agents.deepsearch.writer import as_text
from soprag.tools.research.records import Judgement, Version

ACTION = "accept_report"


class ReviewDecision(BaseModel):
    """One decision of a person."""

    model_config = ConfigDict(extra="ignore")

    type: Literal["approve", "reject"]
    message: str = ""


class ReviewReply(BaseModel):
    """The response of a person: exactly one decision."""

    model_config = ConfigDict(extra="ignore")

    decisions: list[ReviewDecision] = Field(min_length=1, max_length=1)


def propose(question: str, version: Version) -> dict[str, Any]:
    """Build the request: the report with the other judges' scores and feedback."""
    marks = {judgement.judge: judgement.score for judgement in version.judgements}
    feedback = [remark for judgement in version.judgements for remark in judgement.feedback]
    arguments = {"question": question, "version": version.number, "report": as_text(version.sections)}
    request = {
        "name": ACTION,
        "args": {**arguments, "scores": marks, "feedback": feedback},
        "description": "Is this report good enough? Reject it with a message that says what is missing or wrong.",
    }
    review = {"action_name": ACTION, "allowed_decisions": ["approve", "reject"]}
    return {"action_requests": [request], "review_configs": [review]}


def heard(reply: ReviewReply) -> Judgement:
    """Convert a person's decision to a judgement; their message is both feedback and a new query."""
    decision = reply.decisions[0]
    message = " ".join(decision.message.split())
    approved = decision.type == "approve"
    remarks = (message,) if message and not approved else ()
    return Judgement(
        judge="human", score=4.0 if approved else 0.0, approved=approved, feedback=remarks, missing=remarks
    )
