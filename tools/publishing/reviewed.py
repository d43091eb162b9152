"""Questions with the decisions of reviewers: which are published, with which words, and how far reviewers agree."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from pydantic import Field

from soprag.tools.sop import Frozen, Question
from soprag.tools.store.review_record import QuestionReview


@dataclass(frozen=True)
class ReviewedQuestion:
    """A question as published, and the decisions behind it; `drafted` is the question as it was written."""

    question: Question
    drafted: Question
    reviews: tuple[QuestionReview, ...] = ()

    @property
    def published(self) -> bool:
        """Whether fewer than half of its reviewers reject it: a tie leaves it out."""
        rejections = sum(review.decision == "reject" for review in self.reviews)
        return 2 * rejections < max(1, len(self.reviews))

    @property
    def edited(self) -> bool:
        """Whether it is published with other words or another level than it was written with."""
        return self.question != self.drafted


class ReviewerAgreement(Frozen):
    """How far two reviewers agree on the questions that both decided."""

    first: str
    second: str
    questions: int
    same: float = Field(description="share of the questions with the same decision: accept, edit or reject")
    kappa: float | None = Field(description="Cohen's kappa of the three decisions; None where it is not defined")
    kept_kappa: float | None = Field(description="Cohen's kappa of keeping (accept, edit) against rejecting")


def apply_reviews(questions: Iterable[Question], reviews: Iterable[QuestionReview]) -> list[ReviewedQuestion]:
    """Each question with its reviews; of several edits the latest is published.

    A review of other words than the question has now is not counted.
    """
    by_question: dict[str, list[QuestionReview]] = defaultdict(list)
    for review in reviews:
        by_question[review.question].append(review)
    return [_apply(question, by_question[question.id]) for question in questions]


def _apply(question: Question, reviews: Sequence[QuestionReview]) -> ReviewedQuestion:
    current = tuple(review for review in reviews if review.concerns(question))
    edits = sorted((review for review in current if review.decision == "edit"), key=lambda edit: edit.decided)
    published = question
    if edits:
        update = {"text": edits[-1].text, "level": edits[-1].level or question.level}
        published = question.model_copy(update=update)
    return ReviewedQuestion(published, question, current)


def reviewer_agreements(reviewed: Iterable[ReviewedQuestion]) -> list[ReviewerAgreement]:
    """The agreement of every two reviewers who have decided the same questions, by name."""
    pairs: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for question in reviewed:
        for one, other in combinations(sorted(question.reviews, key=lambda review: review.reviewer), 2):
            pairs[one.reviewer, other.reviewer].append((one.decision, other.decision))
    return [_agreement(first, second, decisions) for (first, second), decisions in sorted(pairs.items())]


def _agreement(first: str, second: str, decisions: Sequence[tuple[str, str]]) -> ReviewerAgreement:
    kept = [(str(one != "reject"), str(other != "reject")) for one, other in decisions]
    return ReviewerAgreement(
        first=first,
        second=second,
        questions=len(decisions),
        same=sum(one == other for one, other in decisions) / len(decisions),
        kappa=cohen_kappa(decisions),
        kept_kappa=cohen_kappa(kept),
    )


def cohen_kappa(decisions: Sequence[tuple[str, str]]) -> float | None:
    """Cohen's kappa: (p - e) / (1 - e), with the observed agreement p and the one expected by chance e.

    `decisions` holds a pair for every item. None where both always say the same word, since e is 1 then.
    """
    count = len(decisions)
    if not count:
        return None
    first, second = (Counter(pair[side] for pair in decisions) for side in (0, 1))
    expected = sum(first[word] * second[word] for word in first) / count**2
    observed = sum(one == other for one, other in decisions) / count
    return None if expected == 1 else (observed - expected) / (1 - expected)
