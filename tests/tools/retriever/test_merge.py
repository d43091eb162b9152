"""Which names are one node: spelling may differ, identifiers, numbers, signs and opposites may not."""

import itertools

import pytest

from soprag.tools.retriever.index.node_merge import read_name, same_name

SAME = [
    ("P-101", "P101"),
    ("pump P-101", "Pump p 101"),
    ("chilled-water pumps", "Chilled water pump"),
    ("colour sensor", "color sensor"),
    ("the compressor trips", "compresor trips"),
    ("High pressure cut-out", "high-pressure cutout"),
    ("The pump has tripped.", "pump trips"),
]
DIFFERENT = [
    ("P-101", "P-102"),
    ("P-1-23", "P-12-3"),
    ("alarm 1100", "alarm 1000"),
    ("pump A fails", "pump B fails"),
    ("supply temperature is above the limit", "supply temperature is below the limit"),
    ("pressure is normal", "pressure is not normal"),
    ("pressure is normal", "pressure is abnormal"),
    ("nitrate tank", "nitrite tank"),
    ("valve connected", "valve disconnected"),
    ("coolant above -5 °C", "coolant above 5 °C"),
    ("level > 80 %", "level < 80 %"),
    ("1.5 bar", "15 bar"),
    ("the pump stops before the valve closes", "the valve closes before the pump stops"),
    ("", "pump"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_other_spellings_of_a_name_are_found_and_taken_as_the_same(one: str, other: str) -> None:
    first, second = read_name(one), read_name(other)
    assert first.key == second.key
    assert same_name(first, second, 0.85)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_of_different_things_are_never_taken_as_the_same(one: str, other: str) -> None:
    assert not same_name(read_name(one), read_name(other), 0.5)


def test_the_order_of_the_two_names_makes_no_difference() -> None:
    names = [read_name(text) for text in itertools.chain(*SAME, *DIFFERENT)]
    for one, other in itertools.combinations(names, 2):
        assert same_name(one, other, 0.85) == same_name(other, one, 0.85)
