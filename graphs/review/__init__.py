"""The review of a benchmark's questions by a person: accept, edit or reject, one after the other."""

from soprag.graphs.review.context import ReviewContext
from soprag.graphs.review.graph import create_question_review

__all__ = ["ReviewContext", "create_question_review"]
