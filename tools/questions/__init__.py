"""Quality checks of benchmark questions, the same for questions written by a model and by rules."""

from soprag.tools.questions.checks import QuestionCase, Taken, fault
from soprag.tools.questions.corpus import Corpus

__all__ = ["Corpus", "QuestionCase", "Taken", "fault"]
