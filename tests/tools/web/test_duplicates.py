import random

from soprag.tools.web.duplicates import Duplicates

CHANCE = random.Random(1)
WORDS = [f"word{CHANCE.randrange(10_000)}" for _ in range(300)]
TEXT = " ".join(WORDS)


def plan(machine: str) -> str:
    steps = (f"Close the valve of {machine} and note reading number {at} in the log of the shift." for at in range(12))
    return f"# Stop of {machine}\n\n" + "\n".join(steps)


def test_the_same_words_in_another_setting_are_the_same_text() -> None:
    texts = Duplicates()
    assert texts.add("a", TEXT) is None
    assert texts.add("b", f"# {TEXT.upper()}\n") == "a"


def test_a_mirror_with_other_menus_is_a_copy() -> None:
    texts = Duplicates()
    texts.add("a", f"Home News Contact {TEXT}")
    assert texts.add("b", f"{TEXT} printed by the works of another town, all rights reserved") == "a"


def test_an_excerpt_and_another_text_are_none() -> None:
    texts = Duplicates()
    texts.add("a", TEXT)
    assert texts.add("b", " ".join(WORDS[:100])) is None
    assert texts.add("c", " ".join(reversed(WORDS))) is None


def test_sheets_for_two_machines_of_a_kind_are_two() -> None:
    texts = Duplicates()
    texts.add("a", plan("pump P-101") + TEXT)
    assert texts.add("b", plan("pump P-102") + TEXT) is None
    assert texts.add("c", "Mirror. " + plan("pump P-101") + TEXT) == "a"
