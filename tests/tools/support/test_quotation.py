"""A quotation is cut by code from its lines, and a sentence that repeats them needs no opinion of a model."""

import pytest

from soprag.tools.llm.scripted import ScriptedLlm
from soprag.tools.support.excerpts import excerpt_of
from soprag.tools.support.quotation import quotation, repeats
from soprag.tools.support.second_opinion import judge

BODY = """# Loop

1. **Close** V-2. Wait 5 min.
2. Do not open V-3
   before the lamp is dark.

| Loss | Act |
|---|---|
| 0.05 bar | Call the lead |
"""


def test_a_quotation_is_the_item_without_markup_and_the_row_with_its_head() -> None:
    assert quotation(excerpt_of(BODY, [3]).statements, 400) == '"Close V-2. Wait 5 min."'
    assert excerpt_of(BODY, [5, 9]).statements == (
        "Do not open V-3 before the lamp is dark.",
        "Loss: 0.05 bar; Act: Call the lead",
    )


def test_the_head_of_a_table_is_said_with_its_rows_and_alone_by_its_cells() -> None:
    assert excerpt_of(BODY, [7, 8, 9]).statements == ("Loss: 0.05 bar; Act: Call the lead",)
    assert excerpt_of(BODY, [7]).statements == ("Loss; Act",)


@pytest.mark.parametrize(
    ("sentence", "whole"),
    [
        ("Close V-2.", True),
        ("do not open V-3 before the lamp is dark", True),
        ("Open V-3 before the lamp is dark.", False),
        ("Do not open V-3.", False),
        ("Close V-2. Open V-3.", False),
        ("", False),
    ],
)
def test_only_whole_sentences_are_repeated(sentence: str, whole: bool) -> None:
    assert repeats(sentence, excerpt_of(BODY, [3, 4]).statements) is whole


async def test_a_sentence_in_the_words_of_its_lines_is_not_asked_about() -> None:
    model = ScriptedLlm({"support": {"opinions": [{"n": 1, "verdict": "contradicted"}]}})
    (verdict,) = await judge(model, "q", [("Wait 5 min.", excerpt_of(BODY, [3]))])
    assert verdict.supported
    assert model.requests == []
