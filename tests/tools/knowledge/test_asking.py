"""Questions are answered by quoted lines that lead to each other, or not at all."""

from pathlib import Path

import pytest

from soprag.configs.settings import load
from soprag.tools.knowledge import connections, lookup
from soprag.tools.knowledge.asking import ask
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.passages import asked_texts
from soprag.tools.knowledge.quotes import stands_in
from soprag.tools.retriever.index.index import Index
from tests.hash_seeds import printed
from tests.tools.knowledge.plant import LAYOUT, PUMP, TANK, add, document, follow, open_plant, sop


@pytest.fixture
def library(tmp_path: Path) -> KnowledgeLibrary:
    index, library = open_plant(tmp_path, sop("pump", PUMP), sop("tank", TANK))
    follow(library, index)
    add(library, document("layout", LAYOUT))
    return library


def quotes(library: KnowledgeLibrary, question: str) -> set[str]:
    return {line.quote for reply in ask(library, question) for path in reply.paths for line in path.lines}


def test_a_question_about_a_valve_lists_a_line_of_every_procedure_that_touches_it(library: KnowledgeLibrary) -> None:
    replies = ask(library, "which procedures touch valve V-7?")
    assert {path.lines[0].document for path in replies[0].paths} == {"pump", "tank"}


def test_a_requirement_is_recognised_in_other_words(library: KnowledgeLibrary) -> None:
    assert "2. Call a second person before the cover is opened." in quotes(
        library, "which steps need two persons?"
    ) | quotes(library, "which steps of which SOPs need a second person?")


def test_every_sentence_of_an_answer_is_a_quote(library: KnowledgeLibrary) -> None:
    bodies = PUMP + TANK + LAYOUT
    for question in ("which procedures touch valve V-7?", "what does pump P-101 feed?", "why does P-101 trip?"):
        found = quotes(library, question)
        assert found and all(quote in bodies for quote in found)


CARDS = """# Alarm cards

## CDU-F01 Secondary Flow Low

1. Read the pump speed.
2. Start the stand-by pump.

## CDU-T02 Secondary Temperature High

1. Read the temperature.
2. Open the valve V-3.

## CDU-P05 Pump Drive Fault

1. Read the code of the drive.
2. Reset the drive once.
"""
BLEEDING = """# Bleed the loop

Air in the loop causes noise and flow alarms (CDU-F01).

1. Open the vent.
2. Close the vent.
"""


def test_a_cause_is_joined_to_the_card_of_its_alarm_whose_wording_the_question_paraphrases(tmp_path: Path) -> None:
    index, library = open_plant(tmp_path, sop("cards", CARDS), sop("bleeding", BLEEDING))
    follow(library, index)
    [fact] = lookup.facts_of(library, lookup.group_of(library, "CDU-F01"))
    assert (fact.relation, fact.object.text) == ("indicates", "Secondary Flow Low")
    [reply] = ask(library, "what can cause low flow of the secondary and which card answers it?")
    [path] = reply.paths  # and no other order of its lines
    assert {line.quote for line in path.lines} == {
        "## CDU-F01 Secondary Flow Low",
        "Air in the loop causes noise and flow alarms (CDU-F01).",
    }


def test_a_cause_that_covers_the_question_alone_is_led_on_to_the_card_that_is_asked_for(tmp_path: Path) -> None:
    index, library = open_plant(tmp_path, sop("cards", CARDS))
    follow(library, index)
    add(library, document("air", "# Filling\n\nAir in the loop causes a low flow and the alarm CDU-F01.\n"))
    asked = "what can cause a low flow"
    [[alone]] = [reply.paths for reply in ask(library, asked)]
    [[led]] = [reply.paths for reply in ask(library, f"{asked} and which card answers it?")]
    assert [line.document for line in alone.lines] == ["air"]
    assert [line.quote for line in led.lines][1:] == ["## CDU-F01 Secondary Flow Low"]


def test_a_name_that_a_question_writes_in_other_words_is_found_by_its_vector(library: KnowledgeLibrary) -> None:
    [group] = [number for number, texts in enumerate(library.snapshot().groups) if "valve V-7" in texts]
    near = library.snapshot().similar(library.embed(asked_texts("where is the 7 V valve?"))[1:], 0.55, 5)
    assert near[group] == max(near.values())
    far = library.snapshot().similar(library.embed(asked_texts("who paints the concert hall?"))[1:], 0.55, 5)
    assert far == {}


def test_two_lines_of_the_procedure_that_a_question_names_are_joined(library: KnowledgeLibrary) -> None:
    [reply] = ask(library, "in Restart the coolant pump P-101, watch the pressure or close the suction valve?")
    assert {line.line for line in reply.paths[0].lines} == {9, 11}


def test_what_no_document_names_has_no_path(library: KnowledgeLibrary) -> None:
    for question in ("what is the colour of pump P-999?", "who painted the cathedral?", "where is P-101 manufactured?"):
        [reply] = ask(library, question)
        assert not reply.answered and reply.reason


def test_a_path_leads_over_lines_that_hold_both_of_their_names(library: KnowledgeLibrary) -> None:
    start, goal = lookup.group_of(library, "P-101"), lookup.group_of(library, "R-5")
    found = connections.connect(library, start, goal, 3)
    assert 1 <= len(found.hops) <= 3
    groups = library.snapshot().groups
    texts = {names[0]: names for names in groups}
    for name, target, hop in zip(found.names, found.names[1:], found.hops, strict=False):
        assert all(any(stands_in(text, hop.quote) for text in texts[end]) for end in (name, target))


def test_names_that_no_line_connects_have_no_path(library: KnowledgeLibrary) -> None:
    add(library, document("isle", "# Isle\n\nThe Boat leaves Harbour Nine.\n"))
    start, goal = lookup.group_of(library, "Harbour Nine"), lookup.group_of(library, "V-9")
    assert connections.connect(library, start, goal, 3).hops == ()


def test_the_order_of_documents_does_not_show_in_an_answer(tmp_path: Path, library: KnowledgeLibrary) -> None:
    _, other = open_plant(tmp_path / "other", sop("tank", TANK), sop("pump", PUMP))
    add(other, document("layout", LAYOUT))
    follow(other, Index.open(tmp_path / "other", other.embedder, load(environment={}).index))
    for question in ("which procedures touch valve V-7?", "what does pump P-101 feed?"):
        assert ask(library, question) == ask(other, question)


def test_what_a_line_covers_does_not_depend_on_the_hash_seed() -> None:
    code = (
        "from soprag.tools.knowledge.evidence import Needs\n"
        "words = 'low coolant flow of the secondary loop at pump P1'.split()\n"
        "needs = Needs({word: 0.1 * number for number, word in enumerate(words)}, frozenset())\n"
        "print([repr(needs.coverage(words[:size])) for size in range(len(words))])"
    )
    assert len(printed(code, "1234")) == 1
