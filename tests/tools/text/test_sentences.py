"""Where a sentence ends."""

import pytest

from soprag.tools.text.sentences import WITH_COLONS, sentences


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Close V-1. Open V-2.", ["Close V-1.", "Open V-2."]),
        ("Stop above 10 m/s. Wait.", ["Stop above 10 m/s.", "Wait."]),
        ("Ask shift lead J. Doe first. Go on.", ["Ask shift lead J. Doe first.", "Go on."]),
        ("Use a spanner, e.g. No. 8. Go on.", ["Use a spanner, e.g. No. 8.", "Go on."]),
        ("Is it on? **Then** wait; **Stop** it.", ["Is it on?", "**Then** wait;", "**Stop** it."]),
        ("a. Close it.", ["a. Close it."]),
        ("One line\n\nanother", ["One line", "another"]),
        ("关闭阀门。打开泵。", ["关闭阀门。", "打开泵。"]),
        ("", []),
    ],
)
def test_a_sentence_ends_at_its_sign_and_not_at_an_abbreviation(text: str, parts: list[str]) -> None:
    assert sentences(text) == parts


def test_a_lead_in_with_a_colon_is_a_sentence_where_that_is_asked_for() -> None:
    assert sentences("Then proceed: Close it.", WITH_COLONS) == ["Then proceed:", "Close it."]
