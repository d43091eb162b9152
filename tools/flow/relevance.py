"""How much each of several texts of one SOP bears on a question, by the rarity of the terms they share."""

import math
from collections import Counter
from collections.abc import Sequence

from tools.retriever.terms import terms


def relevance(question: str, texts: Sequence[str]) -> list[float]:
    """One number per text, 0 when it shares no term; a term that stands in every text tells nothing."""
    question_terms = set(terms(question))
    shared = [question_terms.intersection(terms(text)) for text in texts]
    spread = Counter(term for common in shared for term in common)
    return [sum(math.log(len(texts) / spread[term]) for term in sorted(common)) for common in shared]
