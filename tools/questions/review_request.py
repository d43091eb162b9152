"""What a reviewer is asked about a question: the arguments of the request that the graph sends and a screen shows."""

from pydantic import Field

from soprag.tools.sop import Frozen, Level
from soprag.tools.store.review_record import ReviewDecision

REVIEW_ACTION = "review_question"

SKIP, BACK, FINISH = "skip", "back", "finish"  # the responses that decide nothing


class ReviewArguments(Frozen):
    """One question with the procedure that answers it; an edit may change `question` and `level`."""

    id: str
    question: str
    level: Level
    number: int = Field(description="its place among the questions of the run, from 1")
    of: int = Field(description="questions of the run")
    decided: int = Field(description="questions that this reviewer has decided")
    title: str = Field(description="title of the procedure")
    evidence: str = Field(description="the words of the procedure that answer it")
    procedure: str = Field(description="the procedure, word for word")
    earlier: ReviewDecision | None = Field(default=None, description="what this reviewer decided before")
    problem: str = Field(default="", description="why the last reply was not taken")
