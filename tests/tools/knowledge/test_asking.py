"""Questions are answered by quoted lines that lead to each other, or not at all."""

from pathlib import Path

import pytest

from soprag.configs.settings import load
from soprag.tools.knowledge import connections, lookup
from soprag.tools.knowledge.asking import ask
from soprag.tools.knowledge.library import KnowledgeLibrary
from soprag.tools.knowledge.quotes import stands_in
from soprag.tools.retriever.index.index import Index
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
