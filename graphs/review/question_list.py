"""The questions of a run as a reviewer goes through them: by procedure, so that each is read once."""

from dataclasses import dataclass
from functools import cached_property

from langchain.agents.middleware.human_in_the_loop import HITLRequest

from soprag.tools.approval import DecisionType, build_request
from soprag.tools.errors import UsageError
from soprag.tools.questions.review_request import REVIEW_ACTION, ReviewArguments
from soprag.tools.sop import Question, Sop
from soprag.tools.store.review_record import QuestionReview, reviews_by
from soprag.tools.store.run_folder import RunFolder
from soprag.tools.store.run_records import Audited, Examined


@dataclass(frozen=True)
class QuestionList:
    """The questions of a run in order, and one reviewer's decisions about them."""

    run: RunFolder
    questions: tuple[Question, ...]
    reviews: dict[str, QuestionReview]

    @classmethod
    def read(cls, run: RunFolder, reviewer: str) -> "QuestionList":
        """Read them; raises `UsageError` for a run without questions and for a reviewer without a name."""
        questions = tuple(
            question for examined in run.recall_all("questions", Examined) for question in examined.questions
        )
        if not questions:
            raise UsageError(f"Run {run.id!r} has no questions to review; finish it with soprag build --resume first.")
        return cls(run, questions, reviews_by(run, reviewer))

    @cached_property
    def by_id(self) -> dict[str, Question]:
        """Each question under its id."""
        return {question.id: question for question in self.questions}

    def first_open(self, skipped: list[str]) -> str:
        """The first question that is neither decided nor put off; empty when there is none."""
        return next((id for id in self.by_id if not self._decided(id) and id not in skipped), "")

    def before(self, id: str) -> str:
        """The question before this one; the first has itself before it."""
        ids = list(self.by_id)
        return ids[max(0, ids.index(id) - 1)]

    def request(self, id: str, problem: str) -> HITLRequest:
        """What the reviewer is asked about a question."""
        question, review = self.by_id[id], self.reviews.get(id)
        edited = review if review and review.decision == "edit" else None
        sop = self._sop(question)
        arguments = ReviewArguments(
            id=id,
            question=edited.text if edited else question.text,
            level=(edited and edited.level) or question.level,
            number=list(self.by_id).index(id) + 1,
            of=len(self.questions),
            decided=sum(map(self._decided, self.by_id)),
            title=sop.title,
            evidence=question.evidence,
            procedure=sop.body,
            earlier=review.decision if review else None,
            problem=problem,
        )
        description = f"{question.level}: {arguments.question}\n\n{sop.title}\n\n{question.evidence}"
        allowed: list[DecisionType] = ["approve", "edit", "reject", "respond"]
        return build_request(REVIEW_ACTION, arguments.model_dump(mode="json"), description, allowed)

    def _decided(self, id: str) -> bool:
        review, question = self.reviews.get(id), self.by_id[id]
        return review is not None and review.concerns(question)

    def _sop(self, question: Question) -> Sop:
        sops = (sop for audited in self.run.recall_all("sops", Audited) for sop in audited.sops)
        return next(sop for sop in sops if sop.id == question.sop)
