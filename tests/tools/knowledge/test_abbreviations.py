"""A name that is plainly cut is the whole name; what may be a word of its own or stand for two things is not."""

from pathlib import Path

import pytest

from soprag.tools.knowledge.abbreviations import abbreviates, ambiguous
from tests.tools.knowledge.plant import add, document, open_plant


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("control vlv", "control valve"),
        ("shift mgr", "shift manager"),
        ("discharge press.", "discharge pressure"),
        ("pwr supply", "power supply"),
        ("clg tower", "cooling tower"),
        ("P-101 brkr", "P-101 breaker"),
    ],
)
def test_a_word_without_a_vowel_or_with_a_dot_is_an_abbreviation(short: str, long: str) -> None:
    assert abbreviates(short, long)
    assert not abbreviates(long, short)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("gas seal", "gasket seal"),
        ("filter press", "filter pressure"),
        ("car filter", "carbon filter"),
        ("PLC rack", "place rack"),
        ("vlv", "valve"),
        ("P-101 vlv", "P-102 valve"),
        ("control vlv", "return valve"),
        ("vlv 1", "valve 2"),
        ("No. 2 pump", "normal 2 pump"),
    ],
)
def test_what_may_be_a_word_of_its_own_is_no_abbreviation(short: str, long: str) -> None:
    assert not abbreviates(short, long)


def test_an_abbreviation_of_two_things_stands_for_neither() -> None:
    def both(name: str, twin: str) -> set[tuple[str, str]]:
        return {(name, twin), (twin, name)}

    motor, meter = both("flow mtr", "flow motor"), both("flow mtr", "flow meter")
    assert ambiguous(motor) == set()
    assert ambiguous(motor | meter) == motor | meter
    assert ambiguous(meter | both("flow mtr", "Flow Meter") | both("flow meter", "Flow Meter")) == set()


def test_the_names_part_when_a_second_meaning_comes_and_join_when_it_goes(tmp_path: Path) -> None:
    _, library = open_plant(tmp_path)
    for id, name in (("a", "Flow Mtr"), ("b", "Flow Meter")):
        add(library, document(id, f"# Note {id}\n\nThe {name} feeds the tank T-{id}.\n"))

    def together() -> bool:
        return any({"Flow Mtr", "Flow Meter"} <= set(group) for group in library.snapshot().groups)

    assert together()
    add(library, document("c", "# Note c\n\nThe Flow Motor feeds the tank T-c.\n"))
    assert not together()
    library.remove(["c"])
    assert together()
