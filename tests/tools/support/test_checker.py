"""What the lines that a sentence cites support, whatever the grammar."""

import pytest

from soprag.tools.support.checker import SourceExcerpt, check

LINES = (
    "7. Tell the lead the rack number. Do not top up more than 5 L without consent. Valve V-7 stays closed for 15 min."
)


@pytest.mark.parametrize(
    "sentence",
    [
        "More than 5 L may not be topped up without consent.",
        "V-7 has to be closed for a quarter of an hour, that is 15 minutes.",
        "The lead is told the number of the rack.",
    ],
)
def test_a_paraphrase_is_supported(sentence: str) -> None:
    assert check(sentence, SourceExcerpt(LINES)).supported


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [
        ("Up to 8 L may be topped up.", "quantity"),
        ("Valve V-7 stays closed for 15 h.", "quantity"),
        ("Valve V-8 stays closed.", "name"),
        ("Valve V-7 stays open for 15 min.", "polarity"),
        ("Top up more than 5 L.", "quantity"),
        ("Lubricate the manifold gasket.", "words"),
    ],
)
def test_what_the_lines_do_not_say_is_not(sentence: str, fault: str) -> None:
    assert check(sentence, SourceExcerpt(LINES)).fault == fault


def test_a_note_repeats_no_word_of_the_sentence() -> None:
    assert "V-8" not in check("Open V-8.", SourceExcerpt(LINES)).note


CITED = "Keep the oil of P-101 below 75 °C and do not exceed 1,500 rpm.\n\nCheck the strainer every week."


@pytest.mark.parametrize(
    "sentence",
    [
        "The oil of P-101 stays below 75 °C.  It does not exceed 1500 rpm.",
        "Every week the strainer is checked.",
        "Do not exceed 1,500 rpm.",
    ],
)
def test_what_several_sources_say_together_is_supported(sentence: str) -> None:
    assert check(sentence, SourceExcerpt(CITED)).supported


@pytest.mark.parametrize(
    "sentence",
    [
        "Keep the oil of P-101 below 80 °C.",
        "Keep the oil of P-102 below 75 °C.",
        "The bearing vibration is critical for the lifetime of the turbine.",
        "The strainer is not checked every week.",
        "Exceed 1,500 rpm with the oil of P-101 below 75 °C.",
    ],
)
def test_a_number_name_or_negation_of_its_own_is_not(sentence: str) -> None:
    assert not check(sentence, SourceExcerpt(CITED)).supported
