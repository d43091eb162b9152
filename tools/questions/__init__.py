"""What makes a benchmark question good: checks in plain code, the same for a model's questions and for the rules'."""

from tools.questions.checks import Case, Taken, fault
from tools.questions.corpus import Corpus

__all__ = ["Case", "Corpus", "Taken", "fault"]
