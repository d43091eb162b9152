import pytest

from soprag.tools.rules.keywords import propose
from soprag.tools.tasks.benchmark import TopicAsk


def phrases(topic: str) -> list[str]:
    return propose(TopicAsk(topic=topic)).phrases


def test_the_topic_comes_first_and_the_names_of_procedures_follow() -> None:
    found = phrases("Crane operation")
    assert found[0] == "Crane operation"
    assert "Crane operation standard operating procedure" in found
    assert any("checklist" in phrase for phrase in found)


def test_a_known_field_brings_its_equipment() -> None:
    assert any("refuelling" in phrase for phrase in phrases("Airline Ground Services"))


def test_the_most_specific_field_comes_first() -> None:
    found = phrases("liquid cooling")
    assert found.index("coolant leak procedure") < found.index("chiller procedure")


def test_words_that_only_say_procedure_are_not_repeated() -> None:
    assert "zebra husbandry standard operating procedure" in phrases("zebra husbandry SOP")


@pytest.mark.parametrize(
    "topic",
    ["x", "data center", "  data   center  ", "Wartung von Pumpen", "SOP", "power plant boiler pump water fire"],
)
def test_there_are_1_to_12_phrases_and_none_twice(topic: str) -> None:
    found = phrases(topic)
    assert 1 <= len(found) <= 12
    assert len({phrase.casefold() for phrase in found}) == len(found)
    assert found[0] == " ".join(topic.split())
