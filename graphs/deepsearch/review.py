"""The question to a person about a version of the report, and their decision as a judgement."""

from langchain.agents.middleware.human_in_the_loop import HITLRequest

from soprag.agents.deepsearch.writer import as_text
from soprag.tools.approval import HumanDecision, build_request
from soprag.tools.research.records import Judgement, Version

ACTION = "accept_report"
_QUESTION = "Is this report good enough? Reject it with a message that says what is missing or wrong."


def propose(question: str, version: Version) -> HITLRequest:
    """The request: the report with the other judges' scores and feedback."""
    arguments = {
        "question": question,
        "version": version.number,
        "report": as_text(version.sections),
        "scores": {judgement.judge: judgement.score for judgement in version.judgements},
        "feedback": [remark for judgement in version.judgements for remark in judgement.feedback],
    }
    return build_request(ACTION, arguments, _QUESTION, ["approve", "reject"])


def judgement_of(decision: HumanDecision) -> Judgement:
    """A decision as a judgement, from 0 to 4; the message of a rejection is feedback and a new query."""
    message = " ".join(decision.message.split())
    approved = decision.type == "approve"
    remarks = (message,) if message and not approved else ()
    score = 4.0 if approved else 0.0
    return Judgement(judge="human", score=score, approved=approved, feedback=remarks, missing=remarks)
