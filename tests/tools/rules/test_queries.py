from soprag.tools.rules import page_relevance, queries
from soprag.tools.tasks.collecting import QueriesAsk, WantedAsk

TITLES = [
    "Replacing the wear plate of slurry pump SL-204",
    "Start-up of sump pump SP-101 after long standstill",
    "Slurry pump SL-330: gland packing",
]


def test_first_the_topic_itself_is_searched_for() -> None:
    asked = queries.propose(QueriesAsk(topic="chilled water plant")).queries
    assert asked[0] == "chilled water plant"
    assert len(asked) > 3


def test_titles_of_what_was_kept_teach_the_names_of_machines() -> None:
    asked = queries.propose(QueriesAsk(topic="pumps", titles=TITLES)).queries
    assert asked[0].startswith("slurry pump ")
    assert any(query.startswith("sump pump ") for query in asked)
    assert not any("204" in query for query in asked)


def test_nothing_is_asked_twice() -> None:
    first = queries.propose(QueriesAsk(topic="pumps", titles=TITLES)).queries
    assert queries.propose(QueriesAsk(topic="pumps", titles=TITLES, asked=first)).queries == []


def test_a_page_is_wanted_when_it_is_a_procedure_and_speaks_of_the_topic() -> None:
    steps = "\n".join(f"{at}. Close valve V-{at} of the boiler." for at in range(1, 8))
    said = page_relevance.judge(WantedAsk(topic="boiler operation", name="stop", text=f"# Stop\n\n{steps}"))
    assert said.is_procedure
    assert said.on_topic
    other = page_relevance.judge(WantedAsk(topic="aircraft de-icing", name="stop", text=f"# Stop\n\n{steps}"))
    assert not other.on_topic


def test_words_of_one_family_count_as_one() -> None:
    said = page_relevance.times("laboratory sterilisation", "The sterile laboratories. A sterile bag.")
    assert said == {"laboratory": 1, "sterilisation": 2}
    assert page_relevance.coverage(said) == 1.0
    assert 0.5 < page_relevance.coverage(said, often=2) < 1.0
