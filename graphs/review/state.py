"""The channels of a review: which question is asked, and what was decided; the decisions are files of the run."""

from typing import Annotated

from langchain.agents.middleware.human_in_the_loop import HITLRequest
from pydantic import Field
from typing_extensions import TypedDict

from soprag.tools.approval import HumanDecision
from soprag.tools.publishing import ReviewSummary

ReviewedRun = Annotated[str, Field(description="Folder of a finished run of the benchmark builder.")]
ReviewResult = Annotated[ReviewSummary, Field(description="What was decided, and the folder of the benchmark.")]


class ReviewInput(TypedDict):
    """The run whose questions are reviewed."""

    run: ReviewedRun


class ReviewOutput(TypedDict):
    """What was decided."""

    review: ReviewResult


class ReviewState(TypedDict):
    """The state of a review."""

    run: ReviewedRun
    question: Annotated[str, Field(description="Id of the question to ask; empty: the first open one.")]
    skipped: Annotated[list[str], Field(description="Ids of the questions that were put off.")]
    problem: Annotated[str, Field(description="Why the last reply was not taken.")]
    proposal: Annotated[HITLRequest, Field(description="What the reviewer is asked about the question.")]
    decision: Annotated[HumanDecision, Field(description="What the reviewer decided.")]
    review: ReviewResult
