"""Procedures in research: copied whole with numbers and warnings, open parts said, links one hop away."""

from pathlib import Path
from typing import cast

from soprag.agents.deepsearch.page_links import answering_links
from soprag.graphs.deepsearch import create_researcher
from soprag.graphs.deepsearch.context import DeepSearchContext, OpenedResearch
from soprag.graphs.deepsearch.state import DeepSearchInput
from soprag.tools.publishing.research import ResearchReport
from soprag.tools.research.lines import lines_of
from soprag.tools.research.page_text import content
from soprag.tools.research.records import PageLink, WebSourceRecord
from soprag.tools.sop import Span
from tests.research import FakeWeb, make_study
from tests.words import WordEmbedder

PUMP = """# Starting the coolant pump

> **WARNING:** Never start the coolant pump against a closed valve.

1. Open the coolant valve fully.
2. Start the coolant pump from the panel.
   - If the pump trips, stop and call the duty manager.
3. Check that the pressure is 4 bar. WARNING: Stand clear of the coupling.
"""


async def report(folder: Path, question: str, page: str = PUMP) -> ResearchReport:
    study = make_study(folder, question, FakeWeb({"https://a.test/coolant-pump": page}), versions=1)
    graph = create_researcher(context=DeepSearchContext(runs=OpenedResearch(study)))
    result = await graph.ainvoke(DeepSearchInput(question=question, run=str(folder)))
    return cast("ResearchReport", result["report"])


async def test_a_procedure_keeps_its_numbers_and_its_warnings(tmp_path: Path) -> None:
    made = await report(tmp_path / "run", "How is the coolant pump started?")
    procedure = next(part for part in made.parts if part.procedure)
    assert [one.label.rstrip(".") for one in procedure.statements if one.kind == "step"] == ["1", "2", "3"]
    warnings = [one.text for one in procedure.statements if one.kind == "warning"]
    assert len(warnings) == 2 and "closed valve" in warnings[0] and "coupling" in warnings[1]
    assert procedure.statements[0].kind == "warning" and made.complete


async def test_a_part_without_an_answer_is_said_to_be_open(tmp_path: Path) -> None:
    made = await report(tmp_path / "run", "How is the coolant pump started, and what is the price of a coolant pump?")
    assert len(made.unanswered) == 1 and made.unanswered[0].query.startswith("what is the price of a coolant pump")
    assert not made.complete and "NOT ANSWERED" in made.text() and made.score < 3.5
    assert "credits" in made.cost and "fetches" in made.cost


def test_a_warning_inside_a_step_is_a_line_of_its_own() -> None:
    rows = [(line.kind, line.label.rstrip(".")) for line in lines_of(PUMP, 10_000)]
    assert rows == [("warning", ""), ("step", "1"), ("step", "2"), ("item", ""), ("step", "3"), ("warning", "")]


def test_links_to_the_answer_and_to_the_whole_document_are_followed() -> None:
    links = (
        PageLink(url="https://a.test/full", anchor="Download (PDF)"),
        PageLink(url="https://a.test/canteen", anchor="Canteen menu"),
        PageLink(url="https://a.test/start", anchor="Start of the coolant pump"),
    )
    page = WebSourceRecord(
        id="1", url="https://a.test", title="Coolant pump start", engine="e", query="q", rank=1, read="page",
        text="Short.", links=links,
    )  # fmt: skip
    hits = answering_links("coolant pump start", [page], {"https://a.test"}, WordEmbedder(), 5)
    assert {hit.url for hit in hits} == {"https://a.test/full", "https://a.test/start"}
    assert answering_links("coolant pump start", [page], {"https://a.test/full"}, WordEmbedder(), 1)[0].url.endswith(
        "start"
    )


VALVES = """# Isolation of the coolant manifold

| Line | Action | Result |
|---|---|---|
| A1 | Close the supply valve of the coolant manifold | Handle across |
| A2 | Close the return valve of the coolant manifold | Handle across |
| A3 | Open the drain of the coolant manifold | Flow stops |
"""


async def test_a_procedure_in_a_table_is_copied_row_by_row(tmp_path: Path) -> None:
    made = await report(tmp_path / "run", "How is isolation of the coolant manifold done?", VALVES)
    steps = next(part for part in made.parts if part.procedure).statements
    assert [(step.kind, step.citations[0].lines.start) for step in steps] == [("step", n) for n in (5, 6, 7)]


async def test_a_part_without_a_subject_of_its_own_is_answered_from_the_sources_of_the_part_it_goes_with(
    tmp_path: Path,
) -> None:
    made = await report(tmp_path / "run", "How is the coolant pump started, and what are the hazards?")
    assert [branch.depends_on for branch in made.branches] == [(), ("part-1",)]
    hazards = next(part for part in made.parts if "hazards" in part.heading)
    assert any("closed valve" in one.text for one in hazards.statements) and made.complete


async def test_a_part_that_a_procedure_answers_has_its_heading(tmp_path: Path) -> None:
    made = await report(tmp_path / "run", "How is the coolant pump started, and what are the warnings?")
    place = next(place for place, part in enumerate(made.parts) if part.procedure)
    assert made.parts[place - 1].heading == "How is the coolant pump started"


async def test_a_part_whose_evidence_is_about_something_else_is_named(tmp_path: Path) -> None:
    made = await report(tmp_path / "run", "How is the coolant pump started, and how is the coolant tank painted?")
    assert any("'how is the coolant tank painted'" in notice for notice in made.notices)
    assert not any("started" in notice for notice in made.notices)


def test_what_stands_around_the_content_of_a_page_is_left_out() -> None:
    page = (
        "[Home](/) / [Pumps](/p)\n\nYou are reading an old version.\n\n# Pump\n\n1. Start it.\n\nTerms Privacy Status"
    )
    assert content(page) == Span(start=5, end=8)
    assert content("Start it.\n\n# Pump\n\n1. Open the valve.\n\nThe pump runs.") == Span(start=3, end=7)
    assert content("Start the pump") == Span(start=1, end=1)
