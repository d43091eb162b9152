"""Who counts as another person."""

import pytest

from soprag.tools.text.identity import count_people, same_person


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("ann", "Ann"),
        ("ann", " ann  "),
        ("ann", "\u0430nn"),  # Cyrillic a
        ("Bob", "\u0412ob"),  # Cyrillic capital Ve
        ("IAN", "ian"),
        ("Ian", "lan"),
        ("ann", "a\u200bnn"),
        ("ann", "\uff41\uff4e\uff4e"),  # full width
        ("M. Ito", "M.\u00a0 Ito"),
        ("Jos\u00e9", "Jose\u0301"),
        ("Otto", "0tto"),
    ],
)
def test_names_that_a_reader_could_take_for_each_other_are_one_person(first: str, second: str) -> None:
    assert same_person(first, second)
    assert count_people((first, second)) == 1


@pytest.mark.parametrize(("first", "second"), [("ann", "bob"), ("Nina", "Vina"), ("Li", "Lu"), ("Иван", "Анна")])
def test_different_names_are_different_people(first: str, second: str) -> None:
    assert not same_person(first, second)


def test_a_name_of_nothing_but_hidden_characters_is_nobody() -> None:
    assert count_people(("", " ", "\u200b", "ann")) == 1
