"""The rule-based tasks of DeepSearch: planning, searching, summarising, writing and judging without a model."""

from soprag.tools.rules.research.judging import judge
from soprag.tools.rules.research.planning import plan
from soprag.tools.rules.research.searching import phrase
from soprag.tools.rules.research.summarising import caption, summarise
from soprag.tools.rules.research.writing import restate, write

__all__ = ["caption", "judge", "phrase", "plan", "restate", "summarise", "write"]
