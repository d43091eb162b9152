"""Which questions are published after a review, and how far two reviewers agree."""

import pytest

from soprag.tools.publishing.reviewed import apply_reviews, cohen_kappa, reviewer_agreements
from soprag.tools.sop import Question
from soprag.tools.store.review_record import QuestionReview, ReviewDecision

QUESTION = Question(id="s-q1", sop="s", level="direct", text="How is it opened?", evidence="Open it.")


def review(reviewer: str, decision: ReviewDecision, **changes: str) -> QuestionReview:
    made = QuestionReview(
        question="s-q1", reviewer=reviewer, decision=decision, original=QUESTION.text, original_level="direct",
        text="How do I open it?" if decision == "edit" else "", decided="2026-01-01T00:00:00+00:00",
    )  # fmt: skip
    return made.model_copy(update=changes)


@pytest.mark.parametrize(
    ("decisions", "published"),
    [
        ((), True),
        (("accept",), True),
        (("reject",), False),
        (("accept", "reject"), False),
        (("edit", "reject", "accept"), True),
        (("reject", "reject", "accept"), False),
    ],
)
def test_a_question_is_left_out_when_half_of_its_reviewers_reject_it(
    decisions: tuple[ReviewDecision, ...], published: bool
) -> None:
    reviews = [review(str(number), decision) for number, decision in enumerate(decisions)]
    [reviewed] = apply_reviews([QUESTION], reviews)
    assert reviewed.published is published


def test_the_latest_edit_is_published_and_the_draft_is_kept() -> None:
    later = review("bob", "edit", text="Opening it, how?", level="symptom", decided="2026-01-02T00:00:00+00:00")
    [reviewed] = apply_reviews([QUESTION], [later, review("ana", "edit")])
    assert (reviewed.question.text, reviewed.question.level) == ("Opening it, how?", "symptom")
    assert reviewed.edited and reviewed.drafted == QUESTION


def test_a_review_of_other_words_does_not_count() -> None:
    [reviewed] = apply_reviews([QUESTION], [review("ana", "reject", original="What is it?")])
    assert reviewed.published and not reviewed.reviews


def test_kappa_of_the_worked_example_of_fifty_proposals() -> None:
    pairs = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
    assert cohen_kappa(pairs) == pytest.approx(0.4)  # observed 0.7, expected 0.5
    assert cohen_kappa([("no", "yes"), ("yes", "no")]) == pytest.approx(-1)
    assert cohen_kappa([("yes", "yes")] * 9) is None and cohen_kappa([]) is None


def test_agreement_is_counted_on_the_questions_that_both_decided() -> None:
    questions = [QUESTION.model_copy(update={"id": f"s-q{number}"}) for number in range(4)]
    decisions: list[tuple[ReviewDecision, ReviewDecision]] = [
        ("accept", "accept"), ("accept", "edit"), ("reject", "reject"),
    ]  # fmt: skip
    reviews = [
        review(name, pair[side], question=f"s-q{number}")
        for number, pair in enumerate(decisions)
        for side, name in enumerate(("ana", "bob"))
    ]
    [pair] = reviewer_agreements(apply_reviews(questions, [*reviews, review("ana", "accept", question="s-q3")]))
    assert (pair.first, pair.second, pair.questions) == ("ana", "bob", 3)
    assert pair.same == pytest.approx(2 / 3)
    assert pair.kappa == pytest.approx(0.5) and pair.kept_kappa == 1.0
