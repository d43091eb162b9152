"""Passages of one SOP that answer a question about it."""

import numpy as np

from soprag.tools.embedding import Vectors
from soprag.tools.retriever.answer.passages import score_passages
from soprag.tools.sop import Sop
from soprag.tools.text.terms import terms
from tests.tools.rules.reading import sop

BODY = """# Change a filter

## Tools and protection

- Gloves of nitrile
- Safety glasses

## Steps

1. Close valve V-3.
2. Loosen the lid with 40 Nm at most.
"""


def bag_of_words(texts: list[str]) -> Vectors:
    """Unit vectors that count terms: a stand-in for an embedding model."""
    vocabulary = sorted({term for text in texts for term in terms(text)})
    rows = np.array([[terms(text).count(term) for term in vocabulary] for text in texts], np.float32)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def filter_sop() -> Sop:
    return sop(BODY, "Change a filter")


def test_a_short_section_is_quoted_whole_under_its_heading() -> None:
    passage = score_passages(filter_sop(), "which protection and which tools?", bag_of_words).quote(0.6)[0]
    assert passage.text == "- Gloves of nitrile\n- Safety glasses"
    assert (passage.lines.start, passage.lines.end, passage.headings[-1]) == (5, 6, "Tools and protection")


def test_a_limit_inside_a_step_is_quoted_with_its_line() -> None:
    passages = score_passages(filter_sop(), "how many Nm for the lid?", bag_of_words).quote(0.3)
    assert any("40 Nm" in passage.text and passage.lines.end >= 11 for passage in passages)


def test_a_procedure_that_does_not_say_gives_no_passage() -> None:
    assert score_passages(filter_sop(), "who pays the invoice of the supplier?", bag_of_words).quote(0.3) == ()


def test_an_empty_body_gives_no_passage() -> None:
    assert score_passages(sop("", "Nothing"), "what?", bag_of_words).quote(0.3) == ()


def test_an_abbreviation_is_spelled_out_before_it_is_compared() -> None:
    body = "# Work\n\nWear personal protective equipment.\n\nOpen the lid.\n"
    passages = score_passages(sop(body, "Work"), "PPE?", bag_of_words).quote(0.3)
    assert any("personal protective" in passage.text for passage in passages)
