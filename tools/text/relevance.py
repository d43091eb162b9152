"""Relevance of texts of one SOP to a question: the sum of inverse document frequencies of their common terms."""

import math
from collections import Counter
from collections.abc import Sequence

from soprag.tools.text.terms import terms


def relevance(question: str, texts: Sequence[str]) -> list[float]:
    """One score per text, 0 when it shares no term with the question; a term in every text adds 0."""
    question_terms = set(terms(question))
    shared = [question_terms.intersection(terms(text)) for text in texts]
    spread = Counter(term for common in shared for term in common)
    return [sum(math.log(len(texts) / spread[term]) for term in sorted(common)) for common in shared]
