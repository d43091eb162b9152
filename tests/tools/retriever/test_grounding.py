"""What may be said beside the steps."""

import pytest

from soprag.tools.retriever.answer.grounding import Grounds

BODY = "P-101 trips at 4.5 bar.\n1. Close V-7.\n2. In the pump room choose STOP on the panel.\n"
ABSTRACT = "For pump P-101. Close V-7. In the pump room choose STOP on the panel."


def hold(remark: str) -> str:
    steps = "Close V-7.\nIn the pump room choose STOP on the panel."
    return Grounds(BODY, "Pump trip", ABSTRACT, "what if LT-3 is low", steps).hold(remark)


@pytest.mark.parametrize(
    "remark",
    [
        "P-101 trips at this pressure.",
        "The trip at 4.5 bar protects the seal; LT-3 tells whether there is water.",
        "This procedure does not answer the question.",
    ],
)
def test_a_statement_about_what_is_named_is_kept(remark: str) -> None:
    assert hold(remark) == remark


@pytest.mark.parametrize(
    "remark",
    [
        "P-102 trips at this pressure.",
        "It trips at 45 bar.",
        "Open the bypass.",
        "The pump is hot. Then open the bypass.",
        "Room B: open the bypass.",
        "Step 3: Open the bypass.",
        "3. Open the bypass",
        "The operator must open the bypass.",
        "",
    ],
)
def test_an_instruction_or_a_name_of_its_own_is_not(remark: str) -> None:
    assert hold(remark) == ""


def test_the_abstract_loses_what_stands_among_the_steps() -> None:
    assert hold(ABSTRACT) == "For pump P-101."


def test_a_remark_is_one_line_without_markup() -> None:
    assert hold("The **pump**\n\nis hot.") == "The pump is hot."
    assert len(hold("The pump is hot " * 100)) <= 300
