"""Quality checks of benchmark questions, the same for questions written by a model and by rules."""

from tools.questions.checks import Case, Taken, fault
from tools.questions.corpus import Corpus

__all__ = ["Case", "Corpus", "Taken", "fault"]
