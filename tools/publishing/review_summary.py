"""The summary of a review: what one reviewer decided, and how far all reviewers agree."""

from collections import Counter

from pydantic import Field

from soprag.tools.publishing.facts import gather
from soprag.tools.publishing.reviewed import ReviewerAgreement, reviewer_agreements
from soprag.tools.sop import Frozen
from soprag.tools.store.review_record import reviews_by
from soprag.tools.store.run_folder import RunFolder


class ReviewSummary(Frozen):
    """The counts of a review."""

    run: str
    benchmark: str
    reviewer: str
    questions: int = Field(description="questions of the run")
    accepted: int
    edited: int
    rejected: int
    open: int = Field(description="questions that this reviewer has not decided")
    published: int = Field(description="questions of the benchmark, by the decisions of all reviewers")
    agreements: tuple[ReviewerAgreement, ...] = ()

    def text(self) -> str:
        """A few lines for a person."""
        lines = [
            f"{self.reviewer}: {self.accepted} accepted, {self.edited} edited, {self.rejected} rejected, {self.open} "
            f"open, of {self.questions} questions.",
            *map(_agreement, self.agreements),
            f"  benchmark  {self.benchmark}, published with {self.published} questions",
        ]
        if self.open:
            lines.append(f"  go on      soprag review {self.run} --reviewer {self.reviewer!r}")
        return "\n".join(lines)


def _agreement(pair: ReviewerAgreement) -> str:
    names = f"{pair.first} and {pair.second}"
    kappas = f"Cohen's kappa {_number(pair.kappa)} (kept or rejected: {_number(pair.kept_kappa)})"
    return f"  agreement  {names}: {pair.questions} questions, the same decision on {pair.same:.0%}, {kappas}"


def _number(kappa: float | None) -> str:
    return "undefined, only one decision was used" if kappa is None else f"{kappa:.2f}"


def review_summary(run: RunFolder, reviewer: str) -> ReviewSummary:
    """What a reviewer decided about the questions of a run as they are now."""
    facts = gather(run)
    own = reviews_by(run, reviewer)
    drafted = {reviewed.drafted.id: reviewed.drafted for reviewed in facts.reviewed}
    current = [review for id, review in own.items() if id in drafted and review.concerns(drafted[id])]
    counts = Counter(review.decision for review in current)
    return ReviewSummary(
        run=str(run.path),
        benchmark=facts.summary.benchmark,
        reviewer=current[0].reviewer if current else reviewer,
        questions=len(drafted),
        accepted=counts["accept"],
        edited=counts["edit"],
        rejected=counts["reject"],
        open=len(drafted) - len(current),
        published=len(facts.questions),
        agreements=tuple(reviewer_agreements(facts.reviewed)),
    )
