"""What may be said about cited words: no number, name or negation of one's own."""

import pytest

from soprag.tools.research.lines import lines_of
from soprag.tools.research.support import stands_on

CITED = ["Keep the oil of P-101 below 75 °C and do not exceed 1,500 rpm.", "Check the strainer every week."]


@pytest.mark.parametrize(
    "sentence",
    [
        "The oil of P-101 stays below 75 °C.  It does not exceed 1500 rpm.",
        "Every week the strainer is checked.",
        "Do not exceed 1,500 rpm.",
    ],
)
def test_what_the_words_say_stands(sentence: str) -> None:
    assert stands_on(sentence, CITED)


@pytest.mark.parametrize(
    "sentence",
    [
        "Keep the oil of P-101 below 80 °C.",
        "Keep the oil of P-102 below 75 °C.",
        "The bearing temperature is critical for the lifetime of the machine.",
        "",
    ],
)
def test_what_they_do_not_say_does_not(sentence: str) -> None:
    assert not stands_on(sentence, CITED)


def test_a_not_may_neither_come_in_nor_go_missing() -> None:
    assert not stands_on("The strainer is not checked every week.", CITED[1:])
    assert not stands_on("Exceed 1,500 rpm with the oil of P-101 below 75 °C.", CITED[:1])


def test_words_of_the_question_alone_are_no_ground() -> None:
    assert not stands_on(
        "Oil quality decides how long turbines live.", CITED, "How long do turbines live with good oil?"
    )


def test_lines_know_where_they_stand() -> None:
    text = (
        "# Pump\n\nClose the valve V-3 first. Then open **the drain** of the pump.\n\n"
        "| Step | Limit |\n|---|---|\n| Start | 4 bar |\n\n- Check the oil level daily\n"
    )
    lines = [(one.text, one.lines.start, one.heading) for one in lines_of(text, 10_000)]
    assert lines == [
        ("Close the valve V-3 first.", 3, "Pump"),
        ("Then open the drain of the pump.", 3, "Pump"),
        ("Step: Start; Limit: 4 bar", 5, "Pump"),
        ("Check the oil level daily", 9, "Pump"),
    ]
