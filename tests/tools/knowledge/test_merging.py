"""Names that denote one thing are merged, and what a plant keeps apart is never merged."""

import pytest

from soprag.tools.embedding.minilm import MiniLm
from soprag.tools.knowledge.merging import Merging, blocking_key, by_paper, edit_distance
from soprag.tools.knowledge.records import NameRef
from tests.tools.knowledge.name_pairs import DIFFERENT, SAME


@pytest.fixture(scope="module")
def merging() -> Merging:
    texts = sorted({text for pair in (*SAME, *DIFFERENT) for text in pair})
    vectors = dict(zip(texts, MiniLm().embed(texts), strict=True))
    return Merging(0.85, vectors.__getitem__)


def merged(merging: Merging, name: str, candidate: str) -> bool:
    left, right = NameRef(kind="asset", text=name), NameRef(kind="asset", text=candidate)
    return blocking_key(name) == blocking_key(candidate) and merging.same(left, right)


def test_no_pair_that_a_plant_keeps_apart_is_merged(merging: Merging) -> None:
    assert [pair for pair in DIFFERENT if merged(merging, *pair) or merged(merging, *pair[::-1])] == []


def test_four_in_five_pairs_that_denote_one_thing_are_merged(merging: Merging) -> None:
    missed = [pair for pair in SAME if not merged(merging, *pair)]
    assert len(missed) <= len(SAME) // 5, missed


def test_the_rule_of_the_paper_alone_merges_what_a_plant_keeps_apart(merging: Merging) -> None:
    wrong = [pair for pair in DIFFERENT if by_paper(float(merging.meaning(pair[0]) @ merging.meaning(pair[1])), *pair)]
    assert ("Pump P-101", "Pump P-102") in wrong and ("high pressure alarm", "low pressure alarm") in wrong


def test_names_of_different_kinds_are_not_merged() -> None:
    never = Merging(0.0, pytest.fail)
    assert not never.same(NameRef(kind="asset", text="Purge"), NameRef(kind="role", text="purge"))


def test_the_edit_distance_counts_characters() -> None:
    assert (edit_distance("kitten", "sitting"), edit_distance("", "abc"), edit_distance("a", "a")) == (3, 3, 0)
