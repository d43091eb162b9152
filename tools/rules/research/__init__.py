"""The rule-based tasks of DeepSearch: planning, searching, summarising, writing and judging without a model."""

from tools.rules.research.judging import judge
from tools.rules.research.planning import plan
from tools.rules.research.searching import phrase
from tools.rules.research.summarising import caption, summarise
from tools.rules.research.writing import write

__all__ = ["caption", "judge", "phrase", "plan", "summarise", "write"]
