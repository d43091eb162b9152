"""What reviewers decided about the questions of a benchmark: a file of the run folder for each decision.

    reviews/<reviewer>/<question>.json

A decision is written whole or not at all, so that a review goes on after `kill -9` with the first open question.
"""

from typing import Literal

from pydantic import Field

from soprag.tools.errors import UsageError
from soprag.tools.sop import Frozen, Level, Question
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.text.identity import same_person

ReviewDecision = Literal["accept", "edit", "reject"]

_REVIEWS = "reviews"
_LONGEST = 60  # characters of a folder name


class QuestionReview(Frozen):
    """One reviewer's decision about one question."""

    question: str = Field(description="id of the question")
    reviewer: str
    decision: ReviewDecision
    original: str = Field(description="the question as the reviewer read it")
    original_level: Level
    text: str = Field(default="", description="the question after an edit; empty otherwise")
    level: Level | None = Field(default=None, description="its level after an edit")
    reason: str = Field(default="", description="why it was rejected, or what an edit is for")
    decided: str = Field(description="when, as ISO 8601")

    def concerns(self, question: Question) -> bool:
        """Whether the reviewer read the words that the question has now; it may have been written anew since."""
        return (self.original, self.original_level) == (question.text, question.level)


def reviewer_folder(run: RunFolder, reviewer: str) -> RunFolder:
    """The folder of a reviewer's decisions; raises `UsageError` for a name without letters and digits.

    Names that differ in case and punctuation only are one reviewer. A name that looks like that of another reviewer
    (Cyrillic and Latin `a`) is refused, for their agreement would be that of one person with himself.
    """
    key = "-".join("".join(sign if sign.isalnum() else " " for sign in reviewer.casefold()).split())
    if not key:
        raise UsageError(f"{reviewer!r} is no name of a reviewer; give one with letters, such as --reviewer ana.")
    key = key[:_LONGEST]
    twin = next((other for other in run.folders(_REVIEWS) if other != key and same_person(other, key)), "")
    if twin:
        raise UsageError(f"{reviewer!r} looks like the reviewer {twin!r} of this run; use that name or another one.")
    return RunFolder(run.path / _REVIEWS / key)


def write_review(run: RunFolder, review: QuestionReview) -> None:
    """Keep a decision in place of the reviewer's earlier one about the question."""
    reviewer_folder(run, review.reviewer).write("", review.question, review)


def reviews_by(run: RunFolder, reviewer: str) -> dict[str, QuestionReview]:
    """The decisions of a reviewer, by question."""
    return {review.question: review for review in reviewer_folder(run, reviewer).recall_all("", QuestionReview)}


def every_review(run: RunFolder) -> list[QuestionReview]:
    """All decisions about the questions of a run, by reviewer and question."""
    folders = (f"{_REVIEWS}/{reviewer}" for reviewer in run.folders(_REVIEWS))
    return [review for folder in folders for review in run.read_all(folder, QuestionReview)]
