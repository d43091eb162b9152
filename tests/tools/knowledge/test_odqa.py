"""Questions from facts: the answer stands on the quoted lines."""

from pathlib import Path

from soprag.tools.knowledge.lookup import all_facts
from soprag.tools.knowledge.odqa import odqa
from soprag.tools.knowledge.quotes import stands_in
from tests.tools.knowledge.plant import PUMP, TANK, follow, open_plant, sop

RANGES = (
    "# Ranges of the pump P-101\n\n| Parameter | Range |\n| --- | --- |\n"
    "| Oil pressure | 3 bar |\n| Water pressure | 5 bar |\n"
)


def test_every_answer_stands_on_its_path_or_is_the_title_of_its_document(tmp_path: Path) -> None:
    index, library = open_plant(tmp_path, sop("pump", PUMP), sop("tank", TANK), sop("ranges", RANGES))
    follow(library, index)
    with library.database.reading() as db:
        items = odqa([fact for fact, _, _ in all_facts(db)])
    assert {"causal", "logical", "operational"} <= {item.category for item in items}
    titles = {"Restart the coolant pump P-101", "Drain the tank T-4"}
    assert all(item.answer in titles or any(stands_in(item.answer, quote) for quote in item.path) for item in items)
    assert len({item.question for item in items}) == len(items)
